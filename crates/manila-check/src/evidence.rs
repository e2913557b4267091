//! All runs of a check, read once, and the questions that rules ask about them.

use crate::blemish::Look;
use crate::compare::{self, Difference, Volatile};
use crate::probe::{Form, LATE_ROUND, Probe, Purpose, Setting};
use crate::reading::{PAYLOADS, Reading};
use crate::run::Run;
use crate::subject::Subject;
use crate::surface::{Command, Surface};
use manila::{Dialect, Status};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The largest answer that is made into a tree, and the most of all together, in bytes: a tree may take
/// twenty times the room of its text.
const LARGEST_TREE: usize = 8 << 20;
const ALL_TREES: usize = 48 << 20;

/// All runs of a check.
#[derive(Debug)]
pub struct Evidence<'e> {
    /// The program.
    pub subject: &'e Subject,
    /// What it offers.
    pub surface: &'e Surface,
    /// Each run with what it says, in the order of the plan.
    pub runs: Vec<Seen<'e>>,
    /// Where the run of each probe stands among them.
    places: BTreeMap<&'e Probe, usize>,
}

/// A run, and what it says.
#[derive(Debug)]
pub struct Seen<'e> {
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
    look: OnceLock<Look>,
    failure: OnceLock<Option<Look>>,
}

impl<'e> Evidence<'e> {
    /// Reads all runs.
    pub fn new(subject: &'e Subject, surface: &'e Surface, runs: &'e [Run]) -> Evidence<'e> {
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
        let runs: Vec<Seen<'e>> = runs
            .map(|(run, reading)| {
                let size = reading.answer.as_ref().map_or(0, |answer| answer.span.len());
                let is_oversized = !fits(size, &mut left);
                Seen {
                    run,
                    reading,
                    command: commands.get(run.probe.command.as_slice()).copied(),
                    subject,
                    is_oversized,
                    document: OnceLock::new(),
                    compared: OnceLock::new(),
                    volatile: OnceLock::new(),
                    look: OnceLock::new(),
                    failure: OnceLock::new(),
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
    pub fn of(&self, purpose: Purpose, form: Form) -> impl Iterator<Item = &Seen<'e>> {
        self.runs
            .iter()
            .filter(move |seen| seen.run.probe.purpose == purpose && seen.run.probe.form == form)
    }

    /// The runs with nothing special about their surroundings, recorded ones among them.
    pub fn plain(&self) -> impl Iterator<Item = &Seen<'e>> {
        self.runs.iter().filter(|seen| seen.run.probe.is_plain())
    }

    /// The runs that were asked for JSON, in any setting, and ended by themselves. Help, which may be
    /// text in any program, is not among them; neither is what a closed reader cut.
    pub fn json(&self) -> impl Iterator<Item = &Seen<'e>> {
        self.runs.iter().filter(|seen| {
            let probe = &seen.run.probe;
            probe.form == Form::Json
                && !matches!(probe.purpose, Purpose::Help | Purpose::Version | Purpose::Bare)
                && seen.run.ended_by_itself()
                && !probe.setting.is_lossy()
        })
    }

    /// The run of this very probe, if it was made.
    pub fn run_of(&self, probe: &Probe) -> Option<&Seen<'e>> {
        self.places.get(probe).map(|at| &self.runs[*at])
    }

    /// The run of the same call with nothing special about its surroundings.
    pub fn plain_twin(&self, seen: &Seen<'_>) -> Option<&Seen<'e>> {
        self.run_of(&Probe { setting: Setting::default(), ..seen.run.probe.clone() })
    }

    /// The dialect that most answers of this program are in, if any is more than a guess.
    pub fn dialect(&self) -> Option<&'static dyn Dialect> {
        let mut counts: BTreeMap<&str, (usize, &'static dyn Dialect)> = BTreeMap::new();
        for dialect in self.runs.iter().filter_map(|seen| seen.reading.dialect()) {
            counts.entry(dialect.id()).or_insert((0, dialect)).0 += 1;
        }
        counts.into_values().max_by_key(|(count, _)| *count).map(|(_, dialect)| dialect)
    }

    /// How the answer of a run differs from that of another, beside what differs between equal runs.
    pub fn difference(&self, usual: &Seen<'_>, other: &Seen<'_>) -> Option<Difference> {
        compare::difference(usual, other, self.volatile(usual))
    }

    /// What differs between equal runs of this call: the plain one, its further rounds, and the one at
    /// the end of the check, by which time what is measured has changed by itself.
    pub fn volatile(&self, usual: &Seen<'_>) -> &Volatile {
        const ROUNDS: std::ops::RangeInclusive<u8> = 1..=LATE_ROUND;
        static NOTHING: Volatile = Volatile::nothing();
        let plain = Probe { setting: Setting::default(), ..usual.run.probe.clone() };
        let Some(first) = self.run_of(&plain) else { return &NOTHING };
        first.volatile.get_or_init(|| {
            let again = ROUNDS.filter_map(|round| self.run_of(&plain.clone().round(round)));
            again.fold(Volatile::default(), |all, again| all.and(Volatile::between(first, again)))
        })
    }
}

impl Setting {
    /// Whether an answer cannot be expected to arrive whole.
    pub fn is_lossy(&self) -> bool {
        matches!(self.outlet, crate::probe::Outlet::ClosedPipe { .. }) || self.disturbance.is_some()
    }
}

impl Seen<'_> {
    /// Whether the answer is too large to be made into a tree, so that nothing can be told of its values.
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

    /// The answer as a tree without the name of the run's own folder, which no other run has.
    pub(crate) fn compared(&self) -> Option<&Value> {
        let folder = self.run.folder.as_str();
        let text = std::str::from_utf8(self.answered()?).ok()?;
        if folder.is_empty() || !text.contains(folder) {
            return self.document();
        }
        let read = || serde_json::from_str(&text.replace(folder, "")).ok();
        self.compared.get_or_init(read).as_ref()
    }

    fn answered(&self) -> Option<&[u8]> {
        let answer = self.reading.answer.as_ref().filter(|_| !self.is_oversized)?;
        self.run.transcript.stream(answer.stream).get(answer.span.clone())
    }

    /// What stands on standard output where a document should.
    pub(crate) fn look(&self) -> &Look {
        self.look.get_or_init(|| Look::at(self))
    }

    /// What stands on the stream that the answer is on: standard error for a failure that is there.
    pub(crate) fn look_at_answer(&self) -> &Look {
        let failure = self.failure.get_or_init(|| Look::at_failure(self));
        failure.as_ref().unwrap_or_else(|| self.look())
    }

    /// What to type to see the same.
    pub fn reproduce(&self) -> String {
        crate::reproduce::reproduce(self.subject, &self.run.probe, &self.run.transcript)
    }

    /// The number it ended with, as a shell shows it.
    pub fn status(&self) -> Option<i32> {
        self.run.transcript.status.code()
    }

    /// Whether it ended with nought.
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

/// Whether an answer of this size is to be made into a tree, which takes it from what is left.
fn fits(size: usize, left: &mut usize) -> bool {
    let fits = size <= LARGEST_TREE.min(*left);
    *left -= if fits { size } else { 0 };
    fits
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
