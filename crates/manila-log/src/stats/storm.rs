//! Retry storms: the same command fails with the same code again and again.
//!
//! A run is what one command answers in a row, whatever other commands answer in between; a success
//! or another code ends it. Where records say when they were written, failures are also counted by
//! window of time.

pub(crate) mod loose;

use super::key::{Key, Map};
use super::record_view::RecordView;
use super::table::Span;
use crate::sink::{Block, Record};
use std::sync::Arc;

/// How many failures in a row are a storm.
pub const STORM: u64 = 3;

/// Failures of one command with one code in a row, or its answers that are something else.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// Which command and code; nothing for a success.
    what: Option<usize>,
    count: u64,
    line: u64,
    span: Span,
}

/// The counts of one block for one command and code.
#[derive(Debug, Default)]
struct OfCode {
    failures: u64,
    span: Span,
    /// Failures by window, in the order of the input.
    windows: Vec<(i64, u64)>,
}

/// The counts of one block.
#[derive(Debug, Default)]
pub(crate) struct Gusts {
    /// By command and code, in the order in which they came.
    codes: Map<OfCode>,
    /// By command: what it answered, one stretch after the other.
    answers: Map<Vec<Stretch>>,
}

impl Gusts {
    pub(crate) fn add(
        &mut self,
        record: &Record<'_>,
        view: &RecordView<'_>,
        window: i64,
        key: &mut Key,
    ) {
        let dialect = view.envelope.dialect.id();
        key.clear().push(Some(dialect)).push(view.program()).push(view.command());
        let answers = match self.answers.get_index_of(key.bytes()) {
            Some(at) => at,
            None => self.answers.insert_full(key.bytes().into(), Vec::new()).0,
        };
        let what = view.envelope.code.as_deref().filter(|_| !view.envelope.ok).map(|code| {
            key.push(Some(code));
            let at = match self.codes.get_index_of(key.bytes()) {
                Some(at) => at,
                None => self.codes.insert_full(key.bytes().into(), OfCode::default()).0,
            };
            self.codes[at].add(view.time(), window);
            at
        });
        let span = Span(view.time().filter(|_| what.is_some()).map(|time| (time, time)));
        match self.answers[answers].last_mut() {
            Some(last) if last.what == what => {
                last.count += 1;
                last.span.join(span);
            }
            _ => self.answers[answers].push(Stretch { what, count: 1, line: record.line, span }),
        }
    }
}

impl OfCode {
    fn add(&mut self, time: Option<i64>, window: i64) {
        self.failures += 1;
        let Some(time) = time else { return };
        self.span.add(time);
        let window = time.div_euclid(window);
        match self.windows.last_mut() {
            Some((last, count)) if *last == window => *count += 1,
            _ => self.windows.push((window, 1)),
        }
    }
}

/// A run that continues.
#[derive(Clone, Debug)]
struct Open {
    what: Option<usize>,
    run: Run,
}

/// Failures in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) count: u64,
    pub(crate) input: Arc<str>,
    pub(crate) line: u64,
    pub(crate) span: Span,
}

/// All that is known of one command and code.
#[derive(Clone, Debug, Default)]
pub(crate) struct Storm {
    pub(crate) failures: u64,
    pub(crate) span: Span,
    /// How many runs were long enough, and how many failures were in them.
    pub(crate) runs: u64,
    pub(crate) repeats: u64,
    pub(crate) longest: Option<Run>,
    /// The window with the most failures: which, and how many.
    pub(crate) busiest: Option<(i64, u64)>,
    window: Option<(i64, u64)>,
}

impl Storm {
    fn end(&mut self, run: &Run) {
        if run.count < STORM {
            return;
        }
        self.runs += 1;
        self.repeats += run.count;
        if self.longest.as_ref().is_none_or(|longest| longest.count < run.count) {
            self.longest = Some(run.clone());
        }
    }

    fn join(&mut self, next: &OfCode) {
        self.failures += next.failures;
        self.span.join(next.span);
        for (window, count) in &next.windows {
            let before = self.window.filter(|(open, _)| open == window).map_or(0, |it| it.1);
            let count = before + count;
            self.window = Some((*window, count));
            if self.busiest.is_none_or(|(_, most)| most < count) {
                self.busiest = Some((*window, count));
            }
        }
    }
}

/// All storms, of as many commands and codes as there may be: those that came first in the input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Storms {
    watched: Map<Storm>,
    open: Map<Open>,
    /// Failures that were not watched, because there are too many commands or codes.
    pub(crate) unwatched: u64,
}

impl Storms {
    /// Adds the counts of one command and code, if it is watched or there is room for it. Returns its place.
    fn watch(&mut self, key: Box<[u8]>, counts: &OfCode, most: usize) -> Option<usize> {
        let has_room = self.watched.len() < most;
        let at = match self.watched.get_index_of(&key) {
            Some(at) => Some(at),
            None if has_room => Some(self.watched.insert_full(key, Storm::default()).0),
            None => None,
        };
        match at.and_then(|at| self.watched.get_index_mut(at)) {
            Some((_, storm)) => storm.join(counts),
            None => self.unwatched += counts.failures,
        }
        at
    }

    /// Adds the next block.
    pub(crate) fn join(&mut self, next: Gusts, block: &Block, most: usize) {
        let mut known = Vec::with_capacity(next.codes.len());
        for (key, counts) in next.codes {
            known.push(self.watch(key, &counts, most));
        }
        for (key, stretches) in next.answers {
            for stretch in stretches {
                let what = stretch.what.and_then(|what| known[what]);
                self.answer(&key, Stretch { what, ..stretch }, block, most);
            }
        }
    }

    fn answer(&mut self, key: &[u8], next: Stretch, block: &Block, most: usize) {
        let Stretch { what, count, line, span } = next;
        let begun = || {
            let (input, line) = (Arc::clone(&block.name), block.first_line + line);
            Open { what, run: Run { count, input, line, span } }
        };
        let has_room = self.open.len() < most;
        match self.open.get_mut(key) {
            Some(open) if open.what == what => {
                open.run.count += count;
                open.run.span.join(span);
            }
            Some(open) => {
                let ended = std::mem::replace(open, begun());
                if let Some(what) = ended.what {
                    self.watched[what].end(&ended.run);
                }
            }
            None if has_room => {
                self.open.insert(key.into(), begun());
            }
            None => {}
        }
    }

    /// Every command and code, with the runs that nothing has ended.
    pub(crate) fn ended(&self) -> Map<Storm> {
        let mut storms = self.watched.clone();
        for open in self.open.values() {
            if let Some(what) = open.what {
                storms[what].end(&open.run);
            }
        }
        storms
    }
}
