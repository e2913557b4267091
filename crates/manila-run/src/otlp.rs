//! The trace of a call as spans of OpenTelemetry: a line of OTLP in JSON per call, with the names that
//! its conventions have for programs that are called.

use crate::outcome::{Outcome, Step};
use manila::Envelope;
use serde::Serialize;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// An external caller, in the terms of OTLP.
const CLIENT: u8 = 3;
/// Neither caller nor called.
const INTERNAL: u8 = 1;
const FAILED: u8 = 2;
const FINE: u8 = 1;

/// The trace that a call belongs to.
pub(crate) struct TraceContext {
    id: String,
    /// The span that the call is part of, if another process began the trace.
    parent: Option<String>,
    /// The span of the call.
    span: String,
    began: SystemTime,
}

impl TraceContext {
    /// The trace that the environment names, or a new one.
    pub(crate) fn begin(named: Option<&str>) -> TraceContext {
        let (id, parent) = match named.and_then(parts) {
            Some((id, parent)) => (id.to_owned(), Some(parent.to_owned())),
            None => (format!("{}{}", number(), number()), None),
        };
        TraceContext { id, parent, span: number(), began: SystemTime::now() }
    }

    /// The variable that passes the trace context to the program.
    pub(crate) fn header(&self) -> String {
        format!("00-{}-{}-01", self.id, self.span)
    }

    /// The line.
    pub(crate) fn line(&self, outcome: &Outcome) -> serde_json::Result<String> {
        let took = Duration::from_millis(outcome.trace.duration_ms);
        let attempts = int("manila.attempts", outcome.trace.attempts() as u64);
        let class = text("manila.class", outcome.envelope.exit().name());
        let whole = Span {
            trace_id: &self.id,
            id: self.span.clone(),
            parent_span_id: self.parent.as_deref().unwrap_or_default(),
            name: "manila run",
            kind: INTERNAL,
            start_time_unix_nano: self.nanos(Duration::ZERO),
            end_time_unix_nano: self.nanos(took),
            attributes: [attempts, class].into_iter().chain(error(&outcome.envelope)).collect(),
            status: Status { code: if outcome.envelope.ok() { FINE } else { FAILED } },
        };
        let steps = outcome.trace.steps.iter().map(|step| self.attempt(step));
        let scope = Scope { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") };
        let spans = std::iter::once(whole).chain(steps).collect();
        let resource = Resource { attributes: [text("service.name", "manila")] };
        let scope_spans = [ScopeSpans { scope, spans }];
        serde_json::to_string(&Line { resource_spans: [ResourceSpans { resource, scope_spans }] })
    }

    fn attempt<'s>(&'s self, step: &'s Step) -> Span<'s> {
        let program = step.argv.first().map_or("", String::as_str);
        let name = program.rsplit('/').next().unwrap_or_default();
        let values = step.argv.iter().map(|word| Value::String(word.clone())).collect();
        let mut attributes = vec![
            text("process.executable.name", name),
            Attribute { key: "process.command_args", value: Value::Array(ArrayValue { values }) },
            text("manila.decision", step.decision.action.name()),
        ];
        let usage = step.usage.as_ref();
        attributes.extend(usage.map(|usage| int("process.pid", usage.pid.into())));
        let status = usage.and_then(|usage| usage.status.code());
        attributes
            .extend(status.map(|code| int("process.exit.code", u64::from(code.unsigned_abs()))));
        attributes.extend(step.code.as_deref().map(|code| text("error.type", code)));
        let begin = Duration::from_millis(step.at_ms);
        let took = Duration::from_millis(usage.map_or(0, |usage| usage.duration_ms));
        Span {
            trace_id: &self.id,
            id: number(),
            parent_span_id: &self.span,
            name,
            kind: CLIENT,
            start_time_unix_nano: self.nanos(begin),
            end_time_unix_nano: self.nanos(begin + took),
            attributes,
            status: Status { code: if step.code.is_none() { FINE } else { FAILED } },
        }
    }

    fn nanos(&self, after: Duration) -> String {
        let time = self.began.duration_since(UNIX_EPOCH).unwrap_or_default() + after;
        time.as_nanos().to_string()
    }
}

/// The trace and the span of a header such as `00-…-…-01`.
fn parts(header: &str) -> Option<(&str, &str)> {
    let mut parts = header.trim().split('-');
    let (version, id, span) = (parts.next()?, parts.next()?, parts.next()?);
    let is_hex = |text: &str, length| {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        text.len() == length && text.bytes().all(is_digit) && text.bytes().any(|byte| byte != b'0')
    };
    (version == "00" && is_hex(id, 32) && is_hex(span, 16)).then_some((id, span))
}

/// A unique number, and never zero.
fn number() -> String {
    format!("{:016x}", RandomState::new().hash_one(SystemTime::now()) | 1)
}

fn error(envelope: &Envelope) -> Option<Attribute<'_>> {
    envelope.error().map(|error| text("error.type", &error.code))
}

fn text<'a>(key: &'static str, value: &'a str) -> Attribute<'a> {
    Attribute { key, value: Value::Text(value) }
}

fn int(key: &'static str, value: u64) -> Attribute<'static> {
    Attribute { key, value: Value::Int(value.to_string()) }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    resource_spans: [ResourceSpans<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResourceSpans<'a> {
    resource: Resource<'a>,
    scope_spans: [ScopeSpans<'a>; 1],
}

#[derive(Serialize)]
struct Resource<'a> {
    attributes: [Attribute<'a>; 1],
}

#[derive(Serialize)]
struct ScopeSpans<'a> {
    scope: Scope,
    spans: Vec<Span<'a>>,
}

#[derive(Serialize)]
struct Scope {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Span<'a> {
    trace_id: &'a str,
    #[serde(rename = "spanId")]
    id: String,
    parent_span_id: &'a str,
    name: &'a str,
    kind: u8,
    start_time_unix_nano: String,
    end_time_unix_nano: String,
    attributes: Vec<Attribute<'a>>,
    status: Status,
}

#[derive(Serialize)]
struct Status {
    code: u8,
}

#[derive(Serialize)]
struct Attribute<'a> {
    key: &'static str,
    value: Value<'a>,
}

/// A value as OTLP spells it: whole numbers are text.
#[derive(Serialize)]
enum Value<'a> {
    #[serde(rename = "stringValue")]
    Text(&'a str),
    #[serde(rename = "stringValue")]
    String(String),
    #[serde(rename = "intValue")]
    Int(String),
    #[serde(rename = "arrayValue")]
    Array(ArrayValue<'a>),
}

#[derive(Serialize)]
struct ArrayValue<'a> {
    values: Vec<Value<'a>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Invocation, Policy, run};
    use serde_json::Value as Json;

    const HEADER: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn a_header_names_a_trace_and_a_span_or_nothing() {
        let named = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");
        assert_eq!(parts(HEADER), Some(named));
        let zero = "00-00000000000000000000000000000000-b7ad6b7169203331-01";
        for header in ["", "00-x-y-01", "01-a-b-00", zero, &HEADER.to_uppercase()] {
            assert_eq!(parts(header), None, "{header}");
        }
    }

    #[test]
    fn a_call_is_a_span_with_one_below_it_for_each_attempt() {
        let outcome = run(&Invocation::new("/bin/sh").args(["-c", "exit 3"]), &Policy::default());
        let trace = TraceContext::begin(Some(HEADER));
        let line: Json = serde_json::from_str(&trace.line(&outcome).unwrap()).unwrap();
        let spans = &line["resourceSpans"][0]["scopeSpans"][0]["spans"];
        assert_eq!(spans[0]["parentSpanId"], "b7ad6b7169203331");
        assert_eq!(spans[1]["parentSpanId"], spans[0]["spanId"]);
        assert_eq!((&spans[1]["name"], &spans[1]["kind"]), (&"sh".into(), &3.into()));
        let attribute = |key: &str| {
            let all = spans[1]["attributes"].as_array().unwrap();
            all.iter().find(|one| one["key"] == key).map(|one| one["value"].clone()).unwrap()
        };
        assert_eq!(attribute("process.executable.name")["stringValue"], "sh");
        assert_eq!(attribute("process.exit.code")["intValue"], "3");
        assert_eq!(attribute("error.type")["stringValue"], "FAILED_WITHOUT_ENVELOPE");
        assert_ne!(attribute("process.pid")["intValue"], "0");
        assert_eq!(
            attribute("process.command_args")["arrayValue"]["values"][2]["stringValue"],
            "exit 3"
        );
        for span in spans.as_array().unwrap() {
            assert_eq!(span["traceId"], "0af7651916cd43dd8448eb211c80319c");
            let nanos = |key: &str| span[key].as_str().unwrap().parse::<u128>().unwrap();
            assert!(nanos("endTimeUnixNano") >= nanos("startTimeUnixNano"));
        }
    }
}
