//! What a program writes beside its answer, by kind: a crash, a notice about a newer version,
//! progress, log records, prose. Each stretch of text is of one kind, so that one flaw is reported
//! by one rule.

use manila::json::{Kind, Value};
use regex::bytes::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// What a stretch of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// What a runtime prints about a crash.
    Trace,
    /// There is a newer version.
    Notice,
    /// How far it is: bars, spinners, per cent.
    Progress,
    /// A record of a log.
    Log,
    /// Anything else.
    Prose,
}

impl TextKind {
    /// What a stretch of text is. A whole stretch is what any part of it shows it to be: the lines
    /// around a banner are part of the banner.
    pub(crate) fn of(text: &[u8]) -> TextKind {
        if trace(text).is_some() {
            TextKind::Trace
        } else if notice(text).is_some() {
            TextKind::Notice
        } else if is_progress(text) {
            TextKind::Progress
        } else if find(&LOG, text).is_some() {
            TextKind::Log
        } else {
            TextKind::Prose
        }
    }
}

/// What runtimes print when a program crashes.
static TRACE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?mx-u)
          thread\ '[^'\n]*'\ (?:\(\d+\)\ )?panicked\ at
        | ^\ ?stack\ backtrace:
        | Traceback\ \(most\ recent\ call\ last\)
        | ^\ ?goroutine\ \d+\ \[[^\]\n]+\]:
        | ^\ ?panic:\ [^\n]+\n(?:\[signal|\s*goroutine)
        | ^\ ?Exception\ in\ thread\ "
        | ^\s+at\ [\w.$<>/]+\([\w$-]+\.(?:java|kt|scala|groovy|clj):\d+\)
        | ^\s+at\ [^\n]*[(/\ :][^\s()]+\.[cm]?[jt]sx?:\d+:\d+\)?$
        | ^\s+at\ (?:node:|async\ )[^\n]*:\d+:\d+\)?$
        | ^\s+at\ [^\n]+\ in\ [^\n]+:line\ \d+$
        | ^\ ?Unhandled\ [Ee]xception[.:]
        | \.rb:\d+:in\ [`']
        | ^\ ?(?:PHP\ )?Fatal\ error:\ +Uncaught
        | ^\ ?terminate\ called\ after\ throwing
        | ^\ ?==\d+==\s*ERROR:\ \w+Sanitizer
        "#,
    )
});

/// News of a newer version.
static NOTICE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?imx-u)
          \bnew(?:er)?\ (?:\w+\ )?(?:version|release)\b[^\n]{0,80}(?:available|released|\d+\.\d+)
        | \b(?:version|release)\ v?\d+\.\d+[^\n]{0,40}\bis\ (?:now\ )?available
        | \b(?:update|upgrade)\ (?:is\ )?available
        | \b(?:update|upgrade)\b[^\n]{0,60}\d+\.\d+[^\n]{0,12}(?:\xe2\x86\x92|->|=>)\s*v?\d+\.\d+
        | \byou\ are\ (?:using|running|on)\ an?\ (?:old|older|outdated)\b
        ",
    )
});

/// Records of logs, in the forms of the usual libraries.
static LOG: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?mx-u)
          ^\s*[\[(<]\s*(?i:trace|debug|info|notice|warn|warning|error|err|fatal|critical)\s*[\])>]
        | ^(?i:trace|debug|info|verbose)\s*[:|]
        | ^(?:WARN|WARNING|ERROR|CRITICAL|FATAL):[\w.]+:
        | ^\s*(?:TRACE|DEBUG|INFO|WARN)\s+\S
        | ^\s*[\[(]?\d{4}[-/]\d\d[-/]\d\d[T\ ]\d\d:\d\d
        | ^\s*[\[(]?\d\d:\d\d:\d\d[\])\ .,]
        | ^[IWEF]\d{4}\ \d\d:\d\d:\d\d
        | ^[A-Z][a-z]{2}\ +\d{1,2}\ \d\d:\d\d:\d\d\ 
        | \b(?:level|lvl|severity)=\x22?\w+
        | ^(?:time|ts|timestamp)=
        ",
    )
});

/// How far something is. Bars and spinners are glyphs of several bytes.
static PROGRESS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?mx)
          [⠁-⣿◐◓◑◒◴◷◶◵◜◝◞◟]
        | [█▓▒░━╸▏▎▍▌▋▊▉]{3}
        | \[[\#=*>.\-\ ]*[\#=*]{2}[\#=*>.\-\ ]*\]
        | (?:ing\b|…|\.\.\.|(?i:progress))[^\n%]{0,60}?\b\d{1,3}(?:\.\d+)?\s?%
        | ^\s*\d{1,3}(?:\.\d+)?\s?%
        | ^\s*[\[(]\d+/\d+[\])]
        | ing\b[^\n]{0,60}\b\d+\ ?(?:/|of)\ ?\d+\b
        ",
    )
});

/// A line that begins as the messages of failures do.
static ERROR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?imx-u)
        ^(?:[\w./-]+:\ )?(?:\x1b\[[\d;]*m)*(?:fatal\ |internal\ |usage\ )?(?:error|fatal)(?:\x1b\[[\d;]*m)*(?:\[[\w-]+\])?(?:\x1b\[[\d;]*m)*:
        ",
    )
});

/// A pattern that is part of the source. One that does not compile is a mistake of ours: it must not make a
/// rule pass.
#[expect(clippy::panic, reason = "a pattern that does not compile must fail loudly")]
pub(crate) fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| panic!("{error}"))
}

fn find(pattern: &LazyLock<Regex>, text: &[u8]) -> Option<Range<usize>> {
    pattern.find(text).map(|found| found.range())
}

/// Where a runtime reports a crash.
pub(crate) fn trace(text: &[u8]) -> Option<Range<usize>> {
    find(&TRACE, text)
}

/// The same in a document, where the ends of lines are escaped.
pub(crate) fn trace_in_strings(document: &[u8]) -> Option<Range<usize>> {
    let mut text = document.to_vec();
    for at in 1..text.len() {
        if text[at - 1] == b'\\' && text[at] == b'n' {
            (text[at - 1], text[at]) = (b'\n', b' ');
        }
    }
    trace(&text)
}

/// Where the text announces a newer version.
pub(crate) fn notice(text: &[u8]) -> Option<Range<usize>> {
    find(&NOTICE, text)
}

/// Where a failure is reported in words.
pub(crate) fn error(text: &[u8]) -> Option<Range<usize>> {
    find(&ERROR, text)
}

fn is_progress(text: &[u8]) -> bool {
    let rewrites = |pair: &[u8]| pair[0] == b'\r' && !matches!(pair[1], b'\n' | b'\r');
    text.contains(&0x08)
        || text.windows(2).any(rewrites)
        || (text.last() == Some(&b'\r') && text.len() > 1)
        || find(&PROGRESS, text).is_some()
}

/// Whether a document is a record of a log: it has a level, and a message or a moment.
pub(crate) fn is_log_record(document: Value<'_>) -> bool {
    const LEVELS: &[&str] = &["level", "lvl", "severity", "levelname", "@level", "log_level"];
    const WORDS: &[&str] =
        &["trace", "debug", "info", "notice", "warn", "warning", "error", "fatal", "critical"];
    const OTHERS: &[&str] =
        &["msg", "message", "@message", "event", "time", "ts", "timestamp", "@timestamp", "fields"];
    let has_level =
        document.members().filter(|it| LEVELS.iter().any(|name| it.is(name))).any(|it| {
            match it.value.kind() {
                Kind::String => it
                    .value
                    .string()
                    .is_some_and(|word| WORDS.contains(&word.to_ascii_lowercase().as_str())),
                // As numbers, in tens, as bunyan and pino have it.
                Kind::Number => it.value.integer::<u8>().is_some_and(|number| number % 10 == 0),
                _ => false,
            }
        });
    has_level && document.members().any(|it| OTHERS.iter().any(|name| it.is(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use manila::json::{Limits, Reader};

    #[test]
    fn every_pattern_can_be_built() {
        for pattern in [&TRACE, &NOTICE, &PROGRESS, &LOG, &ERROR] {
            assert!(!pattern.as_str().is_empty());
        }
    }

    #[test]
    fn kinds_of_text_are_distinguished() {
        for (text, kind) in [
            ("Using keyring backend: keyring", TextKind::Prose),
            ("Warning: --old is deprecated, use --new", TextKind::Prose),
            ("Loading configuration...", TextKind::Prose),
            ("Found 3 of 5 notes", TextKind::Prose),
            ("[INFO] ready", TextKind::Log),
            ("[2026-11-16 10:00:00] ready", TextKind::Log),
            ("2026-11-16T10:00:00Z  INFO notes: ready", TextKind::Log),
            ("time=2026-11-16 level=info msg=ready", TextKind::Log),
            ("DEBUG:root:ready", TextKind::Log),
            ("I1116 10:00:00.1 1 main.go:3] ready", TextKind::Log),
            ("Working... ━━━━━━━━ 100%", TextKind::Progress),
            ("⠋ Fetching", TextKind::Progress),
            ("one\rtwo", TextKind::Progress),
            ("[####    ] ", TextKind::Progress),
            ("Downloading 3/10", TextKind::Progress),
            ("Update available 1.0.0 → 1.1.0\nRun npm i -g notes", TextKind::Notice),
            ("A new version of notes is available: 2.0", TextKind::Notice),
            ("A new release of pip is available: 23.0 -> 24.0", TextKind::Notice),
            ("thread 'main' (12) panicked at src/main.rs:1:2:\nboom", TextKind::Trace),
            ("Traceback (most recent call last):\n  File \"a.py\"", TextKind::Trace),
            ("panic: boom\n\ngoroutine 1 [running]:\nmain.main()", TextKind::Trace),
            ("Error: boom\n    at main (/app/cli.js:3:9)", TextKind::Trace),
            ("a.rb:3:in `show': boom (RuntimeError)", TextKind::Trace),
        ] {
            assert_eq!(TextKind::of(text.as_bytes()), kind, "{text:?}");
        }
    }

    #[test]
    fn a_trace_in_a_string_is_found() {
        let document =
            br#"{"error":{"stack":"Error: x\n    at main (/app/cli.js:3:9)\n    at y"}}"#;
        assert!(trace_in_strings(document).is_some());
        assert!(trace_in_strings(br#"{"text":"meet at noon\nat the door"}"#).is_none());
    }

    #[test]
    fn failures_in_words_begin_as_such() {
        for text in ["error: no such note", "notes: error: x", "Error: x", "error[E1]: x"] {
            assert!(error(text.as_bytes()).is_some(), "{text}");
        }
        for text in ["errors: 0", "no error: fine", "3 errors"] {
            assert!(error(text.as_bytes()).is_none(), "{text}");
        }
    }

    #[test]
    fn a_log_record_has_a_level_and_a_message() {
        let is = |json: &str| {
            let mut reader = Reader::new(Limits::default());
            is_log_record(reader.read(json.as_bytes()).expect("JSON").root())
        };
        assert!(is(r#"{"level":"info","msg":"ready"}"#));
        assert!(is(r#"{"level":30,"time":1,"msg":"ready"}"#));
        assert!(!is(r#"{"level":"info"}"#));
        assert!(!is(r#"{"level":7,"message":"a game"}"#));
        assert!(!is(r#"{"ok":true,"data":{"level":"info","msg":""}}"#));
    }
}
