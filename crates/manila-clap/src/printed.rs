//! Commands that still print their answer: what they printed becomes the data of the envelope.

use crate::reply::{Kind, Reply, Shape};
use crate::screen::Screen;
use crate::sys;
use manila::json::{Raw, SerializeError};
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

/// The answer of a command that prints it.
///
/// It lets a program be converted one command at a time: a handler that has printed what people read
/// returns `Ok(Printed)`. For people nothing changes. In JSON mode the text is the data of the answer:
///
/// - one JSON document is itself;
/// - lines that are JSON documents are a list of them;
/// - anything else is `{"text": "…"}`.
///
/// If the command fails, what it printed is on stderr.
///
/// A handler that returns nothing else needs no declaration. Where some commands print and others do
/// not, [`Spec::printed`](crate::Spec::printed) says which.
///
/// ```
/// use manila_clap::{Error, Printed};
///
/// fn show() -> Result<Printed, Error> {
///     println!("a line that people read");
///     Ok(Printed)
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Printed;

/// What the command printed.
static TEXT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
/// Whether that is the answer.
static IS_ANSWER: AtomicBool = AtomicBool::new(false);

/// What a program needs whose commands print their answer. Others do not link it.
pub(crate) struct Printing {
    /// What such a command answers.
    pub(crate) reply: fn() -> Box<dyn Reply>,
    /// From now on what is printed is kept.
    pub(crate) capture: fn() -> io::Result<()>,
    /// Keeps what the command printed for its answer.
    pub(crate) keep: fn(),
    /// What the command printed, if it is not the answer.
    pub(crate) leftover: fn() -> Option<Vec<u8>>,
    /// The answer is written.
    pub(crate) done: fn(),
}

pub(crate) static PRINTING: Printing =
    Printing { reply, capture: sys::capture, keep, leftover, done: sys::dismiss_guardian };

fn keep() {
    if let Some(bytes) = sys::captured() {
        *TEXT.lock().unwrap_or_else(PoisonError::into_inner) = bytes;
    }
}

/// The command failed, or answered with something else.
fn leftover() -> Option<Vec<u8>> {
    keep();
    let text = std::mem::take(&mut *TEXT.lock().unwrap_or_else(PoisonError::into_inner));
    Some(text).filter(|text| !text.is_empty() && !IS_ANSWER.swap(false, SeqCst))
}

fn reply() -> Box<dyn Reply> {
    Box::new(Printed)
}

impl Reply for Printed {
    fn kind(&self) -> &'static str {
        "printed"
    }

    fn data(&self, _: Shape) -> Result<Raw, SerializeError> {
        IS_ANSWER.store(true, SeqCst);
        payload(&TEXT.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// It is printed already.
    fn show(&self, _: &mut Screen) {}

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::new::<Printed>("printed"));
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Printed {
    fn schema_name() -> Cow<'static, str> {
        "Printed".into()
    }

    /// It may be any value.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }
}

/// The payload that a text is.
fn payload(bytes: &[u8]) -> Result<Raw, SerializeError> {
    #[derive(Serialize)]
    struct Text<'t> {
        text: &'t str,
    }
    let text = String::from_utf8_lossy(bytes);
    let is_container = |text: &str| text.starts_with(['{', '[']);
    let trimmed = text.trim();
    if is_container(trimmed)
        && let Ok(document) = Raw::parse(trimmed)
    {
        return Ok(document);
    }
    let mut lines = trimmed.lines().filter(|line| !line.trim().is_empty()).peekable();
    if lines.peek().is_some_and(|line| is_container(line.trim_start()))
        && let Ok(documents) = lines.map(Raw::parse).collect::<Result<Vec<_>, _>>()
    {
        return Raw::from_serialize(&documents);
    }
    Raw::from_serialize(&Text { text: &text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_itself_lines_are_a_list_and_the_rest_is_text() {
        let data = |text: &str| payload(text.as_bytes()).expect("JSON").as_str().to_owned();
        assert_eq!(data("{\"a\": 1}\n"), "{\"a\": 1}");
        assert_eq!(data("{\"a\":1}\n{\"a\":2}\n"), "[{\"a\":1},{\"a\":2}]");
        assert_eq!(data("two\nlines\n"), "{\"text\":\"two\\nlines\\n\"}");
        assert_eq!(data("7\n"), "{\"text\":\"7\\n\"}");
        assert_eq!(data("{\"a\":1}\n{broken\n"), "{\"text\":\"{\\\"a\\\":1}\\n{broken\\n\"}");
        assert_eq!(data(""), "{\"text\":\"\"}");
        assert!(payload(b"\xff").is_ok());
    }
}
