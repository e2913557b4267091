//! `manila scan`: logs of envelopes, each record judged.

use crate::cli::examples;
use crate::input::known_dialect;
use crate::logs::{self, Logs};
use crate::quantity;
use crate::refusal::{Interrupted, Refusal, SoFar};
use crate::scan::keep::{Existing, Keep, STANDARD_OUTPUT, refuse_own_output};
use crate::scan::list::List;
use crate::scan::report::{Face, Format, Kept, Losing, Report, Unread};
use crate::scan::sink::{Ordered, Scanner};
use crate::scan::tally::Tally;
use crate::watch::Watch;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use manila::Dialect;
use manila_clap::{Call, Cancelled};
use manila_log::source::Sources;
use manila_log::{Losses, Outcome, Progress, RULES, Rule, Trouble, scan};
use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

pub(crate) use crate::scan::report::Answer;

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("manila scan log.jsonl", "judge every record of a log"),
    ("manila scan /var/log/tool --quarantine bad.jsonl", "a folder, and keep what is bad"),
    ("manila scan old.jsonl.gz --to response-envelope/1.0 -o new.jsonl", "write it in one dialect"),
    ("manila scan old.jsonl --to td/1 --strict -o new.jsonl", "only what loses nothing by it"),
    ("manila scan --follow log.jsonl --select missing-key,wrong-type", "watch a log that grows"),
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
    "CANCELLED",
];

const STATUSES: &str = "Exit status: 0 every record is good, 1 some are not, 2 not everything could be read or \
                        written, 5 nothing is there to read, 6 a file to write has something in it, 130 \
                        interrupted. What was found until then is told in each case; with --json under \
                        meta.scan, because a failure has no data.";

/// How many violations are shown unless somebody says otherwise.
const LIMIT: &str = "20";

#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES), after_long_help = format!("{}\n\n{STATUSES}", examples(EXAMPLES)))]
pub(crate) struct Arguments {
    #[command(flatten)]
    logs: Logs,

    /// Only these rules count, named with commas between them; `manila explain` has a page on each
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = known_rule())]
    #[arg(hide_possible_values = true)]
    select: Vec<Rule>,

    /// How many violations are shown: a number, or all
    #[arg(long, value_name = "N", default_value = LIMIT, value_parser = limit)]
    limit: u64,

    /// What is shown, where no envelope is asked for with --json
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Format,

    /// Write the bad records to this file, byte for byte
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    quarantine: Option<PathBuf>,

    /// Write the good records in this dialect, a line each
    #[arg(long, value_name = "ID", value_parser = known_dialect(), help_heading = "Files")]
    to: Option<&'static dyn Dialect>,

    /// Leave out records of which that dialect cannot say everything
    #[arg(long, requires = "to", help_heading = "Files")]
    strict: bool,

    /// Write them to this file, and not to standard output
    #[arg(long, short, value_name = "FILE", requires = "to", help_heading = "Files")]
    out: Option<PathBuf>,

    /// Replace what is in these files
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

pub(crate) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, Refusal> {
    let sources = arguments.logs.sources(call)?;
    refuse_own_output(&sources)?;
    let quarantine = arguments.quarantine(&sources)?;
    let output = arguments.output(call, &sources, quarantine.as_ref())?;
    [&quarantine, &output].into_iter().flatten().try_for_each(Keep::begin)?;
    let progress = Progress::default();
    let watch = Watch::new(call, &sources, &progress);
    let is_taken = output.as_ref().is_some_and(Keep::is_standard_output);
    let (list, face) = if is_taken {
        (List::silent(&watch, arguments.limit), Face::Nothing)
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
    (report.face, report.elapsed) = (face, watch.elapsed());
    arguments.verdict(call, report, failed)
}

/// What could not be written, and why.
type Unwritten = Option<(String, io::Error)>;

/// What a scan left, as a report, and what went wrong.
fn report(outcome: Outcome<Scanner<'_>>) -> (Report, (Unwritten, Vec<Trouble>)) {
    let Outcome { ordered, totals, troubles, .. } = outcome;
    let Ordered { tally, losses, list, quarantine, mut output, mut failed, .. } = ordered;
    if let Some(output) = &mut output
        && failed.is_none()
    {
        failed = output.finish().err().map(|error| (output.name.clone(), error));
    }
    let (shown, violations) = list.finish();
    let kept = |keep: Keep, left_out| Kept {
        file: keep.name,
        records: keep.records,
        bytes: keep.bytes,
        left_out,
        losses: None,
    };
    let written =
        |keep: Keep| Kept { losses: Some(Losing::of(&losses)), ..kept(keep, tally.unconverted) };
    let mut report = Report {
        inputs: totals.inputs,
        unfinished: totals.unfinished,
        bytes: totals.bytes,
        violations,
        more: tally.violations.saturating_sub(shown),
        quarantine: quarantine.map(|keep| kept(keep, tally.too_large)),
        output: output.map(written),
        unread: troubles.iter().map(Unread::of).collect(),
        ..Report::default()
    };
    report.count(&tally);
    (report, (failed, troubles))
}

impl Arguments {
    fn existing(&self) -> Existing {
        if self.force { Existing::Replace } else { Existing::Refuse }
    }

    fn quarantine(&self, sources: &Sources) -> Result<Option<Keep>, Refusal> {
        let Some(path) = &self.quarantine else { return Ok(None) };
        if path == Path::new("-") {
            return Err(Refusal::InvalidValue {
                message: "--quarantine - names no file".to_owned(),
                suggestion: "standard output tells what was found: name a file".to_owned(),
            });
        }
        Keep::create(path, sources, self.existing()).map(Some)
    }

    /// Where good records go, if they go anywhere.
    fn output(
        &self,
        call: &Call,
        sources: &Sources,
        quarantine: Option<&Keep>,
    ) -> Result<Option<Keep>, Refusal> {
        if self.to.is_none() {
            return Ok(None);
        }
        let conflict = |message: &str, suggestion: &str| {
            let (message, suggestion) = (message.to_owned(), suggestion.to_owned());
            Err(Refusal::InvalidValue { message, suggestion })
        };
        let Some(path) = self.out.as_ref().filter(|path| *path != Path::new("-")) else {
            if call.mode().is_json() || self.format != Format::Human {
                return conflict(
                    "--to writes to standard output, where the answer is to stand",
                    "write the records to a file with --out FILE",
                );
            }
            return Ok(Some(Keep::standard_output()));
        };
        let is_both = |keep: &Keep| keep.is_at(path);
        if quarantine.is_some_and(is_both) {
            return conflict("--quarantine and --out are the same file", "name two files");
        }
        Keep::create(path, sources, self.existing()).map(Some)
    }

    /// What the answer is. Everything that was found is in it, whatever went wrong.
    fn verdict(
        &self,
        call: &Call,
        report: Report,
        (failed, mut troubles): (Unwritten, Vec<Trouble>),
    ) -> Result<Answer, Refusal> {
        logs::tell_unfinished(call, report.unfinished);
        if let (Face::Nothing, Some(to)) = (report.face, self.to) {
            report.output.iter().flat_map(|it| it.warnings(to.id())).for_each(|it| call.warn(it));
        }
        let left_out = |kept: &Option<Kept>| kept.as_ref().map_or(0, |kept| kept.left_out);
        let unwritten = left_out(&report.output) + left_out(&report.quarantine);
        let cancelled = call.check_cancelled().err().filter(|_| !self.logs.is_followed());
        // A reader that had enough is no failure.
        let hung_up = |name: &str, error: &io::Error| {
            name == STANDARD_OUTPUT && error.kind() == io::ErrorKind::BrokenPipe
        };
        let failed = failed.filter(|(name, error)| !hung_up(name, error));
        let is_good = failed.is_none()
            && cancelled.is_none()
            && troubles.is_empty()
            && unwritten == 0
            && report.bad == 0;
        if is_good {
            return Ok(Answer(Box::new(report)));
        }
        logs::tell(call, &troubles);
        if failed.is_none()
            && cancelled.is_none()
            && let Some(refusal) = logs::nothing_read(report.inputs, &mut troubles)
        {
            return Err(refusal);
        }
        if call.mode().is_json() {
            // A failure of our dialect has no data.
            call.note("scan", &report);
        }
        let verdict = report.verdict();
        let so_far = SoFar::of(Answer(Box::new(report)));
        Err(match (failed, cancelled, logs::first_of(&troubles)) {
            (Some((name, error)), ..) => Refusal::OutputIncomplete {
                message: format!("{name}: {error}; until then {verdict}"),
                hint: if name == STANDARD_OUTPUT {
                    "the last line may be torn: send standard output elsewhere, and begin again"
                } else {
                    "what is in the file is whole: make room and begin again with --force"
                },
                so_far,
            },
            (_, Some(cancelled), _) => interrupted(cancelled, so_far),
            (_, _, Some(unread)) => {
                Refusal::InputIncomplete { message: format!("{unread}; {verdict}"), so_far }
            }
            (None, None, None) if unwritten > 0 => {
                let records = quantity::things(unwritten, "record", "records");
                Refusal::OutputIncomplete {
                    message: format!("{records} could not be written; {verdict}"),
                    hint: "raise --max-record for those that are too large; choose a dialect that \
                           says more, or leave --strict out",
                    so_far,
                }
            }
            (None, None, None) => Refusal::ViolationsFound { message: verdict, so_far },
        })
    }
}

fn interrupted(cancelled: Cancelled, so_far: SoFar) -> Refusal {
    Refusal::Interrupted(Interrupted { cancelled, so_far })
}
