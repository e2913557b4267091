//! Everything up to the handler: how to answer, what clap reads, and the answers that need no handler.

use crate::call::setup::{BuiltIn, Setup};
use crate::call::{Call, Program, request_id};
use crate::contract::Danger;
use crate::error::Outcome;
use crate::flag::Flag;
use crate::global_flags;
use crate::meta::meta;
use crate::mode::{Environment, Mode};
use crate::options::{colours, mode_without_json, read_options};
use crate::panic as panics;
use crate::reply::Shape;
use crate::safe_text::clean;
use crate::sink::{Frames, Sink};
use crate::text::Valid;
use crate::usage::{self, Early, Mistake};
use crate::variable::Variable;
use crate::walk::Walk;
use clap::ArgMatches;
use clap::error::ErrorKind;
use std::ffi::{OsStr, OsString};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Everything up to the handler: the call, and what clap made of its arguments or the answer that is
/// known without the handler.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn prepare(
    setup: Setup,
    environment: Environment,
    sink: Arc<Sink>,
    words: Vec<OsString>,
    start: Instant,
) -> (Call, Result<ArgMatches, Outcome>) {
    let name = (setup.command)().get_name().into();
    let words = std::iter::once(name).chain(words).collect();
    let (mut call, command, mistakes) = read_flags(setup, environment, sink, words, start);
    let arguments = parse(&mut call, command, mistakes).map_err(|early| match early {
        Early::Answer(outcome) => outcome,
        Early::Clap(error) => shown(&call, &error),
    });
    (call, arguments)
}

/// What clap shows itself, for a call that is only tried.
#[cfg(any(test, feature = "testing"))]
fn shown(call: &Call, error: &clap::Error) -> Outcome {
    #[cfg(feature = "testing")]
    if call.colour[1] && usage::is_help(error.kind()) {
        return Ok(Box::new(crate::text::Text::coloured(&error.render())));
    }
    usage::answer(call, error)
}

/// Finds out how to answer: from our flags, the environment and the terminals.
pub(crate) fn read_flags(
    setup: Setup,
    environment: Environment,
    sink: Arc<Sink>,
    mut words: Vec<OsString>,
    start: Instant,
) -> (Call, clap::Command, Vec<Mistake>) {
    let command = setup.whole_command();
    let has_name = !command.is_no_binary_name_set() && !words.is_empty();
    let argv0 = has_name.then(|| words.remove(0));
    let name = program_name(&command, argv0.as_deref());
    let flags = global_flags::take(
        &command,
        || setup.whole_command(),
        argv0,
        words,
        |flag| setup.has(flag),
    );
    let program = Program { name, version: command.get_version().map(str::to_owned) };
    let trace_id = setup.variable(Variable::TraceId, &environment, &program.name);
    let trace_id = trace_id.map(|(_, value)| clean(value));
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
        annotations: Mutex::default(),
        frames: Frames::default(),
        sink,
        progress_shown: AtomicBool::new(false),
        setup,
        environment,
        flags,
        program,
        start,
    };
    let mistakes = read_options(&mut call);
    (call, command, mistakes)
}

/// The name of the program: what its author says, or that of the file, as clap has it.
fn program_name(command: &clap::Command, argv0: Option<&OsStr>) -> String {
    let of_file = || {
        let name = Path::new(argv0?).file_name()?.to_str()?;
        Some(name.strip_suffix(".exe").unwrap_or(name).to_owned()).filter(|name| !name.is_empty())
    };
    let own = command.get_bin_name().map(str::to_owned);
    own.or_else(of_file).unwrap_or_else(|| command.get_name().to_owned())
}

/// Has clap read the arguments. What its value parsers do is the author's, and may panic.
pub(crate) fn parse(
    call: &mut Call,
    command: clap::Command,
    mistakes: Vec<Mistake>,
) -> Result<ArgMatches, Early> {
    if !call.reports_itself() {
        return try_parse(call, command, mistakes);
    }
    let parsed = catch_unwind(AssertUnwindSafe(|| try_parse(call, command, mistakes)));
    parsed.unwrap_or_else(|payload| Err(Early::Answer(Err(panics::caught(call, &*payload)))))
}

fn try_parse(
    call: &mut Call,
    mut command: clap::Command,
    mistakes: Vec<Mistake>,
) -> Result<ArgMatches, Early> {
    if cfg!(debug_assertions) {
        call.setup.check_paths(&command);
    }
    let matches = command.try_get_matches_from_mut(call.flags.argv());
    if let Ok(matches) = &matches {
        call.path = path(matches);
        let is_text = call.setup.built_in(&call.path).is_some_and(|built_in| built_in.text);
        let is_asked = call.flags.has(Flag::Json) || call.flags.has(Flag::Output);
        let has_no_json = call.spec().is_some_and(|spec| spec.text_only);
        if call.mode.is_json() && (has_no_json || (is_text && !is_asked)) {
            call.mode = call.environment.mode(None, Mode::Plain);
            call.colour = colours(call);
        }
    }
    if matches.as_ref().is_err_and(|error| error.kind() != ErrorKind::DisplayVersion) {
        let mut walk = Walk::new(&command);
        call.flags.rest.iter().for_each(|word| walk.step(word));
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
    call.put_meta(meta(call));
    let is_question = matches.as_ref().is_err_and(|error| !error.use_stderr());
    if !mistakes.is_empty() && !is_question {
        return Err(usage::reject(call, mistakes, matches.err()));
    }
    match (answer_before(call, &matches), matches) {
        (Some(outcome), _) => Err(Early::Answer(outcome)),
        (None, Ok(matches)) => Ok(matches),
        // Help and a call without arguments are clap's to people, in either form of error.
        (None, Err(error)) if call.mode.is_json() || is_reported(call, error.kind()) => {
            Err(Early::Answer(usage::answer(call, &error)))
        }
        (None, Err(error)) => Err(usage::for_people(call, error)),
    }
}

/// Whether people get an error of clap as they get the failures of the program.
fn is_reported(call: &Call, kind: ErrorKind) -> bool {
    call.setup.unified_errors && !usage::is_help(kind) && !usage::is_bare(kind)
}

/// Whether `--json` is for this call: a program may accept it for only some of its commands. Help,
/// the version and what a flag of the boundary asks for are not answers of a command.
fn hears_json(call: &Call, matches: &clap::error::Result<ArgMatches>) -> bool {
    let Some(commands) = call.setup.json_commands else { return true };
    let is_question =
        matches.as_ref().is_err_and(|error| !error.use_stderr() || usage::is_bare(error.kind()));
    let is_listed = commands.iter().any(|command| *command == call.path);
    is_listed && !is_question && flagged(call).is_none()
}

/// The built-in command that a flag asks for.
fn flagged(call: &Call) -> Option<&BuiltIn> {
    let is_asked = |built_in: &&BuiltIn| built_in.flag.is_some_and(|name| call.flags.has(name));
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
    if call.flags.has(Flag::ValidateOnly) {
        return Some(Ok(Box::new(Valid {})));
    }
    if call.setup.danger(&call.path) == Some(Danger::Destructive)
        && !call.flags.has(Flag::Yes)
        && let Some(confirm) = call.setup.optional.confirm
    {
        return confirm(call).err().map(Err);
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
