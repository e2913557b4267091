//! A loop of an agent: it calls a program, does what the outcome says to do next, and says why it stopped.
//!
//! `cargo run -p manila-run --example agent -- git status`

use manila_run::{Event, Invocation, Observer, Policy, run};
use std::io::{self, Write};
use std::time::Duration;

fn main() -> io::Result<()> {
    let mut words = std::env::args_os().skip(1);
    let call = Invocation::new(words.next().unwrap_or_else(|| "true".into()))
        .args(words)
        .non_interactive();
    let policy = Policy {
        deadline: Some(Duration::from_secs(60)),
        observer: Observer::new(|event| {
            if let Event::Decided(decision) = event {
                let _ = writeln!(io::stderr(), "{}: {}", decision.action.name(), decision.reason);
            }
        }),
        ..Policy::default()
    };
    let outcome = run(&call, &policy);
    let next = outcome.next();
    match (outcome.data::<serde_json::Value>(), next.after_ms) {
        (Ok(data), _) => writeln!(io::stdout(), "{data}"),
        // What may be repeated was repeated already; a longer wait is for the agent to plan.
        (Err(why), Some(wait)) => writeln!(io::stdout(), "again in {wait} ms: {why}"),
        // After a timeout it is not known what was done: check the state, do not repeat the call.
        (Err(why), None) => writeln!(io::stdout(), "{}: {why} ({})", next.action, next.why),
    }
}
