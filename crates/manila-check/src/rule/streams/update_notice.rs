//! News of a newer version stands beside the document on standard output.

use crate::evidence::Evidence;
use crate::rule::{Family, Rule, Severity, nothing_more, told_once};
use crate::talk::Talk;
use crate::verdict::{Finding, Judging, Verdict};
use manila::Stream;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "update-notice",
    family: Family::Streams,
    severity: Severity::Error,
    flaw: "News of a newer version stands on standard output, where the document is.",
    fix: "Tell of newer versions on a terminal's standard error, or in the answer's meta.",
    page: include_str!("update_notice.md"),
    modes: &[41],
    requirements: &["F-029", "F-050"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let mut found = BTreeSet::new();
    for seen in evidence.json() {
        let look = seen.look();
        if !look.has_json() {
            continue;
        }
        judging.look();
        let Some(span) = look.text(Talk::Notice) else { continue };
        if found.insert(told_once(seen)) {
            let message = format!("{} tells of a newer version beside its answer", seen.called());
            judging.find(Finding::new(seen, message).at(seen, Stream::Stdout, span.clone()));
        }
    }
    judging.verdict("no run wrote a JSON document", None)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn a_banner_is_found_and_other_prose_is_not() {
        let verdict = |stdout| judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).word();
        assert_eq!(verdict("{}\nA new version of notes is available: 2.0\n"), "violated");
        assert_eq!(verdict("{}\nDone.\n"), "holds");
        assert_eq!(verdict("{\"new\":\"version 2.0 is available\"}\n"), "holds");
    }
}
