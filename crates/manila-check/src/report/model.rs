//! What a check found: each rule's verdict, what was waived, the score and how much it covers.

use crate::profile::Profile;
use crate::report::cause::{Cause, grouped};
use crate::rule::definition::{Family, Rule};
use crate::rule::verdict::{Finding, Verdict};
use crate::severity::{Severity, Threshold};
use serde::Serialize;
use std::time::Duration;

/// What a check found.
///
/// ```
/// use manila::{Status, Transcript};
/// use manila_check::{Declaration, RuleSelection, check_recorded};
///
/// let run = Transcript {
///     argv: ["notes", "show", "7", "--json"].map(String::from).to_vec(),
///     stdout: br#"{"ok":false,"type":"error","error":{"code":"NOT_FOUND","message":"no note 7"}}"#.to_vec(),
///     status: Status::Exited(0),
///     ..Transcript::default()
/// };
/// let selection = RuleSelection { select: vec!["failure-with-exit-zero".to_owned()], ..RuleSelection::default() };
/// let report = check_recorded(vec![("lie".to_owned(), run)], &Declaration::default(), &selection);
/// assert!(!report.conforms());
/// assert_eq!(report.counted().rules, ["failure-with-exit-zero"]);
/// ```
#[derive(Debug, Default)]
pub struct Report {
    /// The program, as the user wrote it, or the directories of the recorded runs.
    pub subject: Vec<String>,
    /// What it calls itself and its version, if it was asked.
    pub version: Option<String>,
    /// What the program promises, by which it is judged; nothing if that was not seen before the deadline.
    pub profile: Option<Profile>,
    /// How many of the rules that were asked do not apply to a program with these promises.
    pub not_applicable: usize,
    /// What every reader of the report must know first, such as that the program was not confined.
    pub notes: Vec<String>,
    /// Every rule that was asked, in the order of [`crate::RULES`].
    pub judged: Vec<Judged>,
    /// What was run, and how.
    pub summary: RunSummary,
    /// What of the program could not be found out, and why.
    pub gaps: Vec<String>,
    /// Waivers that waive nothing any more, or are over; each is a sentence.
    pub stale_waivers: Vec<String>,
    /// What a program must not have to conform.
    pub threshold: Threshold,
}

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Nothing keeps the program from conforming.
    Conforms,
    /// The same, but most rules are undecided.
    Inconclusive,
    /// Something does.
    DoesNotConform,
}

/// How many rules came to which verdict, and which ones failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Counted {
    /// Rules that passed.
    pub passed: usize,
    /// Rules that failed, whatever their severity.
    pub failed: usize,
    /// Rules that no run could decide.
    pub undecided: usize,
    /// Findings that are waived.
    pub waived: usize,
    /// The rules that keep the program from conforming.
    pub rules: Vec<&'static str>,
}

/// One rule's verdict on the program.
#[derive(Debug)]
pub struct Judged {
    /// The rule.
    pub rule: &'static Rule,
    /// How much it matters here.
    pub severity: Severity,
    /// Its verdict; findings that are waived are not in it.
    pub verdict: Verdict,
    /// What was found and waived, each with the reason.
    pub waived: Vec<(Finding, String)>,
}

/// What was run, and how.
#[derive(Clone, Debug, Default)]
pub struct RunSummary {
    /// How many commands are known.
    pub commands: usize,
    /// How many of them could be run.
    pub run: usize,
    /// How many are not run because they change something, or because nothing says that they do not.
    pub withheld: usize,
    /// How many runs were made.
    pub probes: usize,
    /// How many were not, because the time was over.
    pub skipped: usize,
    /// How long it all took.
    pub time: Duration,
    /// The largest that any run was, in bytes.
    pub peak_memory: u64,
    /// How the program was kept from doing harm, in a few words.
    pub containment: String,
}

/// The least share of the rules, in percent of their weights, that must be decided for a grade.
const ENOUGH: u32 = 50;

/// How good a program is, in the rules' own weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// The weighted share of what was decided that passed, in percent: a rule that passed counts once, and one that
    /// failed once for each cause.
    pub held: u32,
    /// Of all rules, the weighted share that was decided, in percent.
    pub covered: u32,
}

impl Report {
    /// The name of the profile, or `undecided`.
    pub fn profile_name(&self) -> &'static str {
        self.profile.map_or("undecided", Profile::as_str)
    }

    /// What was found and is not waived, one entry for each cause, with its rule, the gravest first.
    pub fn causes(&self) -> impl Iterator<Item = (&Judged, Cause<'_>)> {
        let broken = self.broken().into_iter();
        broken.flat_map(|judged| judged.causes().into_iter().map(move |cause| (judged, cause)))
    }

    /// The gravest of the findings.
    pub fn worst(&self) -> Option<Severity> {
        self.broken().into_iter().map(|judged| judged.severity).max()
    }

    /// The rules that are broken, the gravest first.
    pub fn broken(&self) -> Vec<&Judged> {
        let mut broken: Vec<&Judged> =
            self.judged.iter().filter(|it| !it.findings().is_empty()).collect();
        broken.sort_by_key(|it| std::cmp::Reverse(it.severity));
        broken
    }

    /// The rules of each family that was asked about, in the order of reports.
    pub fn families(&self) -> Vec<(Family, Vec<&Judged>)> {
        let of = |family: Family| {
            let judged = self.judged.iter().filter(move |it| it.rule.family == family);
            (family, judged.collect::<Vec<_>>())
        };
        let all = Family::ALL.iter().copied().map(of);
        all.filter(|(_, judged)| !judged.is_empty()).collect()
    }

    /// The rules that keep the program from conforming.
    pub fn failing(&self) -> impl Iterator<Item = &Judged> {
        self.judged.iter().filter(|judged| self.fails(judged))
    }

    /// Whether a rule keeps the program from conforming.
    pub fn fails(&self, judged: &Judged) -> bool {
        match judged.verdict {
            Verdict::Passed { .. } => false,
            Verdict::Failed(_) => judged.severity >= self.threshold.fail_on,
            Verdict::Undecided { .. } => self.threshold.is_strict,
        }
    }

    /// Whether nothing keeps the program from conforming.
    pub fn conforms(&self) -> bool {
        self.failing().next().is_none()
    }

    /// How many rules passed, failed and are undecided.
    pub fn counts(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for judged in &self.judged {
            counts[match judged.verdict {
                Verdict::Passed { .. } => 0,
                Verdict::Failed(_) => 1,
                Verdict::Undecided { .. } => 2,
            }] += 1;
        }
        counts
    }

    /// The counts and the ids of the rules that failed: what a caller branches on.
    pub fn counted(&self) -> Counted {
        let [passed, failed, undecided] = self.counts();
        let rules = self.failing().map(|judged| judged.rule.id).collect();
        Counted { passed, failed, undecided, waived: self.waived(), rules }
    }

    /// How many findings are waived.
    pub fn waived(&self) -> usize {
        self.judged.iter().map(|judged| judged.waived.len()).sum()
    }

    /// The score: each rule that passed counts once, and one that failed once for each cause. What is waived counts
    /// as failed: a reason makes nothing better.
    pub fn score(&self) -> Score {
        let (mut held, mut lost, mut decided, mut all) = (0, 0, 0, 0);
        for judged in &self.judged {
            let weight = weight(judged.severity);
            all += weight;
            match judged.verdict {
                Verdict::Undecided { .. } if judged.waived.is_empty() => continue,
                Verdict::Passed { .. } if judged.waived.is_empty() => held += weight,
                _ => lost += weight * u32::try_from(judged.all_causes()).unwrap_or(1),
            }
            decided += weight;
        }
        let percent = |part: u32, of: u32| (part * 100).checked_div(of).unwrap_or_default();
        Score { held: percent(held, held + lost), covered: percent(decided, all) }
    }

    /// The score as a grade, where enough is known to compare it with that of another program.
    pub fn grade(&self) -> Option<u32> {
        let score = self.score();
        (score.covered >= ENOUGH).then_some(score.held)
    }

    /// Whether no rule could be decided.
    pub fn is_undecided(&self) -> bool {
        let [passed, failed, _] = self.counts();
        passed + failed + self.waived() == 0
    }

    /// How the check came out. Where most rules are undecided, it does not say that the program conforms.
    pub fn outcome(&self) -> Outcome {
        let decided = self.judged.len() - self.counts()[2];
        match self.conforms() {
            false => Outcome::DoesNotConform,
            true if decided * 2 < self.judged.len() => Outcome::Inconclusive,
            true => Outcome::Conforms,
        }
    }

    /// What the program calls itself, or else what was looked at, in a few words.
    pub fn name(&self) -> String {
        match (&self.version, self.subject.as_slice()) {
            // Some programs say their version without their name.
            (Some(version), _) if version.starts_with(|it: char| it.is_ascii_digit()) => {
                format!("{} ({version})", self.subject_line())
            }
            (Some(version), _) => version.clone(),
            // Of recorded runs each has a name.
            (None, [first, others @ ..]) if self.is_recorded() && !others.is_empty() => {
                format!("{first} and {} more", others.len())
            }
            (None, _) => self.subject_line(),
        }
    }

    /// Whether nothing was run, and recorded runs were judged.
    pub(crate) fn is_recorded(&self) -> bool {
        self.summary.containment.is_empty()
    }

    /// The program as the user wrote it, in one line.
    pub(crate) fn subject_line(&self) -> String {
        crate::observe::reproduce::joined(self.subject.iter().map(String::as_str))
    }
}

impl Judged {
    /// What was found and is not waived.
    pub fn findings(&self) -> &[Finding] {
        match &self.verdict {
            Verdict::Failed(findings) => findings,
            Verdict::Passed { .. } | Verdict::Undecided { .. } => &[],
        }
    }

    /// What was found and is not waived, one entry for each cause.
    pub fn causes(&self) -> Vec<Cause<'_>> {
        grouped(self.findings().iter())
    }

    /// How many causes there are, waived ones included.
    fn all_causes(&self) -> usize {
        grouped(self.findings().iter().chain(self.waived.iter().map(|(finding, _)| finding))).len()
    }

    /// A name for a cause that stays the same from run to run: neither a message nor a place in a stream nor the
    /// commands that show it are part of it.
    pub fn fingerprint(&self, finding: &Finding) -> String {
        match finding.cause.as_str() {
            "" => self.rule.id.to_owned(),
            cause => format!("{}:{cause}", self.rule.id),
        }
    }
}

fn weight(severity: Severity) -> u32 {
    match severity {
        Severity::Error => 10,
        Severity::Warning => 3,
        Severity::Note => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixtures::report;
    use std::collections::BTreeSet;

    #[test]
    fn the_bar_decides_what_conforms() {
        let mut report = report();
        assert!(!report.conforms());
        report.judged.retain(|judged| judged.severity == Severity::Note);
        assert!(report.conforms() && report.worst() == Some(Severity::Note));
        report.threshold.fail_on = Severity::Note;
        assert!(!report.conforms());
    }

    #[test]
    fn undecided_rules_fail_only_where_that_is_asked() {
        let mut report = report();
        report.judged.retain(|judged| matches!(judged.verdict, Verdict::Undecided { .. }));
        assert!(!report.judged.is_empty() && report.conforms());
        report.threshold.is_strict = true;
        assert!(!report.conforms());
    }

    #[test]
    fn mostly_undecided_is_inconclusive() {
        let mut report = report();
        assert_eq!(report.outcome(), Outcome::DoesNotConform);
        report.judged.retain(|judged| !matches!(judged.verdict, Verdict::Failed(_)));
        assert_eq!((report.outcome(), report.judged.len()), (Outcome::Conforms, 2));
        report.judged.retain(|judged| matches!(judged.verdict, Verdict::Undecided { .. }));
        assert!(report.conforms() && report.outcome() == Outcome::Inconclusive);
    }

    #[test]
    fn a_name_of_a_cause_depends_on_rule_and_cause_alone() {
        let names = |report: &Report| -> Vec<String> {
            let causes = report.causes();
            causes.map(|(judged, cause)| judged.fingerprint(cause.first)).collect()
        };
        let mut report = report();
        let before = names(&report);
        for judged in &mut report.judged {
            if let Verdict::Failed(findings) = &mut judged.verdict {
                for finding in findings {
                    finding.message.push_str(" again");
                    finding.command.push("other".to_owned());
                    finding.excerpt = None;
                }
            }
        }
        assert_eq!(before, names(&report));
        let all: BTreeSet<_> = before.iter().collect();
        assert_eq!(all.len(), before.len());
    }

    #[test]
    fn findings_with_one_cause_are_one() {
        let report = report();
        let causes: Vec<(usize, usize)> = report.judged[0]
            .causes()
            .iter()
            .map(|cause| (cause.commands().len(), cause.calls()))
            .collect();
        assert_eq!(causes, [(2, 2), (1, 1)], "text in `list` and `show`, another one in `日本`");
        assert_eq!(report.judged[2].causes().len(), 1);
        assert_eq!(report.judged[2].causes()[0].commands().len(), 1);
        assert_eq!(report.judged[4].all_causes(), 2, "a waived cause counts");
    }

    #[test]
    fn the_score_counts_causes() {
        let mut report = report();
        report.judged.truncate(2);
        // One rule passed, and the other failed for two causes.
        assert_eq!(report.score().held, 33);
        if let Verdict::Failed(findings) = &mut report.judged[0].verdict {
            findings.iter_mut().for_each(|finding| finding.cause.clear());
        }
        assert_eq!(report.score().held, 50);
    }
}
