//! `manila run` without `--json`: the program's own bytes and its own status, as if nothing stood between.

use crate::trace;
use manila::Status;
use manila_run::{Delivery, Input, Invocation, Outcome, Sink, Stopped, TerminalMode, end_as};
use std::io::{self, IsTerminal, Write};

/// As `timeout` ends when the time is over.
const TIMED_OUT: i32 = 124;
/// As `env` and shells end for a program that cannot be run.
const NOT_RUNNABLE: i32 = 126;
/// As `env` and shells end for a program that does not exist.
const NOT_FOUND: i32 = 127;

/// What is between us and the program, to be undone when it has ended.
pub(crate) struct Passthrough {
    /// How the terminal was set before, if there is one.
    terminal: Option<TerminalMode>,
}

impl Passthrough {
    pub(crate) fn begin() -> Passthrough {
        Passthrough { terminal: TerminalMode::of_stdin() }
    }

    /// Where the program's bytes go: to our own streams.
    pub(crate) fn delivery() -> Delivery {
        Delivery { sink: Sink::stdio(), live_stderr: io::stderr().is_terminal() }
    }

    /// The call as the caller would make it: with our input, and with the terminal if there is one.
    pub(crate) fn invocation(call: Invocation, stdin: Option<Input>) -> Invocation {
        let [stdin_is, stdout_is, stderr_is] =
            [io::stdin().is_terminal(), io::stdout().is_terminal(), io::stderr().is_terminal()];
        let call = stdin.into_iter().fold(call, Invocation::stdin);
        let call = if stdin_is || stdout_is || stderr_is { call.foreground() } else { call };
        // A person uses the terminal: pagers, editors, colours and prompts need the terminal
        // itself.
        if stdin_is && stdout_is { call.inherit_stdout() } else { call }
    }

    /// Ends this process as the program ended.
    pub(crate) fn end(self, outcome: &Outcome, signal: Option<i32>) -> ! {
        let output = &outcome.output;
        let status = output.status;
        let was_ended = output.stopped.is_some() || !matches!(status, Status::Exited(_));
        if let (Some(terminal), true) = (&self.terminal, was_ended) {
            // What died in the middle left it as it needed it.
            terminal.restore();
        }
        match (output.stopped, signal) {
            (Some(Stopped::TimeLimit), _) => {
                say(outcome);
                end_as(Status::Exited(TIMED_OUT))
            }
            (_, Some(signal)) => end_as(Status::Signaled(signal)),
            (_, None) if status == Status::Unknown => {
                say(outcome);
                end_as(Status::Exited(not_started(outcome)))
            }
            (_, None) => end_as(status),
        }
    }
}

/// Says what is ours to say, because the program did not get to say anything.
fn say(outcome: &Outcome) {
    let Some(error) = outcome.envelope.error() else { return };
    let hint =
        error.suggestion.as_deref().map(|hint| format!("  hint: {}\n", trace::harmless(hint)));
    let message = trace::harmless(&error.message);
    let text = format!("manila: error[{}]: {message}\n{}", error.code, hint.unwrap_or_default());
    let _ = io::stderr().write_all(text.as_bytes());
}

fn not_started(outcome: &Outcome) -> i32 {
    match outcome.envelope.error().map(|error| error.code.as_str()) {
        Some("NO_SUCH_PROGRAM") => NOT_FOUND,
        _ => NOT_RUNNABLE,
    }
}
