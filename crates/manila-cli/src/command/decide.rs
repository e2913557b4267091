//! `manila decide`: what a caller should do about what a program wrote, and why.

use crate::answer::Reply;
use crate::code::Refusal;
use crate::human::Page;
use crate::input::Input;
use clap::{Args, ValueEnum};
use manila::{
    Action, Answer, Attempt, Decision, ErrorKind, History, Opened, Policy, Redirects, decide, open,
};
use serde_json::{Value, json};

#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  mytool deploy | manila decide --exit-code 11
  manila decide --run recorded/run --attempt 3 --idempotent --json")]
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

pub(crate) fn run(arguments: &Arguments) -> Result<Reply, Refusal> {
    let mut transcript = arguments.input.transcript()?;
    if let Some(program) = &arguments.program {
        transcript.argv.splice(..transcript.argv.len().min(1), [program.clone()]);
    }
    // No envelope is something to decide about; a limit or a bad dialect is not.
    let opened = match open(&transcript, &arguments.input.options()?) {
        Ok(opened) => Some(opened),
        Err(error) if matches!(error.kind(), ErrorKind::TooDeep | ErrorKind::TooLarge) => {
            return Err(error.into());
        }
        Err(_) => None,
    };
    let history = arguments.history(opened.as_ref());
    let answer = Answer::new(&transcript, opened.as_ref());
    let decision = decide(&answer, &history, &arguments.policy());
    let data = data(&decision, opened.as_ref());
    Ok(Reply::new(data, move |_| show(&decision)))
}

impl Arguments {
    fn history(&self, opened: Option<&Opened>) -> History {
        let own = opened.and_then(|opened| opened.envelope.error());
        let own = own.map_or("", |error| error.code.as_str());
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
            redirects: match self.redirects {
                Which::Never => Redirects::Never,
                Which::SameProgram => Redirects::SameProgram,
                Which::Any => Redirects::Any,
            },
        }
    }
}

fn data(decision: &Decision, opened: Option<&Opened>) -> Value {
    json!({
        "action": decision.action,
        "reason": decision.reason,
        "row": {
            "number": decision.row.number,
            "id": decision.row.id,
            "signal": decision.row.signal,
            "conclusion": decision.row.conclusion,
        },
        "notes": decision.notes,
        "dialect": opened.map(|opened| opened.detection.dialect.id()),
        "exit": opened.map(|opened| opened.envelope.exit()),
        "code": opened.and_then(|opened| opened.envelope.error()).map(|error| &error.code),
    })
}

fn show(decision: &Decision) -> String {
    let words = match &decision.action {
        Action::Retry { wait_ms: 0, .. } => "retry at once".to_owned(),
        Action::Retry { wait_ms, .. } if wait_ms % 1000 == 0 => {
            format!("retry after {} s", wait_ms / 1000)
        }
        Action::Retry { wait_ms, .. } => format!("retry after {wait_ms} ms"),
        Action::NextPage { cursor } => format!("fetch the next page, from cursor {cursor}"),
        Action::Redirect { command, .. } => format!("call instead: {command}"),
        Action::ApplyFix { command, .. } => format!("run, then call again: {command}"),
        other => other.name().replace('-', " "),
    };
    let good = matches!(decision.action, Action::Accept | Action::UseCache);
    let mut page = Page::default();
    page.verdict(good, &words).field("why", &decision.reason);
    match &decision.action {
        Action::Retry { change: Some(manila::Change::CorrectArguments), .. } => {
            page.field("change", "correct the arguments first");
        }
        Action::Retry { change: Some(manila::Change::WithoutEtag), .. } => {
            page.field("change", "name no version (etag)");
        }
        Action::Redirect { remember, .. } => {
            page.field("remember", if *remember { "yes" } else { "no" });
        }
        _ => {}
    }
    let row = decision.row;
    page.field("row", &format!("{} {}: {}", row.number, row.id, row.signal));
    for note in &decision.notes {
        page.field("note", note);
    }
    page.finish()
}
