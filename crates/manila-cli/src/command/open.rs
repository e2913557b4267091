//! `manila open`: recognise what a program wrote, show its normal form, or convert it.

use crate::error::CliError;
use crate::help::examples;
use crate::human::{field_if, on_one_line, title, verdict};
use crate::input::Input;
use crate::known::{self, known_dialect};
use crate::shape;
use clap::Args;
use manila::json::{Layout, Raw, Style, Writer};
use manila::{Conversion, Defaults, Dialect, Fate, Loss, Opened, Stream};
use manila_clap::{Call, Reply, Screen};
use manila_pack::{Packs, open_run};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use std::borrow::Cow;

/// How many losses are listed one by one.
const MOST_LISTED: usize = 50;
/// The longest payload that is shown to people in full, in bytes.
const LONGEST_SHOWN: usize = 64 << 10;

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("td --json ls | manila open", "open what a program writes"),
    ("manila open --run recorded/run --json", "open a recorded run, for programs"),
    ("manila open answer.json --exit-code 1 --to animus/1", "write it in another dialect"),
];

#[rustfmt::skip]
pub(crate) const FAILS: &[&str] = &[
    "EMPTY_INPUT", "NO_ENVELOPE", "OVER_LIMIT", "FILE_NOT_FOUND", "FILE_FORBIDDEN",
    "FILE_UNREADABLE", "BAD_RECORDING", "BAD_DIALECT", "LOSSY_CONVERSION", "INTERNAL_ERROR",
];

#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: Input,

    /// Convert it to this dialect; list on stderr what the dialect cannot express
    #[arg(long, value_name = "DIALECT", value_parser = known_dialect())]
    to: Option<&'static dyn Dialect>,

    /// Fail if the conversion would lose something
    #[arg(long, requires = "to")]
    strict: bool,
}

pub(crate) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, CliError> {
    known::install(None)?;
    let transcript = arguments.input.transcript()?;
    let packs = Packs::from_environment()?;
    let opened = Box::new(open_run(&transcript, &arguments.input.options(), &packs)?);
    let Some(target) = arguments.to else {
        return Ok(Answer { opened, converted: None });
    };
    let now = format!("{:.0}", jiff::Timestamp::now());
    let defaults = Defaults { timestamp: now.into(), ..Defaults::default() };
    let Conversion { written, losses } = opened.convert(target, &defaults)?;
    if arguments.strict && !losses.is_empty() {
        // Our dialect has no room for them in the error.
        call.note("details", &Losses { losses: &losses });
        let fields: Vec<_> = losses.iter().map(|loss| loss.field.as_str()).collect();
        let fields = fields.join(", ");
        return Err(CliError::LossyConversion { target: target.id(), fields });
    }
    let document = String::from_utf8(written.document)
        .map_err(|error| CliError::Internal(format!("the document is not UTF-8: {error}")))?;
    warn(call, target.id(), &losses);
    let converted = Converted {
        dialect: target.id(),
        stream: written.stream,
        status: written.status,
        document,
        losses,
    };
    Ok(Answer { opened, converted: Some(converted) })
}

#[derive(Serialize, Reply)]
#[reply(kind = "open", show = show)]
pub(crate) struct Answer {
    #[serde(flatten)]
    opened: Box<Opened>,
    #[serde(skip_serializing_if = "Option::is_none")]
    converted: Option<Converted>,
}

impl JsonSchema for Answer {
    fn schema_name() -> Cow<'static, str> {
        "Opened".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        shape::opened()
    }
}

#[derive(Serialize)]
struct Converted {
    dialect: &'static str,
    stream: Stream,
    status: i32,
    document: String,
    losses: Vec<Loss>,
}

#[derive(Serialize)]
struct Losses<'a> {
    losses: &'a [Loss],
}

/// Reports what the conversion could not express.
fn warn(call: &Call, dialect: &str, losses: &[Loss]) {
    for loss in losses.iter().take(MOST_LISTED) {
        call.warn(describe(loss, dialect));
    }
    if losses.len() > MOST_LISTED {
        call.warn(format!("{} more losses; --json lists them", losses.len() - MOST_LISTED));
    }
}

fn show(answer: &Answer, screen: &mut Screen) {
    match &answer.converted {
        Some(converted) => screen.verbatim(&converted.document),
        None => show_opened(&answer.opened, screen),
    }
}

fn describe(loss: &Loss, target: &str) -> String {
    let place = match &loss.place {
        Some(place) => format!(" (bytes {}..{})", place.start, place.end),
        None => String::new(),
    };
    let field = &loss.field;
    match &loss.fate {
        Fate::Dropped => format!("{target} cannot say {field}{place}: {}", short(&loss.value)),
        Fate::Changed(now) => {
            format!("{target} says {field}{place} as {}: {}", short(now), short(&loss.value))
        }
        Fate::Invented(now) => {
            format!("{target} requires {field}, which is not known: {}", short(now))
        }
    }
}

/// The beginning of a value, on one line.
fn short(value: &Raw) -> String {
    let text = laid_out(value, Layout::Compact);
    match text.char_indices().nth(60) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}

fn show_opened(opened: &Opened, screen: &mut Screen) {
    let (detection, envelope) = (&opened.detection, &opened.envelope);
    let content = envelope.content();
    let heading = format!(
        "{} on {}, bytes {}..{} ({}, {})",
        detection.dialect.id(),
        detection.stream,
        detection.span.start,
        detection.span.end,
        detection.shape,
        detection.confidence.as_str(),
    );
    title(screen, &heading);
    let status = envelope.status().map_or_else(String::new, |code| format!(", exit status {code}"));
    verdict(screen, envelope.ok(), &format!("{}{status}", envelope.exit().name()));
    field_if(screen, "kind", content.kind.as_ref());
    if let Some(error) = envelope.error() {
        show_error(error, screen);
    }
    field_if(screen, "missing", content.missing.as_ref());
    field_if(screen, "data", content.data.as_ref().map(pretty));
    for issue in &content.issues {
        let words = issue.message.as_deref().unwrap_or_default();
        screen.field(issue.severity.as_str(), format!("{} {words}", issue.code));
    }
    for warning in &content.warnings {
        screen.field("warning", warning.text());
    }
    let meta = &content.meta;
    field_if(screen, "duration", meta.duration_ms.map(|it| format!("{it} ms")));
    field_if(screen, "request id", meta.request_id.as_ref());
    field_if(screen, "timestamp", meta.timestamp.as_ref());
    field_if(screen, "cursor", meta.cursor.as_ref());
    field_if(screen, "cwd", meta.cwd.as_ref());
    field_if(screen, "truncated", meta.truncated.then_some("yes"));
    field_if(screen, "not modified", meta.not_modified.then_some("yes"));
    for (key, value) in meta.extra.iter().chain(content.extra.iter()) {
        screen.field(&on_one_line(key), value.as_str());
    }
    for noise in &detection.noise {
        let (kind, span) = (noise.kind.as_str(), &noise.span);
        let place = format!("{kind} on {}, bytes {}..{}", noise.stream, span.start, span.end);
        screen.field("noise", place);
    }
    for fact in &opened.facts {
        screen.field("fact", fact);
    }
    if opened.facts.more() > 0 {
        screen.field("fact", format!("and {} more", opened.facts.more()));
    }
}

fn show_error(error: &manila::ErrorObject, screen: &mut Screen) {
    screen.field("code", &error.code);
    screen.field("message", &error.message);
    field_if(screen, "detail", error.detail.as_ref());
    field_if(screen, "suggestion", error.suggestion.as_ref());
    field_if(screen, "retryable", error.retryable.map(|it| if it { "yes" } else { "no" }));
    field_if(screen, "wait", error.wait_ms.map(|wait| format!("{wait} ms")));
    field_if(screen, "phase", error.phase.map(manila::Phase::as_str));
    field_if(screen, "redirect", error.redirect.as_ref().map(|to| &to.command));
    field_if(screen, "operation", error.operation.as_ref());
    field_if(screen, "target", error.target.as_ref());
    field_if(screen, "fix", error.fix.required.as_ref());
    field_if(screen, "fix command", error.fix.command.as_ref());
    field_if(screen, "details", error.details.as_ref().map(pretty));
}

/// A payload, one member per line; only the beginning of a long one.
fn pretty(raw: &Raw) -> String {
    let text = raw.as_str();
    if text.len() <= LONGEST_SHOWN {
        return laid_out(raw, Layout::Pretty);
    }
    let cut = (0..=LONGEST_SHOWN).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    format!("{}\n… {} bytes in all; --json shows them", &text[..cut], text.len())
}

fn laid_out(raw: &Raw, layout: Layout) -> String {
    let bytes = Writer::new(Style { layout, ascii: false }).value(raw);
    String::from_utf8_lossy(&bytes).into_owned()
}
