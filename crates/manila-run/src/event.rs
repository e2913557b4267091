//! The steps of a call as they are taken: for observers, and for `tracing`.

use crate::attempt::millis;
use crate::usage::Usage;
use manila::{Decision, Exit};
use serde::Serialize;
use std::time::Duration;

/// Why an attempt is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "because", rename_all = "kebab-case")]
pub enum Cause {
    /// The caller asked for it.
    First,
    /// The one before failed in a way that may pass.
    Retry {
        /// How long was waited.
        waited_ms: u64,
    },
    /// The data continues at a cursor.
    NextPage {
        /// Where.
        cursor: String,
    },
    /// The command has another name.
    Redirect {
        /// The command, as the program spelled it.
        command: String,
    },
    /// A permanent redirect of an earlier call is remembered.
    Remembered,
    /// An error stated a command that corrects it.
    Fix,
    /// The credentials are to be renewed.
    Refresh,
    /// What was wrong is corrected: a fix was applied, or the credentials were renewed.
    Again,
    /// The cached answer is gone, so all of it is asked for.
    WithoutEtag,
}

impl Cause {
    /// Whether something else is called, after which the call itself may work.
    pub(crate) fn is_aside(&self) -> bool {
        matches!(self, Cause::Fix | Cause::Refresh)
    }
}

/// A step of a call.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// An attempt begins.
    Attempt {
        /// Which one, from 1.
        number: usize,
        /// The program and its arguments.
        argv: &'e [String],
        /// Why.
        cause: &'e Cause,
    },
    /// An attempt has ended.
    Answered {
        /// What it took.
        usage: &'e Usage,
        /// The dialect of its envelope, if it has one.
        dialect: Option<&'static str>,
        /// The class of the answer.
        exit: Exit,
        /// The code of its error, if it failed.
        code: Option<&'e str>,
    },
    /// What is done about it.
    Decided(&'e Decision),
    /// Nothing happens for so long.
    Waiting(Duration),
    /// Something that the caller should know, but that changes nothing.
    Noted(&'e str),
}

impl Event<'_> {
    /// The same for `tracing`, with the names that OpenTelemetry has for programs.
    pub(crate) fn trace(&self) {
        match self {
            Event::Attempt { number, argv, cause } => {
                let executable = argv.first().map_or("", String::as_str);
                tracing::debug!(attempt = number, process.executable.name = executable, ?cause);
            }
            Event::Answered { usage, dialect, exit, code } => {
                let exit_code = usage.status.code();
                tracing::debug!(
                    process.exit.code = exit_code,
                    error.r#type = code,
                    dialect,
                    class = exit.name(),
                    duration_ms = usage.duration_ms,
                );
            }
            Event::Decided(decision) => {
                let row = decision.row.id;
                tracing::info!(action = decision.action.name(), row, reason = %decision.reason);
            }
            Event::Waiting(time) => tracing::debug!(wait_ms = millis(*time)),
            Event::Noted(note) => tracing::warn!("{note}"),
        }
    }
}
