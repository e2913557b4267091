//! The program as its author sets it up, and runs it.

use crate::call::Call;
use crate::code::Code;
use crate::contract::{Migration, Moved, Spec};
use crate::failure::Failure;
use crate::mode::Mode;
use crate::panic as panics;
use crate::process::Process;
use crate::redirect::Redirect;
use crate::reply::Reply;
use crate::seal::Outcome;
use crate::setup::{BuiltIn, Catalogue, Setup};
use crate::usage;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use manila::Spoken;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
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

    /// `--json` is heard for these commands alone, such as `task list`. On any other, on built-in
    /// ones, with help, the version and commands that do not exist, it changes nothing.
    #[must_use]
    pub fn json_commands(mut self, paths: &'static [&'static str]) -> App<C, L> {
        self.setup.json_commands = Some(paths);
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
        let (process, arguments) = Process::begin(self.declaring::<R, F>());
        let outcome = match arguments {
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
        let (process, arguments) = Process::begin(self.declaring::<R, F>());
        let outcome = match arguments {
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
