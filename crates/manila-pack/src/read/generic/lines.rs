//! The lines of a failed run that may state its cause.

use super::http::status_in;
use crate::read::Streams;
use crate::read::stream::Text;

/// So few lines are all about the failure.
const FEW_LINES: usize = 2;
/// How many codes of a line are taken apart.
const MOST_CODES: usize = 20;
/// How many lines from either end of a stream are looked at.
const MOST_LINES: usize = 200;

/// The pairs of neighbouring bytes of a text, as a set that may have more: a phrase of which a pair is
/// missing is not in the text.
#[derive(Debug)]
pub(super) struct Pairs([u64; Pairs::WORDS]);

impl Pairs {
    const WORDS: usize = 64;

    fn place(pair: &[u8]) -> (usize, u64) {
        let hash = usize::from(pair[0]) * 37 + usize::from(pair[1]) * 5;
        (hash / 64 % Pairs::WORDS, 1 << (hash % 64))
    }

    fn of(text: &str) -> Pairs {
        let mut words = [0; Pairs::WORDS];
        for pair in text.as_bytes().windows(2) {
            let (word, bit) = Pairs::place(pair);
            words[word] |= bit;
        }
        Pairs(words)
    }

    /// Whether a phrase may be in the text.
    pub(super) fn may_have(&self, phrase: &str) -> bool {
        phrase.as_bytes().windows(2).all(|pair| {
            let (word, bit) = Pairs::place(pair);
            self.0[word] & bit != 0
        })
    }
}

/// A line that may state the cause.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) text: String,
    pub(super) lower: String,
    pub(super) pairs: Pairs,
    /// It is worded as an error.
    pub(super) states_error: bool,
    /// It shows how to call the program.
    pub(super) is_usage: bool,
    /// It says something else than the cause.
    pub(super) is_noise: bool,
    /// The status of HTTP that it names.
    pub(super) http: Option<u16>,
}

impl Candidate {
    /// A line that certainly states an error.
    pub(super) fn stated(text: String) -> Candidate {
        let lower = words_of(&text);
        Candidate {
            pairs: Pairs::of(&lower),
            lower,
            http: status_in(&text),
            text,
            states_error: true,
            is_usage: false,
            is_noise: false,
        }
    }
}

/// Words with which a line that states an error begins, behind a name or a time.
const ERRORS: &[&str] = &[
    "error",
    "err!",
    "fatal",
    "failed",
    "failure",
    "exception",
    "panic",
    "e:",
    "abort",
    "aborted",
    "critical",
    "cannot",
    "can't",
    "could not",
    "couldn't",
    "unable",
    "denied",
    "refused",
    "invalid",
    "unknown",
    "unrecognized",
    "unexpected",
    "missing",
    "not found",
    "no such",
    "timed out",
    "unauthorized",
    "forbidden",
    "traceback",
    "problem",
    "(error)",
    "noauth",
    "wrongpass",
    "sorry",
    "usage error",
    "permission",
    "too many",
    "exiting due",
    "cause:",
    "caused by",
    "reason:",
    "no ",
    "does not",
    "doesn't",
    "unsupported",
    "already exists",
    "expected",
];

/// Words with which a cause begins below a line that only says that something failed.
const CAUSES: &[&str] = &["could not", "cannot", "failed", "error", "unable"];

/// Lines that say something else than the cause.
const NOISE: &[&str] = &[
    "warning",
    "warn",
    "[warn",
    "note:",
    "hint:",
    "hint ",
    "help:",
    "info",
    "[info",
    "debug",
    "[debug",
    "notice",
    "trace",
    "deprecat",
    "usage:",
    "usage ",
    "try '",
    "try `",
    "for more information",
    "see '",
    "see also",
    "run '",
    "at ",
    "    at ",
    "file \"",
    "a complete log of this run",
    "downloading",
    "installing",
    "collecting",
    "using ",
    "get:",
    "hit:",
    "ign:",
    "failure: build failed with",
    "> ",
    "< ",
    "==>",
    "+ ",
    "tip:",
    "example",
];

/// The lines of a run, those of stderr first; those of stdout only where stderr says nothing.
pub(super) fn candidates(program: &str, streams: &Streams) -> Vec<Candidate> {
    let mut found = of_stream(program, &streams.stderr);
    // A program that writes only a line or two to stderr states the cause, whatever the words are.
    if found.len() + streams.stderr.repeated() <= FEW_LINES {
        for line in found.iter_mut().filter(|line| !line.is_noise && !line.is_usage) {
            line.states_error = true;
        }
    }
    if !found.iter().any(|line| line.states_error) {
        found.extend(of_stream(program, &streams.stdout).into_iter().filter(|line| {
            // What a program answers is full of words; only what it states as an error counts.
            line.states_error || line.is_usage || streams.stderr.is_blank()
        }));
    }
    found
}

fn of_stream(program: &str, text: &Text) -> Vec<Candidate> {
    // Documents were looked at before.
    let has_documents = !text.documents().is_empty();
    let is_json =
        |line: &str| has_documents && line.trim_start().starts_with(['{', '}', '[', ']', '"']);
    let lines = text.lines().filter(|line| !is_json(line));
    let lines: Vec<&str> = lines.collect();
    let (head, tail) = if lines.len() <= 2 * MOST_LINES {
        (lines.as_slice(), &[][..])
    } else {
        (&lines[..MOST_LINES], &lines[lines.len() - MOST_LINES..])
    };
    head.iter().chain(tail).map(|line| candidate(program, line)).collect()
}

fn candidate(program: &str, line: &str) -> Candidate {
    let text = line.trim().to_owned();
    let lower = text.to_lowercase();
    let is_usage = lower.starts_with("usage:") || lower.starts_with("usage ");
    // Gradle marks causes as curl marks what it sends.
    let is_cause = lower
        .strip_prefix("> ")
        .is_some_and(|rest| CAUSES.iter().any(|word| rest.starts_with(word)));
    let is_noise = !is_cause && NOISE.iter().any(|word| lower.starts_with(word)) || is_frame(line);
    let named = !program.is_empty()
        && lower
            .strip_prefix(&program.to_lowercase())
            .is_some_and(|rest| rest.starts_with([':', ' ']));
    // Names and times come before the words: `E1116 19:24:10.57 memcache.go:265] error`.
    let beginning: String = lower.chars().take(160).collect();
    let states_error =
        !is_noise && (named || ERRORS.iter().any(|word| begins_word(&beginning, word)));
    let (lower, http) = (words_of(&text), status_in(&text));
    Candidate { pairs: Pairs::of(&lower), text, lower, states_error, is_usage, is_noise, http }
}

/// A line in lower case, and after it the words of its codes: `TooManyRequests`, `TOO_MANY`.
fn words_of(line: &str) -> String {
    let mut text = line.to_lowercase();
    let is_code = |word: &&str| {
        let inner = word
            .as_bytes()
            .windows(2)
            .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
        inner || (word.contains('_') && word.len() > 4)
    };
    let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    for word in words.filter(is_code).take(MOST_CODES) {
        text.push_str(" | ");
        text.push_str(&spaced(word).to_lowercase());
    }
    text
}

/// `TooManyRequests` and `TOO_MANY_REQUESTS` as words.
fn spaced(code: &str) -> String {
    let mut text = String::new();
    let mut before = ' ';
    for character in code.chars() {
        if character.is_ascii_uppercase() && before.is_ascii_lowercase() {
            text.push(' ');
        }
        text.push(if matches!(character, '_' | '-') { ' ' } else { character });
        before = character;
    }
    text
}

/// Whether a word is in a text and is not the end of another.
fn begins_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        // `ValueError: …` states an error too.
        word == "error" || word == "exception" || before.is_none_or(|c| !c.is_alphanumeric())
    })
}

/// A frame of a stack trace, or a line that continues another.
fn is_frame(line: &str) -> bool {
    let trimmed = line.trim_start();
    let is_indented = line.len() > trimmed.len() + 3;
    is_indented
        && (trimmed.starts_with("at ")
            || trimmed.starts_with("File \"")
            || trimmed.starts_with('^'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_become_words() {
        assert_eq!(spaced("TooManyRequests"), "Too Many Requests");
        assert_eq!(spaced("RATE_LIMITED"), "RATE LIMITED");
    }

    #[test]
    fn pairs_never_hide_a_phrase() {
        let pairs = Pairs::of("error: rate limit exceeded");
        for phrase in ["rate limit", "error: rate limit exceeded", "e", ""] {
            assert!(pairs.may_have(phrase), "{phrase}");
        }
        assert!(!pairs.may_have("connection refused"));
    }

    #[test]
    fn lines_that_state_errors() {
        for line in [
            "error: x",
            "tool: x",
            "2026-01-01T00:00:00Z ERROR x",
            "ValueError: x",
            "E: Unable to x",
            "Error from server (NotFound): x",
            "fatal: x",
            "[ERROR] x",
            "Cannot x",
        ] {
            assert!(candidate("tool", line).states_error, "{line}");
        }
        for line in
            ["warning: error x", "Try 'tool --help'", "    at error (x.js:1)", "all is well"]
        {
            assert!(!candidate("tool", line).states_error, "{line}");
        }
    }
}
