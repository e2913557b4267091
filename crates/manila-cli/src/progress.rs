//! One line of a terminal that shows how far a command has come, and is overwritten by what follows it.

use manila_clap::Call;
use std::fmt::Display;
use std::io::{self, Write};

/// Returns to the beginning of the line, and erases it.
const ERASE: &str = "\r\u{1b}[K";

/// Shows this instead of what the line showed before.
pub(crate) fn show(text: impl Display) {
    let _ = write!(io::stderr(), "{ERASE}{text}");
}

/// Erases the line, if the command shows one.
pub(crate) fn clear(call: &Call) {
    if call.shows_progress() {
        show("");
    }
}
