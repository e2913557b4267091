//! What is asked of the operating system beyond the standard library, and nothing else; a system that
//! is not Unix needs a module of its own here.

mod guardian;
mod launch;
mod unix;

pub(crate) use guardian::Guardian;
pub(crate) use launch::{Launch, Place};
pub(crate) use unix::{
    Exited, Reaped, StdinKind, Target, TerminalSignals, enlarge, has_ended, has_terminal, is_gone,
    name_file, read_some, reap, reap_later, rewind_stdin, send_file, signal, start, stdin_kind,
    unblock, wait_for, wants_terminal, write,
};
pub use unix::{TerminalMode, end_as, reset_sigchld};
