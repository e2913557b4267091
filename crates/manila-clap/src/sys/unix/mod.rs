//! Unix: the guard of stdout, signals, the time limit, `exit`, and writing that loses nothing.
//!
//! The host program keeps its signals: only those of [`ENDING`] are handled, with `SA_RESTART`, and a
//! handler of the program comes first, whether it is installed before or after. A thread is started only for a time limit,
//! for a handler that watches for signals and for a stream of many lines, a process only for a command that prints
//! its answer.
#![expect(unsafe_code, reason = "signal handlers and descriptors have no safe interface")]

mod call;
mod capture;
mod end;
#[cfg(target_os = "linux")]
mod guardian;
mod kernel;
mod line;
mod output;
mod signal;
mod signal_free;

pub(crate) use call::terminal_width;
pub(crate) use capture::{capture, captured, dismiss_guardian};
pub(crate) use end::{exit_now, process_id};
pub(crate) use line::{flush_lines, write_line, write_numbered_line};
pub(crate) use output::{Guard, flush, write};
pub(crate) use signal::{
    ENDING, arm, at_exit, await_poll, fix_outcome, is_to_answer, limit, live_in_another, poll,
    watch,
};
