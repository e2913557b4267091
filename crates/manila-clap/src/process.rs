//! The process around one call: what is put in place before the handler works, and what is written
//! after.

use crate::call::Call;
use crate::call::setup::Setup;
use crate::code::Code;
use crate::deliver::{deliver, unwritten};
use crate::error::Outcome;
use crate::meta::meta;
use crate::mode::Environment;
use crate::output::Output;
use crate::panic as panics;
use crate::prepare::{parse, read_flags};
use crate::reply::Done;
use crate::respond;
use crate::sink::Sink;
use crate::sys::{self, Guard};
use crate::usage::Early;
use clap::ArgMatches;
use manila::Exit;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// A process that is about to work.
pub(crate) struct Process {
    /// It lives as long as the process, so that threads and tasks of the handler can hold it.
    pub(crate) call: &'static Call,
    guard: Option<Arc<Guard>>,
}

impl Process {
    /// The process, and what clap read or the answer that is known without the handler.
    pub(crate) fn begin(
        setup: Setup,
        words: Vec<OsString>,
    ) -> (Process, Result<ArgMatches, Early>) {
        let start = Instant::now();
        let environment = Environment {
            is_terminal: Box::new(|stream| match stream {
                0 => io::stdin().is_terminal(),
                1 => io::stdout().is_terminal(),
                _ => io::stderr().is_terminal(),
            }),
            terminal_width: Box::new(sys::terminal_width),
            variable: Box::new(|name| std::env::var_os(name)),
        };
        let sink = Arc::new(Sink::Process(OnceLock::new()));
        let (mut call, command, mistakes) = read_flags(setup, environment, sink, words, start);
        let mut guard = if call.mode.is_json() { raise(&call) } else { None };
        if call.reports_itself() {
            panics::hook();
        }
        let arguments = parse(&mut call, command, mistakes);
        if !call.mode.is_json()
            && let Some(guard) = guard.take()
        {
            guard.lower();
        }
        let call: &'static Call = Box::leak(Box::new(call));
        if call.reports_itself() {
            panics::watch(call, guard.as_ref());
        }
        if arguments.is_ok() {
            watch_over(call, guard.as_deref());
        }
        (Process { call, guard }, arguments)
    }

    /// Ends the process with what its handler came to. The verdict is fixed before a byte is written.
    pub(crate) fn end(self, outcome: Outcome) -> u8 {
        let Process { call, guard } = self;
        if let Some(printing) = call.setup.optional.printing.filter(|_| guard.is_some()) {
            (printing.keep)();
        }
        let output = catch_unwind(AssertUnwindSafe(|| responded(call, outcome)));
        let output = output.unwrap_or_else(|payload| {
            if !call.reports_itself() {
                std::panic::resume_unwind(payload);
            }
            call.put_meta(meta(call));
            respond::respond(call, Err(panics::caught(call, &*payload)))
        });
        if !sys::is_to_answer() {
            return u8::try_from(output.status).unwrap_or(1);
        }
        sys::fix_outcome();
        call.clear_progress();
        if !call.mode.is_json() {
            sys::flush();
        }
        deliver(call, &output, guard.as_deref())
    }

    /// Ends the process with what clap has to say, exactly as clap does it.
    pub(crate) fn show(&self, error: &clap::Error) -> u8 {
        let status = u8::try_from(error.exit_code()).unwrap_or(2);
        let printed = error.print().and_then(|()| io::stdout().flush());
        sys::flush();
        match printed {
            // clap says nothing about help that could not be written.
            Err(why) if self.call.setup.unified_errors => unwritten(self.call, status, &why),
            _ => status,
        }
    }
}

fn responded(call: &Call, outcome: Outcome) -> Output {
    call.setup.checked.unwrap_or(respond::respond)(call, outcome)
}

/// Keeps stdout for the answer.
fn raise(call: &Call) -> Option<Arc<Guard>> {
    match Guard::raise() {
        Ok(guard) => {
            let guard = Arc::new(guard?);
            call.sink.set_guard(Arc::clone(&guard));
            Some(guard)
        }
        Err(error) => {
            call.warn(format!("stdout is not guarded: {error}"));
            None
        }
    }
}

/// Ends the run when its time is over.
pub(crate) fn end_after(call: &Call, limit: Duration, guard: Option<&Guard>) {
    #[cfg(all(unix, not(manila_portable)))]
    {
        use crate::clock::format_duration;
        let time = format_duration(limit);
        let error = call.error(Code::Timeout, format!("the time limit of {time} was reached"));
        let error = error.suggestion("look at what is done, and allow more with --timeout");
        let answer = crate::prepared_answer::prepared_answer(call, error);
        if let Err(error) = sys::limit(answer, guard, call.start, limit) {
            call.warn(format!("the time limit is not watched: {error}"));
        }
    }
    // Elsewhere the system does with it what it does.
    #[cfg(any(not(unix), manila_portable))]
    let _ = (call, limit, guard);
}

/// Has signals, the time limit and `exit` answered while the handler works.
#[cfg(all(unix, not(manila_portable)))]
fn watch_over(call: &Call, guard: Option<&Guard>) {
    use crate::prepared_answer::prepared_answer;
    if let (Some(limit), Some(end_after)) = (call.limit, call.setup.optional.limit) {
        end_after(call, limit, guard);
    }
    if call.mode.is_json() {
        let error = call.error(Code::Cancelled, "a signal ended the run");
        let error = error.suggestion("look at what is done before calling again");
        sys::arm(prepared_answer(call, error), guard, call.start);
        sys::at_exit(left);
        if call.is_printing()
            && let Some(printing) = call.setup.optional.printing
            && let Err(error) = (printing.capture)()
        {
            call.warn(format!("what the command prints goes to stderr: {error}"));
        }
    }
}

/// Here the system does with them what it does.
#[cfg(any(not(unix), manila_portable))]
fn watch_over(_: &Call, _: Option<&Guard>) {}

/// Answers for a program that called `exit` before it had an answer.
fn left(status: i32) {
    let Some((call, guard)) = panics::current() else { return };
    let answer = AssertUnwindSafe(|| {
        let printing = call.setup.optional.printing;
        if let Some(printing) = printing {
            (printing.keep)();
        }
        let outcome: Outcome = match (status, printing.filter(|_| call.is_printing())) {
            (0, Some(printing)) => Ok((printing.reply)()),
            (0, None) => Ok(Box::new(Done::new("the program ended without an answer"))),
            _ => {
                let row = call.dialect.table().exits.row(status);
                let message = format!("the program ended itself with status {status}");
                let mut error = call.error(Code::Exited, message).phase(manila::Phase::Execution);
                error.parts.exit = row.map_or(Exit::General, |row| row.exit);
                // The number may be the program's own: it does not promise that nothing was done.
                Err(error.retryable(false).status(u8::try_from(status).unwrap_or(1)))
            }
        };
        deliver(call, &respond::respond(call, outcome), guard.as_deref())
    });
    let written = catch_unwind(answer).unwrap_or(1);
    // An answer that could not be written is a failure.
    if status == 0 && written != 0 {
        sys::exit_now(written);
    }
}
