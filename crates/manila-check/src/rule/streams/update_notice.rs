//! A notice about a newer version is on stdout, beside the document.

use crate::observe::probe::{Form, Purpose, Stdout};
use crate::observe::text_kind::{self, TextKind};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::dedup_key;
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::Stream;
use std::collections::BTreeSet;
use std::ops::Range;

pub(crate) static RULE: Rule = Rule {
    id: "update-notice",
    family: Family::Streams,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "A notice about a newer version is written to stdout, where the document is.",
    fix: "Report newer versions on stderr if it is a terminal, or in the answer's `meta`.",
    page: include_str!("update_notice.md"),
    modes: &[41],
    requirements: &["F-029", "F-050"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let mut found = BTreeSet::new();
    for seen in evidence.json() {
        let scan = seen.scan();
        if !scan.has_json() {
            continue;
        }
        builder.observe();
        let Some(span) = scan.text(TextKind::Notice) else { continue };
        if found.insert(dedup_key(seen)) {
            let message = format!(
                "{} writes a notice about a newer version beside its answer",
                seen.called()
            );
            builder.report(Finding::new(seen, message).at(seen, Stream::Stdout, span.clone()));
        }
    }
    for (seen, span) in in_text(evidence) {
        if found.insert(dedup_key(seen)) {
            let message =
                format!("{} writes a notice about a newer version to a pipe", seen.called());
            builder.report(Finding::new(seen, message).at(seen, Stream::Stdout, span));
        }
    }
    builder.verdict("no run wrote a JSON document", None)
}

/// Notices in answers that are text. Versions may be the subject of one command; what several
/// commands print is not their answer.
fn in_text<'s, 'e>(evidence: &'s Evidence<'e>) -> Vec<(&'s ObservedRun<'e>, Range<usize>)> {
    let samples = evidence.of(Purpose::Sample, Form::Text);
    let news: Vec<_> = samples
        .filter(|seen| !matches!(seen.run.probe.setting.stdout, Stdout::Terminal { .. }))
        .filter_map(|seen| Some((seen, text_kind::notice(&seen.run.transcript.stdout)?)))
        .collect();
    let commands: BTreeSet<_> = news.iter().map(|(seen, _)| &seen.run.probe.command).collect();
    if commands.len() > 1 { news } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn a_banner_is_found_and_other_prose_is_not() {
        let verdict = |stdout| judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).as_str();
        assert_eq!(verdict("{}\nA new version of notes is available: 2.0\n"), "failed");
        assert_eq!(verdict("{}\nDone.\n"), "passed");
        assert_eq!(verdict("{\"new\":\"version 2.0 is available\"}\n"), "passed");
    }

    #[test]
    fn in_text_it_counts_where_several_commands_tell_it() {
        let run = |command: &str| {
            let mut run = ran(Purpose::Sample, "3 notes\nA new version of notes is available\n", 0);
            run.probe.form = crate::observe::probe::Form::Text;
            run.probe.command = vec![command.to_owned()];
            run
        };
        let answer = ran(Purpose::Sample, "{}\n", 0);
        assert_eq!(judge(&RULE, &[answer.clone(), run("list"), run("show")]).as_str(), "failed");
        assert_eq!(judge(&RULE, &[answer, run("outdated")]).as_str(), "passed");
    }
}
