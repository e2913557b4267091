//! The program as its author sets it up, and runs it.

mod builtin;
#[cfg(feature = "testing")]
pub mod testing;

use crate::call::Call;
#[cfg(any(feature = "completions", feature = "man", feature = "schema"))]
use crate::call::setup::BuiltIn;
use crate::call::setup::{Catalogue, Setup};
use crate::classify::Class;
use crate::clock::flag_duration;
use crate::code::Code;
use crate::contract::{Migration, Moved, Spec};
use crate::declared::Declared;
use crate::error::Outcome;
use crate::failure::Failure;
use crate::flag::{Flag, FlagSet};
use crate::input;
use crate::mode::Mode;
use crate::panic as panics;
use crate::printed::{PRINTING, Printed};
use crate::process::{Process, end_after};
use crate::redirect::Redirect;
use crate::relay::relay;
use crate::reply::Reply;
use crate::sys;
use crate::usage::{self, Early};
use crate::variable::Variable;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use manila::DialectWriter;
use std::any::TypeId;
use std::env;
use std::ffi::OsString;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

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
        *catalogue = Catalogue::new::<R, F>();
    }
}

impl<C: CommandFactory + FromArgMatches + 'static> App<C> {
    /// The program of a clap type, in a dialect.
    pub fn new(dialect: &'static dyn DialectWriter) -> App<C> {
        let setup = Setup::new(dialect, Box::new(C::command));
        App { setup, read: C::from_arg_matches_mut, list: PhantomData }
    }
}

impl App<ArgMatches> {
    /// The program of a clap command that was built by hand; its handler gets the matches.
    pub fn from_command(
        command: clap::Command,
        dialect: &'static dyn DialectWriter,
    ) -> App<ArgMatches> {
        let setup = Setup::new(dialect, Box::new(move || command.clone()));
        App { setup, read: |matches| Ok(std::mem::take(matches)), list: PhantomData }
    }
}

impl<C, L: List> App<C, L> {
    /// How it answers when no flag says and stdout is not a terminal: text, unless this says otherwise.
    ///
    /// A new program may answer in JSON there, with `.piped(Mode::Json)`. A program that people already
    /// pipe into others should not.
    #[must_use]
    pub fn piped(mut self, mode: Mode) -> App<C, L> {
        self.setup.piped = mode;
        self
    }

    /// Accepts `--json` only for these commands, such as `task list`. On any other, on built-in
    /// ones, with help, the version and commands that do not exist, it changes nothing.
    #[must_use]
    pub fn json_commands(mut self, paths: &'static [&'static str]) -> App<C, L> {
        self.setup.json_commands = Some(paths);
        self
    }

    /// Adds a flag. Without this a program has `--json`, and the flags that go with what it declares.
    #[must_use]
    pub fn flag(mut self, flag: Flag) -> App<C, L> {
        self.setup.flags = self.setup.flags.with(flag);
        match flag {
            Flag::Timeout => self.limited().timed(),
            Flag::Heartbeat => self.timed(),
            _ => self,
        }
    }

    /// Keeps a flag out of the help for people, which then is clap's own to the last byte. The flag works,
    /// and the manifest and completions list it.
    #[must_use]
    pub fn hide_flag(mut self, flag: Flag) -> App<C, L> {
        self.setup.hidden = self.setup.hidden.with(flag);
        self
    }

    /// Takes a flag away.
    #[must_use]
    pub fn no_flag(mut self, flag: Flag) -> App<C, L> {
        self.setup.flags = self.setup.flags.without(flag);
        self
    }

    /// Reads a variable of the environment.
    #[must_use]
    pub fn variable(mut self, variable: Variable) -> App<C, L> {
        self.setup.variables.push(variable);
        self
    }

    /// Does not read a variable of the environment.
    #[must_use]
    pub fn no_variable(mut self, variable: Variable) -> App<C, L> {
        self.setup.variables.retain(|other| *other != variable);
        self
    }

    /// Adds every flag and reads every variable.
    #[must_use]
    pub fn all_flags(mut self) -> App<C, L> {
        self.setup.flags = FlagSet::all();
        self.setup.variables = Variable::ALL.to_vec();
        self.limited().timed()
    }

    /// Shows people usage errors and panics as it shows them the failures of the program, with the
    /// exit status of the dialect: `error[CODE]: message` and a hint, all mistakes at once.
    ///
    /// Without this, clap and the standard library show them as they always do.
    #[must_use]
    pub fn unified_errors(mut self) -> App<C, L> {
        self.setup.unified_errors = true;
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
        self.limited()
    }

    /// The same with the code for commands that print their answer.
    fn printing(mut self) -> App<C, L> {
        self.setup.optional.printing = Some(&PRINTING);
        self
    }

    /// The same with the code for flags whose value is a time.
    fn timed(mut self) -> App<C, L> {
        self.setup.optional.duration = Some(flag_duration);
        self
    }

    /// The same with the code for a time limit.
    fn limited(mut self) -> App<C, L> {
        self.setup.optional.limit = Some(end_after);
        self
    }

    /// How large a page may get before it is truncated and gets a cursor; a MiB unless this says
    /// otherwise.
    #[must_use]
    pub fn page_bytes(mut self, most: usize) -> App<C, L> {
        self.setup.max_bytes = most;
        self
    }

    /// Declares something about the command of this name, such as `task list`.
    #[must_use]
    pub fn command(mut self, path: &'static str, spec: Spec) -> App<C, L> {
        if spec.danger.is_some() {
            self.setup.optional.confirm = Some(input::confirm);
        }
        if spec.printed {
            self = self.printing();
        }
        self.setup.specs.push((path, spec));
        self
    }

    /// A command that another takes the place of: callers of the old one get the exact new call.
    ///
    /// A name alone says that it was renamed for good; a [`Redirect`] has any reason, and may hold
    /// for this call only.
    ///
    /// ```
    /// # use clap::Parser;
    /// # #[derive(Parser)] struct Cli {}
    /// use manila_clap::{App, Reason, Redirect, dialects};
    ///
    /// let app = App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0)
    ///     .moved("rm", "delete")
    ///     .moved("sync", Redirect::temporary("mirror pull", Reason::Restructured));
    /// # let _ = app;
    /// ```
    #[must_use]
    pub fn moved(mut self, from: &'static str, to: impl Into<Redirect>) -> App<C, L> {
        self.setup.moved.push(Moved { from, to: to.into() });
        self.setup.optional.moved = Some(usage::moved);
        self
    }

    /// The program's own name for a failure of the boundary.
    #[must_use]
    pub fn rename(mut self, code: Code, name: &'static str) -> App<C, L> {
        self.setup.names.push((code, name));
        self
    }

    /// Reports an error of this type as this failure, wherever it is in the chain of a `Box<dyn
    /// Error + Send + Sync>`, an `anyhow::Error` or an `eyre::Report`. The first class that fits
    /// decides. The message stays that of the error.
    ///
    /// ```
    /// # use clap::Parser;
    /// # #[derive(Parser)] struct Cli {}
    /// use manila_clap::{App, Declared, Exit, dialects};
    /// use std::io;
    ///
    /// const NO_FILE: Declared =
    ///     Declared::new("FILE_NOT_FOUND", Exit::NotFound, "A file does not exist.");
    ///
    /// let app = App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0)
    ///     .classify(NO_FILE, |error: &io::Error| error.kind() == io::ErrorKind::NotFound);
    /// # let _ = app;
    /// ```
    #[must_use]
    pub fn classify<E: std::error::Error + 'static>(
        mut self,
        failure: Declared,
        is: fn(&E) -> bool,
    ) -> App<C, L> {
        self.setup.classes.push(Class::new(failure, is));
        self
    }

    /// The program is on its way from one envelope to another; this takes the place of its dialect.
    #[must_use]
    pub fn migrate(mut self, migration: Migration) -> App<C, L> {
        self.setup.migration = Some(migration);
        self
    }

    /// Adds a command of the boundary's own.
    #[cfg(any(feature = "completions", feature = "man", feature = "schema"))]
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
    ///
    /// The [`Call`] lives as long as the process. A handler that declares it as `&'static Call` can
    /// move it into threads and tasks.
    pub fn run<R, F>(self, handler: impl FnOnce(C, &'static Call) -> Result<R, F>) -> ExitCode
    where
        R: Reply + 'static,
        F: Failure,
    {
        ExitCode::from(self.run_words(env::args_os().collect(), handler))
    }

    /// The same with other arguments than those of the process, and with the status as a number: for a
    /// program that lives in another one, such as an interpreter, whose handlers of signals it replaces. The
    /// first word is the program's name.
    pub fn run_from<R, F>(
        self,
        words: impl IntoIterator<Item = OsString>,
        handler: impl FnOnce(C, &'static Call) -> Result<R, F>,
    ) -> u8
    where
        R: Reply + 'static,
        F: Failure,
    {
        sys::live_in_another();
        self.run_words(words.into_iter().collect(), handler)
    }

    fn run_words<R, F>(
        self,
        words: Vec<OsString>,
        handler: impl FnOnce(C, &'static Call) -> Result<R, F>,
    ) -> u8
    where
        R: Reply + 'static,
        F: Failure,
    {
        let read = self.read;
        let (process, arguments) = Process::begin(self.declaring::<R, F>(), words);
        let mut matches = match arguments {
            Ok(matches) => matches,
            Err(Early::Answer(outcome)) => return process.end(outcome),
            Err(Early::Clap(error)) => return process.show(&error),
        };
        let call = process.call;
        let work = AssertUnwindSafe(|| work(read, &mut matches, call, handler));
        let worked = if call.reports_itself() { catch_unwind(work) } else { Ok(work()) };
        // As with the tree of commands: the end of the process frees it for nothing.
        std::mem::forget(matches);
        finish(process, worked)
    }

    /// The same for an asynchronous handler, on whatever runtime the caller is:
    /// `#[tokio::main] async fn main() -> ExitCode { app.run_async(handler).await }`.
    pub async fn run_async<R, F>(
        self,
        handler: impl AsyncFnOnce(C, &'static Call) -> Result<R, F>,
    ) -> ExitCode
    where
        R: Reply + 'static,
        F: Failure,
    {
        let read = self.read;
        let words = env::args_os().collect();
        let (process, arguments) = Process::begin(self.declaring::<R, F>(), words);
        let mut matches = match arguments {
            Ok(matches) => matches,
            Err(Early::Answer(outcome)) => return ExitCode::from(process.end(outcome)),
            Err(Early::Clap(error)) => return ExitCode::from(process.show(&error)),
        };
        let call = process.call;
        let work = async {
            match read(&mut matches) {
                Ok(arguments) => Ok(to_outcome(handler(arguments, call).await)),
                Err(error) => unreadable(call, error),
            }
        };
        let worked =
            if call.reports_itself() { Caught(Box::pin(work)).await } else { Ok(work.await) };
        ExitCode::from(finish(process, worked))
    }

    pub(crate) fn declaring<R: Reply + 'static, F: Failure>(mut self) -> Setup {
        if TypeId::of::<R>() == TypeId::of::<Printed>() {
            self.setup.printed = true;
            self = self.printing();
        }
        if R::relays() {
            self.setup.optional.relay = Some(relay);
        }
        L::take::<R, F>(&mut self.setup.catalogue);
        #[cfg(feature = "testing")]
        {
            self.setup.checked = Some(testing::checked);
        }
        self.setup
    }
}

fn to_outcome<R: Reply + 'static, F: Failure>(answer: Result<R, F>) -> Outcome {
    match answer {
        Ok(reply) => Ok(Box::new(reply)),
        Err(failure) => Err(failure.into_error()),
    }
}

/// Reads the arguments and lets the handler work.
pub(crate) fn work<C, R: Reply + 'static, F: Failure>(
    read: fn(&mut ArgMatches) -> Result<C, clap::Error>,
    matches: &mut ArgMatches,
    call: &'static Call,
    handler: impl FnOnce(C, &'static Call) -> Result<R, F>,
) -> Result<Outcome, clap::Error> {
    match read(matches) {
        Ok(arguments) => Ok(to_outcome(handler(arguments, call))),
        Err(error) => unreadable(call, error),
    }
}

/// What to do about matches that the program's type cannot be made of.
fn unreadable(call: &Call, error: clap::Error) -> Result<Outcome, clap::Error> {
    let error = call.setup.formatted(error);
    if call.reports_itself() { Ok(usage::answer(call, &error)) } else { Err(error) }
}

/// Ends the process with what the handler came to.
fn finish(process: Process, worked: thread::Result<Result<Outcome, clap::Error>>) -> u8 {
    let outcome = match worked {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(error)) => return process.show(&error),
        Err(payload) => Err(panics::caught(process.call, &*payload)),
    };
    process.end(outcome)
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
