//! What an attempt answered: its envelope, or a truthful one for a program that has none.

use crate::attempt::Execution;
use crate::code::Code;
use crate::usage::Stopped;
use manila::json::Raw;
use manila::{Envelope, Exit, Failure, Opened, Options, Status, open};
use serde::Serialize;
use std::mem;
use std::time::Duration;

/// How much of a program's words is handed on when it has no envelope.
const WORDS: usize = 64 << 10;
/// How many of the last lines of standard error a failure quotes.
const LINES: usize = 20;

/// An answer, and what is known of how it came about.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) envelope: Envelope,
    /// How the envelope was found, or why none was. Nothing if the envelope is ours, because what
    /// the program wrote does not count.
    pub(crate) read: Option<Result<Opened, manila::Error>>,
    /// Whether the data are the words of a program that has no envelope.
    pub(crate) is_plain: bool,
    /// What could not be known.
    pub(crate) unknown: Vec<String>,
}

/// A program's words, for lack of an envelope.
#[derive(Serialize)]
struct Words {
    stdout: String,
    stderr: String,
}

impl Answered {
    /// What a run answered.
    pub(crate) fn of(
        execution: &mut Execution,
        limit: Option<Duration>,
        options: &Options,
    ) -> Answered {
        match execution.usage.stopped {
            Some(Stopped::TimeLimit) => return Answered::out_of_time(execution, limit),
            Some(Stopped::Cancelled) => return Answered::cancelled(execution),
            Some(Stopped::Terminal) => return Answered::at_terminal(execution),
            Some(Stopped::HeldOpen) | None => {}
        }
        let mut unknown = Vec::new();
        if execution.usage.stopped == Some(Stopped::HeldOpen) {
            unknown.push("what others that it started would still have written".to_owned());
        }
        if execution.usage.status == Status::Unknown {
            unknown.push("how it ended: whoever started this process lets nobody know".to_owned());
        }
        if execution.usage.cut.iter().any(|cut| cut.starts_with("standard output")) {
            return Answered::too_much(execution);
        }
        unknown.extend(execution.usage.cut.iter().cloned());
        // An end of what is cut could look like anything, so it is put aside.
        let stderr =
            execution.stderr_tail.is_some().then(|| mem::take(&mut execution.transcript.stderr));
        let opened = open(&execution.transcript, options);
        execution.transcript.stderr.extend(stderr.unwrap_or_default());
        match opened {
            Ok(opened) => Answered {
                envelope: opened.envelope.clone(),
                read: Some(Ok(opened)),
                is_plain: false,
                unknown,
            },
            Err(why) => {
                if why.stated_failure().is_none() {
                    unknown.push(format!("whether it did what it should: {why}"));
                }
                let bare = Answered::without_envelope(execution, why);
                unknown.extend(bare.unknown);
                Answered { unknown, ..bare }
            }
        }
    }

    /// How the envelope was found, if the program wrote one that counts.
    pub(crate) fn opened(&self) -> Option<&Opened> {
        self.read.as_ref()?.as_ref().ok()
    }

    /// Ours, about a run whose own words do not count.
    fn ours(code: Code, execution: &Execution, failure: Failure, unknown: &str) -> Answered {
        let failure = Failure { detail: last_words(execution), ..failure };
        let mut answered = Answered::failed(code.exit(), failure);
        answered.envelope = answered.envelope.with_status(execution.usage.status.code());
        answered.unknown.push(unknown.to_owned());
        if execution.usage.status == Status::Unknown {
            answered.unknown.push("whether it has ended".to_owned());
        }
        answered
    }

    /// A failure that is ours to report.
    pub(crate) fn failed(exit: Exit, failure: Failure) -> Answered {
        let envelope = Envelope::failure(exit, failure);
        let unknown = Vec::new();
        Answered { envelope, read: None, is_plain: false, unknown }
    }

    fn out_of_time(execution: &Execution, limit: Option<Duration>) -> Answered {
        let limit = limit.unwrap_or_default();
        let failure = Failure {
            suggestion: Some("look at what it has done, or allow it more time".to_owned()),
            ..Code::Timeout.failure(format!("it was ended after {limit:?}"))
        };
        Answered::ours(Code::Timeout, execution, failure, "how much of its work is done")
    }

    fn cancelled(execution: &Execution) -> Answered {
        let failure = Code::Cancelled.failure("the call was ended from outside");
        Answered::ours(Code::Cancelled, execution, failure, "how much of its work is done")
    }

    fn at_terminal(execution: &Execution) -> Answered {
        let failure = Failure {
            suggestion: Some("tell it what it wants to know in its arguments or a file".to_owned()),
            ..Code::NeedsTerminal.failure("it wants to talk to the terminal, so it was ended")
        };
        Answered::ours(Code::NeedsTerminal, execution, failure, "how much of its work is done")
    }

    fn too_much(execution: &Execution) -> Answered {
        let failure = Failure {
            retryable: Some(false),
            suggestion: Some("narrow the query, or allow more output".to_owned()),
            ..Code::OutputTooLarge.failure(execution.usage.cut.join("; "))
        };
        Answered::ours(Code::OutputTooLarge, execution, failure, "what it answered")
    }

    fn without_envelope(execution: &Execution, why: manila::Error) -> Answered {
        let status = execution.usage.status;
        let (data, is_plain) = data(execution);
        let error = match why.stated_failure() {
            // What it says itself is worth more than its last words, and than its exit status.
            Some(stated) => Some(stated.error.clone()),
            None => (status != Status::Exited(0)).then(|| unexplained(execution)),
        };
        let envelope = match error {
            None => Envelope::success(data),
            Some(error) => {
                let envelope = Envelope::failure(Exit::General, error);
                let is_silent = execution.transcript.stdout.is_empty();
                if is_silent { envelope } else { envelope.with_data(data) }
            }
        };
        let written =
            [("output", execution.transcript.stdout.as_slice()), ("error", execution.stderr_end())];
        let is_cut = |(_, bytes): &(&str, &[u8])| is_plain && bytes.len() > WORDS;
        let unknown = written.into_iter().filter(is_cut).map(|(name, bytes)| {
            let all = bytes.len();
            format!("what standard {name} began with: {all} bytes were written, {WORDS} are told")
        });
        Answered {
            envelope: envelope.with_status(status.code()),
            read: Some(Err(why)),
            is_plain,
            unknown: unknown.collect(),
        }
    }
}

/// The error of a failure that says nothing about itself.
fn unexplained(execution: &Execution) -> Failure {
    let status = execution.usage.status;
    let code = match status {
        Status::Signaled(_) => Code::Killed,
        _ => Code::FailedWithoutEnvelope,
    };
    let last = last_words(execution);
    let line = last.as_deref().and_then(|lines| lines.lines().next_back());
    let message = line.map_or_else(|| status.to_string(), |line| format!("{status}: {line}"));
    Failure { detail: last, ..code.failure(message) }
}

/// The output of a program without an envelope: itself if it is JSON, else its words, and whether it
/// is those.
fn data(execution: &Execution) -> (Raw, bool) {
    let json = std::str::from_utf8(&execution.transcript.stdout).ok();
    if let Some(json) = json.and_then(|text| Raw::parse(text.trim()).ok()) {
        return (json, false);
    }
    let words =
        Words { stdout: end(&execution.transcript.stdout), stderr: end(execution.stderr_end()) };
    (Raw::of(&words).unwrap_or_else(|_| Raw::null()), true)
}

/// The end of some bytes as text, from the beginning of a character.
fn end(bytes: &[u8]) -> String {
    let end = &bytes[bytes.len().saturating_sub(WORDS)..];
    let is_cut = end.len() < bytes.len();
    let inside = end.iter().take_while(|byte| is_cut && **byte & 0xc0 == 0x80).count();
    String::from_utf8_lossy(&end[inside..]).into_owned()
}

/// What a program said last: on standard error, or else on standard output.
fn last_words(execution: &Execution) -> Option<String> {
    last_lines(execution.stderr_end()).or_else(|| last_lines(execution.stdout_end()))
}

fn last_lines(bytes: &[u8]) -> Option<String> {
    let text = end(bytes);
    let text = text.trim_end();
    let skipped = text.lines().count().saturating_sub(LINES);
    let lines: Vec<&str> = text.lines().skip(skipped).collect();
    Some(lines.join("\n")).filter(|lines| !lines.is_empty())
}
