//! What a scan found, as data and for people.

use super::excerpt::Excerpt;
use super::sarif;
use super::tally::Tally;
use crate::human;
use crate::quantity;
use manila::json::Raw;
use manila_clap::{Kind, Reply, Screen, Shape};
use manila_log::{Losses, LostField, Rule, Trouble};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;

/// Where a dialect would be named.
const NO_DIALECT: &str = "of no dialect";

/// A rule that a record breaks, and where.
#[derive(Clone, Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "violation", show = show_violation)]
pub(crate) struct Violation {
    /// The input, as it was named or found.
    pub(crate) file: String,
    /// The line, counted from 1.
    pub(crate) line: u64,
    /// The byte of the input, counted from 0; of what was unpacked, if it is compressed.
    pub(crate) byte: u64,
    /// The rule's id; `manila explain` says more.
    pub(crate) rule: &'static str,
    /// The key of the envelope, such as error.code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<&'static str>,
    /// The record's dialect, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) dialect: Option<&'static str>,
    /// What stands there.
    #[serde(serialize_with = "text_alone")]
    #[schemars(with = "String")]
    pub(crate) excerpt: Excerpt,
}

fn text_alone<S: serde::Serializer>(excerpt: &Excerpt, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&excerpt.text)
}

fn show_violation(violation: &Violation, screen: &mut Screen) {
    let Violation { file, line, byte, rule, key, dialect, excerpt } = violation;
    let (key, dialect) = (key.unwrap_or_default(), dialect.unwrap_or_default());
    if !screen.is_rich() {
        let place = ["violation", file, &line.to_string(), &byte.to_string()].map(str::to_owned);
        let [what, file, line, byte] = place;
        let [rule, key, dialect] = [*rule, key, dialect].map(str::to_owned);
        return screen.table([""; 7], [[what, file, line, byte, rule, key, dialect]]);
    }
    let key = if key.is_empty() { String::new() } else { format!(": {key}") };
    let dialect = if dialect.is_empty() { String::new() } else { format!(" ({dialect})") };
    human::title(screen, &format!("{file}:{line}:{byte}: {rule}{key}{dialect}"));
    screen.line(format_args!("  {}", excerpt.text));
    human::verdict(screen, false, &format!("  {:1$}^", "", excerpt.column));
}

/// Records of one dialect.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct OfDialect {
    /// The dialect; absent for records that are of none.
    #[serde(skip_serializing_if = "Option::is_none")]
    dialect: Option<&'static str>,
    records: u64,
    bad: u64,
}

/// Violations of one rule.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct OfRule {
    rule: &'static str,
    violations: u64,
    #[serde(skip)]
    meaning: &'static str,
}

/// What was written to a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Kept {
    pub(crate) file: String,
    pub(crate) records: u64,
    pub(crate) bytes: u64,
    /// Records that belong there and could not be written: too large, or not to be said in the
    /// dialect that was asked for.
    pub(crate) left_out: u64,
    /// What the dialect could not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) losses: Option<Losing>,
}

/// What a dialect could not say, and of how many records.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Losing {
    /// Records of which something is lost; with `--strict` they are left out.
    records: u64,
    /// Most records first.
    fields: Vec<OfField>,
    /// Losses of further fields, too many to be told apart.
    other: u64,
}

/// Losses of one field.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct OfField {
    /// The field of the normal form.
    field: String,
    /// dropped, changed, or invented because the dialect requires it.
    fate: &'static str,
    records: u64,
}

impl Losing {
    pub(crate) fn of(losses: &Losses) -> Losing {
        let of_field = |LostField { field, fate, records }| OfField { field, fate, records };
        Losing {
            records: losses.records(),
            fields: losses.fields().into_iter().map(of_field).collect(),
            other: losses.other(),
        }
    }
}

/// How many lost fields are warned of one by one.
const MOST_WARNED: usize = 5;

impl Kept {
    /// What got lost, where standard output has no room to tell it.
    pub(crate) fn warnings(&self, dialect: &str) -> Vec<String> {
        let Some(losses) = &self.losses else { return Vec::new() };
        let told =
            losses.fields.iter().take(MOST_WARNED).map(|OfField { field, fate, records }| {
                let records = quantity::things(*records, "record", "records");
                match *fate {
                    "dropped" => format!("{dialect} cannot say {field}: {records}"),
                    "changed" => format!("{dialect} says {field} differently: {records}"),
                    _ => format!("{dialect} requires {field}, which is invented: {records}"),
                }
            });
        let more = losses.fields.len().saturating_sub(MOST_WARNED);
        let more = (more > 0).then(|| {
            let fields = quantity::things(more as u64, "more field", "more fields");
            format!("{fields} got lost; with --out FILE the report lists them")
        });
        told.chain(more).collect()
    }
}

/// An input that could not be read to its end.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Unread {
    pub(crate) file: String,
    /// Where it ended; absent if it could not be opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) byte: Option<u64>,
    pub(crate) error: String,
}

impl Unread {
    pub(crate) fn of(trouble: &Trouble) -> Unread {
        Unread {
            file: trouble.name.to_string(),
            byte: trouble.offset,
            error: trouble.error.to_string(),
        }
    }
}

/// What a scan found.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Report {
    pub(crate) inputs: u64,
    pub(crate) bytes: u64,
    pub(crate) records: u64,
    /// Records that break a rule; one that was selected, if some were.
    pub(crate) bad: u64,
    /// Records that break none of the rules that were selected, but others.
    pub(crate) unselected: u64,
    pub(crate) dialects: Vec<OfDialect>,
    pub(crate) rules: Vec<OfRule>,
    /// The first violations; with `--output jsonl` each was a frame of its own.
    pub(crate) violations: Vec<Violation>,
    /// How many more there are.
    pub(crate) more: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) quarantine: Option<Kept>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<Kept>,
    pub(crate) unread: Vec<Unread>,
    /// Bytes of a record that was begun when a signal ended the scan, and is not judged.
    pub(crate) unfinished: u64,
    #[serde(skip)]
    pub(crate) face: Face,
    #[serde(skip)]
    pub(crate) elapsed: Duration,
}

/// What a report is shown as, where no envelope is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// A page for people
    #[default]
    Human,
    /// The report as one JSON document
    Json,
    /// A line of JSON for each violation
    Jsonl,
    /// SARIF 2.1.0, for viewers of findings
    Sarif,
}

/// What is left to be shown at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Face {
    /// The counts; each violation was shown when it was found.
    #[default]
    Summary,
    Json,
    Sarif,
    /// Standard output belongs to something else.
    Nothing,
}

impl Report {
    /// Takes over what was counted.
    pub(crate) fn count(&mut self, tally: &Tally) {
        self.records = tally.records;
        self.bad = tally.bad;
        self.unselected = tally.unselected;
        let dialects = tally.dialects();
        self.dialects = dialects
            .iter()
            .map(|row| OfDialect { dialect: row.of, records: row.records, bad: row.bad })
            .collect();
        let of_rule = |rule: Rule, violations| OfRule {
            rule: rule.id(),
            violations,
            meaning: rule.meaning(),
        };
        self.rules = tally.rules().iter().map(|row| of_rule(row.of, row.bad)).collect();
    }

    /// How many records break rules, in words.
    pub(crate) fn verdict(&self) -> String {
        let records = quantity::things(self.records, "record", "records");
        match self.bad {
            0 => format!("{records}, all good"),
            bad => {
                let verb = if bad == 1 { "breaks" } else { "break" };
                let share = quantity::share(bad, self.records);
                format!("{} of {records} {verb} a rule ({share})", quantity::count(bad))
            }
        }
    }
}

/// The answer of `manila scan`.
#[derive(Debug)]
pub(crate) struct Answer(pub(crate) Box<Report>);

impl Reply for Answer {
    fn kind(&self) -> &'static str {
        "scan"
    }

    fn data(&self, _: Shape) -> serde_json::Result<Raw> {
        Raw::of(&self.0)
    }

    fn show(&self, screen: &mut Screen) {
        match self.0.face {
            Face::Nothing => {}
            Face::Json => screen.verbatim(&line(&self.0)),
            Face::Sarif => screen.verbatim(&line(&sarif::of(&self.0))),
            Face::Summary => show(&self.0, screen),
        }
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::of::<Report>("scan"));
        Violation::kinds(list);
    }
}

/// A document on a line.
pub(crate) fn line(document: &impl Serialize) -> String {
    // Nothing here has keys that are no text, which is all that could fail.
    serde_json::to_string(document).map(|text| text + "\n").unwrap_or_default()
}

fn show(report: &Report, screen: &mut Screen) {
    if !screen.is_rich() {
        return show_plainly(report, screen);
    }
    if report.more > 0 {
        let more = quantity::things(report.more, "more violation", "more violations");
        screen.line(format_args!("{more}; --limit N shows more of them"));
    }
    if report.bad > 0 {
        screen.line("");
    }
    if !report.dialects.is_empty() {
        let rows = report.dialects.iter().map(|row| {
            let dialect = row.dialect.unwrap_or(NO_DIALECT);
            [dialect.to_owned(), quantity::count(row.records), quantity::count(row.bad)]
        });
        screen.table(["DIALECT", "RECORDS", "BAD"], rows);
        screen.line("");
    }
    if !report.rules.is_empty() {
        let rows = report.rules.iter().map(|row| {
            [row.rule.to_owned(), quantity::count(row.violations), row.meaning.to_owned()]
        });
        screen.table(["RULE", "BROKEN", "MEANING"], rows);
        screen.line("");
    }
    for (what, kept) in [("quarantine", &report.quarantine), ("written", &report.output)] {
        if let Some(Kept { file, records, bytes, left_out, losses }) = kept {
            let records = quantity::things(*records, "record", "records");
            let left_out = match left_out {
                0 => String::new(),
                left_out => format!(", {} left out", quantity::count(*left_out)),
            };
            let size = quantity::size(*bytes);
            screen.field(what, format_args!("{records}, {size} in {file}{left_out}"));
            if let Some(losses) = losses.as_ref().filter(|losses| losses.records > 0) {
                show_losses(losses, screen);
            }
        }
    }
    if report.unselected > 0 {
        let records = quantity::things(report.unselected, "record", "records");
        screen.field("not selected", format_args!("{records} with other violations"));
    }
    let records = quantity::things(report.records, "record", "records");
    let bad = match report.bad {
        0 => "all good".to_owned(),
        bad => format!("{} bad", quantity::count(bad)),
    };
    human::verdict(screen, report.bad == 0, &format!("{records}, {bad}"));
    let (size, time) = (quantity::size(report.bytes), quantity::time(report.elapsed));
    let rate = quantity::size(quantity::rate(report.bytes, report.elapsed));
    let inputs = quantity::things(report.inputs, "input", "inputs");
    screen.line(format_args!("{size} from {inputs} in {time}, {rate}/s"));
}

fn show_losses(losses: &Losing, screen: &mut Screen) {
    screen.line("");
    let rows = losses
        .fields
        .iter()
        .map(|row| [row.field.clone(), row.fate.to_owned(), quantity::count(row.records)]);
    screen.table(["LOST", "HOW", "RECORDS"], rows);
    if losses.other > 0 {
        screen.line(format_args!("{} losses of further fields", quantity::count(losses.other)));
    }
    screen.line("");
}

/// For grep: each line says in its first column what it is.
fn show_plainly(report: &Report, screen: &mut Screen) {
    let rows = report.dialects.iter().map(|row| {
        let dialect = row.dialect.unwrap_or(NO_DIALECT);
        ["dialect", dialect, &row.records.to_string(), &row.bad.to_string()].map(str::to_owned)
    });
    screen.table([""; 4], rows);
    let rows = report
        .rules
        .iter()
        .map(|row| ["rule", row.rule, &row.violations.to_string()].map(str::to_owned));
    screen.table([""; 3], rows);
    let kept = [("quarantine", &report.quarantine), ("written", &report.output)];
    let rows = kept.into_iter().filter_map(|(what, kept)| {
        let Kept { file, records, bytes, .. } = kept.as_ref()?;
        Some([what, file, &records.to_string(), &bytes.to_string()].map(str::to_owned))
    });
    screen.table([""; 4], rows);
    let losses = report.output.iter().filter_map(|kept| kept.losses.as_ref());
    let rows = losses
        .flat_map(|losses| &losses.fields)
        .map(|row| ["lost", &row.field, row.fate, &row.records.to_string()].map(str::to_owned));
    screen.table([""; 4], rows);
    for (name, number) in [
        ("inputs", report.inputs),
        ("bytes", report.bytes),
        ("records", report.records),
        ("bad", report.bad),
        ("unselected", report.unselected),
        ("more", report.more),
    ] {
        screen.field(name, number);
    }
}
