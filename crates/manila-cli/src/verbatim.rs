//! A document of somebody else's that people get byte for byte: a screen would make its control
//! characters visible.

use manila_clap::Screen;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

/// What is written once the rest of the answer is.
static DOCUMENT: Mutex<String> = Mutex::new(String::new());

/// Shows a document as it is.
pub(crate) fn show(document: &str, _: &mut Screen) {
    document.clone_into(&mut DOCUMENT.lock().unwrap_or_else(PoisonError::into_inner));
}

/// Writes what was shown. A reader that hung up changes no status.
pub(crate) fn write(status: ExitCode) -> ExitCode {
    let document = DOCUMENT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut stdout = io::stdout().lock();
    match stdout.write_all(document.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            // The last resort: if this cannot be written either, the status still says it.
            let words = format!("error[OUTPUT_FAILED]: the answer could not be written: {error}\n");
            let _ = io::stderr().write_all(words.as_bytes());
            ExitCode::FAILURE
        }
        _ => status,
    }
}
