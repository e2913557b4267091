//! `manila decide`: what a caller should do about what a program wrote, and why.

use crate::error::CliError;
use crate::help::examples;
use crate::human::verdict;
use crate::input::Input;
use crate::known;
use crate::shape;
use clap::{Args, ValueEnum};
use manila::{Action, Attempt, Change, EXPLICIT_FAILURE, ErrorObject, History, Policy, Redirects};
use manila_clap::{Call, Reply, Screen};
use manila_pack::{Decided, Effect, Packs, decide};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::{SystemTime, UNIX_EPOCH};

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
    "BAD_RECORDING", "BAD_DIALECT", "INTERNAL_ERROR",
];

#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: Input,

    /// The number of this attempt; earlier ones failed with the same code unless --after says otherwise
    #[arg(long, value_name = "N", help_heading = "History", value_parser = clap::value_parser!(u16).range(1..))]
    attempt: Option<u16>,

    /// The error code of an earlier attempt; repeatable, the last one stands for the rest
    #[arg(long, value_name = "CODE", help_heading = "History")]
    after: Vec<String>,

    /// A cursor that was already requested
    #[arg(long, value_name = "CURSOR", help_heading = "History")]
    seen_cursor: Vec<String>,

    /// A redirect that was already followed
    #[arg(long, value_name = "COMMAND", help_heading = "History")]
    followed: Vec<String>,

    /// The credentials were refreshed already
    #[arg(long, help_heading = "History")]
    refreshed: bool,

    /// A stated fix was already applied
    #[arg(long, help_heading = "History")]
    fixed: bool,

    /// The call was repeated without an etag already
    #[arg(long, help_heading = "History")]
    reissued: bool,

    /// Retry at most this many times on one error code
    #[arg(long, value_name = "N", default_value_t = Policy::default().retries, help_heading = "Policy")]
    retries: usize,

    /// Follow at most this many redirects
    #[arg(long, value_name = "N", default_value_t = Policy::default().hops, help_heading = "Policy")]
    max_hops: usize,

    /// Spread waits by this number from 0 to 1
    #[arg(long, value_name = "F", default_value_t = 0.0, help_heading = "Policy")]
    #[arg(value_parser = fraction, allow_negative_numbers = true)]
    jitter: f64,

    /// The remaining time, in milliseconds
    #[arg(long, value_name = "MS", help_heading = "Policy")]
    remaining_ms: Option<u64>,

    /// The call may be made twice without harm
    #[arg(long, help_heading = "Policy")]
    idempotent: bool,

    /// A cached answer exists
    #[arg(long, help_heading = "Policy")]
    cached: bool,

    /// Allow commands that errors state as their fix
    #[arg(long, help_heading = "Policy")]
    allow_fixes: bool,

    /// The credentials can be refreshed
    #[arg(long, help_heading = "Policy")]
    can_refresh: bool,

    /// Follow redirects from these programs
    #[arg(long, value_name = "WHICH", default_value = "same-program", help_heading = "Policy")]
    redirects: Which,
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

pub(crate) fn run(arguments: &Arguments, _: &Call) -> Result<Answer, CliError> {
    known::install(None)?;
    let transcript = arguments.input.transcript()?;
    let packs = Packs::from_environment()?;
    let options = arguments.input.options();
    let history = |failure: Option<&ErrorObject>| arguments.history(failure);
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = arguments.input.ended_ms()?.or_else(|| u64::try_from(clock.as_millis()).ok());
    let decided = decide(&transcript, &options, &packs, history, &arguments.policy(), now)?;
    Ok(Answer::from(decided))
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
    /// The rule of a pack that determined the class.
    rule: Option<String>,
    /// What the call may change, if its program has a pack.
    effects: Option<&'static str>,
    /// The code of its error.
    code: Option<String>,
    /// The message of its error.
    message: Option<String>,
    /// When a limit that lasts ends, from the end of the run.
    after_ms: Option<u64>,
}

/// A row of the decision table.
#[derive(Serialize, JsonSchema)]
struct Row {
    number: u8,
    id: &'static str,
    signal: &'static str,
    conclusion: &'static str,
}

impl From<Decided> for Answer {
    fn from(decided: Decided) -> Answer {
        let Decided { decision, dialect, class, rule, effect, error } = decided;
        let manila::Row { number, id, signal, conclusion, .. } = *decision.row;
        let after_ms = match decision.action {
            Action::GiveUp => error.as_ref().and_then(|error| error.wait_ms),
            _ => None,
        };
        let (code, message) = error.map(|error| (error.code, error.message)).unzip();
        Answer {
            action: decision.action,
            reason: decision.reason,
            row: Row { number, id, signal, conclusion },
            notes: decision.notes,
            dialect,
            exit: class,
            rule,
            effects: effect.map(Effect::as_str),
            code,
            message,
            after_ms,
        }
    }
}

impl Arguments {
    fn history(&self, failure: Option<&ErrorObject>) -> History {
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
    if let Some(after) = answer.after_ms {
        screen.field("after", format!("{} s, when the limit ends", after.div_ceil(1000)));
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
