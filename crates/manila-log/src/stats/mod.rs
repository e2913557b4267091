//! Tallies over a log: counts and rates, times, storms and drift, in memory that does not grow with
//! the log.
//!
//! Counts of a block are collected on its thread and joined in the order of the input. The number
//! of distinct values is limited: those that come first in the input are counted separately, the
//! rest is counted as other. So neither the number of threads nor the block boundaries change a
//! figure.
//!
//! ```
//! use manila_log::stats::{Dimension, Question, Stats};
//! use manila_log::{Body, Input, Options, scan};
//!
//! let log = br#"{"schema":"animus.cli.v1","ok":true,"data":1}
//! {"schema":"animus.cli.v1","ok":false,"error":{"code":"conflict","message":"m","exit_code":4}}
//! "#;
//! let input = Input { name: "log".into(), body: Body::Stream(Box::new(&log[..])) };
//! let stats = Stats::new(Question::by([vec![Dimension::Code]]));
//! let outcome = scan([Ok(input)].into_iter(), &stats, stats.tally(), &Options::default());
//! let report = stats.report(&outcome.ordered);
//! let row = &report.tables.expect("it was asked for")[0].rows[0];
//! assert_eq!((row.values[0].as_deref(), row.records, row.share), (Some("conflict"), 1, 0.5));
//! ```

mod dimension;
mod drift;
mod histogram;
mod key;
mod partial;
mod record_view;
mod report;
mod storm;
mod table;
mod timeline;

pub use dimension::{DIMENSIONS, Dimension};
pub use drift::{Change, Thing};
pub use histogram::PERCENTILE_ERROR;
pub use partial::{Partial, PartialError, Partials};
pub(crate) use record_view::RecordView;
pub use report::{
    DriftReport, DriftRow, Durations, Longest, Report, Row, Since, StormRow, Storms, TableReport,
    Times, Window,
};
pub use storm::STORM;

use crate::sink::{Block, Record, Sink};
use drift::{Drift, Sightings};
use jiff::Timestamp;
use key::Key;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;
use std::ops::ControlFlow;
use storm::Gusts;
use table::{Group, Groups, Table};

/// A part of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Section {
    /// When records were written and how long their commands took.
    Times,
    /// Counts by some dimensions.
    Tables,
    /// The same command with the same code again and again.
    Storms,
    /// What appears or vanishes.
    Drift,
}

/// Every section.
pub const SECTIONS: [Section; 4] =
    [Section::Times, Section::Tables, Section::Storms, Section::Drift];

const MINUTE: NonZeroU32 = match NonZeroU32::new(60) {
    Some(seconds) => seconds,
    None => NonZeroU32::MIN,
};

/// What is asked of a log.
#[derive(Clone, Debug)]
pub struct Question {
    /// The tables, each by some dimensions.
    pub by: Vec<Vec<Dimension>>,
    /// What else. Only what is asked for is looked up.
    pub sections: Vec<Section>,
    /// Only records from then on; those that do not say when they were written are left out.
    pub since: Option<Timestamp>,
    /// How many rows a table has.
    pub top: usize,
    /// How many values are counted separately in each table.
    pub distinct: usize,
    /// How long a window is in which failures are counted, in seconds.
    pub window_s: NonZeroU32,
}

impl Default for Question {
    /// Everything, in the usual measure.
    fn default() -> Self {
        let usual = DIMENSIONS.iter().filter(|dimension| dimension.is_usual());
        Question {
            by: usual.map(|dimension| vec![*dimension]).collect(),
            sections: SECTIONS.to_vec(),
            since: None,
            top: 10,
            distinct: 1000,
            window_s: MINUTE,
        }
    }
}

impl Question {
    /// These tables and nothing else, which is quickest.
    pub fn by(tables: impl IntoIterator<Item = Vec<Dimension>>) -> Self {
        let by = tables.into_iter().collect();
        Question { by, sections: vec![Section::Tables], ..Question::default() }
    }

    fn window_ms(&self) -> i64 {
        i64::from(self.window_s.get()) * 1000
    }
}

/// The sink that tallies.
#[derive(Debug)]
pub struct Stats {
    question: Question,
}

impl Stats {
    /// A sink that answers this question.
    pub fn new(question: Question) -> Self {
        Stats { question }
    }

    /// A tally of nothing, for the scan to fill.
    pub fn tally(&self) -> Tally {
        Tally { tables: vec![Table::default(); self.question.by.len()], ..Tally::default() }
    }

    /// What a tally comes to.
    pub fn report(&self, tally: &Tally) -> Report {
        Report::of(tally, &self.question)
    }

    fn asks(&self, section: Section) -> bool {
        self.question.sections.contains(&section)
    }
}

/// Memory that a thread uses again for each record.
#[derive(Debug, Default)]
pub struct Scratch(Key);

/// The counts of one block.
#[derive(Debug, Default)]
pub struct Gathered {
    good: u64,
    unreadable: u64,
    earlier: u64,
    undated: u64,
    dated: u64,
    all: Group,
    tables: Vec<Groups>,
    gusts: Gusts,
    sightings: Sightings,
}

/// The counts of all blocks so far.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    good: u64,
    unreadable: u64,
    earlier: u64,
    undated: u64,
    dated: u64,
    all: Group,
    tables: Vec<Table>,
    storms: storm::Storms,
    drift: Drift,
}

impl Sink for Stats {
    type Part = Scratch;
    type Chunk = Gathered;
    type Ordered = Tally;

    fn part(&self) -> Scratch {
        Scratch::default()
    }

    fn record(&self, Scratch(key): &mut Scratch, chunk: &mut Gathered, record: &Record<'_>) {
        let Some(view) = RecordView::of(record) else {
            chunk.unreadable += 1;
            return;
        };
        if let Some(since) = self.question.since {
            let Some(time) = view.time() else {
                chunk.undated += 1;
                return;
            };
            if time < since.as_millisecond() {
                chunk.earlier += 1;
                return;
            }
        }
        chunk.good += u64::from(record.verdict.is_good());
        if self.asks(Section::Times) {
            chunk.all.add(&view);
            chunk.dated += u64::from(view.time().is_some());
        } else {
            chunk.all.count(&view);
        }
        if self.asks(Section::Tables) {
            chunk.tables.resize_with(self.question.by.len(), Groups::default);
            for (by, groups) in self.question.by.iter().zip(&mut chunk.tables) {
                groups.add(by, &view, key);
            }
        }
        if self.asks(Section::Storms) {
            chunk.gusts.add(record, &view, self.question.window_ms(), key);
        }
        if self.asks(Section::Drift) {
            chunk.sightings.add(&view, key);
        }
    }

    fn deliver(&self, tally: &mut Tally, chunk: Gathered, block: &Block) -> ControlFlow<()> {
        self.deliver_within(tally, chunk, block, self.question.distinct);
        ControlFlow::Continue(())
    }
}

impl Stats {
    /// Adds the counts of a block, with so many values counted separately.
    fn deliver_within(&self, tally: &mut Tally, chunk: Gathered, block: &Block, most: usize) {
        tally.good += chunk.good;
        tally.unreadable += chunk.unreadable;
        tally.earlier += chunk.earlier;
        tally.undated += chunk.undated;
        tally.dated += chunk.dated;
        tally.all.join(&chunk.all);
        for (table, groups) in tally.tables.iter_mut().zip(chunk.tables) {
            table.join(groups, most);
        }
        tally.storms.join(chunk.gusts, block, most);
        tally.drift.join(chunk.sightings, most);
    }
}
