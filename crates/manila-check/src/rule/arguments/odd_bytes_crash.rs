//! An argument that is not UTF-8 makes the program crash, or its document invalid.

use crate::evidence::{Evidence, Seen};
use crate::hostile::call_with;
use crate::probe::{Plan, Purpose};
use crate::refusal::{is_crash, prose};
use crate::rule::{Family, Rule, Severity};
use crate::run::Ended;
use crate::surface::Surface;
use crate::verdict::{Finding, Judging, Verdict};
use manila::Stream;
use std::ffi::OsString;
use std::ops::Range;
use std::os::unix::ffi::OsStringExt;

pub(crate) static RULE: Rule = Rule {
    id: "odd-bytes-crash",
    family: Family::Arguments,
    severity: Severity::Error,
    flaw: "An argument that is not UTF-8 makes the program crash or write an invalid document.",
    fix: "Take arguments as bytes, and refuse or replace what is not UTF-8.",
    page: include_str!("odd_bytes_crash.md"),
    modes: &[9],
    requirements: &["F-016"],
    plan,
    judge,
};

/// Bytes that stand in no UTF-8, the beginning of a character without its end, and a letter.
const ODD: &[u8] = b"manila-\xff\xfe\xc3z";

fn plan(surface: &Surface, plan: &mut Plan) {
    for command in &surface.commands {
        let odd = OsString::from_vec(ODD.to_vec());
        plan.ask_each(call_with(surface, command, Purpose::OddBytes, odd));
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    for seen in evidence.runs.iter().filter(|it| it.run.probe.purpose == Purpose::OddBytes) {
        // A command that does the same with other words has another flaw.
        let does_anyway = |what| {
            evidence.runs.iter().any(|usual| {
                let probe = &usual.run.probe;
                probe.command == seen.run.probe.command
                    && matches!(probe.purpose, Purpose::Missing | Purpose::Sample)
                    && probe.is_plain()
                    && trouble(usual).is_some_and(|(same, _)| same == what)
            })
        };
        judging.look();
        if let Some((what, place)) = trouble(seen).filter(|(what, _)| !does_anyway(*what)) {
            let message = format!("{} {what} when an argument is not UTF-8", seen.called());
            let finding = Finding::new(seen, message);
            judging.find_once(match place {
                Some((stream, span)) => finding.at(seen, stream, span),
                None => finding,
            });
        }
    }
    judging.verdict(
        "no safe command takes a word of the caller's own, as far as is known",
        Some("commands.\"…\".args: the arguments of a harmless call"),
    )
}

/// Bytes of a stream.
type Place = (Stream, Range<usize>);

/// What went wrong, and where it can be seen.
fn trouble(seen: &Seen<'_>) -> Option<(&'static str, Option<Place>)> {
    if is_crash(seen) {
        return Some(("crashes", prose(seen)));
    }
    if matches!(seen.run.ended, Ended::AtLimit(_)) {
        return Some(("hangs", None));
    }
    let stdout = &seen.run.transcript.stdout;
    let broken = std::str::from_utf8(stdout).err()?;
    // Text may carry what it was given; a document may not.
    let is_document = matches!(stdout.trim_ascii_start().first(), Some(b'{' | b'['));
    let start = broken.valid_up_to();
    let end = broken.error_len().map_or(stdout.len(), |length| start + length);
    is_document.then_some(("writes an invalid document", Some((Stream::Stdout, start..end))))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn a_crash_and_raw_bytes_are_found() {
        let verdict =
            |stdout: &[u8], status| judge(&RULE, &[ran(Purpose::OddBytes, stdout, status)]).word();
        assert_eq!(verdict(b"Traceback (most recent call last):\n", 1), "violated");
        assert_eq!(verdict(b"{\"query\":\"\xff\"}", 0), "violated");
        assert_eq!(verdict(b"{\"query\":\"\xef\xbf\xbd\"}", 0), "holds");
        assert_eq!(verdict(b"no note \xff", 1), "holds");
    }

    #[test]
    fn who_crashes_with_any_word_has_another_flaw() {
        let crash = "Traceback (most recent call last):\n";
        let runs = [Purpose::Missing, Purpose::OddBytes].map(|purpose| ran(purpose, crash, 1));
        assert_eq!(judge(&RULE, &runs).word(), "holds");
    }
}
