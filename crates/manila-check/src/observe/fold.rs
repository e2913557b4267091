//! A huge answer made small before it is kept: its containers keep their first members, and of the others the number
//! and a fingerprint. Two answers that are the same beside what differs in every run become the same.
//!
//! Only a document without any flaw is folded: other flaws could not be found afterwards.

use crate::observe::volatile::{is_moment, is_own_key};
use manila::Fingerprint;
use manila::json::{Kind, Limits, Reader, Value};
use std::fmt::Write;

/// The smallest answer that is folded, in bytes.
const LEAST: usize = 256 << 10;
/// How many members a container keeps, the whole answer, and all containers together.
const MEMBERS: usize = 32;
const TOP_MEMBERS: usize = 256;
const VALUES: usize = 4096;
/// The longest string that is kept, and how many of its characters otherwise.
const LONGEST: usize = 4 << 10;
const HEAD: usize = 256;
/// Keys at the top that say what the answer is, wherever they stand.
const TOP: &[&str] = &[
    "ok",
    "success",
    "status",
    "type",
    "kind",
    "data",
    "result",
    "error",
    "errors",
    "warnings",
    "issues",
    "meta",
    "command",
    "schema",
    "schema_version",
    "version",
    "exit_code",
    "message",
    "code",
];
/// The key, and the first character of an element, that stand for what is left out.
const MORE: char = '…';

/// The answer on a stream made small; nothing if it is small, or not one document without a flaw. The name of the
/// run's own directory, which no other run has, does not count.
pub(crate) fn fold(bytes: &[u8], directory: &str) -> Option<Vec<u8>> {
    if bytes.len() < LEAST {
        return None;
    }
    // A string may steer a terminal, and lines may end otherwise, behind what is kept.
    let text = std::str::from_utf8(bytes).ok()?;
    if ["\r", "\\u001b", "\\u001B"].iter().any(|flaw| text.contains(flaw)) {
        return None;
    }
    let mut reader = Reader::new(Limits::default());
    let document = reader.read(bytes).ok().filter(|document| document.facts().is_empty())?;
    let mut fold = Fold { text: String::new(), left: VALUES, directory };
    fold.value(document.root(), true);
    fold.text.push('\n');
    Some(fold.text.into_bytes())
}

struct Fold<'f> {
    text: String,
    /// How many values may still be kept.
    left: usize,
    directory: &'f str,
}

impl Fold<'_> {
    fn value(&mut self, value: Value<'_>, is_top: bool) {
        self.left = self.left.saturating_sub(1);
        let most = if is_top { TOP_MEMBERS } else { MEMBERS };
        let (mut rest, mut others) = (Fingerprint::default(), 0_u64);
        match value.kind() {
            Kind::Object => {
                self.text.push('{');
                let mut separator = "";
                for (at, member) in value.members().enumerate() {
                    let is_needed = is_top && TOP.iter().any(|key| member.is(key));
                    if (at < most && self.left > 0) || is_needed {
                        self.text.push_str(separator);
                        self.text.push_str(member.key_text());
                        self.text.push(':');
                        self.value(member.value, false);
                        separator = ",";
                    } else {
                        others += 1;
                        let key = member.key();
                        if !is_own_key(&key) {
                            hash_text(&key, &mut rest);
                            self.hash(member.value, &mut rest);
                        }
                    }
                }
                if others > 0 {
                    let rest = digits(&rest);
                    let _ = write!(self.text, "{separator}\"{MORE}\":\"{others} more ({rest})\"");
                }
                self.text.push('}');
            }
            Kind::Array => {
                self.text.push('[');
                let mut separator = "";
                for (at, element) in value.elements().enumerate() {
                    if at < most && self.left > 0 {
                        self.text.push_str(separator);
                        self.value(element, false);
                        separator = ",";
                    } else {
                        others += 1;
                        self.hash(element, &mut rest);
                    }
                }
                if others > 0 {
                    let rest = digits(&rest);
                    let _ = write!(self.text, "{separator}\"{MORE} {others} more ({rest})\"");
                }
                self.text.push(']');
            }
            Kind::String if value.text().len() > LONGEST => {
                let whole = value.string().unwrap_or_default();
                let head: String = whole.chars().take(HEAD).collect();
                self.hash(value, &mut rest);
                let short = format!("{head}{MORE} {} bytes ({})", whole.len(), digits(&rest));
                self.text.push_str(&serde_json::Value::from(short).to_string());
            }
            _ => self.text.push_str(value.text()),
        }
    }

    fn hash(&self, value: Value<'_>, into: &mut Fingerprint) {
        match value.kind() {
            Kind::Object => {
                into.write(b"{");
                for member in value.members() {
                    let key = member.key();
                    if !is_own_key(&key) {
                        hash_text(&key, into);
                        self.hash(member.value, into);
                    }
                }
                into.write(b"}");
            }
            Kind::Array => {
                into.write(b"[");
                value.elements().for_each(|element| self.hash(element, into));
                into.write(b"]");
            }
            Kind::String => {
                // The text "1" is not the number 1.
                into.write(b"\"");
                let text = value.string().unwrap_or_default();
                if is_moment(&text) {
                    hash_text("a moment", into);
                } else if !self.directory.is_empty() && text.contains(self.directory) {
                    hash_text(&text.replace(self.directory, ""), into);
                } else {
                    hash_text(&text, into);
                }
            }
            _ => hash_text(value.text(), into),
        }
    }
}

/// Adds a text, and a byte that no text has to part it from the next one.
fn hash_text(text: &str, into: &mut Fingerprint) {
    into.write(text.as_bytes());
    into.write(&[0xff]);
}

/// As much of a fingerprint as a report can show.
fn digits(of: &Fingerprint) -> String {
    format!("{:016x}", of.finish() >> 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An answer with a million keys, or what differs in one of them.
    fn answer(last: &str) -> String {
        let mut text = String::from(r#"{"ok":true,"data":{"#);
        for at in 0..1_000_000 {
            let _ = write!(text, "\"k{at}\":{at},");
        }
        let _ = write!(text, "\"last\":{last}}},\"error\":null,\"meta\":{{\"duration_ms\":1}}}}");
        text
    }

    fn folded(text: &str) -> serde_json::Value {
        let bytes = fold(text.as_bytes(), "/run/7").expect("it is folded");
        assert!(bytes.len() < LEAST / 4, "{}", bytes.len());
        serde_json::from_slice(&bytes).expect("it is JSON")
    }

    #[test]
    fn a_million_keys_become_a_few_and_the_envelope_stays() {
        let one = folded(&answer("{\"at\":\"2026-11-16T09:30:00Z\",\"in\":\"/run/7/x\"}"));
        assert_eq!(one["ok"], true);
        assert_eq!(
            (&one["error"], &one["meta"]["duration_ms"]),
            (&serde_json::Value::Null, &1.into())
        );
        assert_eq!(one["data"]["k31"], 31);
        assert!(one["data"]["…"].as_str().is_some_and(|it| it.starts_with("999969 more")), "{one}");
        let later = answer("{\"at\":\"2026-11-16T09:31:00Z\",\"in\":\"/x\"}");
        assert_eq!(one, folded(&later), "what differs in every run does not count");
        assert_ne!(one, folded(&answer("7")));
    }

    #[test]
    fn lists_texts_and_depth_are_bounded() {
        let list = format!("[{}0]", "[[1,2,3,4,5,6,7,8],[1]],".repeat(100_000));
        assert_eq!(folded(&list).as_array().map(Vec::len), Some(TOP_MEMBERS + 1));
        let text = format!("{{\"text\":\"{}\"}}", "é".repeat(LEAST));
        let size = format!("… {} bytes", 2 * LEAST);
        assert!(folded(&text)["text"].as_str().is_some_and(|it| it.contains(&size)));
        let row = format!("[{}0]", "1,".repeat(40));
        let rows = format!("[{}0]", format!("{row},").repeat(40));
        let deep = format!("[{}0]", format!("{rows},").repeat(400));
        folded(&deep);
    }

    #[test]
    fn what_is_small_or_flawed_is_kept_as_it_is() {
        assert_eq!(fold(b"{\"ok\":true}", ""), None);
        let twice = answer("1,\"k1\":2");
        assert_eq!(fold(twice.as_bytes(), ""), None, "a key is there twice");
        assert_eq!(fold(&twice.as_bytes()[..twice.len() - 1], ""), None, "it is cut");
        assert_eq!(fold(answer("\"\\u001B[0m\"").as_bytes(), ""), None, "colour");
        assert_eq!(fold(format!("note: {}", answer("1")).as_bytes(), ""), None, "text before it");
    }
}
