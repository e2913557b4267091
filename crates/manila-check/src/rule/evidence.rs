//! All runs of a check, read once, and the questions that rules ask about them.

use crate::observe::defect::StreamScan;
use crate::observe::probe::{Form, LATE_ROUND, Probe, Purpose, Setting};
use crate::observe::reading::{PAYLOADS, Reading};
use crate::observe::reproduce::reproduce;
use crate::observe::run::Run;
use crate::observe::text_kind;
use crate::rule::compare::{self, Difference, Volatile};
use crate::subject::Subject;
use crate::surface::model::{Command, Surface};
use manila::{Dialect, Exit, Status, Stream, Transcript};
use manila_pack::BUILTIN;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::sync::OnceLock;

/// The largest answer that is made into a tree, and the most of all together, in bytes: a tree may take
/// twenty times the room of its text.
const LARGEST_TREE: usize = 8 << 20;
const ALL_TREES: usize = 48 << 20;

/// All runs of a check.
#[derive(Debug)]
pub(crate) struct Evidence<'e> {
    /// The program.
    pub subject: &'e Subject,
    /// What it offers.
    pub surface: &'e Surface,
    /// Each run with what it says, in the order of the plan.
    pub runs: Vec<ObservedRun<'e>>,
    /// Where the run of each probe stands among them.
    places: BTreeMap<&'e Probe, usize>,
}

/// A run, and what it says.
#[derive(Debug)]
pub struct ObservedRun<'e> {
    /// The run.
    pub run: &'e Run,
    /// What it says.
    pub reading: Reading,
    /// The command that was called, if it is a known one.
    pub command: Option<&'e Command>,
    subject: &'e Subject,
    is_oversized: bool,
    // What several rules look at is made once, by the first that asks.
    document: OnceLock<Option<Value>>,
    compared: OnceLock<Option<Value>>,
    volatile: OnceLock<Volatile>,
    scan: OnceLock<StreamScan>,
    failure: OnceLock<Option<StreamScan>>,
    lacking: OnceLock<Option<Exit>>,
}

impl<'e> Evidence<'e> {
    /// Reads all runs.
    pub(crate) fn new(subject: &'e Subject, surface: &'e Surface, runs: &'e [Run]) -> Evidence<'e> {
        let readings = runs.iter().map(|run| Reading::of(&run.transcript));
        Evidence::of_readings(subject, surface, runs.iter().zip(readings))
    }

    /// Takes runs that were read.
    pub(crate) fn of_readings(
        subject: &'e Subject,
        surface: &'e Surface,
        runs: impl Iterator<Item = (&'e Run, Reading)>,
    ) -> Evidence<'e> {
        let mut commands: BTreeMap<&[String], &Command> = BTreeMap::new();
        for command in &surface.commands {
            commands.entry(&command.path).or_insert(command);
        }
        let mut left = ALL_TREES;
        let runs: Vec<ObservedRun<'e>> = runs
            .map(|(run, mut reading)| {
                if is_about_program(run, &commands) {
                    (reading.answer, reading.opened) = (None, None);
                }
                if is_manifest(run, surface)
                    && let Some(answer) = reading.answer.as_mut()
                {
                    // The errors that it lists are those of others.
                    (answer.error, answer.code, answer.message) = (None, None, None);
                }
                let size = reading.answer.as_ref().map_or(0, |answer| answer.span.len());
                let is_oversized = !fits(size, &mut left);
                ObservedRun {
                    run,
                    reading,
                    command: commands.get(run.probe.command.as_slice()).copied(),
                    subject,
                    is_oversized,
                    document: OnceLock::new(),
                    compared: OnceLock::new(),
                    volatile: OnceLock::new(),
                    scan: OnceLock::new(),
                    failure: OnceLock::new(),
                    lacking: OnceLock::new(),
                }
            })
            .collect();
        let mut places = BTreeMap::new();
        for (at, seen) in runs.iter().enumerate() {
            places.entry(&seen.run.probe).or_insert(at);
        }
        Evidence { subject, surface, runs, places }
    }

    /// The runs made for a purpose, in one form, in any setting.
    pub(crate) fn of(
        &self,
        purpose: Purpose,
        form: Form,
    ) -> impl Iterator<Item = &ObservedRun<'e>> {
        self.runs
            .iter()
            .filter(move |seen| seen.run.probe.purpose == purpose && seen.run.probe.form == form)
    }

    /// The runs without those that try a flag only to see whether it exists: what such a flag is for, such as colour or
    /// silence, is not what the program does by itself.
    pub(crate) fn usual(&self) -> impl Iterator<Item = &ObservedRun<'e>> {
        self.runs.iter().filter(|seen| seen.run.probe.purpose != Purpose::Existence)
    }

    /// The usual runs with nothing special about their surroundings, recorded ones among them.
    pub(crate) fn plain(&self) -> impl Iterator<Item = &ObservedRun<'e>> {
        self.usual().filter(|seen| seen.run.probe.is_plain())
    }

    /// The runs that were asked for JSON, in any setting, and ended by themselves. Help, which may be
    /// text in any program, is not among them; neither is what a closed reader cut.
    pub(crate) fn json(&self) -> impl Iterator<Item = &ObservedRun<'e>> {
        self.runs.iter().filter(|seen| {
            let probe = &seen.run.probe;
            probe.form == Form::Json
                && !matches!(probe.purpose, Purpose::Help | Purpose::Version | Purpose::Bare)
                && seen.run.ended_by_itself()
                && !probe.setting.is_lossy()
        })
    }

    /// The run of this very probe, if it was made.
    pub(crate) fn run_of(&self, probe: &Probe) -> Option<&ObservedRun<'e>> {
        self.places.get(probe).map(|at| &self.runs[*at])
    }

    /// The run of the same call with nothing special about its surroundings.
    pub(crate) fn plain_twin(&self, seen: &ObservedRun<'_>) -> Option<&ObservedRun<'e>> {
        self.run_of(&Probe { setting: Setting::default(), ..seen.run.probe.clone() })
    }

    /// The dialect that most answers of this program are in, if any is more than a guess.
    pub(crate) fn dialect(&self) -> Option<&'static dyn Dialect> {
        let mut counts: BTreeMap<&str, (usize, &'static dyn Dialect)> = BTreeMap::new();
        for dialect in self.runs.iter().filter_map(|seen| seen.reading.dialect()) {
            counts.entry(dialect.id()).or_insert((0, dialect)).0 += 1;
        }
        counts.into_values().max_by_key(|(count, _)| *count).map(|(_, dialect)| dialect)
    }

    /// How the answer of a run differs from that of another, beside what differs between equal runs.
    pub(crate) fn difference(
        &self,
        usual: &ObservedRun<'_>,
        other: &ObservedRun<'_>,
    ) -> Option<Difference> {
        // One that was made small has other members than one that could not be.
        if usual.run.is_folded != other.run.is_folded {
            return None;
        }
        compare::difference(usual.compared(), other.compared(), self.volatile(usual))
    }

    /// What differs between equal runs of this call: the plain one, its further rounds, and the one at
    /// the end of the check, by which time what is measured has changed by itself.
    pub(crate) fn volatile(&self, usual: &ObservedRun<'_>) -> &Volatile {
        const ROUNDS: std::ops::RangeInclusive<u8> = 1..=LATE_ROUND;
        static NOTHING: Volatile = Volatile::nothing();
        let plain = Probe { setting: Setting::default(), ..usual.run.probe.clone() };
        let Some(first) = self.run_of(&plain) else { return &NOTHING };
        first.volatile.get_or_init(|| {
            let again = ROUNDS.filter_map(|round| self.run_of(&plain.clone().round(round)));
            again.fold(Volatile::default(), |all, again| {
                all.and(Volatile::between(first.compared(), again.compared()))
            })
        })
    }
}

impl Setting {
    /// Whether an answer cannot be expected to arrive whole.
    pub fn is_lossy(&self) -> bool {
        matches!(self.stdout, crate::observe::probe::Stdout::ClosedPipe { .. })
            || self.signal.is_some()
    }
}

impl ObservedRun<'_> {
    /// Whether the answer is too large to be made into a tree, so that its values are not known.
    pub(crate) fn is_oversized(&self) -> bool {
        self.is_oversized
    }

    /// The answer as a tree.
    pub(crate) fn document(&self) -> Option<&Value> {
        let read = || serde_json::from_slice(self.answered()?).ok();
        self.document.get_or_init(read).as_ref()
    }

    /// The payload of the answer.
    pub(crate) fn payload(&self) -> Option<&Value> {
        let answer = self.reading.answer.as_ref()?;
        let (data, document) = (answer.data.as_ref()?, self.document()?);
        if *data == answer.span {
            return Some(document);
        }
        PAYLOADS.iter().find_map(|key| document.get(*key))
    }

    /// The answer as a tree without the name of the run's own directory, which no other run has.
    pub(crate) fn compared(&self) -> Option<&Value> {
        let directory = self.run.directory.as_str();
        let text = std::str::from_utf8(self.answered()?).ok()?;
        if directory.is_empty() || !text.contains(directory) {
            return self.document();
        }
        let read = || serde_json::from_str(&text.replace(directory, "")).ok();
        self.compared.get_or_init(read).as_ref()
    }

    fn answered(&self) -> Option<&[u8]> {
        let answer = self.reading.answer.as_ref().filter(|_| !self.is_oversized)?;
        self.run.transcript.stream(answer.stream).get(answer.span.clone())
    }

    /// What is on stdout in place of a document.
    pub(crate) fn scan(&self) -> &StreamScan {
        self.scan.get_or_init(|| {
            StreamScan::of_stdout(&self.run.transcript.stdout, &self.reading.stdout)
        })
    }

    /// What is on the stream that the answer is on: stderr for a failure that is there.
    pub(crate) fn scan_of_answer(&self) -> &StreamScan {
        let failure = self.failure.get_or_init(|| {
            let is_failure = self.reading.says_failure() == Some(true) || !self.exited_zero();
            let is_there = is_failure && !self.reading.stderr.is_empty && !self.scan().has_json();
            is_there.then(|| StreamScan::of_last(&self.run.transcript.stderr))
        });
        failure.as_ref().unwrap_or_else(|| self.scan())
    }

    /// Where a run reports a crash: beside its answer, or in an answer that says it failed. The
    /// data of a call that worked is not a crash.
    pub(crate) fn stack_trace(&self) -> Option<(Stream, Range<usize>)> {
        let transcript = &self.run.transcript;
        if let Some(span) = text_kind::trace(&transcript.stderr) {
            return Some((Stream::Stderr, span));
        }
        let has_failed = !self.exited_zero() || self.reading.says_failure() == Some(true);
        let mut beside = self.reading.stdout.text.iter().filter(|_| {
            has_failed
                || (self.run.probe.form == Form::Json && !self.reading.stdout.documents.is_empty())
        });
        let found = beside.find_map(|text| {
            let span = text_kind::trace(&transcript.stdout[text.clone()])?;
            Some((Stream::Stdout, text.start + span.start..text.start + span.end))
        });
        let answer = self.reading.answer.as_ref().filter(|_| has_failed);
        found.or_else(|| {
            let answer = answer?;
            let span = text_kind::trace_in_strings(
                transcript.stream(answer.stream).get(answer.span.clone())?,
            )?;
            Some((answer.stream, answer.span.start + span.start..answer.span.start + span.end))
        })
    }

    /// What the call lacked, if it failed for want of something that the lab does not have: a login, a service, a
    /// project, the network. Such a failure says nothing about the arguments of the call.
    pub(crate) fn failed_precondition(&self) -> Option<Exit> {
        *self.lacking.get_or_init(|| {
            let purpose = self.run.probe.purpose;
            if self.exited_zero() || purpose.must_succeed() || purpose == Purpose::Recorded {
                return None;
            }
            // A run that was ended at its limit may have said why it waits.
            let status = match self.run.transcript.status {
                Status::Exited(status) => Status::Exited(status),
                Status::Signaled(_) | Status::Unknown => Status::Exited(1),
            };
            let failed = Transcript { status, ..self.run.transcript.clone() };
            let class = manila_pack::read_call(&failed, &BUILTIN).class?;
            // What a complete call does not find is not there for it to find.
            let is_complete = matches!(purpose, Purpose::Sample | Purpose::Empty | Purpose::Extra);
            let is_lacking = match class {
                Exit::AuthRequired
                | Exit::PermissionDenied
                | Exit::Precondition
                | Exit::Unavailable
                | Exit::Timeout
                | Exit::RateLimited
                | Exit::PaymentRequired => true,
                // And one that is refused for its arguments was not complete.
                Exit::NotFound | Exit::ArgError => is_complete,
                _ => false,
            };
            is_lacking.then_some(class)
        })
    }

    /// What to type to see the same.
    pub fn reproduce(&self) -> String {
        let reads_input = self.command.is_some_and(|command| {
            let help = command.help.to_lowercase();
            help.contains("stdin") || help.contains("standard input")
        });
        reproduce(self.subject, self.run, reads_input)
    }

    /// The number it ended with, as a shell shows it.
    pub fn status(&self) -> Option<i32> {
        self.run.transcript.status.code()
    }

    /// Whether it ended with zero.
    pub fn exited_zero(&self) -> bool {
        self.run.transcript.status == Status::Exited(0)
    }

    /// The command as people write it, with the program's name; of a recorded run, where it lies.
    pub fn called(&self) -> String {
        if self.run.probe.purpose == Purpose::Recorded {
            return self.run.probe.command.join(" ");
        }
        let words = std::iter::once(self.subject.name()).chain(self.run.probe.command.clone());
        words.collect::<Vec<_>>().join(" ")
    }
}

/// Whether a run prints a text about the program, such as help or a completion script: a document in it is
/// an example, and not an answer.
fn is_about_program(run: &Run, commands: &BTreeMap<&[String], &Command>) -> bool {
    let is_text = |command: &&Command| command.prints_text_about_program();
    matches!(run.probe.purpose, Purpose::Help | Purpose::Version)
        || commands.get(run.probe.command.as_slice()).is_some_and(is_text)
}

/// Whether a run prints the manifest of the program.
fn is_manifest(run: &Run, surface: &Surface) -> bool {
    let words = surface.manifest.as_ref().map(|manifest| manifest.args.iter().map(OsStr::new));
    run.probe.purpose == Purpose::Manifest
        || words.is_some_and(|words| {
            let args = run.probe.args.iter().map(OsString::as_os_str);
            words.len() > 0 && args.take(words.len()).eq(words)
        })
}

/// Whether an answer of this size is to be made into a tree, which takes it from what is left.
fn fits(size: usize, left: &mut usize) -> bool {
    let fits = size <= LARGEST_TREE.min(*left);
    *left -= if fits { size } else { 0 };
    fits
}

/// The key under which a finding is reported once: the command, or the call where no commands are
/// known.
pub(crate) fn dedup_key<'s>(seen: &'s ObservedRun<'_>) -> (&'s [String], &'s [OsString]) {
    let probe = &seen.run.probe;
    let is_recorded = probe.purpose == Purpose::Recorded;
    (&probe.command, if is_recorded { &probe.args } else { &[] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trees_that_fit_into_the_bound_are_made() {
        let mut left = LARGEST_TREE + 10;
        assert!(!fits(LARGEST_TREE + 1, &mut left));
        assert!(fits(LARGEST_TREE, &mut left));
        assert!(!fits(11, &mut left));
        assert!(fits(10, &mut left));
        assert!(!fits(1, &mut left));
        assert!(fits(0, &mut left));
    }
}
