//! Writes a response to the streams of the process.

use crate::call::Call;
use crate::code::Code;
use crate::output::Output;
use crate::sys::{self, Guard};
use manila::Stream;
use std::io;

/// Writes a response. A closed pipe changes nothing; an answer that could not be written is a
/// failure, whatever it says.
pub(crate) fn deliver(call: &Call, output: &Output, guard: Option<&Guard>) -> u8 {
    let status = u8::try_from(output.status).unwrap_or(1);
    let printing = call.setup.optional.printing.filter(|_| guard.is_some());
    if guard.is_some() {
        sys::flush();
    }
    // What was printed and is not the answer is beside it, as everything else that is printed.
    if let Some(text) = printing.and_then(|printing| (printing.leftover)()) {
        let _ = sys::write(Stream::Stderr, None, &text);
    }
    // A stream that was not finished comes before its end.
    let _ = sys::flush_lines();
    let write = |stream, bytes: &[u8]| match sys::write(stream, guard, bytes) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        wrote => wrote,
    };
    let (beside, answer) = match output.answer {
        Stream::Stdout => ((Stream::Stderr, &output.stderr), (Stream::Stdout, &output.stdout)),
        Stream::Stderr => ((Stream::Stdout, &output.stdout), (Stream::Stderr, &output.stderr)),
    };
    // What is beside the answer need not be read; the answer must still be given.
    let _ = write(beside.0, beside.1);
    match write(answer.0, answer.1) {
        Ok(()) => {
            if let Some(printing) = printing {
                (printing.done)();
            }
            status
        }
        Err(why) => unwritten(call, status, &why),
    }
}

/// The status of a call whose answer could not be written, and a word on it. If that cannot be written either, the
/// status still says it. A reader that hangs up changes nothing.
pub(crate) fn unwritten(call: &Call, status: u8, why: &io::Error) -> u8 {
    if why.kind() == io::ErrorKind::BrokenPipe {
        return status;
    }
    let code = call.setup.name_of(Code::OutputFailed);
    let words = format!("error[{code}]: the answer could not be written: {why}\n");
    let _ = sys::write(Stream::Stderr, None, words.as_bytes());
    if status == 0 { 1 } else { status }
}
