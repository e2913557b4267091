//! A usual record in its pieces, and the response envelope that is put together from them.

use crate::name::{EXACT, Name};
use crate::piece::Piece;
use crate::verdict::Verdict;
use manila::Confidence;
use manila::json::Kind;

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
    issues: Option<Piece<'r>>,
}

#[derive(Debug, Default)]
enum Data<'r> {
    /// A failure has none.
    #[default]
    None,
    Whole(Piece<'r>),
    /// The members of the record that are not the envelope's own.
    Members(Vec<(Piece<'r>, Piece<'r>)>),
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
    ($($name:ident = $text:literal;)*) => { $(const $name: Name = Name::new($text);)* };
}

names! {
    API_VERSION = "apiVersion";
    CODE = "code";
    COMMAND = "command";
    CURSOR = "cursor";
    CWD = "cwd";
    DATA = "data";
    DETAIL = "detail";
    DURATION = "duration_ms";
    ERROR = "error";
    EXIT_CODE = "exit_code";
    FOUND = "found";
    HINT = "hint";
    ISSUES = "issues";
    KIND = "kind";
    MESSAGE = "message";
    META = "meta";
    OK = "ok";
    OUTPUT_FORMAT = "output_format";
    PHASE = "phase";
    REDIRECT = "redirect";
    REQUEST = "request_id";
    RETRYABLE = "retryable";
    RETRY_AFTER = "retry_after";
    SCHEMA_VERSION = "schema_version";
    SUGGESTION = "suggestion";
    TIMESTAMP = "timestamp";
    TYPE = "type";
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
fn text(piece: Piece<'_>) -> Option<&[u8]> {
    (piece.kind() == Kind::String).then(|| piece.bytes())
}

/// Takes a value if its key was not met before; two of a kind are for the core.
fn once<'r>(place: &mut Option<&'r [u8]>, value: &'r [u8]) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

/// A key that is none of those sought; if it is escaped it may be, and the core must look.
fn other(name: Name, key: Piece<'_>) -> Option<()> {
    let is_escaped = name.has_backslash() || (name.length > EXACT && key.bytes().contains(&b'\\'));
    (!is_escaped).then_some(())
}

impl<'r> Parts<'r> {
    /// The pieces of a good record; `None` if it says something that needs the core.
    pub(super) fn of(verdict: &Verdict<'r>, version: &str) -> Option<Self> {
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
        match envelope.dialect.id() {
            "response-envelope/1.0" => parts.response(verdict, envelope.ok)?,
            "animus/1" => parts.animus(verdict, envelope.ok)?,
            "claw/2.0" => parts.claw(verdict, envelope.ok)?,
            "td/1" => parts.td(verdict, envelope.ok)?,
            "i18nprune/1" => parts.i18nprune(verdict, envelope.ok)?,
            _ => return None,
        }
        Some(parts)
    }

    fn response(&mut self, verdict: &Verdict<'r>, ok: bool) -> Option<()> {
        for (name, key, value) in verdict.named() {
            match name {
                DATA if ok => self.data = Data::Whole(value),
                ERROR if !ok => {
                    let error = self.error.insert(Failure::default());
                    error.response(verdict, value)?;
                }
                OK | DATA | ERROR => {}
                WARNINGS => self.warnings = Some(value.bytes()),
                META => self.response_meta(verdict, value)?,
                _ => other(name, key)?,
            }
        }
        Some(())
    }

    fn response_meta(&mut self, verdict: &Verdict<'r>, meta: Piece<'r>) -> Option<()> {
        for (name, _, value) in verdict.named_in(meta) {
            match name {
                DURATION => once(&mut self.duration, value.bytes())?,
                REQUEST => once(&mut self.request, text(value)?)?,
                CURSOR => once(&mut self.cursor, text(value)?)?,
                TIMESTAMP => once(&mut self.timestamp, text(value)?)?,
                CWD => once(&mut self.cwd, text(value)?)?,
                KIND => once(&mut self.kind, text(value)?)?,
                SCHEMA_VERSION => {}
                _ => return None,
            }
        }
        // Its duration is required, so that something must have been found.
        self.duration.map(drop)
    }

    fn animus(&mut self, verdict: &Verdict<'r>, ok: bool) -> Option<()> {
        for (name, key, value) in verdict.named() {
            match name {
                DATA if ok => self.data = Data::Whole(value),
                ERROR if !ok => {
                    let error = self.error.insert(Failure::default());
                    error.named(verdict, value, [CODE, MESSAGE])?;
                    error.suggestion = None;
                }
                _ => other(name, key)?,
            }
        }
        Some(())
    }

    fn claw(&mut self, verdict: &Verdict<'r>, ok: bool) -> Option<()> {
        let mut members = Vec::new();
        let mut is_json = false;
        for (name, key, value) in verdict.named() {
            match name {
                TIMESTAMP => self.timestamp = Some(text(value)?),
                COMMAND => self.kind = Some(text(value)?),
                OUTPUT_FORMAT => is_json = value.plain() == Some(b"json"),
                EXIT_CODE | SCHEMA_VERSION => {}
                DATA | FOUND => return None,
                ERROR if !ok => {
                    let error = self.error.insert(Failure::default());
                    error.named(verdict, value, [KIND, MESSAGE])?;
                }
                _ => {
                    other(name, key)?;
                    members.push((key, value));
                }
            }
        }
        if ok {
            self.data = Data::Members(members);
        }
        (is_json && (ok || self.error.is_some())).then_some(())
    }

    fn td(&mut self, verdict: &Verdict<'r>, ok: bool) -> Option<()> {
        for (name, key, value) in verdict.named() {
            match name {
                TYPE if ok => self.kind = Some(text(value)?),
                DATA if ok => self.data = Data::Whole(value),
                ERROR if !ok => {
                    let error = self.error.insert(Failure::default());
                    error.named(verdict, value, [CODE, MESSAGE])?;
                    error.retryable = None;
                    error.suggestion = error.suggestion.filter(|words| *words != b"\"\"");
                }
                _ => other(name, key)?,
            }
        }
        Some(())
    }

    fn i18nprune(&mut self, verdict: &Verdict<'r>, ok: bool) -> Option<()> {
        let mut gravest = None;
        for (name, key, value) in verdict.named() {
            match name {
                KIND => self.kind = Some(text(value)?),
                DATA if ok => self.data = Data::Whole(value),
                META => self.i18nprune_meta(verdict, value)?,
                ISSUES => {
                    for issue in value.elements() {
                        let severity = usual_issue(issue)?;
                        if gravest.is_none_or(|(_, most)| most != b"error" && severity == b"error")
                        {
                            gravest = Some((issue, severity));
                        }
                    }
                    self.issues = gravest.map(|_| value);
                }
                _ => other(name, key)?,
            }
        }
        if ok {
            return Some(());
        }
        let (issue, _) = gravest?;
        let code = text(issue.get("code")?)?;
        let message = issue.get("message").map_or(Some(code), text)?;
        self.error = Some(Failure { code, message, ..Failure::default() });
        Some(())
    }

    fn i18nprune_meta(&mut self, verdict: &Verdict<'r>, meta: Piece<'r>) -> Option<()> {
        for (name, _, value) in verdict.named_in(meta) {
            match name {
                API_VERSION => {}
                CWD => once(&mut self.cwd, text(value)?)?,
                _ => return None,
            }
        }
        // It is required, so that something must have been found.
        let cwd = self.cwd?;
        self.cwd = Some(cwd).filter(|cwd| *cwd != b"\"\"");
        Some(())
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
        if let Some(issues) = self.issues {
            out.extend_from_slice(b",\"issues\":[");
            for (number, issue) in issues.elements().enumerate() {
                if number > 0 {
                    out.push(b',');
                }
                write_issue(issue, out);
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
    /// Takes code and message by the names that they have, and what else is common.
    fn named(&mut self, verdict: &Verdict<'r>, error: Piece<'r>, names: [Name; 2]) -> Option<()> {
        let (mut code, mut message) = (None, None);
        for (name, key, value) in verdict.named_in(error) {
            match name {
                _ if name == names[0] => once(&mut code, text(value)?)?,
                _ if name == names[1] => once(&mut message, text(value)?)?,
                RETRYABLE => once(&mut self.retryable, value.bytes())?,
                HINT | SUGGESTION => once(&mut self.suggestion, text(value)?)?,
                _ => other(name, key)?,
            }
        }
        (self.code, self.message) = (code?, message?);
        Some(())
    }

    fn response(&mut self, verdict: &Verdict<'r>, error: Piece<'r>) -> Option<()> {
        let (mut code, mut message, mut wait) = (None, None, None);
        for (name, key, value) in verdict.named_in(error) {
            match name {
                CODE => once(&mut code, text(value)?)?,
                MESSAGE => once(&mut message, text(value)?)?,
                DETAIL => once(&mut self.detail, text(value)?)?,
                RETRYABLE => once(&mut self.retryable, value.bytes())?,
                RETRY_AFTER => once(&mut wait, value.bytes())?,
                PHASE => {
                    let words = [&b"validation"[..], b"execution", b"cleanup"];
                    value.plain().filter(|word| words.contains(word))?;
                    once(&mut self.phase, value.bytes())?;
                }
                SUGGESTION => once(&mut self.suggestion, text(value)?)?,
                REDIRECT => return None,
                // What it does not know it drops.
                _ => other(name, key)?,
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

/// The severity of an issue that says no more than usual.
fn usual_issue(issue: Piece<'_>) -> Option<&[u8]> {
    let mut severity = None;
    for (key, value) in issue.members() {
        match key.plain()? {
            b"severity" => once(&mut severity, value.plain()?)?,
            b"code" | b"message" | b"path" | b"docHref" => {
                text(value)?;
            }
            _ => return None,
        }
    }
    severity.filter(|word| [&b"error"[..], b"warning", b"info"].contains(word))
}

fn write_issue(issue: Piece<'_>, out: &mut Vec<u8>) {
    let get = |key| issue.get(key).map(Piece::bytes);
    out.extend_from_slice(b"{\"code\":");
    out.extend_from_slice(get("code").unwrap_or(b"\"\""));
    member(out, b",\"severity\":", get("severity"));
    member(out, b",\"message\":", get("message"));
    member(out, b",\"path\":", get("path"));
    member(out, b",\"link\":", get("docHref"));
    out.push(b'}');
}
