//! Partial tallies: each machine tallies a part of a log, and the parts are joined to what one pass gives.
//!
//! A part has no limit of distinct values but [`PARTIAL_DISTINCT`], because only the join knows which values come
//! first. What depends on the parts before it is kept open at both ends.

use super::drift::loose as loose_drift;
use super::histogram::Histogram;
use super::key;
use super::storm::loose::{self as loose_storm, LooseStorms};
use super::table::{Group, Table};
use super::{Dimension, Drift, Gathered, Question, Report, Scratch, Section, Stats, Tally};
use crate::sink::{Block, Record, Sink};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroU32;
use std::ops::ControlFlow;

/// How many values of each table a part counts separately. A part that has more is not a result.
const PARTIAL_DISTINCT: usize = 1_000_000;
const SCHEMA: &str = "manila-stats-partial/1";
/// No honest count is larger, and sums of counts stay numbers.
const LARGEST: u64 = 1 << 53;

/// The sink that tallies a part.
#[derive(Debug)]
pub struct Partials {
    stats: Stats,
}

impl Partials {
    /// A sink for parts of the answer to this question.
    pub fn new(question: Question) -> Self {
        Partials { stats: Stats::new(question) }
    }

    /// A part of nothing, for the scan to fill.
    pub fn partial(&self) -> Partial {
        let question = self.stats.question.clone();
        Partial { tally: self.stats.tally(), question, ..Partial::empty() }
    }
}

/// What a part of a log comes to. It is written and read with serde.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "Wire", try_from = "Wire")]
pub struct Partial {
    question: Question,
    /// How many inputs were read.
    pub inputs: u64,
    /// How many bytes.
    pub bytes: u64,
    /// Everything but storms.
    tally: Tally,
    storms: LooseStorms,
    has_room: bool,
}

/// Why parts cannot be joined, or a part is not a result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartialError {
    /// Parts that answer different questions.
    OtherQuestion,
    /// A part with more values than it can count separately.
    TooManyValues,
    /// Drift of records without a time is found by their position, which no part knows.
    NoTime,
}

impl fmt::Display for PartialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PartialError::OtherQuestion => "it answers another question than the first part",
            PartialError::TooManyValues => "a table has more than 1000000 values",
            PartialError::NoTime => {
                "drift cannot be joined: too few records say when they were written"
            }
        })
    }
}

impl std::error::Error for PartialError {}

impl Partial {
    fn empty() -> Partial {
        Partial {
            question: Question::default(),
            inputs: 0,
            bytes: 0,
            tally: Tally::default(),
            storms: LooseStorms::default(),
            has_room: true,
        }
    }

    /// The number of records.
    pub fn records(&self) -> u64 {
        self.tally.all.records
    }

    /// The counts of this part alone.
    pub fn counts(&self) -> Report {
        Report::of(&self.tally, &Question { sections: Vec::new(), ..self.question.clone() })
    }

    /// The part itself, if it counted everything separately.
    pub fn checked(self) -> Result<Partial, PartialError> {
        let is_whole = self.has_room
            && !self.tally.drift.is_cut
            && self.tally.tables.iter().all(|table| table.other.records == 0);
        if is_whole { Ok(self) } else { Err(PartialError::TooManyValues) }
    }

    /// What parts come to that follow each other: the report of one pass, with so many rows per table.
    pub fn report(
        parts: impl IntoIterator<Item = Partial>,
        top: usize,
    ) -> Result<Report, PartialError> {
        let mut parts = parts.into_iter().peekable();
        let question = parts.peek().map_or_else(Question::default, |part| part.question.clone());
        let stats = Stats::new(Question { top, ..question });
        let mut tally = stats.tally();
        for part in parts {
            if Asked::from(&part.question) != Asked::from(&stats.question) {
                return Err(PartialError::OtherQuestion);
            }
            tally.absorb(part, stats.question.distinct);
        }
        if stats.asks(Section::Drift) && !tally.drift.is_along_time() {
            return Err(PartialError::NoTime);
        }
        Ok(stats.report(&tally))
    }
}

impl Tally {
    fn absorb(&mut self, part: Partial, most: usize) {
        let next = part.tally;
        self.good += next.good;
        self.unreadable += next.unreadable;
        self.earlier += next.earlier;
        self.undated += next.undated;
        self.dated += next.dated;
        self.all.join(&next.all);
        for (table, next) in self.tables.iter_mut().zip(next.tables) {
            table.absorb(next, most);
        }
        self.storms.absorb(part.storms, most);
        self.drift.absorb(next.drift, most);
    }
}

impl Sink for Partials {
    type Part = Scratch;
    type Chunk = Gathered;
    type Ordered = Partial;

    fn part(&self) -> Scratch {
        self.stats.part()
    }

    fn record(&self, scratch: &mut Scratch, chunk: &mut Gathered, record: &Record<'_>) {
        self.stats.record(scratch, chunk, record);
    }

    fn deliver(
        &self,
        partial: &mut Partial,
        mut chunk: Gathered,
        block: &Block,
    ) -> ControlFlow<()> {
        let gusts = std::mem::take(&mut chunk.gusts);
        partial.has_room &= partial.storms.join(gusts, block, PARTIAL_DISTINCT);
        self.stats.deliver_within(&mut partial.tally, chunk, block, PARTIAL_DISTINCT);
        // What does not fit is not a result, and continuing would only fill the memory.
        if partial.has_room { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// What was asked, but for how much of it is shown.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    by: Vec<Vec<String>>,
    sections: Vec<Section>,
    since: Option<String>,
    distinct: usize,
    window_s: NonZeroU32,
}

impl From<&Question> for Asked {
    fn from(question: &Question) -> Asked {
        let by = question.by.iter().map(|by| by.iter().map(ToString::to_string).collect());
        Asked {
            by: by.collect(),
            sections: question.sections.clone(),
            since: question.since.map(|time| time.to_string()),
            distinct: question.distinct,
            window_s: question.window_s,
        }
    }
}

impl TryFrom<Asked> for Question {
    type Error = String;

    fn try_from(asked: Asked) -> Result<Self, Self::Error> {
        let known = |id: &String| {
            Dimension::from_id(id).ok_or_else(|| format!("{id:?} is not a dimension"))
        };
        let by = asked.by.iter().map(|by| by.iter().map(known).collect());
        let time = |text: &str| text.parse::<Timestamp>().map_err(|why| why.to_string());
        let since = asked.since.as_deref().map(time).transpose()?;
        Ok(Question {
            by: by.collect::<Result<_, _>>()?,
            sections: asked.sections,
            since,
            distinct: asked.distinct,
            window_s: asked.window_s,
            ..Question::default()
        })
    }
}

/// How a part is written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    schema: String,
    question: Asked,
    inputs: u64,
    bytes: u64,
    good: u64,
    unreadable: u64,
    earlier: u64,
    undated: u64,
    dated: u64,
    all: Group,
    tables: Vec<WireTable>,
    storms: loose_storm::Wire,
    drift: loose_drift::Wire,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireTable {
    groups: Vec<(Vec<Option<String>>, Group)>,
    without: u64,
}

impl From<Partial> for Wire {
    fn from(part: Partial) -> Wire {
        let Tally { good, unreadable, earlier, undated, dated, all, tables, drift, .. } =
            part.tally;
        let tables = tables.into_iter().map(|table| WireTable {
            groups: table
                .groups
                .into_iter()
                .map(|(key, group)| (key::values(&key), group))
                .collect(),
            without: table.without,
        });
        Wire {
            schema: SCHEMA.to_owned(),
            question: (&part.question).into(),
            inputs: part.inputs,
            bytes: part.bytes,
            good,
            unreadable,
            earlier,
            undated,
            dated,
            all,
            tables: tables.collect(),
            storms: (&part.storms).into(),
            drift: (&drift).into(),
        }
    }
}

impl TryFrom<Wire> for Partial {
    type Error = String;

    fn try_from(wire: Wire) -> Result<Self, Self::Error> {
        if wire.schema != SCHEMA {
            return Err(format!("its schema is {:?} and not {SCHEMA:?}", wire.schema));
        }
        let question = Question::try_from(wire.question)?;
        if wire.tables.len() != question.by.len() {
            return Err("it has another number of tables than it was asked for".to_owned());
        }
        let mut tables = Vec::new();
        for (table, by) in wire.tables.into_iter().zip(&question.by) {
            let mut read = Table { without: counted(table.without)?, ..Table::default() };
            for (values, group) in table.groups {
                if values.len() != by.len() {
                    return Err("a group has another number of values than its table".to_owned());
                }
                if read.groups.insert(key::of_values(&values), sound(group)?).is_some() {
                    return Err("a group occurs twice".to_owned());
                }
            }
            tables.push(read);
        }
        let tally = Tally {
            good: counted(wire.good)?,
            unreadable: counted(wire.unreadable)?,
            earlier: counted(wire.earlier)?,
            undated: counted(wire.undated)?,
            dated: counted(wire.dated)?,
            all: sound(wire.all)?,
            tables,
            drift: Drift::try_from(wire.drift)?,
            ..Tally::default()
        };
        let storms = LooseStorms::try_from(wire.storms)?;
        let (inputs, bytes) = (counted(wire.inputs)?, counted(wire.bytes)?);
        Ok(Partial { question, inputs, bytes, tally, storms, has_room: true })
    }
}

fn sound(group: Group) -> Result<Group, String> {
    counted(group.records)?;
    counted(group.failures)?;
    counted(group.durations.count())?;
    let is_sound = Histogram::is_sound(&group.durations);
    if is_sound { Ok(group) } else { Err("the durations of a group are not sound".to_owned()) }
}

fn counted(count: u64) -> Result<u64, String> {
    if count <= LARGEST { Ok(count) } else { Err(format!("{count} is not a count")) }
}
