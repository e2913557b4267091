//! A crash of the runtime is shown to the caller.

use crate::evidence::Evidence;
use crate::probe::{Home, Inlet, Purpose};
use crate::rule::{Family, Rule, Severity, nothing_more, told_once};
use crate::talk;
use crate::verdict::{Finding, Judging, Verdict};
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "stack-trace",
    family: Family::Streams,
    severity: Severity::Error,
    flaw: "A call ends in a panic or an exception that nobody caught.",
    fix: "Catch it at the top, and answer with a failure that has a code.",
    page: include_str!("stack_trace.md"),
    modes: &[18],
    requirements: &["F-006"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let mut found = BTreeSet::new();
    for seen in &evidence.runs {
        let probe = &seen.run.probe;
        // Arguments of odd bytes, readers that go away, signals, and calls without an input or a home have
        // rules of their own.
        let setting = &probe.setting;
        let lacks = setting.inlet == Inlet::Closed || setting.home == Home::Unset;
        if probe.purpose == Purpose::OddBytes || setting.is_lossy() || lacks {
            continue;
        }
        judging.look();
        let Some((stream, span)) = talk::trace_of(seen) else { continue };
        if found.insert(told_once(seen)) {
            let message = format!("{} crashes and shows where", seen.called());
            judging.find(Finding::new(seen, message).at(seen, stream, span));
        }
    }
    judging.verdict("no run was made", None)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};

    fn verdict(stdout: &str, stderr: &str, status: i32) -> &'static str {
        let mut run = ran(Purpose::Sample, stdout, status);
        run.transcript.stderr = stderr.into();
        judge(&RULE, &[run]).word()
    }

    #[test]
    fn crashes_are_found_on_both_streams_and_in_errors() {
        assert_eq!(verdict("", "thread 'main' panicked at src/main.rs:1:1:\nx", 101), "violated");
        assert_eq!(verdict("Traceback (most recent call last):\n", "", 1), "violated");
        let error = r#"{"ok":false,"error":{"message":"x\n    at f (/a/b.js:1:2)\n    at g"}}"#;
        assert_eq!(verdict(error, "", 1), "violated");
    }

    #[test]
    fn data_about_crashes_are_data() {
        let data = r#"{"ok":true,"data":["Traceback (most recent call last):\n"]}"#;
        assert_eq!(verdict(data, "", 0), "holds");
        assert_eq!(verdict("{}", "error: x\n", 1), "holds");
    }
}
