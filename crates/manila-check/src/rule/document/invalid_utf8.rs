//! The document is not UTF-8.

use super::{circumstance, judge_each};
use crate::blemish::Blemish;
use crate::evidence::Evidence;
use crate::probe::Purpose;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::verdict::{Finding, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "invalid-utf8",
    family: Family::Document,
    severity: Severity::Error,
    flaw: "The JSON document is not UTF-8.",
    fix: "Write UTF-8, and replace what is not text.",
    page: include_str!("invalid_utf8.md"),
    modes: &[14],
    requirements: &["F-016"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_each(evidence, |seen, look| {
        // What becomes of a broken argument is about arguments.
        if seen.run.probe.purpose == Purpose::OddBytes {
            return None;
        }
        let is_meant = |blemish: &Blemish| matches!(blemish, Blemish::NotUtf8(_));
        let (_, span) = look.blemishes.iter().find(|(it, _)| is_meant(it))?;
        let message = format!("the document is not UTF-8 at byte {}", span.start)
            + &circumstance(&seen.run.probe.setting);
        let span = span.start..span.start + 1;
        Some(Finding::new(seen, message).at(seen, look.stream, span))
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};

    fn verdict(stdout: impl Into<Vec<u8>>) -> &'static str {
        judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).word()
    }

    #[test]
    fn latin_1_is_found() {
        assert_eq!(verdict(&b"{\"a\":\"\xe9\"}"[..]), "violated");
        assert_eq!(verdict("{\"a\":\"é\"}"), "holds");
    }
}
