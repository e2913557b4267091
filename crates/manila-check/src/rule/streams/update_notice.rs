//! News of a newer version stands beside the document on standard output.

use crate::evidence::{Evidence, Seen};
use crate::probe::{Form, Outlet, Purpose};
use crate::rule::{Family, Rule, Severity, nothing_more, told_once};
use crate::talk::{self, Talk};
use crate::verdict::{Finding, Judging, Verdict};
use manila::Stream;
use std::collections::BTreeSet;
use std::ops::Range;

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
    for (seen, span) in in_text(evidence) {
        if found.insert(told_once(seen)) {
            let message = format!("{} tells a pipe of a newer version", seen.called());
            judging.find(Finding::new(seen, message).at(seen, Stream::Stdout, span));
        }
    }
    judging.verdict("no run wrote a JSON document", None)
}

/// News in answers that are text. To tell of versions may be what one command is for; what several
/// commands tell is no answer of theirs.
fn in_text<'s, 'e>(evidence: &'s Evidence<'e>) -> Vec<(&'s Seen<'e>, Range<usize>)> {
    let samples = evidence.of(Purpose::Sample, Form::Text);
    let news: Vec<_> = samples
        .filter(|seen| !matches!(seen.run.probe.setting.outlet, Outlet::Terminal { .. }))
        .filter_map(|seen| Some((seen, talk::notice(&seen.run.transcript.stdout)?)))
        .collect();
    let commands: BTreeSet<_> = news.iter().map(|(seen, _)| &seen.run.probe.command).collect();
    if commands.len() > 1 { news } else { Vec::new() }
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

    #[test]
    fn in_text_it_counts_where_several_commands_tell_it() {
        let run = |command: &str| {
            let mut run = ran(Purpose::Sample, "3 notes\nA new version of notes is available\n", 0);
            run.probe.form = crate::probe::Form::Text;
            run.probe.command = vec![command.to_owned()];
            run
        };
        let answer = ran(Purpose::Sample, "{}\n", 0);
        assert_eq!(judge(&RULE, &[answer.clone(), run("list"), run("show")]).word(), "violated");
        assert_eq!(judge(&RULE, &[answer, run("outdated")]).word(), "holds");
    }
}
