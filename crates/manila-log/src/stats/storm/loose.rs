//! Storms of a part of a log, with both ends open: the run at the beginning may continue one that
//! began before.

use super::{Gusts, OfCode, Open, Run, STORM, Storm, Storms, Stretch};
use crate::sink::Block;
use crate::stats::key::{self, Map};
use crate::stats::table::Span;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Between windows of which some were left out, so that equal neighbours are not taken for one.
const GAP: (i64, u64) = (i64::MIN, 0);

/// The storms of a part of a log.
#[derive(Clone, Debug, Default)]
pub(crate) struct LooseStorms {
    codes: Map<LooseCode>,
    answers: Map<Answers>,
}

/// Its counts for one command and code.
#[derive(Clone, Debug, Default)]
struct LooseCode {
    failures: u64,
    span: Span,
    /// The first window, the busiest between, and the last.
    windows: Vec<(i64, u64)>,
}

/// What one command answered: the first run and the last, which others may continue, and what ended
/// between.
#[derive(Clone, Debug)]
struct Answers {
    first: Open,
    between: Vec<(usize, Ended)>,
    last: Option<Open>,
}

/// Runs of one code that have ended.
#[derive(Clone, Debug)]
struct Ended {
    runs: u64,
    repeats: u64,
    longest: Run,
}

impl LooseStorms {
    /// Adds the next block; returns whether there was room for all of it.
    pub(crate) fn join(&mut self, next: Gusts, block: &Block, most: usize) -> bool {
        let mut places = Vec::with_capacity(next.codes.len());
        for (key, counts) in next.codes {
            let place = self.codes.entry(key);
            places.push(place.index());
            place.or_default().join(counts);
        }
        for (key, stretches) in next.answers {
            for Stretch { what, count, line, span } in stretches {
                let (input, line) = (Arc::clone(&block.name), block.first_line + line);
                let what = what.map(|what| places[what]);
                let open = Open { what, run: Run { count, input, line, span } };
                if let Some(answers) = self.answers.get_mut(&key) {
                    answers.push(open);
                } else {
                    let answers = Answers { first: open, between: Vec::new(), last: None };
                    self.answers.insert(key.clone(), answers);
                }
            }
        }
        self.codes.len() <= most && self.answers.len() <= most
    }
}

impl LooseCode {
    fn join(&mut self, next: OfCode) {
        self.failures += next.failures;
        self.span.join(next.span);
        for (window, count) in next.windows {
            match self.windows.last_mut() {
                Some((last, sum)) if *last == window => *sum += count,
                _ => self.windows.push((window, count)),
            }
        }
        if let [first, between @ .., last] = &self.windows[..]
            && between.len() > 3
        {
            // The earliest of equals, as in one pass.
            let busiest = between.iter().rev().max_by_key(|(_, count)| *count);
            self.windows = [Some(first), Some(&GAP), busiest, Some(&GAP), Some(last)]
                .into_iter()
                .flatten()
                .copied()
                .collect();
        }
    }
}

impl Answers {
    fn push(&mut self, next: Open) {
        let open = self.last.as_mut().unwrap_or(&mut self.first);
        if open.what == next.what {
            open.run.count += next.run.count;
            open.run.span.join(next.run.span);
            return;
        }
        let Some(Open { what: Some(what), run }) = self.last.replace(next) else { return };
        if run.count < STORM {
            return;
        }
        match self.between.iter_mut().find(|(known, _)| *known == what) {
            Some((_, ended)) => ended.add(1, run.count, &run),
            None => self.between.push((what, Ended { runs: 1, repeats: run.count, longest: run })),
        }
    }
}

impl Ended {
    fn add(&mut self, runs: u64, repeats: u64, longest: &Run) {
        self.runs += runs;
        self.repeats += repeats;
        if self.longest.count < longest.count {
            self.longest = longest.clone();
        }
    }
}

impl Storm {
    fn absorb(&mut self, ended: Ended) {
        self.runs += ended.runs;
        self.repeats += ended.repeats;
        if self.longest.as_ref().is_none_or(|longest| longest.count < ended.longest.count) {
            self.longest = Some(ended.longest);
        }
    }
}

impl Storms {
    /// Adds the following part of a log.
    pub(crate) fn absorb(&mut self, next: LooseStorms, most: usize) {
        let mut known = Vec::with_capacity(next.codes.len());
        for (key, LooseCode { failures, span, windows }) in next.codes {
            known.push(self.watch(key, &OfCode { failures, span, windows }, most));
        }
        for (key, Answers { first, between, last }) in next.answers {
            let has_room = self.open.len() < most;
            let of = |open: Open| Open { what: open.what.and_then(|what| known[what]), ..open };
            let first = of(first);
            let open = match self.open.get_mut(&key) {
                Some(open) if open.what == first.what => {
                    open.run.count += first.run.count;
                    open.run.span.join(first.run.span);
                    open
                }
                Some(open) => {
                    let ended = std::mem::replace(open, first);
                    if let Some(what) = ended.what {
                        self.watched[what].end(&ended.run);
                    }
                    open
                }
                None if has_room => self.open.entry(key).or_insert(first),
                None => continue,
            };
            let Some(last) = last else { continue };
            let ended = std::mem::replace(open, of(last));
            if let Some(what) = ended.what {
                self.watched[what].end(&ended.run);
            }
            for (what, ended) in between {
                if let Some(at) = known[what] {
                    self.watched[at].absorb(ended);
                }
            }
        }
    }
}

/// How storms are written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wire {
    codes: Vec<(Vec<Option<String>>, u64, Span, Vec<(i64, u64)>)>,
    answers:
        Vec<(Vec<Option<String>>, WireOpen, Vec<(usize, u64, u64, WireRun)>, Option<WireOpen>)>,
}

type WireOpen = (Option<usize>, WireRun);
type WireRun = (u64, String, u64, Span);

impl From<&LooseStorms> for Wire {
    fn from(storms: &LooseStorms) -> Wire {
        let run = |run: &Run| (run.count, run.input.to_string(), run.line, run.span);
        let open = |open: &Open| (open.what, run(&open.run));
        let codes = storms.codes.iter().map(|(key, counts)| {
            (key::values(key), counts.failures, counts.span, counts.windows.clone())
        });
        let answers = storms.answers.iter().map(|(key, answers)| {
            let between = answers.between.iter();
            let between =
                between.map(|(what, it)| (*what, it.runs, it.repeats, run(&it.longest))).collect();
            (key::values(key), open(&answers.first), between, answers.last.as_ref().map(open))
        });
        Wire { codes: codes.collect(), answers: answers.collect() }
    }
}

impl TryFrom<Wire> for LooseStorms {
    type Error = &'static str;

    fn try_from(wire: Wire) -> Result<Self, Self::Error> {
        let codes = wire.codes.len();
        let run =
            |(count, input, line, span): WireRun| Run { count, input: input.into(), line, span };
        let known =
            |what: usize| if what < codes { Ok(what) } else { Err("a run has an unknown code") };
        let open = |(what, it): WireOpen| {
            Ok::<_, Self::Error>(Open { what: what.map(known).transpose()?, run: run(it) })
        };
        let mut storms = LooseStorms::default();
        for (key, failures, span, windows) in wire.codes {
            storms.codes.insert(key::of_values(&key), LooseCode { failures, span, windows });
        }
        if storms.codes.len() != codes {
            return Err("a code occurs twice");
        }
        for (key, first, between, last) in wire.answers {
            let between = between.into_iter().map(|(what, runs, repeats, longest)| {
                Ok::<_, Self::Error>((known(what)?, Ended { runs, repeats, longest: run(longest) }))
            });
            let between = between.collect::<Result<_, _>>()?;
            let answers =
                Answers { first: open(first)?, between, last: last.map(open).transpose()? };
            if storms.answers.insert(key::of_values(&key), answers).is_some() {
                return Err("a command occurs twice");
            }
        }
        Ok(storms)
    }
}
