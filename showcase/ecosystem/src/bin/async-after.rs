//! Asks several hosts at once: an asynchronous program, after.

use clap::Parser;
use manila_clap::{App, Call, Mode, Reply, Screen, dialects};
use serde::Serialize;
use std::convert::Infallible;
use std::process::ExitCode;
use std::time::Duration;

/// Ask hosts whether they are up
#[derive(Parser)]
#[command(name = "ask")]
struct Cli {
    hosts: Vec<String>,
}

async fn ask(host: String, call: &'static Call) -> bool {
    tokio::time::sleep(Duration::from_millis(1)).await;
    let is_up = !host.ends_with(".invalid");
    if !is_up && call.mode() == Mode::Json {
        call.warn(format!("{host} does not answer"));
    }
    is_up
}

#[derive(Serialize, Reply)]
#[reply(kind = "hosts", show = show)]
struct Hosts {
    up: Vec<bool>,
}

fn show(hosts: &Hosts, screen: &mut Screen) {
    for up in &hosts.up {
        screen.line(if *up { "up" } else { "down" });
    }
}

async fn run(cli: Cli, call: &'static Call) -> Result<Hosts, Infallible> {
    let tasks = cli.hosts.into_iter().map(|host| tokio::spawn(ask(host, call)));
    let mut up = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        up.push(task.await.unwrap_or(false));
    }
    Ok(Hosts { up })
}

#[tokio::main]
async fn main() -> ExitCode {
    App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0).run_async(run).await
}
