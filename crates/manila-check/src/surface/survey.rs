//! What a program offers, found out within its part of the time, and the runs that this took.

use crate::declaration::Declaration;
use crate::error::{Error, ErrorKind};
use crate::observe::lab::{Conditions, Lab};
use crate::observe::probe::{Form, Probe, Purpose, Setting};
use crate::observe::run::Run;
use crate::options::Options;
use crate::subject::Subject;
use crate::surface::discover::{Reach, discover, discover_within};
use crate::surface::gate;
use crate::surface::model::Surface;
use crate::worker::{HEARTBEAT, STACK};
use manila::Status;
use manila_pack::Packs;
use manila_run::Cancel;
use std::panic::resume_unwind;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// What is known of a program before it is judged.
#[derive(Debug)]
pub struct Survey {
    /// What it offers.
    pub surface: Surface,
    /// What must be known first, such as that the program was not confined.
    pub notes: Vec<String>,
    pub(crate) lab: Lab,
    pub(crate) begin: Instant,
    /// How long the whole check may take.
    pub(crate) deadline: Duration,
    /// The runs that took.
    pub(crate) runs: Vec<Run>,
    /// What the deadline kept discovery from.
    pub(crate) unread: Unread,
}

/// What the deadline kept discovery from: how many calls were not made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unread {
    /// For a page of help.
    pages: usize,
    /// For the manifest.
    manifest: usize,
    /// To find out how JSON is asked for, and what is listed.
    answers: usize,
    /// What was read could not be understood in time.
    is_all: bool,
}

impl Unread {
    fn add(&mut self, purpose: Purpose) {
        *match purpose {
            Purpose::Help | Purpose::Version => &mut self.pages,
            Purpose::Manifest => &mut self.manifest,
            _ => &mut self.answers,
        } += 1;
    }

    fn calls(self) -> usize {
        self.pages + self.manifest + self.answers
    }

    /// Whether the surface lacks what was not asked for.
    pub(crate) fn is_cut_short(self) -> bool {
        self.is_all || self.calls() > 0
    }

    /// Whether a JSON mode that was not found may be there all the same.
    pub(crate) fn may_hide_json(self) -> bool {
        self.is_all || self.pages + self.answers > 0
    }

    /// The same of a manifest.
    pub(crate) fn may_hide_manifest(self) -> bool {
        self.is_all || self.manifest > 0
    }
}

/// The part of the time that is kept for judging what was run, and the most of it.
const FOR_JUDGING: u32 = 10;
const MOST_FOR_JUDGING: Duration = Duration::from_secs(5);

/// When the last run ends at the latest.
fn runs_end(begin: Instant, deadline: Duration) -> Instant {
    let for_judging = (deadline / FOR_JUDGING).min(MOST_FOR_JUDGING);
    begin + deadline.saturating_sub(for_judging)
}

/// The conditions of runs that began to be made at this moment.
pub(crate) fn conditions(options: &Options, begin: Instant) -> Conditions {
    let usual = Conditions::until(runs_end(begin, options.deadline));
    Conditions {
        limit: options.limit,
        jobs: options.jobs.unwrap_or(usual.jobs),
        network: options.network,
        record: options.record.clone(),
        progress: options.progress.clone(),
        cancel: options.cancel.clone(),
        unconfined: options.unconfined,
        ..usual
    }
}

/// Finds out what a program offers.
pub fn survey(
    subject: &Subject,
    declaration: &Declaration,
    options: &Options,
) -> Result<Survey, Error> {
    survey_in(subject, declaration, options, |_| {})
}

/// The same for a check, which makes huge answers small from the first run on.
pub(crate) fn survey_folding(
    subject: &Subject,
    declaration: &Declaration,
    options: &Options,
) -> Result<Survey, Error> {
    survey_in(subject, declaration, options, Lab::fold_answers)
}

fn survey_in(
    subject: &Subject,
    declaration: &Declaration,
    options: &Options,
    prepare: impl FnOnce(&mut Lab),
) -> Result<Survey, Error> {
    let begin = Instant::now();
    let mut lab = Lab::open(subject, conditions(options, begin))?;
    prepare(&mut lab);
    let first = first_page();
    let started = lab.run(std::slice::from_ref(&first)).pop().flatten();
    let deadline = deadline(options, started.as_ref());
    lab.extend(runs_end(begin, deadline));
    // A program with many commands that starts slowly has too much help for the time there is, and
    // what is not judged is useless.
    let times = Times {
        pages: begin + deadline / 8 * 3,
        enough: begin + deadline / 2,
        end: begin + deadline / 4 * 3,
        cancel: &options.cancel,
    };
    let target = Target { subject, declaration, packs: &options.packs, reach: reach(options) };
    let make = |probes: &[Probe], until| {
        if *probes == [first.clone()] {
            vec![started.clone()]
        } else {
            // What runs longer leaves no time to read the rest.
            lab.run_within(probes, until, begin + deadline / 8 * 5)
        }
    };
    let Found { surface, runs, unread } = found_out(&target, &times, make)?;
    if let Some(why) = runs.iter().find_map(cannot_start) {
        let message = format!("{} cannot be started: {why}", subject.name());
        return Err(Error::new(ErrorKind::NotExecutable, message));
    }
    Ok(Survey { surface, notes: notes(&lab), lab, begin, deadline, runs, unread })
}

/// The first call of discovery, which shows how long the program takes to start.
fn first_page() -> Probe {
    let (command, args) = gate::help(&[]).parts();
    let (form, setting) = (Form::Text, Setting::default());
    Probe { command, args, purpose: Purpose::Help, form, setting }
}

/// So many times as long as it takes to start, a check of a program that starts slowly may take.
const STARTS: u32 = 50;

/// How long the whole check may take, by the run of the first page.
fn deadline(options: &Options, started: Option<&Run>) -> Duration {
    let start = started.and_then(|run| run.transcript.duration_ms).map(Duration::from_millis);
    let most = options.slow_deadline.unwrap_or_default();
    options.deadline.max((start.unwrap_or_default() * STARTS).min(most))
}

/// How much of a program these options ask for.
fn reach(options: &Options) -> Reach {
    let reach = if options.is_quick { Reach::quick() } else { Reach::default() };
    match &options.command {
        Some(command) => Reach { only: Some(command.clone()), ..Reach::default() },
        None => reach,
    }
}

/// Why a program does not start, if its help ends as a shell or a loader ends that finds no program, no interpreter or
/// no library.
fn cannot_start(run: &Run) -> Option<String> {
    let is_help = run.probe.purpose == Purpose::Help && run.probe.command.is_empty();
    let is_status = matches!(run.transcript.status, Status::Exited(126 | 127));
    let is_silent = run.transcript.stdout.trim_ascii().is_empty();
    let words = String::from_utf8_lossy(&run.transcript.stderr);
    let first = words.lines().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
    (is_help && is_status && is_silent).then(|| manila::visible::one_line(first.as_bytes()))
}

/// What is discovered, and how much of it.
struct Target<'t> {
    subject: &'t Subject,
    declaration: &'t Declaration,
    packs: &'t Packs,
    reach: Reach,
}

/// What is said of a program that wrote more about itself than could be read.
const UNREAD: &str = "its help could not be read in time; raise --deadline";

struct Times<'t> {
    /// After this moment no page of help is asked for: the rest is for the manifest and for answers, which say what
    /// the program promises.
    pages: Instant,
    /// After this one, no run is made for it.
    enough: Instant,
    /// After this one, discovery does not wait for it.
    end: Instant,
    cancel: &'t Cancel,
}

impl Times<'_> {
    /// After which moment none of these runs begins.
    fn until(&self, probes: &[Probe]) -> Instant {
        let is_page = |probe: &Probe| probe.purpose == Purpose::Help;
        if probes.iter().all(is_page) { self.pages } else { self.enough }
    }
}

/// What discovery reports to the caller that makes its runs.
enum Message {
    Wants(Vec<Probe>),
    Found(Box<Surface>),
}

/// What discovery found, and what it was kept from.
struct Found {
    surface: Surface,
    runs: Vec<Run>,
    unread: Unread,
}

/// Discovers a program in a thread of its own: reading help takes as long as the program likes, and is
/// not waited for when the time is over.
fn found_out(
    target: &Target<'_>,
    times: &Times<'_>,
    make: impl Fn(&[Probe], Instant) -> Vec<Option<Run>>,
) -> Result<Found, Error> {
    let (sender, receiver) = mpsc::channel();
    let (answer, answered) = mpsc::channel();
    let reader = {
        let (subject, declaration) = (target.subject.clone(), target.declaration.clone());
        let (packs, reach) = (target.packs.clone(), target.reach.clone());
        thread::Builder::new().stack_size(STACK).spawn(move || {
            let run = |probes: &[Probe]| {
                // The receiver may be gone.
                let _ = sender.send(Message::Wants(probes.to_vec()));
                answered.recv().unwrap_or_else(|_| vec![None; probes.len()])
            };
            let surface = discover_within(&run, &subject, &declaration, &packs, &reach);
            let _ = sender.send(Message::Found(Box::new(surface)));
        })
    };
    let reader = reader.map_err(|error| {
        Error::new(ErrorKind::System, format!("programs cannot be run here: {error}"))
    })?;
    let (mut runs, mut unread) = (Vec::new(), Unread::default());
    loop {
        let left = times.end.saturating_duration_since(Instant::now());
        if left.is_zero() || times.cancel.signal().is_some() {
            // As if it had said nothing.
            let Target { subject, declaration, packs, .. } = target;
            let mut surface =
                discover(&|probes| vec![None; probes.len()], subject, declaration, packs);
            surface.gaps = vec![UNREAD.to_owned()];
            return Ok(Found { surface, runs, unread: Unread { is_all: true, ..unread } });
        }
        match receiver.recv_timeout(left.min(HEARTBEAT)) {
            Ok(Message::Wants(probes)) => {
                let until = times.until(&probes);
                let made = make(&probes, until);
                if Instant::now() >= until {
                    let lacking = probes.iter().zip(&made).filter(|(_, run)| run.is_none());
                    lacking.for_each(|(probe, _)| unread.add(probe.purpose));
                }
                runs.extend(made.iter().flatten().cloned());
                let _ = answer.send(made);
            }
            Ok(Message::Found(mut surface)) => {
                if unread.is_cut_short() {
                    surface.gaps.push(format!(
                        "discovery is incomplete: its part of the deadline was over, and {} calls were not made; \
                         raise --deadline",
                        unread.calls()
                    ));
                }
                return Ok(Found { surface: *surface, runs, unread });
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match reader.join() {
                Err(panic) => resume_unwind(panic),
                Ok(()) => return Err(Error::new(ErrorKind::System, "discovery ended early")),
            },
        }
    }
}

/// What must be known first about the runs of a lab.
fn notes(lab: &Lab) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use manila::Transcript;

    fn subject() -> Subject {
        Subject {
            argv: vec!["tool".into()],
            shown: vec!["tool".to_owned()],
            variables: Vec::new(),
            fixture: None,
        }
    }

    fn found(enough: Duration, end: Duration, cancel: &Cancel) -> Found {
        let help = "Usage: tool <COMMAND>\n\nCommands:\n  list  List all\n";
        let now = Instant::now();
        let times = Times { pages: now + enough, enough: now + enough, end: now + end, cancel };
        let answer = |probe: &Probe| {
            let run = Transcript::from_stdout(help, Status::Exited(0));
            (Instant::now() < times.enough).then(|| Run::recorded(probe.clone(), run))
        };
        let make = |probes: &[Probe], _| probes.iter().map(answer).collect();
        let (subject, declaration, packs) = (subject(), Declaration::default(), Packs::default());
        let target = Target {
            subject: &subject,
            declaration: &declaration,
            packs: &packs,
            reach: Reach::default(),
        };
        found_out(&target, &times, make).unwrap()
    }

    #[test]
    fn a_program_that_starts_slowly_has_more_time_where_that_is_allowed() {
        let started = |duration_ms| {
            let page = Transcript::from_stdout("", Status::Exited(0));
            Run::recorded(first_page(), Transcript { duration_ms: Some(duration_ms), ..page })
        };
        let seconds = Duration::from_secs;
        let quick = Options {
            deadline: seconds(10),
            slow_deadline: Some(seconds(60)),
            ..Options::default()
        };
        for (start, expected) in [(2, 10), (300, 15), (900, 45), (5000, 60)] {
            assert_eq!(deadline(&quick, Some(&started(start))), seconds(expected), "{start}");
        }
        assert_eq!(deadline(&quick, None), seconds(10));
        let fixed = Options { slow_deadline: None, ..quick };
        assert_eq!(deadline(&fixed, Some(&started(5000))), seconds(10));
    }

    #[test]
    fn a_page_that_was_not_read_may_offer_json_and_leaves_time_for_answers() {
        let now = Instant::now();
        let cancel = Cancel::never();
        let times = Times { pages: now, enough: now + LONG, end: now + LONG, cancel: &cancel };
        let help = "Usage: tool <COMMAND>\n\nCommands:\n  list  List all\n";
        let make = |probes: &[Probe], until: Instant| {
            let answer = |probe: &Probe| {
                let is_first = probe.command.is_empty();
                let run = Transcript::from_stdout(help, Status::Exited(0));
                (is_first || Instant::now() < until).then(|| Run::recorded(probe.clone(), run))
            };
            probes.iter().map(answer).collect()
        };
        let (subject, declaration, packs) = (subject(), Declaration::default(), Packs::default());
        let (subject, declaration, packs) = (&subject, &declaration, &packs);
        let target = Target { subject, declaration, packs, reach: Reach::default() };
        let Found { runs, unread, .. } = found_out(&target, &times, make).unwrap();
        assert!(unread.may_hide_json() && !unread.may_hide_manifest());
        assert!(runs.iter().any(|run| run.probe.purpose == Purpose::Manifest));
    }

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn what_was_found_out_comes_with_the_runs_that_it_took() {
        let Found { surface, runs, unread } = found(LONG, LONG, &Cancel::never());
        assert_eq!(unread, Unread::default());
        assert!(surface.commands.iter().any(|command| command.name() == "list"));
        assert!(runs.iter().any(|run| run.probe.args == ["--help"]));
        assert!(surface.gaps.is_empty(), "{:?}", surface.gaps);
    }

    #[test]
    fn what_could_not_be_found_out_in_time_is_reported() {
        let Found { surface, runs, unread } = found(Duration::ZERO, LONG, &Cancel::never());
        assert!(runs.is_empty() && unread.may_hide_json() && unread.pages > 0);
        assert!(surface.gaps.iter().any(|gap| gap.contains("were not made")), "{:?}", surface.gaps);
        for (end, cancel) in
            [(Duration::ZERO, Cancel::never()), (LONG, Cancel::when(|| Some(libc::SIGINT)))]
        {
            let Found { surface, unread, .. } = found(LONG, end, &cancel);
            assert!(unread.may_hide_json() && unread.may_hide_manifest());
            assert_eq!(surface.commands.len(), 1);
            assert_eq!(surface.gaps, [UNREAD]);
        }
    }
}
