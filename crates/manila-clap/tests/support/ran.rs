//! What a run left behind, and what it must be: one envelope, on its stream, with its status.

use super::ESC;
use jsonschema::Validator;
use manila::json::Limits;
use manila::{
    Confidence, Dialect, Envelope, Exit, Opened, Options, Status, Stream, Transcript, Warning, open,
};
use serde_json::Value;
use std::collections::HashMap;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::LazyLock;

/// What a run left behind.
pub(crate) struct Ran {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) status: ExitStatus,
    pub(crate) dialect: &'static dyn Dialect,
}

impl std::fmt::Debug for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [out, err] = [&self.stdout, &self.stderr].map(|bytes| {
            let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(2000)]).into_owned();
            format!("{} bytes\n{shown}", bytes.len())
        });
        write!(f, "{:?}, {}\nstdout: {out}\nstderr: {err}", self.dialect, self.status)
    }
}

impl Ran {
    /// The one envelope, of its dialect, with nothing odd about it.
    #[track_caller]
    pub(crate) fn opened(&self) -> Opened {
        let transcript = Transcript {
            stdout: self.stdout.clone(),
            stderr: self.stderr.clone(),
            status: self.status.code().map_or(Status::Unknown, Status::Exited),
            ..Transcript::default()
        };
        let limits = Limits { bytes: usize::MAX, ..Limits::default() };
        let opened = open(&transcript, &Options { limits, dialect: None, ..Options::default() })
            .unwrap_or_else(|error| panic!("{error}: {self:?}"));
        let found = &opened.detection;
        assert_eq!(found.dialect.id(), self.dialect.id(), "{self:?}");
        assert!(found.confidence >= self.sure(&opened), "{:?} of {self:?}", found.confidence);
        let is_odd = |fact: &&manila::json::Fact| {
            found.stream == Stream::Stdout || fact.kind != manila::json::FactKind::ProseBefore
        };
        let facts: Vec<_> = opened.facts.iter().filter(is_odd).collect();
        assert!(facts.is_empty(), "{facts:?} in {self:?}");
        // What is printed goes to stderr, and a panic hook writes there too.
        let noise = found.noise.iter().find(|noise| noise.stream == Stream::Stdout);
        assert!(noise.is_none(), "{noise:?} in {self:?}");
        assert!(!self.stdout.contains(&ESC) && !self.stderr.contains(&ESC), "{self:?}");
        assert_eq!(found.stream, self.dialect.form(opened.envelope.ok()).stream, "{self:?}");
        let document = &transcript.stream(found.stream)[found.span.clone()];
        let document: Value = serde_json::from_slice(document).expect("JSON");
        let wrong: Vec<_> =
            SCHEMAS[self.dialect.id()].iter_errors(&document).map(|it| it.to_string()).collect();
        assert!(wrong.is_empty(), "{wrong:?} in {self:?}");
        opened
    }

    /// The envelope of a program whose exit status need not be one of the dialect's.
    #[track_caller]
    pub(crate) fn opened_oddly(&self) -> Opened {
        let transcript = Transcript {
            stdout: self.stdout.clone(),
            stderr: self.stderr.clone(),
            status: self.status.code().map_or(Status::Unknown, Status::Exited),
            ..Transcript::default()
        };
        open(&transcript, &Options::default()).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// A code in capitals is not what claw itself would write.
    fn sure(&self, opened: &Opened) -> Confidence {
        let is_foreign = self.dialect.id() == "claw/1.0" && !opened.envelope.ok();
        if is_foreign { Confidence::Likely } else { Confidence::Certain }
    }

    /// It worked, and says so.
    #[track_caller]
    pub(crate) fn succeeds(&self) -> Envelope {
        let envelope = self.opened().envelope;
        assert!(envelope.ok() && self.status.code() == Some(0), "{self:?}");
        envelope
    }

    /// It worked, and has nothing to say beside.
    #[track_caller]
    pub(crate) fn succeeds_quietly(&self) -> Envelope {
        assert_eq!(self.err(), "", "{self:?}");
        let envelope = self.succeeds();
        assert_eq!(envelope.content().warnings, [], "{self:?}");
        envelope
    }

    /// It failed in this way, and says so.
    #[track_caller]
    pub(crate) fn fails(&self, exit: Exit) -> Envelope {
        self.fails_with(self.dialect.status(exit))
    }

    /// The same with a code, in dialects that have a place for it.
    #[track_caller]
    pub(crate) fn fails_as(&self, exit: Exit, code: &str) -> Envelope {
        let envelope = self.fails(exit);
        assert!(!self.has_codes() || code_of(&envelope) == code, "{self:?}");
        envelope
    }

    /// A signal ended it, and it says so.
    #[track_caller]
    pub(crate) fn is_cancelled_by(&self, signal: i32) -> Envelope {
        let envelope = self.fails_with(self.dialect.table().exits.interrupted(signal));
        assert!(!self.has_codes() || code_of(&envelope) == "CANCELLED", "{self:?}");
        envelope
    }

    #[track_caller]
    fn fails_with(&self, status: i32) -> Envelope {
        let envelope = self.opened().envelope;
        assert!(!envelope.ok() && self.status.code() == Some(status), "{status}: {self:?}");
        envelope
    }

    /// A signal killed it, and there is no answer.
    #[track_caller]
    pub(crate) fn dies_of(&self, signal: i32) {
        assert_eq!(self.status.signal(), Some(signal), "{self:?}");
        assert_eq!(self.out(), "", "{self:?}");
    }

    /// Whether any code can be said.
    fn has_codes(&self) -> bool {
        !["animus/1", "claw/2.0"].contains(&self.dialect.id())
    }

    pub(crate) fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub(crate) fn err(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    /// The frames of a stream, and the run with the line alone that closes it.
    #[track_caller]
    pub(crate) fn frames(self) -> (Vec<Value>, Ran) {
        let text = self.out();
        let mut lines: Vec<&str> = text.lines().collect();
        let last = lines.pop().unwrap_or_default();
        let frame = |line: &str| -> Value {
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
        };
        let frames = lines.into_iter().map(frame).collect();
        (frames, Ran { stdout: last.as_bytes().to_vec(), ..self })
    }
}

/// Whether bytes have these words in them.
pub(crate) fn shows(bytes: &[u8], words: &str) -> bool {
    bytes.windows(words.len()).any(|window| window == words.as_bytes())
}

fn code_of(envelope: &Envelope) -> &str {
    envelope.error().map_or("", |error| error.code.as_str())
}

/// The warnings of an envelope, as lines.
pub(crate) fn warnings(envelope: &Envelope) -> Vec<String> {
    let text = |warning: &Warning| match warning {
        Warning::Text(text) => text.clone(),
        Warning::Other(other) => other.as_str().to_owned(),
    };
    envelope.content().warnings.iter().map(text).collect()
}

static SCHEMAS: LazyLock<HashMap<&'static str, Validator>> = LazyLock::new(|| {
    let schema = |dialect: &&'static dyn Dialect| {
        let schema = dialect.table().json_schema();
        (dialect.id(), jsonschema::validator_for(&schema).expect("a schema"))
    };
    manila::dialects::WRITTEN.iter().map(schema).collect()
});
