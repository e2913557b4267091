//! The process around one call: what is put in place before the handler works, and what is written
//! after.

use crate::call::Call;
use crate::code::Code;
use crate::frame::Outlet;
use crate::mode::World;
use crate::panic as panics;
use crate::prepare::{listen, parse};
use crate::seal::{self, Emission, Outcome};
use crate::setup::Setup;
use crate::sys::{self, Guard, Stray};
use clap::ArgMatches;
use manila::Stream;
use std::io::{self, IsTerminal};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// A process that is about to work.
pub(crate) struct Process {
    pub(crate) call: Arc<Call>,
    guard: Option<Arc<Guard>>,
}

impl Process {
    /// The process, and what clap read or the answer that is known without the handler.
    pub(crate) fn begin(setup: Setup) -> (Process, Result<ArgMatches, Outcome>) {
        let start = Instant::now();
        panics::hush();
        let world = World {
            is_terminal: Box::new(|stream| match stream {
                0 => io::stdin().is_terminal(),
                1 => io::stdout().is_terminal(),
                _ => io::stderr().is_terminal(),
            }),
            variable: Box::new(|name| std::env::var_os(name)),
        };
        let outlet = Arc::new(Outlet::Process(OnceLock::new()));
        let words = std::env::args_os().skip(1).collect();
        let (mut call, command, mistakes) = listen(setup, world, outlet, words, start);
        let mut guard = if call.mode.is_json() { raise(&call) } else { None };
        let arguments = parse(&mut call, command, mistakes);
        if !call.mode.is_json()
            && let Some(guard) = guard.take()
        {
            guard.lower();
        }
        let call = Arc::new(call);
        panics::watch(&call, guard.as_ref());
        if arguments.is_ok() {
            watch_over(&call, guard.as_deref());
        }
        (Process { call, guard }, arguments)
    }

    /// Ends the process with what its handler came to. The verdict is fixed before a byte is written.
    pub(crate) fn end(self, outcome: Outcome) -> ExitCode {
        let Process { call, guard } = self;
        let stray = if guard.is_some() { Guard::stray() } else { Stray::default() };
        let emission = catch_unwind(AssertUnwindSafe(|| sealed(&call, outcome, &stray)));
        let emission = emission.unwrap_or_else(|payload| {
            call.put_meta(seal::meta(&call));
            seal::seal(&call, Err(panics::caught(&call, &*payload)), &Stray::default())
        });
        sys::fix_outcome();
        call.clear_progress();
        if !call.mode.is_json() {
            sys::flush();
        }
        ExitCode::from(deliver(&call, &emission, guard.as_deref()))
    }
}

fn sealed(call: &Call, outcome: Outcome, stray: &Stray) -> Emission {
    #[cfg(feature = "testing")]
    return crate::testing::checked(call, outcome, stray);
    #[cfg(not(feature = "testing"))]
    seal::seal(call, outcome, stray)
}

/// Puts the guard before standard output.
fn raise(call: &Call) -> Option<Arc<Guard>> {
    match Guard::raise() {
        Ok(guard) => {
            let guard = Arc::new(guard?);
            call.outlet.stand_behind(Arc::clone(&guard));
            Some(guard)
        }
        Err(error) => {
            call.warn(format!("standard output is not guarded: {error}"));
            None
        }
    }
}

/// Has signals and the time limit answered while the handler works.
#[cfg(all(unix, not(manila_portable)))]
fn watch_over(call: &Call, guard: Option<&Guard>) {
    use crate::last_words::last_words;
    if let Some(limit) = call.limit {
        sys::limit(last_words(call, Code::Timeout), guard, call.start, limit);
    }
    if call.mode.is_json() {
        sys::arm(last_words(call, Code::Cancelled), guard, call.start);
    }
}

/// Here the system does with them what it does.
#[cfg(any(not(unix), manila_portable))]
fn watch_over(_: &Call, _: Option<&Guard>) {}

/// Writes what was sealed. A reader that hung up changes nothing; an answer that could not be
/// written is a failure, whatever it said.
pub(crate) fn deliver(call: &Call, emission: &Emission, guard: Option<&Guard>) -> u8 {
    let status = u8::try_from(emission.status).unwrap_or(1);
    let write = |stream, bytes: &[u8]| match sys::write(stream, guard, bytes) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        wrote => wrote,
    };
    let (beside, answer) = match emission.answer {
        Stream::Stdout => ((Stream::Stderr, &emission.stderr), (Stream::Stdout, &emission.stdout)),
        Stream::Stderr => ((Stream::Stdout, &emission.stdout), (Stream::Stderr, &emission.stderr)),
    };
    // Nobody need read what stands beside the answer; the answer must still be given.
    let _ = write(beside.0, beside.1);
    match write(answer.0, answer.1) {
        Ok(()) => status,
        Err(error) => {
            // The last resort: if this cannot be written either, the status still says it.
            let code = call.setup.name_of(Code::OutputFailed);
            let words = format!("error[{code}]: the answer could not be written: {error}\n");
            let _ = sys::write(Stream::Stderr, None, words.as_bytes());
            if status == 0 { 1 } else { status }
        }
    }
}
