//! What `manila mcp` prints instead of serving, and after serving.

use crate::client_config::ClientConfig;
use manila_clap::{Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;

/// What `manila mcp` answers.
#[derive(Debug, Reply)]
pub enum Answer {
    /// The configuration of a client.
    Config(ClientConfig),
    /// The client has left.
    Served(Served),
}

/// The client has left, so there is nothing to print.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "mcp-served", show = show)]
pub struct Served {}

fn show(_: &Served, _: &mut Screen) {}
