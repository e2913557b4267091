//! Lines of the document end with CR LF.

use super::{DECLARE_JSON, NO_DOCUMENT};
use super::{answers, is_terminal};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::evidence::dedup_key;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::Stream;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "carriage-return",
    family: Family::Document,
    severity: Severity::Warning,
    scope: Scope::JSON,
    flaw: "Lines of the JSON answer end with a carriage return.",
    fix: "End lines with a newline alone where the reader is a program.",
    page: include_str!("carriage_return.md"),
    modes: &[27],
    requirements: &["F-007"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let mut found = BTreeSet::new();
    // On a terminal a line may well end so; a line that is written over is progress.
    for seen in answers(evidence).filter(|seen| !is_terminal(&seen.run.probe.setting)) {
        let scan = seen.scan_of_answer();
        let Some(first) = scan.documents.first() else { continue };
        builder.observe();
        // What people read on stderr may end its lines as it likes.
        let begin = if scan.stream == Stream::Stderr { first.start } else { 0 };
        let bytes = &seen.run.transcript.stream(scan.stream)[begin..];
        let Some(at) = bytes.windows(2).position(|pair| pair == b"\r\n") else { continue };
        let start = begin + at;
        if found.insert(dedup_key(seen)) {
            let message = format!("{} ends lines of its answer with CR LF", seen.called());
            builder.report(Finding::new(seen, message).at(seen, scan.stream, start..start + 2));
        }
    }
    builder.verdict(NO_DOCUMENT, DECLARE_JSON)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn raw_ones_count_and_escaped_ones_do_not() {
        let verdict = |stdout| judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).as_str();
        assert_eq!(verdict("{}\r\n"), "failed");
        assert_eq!(verdict("{\r\n\"a\":1}\n"), "failed");
        assert_eq!(verdict("{\"a\":\"\\r\\n\"}\n"), "passed");
    }
}
