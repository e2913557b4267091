//! All runs of a check, read once, and the questions that rules ask about them.

use crate::compare::{self, Difference, Volatile};
use crate::probe::{Form, LATE_ROUND, Probe, Purpose, Setting};
use crate::reading::Reading;
use crate::run::Run;
use crate::subject::Subject;
use crate::surface::{Command, Surface};
use manila::{Dialect, Status};
use std::collections::BTreeMap;

/// All runs of a check.
#[derive(Debug)]
pub struct Evidence<'e> {
    /// The program.
    pub subject: &'e Subject,
    /// What it offers.
    pub surface: &'e Surface,
    /// Each run with what it says, in the order of the plan.
    pub runs: Vec<Seen<'e>>,
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
}

impl<'e> Evidence<'e> {
    /// Reads all runs.
    pub fn new(subject: &'e Subject, surface: &'e Surface, runs: &'e [Run]) -> Evidence<'e> {
        let runs = runs
            .iter()
            .map(|run| Seen {
                run,
                reading: Reading::of(&run.transcript),
                command: surface.commands.iter().find(|it| it.path == run.probe.command),
                subject,
            })
            .collect();
        Evidence { subject, surface, runs }
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
        self.runs.iter().find(|seen| seen.run.probe == *probe)
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
        compare::difference(usual, other, &self.volatile(usual))
    }

    /// What differs between equal runs of this call: the plain one, its further rounds, and the one at
    /// the end of the check, by which time what is measured has changed by itself.
    pub fn volatile(&self, usual: &Seen<'_>) -> Volatile {
        const ROUNDS: std::ops::RangeInclusive<u8> = 1..=LATE_ROUND;
        let plain = Probe { setting: Setting::default(), ..usual.run.probe.clone() };
        let Some(first) = self.run_of(&plain) else { return Volatile::default() };
        let again = ROUNDS.filter_map(|round| self.run_of(&plain.clone().round(round)));
        again.fold(Volatile::default(), |all, again| all.and(Volatile::between(first, again)))
    }
}

impl Setting {
    /// Whether an answer cannot be expected to arrive whole.
    pub fn is_lossy(&self) -> bool {
        matches!(self.outlet, crate::probe::Outlet::ClosedPipe { .. }) || self.disturbance.is_some()
    }
}

impl Seen<'_> {
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
