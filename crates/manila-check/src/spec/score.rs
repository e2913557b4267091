//! What a report says in the words of the CLI Agent Spec: a score of each failure mode on its own
//! scale from 0 to 3, and which rules that rests on.

use super::mode::{MODES, Mode, Reach, Weight};
use super::requirement::requirements;
use crate::report::model::{Judged, Report};
use crate::rule::verdict::{Verdict, VerdictKind};
use crate::severity::Severity;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The failure modes whose best score is what rules establish, with those rules. For every other mode
/// the best score asks for something that no run shows, and 2 is the most that is given.
///
/// - 1: the exit statuses are declared, and the number in the document is the one that is meant.
/// - 8: no escape reaches a pipe, whatever asks for colour.
/// - 57: an error reads the same in every locale.
/// - 69: a flag means the same in every position.
pub(crate) static BEST: &[(u8, &[&str])] = &[
    (1, &["undeclared-exit-code", "exit-code-differs-from-document"]),
    (8, &["colour-on-pipe", "colour-forced-into-document", "no-color-ignored"]),
    (57, &["locale-dependent"]),
    (69, &["flag-position-matters"]),
];

/// A report in the words of the specification.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SpecReport<'r> {
    /// What must be known first, such as that the program was not confined.
    pub notes: &'r [String],
    /// All failure modes, by number.
    pub modes: Vec<ModeScore>,
    /// The requirements that rules establish, by id.
    pub requirements: Vec<RequirementVerdicts<'r>>,
    /// The sum of the scores.
    pub total: u32,
    /// The most that the modes with a score could come to.
    pub most: u32,
    /// How many modes have a score.
    pub scored: usize,
    /// How many have none, and would not without a declaration however good the rules.
    pub not_reachable: usize,
}

/// A failure mode and its score.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ModeScore {
    /// Its number.
    pub number: u8,
    /// Its title.
    pub title: &'static str,
    /// How much it matters.
    pub weight: Weight,
    /// How much of it a probe sees.
    pub reach: Reach,
    /// The score from 0 to 3; nothing if it is undecided.
    pub score: Option<u8>,
    /// The rules that establish it, each with its verdict.
    pub rules: BTreeMap<&'static str, VerdictKind>,
}

impl ModeScore {
    /// The score as the specification writes it.
    pub fn mark(&self) -> String {
        self.score.map_or_else(|| "?".to_owned(), |score| score.to_string())
    }
}

/// A requirement, and the rules that establish it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RequirementVerdicts<'r> {
    /// Its id.
    pub id: &'r str,
    /// What it comes to, in a few words.
    pub essence: &'static str,
    /// The rules, each with its verdict.
    pub rules: BTreeMap<&'static str, VerdictKind>,
}

/// A report in the words of the specification.
pub fn spec(report: &Report) -> SpecReport<'_> {
    let modes: Vec<ModeScore> = MODES.iter().map(|mode| mode_score(mode, report)).collect();
    let scores: Vec<u8> = modes.iter().filter_map(|mode| mode.score).collect();
    let is_out_of_reach = |mode: &&ModeScore| mode.reach == Reach::Declared && mode.score.is_none();
    SpecReport {
        notes: &report.notes,
        requirements: requirement_verdicts(report),
        total: scores.iter().map(|score| u32::from(*score)).sum(),
        most: scores.iter().map(|_| 3).sum(),
        scored: scores.len(),
        not_reachable: modes.iter().filter(is_out_of_reach).count(),
        modes,
    }
}

fn mode_score(mode: &Mode, report: &Report) -> ModeScore {
    let judged: Vec<&Judged> =
        report.judged.iter().filter(|it| it.rule.modes.contains(&mode.number)).collect();
    ModeScore {
        number: mode.number,
        title: mode.title,
        weight: mode.weight,
        reach: mode.reach,
        score: score(mode, &judged),
        rules: verdicts(&judged),
    }
}

/// 0 if a grave rule failed, 1 if a lesser one did, 2 if all decided rules passed, 3 where the
/// rules that establish the best score did. A waived finding still counts as failed.
fn score(mode: &Mode, judged: &[&Judged]) -> Option<u8> {
    let is_broken = |it: &&&Judged| !it.findings().is_empty() || !it.waived.is_empty();
    if let Some(worst) = judged.iter().filter(is_broken).map(|it| it.rule.severity).max() {
        return Some(u8::from(worst < Severity::Error));
    }
    let holds = |id: &str| {
        judged.iter().any(|it| it.rule.id == id && matches!(it.verdict, Verdict::Passed { .. }))
    };
    let best = BEST.iter().find(|(number, _)| *number == mode.number);
    match best {
        Some((_, rules)) if rules.iter().all(|id| holds(id)) => Some(3),
        _ if judged.iter().any(|it| holds(it.rule.id)) => Some(2),
        _ => None,
    }
}

fn verdicts(judged: &[&Judged]) -> BTreeMap<&'static str, VerdictKind> {
    let kind = |it: &&Judged| {
        if it.waived.is_empty() { it.verdict.kind() } else { VerdictKind::Failed }
    };
    judged.iter().map(|it| (it.rule.id, kind(it))).collect()
}

fn requirement_verdicts(report: &Report) -> Vec<RequirementVerdicts<'_>> {
    let named = |id: &str| -> Vec<&Judged> {
        report.judged.iter().filter(|it| it.rule.requirements.contains(&id)).collect()
    };
    requirements()
        .map(|(id, essence)| RequirementVerdicts { id, essence, rules: verdicts(&named(id)) })
        .filter(|it| !it.rules.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixtures::report;
    use crate::rule::RULES;
    use crate::spec::{mode_of, requirement};

    #[test]
    fn rules_name_modes_and_requirements_that_exist() {
        for rule in RULES {
            assert!(!rule.modes.is_empty(), "{} establishes no failure mode", rule.id);
            for number in rule.modes {
                assert!(mode_of(*number).is_some(), "{}: there is no mode {number}", rule.id);
            }
            for id in rule.requirements {
                assert!(requirement(id).is_some(), "{}: there is no {id}", rule.id);
            }
        }
    }

    #[test]
    fn the_best_score_rests_on_rules_that_establish_the_mode() {
        for (number, ids) in BEST {
            for id in *ids {
                let rule = crate::rule(id).unwrap_or_else(|| panic!("there is no rule {id}"));
                assert!(rule.modes.contains(number), "{id} does not establish {number}");
            }
        }
    }

    #[test]
    fn the_gravest_broken_rule_decides() {
        let mut report = report();
        let of = |report: &Report, number: u8| {
            spec(report).modes.iter().find(|it| it.number == number).and_then(|it| it.score)
        };
        assert_eq!((of(&report, 2), of(&report, 4)), (Some(0), None));
        report.judged.remove(0);
        assert_eq!(of(&report, 2), Some(1));
        report.judged.truncate(1);
        assert_eq!(of(&report, 2), Some(2));
        report.judged.clear();
        assert_eq!(of(&report, 2), None);
    }

    #[test]
    fn what_is_waived_is_still_broken() {
        let mut report = report();
        report.judged.drain(..4);
        report.judged[0].verdict = Verdict::Passed { runs: 1 };
        let spec = spec(&report);
        assert_eq!((spec.scored, spec.total, spec.most, spec.not_reachable), (2, 2, 6, 30));
        assert_eq!(spec.requirements[0].rules["secret-as-argument"], VerdictKind::Failed);
    }
}
