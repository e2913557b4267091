//! The columns: the table of them, and the rows of one directory in memory.

use super::Partition;
use crate::sink::{Block, Record};
use crate::stats::RecordView;
use manila::Envelope;
use manila::json::Raw;
use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::Result;
use parquet::file::writer::SerializedColumnWriter;
use parquet::schema::types;
use serde::Serialize;
use std::borrow::Cow;
use std::sync::Arc;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `BYTE_ARRAY (STRING)`.
    Text,
    /// `BYTE_ARRAY (JSON)`.
    Json,
    /// `BOOLEAN`.
    Flag,
    /// `INT64`.
    Number,
    /// `INT64 (TIMESTAMP(MILLIS, UTC))`.
    Time,
}

/// What a row is made of.
struct Row<'a, 'r> {
    record: &'a Record<'a>,
    view: &'a RecordView<'r>,
    envelope: &'a Envelope,
}

/// One value of a row.
enum Cell<'a> {
    Absent,
    Text(Cow<'a, str>),
    Flag(bool),
    Number(i64),
}

/// Where the values of a column come from.
#[derive(Clone, Copy)]
enum Fill {
    /// The record has it.
    Record(for<'a> fn(&'a Row<'a, '_>) -> Cell<'a>),
    /// The block has it, when its turn has come.
    Input,
    Line,
}

/// A column.
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub of: Type,
    /// Whether it always holds something.
    pub is_required: bool,
    /// What it means.
    pub meaning: &'static str,
    fill: Fill,
}

macro_rules! columns {
    ($($need:ident $name:literal: $type:ident, $meaning:literal, $fill:expr;)*) => {
        /// Every column, in the order of the files. Those that name directories are not in the
        /// files.
        pub static COLUMNS: &[Column] = &[$(Column {
            name: $name,
            of: Type::$type,
            is_required: columns!(@ $need),
            meaning: $meaning,
            fill: $fill,
        },)*];
    };
    (@ must) => { true };
    (@ may) => { false };
}

columns! {
    must "input": Text, "the name of the input", Fill::Input;
    must "line": Number, "the line on which the record begins, from 1", Fill::Line;
    must "offset": Number, "the byte at which it begins, from 0", Fill::Record(|row| count(row.record.offset));
    must "dialect": Text, "the dialect", Fill::Record(|row| word(row.view.envelope.dialect.id()));
    must "ok": Flag, "whether it succeeded", Fill::Record(|row| Cell::Flag(row.view.envelope.ok));
    must "exit": Text, "the class of the outcome", Fill::Record(|row| word(row.view.envelope.exit.name()));
    must "good": Flag, "whether it breaks no rule", Fill::Record(|row| Cell::Flag(row.record.verdict.is_good()));
    may "broken": Text, "the ids of the rules it breaks, with a space between", Fill::Record(broken);
    may "time": Time, "when it was written", Fill::Record(|row| row.view.time().map_or(Cell::Absent, Cell::Number));
    may "program": Text, "the program that was run, where the record says", Fill::Record(|row| text(row.view.program()));
    may "command": Text, "the command, or the kind of the answer", Fill::Record(|row| text(row.view.command()));
    may "duration_ms": Number, "how long the command took", Fill::Record(|row| row.view.duration().map_or(Cell::Absent, count));
    may "request_id": Text, "what to look for in other logs", Fill::Record(|row| text(row.envelope.meta().request_id.as_deref()));
    may "code": Text, "the code of the error", Fill::Record(|row| text(row.view.envelope.code.as_deref()));
    may "message": Text, "the error for people", Fill::Record(|row| text(row.envelope.error().map(|it| it.message.as_str())));
    may "retryable": Flag, "whether the error says that calling again can help", Fill::Record(|row| row.view.verdict.retryable().map_or(Cell::Absent, Cell::Flag));
    may "wait_ms": Number, "how long to wait before", Fill::Record(|row| row.envelope.error().and_then(|it| it.wait_ms).map_or(Cell::Absent, count));
    may "operation": Text, "what was attempted when it failed", Fill::Record(|row| text(row.envelope.error().and_then(|it| it.operation.as_deref())));
    may "target": Text, "what it failed on", Fill::Record(|row| text(row.envelope.error().and_then(|it| it.target.as_deref())));
    may "suggestion": Text, "what the error says to do next", Fill::Record(|row| text(row.envelope.error().and_then(|it| it.suggestion.as_deref())));
    may "data": Json, "the payload, as it was spelled", Fill::Record(|row| text(row.envelope.content().data.as_ref().map(Raw::as_str)));
    may "error": Json, "the whole error", Fill::Record(|row| row.envelope.error().map_or(Cell::Absent, json));
    may "issues": Json, "findings, a list", Fill::Record(|row| list(&row.envelope.content().issues));
    may "warnings": Json, "what went not quite right, a list", Fill::Record(|row| list(&row.envelope.content().warnings));
    must "meta": Json, "about the answer rather than of it", Fill::Record(|row| json(row.envelope.meta()));
    may "extra": Json, "members that belong to no field", Fill::Record(extra);
}

fn word(text: &'static str) -> Cell<'static> {
    Cell::Text(Cow::Borrowed(text))
}

fn text(text: Option<&str>) -> Cell<'_> {
    text.map_or(Cell::Absent, |text| Cell::Text(Cow::Borrowed(text)))
}

fn count(number: u64) -> Cell<'static> {
    Cell::Number(i64::try_from(number).unwrap_or(i64::MAX))
}

fn json(value: &impl Serialize) -> Cell<'static> {
    Raw::from_serialize(value)
        .map_or(Cell::Absent, |raw| Cell::Text(Cow::Owned(raw.as_str().to_owned())))
}

fn list<T: Serialize>(values: &[T]) -> Cell<'static> {
    if values.is_empty() { Cell::Absent } else { json(&values) }
}

fn extra<'a>(row: &'a Row<'a, '_>) -> Cell<'a> {
    let extra = &row.envelope.content().extra;
    if extra.is_empty() { Cell::Absent } else { json(extra) }
}

fn broken<'a>(row: &'a Row<'a, '_>) -> Cell<'a> {
    let rules: Vec<&str> = row.record.verdict.broken().iter().map(|it| it.rule.id()).collect();
    if rules.is_empty() { Cell::Absent } else { Cell::Text(Cow::Owned(rules.join(" "))) }
}

/// The columns of the files of a dataset.
pub(super) fn stored(partition: &[Partition]) -> impl Iterator<Item = &'static Column> {
    COLUMNS.iter().filter(|column| partition.iter().all(|it| it.id() != column.name))
}

impl Column {
    pub(super) fn schema(&self) -> Result<types::TypePtr> {
        let physical = match self.of {
            Type::Text | Type::Json => Physical::BYTE_ARRAY,
            Type::Flag => Physical::BOOLEAN,
            Type::Number | Type::Time => Physical::INT64,
        };
        let logical = match self.of {
            Type::Text => Some(LogicalType::String),
            Type::Json => Some(LogicalType::Json),
            Type::Time => Some(LogicalType::timestamp(true, TimeUnit::MILLIS)),
            Type::Flag | Type::Number => None,
        };
        let need = if self.is_required { Repetition::REQUIRED } else { Repetition::OPTIONAL };
        let builder = types::Type::primitive_type_builder(self.name, physical);
        Ok(Arc::new(builder.with_repetition(need).with_logical_type(logical).build()?))
    }
}

/// The values of one column that are there, and for each row whether one is.
#[derive(Debug)]
struct Values {
    column: &'static Column,
    levels: Vec<i16>,
    flags: Vec<bool>,
    numbers: Vec<i64>,
    bytes: Vec<u8>,
    /// Where each text ends in `bytes`.
    ends: Vec<usize>,
}

impl std::fmt::Debug for Column {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Column").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Values {
    fn new(column: &'static Column) -> Self {
        Values {
            column,
            levels: Vec::new(),
            flags: Vec::new(),
            numbers: Vec::new(),
            bytes: Vec::new(),
            ends: Vec::new(),
        }
    }

    fn push(&mut self, cell: Cell<'_>) {
        self.levels.push(i16::from(!matches!(cell, Cell::Absent)));
        match cell {
            Cell::Absent => {}
            Cell::Flag(flag) => self.flags.push(flag),
            Cell::Number(number) => self.numbers.push(number),
            Cell::Text(text) => {
                self.bytes.extend_from_slice(text.as_bytes());
                self.ends.push(self.bytes.len());
            }
        }
    }

    /// How much memory it takes.
    fn size(&self) -> usize {
        self.bytes.len()
            + 8 * (self.numbers.len() + self.ends.len())
            + 2 * self.levels.len()
            + self.flags.len()
    }

    fn write(self, writer: &mut SerializedColumnWriter<'_>) -> Result<()> {
        let levels = &self.levels;
        match self.column.of {
            Type::Flag => batch(writer.typed::<BoolType>(), &self.flags, levels, self.column),
            Type::Number | Type::Time => {
                batch(writer.typed::<Int64Type>(), &self.numbers, levels, self.column)
            }
            Type::Text | Type::Json => {
                let bytes = ByteArray::from(self.bytes);
                let begins = std::iter::once(0).chain(self.ends.iter().copied());
                let texts = begins.zip(&self.ends);
                let texts: Vec<_> = texts.map(|(from, to)| bytes.slice(from, to - from)).collect();
                batch(writer.typed::<ByteArrayType>(), &texts, levels, self.column)
            }
        }
    }
}

fn batch<T: DataType>(
    writer: &mut ColumnWriterImpl<'_, T>,
    values: &[T::T],
    levels: &[i16],
    column: &Column,
) -> Result<()> {
    let levels = (!column.is_required).then_some(levels);
    writer.write_batch(values, levels, None).map(drop)
}

/// Rows of one directory, by column.
#[derive(Debug)]
pub(crate) struct Columns {
    values: Vec<Values>,
    rows: usize,
}

impl Columns {
    pub(super) fn new(partition: &[Partition]) -> Self {
        Columns { values: stored(partition).map(Values::new).collect(), rows: 0 }
    }

    pub(super) fn push(&mut self, record: &Record<'_>, view: &RecordView<'_>, envelope: &Envelope) {
        let row = Row { record, view, envelope };
        self.rows += 1;
        for values in &mut self.values {
            match values.column.fill {
                Fill::Record(fill) => values.push(fill(&row)),
                Fill::Line => values.push(count(record.line)),
                Fill::Input => {}
            }
        }
    }

    /// Adds what is known only from the position of the block.
    pub(super) fn place(&mut self, block: &Block) {
        for values in &mut self.values {
            match values.column.fill {
                Fill::Record(_) => {}
                Fill::Input => {
                    (0..self.rows)
                        .for_each(|_| values.push(Cell::Text(Cow::Borrowed(&block.name))));
                }
                Fill::Line => {
                    let first = i64::try_from(block.first_line).unwrap_or(i64::MAX);
                    values.numbers.iter_mut().for_each(|line| *line = line.saturating_add(first));
                }
            }
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn size(&self) -> usize {
        self.values.iter().map(Values::size).sum()
    }

    /// One column after the other, each to be written whole.
    pub(super) fn into_writers(
        self,
    ) -> impl Iterator<Item = impl FnOnce(&mut SerializedColumnWriter<'_>) -> Result<()>> {
        self.values
            .into_iter()
            .map(|values| move |writer: &mut SerializedColumnWriter<'_>| values.write(writer))
    }
}
