//! Serve command-line programs to agents over MCP.
//!
//! An agent gets three tools, whatever the program: `find` searches its commands, `read` runs calls that are
//! proven to change nothing, and `act` runs what `--allow` permits. Every call goes through `manila-run`, and every
//! answer is one envelope.
//!
//! ```
//! use manila_mcp::{Allow, Arguments, ClientConfig, Client};
//!
//! #[derive(clap::Parser)]
//! struct Cli {
//!     #[command(flatten)]
//!     mcp: Arguments,
//! }
//! let cli = <Cli as clap::Parser>::parse_from(["manila-mcp", "--allow", "writes", "--", "git"]);
//! assert_eq!(cli.mcp.allow, Allow::Writes);
//! let config = ClientConfig::new(Client::Claude, &cli.mcp)?;
//! assert!(config.text.contains("git"));
//! # Ok::<(), manila_mcp::Error>(())
//! ```
//!
//! ```text
//! client ─▶ transport ─▶ server ─▶ tool ─▶ proof ─▶ (confirm) ─▶ call ─▶ Outcome ─▶ reply ─▶ client
//!                                  └▶ find ─▶ catalog
//! ```
//!
//! The program and the directory are fixed when the server starts. A client passes arguments as a list and nothing
//! else: no environment, no directory, no line for a shell.

mod answer;
mod arguments;
mod client_config;
mod error;

#[cfg(feature = "server")]
mod call;
#[cfg(feature = "server")]
mod catalog;
#[cfg(feature = "server")]
mod confirm;
#[cfg(feature = "server")]
mod find;
#[cfg(feature = "server")]
mod output_store;
#[cfg(feature = "server")]
mod program;
#[cfg(feature = "server")]
mod proof;
#[cfg(feature = "server")]
mod reply;
#[cfg(feature = "server")]
mod serve;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
mod settings;
#[cfg(feature = "server")]
mod tool;
#[cfg(feature = "server")]
mod traffic;
#[cfg(feature = "server")]
mod transport;

pub use answer::{Answer, Served};
pub use arguments::{Allow, Arguments, Client, EXAMPLES};
pub use client_config::ClientConfig;
pub use error::{Error, ErrorKind};
#[cfg(feature = "server")]
pub use serve::serve;
#[cfg(feature = "server")]
pub use settings::Settings;
#[cfg(feature = "server")]
pub use tool::definitions;
