//! A usual record in its pieces, and the response envelope that is put together from them.

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

/// The bytes of a string; anything else is for the core.
fn text(piece: Piece<'_>) -> Option<&[u8]> {
    (piece.kind() == Kind::String).then(|| piece.bytes())
}

/// Takes a value if its key was not met before; two of a kind are for the core.
fn once<'r>(place: &mut Option<&'r [u8]>, value: &'r [u8]) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

impl<'r> Parts<'r> {
    /// The pieces of a good record; `None` if it says something that needs the core.
    pub(super) fn of(verdict: &Verdict<'r>, bytes: &[u8], version: &str) -> Option<Self> {
        let envelope = verdict.envelope()?;
        // A payload that is laid out over lines must be laid out anew.
        let goes_on = !verdict.is_one_line && memchr::memchr(b'\n', bytes).is_some();
        if envelope.confidence != Confidence::Certain || goes_on {
            return None;
        }
        // The newer revision has places for more of what an error may say.
        if !envelope.ok && version != "1.0" {
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
        for (key, value) in verdict.members() {
            match key.plain()? {
                b"data" if ok => self.data = Data::Whole(value),
                b"error" if !ok => {
                    let error = self.error.insert(Failure::default());
                    error.response(verdict, value)?;
                }
                b"warnings" => self.warnings = Some(value.bytes()),
                b"meta" => self.response_meta(verdict, value)?,
                _ => {}
            }
        }
        Some(())
    }

    fn response_meta(&mut self, verdict: &Verdict<'r>, meta: Piece<'r>) -> Option<()> {
        for (key, value) in verdict.members_of(meta) {
            match key.plain()? {
                b"duration_ms" => once(&mut self.duration, value.bytes())?,
                b"request_id" => once(&mut self.request, text(value)?)?,
                b"cursor" => once(&mut self.cursor, text(value)?)?,
                b"timestamp" => once(&mut self.timestamp, text(value)?)?,
                b"cwd" => once(&mut self.cwd, text(value)?)?,
                b"kind" => once(&mut self.kind, text(value)?)?,
                b"schema_version" => {}
                _ => return None,
            }
        }
        Some(())
    }

    fn animus(&mut self, verdict: &Verdict<'r>, ok: bool) -> Option<()> {
        if ok {
            self.data = Data::Whole(verdict.get("data")?);
            return Some(());
        }
        let error = self.error.insert(Failure::default());
        error.named(verdict.get("error")?)
    }

    fn claw(&mut self, verdict: &Verdict<'r>, ok: bool) -> Option<()> {
        let mut members = Vec::new();
        let mut is_json = false;
        for (key, value) in verdict.members() {
            match key.plain()? {
                b"timestamp" => self.timestamp = Some(text(value)?),
                b"command" => self.kind = Some(text(value)?),
                b"output_format" => is_json = value.is_text("json"),
                b"exit_code" | b"schema_version" => {}
                b"data" | b"found" => return None,
                b"error" if !ok => {
                    let error = self.error.insert(Failure::default());
                    error.claw(verdict, value)?;
                }
                _ => members.push((key, value)),
            }
        }
        if ok {
            self.data = Data::Members(members);
        }
        (is_json && (ok || self.error.is_some())).then_some(())
    }

    fn td(&mut self, verdict: &Verdict<'r>, ok: bool) -> Option<()> {
        if ok {
            self.kind = Some(text(verdict.get("type")?)?);
            self.data = Data::Whole(verdict.get("data")?);
            return Some(());
        }
        let error = self.error.insert(Failure::default());
        let value = verdict.get("error")?;
        error.suggestion =
            value.get("suggestion").map(Piece::bytes).filter(|words| *words != b"\"\"");
        error.named(value)
    }

    fn i18nprune(&mut self, verdict: &Verdict<'r>, ok: bool) -> Option<()> {
        self.kind = Some(text(verdict.get("kind")?)?);
        for (key, value) in verdict.members_of(verdict.get("meta")?) {
            match key.plain()? {
                b"apiVersion" => {}
                b"cwd" => once(&mut self.cwd, text(value)?)?,
                _ => return None,
            }
        }
        self.cwd = self.cwd.filter(|cwd| *cwd != b"\"\"");
        let issues = verdict.get("issues")?;
        let mut gravest = None;
        for issue in issues.elements() {
            let severity = usual_issue(issue)?;
            if gravest.is_none_or(|(_, most)| most != b"error" && severity == b"error") {
                gravest = Some((issue, severity));
            }
        }
        self.issues = gravest.map(|_| issues);
        if ok {
            self.data = Data::Whole(verdict.get("data")?);
            return Some(());
        }
        let (issue, _) = gravest?;
        let code = text(issue.get("code")?)?;
        let message = issue.get("message").map_or(Some(code), text)?;
        self.error = Some(Failure { code, message, ..Failure::default() });
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
    /// Takes code and message by their usual names.
    fn named(&mut self, error: Piece<'r>) -> Option<()> {
        self.code = text(error.get("code")?)?;
        self.message = text(error.get("message")?)?;
        Some(())
    }

    fn response(&mut self, verdict: &Verdict<'r>, error: Piece<'r>) -> Option<()> {
        let (mut code, mut message, mut wait) = (None, None, None);
        for (key, value) in verdict.members_of(error) {
            match key.plain()? {
                b"code" => once(&mut code, text(value)?)?,
                b"message" => once(&mut message, text(value)?)?,
                b"detail" => once(&mut self.detail, text(value)?)?,
                b"retryable" => once(&mut self.retryable, value.bytes())?,
                b"retry_after" => once(&mut wait, value.bytes())?,
                b"phase" => {
                    let words = ["validation", "execution", "cleanup"];
                    words.iter().find(|word| value.is_text(word))?;
                    once(&mut self.phase, value.bytes())?;
                }
                b"suggestion" => once(&mut self.suggestion, text(value)?)?,
                b"redirect" => return None,
                // What it does not know it drops.
                _ => {}
            }
        }
        (self.code, self.message) = (code?, message?);
        self.wait = wait.filter(|_| self.retryable == Some(b"true"));
        // Whole seconds come back as they were unless they are too many to count in milliseconds.
        self.wait.is_none_or(|wait| wait.len() < 12).then_some(())
    }

    fn claw(&mut self, verdict: &Verdict<'r>, error: Piece<'r>) -> Option<()> {
        let (mut code, mut message) = (None, None);
        for (key, value) in verdict.members_of(error) {
            match key.plain()? {
                b"kind" => once(&mut code, text(value)?)?,
                b"message" => once(&mut message, text(value)?)?,
                b"retryable" => once(&mut self.retryable, value.bytes())?,
                b"hint" => once(&mut self.suggestion, text(value)?)?,
                _ => {}
            }
        }
        (self.code, self.message) = (code?, message?);
        Some(())
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
