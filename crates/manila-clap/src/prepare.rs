//! Everything up to the handler: how to answer, what clap reads, and the answers that need no handler.

use crate::call::{Call, Program, request_id};
use crate::code::Code;
use crate::contract::Danger;
use crate::flag::{self, Name};
use crate::frame::{Frames, Outlet};
use crate::mode::{Mode, World};
use crate::panic as panics;
use crate::reply::Shape;
use crate::seal::{self, Outcome};
use crate::settle::{Variable, colours, mode_without_json, settle};
use crate::setup::{BuiltIn, Setup};
use crate::text::Valid;
use crate::usage::{self, Mistake};
use crate::walk::Walk;
use clap::ArgMatches;
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Everything up to the handler: the call, and what clap made of its arguments or the answer that is
/// known without the handler.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn prepare(
    setup: Setup,
    world: World,
    outlet: Arc<Outlet>,
    words: Vec<OsString>,
    start: Instant,
) -> (Call, Result<ArgMatches, Outcome>) {
    let (mut call, command, mistakes) = listen(setup, world, outlet, words, start);
    let arguments = parse(&mut call, command, mistakes);
    (call, arguments)
}

/// Finds out how to answer: from our flags, the environment and the terminals.
pub(crate) fn listen(
    setup: Setup,
    world: World,
    outlet: Arc<Outlet>,
    words: Vec<OsString>,
    start: Instant,
) -> (Call, clap::Command, Vec<Mistake>) {
    let command = setup.whole_command();
    let asked = flag::take(&command, words, |when| setup.has(when));
    let program = Program {
        name: command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned(),
        version: command.get_version().map(str::to_owned),
    };
    let mut variable = Variable::of(&program.name);
    let trace_id = world.text(variable.named("TRACE_ID")).map(seal::clean);
    let mut call = Call {
        dialect: setup.dialect,
        shape: Shape::Current,
        mode: setup.piped,
        colour: [false; 3],
        limit: setup.limit,
        max_bytes: None,
        heartbeat: None,
        path: String::new(),
        typed: None,
        meta: Mutex::default(),
        request_id: request_id(),
        trace_id,
        said: Mutex::default(),
        frames: Frames::default(),
        outlet,
        progress_shown: AtomicBool::new(false),
        setup,
        world,
        asked,
        program,
        start,
    };
    let mistakes = settle(&mut call, variable.named("OUTPUT"));
    (call, command, mistakes)
}

/// Has clap read the arguments. What its value parsers do is the author's, and may panic.
pub(crate) fn parse(
    call: &mut Call,
    command: clap::Command,
    mistakes: Vec<Mistake>,
) -> Result<ArgMatches, Outcome> {
    let parsed = catch_unwind(AssertUnwindSafe(|| try_parse(call, command, mistakes)));
    parsed.unwrap_or_else(|payload| Err(Err(panics::caught(call, &*payload))))
}

fn try_parse(
    call: &mut Call,
    mut command: clap::Command,
    mistakes: Vec<Mistake>,
) -> Result<ArgMatches, Outcome> {
    if cfg!(debug_assertions) {
        call.setup.check_paths(&command);
    }
    let matches = command.try_get_matches_from_mut(&call.asked.rest);
    if let Ok(matches) = &matches {
        call.path = path(matches);
        let is_text = call.setup.built_in(&call.path).is_some_and(|built_in| built_in.text);
        let is_asked = call.asked.has(Name::Json) || call.asked.has(Name::Output);
        let has_no_json = call.spec().is_some_and(|spec| spec.text_only);
        if call.mode.is_json() && (has_no_json || (is_text && !is_asked)) {
            call.mode = call.world.mode(None, Mode::Plain);
            call.colour = colours(call);
        }
    }
    if matches.as_ref().is_err_and(|error| error.kind() != ErrorKind::DisplayVersion) {
        let mut walk = Walk::new(&command);
        call.asked.rest.iter().for_each(|word| walk.step(word));
        call.path = walk.path().join(" ");
        let typed = walk.typed().join(" ");
        call.typed = Some(typed).filter(|typed| *typed != call.path);
    }
    if call.mode.is_json() && !hears_json(call, &matches) {
        call.mode = mode_without_json(call);
        call.colour = colours(call);
    }
    // The process ends soon, and taking the tree apart costs as much as parsing did.
    std::mem::forget(command);
    call.put_meta(seal::meta(call));
    let is_question = matches.as_ref().is_err_and(|error| !error.use_stderr());
    if !mistakes.is_empty() && !is_question {
        return Err(Err(usage::refusal(call, mistakes, matches.err().as_ref())));
    }
    match (answer_before(call, &matches), matches) {
        (Some(outcome), _) => Err(outcome),
        (None, Ok(matches)) => Ok(matches),
        (None, Err(error)) => Err(usage::answer(call, &error)),
    }
}

/// Whether `--json` is for this call: a program may hear it for some of its commands alone. Help, the
/// version and what a flag of the boundary asks for are no answers of a command.
fn hears_json(call: &Call, matches: &clap::error::Result<ArgMatches>) -> bool {
    let Some(commands) = call.setup.json_commands else { return true };
    let is_question =
        matches.as_ref().is_err_and(|error| !error.use_stderr() || usage::is_bare(error.kind()));
    let is_listed = commands.iter().any(|command| *command == call.path);
    is_listed && !is_question && flagged(call).is_none()
}

/// The built-in command that a flag asks for.
fn flagged(call: &Call) -> Option<&BuiltIn> {
    let is_asked = |built_in: &&BuiltIn| built_in.flag.is_some_and(|name| call.asked.has(name));
    call.setup.built_ins.iter().find(is_asked)
}

/// The answer that is known before the handler works, if it is.
fn answer_before(call: &Call, matches: &clap::error::Result<ArgMatches>) -> Option<Outcome> {
    if let Some(built_in) = flagged(call) {
        return Some((built_in.run)(call, &ArgMatches::default()));
    }
    let matches = matches.as_ref().ok()?;
    if let Some((_, arguments)) = matches.subcommand()
        && let Some(built_in) = call.setup.built_in(&call.path)
    {
        return Some((built_in.run)(call, arguments));
    }
    if call.asked.has(Name::ValidateOnly) {
        return Some(Ok(Box::new(Valid {})));
    }
    if call.setup.danger(&call.path) == Some(Danger::Destructive) && !call.asked.has(Name::Yes) {
        let name = if call.path.is_empty() { &call.program.name } else { &call.path };
        let question = format!("`{name}` cannot be undone. Go on?");
        if !call.confirm(&question, "--yes").unwrap_or(false) {
            let message = format!("`{name}` cannot be undone, and nobody confirmed it");
            let problem = call.problem(Code::ConfirmationRequired, message);
            return Some(Err(problem.suggestion("pass --yes").fix("it is confirmed with --yes")));
        }
    }
    None
}

/// The names of the commands that the arguments chose.
fn path(matches: &ArgMatches) -> String {
    let mut path = String::new();
    let mut next = matches.subcommand();
    while let Some((name, matches)) = next {
        if !path.is_empty() {
            path.push(' ');
        }
        path.push_str(name);
        next = matches.subcommand();
    }
    path
}
