//! `manila scan`: logs of envelopes, each record judged.

use crate::error::{CliError, Found, Interrupted, SoFar};
use crate::help::examples;
use crate::humanize;
use crate::known::known_dialect;
use crate::logs::{self, Logs};
use crate::scan::list::List;
use crate::scan::output_file::{Existing, OutputFile, STANDARD_OUTPUT, refuse_own_output};
use crate::scan::report::{Format, Kept, Losing, Presentation, Report, Unread};
use crate::scan::sink::{Ordered, Scanner};
use crate::scan::tally::Tally;
use crate::watch::Watch;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use manila::Dialect;
use manila::json::Raw;
use manila_clap::Call;
use manila_log::source::Sources;
use manila_log::{InputError, Losses, Outcome, Progress, RULES, Rule, scan};
use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

pub(crate) use crate::scan::answer::Answer;

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("manila scan log.jsonl", "judge every record of a log"),
    ("manila scan /var/log/tool --quarantine bad.jsonl", "a directory; keep the bad records"),
    ("manila scan old.jsonl.gz --to response-envelope/1.0 -o new.jsonl", "write it in one dialect"),
    ("manila scan old.jsonl --to td/1 --strict -o new.jsonl", "only what loses nothing by it"),
    ("manila scan --follow log.jsonl --select missing-field,wrong-type", "watch a log that grows"),
];

pub(crate) const FAILS: &[&str] = &[
    "VIOLATIONS_FOUND",
    "INPUT_INCOMPLETE",
    "OUTPUT_INCOMPLETE",
    "WOULD_OVERWRITE",
    "EMPTY_INPUT",
    "FILE_NOT_FOUND",
    "FILE_FORBIDDEN",
    "FILE_UNWRITABLE",
    "INVALID_VALUE",
    "BAD_DIALECT",
    "CANCELLED",
];

const STATUSES: &str = "Exit status: 0 every record is good, 100 some records break rules, 2 not everything \
                        could be read or written, 5 nothing to read, 6 an output file is not empty, 130 \
                        interrupted. In each case the report covers what was read until then: --format \
                        json writes it whatever the status. With --json a success has the report as data, \
                        and an error has the counts and the ids of the rules.";

/// How many violations are shown by default.
const LIMIT: &str = "20";

#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES), after_long_help = format!("{}\n\n{STATUSES}", examples(EXAMPLES)))]
pub(crate) struct Arguments {
    #[command(flatten)]
    logs: Logs,

    /// Count only these rules, separated by commas; `manila explain RULE` describes each
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = known_rule())]
    #[arg(hide_possible_values = true)]
    select: Vec<Rule>,

    /// Show at most this many violations: a number, or all
    #[arg(long, value_name = "N", default_value = LIMIT, value_parser = limit)]
    limit: u64,

    /// Format of the report, unless --json asks for an envelope
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Format,

    /// Copy the bad records to this file, byte for byte
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    quarantine: Option<PathBuf>,

    /// Convert the good records to this dialect, one per line
    #[arg(long, value_name = "DIALECT", value_parser = known_dialect(), help_heading = "Files")]
    #[arg(hide_possible_values = true)]
    to: Option<&'static dyn Dialect>,

    /// Leave out records that would lose information in that dialect
    #[arg(long, requires = "to", help_heading = "Files")]
    strict: bool,

    /// Write the converted records to this file instead of stdout
    #[arg(long, short, value_name = "FILE", requires = "to", help_heading = "Files")]
    out: Option<PathBuf>,

    /// Overwrite these files
    #[arg(long, help_heading = "Files")]
    force: bool,
}

fn known_rule() -> impl TypedValueParser<Value = Rule> {
    let values = RULES.iter().map(|rule| PossibleValue::new(rule.id()).help(rule.meaning()));
    PossibleValuesParser::new(values).try_map(|id| Rule::from_id(&id).ok_or("no such rule"))
}

fn limit(text: &str) -> Result<u64, String> {
    match text {
        "all" => Ok(u64::MAX),
        text => text.parse().map_err(|_| "a number, or all".to_owned()),
    }
}

pub(crate) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, CliError> {
    let sources = arguments.logs.sources(call)?;
    refuse_own_output(&sources)?;
    let quarantine = arguments.quarantine(&sources)?;
    let output = arguments.output(call, &sources, quarantine.as_ref())?;
    [&quarantine, &output].into_iter().flatten().try_for_each(OutputFile::begin)?;
    let progress = Progress::default();
    let watch = Watch::new(call, &sources, &progress);
    let is_taken = output.as_ref().is_some_and(OutputFile::is_standard_output);
    let (list, presentation) = if is_taken {
        (List::silent(&watch, arguments.limit), Presentation::Nothing)
    } else {
        List::new(call, &watch, arguments.format, arguments.limit)
    };
    let scanner = Scanner {
        selected: arguments.select.clone(),
        limit: arguments.limit,
        limits: arguments.logs.limits(),
        to: arguments.to,
        is_strict: arguments.strict,
        quarantines: quarantine.is_some(),
        is_full: AtomicBool::new(arguments.limit == 0),
        call: PhantomData,
    };
    let ordered = Ordered {
        tally: Tally::default(),
        losses: Losses::default(),
        list,
        watch: &watch,
        quarantine,
        output,
        failed: None,
    };
    let options = arguments.logs.options(&progress);
    let outcome = watch.over(call, || scan(sources, &scanner, ordered, &options));
    let (mut report, failed) = report(outcome);
    (report.presentation, report.elapsed) = (presentation, watch.elapsed());
    arguments.verdict(call, report, failed)
}

/// What could not be written, and why.
type Unwritten = Option<(String, io::Error)>;

/// What a scan left, as a report, and what went wrong.
fn report(outcome: Outcome<Scanner<'_>>) -> (Report, (Unwritten, Vec<InputError>)) {
    let Outcome { ordered, totals, input_errors, .. } = outcome;
    let Ordered { tally, losses, list, quarantine, mut output, mut failed, .. } = ordered;
    if let Some(output) = &mut output
        && failed.is_none()
    {
        failed = output.finish().err().map(|error| (output.name.clone(), error));
    }
    let (shown, violations) = list.finish();
    let kept = |keep: OutputFile, left_out| Kept {
        file: keep.name,
        records: keep.records,
        bytes: keep.bytes,
        left_out,
        losses: None,
    };
    let written = |keep: OutputFile| Kept {
        losses: Some(Losing::of(&losses)),
        ..kept(keep, tally.unconverted)
    };
    let mut report = Report {
        inputs: totals.inputs,
        unfinished: totals.unfinished,
        bytes: totals.bytes,
        violations,
        more: tally.violations.saturating_sub(shown),
        quarantine: quarantine.map(|keep| kept(keep, tally.too_large)),
        output: output.map(written),
        unread: input_errors.iter().map(Unread::of).collect(),
        ..Report::default()
    };
    report.count(&tally);
    (report, (failed, input_errors))
}

impl Arguments {
    fn existing(&self) -> Existing {
        if self.force { Existing::Replace } else { Existing::Refuse }
    }

    fn quarantine(&self, sources: &Sources) -> Result<Option<OutputFile>, CliError> {
        let Some(path) = &self.quarantine else { return Ok(None) };
        if path == Path::new("-") {
            return Err(CliError::InvalidValue {
                message: "--quarantine - names no file".to_owned(),
                suggestion: "stdout is for the report: name a file".to_owned(),
            });
        }
        OutputFile::create(path, sources, self.existing()).map(Some)
    }

    /// Where good records go, if they go anywhere.
    fn output(
        &self,
        call: &Call,
        sources: &Sources,
        quarantine: Option<&OutputFile>,
    ) -> Result<Option<OutputFile>, CliError> {
        if self.to.is_none() {
            return Ok(None);
        }
        let conflict = |message: &str, suggestion: &str| {
            let (message, suggestion) = (message.to_owned(), suggestion.to_owned());
            Err(CliError::InvalidValue { message, suggestion })
        };
        let Some(path) = self.out.as_ref().filter(|path| *path != Path::new("-")) else {
            if call.mode().is_json() || self.format != Format::Human {
                return conflict(
                    "--to writes to stdout, where the answer goes",
                    "write the records to a file with --out FILE",
                );
            }
            return Ok(Some(OutputFile::standard_output()));
        };
        let is_both = |keep: &OutputFile| keep.is_at(path);
        if quarantine.is_some_and(is_both) {
            return conflict("--quarantine and --out are the same file", "name two files");
        }
        OutputFile::create(path, sources, self.existing()).map(Some)
    }

    /// What the answer is. Everything that was found is in it, whatever went wrong.
    fn verdict(
        &self,
        call: &Call,
        report: Report,
        (failed, mut input_errors): (Unwritten, Vec<InputError>),
    ) -> Result<Answer, CliError> {
        logs::tell_unfinished(call, report.unfinished);
        if let (Presentation::Nothing, Some(to)) = (report.presentation, self.to) {
            report.output.iter().flat_map(|it| it.warnings(to.id())).for_each(|it| call.warn(it));
        }
        let left_out = |kept: &Option<Kept>| kept.as_ref().map_or(0, |kept| kept.left_out);
        let unwritten = left_out(&report.output) + left_out(&report.quarantine);
        let cancelled = call.check_cancelled().err().filter(|_| !self.logs.is_followed());
        // A reader that closed the pipe is not a failure.
        let hung_up = |name: &str, error: &io::Error| {
            name == STANDARD_OUTPUT && error.kind() == io::ErrorKind::BrokenPipe
        };
        let failed = failed.filter(|(name, error)| !hung_up(name, error));
        let is_good = failed.is_none()
            && cancelled.is_none()
            && input_errors.is_empty()
            && unwritten == 0
            && report.bad == 0;
        if is_good {
            return Ok(Answer(Box::new(report)));
        }
        logs::tell(call, &input_errors);
        if failed.is_none()
            && cancelled.is_none()
            && let Some(refusal) = logs::nothing_read(report.inputs, &mut input_errors)
        {
            return Err(refusal);
        }
        let verdict = report.verdict();
        let found = |report: Report, complaint: String| Found {
            complaint,
            tally: report.tally(),
            counts: Raw::from_serialize(&report.counted()).ok(),
            answer: SoFar::of(Answer(Box::new(report))),
        };
        Err(match (failed, cancelled, logs::first_of(&input_errors)) {
            (Some((name, error)), ..) => CliError::OutputIncomplete {
                hint: if name == STANDARD_OUTPUT {
                    "the last line may be truncated: redirect stdout elsewhere and start again"
                } else {
                    "the records in the file are complete: free some space and start again with --force"
                },
                found: found(report, format!("{name}: {error}; until then {verdict}")),
            },
            (_, Some(cancelled), _) => {
                CliError::Interrupted(Interrupted { cancelled, found: found(report, verdict) })
            }
            (_, _, Some(unread)) => {
                CliError::InputIncomplete { found: found(report, format!("{unread}; {verdict}")) }
            }
            (None, None, None) if unwritten > 0 => {
                let records = humanize::things(unwritten, "record", "records");
                CliError::OutputIncomplete {
                    hint: "raise --max-record for those that are too large; choose a dialect that \
                           says more, or leave --strict out",
                    found: found(report, format!("{records} could not be written; {verdict}")),
                }
            }
            (None, None, None) => CliError::ViolationsFound { found: found(report, verdict) },
        })
    }
}
