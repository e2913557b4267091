//! One command per library or technique that clap programs use beside clap.

use clap::Parser;
use manila_clap::{App, Call, Done, dialects};
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::{LazyLock, Mutex, mpsc};

#[derive(Parser)]
#[command(name = "libraries")]
enum Cli {
    /// Log with tracing-subscriber, which writes to stdout
    Tracing,
    /// Draw a progress bar with indicatif
    Indicatif,
    /// Wait for SIGINT with ctrlc
    Ctrlc,
    /// Wait for SIGINT with a handler that was there before the program was run
    Early,
    /// Wait for SIGTERM with signal-hook
    SignalHook,
    /// Wait for SIGINT with tokio
    Tokio,
    /// Run a child that prints to stdout
    Child,
    /// Leave a daemon behind that reads a FIFO
    Daemon { fifo: PathBuf },
    /// Run a plugin: libraries-NAME
    #[command(external_subcommand)]
    Plugin(Vec<OsString>),
}

/// What the handler that is there before the program is run tells the command.
static EARLY: LazyLock<(mpsc::Sender<()>, Mutex<mpsc::Receiver<()>>)> = LazyLock::new(|| {
    let (send, receive) = mpsc::channel();
    (send, Mutex::new(receive))
});

/// The text is on stderr once a handler is in place, so that a test can send its signal.
fn ready() {
    let _ = writeln!(std::io::stderr(), "ready");
}

fn run(cli: Cli, call: &'static Call) -> anyhow::Result<Done> {
    Ok(match cli {
        Cli::Tracing => {
            tracing_subscriber::fmt().without_time().with_ansi(false).init();
            tracing::warn!("the disk is nearly full");
            Done::new("logged")
        }
        Cli::Indicatif => {
            let bar = indicatif::ProgressBar::new(3);
            (0..3).for_each(|_| bar.inc(1));
            bar.finish_and_clear();
            Done::new("drawn")
        }
        Cli::Ctrlc => {
            let (send, receive) = mpsc::channel();
            ctrlc::set_handler(move || {
                let _ = send.send(());
            })?;
            ready();
            receive.recv()?;
            Done::new("ctrlc ran")
        }
        Cli::Early => {
            ready();
            EARLY.1.lock().map_err(|_| anyhow::anyhow!("a thread panicked"))?.recv()?;
            Done::new("the early handler ran")
        }
        Cli::SignalHook => {
            let mut signals = signal_hook::iterator::Signals::new([signal_hook::consts::SIGTERM])?;
            ready();
            let first = signals.forever().next().unwrap_or_default();
            Done::new(format!("signal-hook saw {first}"))
        }
        Cli::Tokio => {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
            runtime.block_on(async {
                let mut signals =
                    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())?;
                let task = tokio::spawn(async move {
                    ready();
                    signals.recv().await;
                    call.warn("from a task");
                });
                task.await?;
                anyhow::Ok(())
            })?;
            Done::new("tokio saw it")
        }
        Cli::Child => {
            let status = Command::new("echo").arg("from the child").status()?;
            Done::new(format!("the child ended with {}", status.code().unwrap_or(-1)))
        }
        Cli::Daemon { fifo } => {
            let daemon = Command::new("cat")
                .arg(fifo)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()?;
            Done::new(format!("{}", daemon.id()))
        }
        Cli::Plugin(words) => {
            let (name, arguments) =
                words.split_first().map_or((None, &[][..]), |(name, rest)| (name.to_str(), rest));
            let plugin = format!("libraries-{}", name.unwrap_or_default());
            let output = call.child(plugin).args(arguments).output()?;
            Done::new(String::from_utf8_lossy(&output.stdout).trim_end())
        }
    })
}

fn main() -> ExitCode {
    if std::env::args().nth(1).is_some_and(|command| command == "early") {
        let _ = ctrlc::set_handler(|| {
            let _ = EARLY.0.send(());
        });
    }
    App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0).run(run)
}
