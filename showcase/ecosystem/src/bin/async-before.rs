//! Asks several hosts at once: an asynchronous program, before.

use clap::Parser;
use std::time::Duration;

/// Ask hosts whether they are up
#[derive(Parser)]
#[command(name = "ask")]
struct Cli {
    hosts: Vec<String>,
}

async fn ask(host: String) -> bool {
    tokio::time::sleep(Duration::from_millis(1)).await;
    !host.ends_with(".invalid")
}

#[tokio::main]
async fn main() {
    let tasks = Cli::parse().hosts.into_iter().map(|host| tokio::spawn(ask(host)));
    for task in tasks.collect::<Vec<_>>() {
        println!("{}", if task.await.unwrap_or(false) { "up" } else { "down" });
    }
}
