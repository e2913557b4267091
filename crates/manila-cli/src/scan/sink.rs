//! What takes the records of a scan: on each thread what can be done there, in order what must be.

use super::excerpt::Excerpt;
use super::list::{List, Reader};
use super::output_file::{Lines, OutputFile, STANDARD_OUTPUT};
use super::report::Violation;
use super::tally::Tally;
use crate::watch::Watch;
use manila::json::Limits;
use manila::{Defaults, Dialect};
use manila_clap::Call;
use manila_log::{Block, Breach, Losses, Normaliser, Record, Rule, Sink};
use std::io;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// What to do with records.
pub(crate) struct Scanner<'c> {
    /// The rules that count; all of them if none is named.
    pub(crate) selected: Vec<Rule>,
    pub(crate) limit: u64,
    pub(crate) limits: Limits,
    pub(crate) to: Option<&'static dyn Dialect>,
    /// Whether records of which something would be lost are left out.
    pub(crate) is_strict: bool,
    pub(crate) quarantines: bool,
    /// Whether as many violations were shown as are wanted.
    pub(crate) is_full: AtomicBool,
    /// What it delivers to lives as long as the call.
    pub(crate) call: PhantomData<fn(&'c Call)>,
}

/// What one block leaves.
#[derive(Default)]
pub(crate) struct Chunk {
    tally: Tally,
    found: Vec<Found>,
    bad: Lines,
    good: Lines,
    losses: Losses,
}

/// A violation whose line is not known yet.
struct Found {
    /// The line, counted from the beginning of the block.
    line: u64,
    byte: u64,
    breach: Breach,
    dialect: Option<&'static str>,
    excerpt: Excerpt,
}

/// What is delivered to, in order.
pub(crate) struct Ordered<'c> {
    pub(crate) tally: Tally,
    /// What the good records lost when they were written.
    pub(crate) losses: Losses,
    pub(crate) list: List<'c>,
    pub(crate) watch: &'c Watch<'c>,
    pub(crate) quarantine: Option<OutputFile>,
    pub(crate) output: Option<OutputFile>,
    /// What could not be written, and why.
    pub(crate) failed: Option<(String, io::Error)>,
}

impl Scanner<'_> {
    fn is_selected(&self, breach: &Breach) -> bool {
        self.selected.is_empty() || self.selected.contains(&breach.rule)
    }

    /// Writes a good record, and counts what it loses; says whether it was written.
    fn convert(
        &self,
        normaliser: &mut Normaliser,
        chunk: &mut Chunk,
        record: &Record<'_>,
    ) -> Result<bool, manila::Error> {
        let lost = normaliser.losses(record)?;
        let is_written = !self.is_strict || lost.is_nothing();
        chunk.losses.add(lost);
        if is_written {
            normaliser.write(record, &mut chunk.good.bytes)?;
        }
        Ok(is_written)
    }

    /// Takes what a record breaks of what counts.
    fn violations(&self, chunk: &mut Chunk, record: &Record<'_>) {
        let selected = record.verdict.broken().iter().filter(|breach| self.is_selected(breach));
        for breach in selected {
            chunk.tally.violation(breach.rule);
            if chunk.found.len() as u64 >= self.limit || self.is_full.load(Ordering::Relaxed) {
                continue;
            }
            let before = &record.bytes[..breach.offset.min(record.bytes.len())];
            let lines = before.split(|byte| *byte == b'\n').skip(1).count();
            chunk.found.push(Found {
                line: record.line + lines as u64,
                byte: record.offset + breach.offset as u64,
                breach: *breach,
                dialect: record.verdict.envelope().map(|envelope| envelope.dialect.id()),
                excerpt: Excerpt::of(record.bytes, breach.offset),
            });
        }
    }
}

impl<'c> Sink for Scanner<'c> {
    type Part = Option<Normaliser>;
    type Chunk = Chunk;
    type Ordered = Ordered<'c>;

    fn part(&self) -> Self::Part {
        self.to.map(|to| Normaliser::new(to, Defaults::default(), self.limits))
    }

    fn record(&self, normaliser: &mut Self::Part, chunk: &mut Chunk, record: &Record<'_>) {
        let verdict = &record.verdict;
        let is_bad = verdict.broken().iter().any(|breach| self.is_selected(breach));
        chunk.tally.record(verdict, is_bad);
        if is_bad {
            self.violations(chunk, record);
            let is_whole =
                !verdict.broken().iter().any(|breach| breach.rule == Rule::RecordTooLarge);
            match is_whole {
                true if self.quarantines => chunk.bad.push(record.bytes),
                true => {}
                false => chunk.tally.too_large += 1,
            }
        } else if let Some(normaliser) = normaliser.as_mut().filter(|_| verdict.is_good()) {
            match self.convert(normaliser, chunk, record) {
                Ok(true) => chunk.good.end(),
                Ok(false) | Err(_) => chunk.tally.unconverted += 1,
            }
        }
    }

    fn deliver(&self, ordered: &mut Ordered<'c>, chunk: Chunk, block: &Block) -> ControlFlow<()> {
        ordered.tally.add(&chunk.tally);
        ordered.losses.join(chunk.losses);
        for (keep, lines) in
            [(&mut ordered.quarantine, &chunk.bad), (&mut ordered.output, &chunk.good)]
        {
            let Some(keep) = keep else { continue };
            if let Err(error) = ordered.watch.apart(|| keep.write(lines)) {
                ordered.failed = Some((keep.name.clone(), error));
                return ControlFlow::Break(());
            }
        }
        for found in chunk.found {
            if ordered.list.is_full() {
                break;
            }
            match ordered.list.push(found.at(block)) {
                Ok(Reader::Listens) => {}
                Ok(Reader::HungUp) => return ControlFlow::Break(()),
                Err(error) => {
                    ordered.failed = Some((STANDARD_OUTPUT.to_owned(), error));
                    return ControlFlow::Break(());
                }
            }
        }
        self.is_full.store(ordered.list.is_full(), Ordering::Relaxed);
        ControlFlow::Continue(())
    }
}

impl Found {
    fn at(self, block: &Block) -> Violation {
        Violation {
            file: block.name.to_string(),
            line: block.first_line + self.line,
            byte: self.byte,
            rule: self.breach.rule.id(),
            key: self.breach.key,
            dialect: self.dialect,
            excerpt: self.excerpt,
        }
    }
}
