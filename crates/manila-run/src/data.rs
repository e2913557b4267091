//! The output of a program without an envelope as data: JSON as it is, lines of JSON as a list, text as text.

use crate::attempt::Execution;
use crate::capture::Keep;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use manila::json::Raw;
use serde::Serialize;
use serde_json::value::RawValue;

/// A program's output, where it is text.
#[derive(Serialize)]
struct TextOutput<'w> {
    stdout: &'w str,
    #[serde(skip_serializing_if = "str::is_empty")]
    stderr: &'w str,
}

/// A program's bytes, where they are not text.
#[derive(Serialize)]
struct Bytes {
    stdout_base64: String,
}

/// The output as data, and whether it is text rather than JSON. What is handed on as it is is not data too.
pub(crate) fn of(execution: &Execution) -> (Raw, bool) {
    if execution.keep == Keep::Ends {
        return (Raw::null(), true);
    }
    let stdout = &execution.transcript.stdout;
    let Ok(text) = std::str::from_utf8(stdout) else {
        let bytes = Bytes { stdout_base64: STANDARD.encode(stdout) };
        return (Raw::from_serialize(&bytes).unwrap_or_else(|_| Raw::null()), true);
    };
    if let Some(json) = Raw::parse(text.trim()).ok().or_else(|| documents(text)) {
        return (json, false);
    }
    let stderr = String::from_utf8_lossy(execution.stderr_end());
    let output = TextOutput { stdout: text, stderr: &stderr };
    (Raw::from_serialize(&output).unwrap_or_else(|_| Raw::null()), true)
}

/// Several documents, one after the other or one on each line, as a list of them.
fn documents(text: &str) -> Option<Raw> {
    // Numbers and words that happen to be JSON are not meant as documents.
    text.trim_start().starts_with(['{', '[']).then_some(())?;
    let documents = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let documents: Vec<&str> =
        documents.map(|document| document.ok().map(RawValue::get)).collect::<Option<_>>()?;
    let are_containers = documents.iter().all(|document| document.starts_with(['{', '[']));
    if documents.len() < 2 || !are_containers {
        return None;
    }
    Raw::parse(&format!("[{}]", documents.join(","))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_concatenated_documents_are_a_list() {
        let list = |text| documents(text).map(|raw| raw.as_str().to_owned());
        assert_eq!(list("{\"a\":1}\n{\"b\": 2}\n").as_deref(), Some("[{\"a\":1},{\"b\": 2}]"));
        assert_eq!(list("{}{}[]").as_deref(), Some("[{},{},[]]"));
        for text in ["1\n2\n3\n", "{}\ntext", "{}", "text", "{} 7", ""] {
            assert_eq!(list(text), None, "{text}");
        }
    }
}
