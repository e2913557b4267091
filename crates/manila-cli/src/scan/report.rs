//! What a scan found, as data and for people.

use super::excerpt::Excerpt;
use super::tally::Tally;
use crate::human;
use crate::humanize;
use manila_clap::{Reply, Screen};
use manila_log::{InputError, Losses, LostField, Rule};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;

/// Where a dialect would be named.
pub(crate) const NO_DIALECT: &str = "of no dialect";

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
    /// What was found there.
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
    pub(crate) dialect: Option<&'static str>,
    pub(crate) records: u64,
    pub(crate) bad: u64,
}

/// Violations of one rule.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct OfRule {
    pub(crate) rule: &'static str,
    pub(crate) violations: u64,
    #[serde(skip)]
    pub(crate) meaning: &'static str,
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
    pub(crate) records: u64,
    /// Most records first.
    pub(crate) fields: Vec<OfField>,
    /// Losses of further fields, too many to be counted separately.
    pub(crate) other: u64,
}

/// Losses of one field.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct OfField {
    /// The field of the normal form.
    pub(crate) field: String,
    /// dropped, changed, or invented because the dialect requires it.
    pub(crate) fate: &'static str,
    pub(crate) records: u64,
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
    /// What got lost, where stdout has no room to report it.
    pub(crate) fn warnings(&self, dialect: &str) -> Vec<String> {
        let Some(losses) = &self.losses else { return Vec::new() };
        let listed =
            losses.fields.iter().take(MOST_WARNED).map(|OfField { field, fate, records }| {
                let records = humanize::things(*records, "record", "records");
                match *fate {
                    "dropped" => format!("{dialect} cannot say {field}: {records}"),
                    "changed" => format!("{dialect} says {field} differently: {records}"),
                    _ => format!("{dialect} requires {field}, which is invented: {records}"),
                }
            });
        let more = losses.fields.len().saturating_sub(MOST_WARNED);
        let more = (more > 0).then(|| {
            let fields = humanize::things(more as u64, "more field", "more fields");
            format!("{fields} got lost; with --out FILE the report lists them")
        });
        listed.chain(more).collect()
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
    pub(crate) fn of(input_error: &InputError) -> Unread {
        Unread {
            file: input_error.name.to_string(),
            byte: input_error.offset,
            error: input_error.error.to_string(),
        }
    }
}

/// What a scan found.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Report {
    /// The name and the version of this document.
    pub(crate) schema: Schema,
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
    pub(crate) presentation: Presentation,
    #[serde(skip)]
    pub(crate) elapsed: Duration,
}

/// The counts of a report, and the rules that are broken.
#[derive(Debug, Serialize)]
pub(crate) struct Counted<'r> {
    records: u64,
    bad: u64,
    unread: usize,
    rules: &'r [OfRule],
}

/// The name and the version of the document that `--format json` writes.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub(crate) enum Schema {
    #[default]
    #[serde(rename = "manila-scan/1")]
    Scan1,
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
pub(crate) enum Presentation {
    /// The counts; each violation was shown when it was found.
    #[default]
    Summary,
    Json,
    Sarif,
    /// Stdout belongs to something else.
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

    /// How much was read and found, on one line: the counts, and the ids of the rules that are broken.
    pub(crate) fn tally(&self) -> String {
        let rules: Vec<&str> = self.rules.iter().map(|of| of.rule).collect();
        let rules =
            if rules.is_empty() { String::new() } else { format!(": {}", rules.join(", ")) };
        format!("{} judged, {} bad, {} unread{rules}", self.records, self.bad, self.unread.len())
    }

    /// The same as data, for dialects whose errors have a place for it.
    pub(crate) fn counted(&self) -> Counted<'_> {
        let Report { records, bad, rules, .. } = self;
        Counted { records: *records, bad: *bad, unread: self.unread.len(), rules }
    }

    /// How many records break rules, in words.
    pub(crate) fn verdict(&self) -> String {
        let records = humanize::things(self.records, "record", "records");
        match self.bad {
            0 => format!("{records}, all good"),
            bad => {
                let verb = if bad == 1 { "breaks" } else { "break" };
                let share = humanize::share(bad, self.records);
                format!("{} of {records} {verb} a rule ({share})", humanize::count(bad))
            }
        }
    }
}

/// A document on a line.
pub(crate) fn line(document: &impl Serialize) -> String {
    // Nothing here has keys that are not strings, which is all that could fail.
    serde_json::to_string(document).map(|text| text + "\n").unwrap_or_default()
}
