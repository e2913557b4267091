//! Runs any program, understands its answer, does what the contract says to do next, and hands the
//! caller one normal envelope with the whole trace.
//!
//! ```
//! use manila_run::{Invocation, Policy, run};
//! use std::time::Duration;
//!
//! let call = Invocation::new("echo").arg(r#"{"ok":true,"type":"answer","data":{"n":42}}"#);
//! let policy = Policy { attempt_limit: Some(Duration::from_secs(30)), ..Policy::default() };
//! let outcome = run(&call, &policy);
//!
//! #[derive(serde::Deserialize)]
//! struct Answer { n: u32 }
//! assert_eq!(outcome.data::<Answer>().map(|answer| answer.n).ok(), Some(42));
//! assert_eq!(outcome.trace.dialect, Some("td/1"));
//! ```
//!
//! # What a call does
//!
//! It starts the program without a shell, in a process group of its own, drains both of its streams,
//! keeps the limits of the [`Policy`], and opens what it wrote in whatever dialect. Then the decision
//! table of `manila` says what to do, and it is done: wait and call again, ask for the next page,
//! renew the credentials, call what the command is called now, use the answer that was kept. The
//! [`Outcome`] is one envelope, and a [`Trace`] with each attempt, what it took, what was decided and
//! why.
//!
//! - Nothing is called again that may have had effects, unless [`Policy::idempotent`] says that it is
//!   safe.
//! - A program without an envelope gets a truthful one: its status, its last words, and in
//!   [`Trace::unknown`] what could not be known.
//! - A command that a program printed is untrusted data: [`Trust`] says whose is run, and
//!   [`Policy::denied_args`] what it may not bring in.
//! - Memory is bounded: much output goes to a temporary file, and of too much the beginning and
//!   the end are kept and the rest counted.
//!
//! [`run`] blocks the thread, [`run_async`] does not, on any runtime. Steps are reported to an
//! [`Observer`] as they are taken, and to `tracing`, with the names that OpenTelemetry has for
//! programs. `examples/agent.rs` is the loop of an agent around it.
//!
//! # What is not promised
//!
//! A process that left its group, with `setsid` or a daemon's double fork, is not ended with it.
//! The peak of memory that the system reports is never smaller than that of this process when it
//! started the program. Where SIGCHLD is ignored, the exit status of a program is not known;
//! [`reset_sigchld`] undoes that. Only Unix is supported; all system calls are in one module.

mod answer;
mod argv;
mod attempt;
mod cache;
mod cancel;
mod capture;
mod code;
mod config;
mod data;
mod deliver;
pub mod duration;
mod event;
mod future;
mod invocation;
mod journal;
mod known;
mod lines;
mod otlp;
mod outcome;
mod page;
mod plan;
mod policy;
mod record;
mod redirects;
mod runtime;
mod settle;
#[cfg(test)]
mod simulation;
mod spawn_error;
mod sys;
mod trust;
mod usage;

pub use cancel::Cancel;
pub use code::Code;
pub use config::{Config, ConfigError, ProgramConfig, dialect_files, dialect_files_in};
pub use deliver::{Delivery, Sink};
pub use event::{Cause, Event};
pub use future::{Running, run_async};
pub use invocation::{Input, Invocation};
pub use lines::{Line, run_lines};
pub use outcome::{Detail, Next, NoData, Outcome, Output, Step, Summary, Trace, Verdict};
pub use plan::{Plan, plan};
pub use policy::{Agree, Classifier, Observer, PackLookup, Policy, Speaks, Trust};
#[doc(hidden)]
pub use record::write_recording;
pub use redirects::{Move, RedirectStore};
pub use spawn_error::explain_spawn_error;
pub use sys::{TerminalMode, end_as, reset_sigchld};
pub use trust::suggestion;
pub use usage::{Cut, Stopped, Usage};

/// Makes a call and settles it: the calling thread waits until there is an answer.
pub fn run(call: &Invocation, policy: &Policy) -> Outcome {
    let name = call.program().to_string_lossy();
    let _entered = tracing::info_span!("run", process.executable.name = %name).entered();
    let mut runtime = runtime::Real::new(policy);
    let Some(path) = &policy.spans else { return settle::settle(call, policy, &mut runtime) };
    let context = otlp::TraceContext::begin(std::env::var("TRACEPARENT").ok().as_deref());
    let call = call.clone().variable("TRACEPARENT", context.header());
    let outcome = settle::settle(&call, policy, &mut runtime);
    let line = context.line(&outcome).map_err(std::io::Error::from);
    match line.and_then(|line| journal::append(path, &line)) {
        Ok(()) => outcome,
        Err(error) => {
            let text = format!("cannot write spans to {}: {error}", path.display());
            Outcome { envelope: outcome.envelope.with_warning(text), ..outcome }
        }
    }
}
