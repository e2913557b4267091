//! The program as its author sets it up, and one call of it from arguments to exit status.

use crate::call::{Call, Program, request_id};
use crate::code::Code;
use crate::contract::{Danger, Migration, Moved, Spec, Stage};
use crate::failure::Failure;
use crate::flag::{self, Name, Walk, Wrong};
use crate::frame::{Frames, Outlet};
use crate::mode::{Mode, When, World};
use crate::panic as panics;
use crate::reply::{Reply, Shape};
use crate::seal::{self, Emission, Outcome, last_words};
use crate::setup::{BuiltIn, Catalogue, Setup};
use crate::sys::{self, Guard, Stray};
use crate::text::Valid;
use crate::usage::{self, Mistake};
use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use manila::{Spoken, Stream};
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// A clap program that answers in an envelope.
///
/// ```
/// # use clap::Parser;
/// # #[derive(Parser)] struct Cli {}
/// use manila_clap::{App, Done, dialects};
/// use std::convert::Infallible;
///
/// let app = App::<Cli>::new(dialects::TD_1);
/// # if false {
/// app.run(|_cli, _call| Ok::<_, Infallible>(Done::new("nothing to do")));
/// # }
/// ```
pub struct App<C, L = Unlisted> {
    pub(crate) setup: Setup,
    pub(crate) read: fn(&mut ArgMatches) -> Result<C, clap::Error>,
    pub(crate) list: PhantomData<L>,
}

/// Whether a program lists its replies and failures to callers. One that does not need not carry
/// their schemas, which weigh more than everything else here.
pub trait List {
    /// Takes over what a handler can answer.
    #[doc(hidden)]
    fn take<R: Reply, F: Failure>(catalogue: &mut Catalogue);
}

/// The program lists nothing.
#[derive(Debug)]
pub enum Unlisted {}

/// The program lists everything, with the built-in commands `schema` or `manifest`.
#[derive(Debug)]
pub enum Listed {}

impl List for Unlisted {
    #[cfg(not(feature = "testing"))]
    fn take<R: Reply, F: Failure>(_: &mut Catalogue) {}

    /// Test mode holds every answer against what is declared, listed or not.
    #[cfg(feature = "testing")]
    fn take<R: Reply, F: Failure>(catalogue: &mut Catalogue) {
        Listed::take::<R, F>(catalogue);
    }
}

impl List for Listed {
    fn take<R: Reply, F: Failure>(catalogue: &mut Catalogue) {
        *catalogue = Catalogue::of::<R, F>();
    }
}

impl<C: CommandFactory + FromArgMatches + 'static> App<C> {
    /// The program of a clap type, in a dialect.
    pub fn new(dialect: &'static dyn Spoken) -> App<C> {
        let setup = Setup::new(dialect, Box::new(C::command));
        App { setup, read: C::from_arg_matches_mut, list: PhantomData }
    }
}

impl App<ArgMatches> {
    /// The program of a clap command that was built by hand; its handler gets the matches.
    pub fn of(command: clap::Command, dialect: &'static dyn Spoken) -> App<ArgMatches> {
        let setup = Setup::new(dialect, Box::new(move || command.clone()));
        App { setup, read: |matches| Ok(std::mem::take(matches)), list: PhantomData }
    }
}

impl<C, L: List> App<C, L> {
    /// How it answers when nobody says and no terminal is there: JSON, unless this says otherwise.
    #[must_use]
    pub fn piped(mut self, mode: Mode) -> App<C, L> {
        self.setup.piped = mode;
        self
    }

    /// Another variable that names the mode, beside `<PROGRAM>_OUTPUT`.
    #[must_use]
    pub fn mode_variable(mut self, name: &'static str) -> App<C, L> {
        self.setup.mode_variables.push(name);
        self
    }

    /// How long a call may take, unless the caller says otherwise with `--timeout`.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> App<C, L> {
        self.setup.limit = Some(limit);
        self
    }

    /// How large a page may get before it is cut and its cursor leads on; a MiB unless this says
    /// otherwise.
    #[must_use]
    pub fn page_bytes(mut self, most: usize) -> App<C, L> {
        self.setup.max_bytes = most;
        self
    }

    /// Declares something about the command of this name, such as `task list`.
    #[must_use]
    pub fn command(mut self, path: &'static str, spec: Spec) -> App<C, L> {
        self.setup.specs.push((path, spec));
        self
    }

    /// A command that has another name now: callers of the old one are told the exact call.
    #[must_use]
    pub fn moved(mut self, from: &'static str, to: &'static str) -> App<C, L> {
        self.setup.moved.push(Moved { from, to });
        self
    }

    /// The program's own name for a failure of the boundary.
    #[must_use]
    pub fn rename(mut self, code: Code, name: &'static str) -> App<C, L> {
        self.setup.names.push((code, name));
        self
    }

    /// The program is on its way from one envelope to another; this takes the place of its dialect.
    #[must_use]
    pub fn migrate(mut self, migration: Migration) -> App<C, L> {
        self.setup.migration = Some(migration);
        self
    }

    /// Adds a command of the boundary's own.
    pub(crate) fn built_in(mut self, built_in: BuiltIn) -> App<C, L> {
        self.setup.built_ins.push(built_in);
        self
    }

    /// The same program, listing what it can answer.
    pub(crate) fn listed(self) -> App<C, Listed> {
        App { setup: self.setup, read: self.read, list: PhantomData }
    }

    /// Runs the program: arguments from the process, the answer to its streams, its status as the
    /// result.
    pub fn run<R, F>(self, handler: impl FnOnce(C, &Call) -> Result<R, F>) -> ExitCode
    where
        R: Reply + 'static,
        F: Failure,
    {
        let read = self.read;
        let mut process = Process::begin(self.declaring::<R, F>());
        let outcome = match process.take_arguments() {
            Err(outcome) => outcome,
            Ok(mut matches) => {
                let call = &*process.call;
                let work = AssertUnwindSafe(|| work(read, &mut matches, call, handler));
                let outcome = catch_unwind(work);
                // As with the tree of commands: the end of the process frees it for nothing.
                std::mem::forget(matches);
                outcome.unwrap_or_else(|payload| Err(panics::caught(call, &*payload)))
            }
        };
        process.end(outcome)
    }

    /// The same for an asynchronous handler, on whatever runtime the caller is:
    /// `#[tokio::main] async fn main() -> ExitCode { app.run_async(handler).await }`.
    pub async fn run_async<R, F>(
        self,
        handler: impl AsyncFnOnce(C, &Call) -> Result<R, F>,
    ) -> ExitCode
    where
        R: Reply + 'static,
        F: Failure,
    {
        let read = self.read;
        let mut process = Process::begin(self.declaring::<R, F>());
        let outcome = match process.take_arguments() {
            Err(outcome) => outcome,
            Ok(mut matches) => {
                let call = &*process.call;
                let work = async {
                    match read(&mut matches) {
                        Ok(arguments) => to_outcome(handler(arguments, call).await),
                        Err(error) => usage::answer(call, &error),
                    }
                };
                let outcome = Caught(Box::pin(work)).await;
                outcome.unwrap_or_else(|payload| Err(panics::caught(call, &*payload)))
            }
        };
        process.end(outcome)
    }

    pub(crate) fn declaring<R: Reply, F: Failure>(mut self) -> Setup {
        L::take::<R, F>(&mut self.setup.catalogue);
        self.setup
    }
}

fn to_outcome<R: Reply + 'static, F: Failure>(answer: Result<R, F>) -> Outcome {
    match answer {
        Ok(reply) => Ok(Box::new(reply)),
        Err(failure) => Err(failure.problem()),
    }
}

/// Reads the arguments and lets the handler work.
pub(crate) fn work<C, R: Reply + 'static, F: Failure>(
    read: fn(&mut ArgMatches) -> Result<C, clap::Error>,
    matches: &mut ArgMatches,
    call: &Call,
    handler: impl FnOnce(C, &Call) -> Result<R, F>,
) -> Outcome {
    match read(matches) {
        Ok(arguments) => to_outcome(handler(arguments, call)),
        Err(error) => usage::answer(call, &error),
    }
}

/// A process that is about to work, or that has its answer already.
struct Process {
    call: Arc<Call>,
    guard: Option<Arc<Guard>>,
    arguments: Result<ArgMatches, Outcome>,
}

impl Process {
    fn begin(setup: Setup) -> Process {
        let start = Instant::now();
        panics::hush();
        let world = World {
            is_terminal: Box::new(|stream| match stream {
                0 => io::stdin().is_terminal(),
                1 => io::stdout().is_terminal(),
                _ => io::stderr().is_terminal(),
            }),
            variable: Box::new(|name| std::env::var_os(name)),
        };
        let outlet = Arc::new(Outlet::Process(OnceLock::new()));
        let words = std::env::args_os().skip(1).collect();
        let (mut call, command, mistakes) = listen(setup, world, outlet, words, start);
        let mut guard = if call.mode.is_json() { raise(&call) } else { None };
        let arguments = parse(&mut call, command, mistakes);
        if !call.mode.is_json()
            && let Some(guard) = guard.take()
        {
            guard.lower();
        }
        let call = Arc::new(call);
        panics::watch(&call, guard.as_ref());
        if arguments.is_ok() {
            watch_over(&call, guard.as_deref());
        }
        Process { call, guard, arguments }
    }

    /// What clap read, or the answer that is known without the handler.
    fn take_arguments(&mut self) -> Result<ArgMatches, Outcome> {
        std::mem::replace(&mut self.arguments, Ok(ArgMatches::default()))
    }

    /// Ends the process with what its handler came to. The verdict is fixed before a byte is written.
    fn end(self, outcome: Outcome) -> ExitCode {
        let Process { call, guard, arguments: _ } = self;
        let stray = if guard.is_some() { Guard::stray() } else { Stray::default() };
        let emission = catch_unwind(AssertUnwindSafe(|| sealed(&call, outcome, &stray)));
        let emission = emission.unwrap_or_else(|payload| {
            call.put_meta(seal::meta(&call));
            seal::seal(&call, Err(panics::caught(&call, &*payload)), &Stray::default())
        });
        sys::fix_outcome();
        call.clear_progress();
        if !call.mode.is_json() {
            sys::flush();
        }
        ExitCode::from(deliver(&emission, guard.as_deref()))
    }
}

fn sealed(call: &Call, outcome: Outcome, stray: &Stray) -> Emission {
    #[cfg(feature = "testing")]
    return crate::testing::checked(call, outcome, stray);
    #[cfg(not(feature = "testing"))]
    seal::seal(call, outcome, stray)
}

/// Puts the guard before standard output.
fn raise(call: &Call) -> Option<Arc<Guard>> {
    match Guard::raise() {
        Ok(guard) => {
            let guard = Arc::new(guard);
            call.outlet.stand_behind(Arc::clone(&guard));
            Some(guard)
        }
        Err(error) => {
            call.warn(format!("standard output is not guarded: {error}"));
            None
        }
    }
}

/// Has signals and the time limit answered while the handler works.
fn watch_over(call: &Call, guard: Option<&Guard>) {
    if let Some(limit) = call.limit {
        sys::limit(last_words(call, Code::Timeout), guard, call.start, limit);
    }
    if call.mode.is_json() {
        sys::arm(last_words(call, Code::Cancelled), guard, call.start);
    }
}

/// Writes what was sealed. A reader that hung up changes nothing; an answer that could not be
/// written is a failure, whatever it said.
pub(crate) fn deliver(emission: &Emission, guard: Option<&Guard>) -> u8 {
    let status = u8::try_from(emission.status).unwrap_or(1);
    let write = |stream, bytes: &[u8]| match sys::write(stream, guard, bytes) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        wrote => wrote,
    };
    let (beside, answer) = match emission.answer {
        Stream::Stdout => ((Stream::Stderr, &emission.stderr), (Stream::Stdout, &emission.stdout)),
        Stream::Stderr => ((Stream::Stdout, &emission.stdout), (Stream::Stderr, &emission.stderr)),
    };
    // Nobody need read what stands beside the answer; the answer must still be given.
    let _ = write(beside.0, beside.1);
    match write(answer.0, answer.1) {
        Ok(()) => status,
        Err(error) => {
            // The last resort: if this cannot be written either, the status still says it.
            let code = Code::OutputFailed.name();
            let words = format!("error[{code}]: the answer could not be written: {error}\n");
            let _ = sys::write(Stream::Stderr, None, words.as_bytes());
            if status == 0 { 1 } else { status }
        }
    }
}

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
fn listen(
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
fn parse(
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
        }
    }
    if matches.as_ref().is_err_and(|error| error.kind() != ErrorKind::DisplayVersion) {
        let mut walk = Walk::new(&command);
        call.asked.rest.iter().for_each(|word| walk.step(word));
        call.path = walk.path().join(" ");
    }
    // The process ends soon, and taking the tree apart costs as much as parsing did.
    std::mem::forget(command);
    call.put_meta(seal::meta(call));
    if !mistakes.is_empty() {
        return Err(Err(usage::refusal(call, mistakes, matches.err().as_ref())));
    }
    match (answer_before(call, &matches), matches) {
        (Some(outcome), _) => Err(outcome),
        (None, Ok(matches)) => Ok(matches),
        (None, Err(error)) => Err(usage::answer(call, &error)),
    }
}

/// The answer that is known before the handler works, if it is.
fn answer_before(call: &Call, matches: &clap::error::Result<ArgMatches>) -> Option<Outcome> {
    let flagged = call
        .setup
        .built_ins
        .iter()
        .find(|built_in| built_in.flag.is_some_and(|name| call.asked.has(name)));
    if let Some(built_in) = flagged {
        return Some((built_in.run)(call, &ArgMatches::default()));
    }
    let matches = matches.as_ref().ok()?;
    if let Some((_, arguments)) = matches.subcommand()
        && let Some(built_in) = call.setup.built_in(&call.path)
    {
        return Some((built_in.run)(call, arguments));
    }
    if call.asked.has(Name::ValidateOnly) {
        return Some(Ok(Box::new(Valid)));
    }
    if call.setup.danger(&call.path) == Danger::Destructive && !call.asked.has(Name::Yes) {
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

/// The variables of a program begin with its name: `my-tool` has `MY_TOOL_OUTPUT`.
pub(crate) struct Variable {
    name: String,
    prefix: usize,
}

impl Variable {
    pub(crate) fn of(program: &str) -> Variable {
        let mut name = String::with_capacity(program.len() + 16);
        for letter in program.chars() {
            name.push(if letter.is_ascii_alphanumeric() {
                letter.to_ascii_uppercase()
            } else {
                '_'
            });
        }
        name.push('_');
        let prefix = name.len();
        Variable { name, prefix }
    }

    pub(crate) fn named(&mut self, name: &str) -> &str {
        self.name.truncate(self.prefix);
        self.name.push_str(name);
        &self.name
    }
}

/// Takes what the flags and the environment say of how to answer. Everything that can be settled is,
/// even if something else is wrong, so that the refusal is given as it was asked for.
fn settle(call: &mut Call, mode_variable: &str) -> Vec<Mistake> {
    let mut mistakes = Vec::new();

    let mut named = None;
    for (name, value) in &call.asked.flags {
        let word = value.as_ref().map(|value| value.to_string_lossy()).unwrap_or_default();
        match name {
            Name::Json if named != Some(Mode::Jsonl) => named = Some(Mode::Json),
            Name::Output => match Mode::from_word(&word) {
                Some(mode) => named = Some(mode),
                None => mistakes.push(Mistake::flag(Name::Output, &word)),
            },
            _ => {}
        }
    }
    if named.is_none() {
        let more = call.setup.mode_variables.iter().copied();
        for variable in std::iter::once(mode_variable).chain(more) {
            if let Some(word) = call.world.text(variable) {
                match Mode::from_word(&word.to_ascii_lowercase()) {
                    Some(mode) => named = Some(mode),
                    None => mistakes.push(Mistake::value(variable, &word, Name::Output.allowed())),
                }
            }
        }
    }
    call.mode = call.world.mode(named, call.setup.piped);
    if call.asked.flags.is_empty() && call.asked.wrong.is_empty() {
        if !call.mode.is_json() {
            call.colour = [1, 1, 2].map(|stream| call.world.colour(When::Auto, stream));
        }
        (call.dialect, call.shape) = envelope(call, &mut mistakes);
        return mistakes;
    }

    let text = |name| call.asked.value(name).map(|value| value.to_string_lossy().into_owned());
    let mut colour = When::Auto;
    if let Some(word) = text(Name::Colour) {
        match When::from_word(&word) {
            Some(when) => colour = when,
            None => mistakes.push(Mistake::flag(Name::Colour, &word)),
        }
    }
    if !call.mode.is_json() {
        call.colour = [1, 1, 2].map(|stream| call.world.colour(colour, stream));
    }
    let mut time = |name, otherwise| {
        let Some(word) = text(name) else { return otherwise };
        let time = duration(&word);
        if time.is_none() {
            mistakes.push(Mistake::flag(name, &word));
        }
        time.filter(|time| !time.is_zero())
    };
    let limit = time(Name::Timeout, call.limit);
    let heartbeat = time(Name::Heartbeat, None);
    let mut max_bytes = None;
    if let Some(word) = text(Name::MaxBytes) {
        match word.parse() {
            Ok(most) => max_bytes = Some(most),
            Err(_) => mistakes.push(Mistake::flag(Name::MaxBytes, &word)),
        }
    }
    (call.dialect, call.shape) = envelope(call, &mut mistakes);
    for (name, wrong) in &call.asked.wrong {
        let flag = name.flag().long;
        mistakes.push(match wrong {
            Wrong::NoValue => Mistake::new(
                Code::InvalidValue,
                format!("--{flag} wants a value"),
                format!("one of: {}", name.allowed()),
            ),
            Wrong::Value(value) => Mistake::new(
                Code::InvalidValue,
                format!("unexpected value '{value}' for '--{flag}': it takes none"),
                format!("pass --{flag} or leave it out"),
            ),
        });
    }
    (call.limit, call.heartbeat, call.max_bytes) = (limit, heartbeat, max_bytes);
    mistakes
}

/// The envelope that the program answers in, and the generation of its payloads.
fn envelope(call: &Call, mistakes: &mut Vec<Mistake>) -> (&'static dyn Spoken, Shape) {
    let Some(Migration { old, new, stage }) = call.setup.migration else {
        return (call.setup.dialect, Shape::Current);
    };
    let (old_form, new_form) = ((old.1, Shape::Legacy), (new.1, Shape::Current));
    let usual = if stage == Stage::OptIn { old_form } else { new_form };
    let asked = call.asked.value(Name::EnvelopeVersion).map(|value| value.to_string_lossy());
    let legacy = call.asked.has(Name::LegacyEnvelope);
    let mistake = match asked.as_deref() {
        Some(version) if version == new.0 && !legacy => return new_form,
        None if !legacy => return usual,
        Some(version) if version == new.0 => Mistake::new(
            Code::ConflictingArguments,
            format!("--legacy-envelope excludes --envelope-version {version}"),
            "pass one of them",
        ),
        Some(version) if version != old.0 => {
            let versions = format!("{}, {}", old.0, new.0);
            Mistake::value("--envelope-version", version, &versions)
        }
        _ if stage == Stage::Removed => Mistake::new(
            Code::InvalidValue,
            format!("envelope version {} was removed", old.0),
            format!("read version {}", new.0),
        ),
        _ => return old_form,
    };
    mistakes.push(mistake);
    usual
}

/// A time such as `30s`; a bare number is seconds.
fn duration(text: &str) -> Option<Duration> {
    const TEN_YEARS: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);
    let seconds = text.parse().ok().map(Duration::from_secs);
    let time = seconds.or_else(|| humantime::parse_duration(text).ok())?;
    Some(time.min(TEN_YEARS))
}

/// A future whose panics are results.
struct Caught<F>(std::pin::Pin<Box<F>>);

impl<F: Future> Future for Caught<F> {
    type Output = std::thread::Result<F::Output>;

    fn poll(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Self::Output> {
        use std::task::Poll;
        match catch_unwind(AssertUnwindSafe(|| self.0.as_mut().poll(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
            Err(payload) => Poll::Ready(Err(payload)),
        }
    }
}
