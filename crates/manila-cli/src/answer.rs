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

/// What a command has to say when it worked.
#[derive(Debug)]
pub(crate) struct Reply {
    /// For programs.
    pub(crate) data: Raw,
    /// For people, on standard output.
    pub(crate) text: Text,
    /// For people, on standard error; in JSON, warnings.
    pub(crate) warnings: Vec<String>,
}

impl Reply {
    /// An answer with both faces.
    pub(crate) fn new<T: Serialize + ?Sized>(
        data: &T,
        text: impl Into<String>,
    ) -> Result<Reply, Refusal> {
        let text = Text::Styled(text.into());
        Ok(Reply { data: Raw::of(data)?, text, warnings: Vec::new() })
    }

    /// An answer that is a text of its own, such as a manual page.
    pub(crate) fn of_text(text: impl Into<String>) -> Result<Reply, Refusal> {
        let text = text.into();
        Reply::new(&serde_json::json!({ "text": text }), text)
    }
}

/// The envelope of an answer.
pub(crate) fn envelope(
    command: Option<&str>,
    answer: &Result<Reply, Refusal>,
    duration_ms: u64,
) -> Result<Envelope, Error> {
    let mut extra = Members::default();
    if let Ok(version) = Raw::of(env!("CARGO_PKG_VERSION")) {
        extra.push("tool_version", version);
    }
    let meta = Meta { duration_ms: Some(duration_ms), extra, ..Meta::default() };
    let mut content = Content { kind: command.map(str::to_owned), meta, ..Content::default() };
    match answer {
        Ok(reply) => {
            content.data = Some(reply.data.clone());
            content.warnings = reply.warnings.iter().cloned().map(Warning::Text).collect();
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
