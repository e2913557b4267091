//! What a command answers, and the envelope it becomes.

use crate::code::Refusal;
use manila::json::{Members, Raw};
use manila::{Content, Envelope, Error, Exit, Failure, Meta, Phase, Warning};
use serde::Serialize;

/// What is shown to people.
#[derive(Debug)]
pub(crate) enum Text {
    /// Words, with colour that the terminal may not want.
    Styled(String),
    /// Bytes that are somebody's document: not one of them changes.
    Verbatim(Vec<u8>),
}

/// What a command has to say when it worked. Only the face that is asked for is made.
pub(crate) struct Reply {
    body: Box<dyn Body>,
    warnings: Vec<String>,
}

/// Who the answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    People,
    Programs,
}

/// The one face of a reply that was asked for.
#[derive(Debug)]
pub(crate) enum Face {
    Data(Raw),
    Text(Text),
}

/// A reply that is ready to be written.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) face: Face,
    /// For people, on standard error; in JSON, warnings.
    pub(crate) warnings: Vec<String>,
}

trait Body {
    fn data(&self) -> Result<Raw, Refusal>;
    fn text(self: Box<Self>) -> Text;
}

struct Shown<T, F> {
    value: T,
    show: F,
}

impl<T: Serialize, F: FnOnce(&T) -> Text> Body for Shown<T, F> {
    fn data(&self) -> Result<Raw, Refusal> {
        Ok(Raw::of(&self.value)?)
    }

    fn text(self: Box<Self>) -> Text {
        (self.show)(&self.value)
    }
}

impl Reply {
    /// A value, and how it is shown to people.
    pub(crate) fn new<T: Serialize + 'static>(
        value: T,
        show: impl FnOnce(&T) -> String + 'static,
    ) -> Reply {
        let show = |value: &T| Text::Styled(show(value));
        Reply { body: Box::new(Shown { value, show }), warnings: Vec::new() }
    }

    /// A value, and the document that people get as it is.
    pub(crate) fn verbatim<T: Serialize + 'static>(value: T, document: Vec<u8>) -> Reply {
        let show = |_: &T| Text::Verbatim(document);
        Reply { body: Box::new(Shown { value, show }), warnings: Vec::new() }
    }

    /// An answer that is a text of its own, such as a manual page.
    pub(crate) fn of_text(text: impl Into<String>) -> Reply {
        let text = text.into();
        Reply::new(serde_json::json!({ "text": text }), move |_| text)
    }

    #[must_use]
    pub(crate) fn warn(self, warnings: Vec<String>) -> Reply {
        Reply { warnings, ..self }
    }

    /// Makes the face that is asked for.
    pub(crate) fn face(self, audience: Audience) -> Result<Answer, Refusal> {
        let face = match audience {
            Audience::Programs => Face::Data(self.body.data()?),
            Audience::People => Face::Text(self.body.text()),
        };
        Ok(Answer { face, warnings: self.warnings })
    }
}

/// The envelope of an answer: its data and warnings, or why there are none.
pub(crate) fn envelope(
    command: Option<&str>,
    answer: Result<(Raw, &[String]), &Refusal>,
    duration_ms: u64,
) -> Result<Envelope, Error> {
    let mut extra = Members::default();
    if let Ok(version) = Raw::of(env!("CARGO_PKG_VERSION")) {
        extra.push("tool_version", version);
    }
    let meta = Meta { duration_ms: Some(duration_ms), extra, ..Meta::default() };
    let mut content = Content { kind: command.map(str::to_owned), meta, ..Content::default() };
    match answer {
        Ok((data, warnings)) => {
            content.data = Some(data);
            content.warnings = warnings.iter().cloned().map(Warning::Text).collect();
            Envelope::new(Exit::Success, content)
        }
        Err(refusal) => {
            let exit = refusal.code.exit();
            let phase = if exit == Exit::ArgError { Phase::Validation } else { Phase::Execution };
            if let Some(details) = &refusal.details {
                content.meta.extra.push("details", details.clone());
            }
            content.error = Some(Failure {
                retryable: Some(exit == Exit::ArgError),
                phase: Some(phase),
                suggestion: refusal.suggestion.clone(),
                ..Failure::new(refusal.code.name(), &refusal.message)
            });
            Envelope::new(exit, content)
        }
    }
}
