//! News of a newer version stands on standard error although nobody looks on.

use crate::evidence::Evidence;
use crate::probe::Outlet;
use crate::rule::{Family, Rule, Severity, nothing_more, told_once};
use crate::talk;
use crate::verdict::{Finding, Judging, Verdict};
use manila::Stream;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "update-notice-on-stderr",
    family: Family::Streams,
    severity: Severity::Warning,
    flaw: "News of a newer version stands on standard error although that is no terminal.",
    fix: "Look for newer versions, and tell of them, only where a person looks on.",
    page: include_str!("update_notice_on_stderr.md"),
    modes: &[41],
    requirements: &["F-029", "F-050"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let mut found = BTreeSet::new();
    for seen in &evidence.runs {
        if matches!(seen.run.probe.setting.outlet, Outlet::Terminal { .. }) {
            continue;
        }
        judging.look();
        let Some(span) = talk::notice(&seen.run.transcript.stderr) else { continue };
        if found.insert(told_once(seen)) {
            let message = format!("{} tells a pipe of a newer version", seen.called());
            judging.find(Finding::new(seen, message).at(seen, Stream::Stderr, span));
        }
    }
    judging.verdict("no run was made", None)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::{Outlet, Purpose};
    use crate::testing::{judge, ran};

    #[test]
    fn a_banner_is_fine_on_a_terminal_alone() {
        let mut run = ran(Purpose::Sample, "{}", 0);
        assert_eq!(judge(&RULE, std::slice::from_ref(&run)).word(), "holds");
        run.transcript.stderr = "Update available 1.0.0 → 1.1.0\n".into();
        assert_eq!(judge(&RULE, std::slice::from_ref(&run)).word(), "violated");
        run.probe.setting.outlet = Outlet::Terminal { columns: 80 };
        assert_eq!(judge(&RULE, &[run]).word(), "undecided");
    }
}
