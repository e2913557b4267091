//! The document is not JSON.

use super::{circumstance, judge_each};
use crate::observe::defect::Defect;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict};
use crate::severity::Severity;
use manila::json::{Flaw, FlawKind};

pub(crate) static RULE: Rule = Rule {
    id: "invalid-json",
    family: Family::Document,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "The document of an answer is not JSON.",
    fix: "Let a JSON library write it, and check what it does with NaN.",
    page: include_str!("invalid_json.md"),
    modes: &[2],
    requirements: &["F-003"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_each(evidence, |seen, scan| {
        let flaw = scan.defects.iter().find_map(|(defect, _)| match defect {
            Defect::NotJson(flaw) => Some(*flaw),
            _ => None,
        })?;
        let cause = cause(seen.run.transcript.stream(scan.stream), flaw);
        let message = format!("the document is not JSON: {cause}, at byte {}", flaw.offset)
            + &circumstance(&seen.run.probe.setting);
        Some(Finding::new(seen, message).at(seen, scan.stream, flaw.offset..flaw.offset + 1))
    })
}

/// Why it is not JSON, as people who look at the bytes say it.
pub(super) fn cause(bytes: &[u8], flaw: Flaw) -> String {
    let rest = bytes.get(flaw.offset..).unwrap_or_default();
    let before = bytes.get(..flaw.offset).unwrap_or_default().trim_ascii_end().last();
    let word =
        rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let word = String::from_utf8_lossy(&rest[..word]);
    let begins_key = matches!(before, Some(b'{' | b','));
    match (flaw.kind, rest.first()) {
        (FlawKind::UnexpectedByte(_), Some(b'\'')) => "single quotes are not JSON".to_owned(),
        (FlawKind::UnexpectedByte(_), Some(b'}' | b']')) if before == Some(&b',') => {
            "there is a comma after the last element".to_owned()
        }
        (FlawKind::UnexpectedByte(_), Some(b'/' | b'#')) => "comments are not JSON".to_owned(),
        (FlawKind::UnexpectedByte(_), Some(b',')) => {
            "there is a comma in the place of a value".to_owned()
        }
        (FlawKind::UnexpectedByte(_), Some(b'"' | b'{' | b'[')) => {
            "a comma or a colon is missing".to_owned()
        }
        (FlawKind::UnexpectedByte(_) | FlawKind::NotANumber, _) if !word.is_empty() => match &*word
        {
            "NaN" | "Infinity" => format!("{word} is not JSON"),
            "None" | "True" | "False" | "undefined" | "nil" => {
                format!("{word} is another language's word")
            }
            _ if begins_key => format!("the key {word} has no quotes"),
            _ => flaw.kind.to_string(),
        },
        (FlawKind::TrailingBytes, _) => "brackets or commas are left over after it".to_owned(),
        (kind, _) => kind.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::rule::verdict::Verdict;
    use crate::testing::{judge, ran};

    #[test]
    fn the_cause_is_named() {
        for (stdout, cause) in [
            ("{\"a\":NaN}", "NaN is not JSON"),
            ("{\"a\":-Infinity}", "NaN and Infinity are not JSON"),
            ("{\"a\":[1,2,]}", "there is a comma after the last element"),
            ("{'a':1}", "single quotes are not JSON"),
            ("{\"a\":None}", "None is another language's word"),
            ("{ok: true}", "the key ok has no quotes"),
            ("{\"a\":1 // one\n}", "comments are not JSON"),
            ("{\"a\":\"x\ty\"}", "control character 0x09"),
            ("{\"a\":1 \"b\":2}", "a comma or a colon is missing"),
            ("{\"a\":1}}", "left over"),
            ("{\"a\":\"\\x41\"}", "begins no escape"),
        ] {
            let Verdict::Failed(findings) = judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]) else {
                panic!("{stdout:?} is fine");
            };
            assert!(findings[0].message.contains(cause), "{stdout}: {}", findings[0].message);
        }
    }

    #[test]
    fn a_cut_document_and_prose_are_other_flaws() {
        for stdout in ["{\"a\":1", "{\"a\":1}\n", "Hi\n{\"a\":1}\n"] {
            assert_eq!(judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).as_str(), "passed");
        }
    }
}
