//! What `manila mcp` prints when it does not serve, or no longer does.

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

/// The client has left, and nobody is there to be told anything.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "mcp-served", show = show)]
pub struct Served {}

fn show(_: &Served, _: &mut Screen) {}
