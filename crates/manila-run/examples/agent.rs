//! A loop of an agent: it calls a program, branches on what came of it, and says why it stopped.
//!
//! `cargo run -p manila-run --example agent -- td ls`

use manila::Exit;
use manila_run::{Event, Invocation, Observer, Policy, run};
use std::io::{self, Write};
use std::time::Duration;

fn main() -> io::Result<()> {
    let mut words = std::env::args_os().skip(1);
    let call = Invocation::new(words.next().unwrap_or_else(|| "true".into()))
        .args(words)
        .non_interactive();
    let mut policy = Policy {
        deadline: Some(Duration::from_secs(60)),
        observer: Observer::new(|event| {
            if let Event::Decided(decision) = event {
                let _ = writeln!(io::stderr(), "{}: {}", decision.action.name(), decision.reason);
            }
        }),
        ..Policy::default()
    };
    let outcome = loop {
        let outcome = run(&call, &policy);
        match outcome.envelope.exit() {
            // It may have done some of it: whoever knows that twice does no harm says so.
            Exit::Timeout if !policy.idempotent => policy.idempotent = true,
            _ => break outcome,
        }
    };
    match outcome.data::<serde_json::Value>() {
        Ok(data) => writeln!(io::stdout(), "{data}"),
        Err(why) => writeln!(io::stdout(), "stopped: {why}"),
    }
}
