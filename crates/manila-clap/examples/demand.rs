//! An asynchronous program that shows what a child of it sees, for tests that must ask a real process.

use clap::{Parser, Subcommand};
use manila_clap::{App, Call, Failure, Mode, Reply, dialects};
use schemars::JsonSchema;
use serde::Serialize;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::process::ExitCode;
use std::task::{Context, Poll, Waker};

/// Shows what a child sees
#[derive(Parser)]
#[command(name = "demand", version = "1.2.3")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The descriptors that a child has
    Descriptors,
    /// The words that a child gets
    Words {
        /// Passed on as they are
        words: Vec<String>,
    },
    /// Nothing, for it panics once it was waited for
    Panic,
}

/// What the child wrote, line by line.
#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "seen")]
struct Seen {
    lines: Vec<String>,
}

#[derive(Debug, Failure)]
enum ProgramError {
    /// the child did not start
    #[failure(exit = Unavailable)]
    Unstarted(#[from] io::Error),
}

#[expect(clippy::panic, reason = "that is the point of one command")]
async fn work(cli: Cli, call: &Call) -> Result<Seen, ProgramError> {
    pause().await;
    let output = match cli.command {
        Command::Descriptors => call.child("ls").arg("/proc/self/fd").output()?,
        Command::Words { words } => call.child("printf").arg("%s\\n").args(words).output()?,
        Command::Panic => panic!("a bug after a pause"),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(Seen { lines: text.lines().map(str::to_owned).collect() })
}

/// Is ready when it is asked a second time.
async fn pause() {
    let mut was_asked = false;
    poll_fn(|context| {
        context.waker().wake_by_ref();
        if std::mem::replace(&mut was_asked, true) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// The smallest runtime there is: it asks until there is an answer.
fn main() -> ExitCode {
    let app = App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_6).all_flags().piped(Mode::Json);
    let mut run = pin!(app.run_async(work));
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(status) = run.as_mut().poll(&mut context) {
            return status;
        }
    }
}
