//! The `manila-mcp` program, which `manila mcp` starts.

use clap::Parser;
use manila_clap::{App, Call, Failure, dialects};
use manila_mcp::{Answer, Arguments, ClientConfig, Error, ErrorKind, Served, Settings, serve};
use manila_run::{Cancel, Config};
use std::process::ExitCode;

/// Serve command-line programs to agents over MCP
#[derive(Debug, Parser)]
#[command(name = "manila-mcp", version)]
struct Cli {
    #[command(flatten)]
    arguments: Arguments,
}

/// Why it cannot serve.
#[derive(Debug, Failure)]
enum ServeError {
    /// An argument's value, or what manila.toml says in its place, is not one that is allowed.
    #[failure(exit = ArgError, phase = Validation, message = "{message}", suggestion = suggestion)]
    InvalidValue { message: String, suggestion: String },
    /// The system refuses what the server needs.
    #[failure(exit = Precondition, message = "{message}", suggestion = suggestion)]
    SystemRefused { message: String, suggestion: String },
}

impl From<Error> for ServeError {
    fn from(error: Error) -> ServeError {
        let (message, suggestion) = (error.to_string(), error.suggestion().to_owned());
        match error.kind() {
            ErrorKind::System => ServeError::SystemRefused { message, suggestion },
            _ => ServeError::InvalidValue { message, suggestion },
        }
    }
}

fn run(cli: Cli, call: &Call) -> Result<Answer, ServeError> {
    let arguments = cli.arguments;
    if let Some(client) = arguments.print_config {
        return Ok(Answer::Config(ClientConfig::new(client, &arguments)?));
    }
    let settings = Settings::new(&arguments, Config::user_file().as_deref())?;
    serve(settings, &Cancel::when(call.cancellation()))?;
    Ok(Answer::Served(Served {}))
}

fn main() -> ExitCode {
    App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0).all_flags().unified_errors().run(run)
}
