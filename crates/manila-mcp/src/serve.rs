//! The life of the server: from the first line of the client to the end of everything that it started.

use crate::call::Calls;
use crate::error::{Error, ErrorKind};
use crate::server::Server;
use crate::settings::Settings;
use crate::transport::Stdio;
use manila_run::{Cancel, reset_sigchld};
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// How often a signal is looked for, and how long the end may take.
const TICK: Duration = Duration::from_millis(50);
const END: Duration = Duration::from_secs(10);

/// Serves until the client closes stdin, or until `stop` is signalled. Every started program has ended by
/// then.
pub fn serve(settings: Settings, stop: &Cancel) -> Result<(), Error> {
    reset_sigchld();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.map_err(|error| refused(&error))?;
    let settings = Arc::new(settings);
    let calls = Arc::new(Calls::new());
    learn(&settings, &calls).map_err(|error| refused(&error))?;
    let served = runtime.block_on(async {
        tokio::select! {
            served = connect(&settings, &calls) => served,
            () = stopped(stop) => Ok(()),
        }
    });
    calls.stop();
    let begin = Instant::now();
    while calls.are_running() && begin.elapsed() < END {
        thread::sleep(TICK / 5);
    }
    // The thread that reads stdin may never return.
    runtime.shutdown_background();
    served
}

/// Discovers the commands in a thread: reading the help of a large program takes seconds.
fn learn(settings: &Arc<Settings>, calls: &Calls) -> io::Result<()> {
    let (settings, cancel) = (Arc::clone(settings), calls.cancel());
    let learn = move || settings.programs.iter().for_each(|program| program.learn(&cancel));
    thread::Builder::new().spawn(learn).map(drop)
}

async fn connect(settings: &Arc<Settings>, calls: &Arc<Calls>) -> Result<(), Error> {
    let stdio = Stdio::open(calls.end()).map_err(|error| refused(&error))?;
    let server = Server::new(Arc::clone(settings), Arc::clone(calls));
    let tasks = server.clone();
    let ended = match server.serve(stdio).await {
        Ok(service) => service.waiting().await.map(drop).map_err(|error| refused(&error)),
        // A client that leaves before it initializes is not a failure.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(refused(&error)),
    };
    tasks.stop();
    ended
}

async fn stopped(stop: &Cancel) {
    while stop.signal().is_none() {
        tokio::time::sleep(TICK).await;
    }
}

fn refused(error: &dyn std::error::Error) -> Error {
    let suggestion = "check what the client sent first, and the limits of the system";
    Error::new(ErrorKind::System, format!("the server ended: {error}"), suggestion)
}
