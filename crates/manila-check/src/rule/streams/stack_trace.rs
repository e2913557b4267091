//! A crash of the runtime is shown to the caller.

use crate::observe::probe::{Home, Purpose, Stdin};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::evidence::dedup_key;
use crate::rule::secrets::secret_in_debug::asks_for_more;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "stack-trace",
    family: Family::Streams,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A call ends in a panic or an uncaught exception.",
    fix: "Catch it at the top, and answer with a failure that has a code.",
    page: include_str!("stack_trace.md"),
    modes: &[18],
    requirements: &["F-006"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let mut found = BTreeSet::new();
    for seen in &evidence.runs {
        let probe = &seen.run.probe;
        // Arguments of odd bytes, readers that go away, signals, and calls without an input or a home have
        // rules of their own.
        let setting = &probe.setting;
        let lacks = setting.stdin == Stdin::Closed || setting.home == Home::Unset;
        // A program that is asked to say more may say where an error that it handles came from.
        let is_log = asks_for_more(probe);
        if probe.purpose == Purpose::OddBytes || setting.is_lossy() || lacks || is_log {
            continue;
        }
        builder.observe();
        let Some((stream, span)) = seen.stack_trace() else { continue };
        if found.insert(dedup_key(seen)) {
            let message = format!("{} crashes and shows where", seen.called());
            builder.report(Finding::new(seen, message).at(seen, stream, span));
        }
    }
    builder.verdict("no run was made", None)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    fn verdict(stdout: &str, stderr: &str, status: i32) -> &'static str {
        let mut run = ran(Purpose::Sample, stdout, status);
        run.transcript.stderr = stderr.into();
        judge(&RULE, &[run]).as_str()
    }

    #[test]
    fn crashes_are_found_on_both_streams_and_in_errors() {
        assert_eq!(verdict("", "thread 'main' panicked at src/main.rs:1:1:\nx", 101), "failed");
        assert_eq!(verdict("Traceback (most recent call last):\n", "", 1), "failed");
        let error = r#"{"ok":false,"error":{"message":"x\n    at f (/a/b.js:1:2)\n    at g"}}"#;
        assert_eq!(verdict(error, "", 1), "failed");
    }

    #[test]
    fn a_trace_that_was_asked_for_is_no_crash() {
        let mut run = ran(Purpose::Sample, "Traceback (most recent call last):\n", 1);
        assert_eq!(judge(&RULE, &[run.clone()]).as_str(), "failed");
        run.probe.args.push("--verbose".into());
        assert_eq!(judge(&RULE, &[run]).as_str(), "undecided");
    }

    #[test]
    fn data_about_crashes_are_data() {
        let data = r#"{"ok":true,"data":["Traceback (most recent call last):\n"]}"#;
        assert_eq!(verdict(data, "", 0), "passed");
        assert_eq!(verdict("{}", "error: x\n", 1), "passed");
    }
}
