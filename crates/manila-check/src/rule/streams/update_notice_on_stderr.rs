//! A notice about a newer version is on stderr although that is not a terminal.

use crate::observe::probe::Stdout;
use crate::observe::text_kind;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::evidence::dedup_key;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::Stream;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "update-notice-on-stderr",
    family: Family::Streams,
    severity: Severity::Warning,
    scope: Scope::PLAIN,
    flaw: "A notice about a newer version is written to stderr although that is not a terminal.",
    fix: "Check for newer versions, and mention them, only on a terminal.",
    page: include_str!("update_notice_on_stderr.md"),
    modes: &[41],
    requirements: &["F-029", "F-050"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let mut found = BTreeSet::new();
    for seen in evidence.usual() {
        if matches!(seen.run.probe.setting.stdout, Stdout::Terminal { .. }) {
            continue;
        }
        builder.observe();
        let Some(span) = text_kind::notice(&seen.run.transcript.stderr) else { continue };
        if found.insert(dedup_key(seen)) {
            let message =
                format!("{} writes a notice about a newer version to a pipe", seen.called());
            builder.report(Finding::new(seen, message).at(seen, Stream::Stderr, span));
        }
    }
    builder.verdict("no run was made", None)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::{Purpose, Stdout};
    use crate::testing::{judge, ran};

    #[test]
    fn a_banner_is_fine_on_a_terminal_alone() {
        let mut run = ran(Purpose::Sample, "{}", 0);
        assert_eq!(judge(&RULE, std::slice::from_ref(&run)).as_str(), "passed");
        run.transcript.stderr = "Update available 1.0.0 → 1.1.0\n".into();
        assert_eq!(judge(&RULE, std::slice::from_ref(&run)).as_str(), "failed");
        run.probe.setting.stdout = Stdout::Terminal { columns: 80 };
        assert_eq!(judge(&RULE, &[run]).as_str(), "undecided");
    }
}
