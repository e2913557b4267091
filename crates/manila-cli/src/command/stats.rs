//! `manila stats`: logs of envelopes, tallied.

use crate::error::{CliError, Found, Interrupted, SoFar};
use crate::help::examples;
use crate::humanize;
use crate::logs::{self, Logs};
use crate::scan::report::Unread;
use crate::stats::{Answer as Reported, Format, Schema, partial};
use crate::watch::Watch;
use clap::{Args, ValueEnum};
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use manila_clap::Call;
use manila_log::stats::{
    DIMENSIONS, Dimension, Partials, Question, Report, SECTIONS, Section, Stats,
};
use manila_log::{InputError, Outcome, Progress, Sink, Totals, scan};
use manila_run::duration;
use std::io;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

pub(crate) use crate::stats::partial::Answer;

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("manila stats log.jsonl", "everything there is to know"),
    ("manila stats --by code log.jsonl", "one table, as fast as a scan"),
    ("manila stats --by operation,target --since 24h /var/log/tool", "what failed on what today"),
    ("manila stats --show storms,drift log.jsonl", "what got out of hand, and what changed"),
    ("manila stats --format html log.jsonl > report.html", "a page to send"),
    ("manila stats --by code --parquet columns log.jsonl", "columns for DuckDB and others"),
    ("manila stats --partial monday.part monday.jsonl", "a part, to be joined with others"),
    ("manila stats --merge monday.part tuesday.part", "what one pass over both would report"),
];

pub(crate) const FAILS: &[&str] = &[
    "INPUT_INCOMPLETE",
    "OUTPUT_INCOMPLETE",
    "WOULD_OVERWRITE",
    "NOT_BUILT_IN",
    "EMPTY_INPUT",
    "FILE_NOT_FOUND",
    "FILE_FORBIDDEN",
    "FILE_UNWRITABLE",
    "BAD_DIALECT",
    "CANCELLED",
];

#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct Arguments {
    #[command(flatten)]
    logs: Logs,

    /// Group records by dialect, program, command, ok, exit, code, operation, target,
    /// retryable, day or hour. Several with commas between them make groups of their combinations;
    /// the option again makes another table
    #[arg(long, value_name = "NAMES", value_parser = dimensions)]
    by: Vec<Grouping>,

    /// Show these sections [default: all, or only the tables if --by is given]
    #[arg(long, value_name = "SECTIONS", value_delimiter = ',')]
    show: Vec<Part>,

    /// Count only records since a time, a date, or an age such as 90m or 7d. Records without a
    /// timestamp are left out and counted
    #[arg(long, value_name = "WHEN", value_parser = since)]
    since: Option<Timestamp>,

    /// Show this many rows of each table
    #[arg(long, value_name = "N", default_value_t = Question::default().top)]
    top: usize,

    /// Distinguish this many values in each table; the rest is `other`
    #[arg(long, value_name = "N", default_value_t = Question::default().distinct)]
    distinct: usize,

    /// Count the failures of a storm in windows of this length
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = window)]
    window: NonZeroU32,

    /// Write the report in this format, unless --json asks for an envelope
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Format,

    /// Write a partial result to this file instead of a report; - is stdout
    #[arg(long, value_name = "FILE", help_heading = "Parts")]
    #[arg(conflicts_with_all = ["parquet", "follow", "merge", "format", "top"])]
    partial: Option<PathBuf>,

    /// Read partial results in the order of their logs, and report what one pass would. What was asked
    /// for is in the partial results
    #[arg(long, help_heading = "Parts", requires = "files")]
    #[arg(conflicts_with_all = ["by", "show", "since", "distinct", "window", "parquet", "follow", "hidden", "threads", "max_record", "max_depth"])]
    merge: bool,

    /// Also write the normal form of every envelope as Parquet to this directory
    #[arg(long, value_name = "DIR", help_heading = "Columns")]
    parquet: Option<PathBuf>,

    /// Partition the Parquet files by this field
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "dialect,ok")]
    #[arg(requires = "parquet", help_heading = "Columns")]
    partition_by: Vec<Directories>,

    /// Replace existing Parquet files
    #[arg(long, requires = "parquet", help_heading = "Columns")]
    force: bool,
}

/// The dimensions of a table.
#[derive(Clone, Debug)]
struct Grouping(Vec<Dimension>);

/// A part of the answer.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Part {
    /// When records were written and how long their commands took
    Times,
    /// Counts and rates
    Tables,
    /// The same command with the same code again and again
    Storms,
    /// What appears or vanishes
    Drift,
}

/// What directories are named after.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Directories {
    Dialect,
    Ok,
    /// The day in UTC
    Date,
}

fn dimensions(text: &str) -> Result<Grouping, String> {
    let named = text.split(',').map(|name| {
        Dimension::from_id(name.trim()).ok_or_else(|| {
            let names: Vec<&str> = DIMENSIONS.iter().map(|it| it.id()).collect();
            format!("{name:?} is none of {}", names.join(", "))
        })
    });
    named.collect::<Result<_, _>>().map(Grouping)
}

/// A time as it is written in logs, a day in UTC, or how long ago.
fn since(text: &str) -> Result<Timestamp, String> {
    if let Ok(time) = text.parse::<Timestamp>() {
        return Ok(time);
    }
    let date = text.parse::<DateTime>().or_else(|_| text.parse::<Date>().map(Into::into));
    if let Ok(zoned) = date.and_then(|date| date.to_zoned(TimeZone::UTC)) {
        return Ok(zoned.timestamp());
    }
    let age = duration::parse(text).and_then(|age| SignedDuration::try_from(age).ok());
    let then = age.and_then(|age| Timestamp::now().checked_sub(age).ok());
    then.ok_or_else(|| "not a time such as 2026-11-16T08:00:00Z, 2026-11-16, 90m or 7d".to_owned())
}

fn window(text: &str) -> Result<NonZeroU32, String> {
    let seconds = duration::parse(text).map(|time| time.as_secs());
    let seconds = seconds.and_then(|seconds| u32::try_from(seconds).ok());
    seconds
        .and_then(NonZeroU32::new)
        .ok_or_else(|| "not a time of seconds or more, such as 1m".to_owned())
}

pub(crate) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, CliError> {
    if arguments.merge {
        return partial::merge(arguments.logs.files(), arguments.top, arguments.format);
    }
    if let Some(path) = &arguments.partial {
        return in_part(arguments, call, path);
    }
    let reported = match &arguments.parquet {
        None => {
            let stats = Stats::new(arguments.question());
            let (outcome, mut answer) =
                tallied(arguments, call, &stats, stats.tally(), |tally| stats.report(tally))?;
            answer.unread = outcome.input_errors.iter().map(Unread::of).collect();
            verdict(arguments, call, answer, None, outcome.input_errors)
        }
        Some(dir) => with_columns(arguments, call, dir),
    };
    reported.map(Answer::Report)
}

/// Tallies a part. Nothing is written unless all of it was read: a part with a gap would make a wrong whole.
fn in_part(arguments: &Arguments, call: &Call, path: &Path) -> Result<Answer, CliError> {
    let sink = Partials::new(arguments.question());
    let (outcome, mut answer) =
        tallied(arguments, call, &sink, sink.partial(), manila_log::stats::Partial::counts)?;
    answer.unread = outcome.input_errors.iter().map(Unread::of).collect();
    let Reported { inputs, bytes, .. } =
        verdict(arguments, call, answer, None, outcome.input_errors)?;
    partial::write(path, outcome.ordered, inputs, bytes)
}

/// Scans, and makes an answer of what the sink received.
fn tallied<S: Sink>(
    arguments: &Arguments,
    call: &Call,
    sink: &S,
    ordered: S::Ordered,
    report: impl FnOnce(&S::Ordered) -> Report,
) -> Result<(Outcome<S>, Reported), CliError> {
    let sources = arguments.logs.sources(call)?;
    let progress = Progress::default();
    let watch = Watch::new(call, &sources, &progress);
    let options = arguments.logs.options(&progress);
    let outcome = watch.over(call, || scan(sources, sink, ordered, &options));
    let Totals { inputs, bytes, unfinished, .. } = outcome.totals;
    logs::tell_unfinished(call, unfinished);
    let report = Box::new(report(&outcome.ordered));
    let (format, elapsed) = (arguments.format, watch.elapsed());
    let answer = Reported {
        schema: Schema::default(),
        inputs,
        bytes,
        report,
        parquet: None,
        unread: Vec::new(),
        unfinished,
        format,
        elapsed,
    };
    Ok((outcome, answer))
}

#[cfg(not(feature = "parquet"))]
fn with_columns(_: &Arguments, _: &Call, _: &Path) -> Result<Reported, CliError> {
    Err(CliError::NotBuiltIn { what: "--parquet", feature: "parquet" })
}

#[cfg(feature = "parquet")]
fn with_columns(arguments: &Arguments, call: &Call, dir: &Path) -> Result<Reported, CliError> {
    use crate::stats::Parquet as Columns;
    use manila_log::parquet::{Dataset, Existing, Parquet, Partition, Written};

    let partition = arguments.partition_by.iter().map(|dirs| match dirs {
        Directories::Dialect => Partition::Dialect,
        Directories::Ok => Partition::Ok,
        Directories::Date => Partition::Date,
    });
    let partition: Vec<Partition> = partition.collect();
    let existing = if arguments.force { Existing::Replace } else { Existing::Keep };
    let dataset =
        Dataset::create(dir, existing, &partition).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => CliError::WouldOverwrite { path: dir.to_owned() },
            _ => CliError::unwritable(dir, error),
        })?;
    let columns = Parquet { partition, since: arguments.since, limits: arguments.logs.limits() };
    let both = (Stats::new(arguments.question()), columns);
    let ordered = (both.0.tally(), dataset);
    let (outcome, mut answer) =
        tallied(arguments, call, &both, ordered, |it| both.0.report(&it.0))?;
    answer.unread = outcome.input_errors.iter().map(Unread::of).collect();
    let written = outcome.ordered.1.finish();
    let name = dir.display().to_string();
    let failed = match written {
        Ok(Written { rows, files, bytes, unwritten }) => {
            answer.parquet = Some(Columns { directory: name, rows, files, bytes, unwritten });
            None
        }
        Err(error) => Some((name, error)),
    };
    verdict(arguments, call, answer, failed, outcome.input_errors)
}

/// What the answer is. Everything that was tallied is in it, whatever went wrong.
fn verdict(
    arguments: &Arguments,
    call: &Call,
    answer: Reported,
    failed: Option<(String, io::Error)>,
    mut input_errors: Vec<InputError>,
) -> Result<Reported, CliError> {
    let cancelled = call.check_cancelled().err().filter(|_| !arguments.logs.is_followed());
    if failed.is_none() && cancelled.is_none() && input_errors.is_empty() {
        return Ok(answer);
    }
    logs::tell(call, &input_errors);
    if failed.is_none()
        && cancelled.is_none()
        && let Some(refusal) = logs::nothing_read(answer.inputs, &mut input_errors)
    {
        return Err(refusal);
    }
    let counted =
        format!("{} were tallied", humanize::things(answer.report.records, "record", "records"));
    let found = |complaint: String| Found {
        complaint,
        tally: answer.tally(),
        counts: None,
        answer: SoFar::of(answer),
    };
    Err(match (failed, cancelled, logs::first_of(&input_errors)) {
        (Some((name, error)), ..) => CliError::OutputIncomplete {
            hint: "free some space, or name a directory elsewhere",
            found: found(format!("{name}: {error}; nothing was left there; {counted}")),
        },
        (_, Some(cancelled), _) => {
            CliError::Interrupted(Interrupted { cancelled, found: found(counted) })
        }
        (.., unread) => {
            let unread = unread.unwrap_or_default();
            CliError::InputIncomplete { found: found(format!("{unread}; {counted}")) }
        }
    })
}

impl Arguments {
    fn question(&self) -> Question {
        let usual = Question::default();
        let by: Vec<_> = self.by.iter().map(|grouping| grouping.0.clone()).collect();
        let shown = self.show.iter().map(|part| match part {
            Part::Times => Section::Times,
            Part::Tables => Section::Tables,
            Part::Storms => Section::Storms,
            Part::Drift => Section::Drift,
        });
        let sections = match (self.show.is_empty(), by.is_empty()) {
            (false, true) => shown.collect(),
            (false, false) => shown.chain([Section::Tables]).collect(),
            (true, true) => SECTIONS.to_vec(),
            (true, false) => vec![Section::Tables],
        };
        Question {
            by: if by.is_empty() { usual.by } else { by },
            sections,
            since: self.since,
            top: self.top,
            distinct: self.distinct,
            window_s: self.window,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn since_takes_times_dates_and_ages() {
        let parsed = |text: &str| since(text).map(|time| time.to_string());
        let ok = |text: &str| Ok(text.to_owned());
        assert_eq!(parsed("2026-11-16T08:00:00+01:00"), ok("2026-11-16T07:00:00Z"));
        assert_eq!(parsed("2026-11-16T08:00"), ok("2026-11-16T08:00:00Z"));
        assert_eq!(parsed("2026-11-16"), ok("2026-11-16T00:00:00Z"));
        assert!(since("90m").unwrap() < since("89m").unwrap());
        assert!(since("yesterday").is_err() && since("99999999y").is_err());
    }

    #[test]
    fn groupings_are_lists_of_dimensions() {
        assert_eq!(dimensions("command, code").unwrap().0, [Dimension::Command, Dimension::Code]);
        assert!(dimensions("colour").unwrap_err().contains("none of dialect, program"));
    }

    #[test]
    fn the_help_names_every_dimension() {
        let mut command = Arguments::augment_args(clap::Command::new("stats"));
        let help = command.render_long_help().to_string();
        for dimension in DIMENSIONS {
            assert!(help.contains(dimension.id()), "{dimension}");
        }
    }
}
