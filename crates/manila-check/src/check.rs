//! A whole check: the program is discovered, probed and judged; which rules are asked, and what of
//! what they say is waived.

use crate::declaration::{Declaration, Waiver};
use crate::error::Error;
use crate::evidence::Evidence;
use crate::lab::{Conditions, Lab, Network};
use crate::plan::plan;
use crate::probe::{Form, Probe, Purpose, Setting};
use crate::recorded::asks_for_json;
use crate::report::{Bar, Judged, Report, Sweep};
use crate::rule::{RULES, Rule, Severity};
use crate::run::Run;
use crate::subject::Subject;
use crate::surface::{Json, Surface};
use crate::verdict::{Finding, Verdict};
use jiff::civil::Date;
use manila::Transcript;
use manila_run::Cancel;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

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
            .field("asked", &self.asked)
            .finish_non_exhaustive()
    }
}

/// What is known of a program before it is judged.
#[derive(Debug)]
pub struct Survey {
    /// What it offers.
    pub surface: Surface,
    lab: Lab,
    begin: Instant,
    /// How many runs that took.
    probes: usize,
    /// Those that were made.
    runs: Vec<Run>,
}

/// So many calls are made before somebody looks at the clock again.
const AT_ONCE: usize = 16;

/// Finds out what a program offers.
pub fn survey(
    subject: &Subject,
    declaration: &Declaration,
    options: &Options,
) -> Result<Survey, Error> {
    let begin = Instant::now();
    let usual = Conditions::until(begin + options.deadline);
    let conditions = Conditions {
        limit: options.limit,
        jobs: options.jobs.unwrap_or(usual.jobs),
        network: options.network,
        record: options.record.clone(),
        tell: options.tell.clone(),
        cancel: options.cancel.clone(),
        ..usual
    };
    let lab = Lab::open(subject, conditions)?;
    // A program with many commands that starts slowly has too much help for the time there is, and
    // what nobody judges is of no use.
    let enough = begin + options.deadline / 2;
    let runs = RefCell::new(Vec::new());
    let unread = Cell::new(0);
    let run = |asked: &[Probe]| -> Vec<Option<Run>> {
        let chunks = asked.chunks(AT_ONCE);
        chunks
            .flat_map(|chunk| {
                if Instant::now() >= enough {
                    unread.set(unread.get() + chunk.len());
                    return vec![None; chunk.len()];
                }
                let made = lab.run(chunk);
                runs.borrow_mut().extend(made.iter().flatten().cloned());
                made
            })
            .collect()
    };
    let mut surface = crate::discover::discover(&run, subject, declaration);
    if unread.get() > 0 {
        surface.gaps.push(format!(
            "half of the time was over before everything was found out: {} calls for that were \
             not made; a longer --deadline allows for more",
            unread.get()
        ));
    }
    let runs = runs.into_inner();
    Ok(Survey { surface, begin, probes: runs.len(), runs, lab })
}

/// Puts in the place of a run that was not made the same one that was made before: a program may hang
/// so often while it is found out that nobody asks it again, or that no time is left.
fn fill_in(made: &mut [Option<Run>], planned: &[Probe], before: &[Run]) {
    for (made, probe) in made.iter_mut().zip(planned).filter(|(made, _)| made.is_none()) {
        *made = before.iter().find(|run| run.probe == *probe).cloned();
    }
}

/// Checks a program: finds out what it offers, makes the runs that the rules ask for, and judges them.
pub fn check(
    subject: &Subject,
    declaration: &Declaration,
    options: &Options,
) -> Result<Report, Error> {
    let Survey { surface, lab, begin, probes, runs: before } =
        survey(subject, declaration, options)?;
    let rules: Vec<_> =
        asked(declaration, &options.asked).into_iter().map(|(rule, _)| rule).collect();
    let planned = plan(&surface, &rules);
    let mut made = lab.run(&planned);
    let probes = probes + made.iter().flatten().count();
    fill_in(&mut made, &planned, &before);
    let skipped = made.iter().filter(|run| run.is_none()).count();
    let runs: Vec<Run> = made.into_iter().flatten().collect();
    let report = judge(subject, &surface, &runs, declaration, &options.asked);
    let sweep = Sweep {
        commands: surface.commands.len(),
        run: surface.commands.iter().filter(|it| it.safe_call().is_some()).count(),
        probes,
        skipped,
        time: begin.elapsed(),
        peak_memory: lab.peak_memory(),
        containment: lab.containment(),
    };
    Ok(Report { sweep, ..report })
}

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
    let report = judge(&subject, &surface, &runs, declaration, asked);
    Report { subject: names, sweep, ..report }
}

/// Whether a recorded run was asked for JSON: its arguments say so, or it answered in it.
fn form_of(transcript: &Transcript) -> Form {
    let asks = asks_for_json(&transcript.argv);
    let answers = [&transcript.stdout, &transcript.stderr]
        .iter()
        .any(|bytes| matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')));
    if asks || answers { Form::Json } else { Form::Text }
}

/// Asks every rule about these runs.
pub(crate) fn judge(
    subject: &Subject,
    surface: &Surface,
    runs: &[Run],
    declaration: &Declaration,
    whom: &Asked,
) -> Report {
    let evidence = Evidence::new(subject, surface, runs);
    let mut waivers = Waivers::new(&declaration.waivers, whom.today);
    let judged = asked(declaration, whom)
        .into_iter()
        .map(|(rule, severity)| waivers.apply(rule, severity, (rule.judge)(&evidence)))
        .collect();
    Report {
        subject: subject.shown.clone(),
        version: surface.version.clone(),
        judged,
        sweep: Sweep::default(),
        gaps: surface.gaps.clone(),
        stale_waivers: waivers.stale(),
        bar: Bar::default(),
    }
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
    fn a_run_that_was_not_made_again_is_the_one_from_before() {
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
        let mut made = [Some(run("-a", "new")), None, None];
        fill_in(&mut made, &planned, &[run("-a", "old"), run("-b", "old")]);
        let stdout = |at: usize| made[at].as_ref().map(|run| run.transcript.stdout.clone());
        assert_eq!((stdout(0), stdout(1)), (Some(b"new".to_vec()), Some(b"old".to_vec())));
        assert!(made[2].is_none());
    }

    #[test]
    fn rules_are_asked_by_name_and_by_family() {
        let ids = |select: &[&str], ignore: &[&str]| {
            let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            let whom = Asked { select: list(select), ignore: list(ignore), today: None };
            asked(&Declaration::default(), &whom)
                .iter()
                .map(|(rule, _)| rule.id)
                .collect::<Vec<_>>()
        };
        assert_eq!(ids(&["failure-with-exit-zero"], &["status"]), ["failure-with-exit-zero"]);
        assert!(ids(&["status"], &[]).contains(&"failure-with-exit-zero"));
        assert!(!ids(&[], &["status"]).contains(&"failure-with-exit-zero"));
        assert_eq!(ids(&[], &[]).len(), RULES.len());
    }
}
