//! The envelope: the normal form, the superset of what the dialects can say.
//!
//! `ok` cannot be set: it is read from the exit class, and none can be built which contradicts
//! itself.

use crate::error::{Error, ErrorKind};
pub use crate::error_object::{ErrorObject, Fix, Issue, Phase, Redirect, Severity, Strategy};
use crate::exit::Exit;
use crate::json::{Members, Raw};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// Everything an envelope says beside its outcome.
///
/// ```
/// use manila::{Content, Envelope, ErrorObject, Exit};
///
/// // An envelope that contradicts itself cannot be built.
/// let content = Content { error: Some(ErrorObject::new("GONE", "it is gone")), ..Content::default() };
/// assert!(Envelope::new(Exit::Success, content).is_err());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// What it is about: the dialects call it kind, type or command.
    pub kind: Option<String>,
    /// The payload, in its own spelling.
    pub data: Option<Raw>,
    /// What went wrong.
    pub error: Option<ErrorObject>,
    /// Findings, each with its own code and severity.
    pub issues: Vec<Issue>,
    /// What went not quite right.
    pub warnings: Vec<Warning>,
    /// The name of the entity that was looked up and does not exist.
    pub missing: Option<String>,
    /// About the answer rather than of it.
    pub meta: Meta,
    /// Top-level members that belong to no field.
    pub extra: Members,
}

/// Something that went not quite right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Warning {
    /// A sentence, as the contract asks.
    Text(String),
    /// Anything else, as some programs write it.
    Other(Raw),
}

impl Warning {
    /// Its words: the sentence, or the JSON of what is none.
    pub fn text(&self) -> &str {
        match self {
            Warning::Text(text) => text,
            Warning::Other(raw) => raw.as_str(),
        }
    }
}

/// About the answer rather than of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meta {
    /// How long the command ran.
    pub duration_ms: Option<u64>,
    /// What to look for in logs.
    pub request_id: Option<String>,
    /// The contract version that the document states; every dialect writes its own.
    pub schema_version: Option<String>,
    /// The caller's cached answer still holds.
    pub not_modified: bool,
    /// The data were cut.
    pub truncated: bool,
    /// Where the next page begins.
    pub cursor: Option<String>,
    /// When the command completed.
    pub timestamp: Option<String>,
    /// Where it ran.
    pub cwd: Option<String>,
    /// Members that belong to no field.
    pub extra: Members,
}

impl Serialize for Meta {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("duration_ms", &self.duration_ms)?;
        map.serialize_entry("request_id", &self.request_id)?;
        map.serialize_entry("schema_version", &self.schema_version)?;
        map.serialize_entry("not_modified", &self.not_modified)?;
        map.serialize_entry("truncated", &self.truncated)?;
        map.serialize_entry("cursor", &self.cursor)?;
        map.serialize_entry("timestamp", &self.timestamp)?;
        map.serialize_entry("cwd", &self.cwd)?;
        map.serialize_entry("extra", &self.extra)?;
        map.end()
    }
}

/// One answer of one command, whatever its dialect.
///
/// ```
/// use manila::json::Raw;
/// use manila::{Envelope, ErrorObject, Exit};
///
/// let success = Envelope::success(Raw::null());
/// assert!(success.ok());
/// let failure = Envelope::failure(Exit::NotFound, ErrorObject::new("NO_SUCH_NOTE", "there is no note 7"));
/// assert!(!failure.ok());
/// assert_eq!(failure.error().map(|error| error.code.as_str()), Some("NO_SUCH_NOTE"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    exit: Exit,
    status: Option<i32>,
    content: Content,
}

impl Envelope {
    /// An envelope that says all this.
    ///
    /// A failure needs an error, a success has none, and unless the caller's cached answer still
    /// holds there is data or an error.
    pub fn new(exit: Exit, content: Content) -> Result<Envelope, Error> {
        let contradiction =
            |message: &str| Err(Error::new(ErrorKind::ContradictoryOutcome, message));
        match (exit.is_success(), content.error.is_some()) {
            (true, true) => return contradiction("a success cannot carry an error"),
            (false, false) => return contradiction("a failure must carry an error"),
            (true, false) if content.data.is_none() && !content.meta.not_modified => {
                let message = "there is neither data nor error, and it is not `not modified`";
                return Err(Error::new(ErrorKind::NothingToSay, message));
            }
            _ => {}
        }
        Ok(Envelope { exit, status: None, content })
    }

    /// A success with its data.
    pub fn success(data: Raw) -> Envelope {
        let content = Content { data: Some(data), ..Content::default() };
        Envelope { exit: Exit::Success, status: None, content }
    }

    /// A failure with its error. Success is not a class of failure and becomes the general one.
    pub fn failure(exit: Exit, error: ErrorObject) -> Envelope {
        let exit = if exit.is_success() { Exit::General } else { exit };
        let content = Content { error: Some(error), ..Content::default() };
        Envelope { exit, status: None, content }
    }

    /// The same with these data.
    #[must_use]
    pub fn with_data(mut self, data: Raw) -> Envelope {
        self.content.data = Some(data);
        self
    }

    /// The same, about something of this kind.
    #[must_use]
    pub fn with_kind(mut self, kind: Option<String>) -> Envelope {
        self.content.kind = kind;
        self
    }

    /// The same with one more warning.
    #[must_use]
    pub fn with_warning(mut self, text: impl Into<String>) -> Envelope {
        self.content.warnings.push(Warning::Text(text.into()));
        self
    }

    /// The same with something more to say about itself.
    #[must_use]
    pub fn with_note(mut self, key: &'static str, value: Raw) -> Envelope {
        self.content.meta.extra.push(key, value);
        self
    }

    /// The same with what the one who hands it on knows about the answer; what it says itself stays.
    #[must_use]
    pub fn with_own_meta(mut self, own: Meta) -> Envelope {
        let meta = &mut self.content.meta;
        meta.duration_ms = meta.duration_ms.or(own.duration_ms);
        for (mine, other) in [
            (&mut meta.request_id, own.request_id),
            (&mut meta.timestamp, own.timestamp),
            (&mut meta.cwd, own.cwd),
        ] {
            *mine = mine.take().or(other);
        }
        for (key, value) in own.extra.iter() {
            if meta.extra.get(key).is_none() {
                meta.extra.push(key.to_owned(), value.clone());
            }
        }
        self
    }

    /// The same as a complete list, or as one that continues at a cursor.
    #[must_use]
    pub fn with_rest(mut self, cursor: Option<String>) -> Envelope {
        self.content.meta.truncated = cursor.is_some();
        self.content.meta.cursor = cursor;
        self
    }

    /// The same, with the number that the process ended with. It is a record: the class, and with
    /// it `ok`, stays what it is.
    #[must_use]
    pub fn with_status(self, status: Option<i32>) -> Envelope {
        Envelope { status, ..self }
    }

    /// Whether the command succeeded.
    pub fn ok(&self) -> bool {
        self.exit.is_success()
    }

    /// The class of the outcome.
    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// The number the process ended with, if it is known.
    pub fn status(&self) -> Option<i32> {
        self.status
    }

    /// Everything else it says.
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// What went wrong, if something did.
    pub fn error(&self) -> Option<&ErrorObject> {
        self.content.error.as_ref()
    }

    /// About the answer.
    pub fn meta(&self) -> &Meta {
        &self.content.meta
    }

    /// Takes it apart, to build another.
    pub fn into_parts(self) -> (Exit, Content) {
        (self.exit, self.content)
    }
}

impl Serialize for Envelope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let content = &self.content;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("ok", &self.ok())?;
        map.serialize_entry("exit", &self.exit)?;
        map.serialize_entry("status", &self.status)?;
        map.serialize_entry("kind", &content.kind)?;
        map.serialize_entry("data", &content.data)?;
        map.serialize_entry("error", &content.error)?;
        map.serialize_entry("issues", &content.issues)?;
        map.serialize_entry("warnings", &content.warnings)?;
        map.serialize_entry("found", &content.missing.as_ref().map(|_| false))?;
        map.serialize_entry("name", &content.missing)?;
        map.serialize_entry("meta", &content.meta)?;
        map.serialize_entry("extra", &content.extra)?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradictions_cannot_be_built() {
        let failed = Content { error: Some(ErrorObject::new("X", "x")), ..Content::default() };
        let empty = Content::default();
        let kind =
            |exit, content: &Content| Envelope::new(exit, content.clone()).map_err(|e| e.kind());
        assert_eq!(kind(Exit::Success, &failed), Err(ErrorKind::ContradictoryOutcome));
        assert_eq!(kind(Exit::General, &empty), Err(ErrorKind::ContradictoryOutcome));
        assert_eq!(kind(Exit::Success, &empty), Err(ErrorKind::NothingToSay));
        assert!(kind(Exit::General, &failed).is_ok_and(|envelope| !envelope.ok()));
    }

    #[test]
    fn what_is_built_in_one_go_never_contradicts_itself() {
        let failed = Envelope::failure(Exit::Success, ErrorObject::new("X", "x"));
        let whole = Envelope::success(Raw::null()).with_data(Raw::text("a")).with_warning("w");
        for envelope in [failed, whole] {
            let ok = envelope.ok();
            let (exit, content) = envelope.into_parts();
            assert!(Envelope::new(exit, content).is_ok_and(|envelope| envelope.ok() == ok));
        }
    }

    #[test]
    fn not_modified_needs_no_data() {
        let meta = Meta { not_modified: true, ..Meta::default() };
        let content = Content { meta, ..Content::default() };
        assert!(Envelope::new(Exit::Success, content).is_ok_and(|envelope| envelope.ok()));
    }
}
