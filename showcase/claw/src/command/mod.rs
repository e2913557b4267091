//! The commands, one file each; here is what they share and how they are declared.

mod bootstrap;
mod bootstrap_graph;
mod command_graph;
mod delete_session;
mod exec_command;
mod exec_tool;
mod flush_transcript;
mod list_sessions;
mod load_session;
mod route;
mod show_command;
mod show_tool;
mod tool_pool;
mod turn_loop;

use crate::cli::Cli;
use crate::error::Error;
use crate::inventory::{Inventory, Listing};
use crate::session::{SessionId, Transcript};
use clap::CommandFactory;
use manila_clap::{App, Call, List, Reply, Screen};

/// What a command answers.
#[derive(Debug, Reply)]
pub(crate) enum Answer {
    ListSessions(list_sessions::Overview),
    DeleteSession(delete_session::Removal),
    LoadSession(load_session::Opened),
    FlushTranscript(flush_transcript::Written),
    ShowCommand(show_command::Shown),
    ShowTool(show_tool::Shown),
    ExecCommand(exec_command::Executed),
    ExecTool(exec_tool::Executed),
    Route(route::Routed),
    Bootstrap(bootstrap::Started),
    CommandGraph(command_graph::Graph),
    ToolPool(tool_pool::Offer),
    BootstrapGraph(bootstrap_graph::Graph),
    TurnLoop(turn_loop::Course),
}

/// Declares what each command answers and how it fails.
pub(crate) fn declare<L: List>(app: App<Cli, L>) -> App<Cli, L> {
    app.command("list-sessions", list_sessions::spec())
        .command("delete-session", delete_session::spec())
        .command("load-session", load_session::spec())
        .command("flush-transcript", flush_transcript::spec())
        .command("show-command", show_command::spec())
        .command("show-tool", show_tool::spec())
        .command("exec-command", exec_command::spec())
        .command("exec-tool", exec_tool::spec())
        .command("route", route::spec())
        .command("bootstrap", bootstrap::spec())
        .command("command-graph", command_graph::spec())
        .command("tool-pool", tool_pool::spec())
        .command("bootstrap-graph", bootstrap_graph::spec())
        .command("turn-loop", turn_loop::spec())
}

/// Runs the command that was asked for.
pub(crate) fn run(cli: Cli, call: &Call) -> Result<Answer, Error> {
    Ok(match cli {
        Cli::ListSessions(sessions) => Answer::ListSessions(list_sessions::run(&sessions, call)?),
        Cli::DeleteSession(one) => Answer::DeleteSession(delete_session::run(&one, call)?),
        Cli::LoadSession(one) => Answer::LoadSession(load_session::run(&one, call)?),
        Cli::FlushTranscript(one) => Answer::FlushTranscript(flush_transcript::run(&one, call)?),
        Cli::ShowCommand { name } => Answer::ShowCommand(show_command::run(name, call)?),
        Cli::ShowTool { name } => Answer::ShowTool(show_tool::run(name, call)?),
        Cli::ExecCommand(asked) => Answer::ExecCommand(exec_command::run(asked, call)?),
        Cli::ExecTool(asked) => Answer::ExecTool(exec_tool::run(asked, call)?),
        Cli::Route(asked) => Answer::Route(route::run(asked, call)?),
        Cli::Bootstrap(asked) => Answer::Bootstrap(bootstrap::run(asked, call)?),
        Cli::CommandGraph => Answer::CommandGraph(command_graph::run(call)?),
        Cli::ToolPool(asked) => Answer::ToolPool(tool_pool::run(&asked, call)?),
        Cli::BootstrapGraph => Answer::BootstrapGraph(bootstrap_graph::run()),
        Cli::TurnLoop(asked) => Answer::TurnLoop(turn_loop::run(asked, call)?),
    })
}

/// The inventory of the current directory; what could not be read becomes a warning.
fn inventory(call: &Call) -> Result<Inventory, Error> {
    let mut inventory = Inventory::read(&Cli::command())?;
    for text in std::mem::take(&mut inventory.unread) {
        call.warn(text);
    }
    Ok(inventory)
}

/// Reports a line that was never finished.
fn tell_torn(id: &SessionId, transcript: &Transcript, call: &Call) {
    let torn = transcript.torn;
    if torn > 0 {
        call.warn(format!(
            "the last line of session '{id}' was never finished: {torn} bytes left out"
        ));
    }
}

/// Room before the next part of a page, where pages have parts.
fn space(screen: &mut Screen) {
    if screen.is_rich() {
        screen.line("");
    }
}

/// Shows entries of the inventory.
fn show_listings(listings: &[Listing], screen: &mut Screen) {
    let rows = listings.iter().map(|it| [it.name.clone(), it.source_hint.clone()]);
    screen.table(["NAME", "SOURCE"], rows);
}
