//! What a rule says about a program: it holds, it is broken and here is where, or nobody can tell.

use crate::evidence::Seen;
use manila::Stream;
use serde::Serialize;
use std::fmt::Write;
use std::ops::Range;

/// What a rule says about a program.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds in all runs that could show otherwise.
    Holds {
        /// How many those are.
        runs: usize,
    },
    /// It is broken.
    Violated(Vec<Finding>),
    /// No run could show it.
    Undecided {
        /// What is lacking.
        why: &'static str,
        /// What to declare in `manila.toml` so that it can be told.
        declare: Option<&'static str>,
    },
}

impl Verdict {
    /// Its word.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds { .. } => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Undecided { .. } => "undecided",
        }
    }
}

/// A promise that is broken, and its evidence.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The words of the command that broke it, empty for the program itself.
    pub command: Vec<String>,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to type to see it.
    pub reproduce: String,
    /// Where it can be seen.
    pub excerpt: Option<Excerpt>,
}

impl Finding {
    /// Something wrong with a run as a whole.
    pub fn new(seen: &Seen<'_>, message: impl Into<String>) -> Finding {
        Finding {
            command: seen.run.probe.command.clone(),
            message: cut(message.into()),
            reproduce: seen.reproduce(),
            excerpt: None,
        }
    }

    /// With the bytes that show it.
    #[must_use]
    pub fn at(mut self, seen: &Seen<'_>, stream: Stream, span: Range<usize>) -> Finding {
        self.excerpt = Some(Excerpt::of(seen.run.transcript.stream(stream), stream, span));
        self
    }
}

/// What a program says may be part of a message, however long it is.
fn cut(mut message: String) -> String {
    const LONGEST: usize = 1000;
    if let Some((at, _)) = message.char_indices().nth(LONGEST) {
        message.truncate(at);
        message.push('…');
    }
    message
}

/// Bytes of a stream, with some of what is around them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Excerpt {
    /// The stream.
    pub stream: Stream,
    /// The bytes that are meant.
    pub start: usize,
    /// Where they end.
    pub end: usize,
    /// What stands before them on their line.
    pub before: String,
    /// They themselves, as far as one can look at them.
    pub bytes: String,
    /// What stands after them on their line.
    pub after: String,
}

/// How much is shown of the bytes that are meant, and on either side of them.
const SHOWN: usize = 96;
const AROUND: usize = 32;

impl Excerpt {
    pub(crate) fn of(bytes: &[u8], stream: Stream, span: Range<usize>) -> Excerpt {
        let (start, end) = (span.start.min(bytes.len()), span.end.min(bytes.len()));
        let line = bytes[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let before = &bytes[line.max(start.saturating_sub(AROUND))..start];
        let shown = &bytes[start..end.min(start + SHOWN)];
        let after = bytes[end..].split(|byte| *byte == b'\n').next().unwrap_or_default();
        let after = if shown.len() < end - start { &[][..] } else { after };
        let after = &after[..after.len().min(AROUND)];
        let cut = if shown.len() < end - start { "…" } else { "" };
        Excerpt {
            stream,
            start,
            end,
            before: visible(before),
            bytes: visible(shown) + cut,
            after: visible(after),
        }
    }
}

/// Bytes as a person can look at them: what is no printable character by its number.
pub(crate) fn visible(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' => text.push_str("\\n"),
                '\r' => text.push_str("\\r"),
                '\t' => text.push_str("\\t"),
                '\u{1b}' => text.push_str("\\e"),
                _ if character.is_control() || is_unseen(character) => {
                    let _ = write!(text, "\\u{{{:x}}}", u32::from(character));
                }
                _ => text.push(character),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// Marks that steer what is around them and are not seen themselves.
fn is_unseen(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Counts what was looked at while a rule judges.
#[derive(Debug, Default)]
pub struct Judging {
    runs: usize,
    findings: Vec<Finding>,
}

impl Judging {
    /// A run could have shown the flaw.
    pub fn look(&mut self) {
        self.runs += 1;
    }

    /// A run shows it.
    pub fn find(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// A run shows it, unless another of the same command has shown just that.
    pub fn find_once(&mut self, finding: Finding) {
        let is_same = |it: &Finding| it.command == finding.command && it.message == finding.message;
        if !self.findings.iter().any(is_same) {
            self.find(finding);
        }
    }

    /// The verdict; if no run could have shown anything, this is why.
    pub fn verdict(self, why: &'static str, declare: Option<&'static str>) -> Verdict {
        match (self.findings.is_empty(), self.runs) {
            (false, _) => Verdict::Violated(self.findings),
            (true, 0) => Verdict::Undecided { why, declare },
            (true, runs) => Verdict::Holds { runs },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_shows_the_line_around_the_bytes() {
        let excerpt = Excerpt::of(b"one\ntwo \x1b[31mred\xff\nend", Stream::Stdout, 8..16);
        assert_eq!(excerpt.before, "two ");
        assert_eq!(excerpt.bytes, "\\e[31mred");
        assert_eq!(excerpt.after, "\\xff");
    }

    #[test]
    fn nothing_looked_at_is_undecided() {
        assert!(matches!(Judging::default().verdict("no run", None), Verdict::Undecided { .. }));
    }
}
