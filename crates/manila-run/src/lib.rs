//! Run any program, read its answer, take the next step that the decision table names, and get one envelope
//! with the whole trace.
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
//! [`run`] starts the program without a shell, in its own process group. It drains both streams, enforces the
//! limits of the [`Policy`], and parses the answer in any known dialect. The decision table of `manila` then names
//! the next step: wait and retry, fetch the next page, refresh credentials, follow a redirect, or use the cached
//! answer. The [`Outcome`] holds one envelope and a [`Trace`] of every attempt and decision.
//!
//! - A call that may have had effects is not repeated, unless [`Policy::idempotent`] is set.
//! - A program without an envelope gets one with its exit code and the cause that its pack or the generic reading
//!   found. [`Trace::unknown`] lists what could not be determined.
//! - A command printed by a program is untrusted data. [`Trust`] decides which ones are run, and
//!   [`Policy::denied_args`] rejects arguments that they add.
//! - Memory is bounded: large output spills to a temporary file; beyond [`Policy::max_output`] only the head, the
//!   tail and the byte count are kept.
//!
//! [`run`] blocks the calling thread; [`run_async`] works on any runtime. An [`Observer`] receives every step, and
//! `tracing` gets spans with OpenTelemetry's names for processes. `examples/agent.rs` is an agent's loop.
//!
//! # Limits
//!
//! - A process that leaves its group (`setsid`, a daemon's double fork) is not killed with it.
//! - The reported peak memory is never below that of this process when it started the program.
//! - If SIGCHLD is ignored, exit codes are unknown; [`reset_sigchld`] undoes that.
//! - Only Unix is supported. All system calls are in one module.

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
