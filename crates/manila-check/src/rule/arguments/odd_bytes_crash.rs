//! An argument that is not UTF-8 makes the program crash, or its document invalid.

use crate::observe::probe::Purpose;
use crate::observe::run::Ended;
use crate::plan::adversarial::call_with;
use crate::plan::collection::Plan;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::refusal::{is_crash, prose};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;
use manila::Stream;
use std::ffi::OsString;
use std::ops::Range;
use std::os::unix::ffi::OsStringExt;

pub(crate) static RULE: Rule = Rule {
    id: "odd-bytes-crash",
    family: Family::Arguments,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "An argument that is not UTF-8 makes the program crash or write an invalid document.",
    fix: "Take arguments as bytes, and reject or replace what is not UTF-8.",
    page: include_str!("odd_bytes_crash.md"),
    modes: &[9],
    requirements: &["F-016"],
    plan,
    judge,
};

/// Bytes that never occur in UTF-8, the beginning of a character without its end, and a letter.
const ODD: &[u8] = b"manila-\xff\xfe\xc3z";

fn plan(surface: &Surface, plan: &mut Plan) {
    for command in &surface.commands {
        let odd = OsString::from_vec(ODD.to_vec());
        plan.ask_each(call_with(surface, command, Purpose::OddBytes, odd));
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.runs.iter().filter(|it| it.run.probe.purpose == Purpose::OddBytes) {
        // A command that does the same with other words has another flaw.
        let does_anyway = |what| {
            evidence.runs.iter().any(|usual| {
                let probe = &usual.run.probe;
                probe.command == seen.run.probe.command
                    && matches!(probe.purpose, Purpose::Missing | Purpose::Sample)
                    && probe.is_plain()
                    && flaw(usual).is_some_and(|(same, _)| same == what)
            })
        };
        builder.observe();
        if let Some((what, place)) = flaw(seen).filter(|(what, _)| !does_anyway(*what)) {
            let message = format!("{} {what} when an argument is not UTF-8", seen.called());
            let finding = Finding::new(seen, message);
            builder.report_once(match place {
                Some((stream, span)) => finding.at(seen, stream, span),
                None => finding,
            });
        }
    }
    builder.verdict(
        "no safe command takes a word of the caller's own, as far as is known",
        Some("commands.\"…\".args: the arguments of a harmless call"),
    )
}

/// Bytes of a stream.
type Place = (Stream, Range<usize>);

/// What went wrong, and where it can be seen.
fn flaw(seen: &ObservedRun<'_>) -> Option<(&'static str, Option<Place>)> {
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
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn a_crash_and_raw_bytes_are_found() {
        let verdict = |stdout: &[u8], status| {
            judge(&RULE, &[ran(Purpose::OddBytes, stdout, status)]).as_str()
        };
        assert_eq!(verdict(b"Traceback (most recent call last):\n", 1), "failed");
        assert_eq!(verdict(b"{\"query\":\"\xff\"}", 0), "failed");
        assert_eq!(verdict(b"{\"query\":\"\xef\xbf\xbd\"}", 0), "passed");
        assert_eq!(verdict(b"no note \xff", 1), "passed");
    }

    #[test]
    fn a_crash_with_any_argument_is_another_flaw() {
        let crash = "Traceback (most recent call last):\n";
        let runs = [Purpose::Missing, Purpose::OddBytes].map(|purpose| ran(purpose, crash, 1));
        assert_eq!(judge(&RULE, &runs).as_str(), "passed");
    }
}
