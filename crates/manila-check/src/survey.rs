//! What a program offers, found out within its part of the time, and the runs that this took.

use crate::check::{Options, notes};
use crate::declaration::Declaration;
use crate::discover::discover;
use crate::error::{Error, ErrorKind};
use crate::judgement::{HEARTBEAT, STACK};
use crate::lab::{Conditions, Lab};
use crate::probe::Probe;
use crate::run::Run;
use crate::subject::Subject;
use crate::surface::Surface;
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
    /// The runs that took.
    pub(crate) runs: Vec<Run>,
}

/// The part of the time that is kept for judging what was run, and the most of it.
const FOR_JUDGING: u32 = 10;
const MOST_FOR_JUDGING: Duration = Duration::from_secs(5);

/// Finds out what a program offers.
pub fn survey(
    subject: &Subject,
    declaration: &Declaration,
    options: &Options,
) -> Result<Survey, Error> {
    let begin = Instant::now();
    let for_judging = (options.deadline / FOR_JUDGING).min(MOST_FOR_JUDGING);
    let usual = Conditions::until(begin + options.deadline.saturating_sub(for_judging));
    let conditions = Conditions {
        limit: options.limit,
        jobs: options.jobs.unwrap_or(usual.jobs),
        network: options.network,
        record: options.record.clone(),
        tell: options.tell.clone(),
        cancel: options.cancel.clone(),
        unconfined: options.unconfined,
        ..usual
    };
    let lab = Lab::open(subject, conditions)?;
    // A program with many commands that starts slowly has too much help for the time there is, and
    // what nobody judges is of no use.
    let times = Times {
        enough: begin + options.deadline / 2,
        end: begin + options.deadline / 4 * 3,
        cancel: &options.cancel,
    };
    let (surface, runs) =
        found_out(subject, declaration, &times, |probes| lab.run_until(probes, times.enough))?;
    Ok(Survey { surface, notes: notes(&lab), lab, begin, runs })
}

/// What is said of a program that wrote more about itself than could be read.
const UNREAD: &str =
    "what it says of itself could not be read in time; a longer --deadline allows for it";

struct Times<'t> {
    /// After this moment no run is made for it.
    enough: Instant,
    /// After this one nobody waits for it.
    end: Instant,
    cancel: &'t Cancel,
}

/// What discovery tells whoever makes its runs.
enum Told {
    Wants(Vec<Probe>),
    Found(Box<Surface>),
}

/// Discovers a program in a thread of its own: reading help takes as long as the program likes, and is
/// not waited for when the time is over.
fn found_out(
    subject: &Subject,
    declaration: &Declaration,
    times: &Times<'_>,
    make: impl Fn(&[Probe]) -> Vec<Option<Run>>,
) -> Result<(Surface, Vec<Run>), Error> {
    let (tell, told) = mpsc::channel();
    let (answer, answered) = mpsc::channel();
    let reader = {
        let (subject, declaration) = (subject.clone(), declaration.clone());
        thread::Builder::new().stack_size(STACK).spawn(move || {
            let run = |probes: &[Probe]| {
                // Whoever makes runs may be gone.
                let _ = tell.send(Told::Wants(probes.to_vec()));
                answered.recv().unwrap_or_else(|_| vec![None; probes.len()])
            };
            let surface = discover(&run, &subject, &declaration);
            let _ = tell.send(Told::Found(Box::new(surface)));
        })
    };
    let reader = reader.map_err(|error| {
        Error::new(ErrorKind::System, format!("programs cannot be run here: {error}"))
    })?;
    let (mut runs, mut unread) = (Vec::new(), 0);
    loop {
        let left = times.end.saturating_duration_since(Instant::now());
        if left.is_zero() || times.cancel.signal().is_some() {
            // As if it had said nothing.
            let mut surface = discover(&|probes| vec![None; probes.len()], subject, declaration);
            surface.gaps = vec![UNREAD.to_owned()];
            return Ok((surface, runs));
        }
        match told.recv_timeout(left.min(HEARTBEAT)) {
            Ok(Told::Wants(probes)) => {
                let made = make(&probes);
                if Instant::now() >= times.enough {
                    unread += made.iter().filter(|run| run.is_none()).count();
                }
                runs.extend(made.iter().flatten().cloned());
                let _ = answer.send(made);
            }
            Ok(Told::Found(mut surface)) => {
                if unread > 0 {
                    surface.gaps.push(format!(
                        "half of the time was over before everything was found out: {unread} calls \
                         for that were not made; a longer --deadline allows for more"
                    ));
                }
                return Ok((*surface, runs));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match reader.join() {
                Err(panic) => resume_unwind(panic),
                Ok(()) => return Err(Error::new(ErrorKind::System, "discovery ended early")),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use manila::{Status, Transcript};

    fn subject() -> Subject {
        Subject {
            argv: vec!["tool".into()],
            shown: vec!["tool".to_owned()],
            variables: Vec::new(),
            fixture: None,
        }
    }

    fn found(enough: Duration, end: Duration, cancel: &Cancel) -> (Surface, Vec<Run>) {
        let help = "Usage: tool <COMMAND>\n\nCommands:\n  list  List all\n";
        let now = Instant::now();
        let times = Times { enough: now + enough, end: now + end, cancel };
        let answer = |probe: &Probe| {
            let run = Transcript::of_stdout(help, Status::Exited(0));
            (Instant::now() < times.enough).then(|| Run::recorded(probe.clone(), run))
        };
        let make = |probes: &[Probe]| probes.iter().map(answer).collect();
        found_out(&subject(), &Declaration::default(), &times, make).unwrap()
    }

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn what_was_found_out_comes_with_the_runs_that_it_took() {
        let (surface, runs) = found(LONG, LONG, &Cancel::never());
        assert!(surface.commands.iter().any(|command| command.name() == "list"));
        assert!(runs.iter().any(|run| run.probe.args == ["--help"]));
        assert!(surface.gaps.is_empty(), "{:?}", surface.gaps);
    }

    #[test]
    fn what_could_not_be_found_out_in_time_is_told() {
        let (surface, runs) = found(Duration::ZERO, LONG, &Cancel::never());
        assert!(runs.is_empty());
        assert!(surface.gaps.iter().any(|gap| gap.contains("were not made")), "{:?}", surface.gaps);
        for (end, cancel) in
            [(Duration::ZERO, Cancel::never()), (LONG, Cancel::when(|| Some(libc::SIGINT)))]
        {
            let (surface, _) = found(LONG, end, &cancel);
            assert_eq!(surface.commands.len(), 1);
            assert_eq!(surface.gaps, [UNREAD]);
        }
    }
}
