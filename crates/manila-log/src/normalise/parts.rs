//! A usual record in its pieces, and the response envelope that is put together from them.

use super::source::{Place, Source, find, is_constant, is_on};
use crate::name::{EXACT, Name};
use crate::value_ref::ValueRef;
use crate::verdict::Verdict;
use manila::Confidence;
use manila::json::Kind;
use manila::table::{Field, Key};

/// What a record says, each value in its own spelling.
#[derive(Debug, Default)]
pub(super) struct Parts<'r> {
    data: Data<'r>,
    error: Option<Failure<'r>>,
    warnings: Option<&'r [u8]>,
    duration: Option<&'r [u8]>,
    request: Option<&'r [u8]>,
    cursor: Option<&'r [u8]>,
    timestamp: Option<&'r [u8]>,
    cwd: Option<&'r [u8]>,
    kind: Option<&'r [u8]>,
    issues: Option<(ValueRef<'r>, &'static Key)>,
}

#[derive(Debug, Default)]
enum Data<'r> {
    /// A failure has none.
    #[default]
    None,
    Whole(ValueRef<'r>),
    /// The members of the record that are not the envelope's own.
    Members(Vec<(ValueRef<'r>, ValueRef<'r>)>),
}

#[derive(Debug, Default)]
struct Failure<'r> {
    code: &'r [u8],
    message: &'r [u8],
    detail: Option<&'r [u8]>,
    retryable: Option<&'r [u8]>,
    wait: Option<&'r [u8]>,
    phase: Option<&'r [u8]>,
    suggestion: Option<&'r [u8]>,
}

macro_rules! names {
    ($($name:ident = $text:literal;)*) => { $(const $name: Name = Name::from_key($text);)* };
}

names! {
    CURSOR = "cursor";
    CWD = "cwd";
    DATA = "data";
    DURATION = "duration_ms";
    ERROR = "error";
    KIND = "kind";
    META = "meta";
    OK = "ok";
    REQUEST = "request_id";
    SCHEMA_VERSION = "schema_version";
    TIMESTAMP = "timestamp";
    WARNINGS = "warnings";
}

/// The keys of a response envelope in the order in which it is written.
const ORDER: [Name; 5] = [OK, DATA, ERROR, WARNINGS, META];
const META_ORDER: [Name; 7] = [DURATION, REQUEST, SCHEMA_VERSION, CURSOR, TIMESTAMP, CWD, KIND];

/// Whether a record is a success that is written in this very version already, so that its bytes can
/// stay as they are.
pub(super) fn is_written(verdict: &Verdict<'_>, version: &str) -> bool {
    let Some(envelope) = verdict.envelope() else { return false };
    let is_candidate = envelope.ok
        && verdict.is_one_line
        && envelope.confidence == Confidence::Certain
        && verdict.members.len() == ORDER.len();
    if !is_candidate {
        return false;
    }
    let mut last = None;
    for ((name, _, value), expected) in verdict.named().zip(ORDER) {
        if name != expected {
            return false;
        }
        last = Some(value);
    }
    let Some(meta) = last else { return false };
    let (mut rest, mut is_marked) = (&META_ORDER[..], false);
    for (name, _, value) in verdict.named_in(meta) {
        let Some(at) = rest.iter().position(|it| *it == name) else { return false };
        rest = &rest[at + 1..];
        // What the contract says nothing about may be of any type.
        if name != DURATION && value.kind() != Kind::String {
            return false;
        }
        is_marked |= name == SCHEMA_VERSION && value.spelled() == Some(version.as_bytes());
    }
    is_marked
}

/// The bytes of a string; anything else is for the core.
fn text(piece: ValueRef<'_>) -> Option<&[u8]> {
    (piece.kind() == Kind::String).then(|| piece.bytes())
}

/// Takes a value if its key was not met before; two of a kind are for the core.
fn once<'r>(place: &mut Option<&'r [u8]>, value: &'r [u8]) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

/// A key that is not one of those sought; if it is escaped it may be, and the core must look.
fn other(name: Name, key: ValueRef<'_>) -> Option<()> {
    let is_escaped = name.has_backslash() || (name.length > EXACT && key.bytes().contains(&b'\\'));
    (!is_escaped).then_some(())
}

impl<'r> Parts<'r> {
    /// The pieces of a good record; `None` if it says something that needs the core.
    pub(super) fn new(verdict: &Verdict<'r>, source: &Source, version: &str) -> Option<Self> {
        let envelope = verdict.envelope()?;
        // A payload that is laid out over lines must be laid out anew. The newer revision has places
        // for more of what an error may say.
        let is_usual = verdict.is_one_line
            && envelope.confidence == Confidence::Certain
            && (envelope.ok || version == "1.0");
        if !is_usual {
            return None;
        }
        let mut parts = Parts::default();
        parts.top(verdict, source, envelope.ok)?;
        Some(parts)
    }

    fn top(&mut self, verdict: &Verdict<'r>, source: &Source, ok: bool) -> Option<()> {
        let mut payload = Vec::new();
        let mut gravest = None;
        for (name, key, value) in verdict.named() {
            let Some(known) = find(&source.top, name).filter(|known| is_on(known, ok)) else {
                other(name, key)?;
                if source.is_flat {
                    // The core knows a payload that stands below a key of its own in a flat record.
                    if name == DATA {
                        return None;
                    }
                    payload.push((key, value));
                }
                continue;
            };
            match known.field {
                Field::None => is_constant(known, value).then_some(())?,
                Field::Data if ok => self.data = Data::Whole(value),
                Field::Error if !ok => {
                    let error = self.error.insert(Failure::default());
                    error.take(verdict, value, &source.error)?;
                }
                Field::Warnings => self.warnings = Some(value.bytes()),
                Field::Meta => self.meta(verdict, value, &source.meta)?,
                Field::Kind => self.kind = Some(text(value)?),
                Field::Timestamp => self.timestamp = Some(text(value)?),
                Field::Issues => {
                    gravest = gravest_of(value, known)?;
                    self.issues = gravest.map(|_| (value, known));
                }
                Field::Ok
                | Field::Failed
                | Field::Outcome
                | Field::Status
                | Field::SchemaVersion
                | Field::Data
                | Field::Error => {}
                _ => return None,
            }
        }
        if ok && source.is_flat {
            self.data = Data::Members(payload);
        }
        if ok || self.error.is_some() {
            return Some(());
        }
        let (issue, known) = gravest?;
        let get = |field| {
            let key = known.keys.iter().find(|key| key.field == field)?;
            issue.get(key.name)
        };
        let code = text(get(Field::IssueCode)?)?;
        let message = get(Field::IssueMessage).map_or(Some(code), text)?;
        self.error = Some(Failure { code, message, ..Failure::default() });
        Some(())
    }

    fn meta(&mut self, verdict: &Verdict<'r>, meta: ValueRef<'r>, places: &[Place]) -> Option<()> {
        let mut met = 0;
        for (name, _, value) in verdict.named_in(meta) {
            let known = find(places, name)?;
            met += 1;
            let slot = match known.field {
                Field::SchemaVersion => continue,
                Field::None if is_constant(known, value) => continue,
                Field::DurationMs => {
                    once(&mut self.duration, value.bytes())?;
                    continue;
                }
                Field::RequestId => &mut self.request,
                Field::Cursor => &mut self.cursor,
                Field::Timestamp => &mut self.timestamp,
                Field::Cwd => &mut self.cwd,
                Field::Kind => &mut self.kind,
                _ => return None,
            };
            once(slot, text(value)?)?;
            if known.empty_is_absent && *slot == Some(b"\"\"") {
                *slot = None;
            }
        }
        // Something in it is required, so that members must have been found.
        (met > 0).then_some(())
    }

    /// Appends the envelope and the newline that ends it.
    pub(super) fn write(&self, version: &str, out: &mut Vec<u8>) {
        match &self.error {
            None => {
                out.extend_from_slice(b"{\"ok\":true,\"data\":");
                self.data.write(out);
                out.extend_from_slice(b",\"error\":null,\"warnings\":");
            }
            Some(error) => {
                out.extend_from_slice(b"{\"ok\":false,\"data\":null,\"error\":{\"code\":");
                error.write(out);
                out.extend_from_slice(b"},\"warnings\":");
            }
        }
        out.extend_from_slice(self.warnings.unwrap_or(b"[]"));
        out.extend_from_slice(b",\"meta\":{\"duration_ms\":");
        out.extend_from_slice(self.duration.unwrap_or(b"0"));
        member(out, b",\"request_id\":", self.request);
        out.extend_from_slice(b",\"schema_version\":\"");
        out.extend_from_slice(version.as_bytes());
        out.push(b'"');
        member(out, b",\"cursor\":", self.cursor);
        member(out, b",\"timestamp\":", self.timestamp);
        member(out, b",\"cwd\":", self.cwd);
        member(out, b",\"kind\":", self.kind);
        if let Some((issues, known)) = self.issues {
            out.extend_from_slice(b",\"issues\":[");
            for (number, issue) in issues.elements().enumerate() {
                if number > 0 {
                    out.push(b',');
                }
                write_issue(issue, known, out);
            }
            out.push(b']');
        }
        out.extend_from_slice(b"}}\n");
    }
}

fn member(out: &mut Vec<u8>, key: &[u8], value: Option<&[u8]>) {
    if let Some(value) = value {
        out.extend_from_slice(key);
        out.extend_from_slice(value);
    }
}

impl Data<'_> {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Data::None => out.extend_from_slice(b"{}"),
            Data::Whole(data) => match data.kind() {
                Kind::Object | Kind::Array => out.extend_from_slice(data.bytes()),
                Kind::Null => out.extend_from_slice(b"{}"),
                _ => {
                    out.extend_from_slice(b"{\"value\":");
                    out.extend_from_slice(data.bytes());
                    out.push(b'}');
                }
            },
            Data::Members(members) => {
                let mut before = b'{';
                for (key, value) in members {
                    out.push(before);
                    out.extend_from_slice(key.bytes());
                    out.push(b':');
                    out.extend_from_slice(value.bytes());
                    before = b',';
                }
                out.extend_from_slice(if members.is_empty() { b"{}" } else { b"}" });
            }
        }
    }
}

impl<'r> Failure<'r> {
    /// Takes what a response envelope says of an error, by the names that the dialect has for it.
    fn take(&mut self, verdict: &Verdict<'r>, error: ValueRef<'r>, places: &[Place]) -> Option<()> {
        let (mut code, mut message, mut wait) = (None, None, None);
        for (name, key, value) in verdict.named_in(error) {
            let Some(known) = find(places, name) else {
                other(name, key)?;
                continue;
            };
            let (slot, bytes) = match known.field {
                Field::Code => (&mut code, text(value)?),
                Field::Message => (&mut message, text(value)?),
                Field::Detail => (&mut self.detail, text(value)?),
                Field::Suggestion => (&mut self.suggestion, text(value)?),
                Field::Retryable => (&mut self.retryable, value.bytes()),
                Field::WaitSeconds => (&mut wait, value.bytes()),
                Field::Phase => {
                    let words = [&b"validation"[..], b"execution", b"cleanup"];
                    value.plain().filter(|word| words.contains(word))?;
                    (&mut self.phase, value.bytes())
                }
                // What a response envelope of the first revision does not know it drops.
                Field::Details
                | Field::Operation
                | Field::Target
                | Field::Strategy
                | Field::FixRequired
                | Field::FixCommand
                | Field::Status
                | Field::Extra => continue,
                _ => return None,
            };
            once(slot, bytes)?;
            if known.empty_is_absent && *slot == Some(b"\"\"") {
                *slot = None;
            }
        }
        (self.code, self.message) = (code?, message?);
        self.wait = wait.filter(|_| self.retryable == Some(b"true"));
        // Whole seconds come back as they were unless they are too many to count in milliseconds.
        self.wait.is_none_or(|wait| wait.len() < 12).then_some(())
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.code);
        out.extend_from_slice(b",\"message\":");
        out.extend_from_slice(self.message);
        member(out, b",\"detail\":", self.detail);
        member(out, b",\"retryable\":", self.retryable);
        member(out, b",\"retry_after\":", self.wait);
        member(out, b",\"phase\":", self.phase);
        member(out, b",\"suggestion\":", self.suggestion);
    }
}

/// The first issue that is an error, or else the first, of issues that say no more than usual.
#[expect(clippy::option_option, reason = "no issue is an answer, an unusual one is none")]
fn gravest_of<'r>(
    issues: ValueRef<'r>,
    known: &'static Key,
) -> Option<Option<(ValueRef<'r>, &'static Key)>> {
    let mut gravest: Option<(ValueRef<'r>, &[u8])> = None;
    for issue in issues.elements() {
        let severity = usual_issue(issue, known)?;
        if gravest.is_none_or(|(_, most)| most != b"error" && severity == b"error") {
            gravest = Some((issue, severity));
        }
    }
    Some(gravest.map(|(issue, _)| (issue, known)))
}

/// The severity of an issue that says no more than usual.
fn usual_issue<'r>(issue: ValueRef<'r>, known: &Key) -> Option<&'r [u8]> {
    let mut severity = None;
    for (key, value) in issue.members() {
        let name = key.plain()?;
        match known.keys.iter().find(|key| key.name.as_bytes() == name)?.field {
            Field::IssueSeverity => once(&mut severity, value.plain()?)?,
            Field::IssueCode | Field::IssueMessage | Field::IssuePath | Field::IssueLink => {
                text(value)?;
            }
            _ => return None,
        }
    }
    severity.filter(|word| [&b"error"[..], b"warning", b"info"].contains(word))
}

fn write_issue(issue: ValueRef<'_>, known: &Key, out: &mut Vec<u8>) {
    let get = |field| {
        let key = known.keys.iter().find(|key| key.field == field)?;
        issue.get(key.name).map(ValueRef::bytes)
    };
    out.extend_from_slice(b"{\"code\":");
    out.extend_from_slice(get(Field::IssueCode).unwrap_or(b"\"\""));
    member(out, b",\"severity\":", get(Field::IssueSeverity));
    member(out, b",\"message\":", get(Field::IssueMessage));
    member(out, b",\"path\":", get(Field::IssuePath));
    member(out, b",\"link\":", get(Field::IssueLink));
    out.push(b'}');
}
