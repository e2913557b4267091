//! A whole check: the program is discovered, probed and judged; which rules are asked, and what of
//! what they say is waived.

use crate::declaration::{Declaration, Waiver};
use crate::error::Error;
use crate::evidence::Evidence;
use crate::judgement::{Case, verdicts};
use crate::lab::{Lab, Network, Unconfined};
use crate::plan::plan;
use crate::probe::{Form, Probe, Purpose, Setting};
use crate::recorded::asks_for_json;
use crate::report::{Judged, Report, Sweep};
use crate::rule::{RULES, Rule, Severity};
use crate::run::Run;
use crate::subject::Subject;
use crate::surface::{Json, Surface};
use crate::survey::{Survey, survey};
use crate::verdict::{Finding, Verdict};
use jiff::civil::Date;
use manila::Transcript;
use manila_run::Cancel;
use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Which rules are asked, and on which day.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Rules and families; all if there are none.
    pub select: Vec<String>,
    /// Rules and families that are left out.
    pub ignore: Vec<String>,
    /// The day on which waivers are looked at; without one, none is ever over.
    pub today: Option<Date>,
}

/// The rules that are asked, each with how much it matters here.
pub(crate) fn asked(declaration: &Declaration, asked: &Asked) -> Vec<(&'static Rule, Severity)> {
    let names = |list: &[String], rule: &Rule| {
        list.iter().any(|name| name == rule.id || name == rule.family.word())
    };
    let is_selected = |rule: &Rule| {
        let select = if asked.select.is_empty() { &declaration.select } else { &asked.select };
        let ignored = names(&asked.ignore, rule) || names(&declaration.ignore, rule);
        // A rule that is named itself is asked although its family is not.
        let is_named = asked.select.iter().any(|name| name == rule.id);
        (select.is_empty() || names(select, rule)) && (is_named || !ignored)
    };
    RULES
        .iter()
        .filter(|rule| is_selected(rule))
        .map(|rule| (*rule, declaration.severities.get(rule.id).copied().unwrap_or(rule.severity)))
        .collect()
}

/// Somebody who hears how many runs are made, and of how many.
pub type Tell = Arc<dyn Fn(usize, usize) + Send + Sync>;

/// How a program is checked.
#[derive(Clone)]
pub struct Options {
    /// How long the whole check may take.
    pub deadline: Duration,
    /// How long a run may take.
    pub limit: Duration,
    /// How many runs are made at a time; as many as there are processors if nobody says.
    pub jobs: Option<NonZeroUsize>,
    /// Whether the program may use the network.
    pub network: Network,
    /// A folder in which each run is left as a recorded run.
    pub record: Option<PathBuf>,
    /// Who hears how far it is.
    pub tell: Option<Tell>,
    /// Who may end the check.
    pub cancel: Cancel,
    /// What is run where the system cannot confine the program.
    pub unconfined: Unconfined,
    /// Which rules are asked.
    pub asked: Asked,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            deadline: Duration::from_secs(60),
            limit: Duration::from_secs(5),
            jobs: None,
            network: Network::Cut,
            record: None,
            tell: None,
            cancel: Cancel::never(),
            unconfined: Unconfined::Help,
            asked: Asked::default(),
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("deadline", &self.deadline)
            .field("limit", &self.limit)
            .field("jobs", &self.jobs)
            .field("network", &self.network)
            .field("unconfined", &self.unconfined)
            .field("asked", &self.asked)
            .finish_non_exhaustive()
    }
}

/// Makes the runs of a plan that were not made before, and puts all of them in the order of the plan.
fn complete(
    planned: &[Probe],
    before: Vec<Run>,
    make: impl FnOnce(&[Probe]) -> Vec<Option<Run>>,
) -> Vec<Option<Run>> {
    let mut known: BTreeMap<Probe, Run> = BTreeMap::new();
    for run in before {
        known.entry(run.probe.clone()).or_insert(run);
    }
    let lacking: Vec<Probe> =
        planned.iter().filter(|probe| !known.contains_key(probe)).cloned().collect();
    known.extend(make(&lacking).into_iter().flatten().map(|run| (run.probe.clone(), run)));
    planned.iter().map(|probe| known.remove(probe)).collect()
}

/// Checks a program: finds out what it offers, makes the runs that the rules ask for, and judges them.
pub fn check(
    subject: &Subject,
    declaration: &Declaration,
    options: &Options,
) -> Result<Report, Error> {
    let Survey { surface, notes, lab, begin, runs: before } =
        survey(subject, declaration, options)?;
    let whom = asked(declaration, &options.asked);
    let rules: Vec<_> = whom.iter().map(|(rule, _)| *rule).collect();
    let mut planned = plan(&surface, &rules);
    planned.retain(|probe| lab.may_run(probe));
    let mut probes = before.len();
    let made = complete(&planned, before, |lacking| {
        let made = lab.run(lacking);
        probes += made.iter().flatten().count();
        made
    });
    let mut sweep = Sweep {
        commands: surface.commands.len(),
        run: surface.commands.iter().filter(|it| it.safe_call().is_some()).count(),
        probes,
        skipped: made.iter().filter(|run| run.is_none()).count(),
        time: Duration::ZERO,
        peak_memory: lab.peak_memory(),
        containment: lab.containment(),
    };
    let is_restricted = lab.is_restricted();
    // Nothing of the program is left from here on, however judging ends.
    drop(lab);
    let (version, mut gaps) = (surface.version.clone(), surface.gaps.clone());
    let runs = made.into_iter().flatten().collect();
    let case = Case { subject: subject.clone(), surface, runs };
    let verdicts = verdicts(case, &rules, begin + options.deadline, &options.cancel);
    let late = verdicts.iter().filter(|verdict| verdict.is_none()).count();
    if late > 0 {
        gaps.push(format!("{late} of {} rules were not judged before the deadline", rules.len()));
    }
    let verdicts = verdicts.into_iter().map(|verdict| match verdict {
        Some(Verdict::Undecided { .. }) if is_restricted => UNCONFINED,
        Some(verdict) => verdict,
        None => TOO_LATE,
    });
    let (judged, stale_waivers) = waive(declaration, options.asked.today, whom, verdicts);
    sweep.time = begin.elapsed();
    let subject = subject.shown.clone();
    let report = Report { subject, version, notes, judged, sweep, gaps, ..Report::default() };
    Ok(Report { stale_waivers, ..report })
}

/// What must be known first about the runs of a lab.
pub(crate) fn notes(lab: &Lab) -> Vec<String> {
    let note = |why: &str| {
        let made = if lab.is_restricted() {
            "only --help and --version were called; --unconfined makes every call"
        } else {
            "every call was made all the same"
        };
        format!("the program could not be confined: {why}; {made}")
    };
    lab.why_unconfined().map(note).into_iter().collect()
}

/// What is said about a rule that needs more than may be run without confinement.
const UNCONFINED: Verdict = Verdict::Undecided {
    why: "the program could not be confined, so only --help and --version were called",
    declare: None,
};

/// What is said about a rule that was not judged in time.
const TOO_LATE: Verdict = Verdict::Undecided {
    why: "the deadline passed before this was judged; a longer --deadline allows for it",
    declare: None,
};

/// Judges recorded runs; nothing is run. Each has a name, such as that of its folder.
pub fn check_recorded(
    runs: Vec<(String, Transcript)>,
    declaration: &Declaration,
    asked: &Asked,
) -> Report {
    let names = runs.iter().map(|(name, _)| name.clone()).collect();
    let subject = Subject {
        argv: runs
            .first()
            .and_then(|(_, run)| run.argv.first())
            .map(Into::into)
            .into_iter()
            .collect(),
        shown: Vec::new(),
        variables: Vec::new(),
        fixture: None,
    };
    let surface = Surface { name: subject.name(), json: Json::Always, ..Surface::default() };
    let runs: Vec<Run> = runs
        .into_iter()
        .map(|(name, transcript)| {
            let args = transcript.argv.iter().skip(1).map(Into::into).collect();
            let (command, purpose) = (vec![name], Purpose::Recorded);
            let (form, setting) = (form_of(&transcript), Setting::default());
            Run::recorded(Probe { command, args, purpose, form, setting }, transcript)
        })
        .collect();
    let sweep = Sweep { probes: runs.len(), ..Sweep::default() };
    let evidence = Evidence::new(&subject, &surface, &runs);
    let whom = self::asked(declaration, asked);
    let verdicts: Vec<_> = whom.iter().map(|(rule, _)| (rule.judge)(&evidence)).collect();
    let (judged, stale_waivers) = waive(declaration, asked.today, whom, verdicts);
    Report { subject: names, judged, stale_waivers, sweep, ..Report::default() }
}

/// Whether a recorded run was asked for JSON: its arguments say so, or it answered in it.
fn form_of(transcript: &Transcript) -> Form {
    let asks = asks_for_json(&transcript.argv);
    let answers = [&transcript.stdout, &transcript.stderr]
        .iter()
        .any(|bytes| matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')));
    if asks || answers { Form::Json } else { Form::Text }
}

/// What the rules said without what is waived, and a sentence for each waiver that is of no use.
fn waive(
    declaration: &Declaration,
    today: Option<Date>,
    rules: Vec<(&'static Rule, Severity)>,
    verdicts: impl IntoIterator<Item = Verdict>,
) -> (Vec<Judged>, Vec<String>) {
    let mut waivers = Waivers::new(&declaration.waivers, today);
    let judged = rules
        .into_iter()
        .zip(verdicts)
        .map(|((rule, severity), verdict)| waivers.apply(rule, severity, verdict))
        .collect();
    (judged, waivers.stale())
}

/// The waivers, and which of them were of use.
struct Waivers<'w> {
    waivers: Vec<(&'w Waiver, bool)>,
    today: Option<Date>,
}

impl<'w> Waivers<'w> {
    fn new(waivers: &'w [Waiver], today: Option<Date>) -> Waivers<'w> {
        Waivers { waivers: waivers.iter().map(|waiver| (waiver, false)).collect(), today }
    }

    fn is_over(&self, waiver: &Waiver) -> bool {
        waiver.expires.zip(self.today).is_some_and(|(last, today)| last < today)
    }

    /// Takes out of a verdict what is waived.
    fn apply(&mut self, rule: &'static Rule, severity: Severity, verdict: Verdict) -> Judged {
        let Verdict::Violated(findings) = verdict else {
            return Judged { rule, severity, verdict, waived: Vec::new() };
        };
        let runs = findings.len();
        let (mut kept, mut waived) = (Vec::new(), Vec::new());
        for finding in findings {
            match self.reason(rule, &finding) {
                Some(reason) => waived.push((finding, reason)),
                None => kept.push(finding),
            }
        }
        let verdict =
            if kept.is_empty() { Verdict::Holds { runs } } else { Verdict::Violated(kept) };
        Judged { rule, severity, verdict, waived }
    }

    fn reason(&mut self, rule: &Rule, finding: &Finding) -> Option<String> {
        let command = finding.command.join(" ");
        let at = self.waivers.iter().position(|(waiver, _)| {
            waiver.rule == rule.id
                && waiver.command.as_ref().is_none_or(|of| *of == command)
                && !self.is_over(waiver)
        })?;
        self.waivers[at].1 = true;
        Some(self.waivers[at].0.reason.clone())
    }

    /// A sentence for each that waives nothing.
    fn stale(&self) -> Vec<String> {
        let unused = self.waivers.iter().filter(|(_, is_used)| !is_used);
        unused
            .map(|(waiver, _)| {
                let of = waiver.command.as_ref().map_or(String::new(), |of| format!(" of `{of}`"));
                match waiver.expires {
                    Some(last) if self.is_over(waiver) => {
                        format!("the waiver of {}{of} ended on {last}", waiver.rule)
                    }
                    _ => format!("the waiver of {}{of} waives nothing", waiver.rule),
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use manila::Status;

    const LIE: &str = r#"{"ok":false,"data":null,"error":{"code":"NOT_FOUND","message":"m"},"warnings":[],"meta":{}}"#;

    fn report(declaration: &Declaration, whom: &Asked) -> Report {
        let run = Transcript {
            argv: vec!["notes".to_owned(), "--json".to_owned()],
            ..Transcript::of_stdout(LIE, Status::Exited(0))
        };
        check_recorded(vec![("case".to_owned(), run)], declaration, whom)
    }

    fn waiver(expires: Option<Date>) -> Waiver {
        let rule = "failure-with-exit-zero".to_owned();
        Waiver { rule, command: None, reason: "known".to_owned(), expires }
    }

    #[test]
    fn a_recorded_lie_is_found_and_a_waiver_hides_nothing_from_the_score() {
        let whom = Asked { select: vec!["failure-with-exit-zero".to_owned()], ..Asked::default() };
        assert_eq!(report(&Declaration::default(), &whom).worst(), Some(Severity::Error));
        let waived = Declaration { waivers: vec![waiver(None)], ..Declaration::default() };
        let report = report(&waived, &whom);
        assert_eq!((report.worst(), report.score().held), (None, 0));
        assert_eq!(report.judged[0].waived.len(), 1);
    }

    #[test]
    fn a_waiver_that_is_over_waives_nothing_and_is_told() {
        let last = Date::constant(2026, 1, 1);
        let declared = Declaration { waivers: vec![waiver(Some(last))], ..Declaration::default() };
        let whom = Asked { today: Some(Date::constant(2026, 1, 2)), ..Asked::default() };
        let over = report(&declared, &whom);
        assert_eq!(
            over.stale_waivers,
            ["the waiver of failure-with-exit-zero ended on 2026-01-01"]
        );
        assert!(over.findings().any(|(judged, _)| judged.rule.id == "failure-with-exit-zero"));
        let whom = Asked { today: Some(last), ..Asked::default() };
        assert!(report(&declared, &whom).stale_waivers.is_empty());
    }

    #[test]
    fn what_was_run_before_is_not_run_again() {
        let probe = |word: &str| Probe {
            command: Vec::new(),
            args: vec![word.into()],
            purpose: Purpose::Help,
            form: Form::Text,
            setting: Setting::default(),
        };
        let run = |word: &str, stdout: &str| {
            Run::recorded(probe(word), Transcript::of_stdout(stdout, Status::Exited(0)))
        };
        let planned = [probe("-a"), probe("-b"), probe("-c")];
        let before = vec![run("-z", "old"), run("-b", "old"), run("-b", "later")];
        let made = complete(&planned, before, |lacking| {
            assert_eq!(lacking, [probe("-a"), probe("-c")]);
            vec![Some(run("-a", "new")), None]
        });
        let said: Vec<_> =
            made.iter().map(|run| Some(run.as_ref()?.transcript.stdout.as_slice())).collect();
        assert_eq!(said, [Some(&b"new"[..]), Some(b"old"), None]);
    }
}
