//! What a check found: each rule's verdict, what was waived, the score and how much it covers.

use crate::render::shared::put;
use crate::rule::{Family, Rule, Severity};
use crate::verdict::{Finding, Verdict};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What a check found.
#[derive(Debug, Default)]
pub struct Report {
    /// The program, as the user wrote it, or the folders of the recorded runs.
    pub subject: Vec<String>,
    /// What it calls itself and its version, if it was asked.
    pub version: Option<String>,
    /// What everybody who reads the report must know first, such as that the program was not confined.
    pub notes: Vec<String>,
    /// Every rule that was asked, in the order of [`crate::RULES`].
    pub judged: Vec<Judged>,
    /// What was run, and how.
    pub sweep: Sweep,
    /// What of the program could not be found out, and why.
    pub gaps: Vec<String>,
    /// Waivers that waive nothing any more, or are over; each is a sentence.
    pub stale_waivers: Vec<String>,
    /// What a program must not have to conform.
    pub bar: Bar,
}

/// What a program must not have to conform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Findings of this severity, or of a graver one.
    pub fail_on: Severity,
    /// Rules that cannot be told.
    pub is_strict: bool,
}

impl Default for Bar {
    fn default() -> Bar {
        Bar { fail_on: Severity::Warning, is_strict: false }
    }
}

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Nothing keeps the program from conforming.
    Conforms,
    /// The same, but most rules could not be told.
    LittleTold,
    /// Something does.
    DoesNotConform,
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
pub struct Sweep {
    /// How many commands are known.
    pub commands: usize,
    /// How many of them could be run.
    pub run: usize,
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

/// How good a program is, in the rules' own weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// Of what could be told, how much holds, in hundredths.
    pub held: u32,
    /// Of all rules, how much could be told, in hundredths.
    pub covered: u32,
}

impl Report {
    /// All findings that are not waived, with their rule, the gravest first.
    pub fn findings(&self) -> impl Iterator<Item = (&Judged, &Finding)> {
        let mut judged: Vec<&Judged> = self.judged.iter().collect();
        judged.sort_by_key(|it| std::cmp::Reverse(it.severity));
        judged
            .into_iter()
            .flat_map(|judged| judged.findings().iter().map(move |finding| (judged, finding)))
    }

    /// The gravest of the findings.
    pub fn worst(&self) -> Option<Severity> {
        self.findings().map(|(judged, _)| judged.severity).max()
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
            Verdict::Holds { .. } => false,
            Verdict::Violated(_) => judged.severity >= self.bar.fail_on,
            Verdict::Undecided { .. } => self.bar.is_strict,
        }
    }

    /// Whether nothing keeps the program from conforming.
    pub fn conforms(&self) -> bool {
        self.failing().next().is_none()
    }

    /// How many rules hold, are broken, and cannot be told.
    pub fn counts(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for judged in &self.judged {
            counts[match judged.verdict {
                Verdict::Holds { .. } => 0,
                Verdict::Violated(_) => 1,
                Verdict::Undecided { .. } => 2,
            }] += 1;
        }
        counts
    }

    /// How many findings are waived.
    pub fn waived(&self) -> usize {
        self.judged.iter().map(|judged| judged.waived.len()).sum()
    }

    /// The score. What is waived counts as broken: a reason makes nothing better.
    pub fn score(&self) -> Score {
        let (mut held, mut told, mut all) = (0, 0, 0);
        for judged in &self.judged {
            let weight = weight(judged.severity);
            all += weight;
            match judged.verdict {
                Verdict::Undecided { .. } if judged.waived.is_empty() => {}
                Verdict::Holds { .. } if judged.waived.is_empty() => {
                    held += weight;
                    told += weight;
                }
                _ => told += weight,
            }
        }
        let hundredths = |part: u32, of: u32| (part * 100).checked_div(of).unwrap_or_default();
        Score { held: hundredths(held, told), covered: hundredths(told, all) }
    }

    /// How the check came out. Who knows little must not say that a program conforms.
    pub fn outcome(&self) -> Outcome {
        let told = self.judged.len() - self.counts()[2];
        match self.conforms() {
            false => Outcome::DoesNotConform,
            true if told * 2 < self.judged.len() => Outcome::LittleTold,
            true => Outcome::Conforms,
        }
    }

    /// The verdict in a few words, which go on after the name of the program.
    pub fn headline(&self) -> String {
        match self.outcome() {
            Outcome::Conforms => "conforms".to_owned(),
            Outcome::DoesNotConform => "does not conform".to_owned(),
            Outcome::LittleTold => {
                let [_, broken, undecided] = self.counts();
                let counts = if broken == 0 { "" } else { " that counts" };
                format!(
                    "breaks no rule{counts}, but only {} of {} could be told",
                    self.judged.len() - undecided,
                    self.judged.len()
                )
            }
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
    pub fn is_recorded(&self) -> bool {
        self.sweep.containment.is_empty()
    }

    /// The program as the user wrote it, in one line.
    pub fn subject_line(&self) -> String {
        crate::reproduce::joined(self.subject.iter().map(String::as_str))
    }

    /// How many rules came to which verdict, in words.
    pub fn tally(&self) -> String {
        let [holds, broken, undecided] = self.counts();
        let holds = format!("{holds} {}", if holds == 1 { "holds" } else { "hold" });
        let broken = format!("{broken} {} broken", if broken == 1 { "is" } else { "are" });
        let mut tally = format!("{holds}, {broken}, {undecided} could not be told");
        let waived = self.waived();
        if waived > 0 {
            put(&mut tally, format_args!(", {} waived", counted(waived, "finding")));
        }
        tally
    }
}

impl Judged {
    /// What was found and is not waived.
    pub fn findings(&self) -> &[Finding] {
        match &self.verdict {
            Verdict::Violated(findings) => findings,
            Verdict::Holds { .. } | Verdict::Undecided { .. } => &[],
        }
    }

    /// What there is beside the first finding, in words: `and 12 more commands`.
    pub fn more(&self) -> Option<String> {
        let (first, rest) = self.findings().split_first()?;
        let commands: BTreeSet<&[String]> = rest.iter().map(|it| it.command.as_slice()).collect();
        let others = commands.iter().filter(|words| **words != first.command).count();
        match (others, rest.len()) {
            (_, 0) => None,
            (0, calls) => Some(format!("and {} of the same", counted(calls, "more call"))),
            (others, _) => Some(format!("and {}", counted(others, "more command"))),
        }
    }

    /// Names for the findings, then for what is waived, that stay the same from run to run: neither a
    /// message nor a place in a stream is part of them.
    pub fn fingerprints(&self) -> Vec<String> {
        let mut seen: BTreeMap<&[String], usize> = BTreeMap::new();
        let waived = self.waived.iter().map(|(finding, _)| finding);
        self.findings()
            .iter()
            .chain(waived)
            .map(|finding| {
                let number = seen.entry(&finding.command).or_default();
                *number += 1;
                format!("{}:{}:{number}", self.rule.id, finding.command.join(" "))
            })
            .collect()
    }
}

impl Finding {
    /// The command that broke the rule, in words.
    pub fn place(&self) -> String {
        match self.command.as_slice() {
            [] => "the program itself".to_owned(),
            words => words.join(" "),
        }
    }
}

impl Sweep {
    /// What was run, in words.
    pub fn told(&self) -> String {
        if self.containment.is_empty() {
            return counted(self.probes, "recorded run");
        }
        let mut told = format!(
            "{}, {} of {}, {}, {} at most",
            counted(self.probes, "run"),
            self.run,
            counted(self.commands, "command"),
            seconds(self.time),
            mebibytes(self.peak_memory),
        );
        if self.skipped > 0 {
            put(&mut told, format_args!("; {} not made in time", counted(self.skipped, "run")));
        }
        told
    }
}

/// A number of things, in words.
pub(crate) fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

fn seconds(time: Duration) -> String {
    format!("{}.{:02} s", time.as_secs(), time.subsec_millis() / 10)
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes.div_ceil(1 << 20))
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
    use crate::made_up::report;

    #[test]
    fn the_bar_decides_what_conforms() {
        let mut report = report();
        assert!(!report.conforms());
        report.judged.retain(|judged| judged.severity == Severity::Note);
        assert!(report.conforms() && report.worst() == Some(Severity::Note));
        report.bar.fail_on = Severity::Note;
        assert!(!report.conforms());
    }

    #[test]
    fn what_cannot_be_told_fails_only_where_that_is_asked() {
        let mut report = report();
        report.judged.retain(|judged| matches!(judged.verdict, Verdict::Undecided { .. }));
        assert!(!report.judged.is_empty() && report.conforms());
        report.bar.is_strict = true;
        assert!(!report.conforms());
    }

    #[test]
    fn who_knows_little_does_not_say_that_it_conforms() {
        let mut report = report();
        assert_eq!(report.headline(), "does not conform");
        report.judged.retain(|judged| !matches!(judged.verdict, Verdict::Violated(_)));
        assert_eq!((report.headline().as_str(), report.judged.len()), ("conforms", 2));
        report.judged.retain(|judged| matches!(judged.verdict, Verdict::Undecided { .. }));
        assert_eq!(report.headline(), "breaks no rule, but only 0 of 1 could be told");
        assert!(report.conforms() && report.outcome() == Outcome::LittleTold);
    }

    #[test]
    fn a_name_of_a_finding_depends_on_rule_and_command_alone() {
        let mut report = report();
        let before: Vec<_> = report.judged.iter().map(Judged::fingerprints).collect();
        for judged in &mut report.judged {
            if let Verdict::Violated(findings) = &mut judged.verdict {
                for finding in findings {
                    finding.message.push_str(" again");
                    finding.excerpt = None;
                }
            }
        }
        assert_eq!(before, report.judged.iter().map(Judged::fingerprints).collect::<Vec<_>>());
        let all: BTreeSet<_> = before.iter().flatten().collect();
        assert_eq!(all.len(), before.iter().flatten().count());
    }

    #[test]
    fn the_rest_is_counted_by_commands_and_else_by_calls() {
        let report = report();
        let more: Vec<_> = report.broken().iter().filter_map(|judged| judged.more()).collect();
        assert_eq!(more, ["and 2 more commands", "and 1 more call of the same"]);
    }
}
