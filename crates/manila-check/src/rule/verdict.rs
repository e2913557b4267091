//! What a rule says about a program: it passed, it failed and here is where, or it is undecided.

use crate::observe::probe::{Purpose, Stdout};
use crate::rule::evidence::ObservedRun;
use manila::Stream;
use manila::visible::one_line;
use schemars::JsonSchema;
use serde::Serialize;
use std::ops::Range;

/// What a rule says about a program.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds in all runs that could show otherwise.
    Passed {
        /// How many those are.
        runs: usize,
    },
    /// It is broken.
    Failed(Vec<Finding>),
    /// No run could show it.
    Undecided {
        /// What is lacking.
        why: &'static str,
        /// What to declare in `manila.toml` to decide it.
        declare: Option<&'static str>,
    },
}

/// A verdict without its evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// The rule holds.
    Passed,
    /// The rule is broken.
    Failed,
    /// No run shows it.
    Undecided,
}

impl VerdictKind {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            VerdictKind::Passed => "passed",
            VerdictKind::Failed => "failed",
            VerdictKind::Undecided => "undecided",
        }
    }
}

impl Verdict {
    /// Which of the three it is.
    pub fn kind(&self) -> VerdictKind {
        match self {
            Verdict::Passed { .. } => VerdictKind::Passed,
            Verdict::Failed(_) => VerdictKind::Failed,
            Verdict::Undecided { .. } => VerdictKind::Undecided,
        }
    }

    /// Its name.
    pub fn as_str(&self) -> &'static str {
        self.kind().as_str()
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
    /// What distinguishes it from other findings of its rule, the same in every run: the name of a
    /// flag, a field or a file, for example. Findings of a rule with the same text here have one
    /// cause.
    pub cause: String,
}

impl Finding {
    /// Something wrong with a run as a whole.
    pub fn new(seen: &ObservedRun<'_>, message: impl Into<String>) -> Finding {
        Finding {
            command: seen.run.probe.command.clone(),
            message: cut(message.into()),
            reproduce: seen.reproduce(),
            excerpt: None,
            // Recorded runs may be of many programs.
            cause: match seen.run.probe.purpose {
                Purpose::Recorded => seen.run.probe.command.join(" "),
                _ => String::new(),
            },
        }
    }

    /// With what distinguishes it from other findings of its rule.
    #[must_use]
    pub(crate) fn because_of(mut self, cause: impl Into<String>) -> Finding {
        let cause = cut(cause.into());
        self.cause = match self.cause.as_str() {
            "" => cause,
            run => format!("{run}:{cause}"),
        };
        self
    }

    /// Of something that shows only where no terminal is, and is typed at one.
    #[must_use]
    pub(crate) fn on_pipe(mut self, seen: &ObservedRun<'_>) -> Finding {
        let probe = &seen.run.probe;
        if probe.setting.stdout == Stdout::Pipe && probe.purpose != Purpose::Recorded {
            self.reproduce.push_str(" 2>&1 | cat");
        }
        self
    }

    /// With the bytes that show it.
    #[must_use]
    pub fn at(mut self, seen: &ObservedRun<'_>, stream: Stream, span: Range<usize>) -> Finding {
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

/// A text without what differs from run to run: each number is one sign.
pub(crate) fn stable(text: &str) -> String {
    let mut stable = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '0'..='9' if stable.ends_with('#') => {}
            '0'..='9' => stable.push('#'),
            _ => stable.push(letter),
        }
    }
    stable
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
    /// What comes before them on their line.
    pub before: String,
    /// They themselves, as far as one can look at them.
    pub bytes: String,
    /// What comes after them on their line.
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
            before: one_line(before),
            bytes: one_line(shown) + cut,
            after: one_line(after),
        }
    }
}

/// Counts what was looked at while a rule judges.
#[derive(Debug, Default)]
pub(crate) struct VerdictBuilder {
    runs: usize,
    findings: Vec<Finding>,
}

impl VerdictBuilder {
    /// A run could have shown the flaw.
    pub(crate) fn observe(&mut self) {
        self.runs += 1;
    }

    /// A run shows it.
    pub(crate) fn report(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// A run shows it, unless another of the same command has shown just that.
    pub(crate) fn report_once(&mut self, finding: Finding) {
        let is_same = |it: &Finding| it.command == finding.command && it.message == finding.message;
        if !self.findings.iter().any(is_same) {
            self.report(finding);
        }
    }

    /// The verdict; if no run could have shown anything, this is why.
    pub(crate) fn verdict(self, why: &'static str, declare: Option<&'static str>) -> Verdict {
        match (self.findings.is_empty(), self.runs) {
            (false, _) => Verdict::Failed(self.findings),
            (true, 0) => Verdict::Undecided { why, declare },
            (true, runs) => Verdict::Passed { runs },
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
        assert!(matches!(
            VerdictBuilder::default().verdict("no run", None),
            Verdict::Undecided { .. }
        ));
    }
}
