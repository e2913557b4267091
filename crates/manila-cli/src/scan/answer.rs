//! The answer of `manila scan`, as its format and the screen want it.

use super::report::{Kept, Losing, NO_DIALECT, Presentation, Report, Violation, line};
use super::sarif;
use crate::human;
use crate::humanize;
use manila::json::{Raw, SerializeError};
use manila_clap::{Kind, Reply, Screen, Shape};

/// The answer of `manila scan`.
#[derive(Debug)]
pub(crate) struct Answer(pub(crate) Box<Report>);

impl Reply for Answer {
    fn kind(&self) -> &'static str {
        "scan"
    }

    fn data(&self, _: Shape) -> Result<Raw, SerializeError> {
        Raw::from_serialize(&self.0)
    }

    fn show(&self, screen: &mut Screen) {
        match self.0.presentation {
            Presentation::Nothing => {}
            Presentation::Json => screen.verbatim(&line(&self.0)),
            Presentation::Sarif => screen.verbatim(&line(&sarif::of(&self.0))),
            Presentation::Summary => show(&self.0, screen),
        }
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::new::<Report>("scan"));
        Violation::kinds(list);
    }
}

fn show(report: &Report, screen: &mut Screen) {
    if !screen.is_rich() {
        return show_plainly(report, screen);
    }
    if report.more > 0 {
        let more = humanize::things(report.more, "more violation", "more violations");
        screen.line(format_args!("{more}; --limit N shows more of them"));
    }
    if report.bad > 0 {
        screen.line("");
    }
    if !report.dialects.is_empty() {
        let rows = report.dialects.iter().map(|row| {
            let dialect = row.dialect.unwrap_or(NO_DIALECT);
            [dialect.to_owned(), humanize::count(row.records), humanize::count(row.bad)]
        });
        screen.table(["DIALECT", "RECORDS", "BAD"], rows);
        screen.line("");
    }
    if !report.rules.is_empty() {
        let rows = report.rules.iter().map(|row| {
            [row.rule.to_owned(), humanize::count(row.violations), row.meaning.to_owned()]
        });
        screen.table(["RULE", "BROKEN", "MEANING"], rows);
        screen.line("");
    }
    for (what, kept) in [("quarantine", &report.quarantine), ("written", &report.output)] {
        if let Some(Kept { file, records, bytes, left_out, losses }) = kept {
            let records = humanize::things(*records, "record", "records");
            let left_out = match left_out {
                0 => String::new(),
                left_out => format!(", {} left out", humanize::count(*left_out)),
            };
            let size = humanize::size(*bytes);
            screen.field(what, format_args!("{records}, {size} in {file}{left_out}"));
            if let Some(losses) = losses.as_ref().filter(|losses| losses.records > 0) {
                show_losses(losses, screen);
            }
        }
    }
    if report.unselected > 0 {
        let records = humanize::things(report.unselected, "record", "records");
        screen.field("not selected", format_args!("{records} with other violations"));
    }
    let records = humanize::things(report.records, "record", "records");
    let bad = match report.bad {
        0 => "all good".to_owned(),
        bad => format!("{} bad", humanize::count(bad)),
    };
    human::verdict(screen, report.bad == 0, &format!("{records}, {bad}"));
    let (size, time) = (humanize::size(report.bytes), humanize::time(report.elapsed));
    let rate = humanize::size(humanize::rate(report.bytes, report.elapsed));
    let inputs = humanize::things(report.inputs, "input", "inputs");
    screen.line(format_args!("{size} from {inputs} in {time}, {rate}/s"));
}

fn show_losses(losses: &Losing, screen: &mut Screen) {
    screen.line("");
    let rows = losses
        .fields
        .iter()
        .map(|row| [row.field.clone(), row.fate.to_owned(), humanize::count(row.records)]);
    screen.table(["LOST", "HOW", "RECORDS"], rows);
    if losses.other > 0 {
        screen.line(format_args!("{} losses of further fields", humanize::count(losses.other)));
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
