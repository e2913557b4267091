//! From a program to its lock: the calls that are made, three times each in varied surroundings, and
//! what each run shows.

mod answer;
mod declared;
mod layout;
mod plan;
mod recorded;
mod surface;

pub use recorded::from_recorded;

use crate::error::{Error, ErrorKind};
use crate::join::Join;
use crate::lock::{Group, Lock};
use crate::shape::{Step, Volatile, differing};
use answer::{Seen, seen};
use manila_check::internal::{Ended, Form, Probe, Purpose, Run, Session, Waiting, joined};
use manila_check::surface::Json;
use manila_check::{Declaration, Options, Subject};
use manila_pack::Packs;
use plan::{Call, ROUNDS, calls};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Commands that describe the program.
const DESCRIBING: &[&str] = &["describe", "introspect", "manifest", "openapi", "schema"];
/// How many levels of a description are kept: an envelope, and what is at the top of its payload.
const DESCRIPTION_DEPTH: usize = 2;

/// What helps if the time was not enough.
const MORE_TIME: &str = "raise --deadline, or look with `manila check` for what keeps the program";
/// How many calls that were not made are named.
const NAMED: usize = 5;

/// A program that was observed, and can be asked again.
#[derive(Debug)]
pub struct Observed {
    /// What it promises.
    pub lock: Lock,
    /// What it says its version is.
    pub version: Option<String>,
    /// What must be known first, such as that the program was not confined.
    pub notes: Vec<String>,
    /// What of the program could not be found out, and why.
    pub gaps: Vec<String>,
    /// One answer of each command, with what differs between equal calls.
    pub(crate) samples: Vec<Sample>,
    /// How many runs were made.
    pub runs: usize,
    session: Session,
    calls: BTreeMap<(Vec<String>, String), Call>,
}

/// An answer of a command.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// The command.
    pub(crate) command: Vec<String>,
    /// The call.
    pub(crate) call: String,
    /// The dialect, if there is an envelope.
    pub(crate) dialect: Option<String>,
    /// The document.
    pub(crate) document: Value,
    /// What differs between equal calls.
    pub(crate) volatile: Volatile,
}

/// Observes a program. Every call that is planned must be made: a lock that knows less than it seems
/// to would pass for a promise.
pub fn observe(
    subject: &Subject,
    declaration: &Declaration,
    options: &Options,
) -> Result<Observed, Error> {
    let session = Session::open(subject, declaration, options)?;
    if session.is_cut_short() && options.cancel.signal().is_none() {
        let message = format!(
            "discovery is incomplete: {} commands were found before its time was over",
            session.surface().commands.len()
        );
        return Err(Error::new(ErrorKind::Incomplete, message).suggest(MORE_TIME));
    }
    let calls = calls(&session, declaration);
    let mut lock = surface::lock(session.surface());
    let mut seen_calls: BTreeMap<(Vec<String>, String), Vec<Seen>> = BTreeMap::new();
    let (mut runs, mut missed, mut hung) = (0, BTreeSet::new(), BTreeMap::new());
    for round in 0..ROUNDS {
        if round > 0 {
            next_second();
        }
        let made = plan::make(&session, &calls, round)?;
        if let Some(signal) = options.cancel.signal() {
            return Err(Error::new(ErrorKind::Incomplete, format!("signal {signal} ended it")));
        }
        let mut unmade = Vec::new();
        for (call, run) in calls.iter().zip(made) {
            let Some(run) = run.map(|run| settled(&session, run)) else {
                unmade.push(call);
                continue;
            };
            runs += 1;
            let key = (call.command.clone(), call.name.clone());
            seen_calls.entry(key).or_default().push(seen(call, &run, round, &options.packs));
            if matches!(run.ended, Ended::AtLimit(_)) {
                hung.insert(call.command.clone(), run);
            }
        }
        for call in unmade {
            // A command that hung is not called again: its other calls hang as well.
            match hung.get(&call.command) {
                Some(run) => {
                    let key = (call.command.clone(), call.name.clone());
                    seen_calls.entry(key).or_default().push(seen(call, run, round, &options.packs));
                }
                None => drop(missed.insert(call.shown())),
            }
        }
    }
    if !missed.is_empty() {
        return Err(incomplete(&missed, calls.len()));
    }
    let mut samples = Vec::new();
    for ((command, name), seen) in &seen_calls {
        if let Some(sample) = answer::add(&mut lock, command, name, seen) {
            samples.push(sample);
        }
    }
    let manifest = session.surface().manifest.as_ref().map(|it| it.args.as_slice());
    for command in &session.surface().commands {
        let own = lock.commands.get_mut(&command.path);
        let mut answer = own.and_then(|own| own.answers.get_mut(&Group::Ok));
        if let Some(answer) = answer.as_mut() {
            // What describes the program changes with the surface, which the lock has line by line.
            let is_named = command.path.last().is_some_and(|it| DESCRIBING.contains(&it.as_str()));
            if is_named || manifest == Some(&command.path) || answer.body.is_description() {
                Arc::make_mut(answer).body.prune(DESCRIPTION_DEPTH);
            }
        }
        if let (Some(answer), Some(schema)) = (answer, &command.output_schema) {
            declared::declare(&mut Arc::make_mut(answer).body, schema);
        }
    }
    apply_maps(&mut lock, &declaration.maps);
    let (notes, surface) = (session.notes().to_vec(), session.surface());
    let (version, gaps) = (surface.version.clone(), surface.gaps.clone());
    let calls = calls.into_iter().map(|it| ((it.command.clone(), it.name.clone()), it)).collect();
    Ok(Observed { lock, version, notes, gaps, samples, runs, session, calls })
}

/// What is said if calls could not be made, with the first of them.
fn incomplete(missed: &BTreeSet<String>, calls: usize) -> Error {
    let named: Vec<String> = missed.iter().take(NAMED).map(|call| format!("`{call}`")).collect();
    let more = match missed.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!(
        "{} of {calls} calls could not be made three times: {}{more}",
        missed.len(),
        named.join(", ")
    );
    Error::new(ErrorKind::Incomplete, message).suggest(MORE_TIME)
}

/// A run that reached its limit is made again, alone: a slow machine is not a slow program.
fn settled(session: &Session, run: Run) -> Run {
    if run.ended == Ended::AtLimit(Waiting::ForSomething) {
        return session.repeat_alone(&run.probe).unwrap_or(run);
    }
    run
}

/// Waits until the clock shows another second: a moment that is written to the second is then another.
fn next_second() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    thread::sleep(
        Duration::from_secs(1).saturating_sub(Duration::from_nanos(now.subsec_nanos().into())),
    );
}

/// Turns the objects that are declared to be maps into maps.
fn apply_maps(lock: &mut Lock, maps: &[String]) {
    let paths: Vec<Vec<Step>> =
        maps.iter().filter_map(|map| crate::shape::Path::parse(map)).map(|path| path.0).collect();
    for command in lock.commands.values_mut() {
        for answer in command.answers.values_mut() {
            for path in &paths {
                Arc::make_mut(answer).body.make_map(path);
            }
        }
    }
}

impl Observed {
    /// The call of that name, as a person types it.
    pub(crate) fn call_line(&self, command: &[String], name: &str) -> Option<String> {
        let call = self.calls.get(&(command.to_vec(), name.to_owned()))?;
        let words = self.session.subject().shown.iter().cloned();
        let args = call.probe.args.iter().map(|word| word.to_string_lossy().into_owned());
        let words: Vec<String> = words.chain(args).collect();
        Some(joined(words.iter().map(String::as_str)))
    }

    /// Makes a call once more, as it was made first.
    pub(crate) fn again(
        &self,
        command: &[String],
        name: &str,
        packs: &Packs,
    ) -> Option<(Run, Lock)> {
        let call = self.calls.get(&(command.to_vec(), name.to_owned()))?;
        let made = plan::make(&self.session, std::slice::from_ref(call), plan::AGAIN).ok()?;
        let run = settled(&self.session, made.into_iter().next()??);
        let mut lock = Lock::default();
        answer::add(&mut lock, command, name, &[seen(call, &run, plan::AGAIN, packs)]);
        Some((run, lock))
    }

    /// The help of a command, asked for once more.
    pub(crate) fn help(&self, command: &[String]) -> Option<String> {
        let of = self.session.surface().commands.iter().find(|it| it.path == command)?;
        let probe = Probe::new(of, Purpose::Help, Form::Text, ["--help"], &Json::Unknown);
        let probe = probe.round(plan::AGAIN);
        let run = self.session.run(&[probe]).into_iter().next()??;
        let both = [run.transcript.stdout, run.transcript.stderr].concat();
        Some(String::from_utf8_lossy(&both).into_owned())
    }
}

/// The lock of several others: the same as freezing all that they were frozen from.
pub fn merged(locks: impl IntoIterator<Item = Lock>) -> Lock {
    let mut all = Lock::default();
    for lock in locks {
        all.join(&lock);
    }
    all
}

/// What differs between the documents of equal calls.
fn volatile(documents: &[&Value]) -> Volatile {
    let mut paths = Volatile::new();
    for pair in documents.windows(2) {
        differing(pair[0], pair[1], &mut paths);
    }
    paths
}
