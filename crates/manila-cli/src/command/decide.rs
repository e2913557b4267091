//! `manila decide`: what a caller should do about what a program wrote, and why.

use crate::cli::examples;
use crate::human::verdict;
use crate::input::Input;
use crate::refusal::Refusal;
use crate::shape;
use clap::{Args, ValueEnum};
use manila::{
    Action, Attempt, Change, Decision, EXPLICIT_FAILURE, ErrorKind, Failure, History, Policy,
    Redirects, Status, Transcript, decide, open,
};
use manila_clap::{Call, Reply, Screen};
use manila_pack::{Effect, Lookup, Packs, Reading, effects, read_any, read_call};
use schemars::JsonSchema;
use serde::Serialize;

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("mytool deploy | manila decide --exit-code 11", "decide about what a program wrote"),
    (
        "manila decide --run recorded/run --attempt 3 --idempotent --json",
        "decide about the third attempt at a call that may be made twice",
    ),
];

#[rustfmt::skip]
pub(crate) const FAILS: &[&str] = &[
    "EMPTY_INPUT", "OVER_LIMIT", "FILE_NOT_FOUND", "FILE_FORBIDDEN", "FILE_UNREADABLE",
    "BAD_RECORDING", "INTERNAL_ERROR",
];

#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: Input,

    /// Which attempt this is; the ones before it failed alike unless --after says how
    #[arg(long, value_name = "N", help_heading = "History", value_parser = clap::value_parser!(u16).range(1..))]
    attempt: Option<u16>,

    /// The error code of an earlier attempt; may be given for each, the last stands for the rest
    #[arg(long, value_name = "CODE", help_heading = "History")]
    after: Vec<String>,

    /// A cursor that was already asked for
    #[arg(long, value_name = "CURSOR", help_heading = "History")]
    seen_cursor: Vec<String>,

    /// A redirect that was already followed
    #[arg(long, value_name = "COMMAND", help_heading = "History")]
    followed: Vec<String>,

    /// The credentials were already refreshed
    #[arg(long, help_heading = "History")]
    refreshed: bool,

    /// A stated fix was already applied
    #[arg(long, help_heading = "History")]
    fixed: bool,

    /// It was already asked again without an etag
    #[arg(long, help_heading = "History")]
    reissued: bool,

    /// How often to retry on one error code
    #[arg(long, value_name = "N", default_value_t = Policy::default().retries, help_heading = "Policy")]
    retries: usize,

    /// How many redirects to follow
    #[arg(long, value_name = "N", default_value_t = Policy::default().hops, help_heading = "Policy")]
    max_hops: usize,

    /// A number from 0 to 1 that spreads waits
    #[arg(long, value_name = "F", default_value_t = 0.0, help_heading = "Policy")]
    #[arg(value_parser = fraction, allow_negative_numbers = true)]
    jitter: f64,

    /// How much time is left, in milliseconds
    #[arg(long, value_name = "MS", help_heading = "Policy")]
    remaining_ms: Option<u64>,

    /// The call may be made twice without harm
    #[arg(long, help_heading = "Policy")]
    idempotent: bool,

    /// There is a kept answer to fall back on
    #[arg(long, help_heading = "Policy")]
    cached: bool,

    /// Commands that errors state as fixes may be run
    #[arg(long, help_heading = "Policy")]
    allow_fixes: bool,

    /// The credentials can be refreshed
    #[arg(long, help_heading = "Policy")]
    can_refresh: bool,

    /// Which redirects may be followed
    #[arg(long, value_name = "WHICH", default_value = "same-program", help_heading = "Policy")]
    redirects: Which,

    /// The program that was called, for the redirects that must name the same
    #[arg(long, value_name = "NAME", help_heading = "Policy")]
    program: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Which {
    Never,
    SameProgram,
    Any,
}

fn fraction(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("not a number from 0 to 1".to_owned()),
    }
}

pub(crate) fn run(arguments: &Arguments, _: &Call) -> Result<Answer, Refusal> {
    let mut transcript = arguments.input.transcript()?;
    if let Some(program) = &arguments.program {
        transcript.argv.splice(..transcript.argv.len().min(1), [program.clone()]);
    }
    if let Some(answer) = arguments.by_packs(&transcript)? {
        return Ok(answer);
    }
    // No envelope is something to decide about; a limit or a bad dialect is not.
    let read = match open(&transcript, &arguments.input.options()) {
        Err(error) if matches!(error.kind(), ErrorKind::TooDeep | ErrorKind::TooLarge) => {
            return Err(error.into());
        }
        read => read,
    };
    let failure = match &read {
        Ok(opened) => opened.envelope.error(),
        Err(error) => error.stated_failure().map(|stated| &stated.error),
    };
    let is_nothing_said = read.as_ref().is_err_and(|error| error.stated_failure().is_none());
    if is_nothing_said && !matches!(transcript.status, Status::Exited(0) | Status::Unknown) {
        let reading = read_any(&transcript);
        if reading.class.is_some() {
            return Ok(arguments.by_reading(&transcript, &reading, Effect::Unknown));
        }
    }
    let history = arguments.history(failure);
    let answer = manila::Answer::new(&transcript, read.as_ref());
    let decision = decide(&answer, &history, &arguments.policy());
    let opened = read.as_ref().ok();
    Ok(Answer {
        dialect: opened.map(|opened| opened.detection.dialect.id()),
        exit: opened.map(|opened| opened.envelope.exit().name()),
        ..Answer::new(decision, failure)
    })
}

/// What to do, why, and which row of the table says so.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "Decision")]
#[reply(kind = "decide", show = show)]
pub(crate) struct Answer {
    #[schemars(schema_with = "shape::action")]
    action: Action,
    reason: String,
    row: Row,
    /// What else a caller should know.
    notes: Vec<String>,
    /// The dialect, if there was an envelope.
    dialect: Option<&'static str>,
    /// The exit class, or `UNKNOWN`.
    exit: Option<&'static str>,
    /// The rule of a pack that told the class.
    rule: Option<String>,
    /// What the call may change, if its program has a pack.
    effects: Option<&'static str>,
    /// The code of its error.
    code: Option<String>,
    /// The message of its error.
    message: Option<String>,
}

/// A row of the decision table.
#[derive(Serialize, JsonSchema)]
struct Row {
    number: u8,
    id: &'static str,
    signal: &'static str,
    conclusion: &'static str,
}

impl Answer {
    fn new(decision: Decision, failure: Option<&Failure>) -> Answer {
        let manila::Row { number, id, signal, conclusion, .. } = *decision.row;
        Answer {
            action: decision.action,
            reason: decision.reason,
            row: Row { number, id, signal, conclusion },
            notes: decision.notes,
            dialect: None,
            exit: None,
            rule: None,
            effects: None,
            code: failure.map(|failure| failure.code.clone()),
            message: failure.map(|failure| failure.message.clone()),
        }
    }
}

impl Arguments {
    /// What is decided about a run of a program that packs know, unless it may have started another
    /// that answers in an envelope.
    fn by_packs(&self, transcript: &Transcript) -> Result<Option<Answer>, Refusal> {
        let packs = Packs::from_environment()?;
        let program = transcript.argv.first().map_or("", String::as_str);
        let name = program.rsplit('/').next().unwrap_or(program);
        if self.input.options().dialect.is_some() || packs.find(name).is_none() {
            return Ok(None);
        }
        let effect = effects(&transcript.argv, &packs).effect;
        if effect == Effect::Unknown && open(transcript, &self.input.options()).is_ok() {
            return Ok(None);
        }
        let reading = read_call(transcript, &packs);
        let answer = self.by_reading(transcript, &reading, effect);
        Ok(Some(Answer { effects: Some(effect.as_str()), ..answer }))
    }

    /// What is decided about a run without an envelope that is read so.
    fn by_reading(&self, transcript: &Transcript, reading: &Reading, effect: Effect) -> Answer {
        let envelope = reading.envelope(transcript.status, None);
        let answer = reading.answer(&envelope, transcript.status);
        let policy = self.policy();
        let policy = Policy { idempotent: policy.idempotent || effect.is_repeatable(), ..policy };
        let decision = decide(&answer, &self.history(envelope.error()), &policy);
        let notes = reading.why.iter().cloned().chain(decision.notes.iter().cloned()).collect();
        Answer {
            notes,
            exit: Some(reading.class_name()),
            rule: Some(reading.rule.clone()),
            ..Answer::new(decision, envelope.error())
        }
    }

    fn history(&self, failure: Option<&Failure>) -> History {
        let own = failure.map_or("", |failure| failure.code.as_str());
        let before = self.attempt.map_or(0, |attempt| usize::from(attempt) - 1);
        let before = before.max(self.after.len());
        let last = self.after.last().map_or(own, String::as_str);
        let codes = self.after.iter().map(String::as_str).chain(std::iter::repeat(last));
        History {
            attempts: codes.take(before).map(|code| Attempt { code: code.to_owned() }).collect(),
            cursors: self.seen_cursor.clone(),
            redirects: self.followed.clone(),
            refreshed: self.refreshed,
            fixed: self.fixed,
            reissued: self.reissued,
        }
    }

    fn policy(&self) -> Policy {
        Policy {
            retries: self.retries,
            hops: self.max_hops,
            jitter: self.jitter,
            remaining_ms: self.remaining_ms,
            idempotent: self.idempotent,
            cached: self.cached,
            fixes: self.allow_fixes,
            refresh: self.can_refresh,
            redirects: match self.redirects {
                Which::Never => Redirects::Never,
                Which::SameProgram => Redirects::SameProgram,
                Which::Any => Redirects::Any,
            },
        }
    }
}

fn show(answer: &Answer, screen: &mut Screen) {
    let words = match &answer.action {
        Action::Retry { wait_ms: 0, .. } => "retry at once".to_owned(),
        Action::Retry { wait_ms, .. } if wait_ms % 1000 == 0 => {
            format!("retry after {} s", wait_ms / 1000)
        }
        Action::Retry { wait_ms, .. } => format!("retry after {wait_ms} ms"),
        Action::CorrectArguments { .. } => "correct the arguments".to_owned(),
        Action::NextPage { cursor } => format!("fetch the next page, from cursor {cursor}"),
        Action::Redirect { command, .. } => format!("call instead: {command}"),
        Action::ApplyFix { command, .. } => format!("run, then call again: {command}"),
        other => other.name().replace('-', " "),
    };
    verdict(screen, matches!(answer.action, Action::Accept | Action::UseCache), &words);
    screen.field("why", &answer.reason);
    match (answer.code.as_deref(), &answer.message) {
        (None | Some("" | EXPLICIT_FAILURE), Some(message)) => screen.field("error", message),
        (Some(code), Some(message)) => screen.field("error", format!("{code}: {message}")),
        _ => {}
    }
    match &answer.action {
        Action::CorrectArguments { wait_ms: wait @ 1.. } => {
            screen.field("wait", format!("{wait} ms before the next call"));
        }
        Action::Retry { change: Some(Change::WithoutEtag), .. } => {
            screen.field("change", "name no version (etag)");
        }
        Action::Redirect { remember, .. } => {
            screen.field("remember", if *remember { "yes" } else { "no" });
        }
        _ => {}
    }
    if let (Some(class), Some(rule)) = (answer.exit, &answer.rule) {
        screen.field("class", format!("{class}, by {rule}"));
    }
    if let Some(effects) = answer.effects {
        screen.field("effects", effects);
    }
    let Row { number, id, signal, .. } = answer.row;
    screen.field("row", format!("{number} {id}: {signal}"));
    for note in &answer.notes {
        screen.field("note", note);
    }
}
