//! `manila run`: run a program, act on its answer, and pass the result on.

use crate::checking;
use crate::config;
use crate::error::CliError;
use crate::help::examples;
use crate::known::{self, DialectChoice, dialect_or_none, known_dialect};
use crate::manifest::is_safe;
use crate::passthrough::Passthrough;
use crate::paths;
use crate::trace;
use clap::{Args, ValueEnum};
use manila::json::{Layout, Raw, SerializeError, Style, Writer};
use manila::{Dialect, DialectWriter};
use manila_clap::{Call, Kind, Relayed, Reply, Screen, Shape};
use manila_pack::Packs;
use manila_run::{
    Cancel, Detail, Input, Invocation, Observer, Outcome, PackLookup, Plan, Policy, Speaks, Trust,
    plan, reset_sigchld, run as settle,
};
use schemars::json_schema;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("manila run git fetch", "run a program; retry what is safe to retry"),
    (
        "manila run --timeout 30s --deadline 5m --json -- deploy status",
        "limit the time, and answer with one envelope",
    ),
    ("manila run --explain --idempotent -- mytool sync", "show each decision on stderr"),
];

pub(crate) const FAILS: &[&str] = &["INVALID_VALUE", "BAD_DIALECT", "NO_PLACE"];

#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct Arguments {
    /// The program and its arguments. No shell is involved
    #[arg(required = true, trailing_var_arg = true, value_name = "COMMAND", value_hint = clap::ValueHint::CommandWithArguments)]
    command: Vec<OsString>,

    /// End an attempt after this time, such as 30s
    #[arg(long, value_name = "TIME", value_parser = checking::time, help_heading = "Limits")]
    timeout: Option<Duration>,

    /// End the call after this time, all attempts and waits included
    #[arg(long, value_name = "TIME", value_parser = checking::time, help_heading = "Limits")]
    deadline: Option<Duration>,

    /// Kill a program that is still running this long after SIGTERM
    #[arg(long, value_name = "TIME", value_parser = checking::time, default_value = "1500ms", help_heading = "Limits")]
    grace: Duration,

    /// How long to wait for inherited pipes to close after the program exits
    #[arg(long, value_name = "TIME", value_parser = checking::time, default_value = "1s", help_heading = "Limits")]
    linger: Duration,

    /// Keep at most this many bytes of each stream in memory
    #[arg(long, value_name = "BYTES", default_value_t = Policy::default().max_output, help_heading = "Limits")]
    max_output: u64,

    /// Retry at most this many times on one error code
    #[arg(long, value_name = "N", default_value_t = Policy::default().retries, help_heading = "Retries and pages")]
    retries: usize,

    /// Make at most this many attempts for each page
    #[arg(long, value_name = "N", default_value_t = Policy::default().max_attempts, help_heading = "Retries and pages")]
    max_attempts: usize,

    /// Wait at most this long before a retry; return longer waits in meta.run.next
    #[arg(long, value_name = "TIME", value_parser = checking::time, default_value = "2m", help_heading = "Retries and pages")]
    max_wait: Duration,

    /// Allow retries: the call may be made twice without harm
    #[arg(long, help_heading = "Retries and pages")]
    idempotent: bool,

    /// Read the program's manifest from this file, or `ask` the program for it with --manifest. A command
    /// that the manifest calls safe may be retried
    #[arg(long, value_name = "FILE", help_heading = "Retries and pages")]
    manifest: Option<PathBuf>,

    /// Fetch at most this many pages
    #[arg(long, value_name = "N", default_value_t = Policy::default().max_pages, help_heading = "Retries and pages")]
    max_pages: usize,

    /// Pass the cursor of the next page with this option
    #[arg(
        long,
        value_name = "FLAG",
        default_value = "--cursor",
        allow_hyphen_values = true,
        help_heading = "Retries and pages"
    )]
    cursor_flag: String,

    /// Run this command, without a shell, when the credentials have expired
    #[arg(long, value_name = "COMMAND", help_heading = "Retries and pages")]
    refresh_with: Option<String>,

    /// Run the refresh command of the program's pack when the credentials have expired, unless it is interactive
    #[arg(long, help_heading = "Retries and pages")]
    allow_refresh: bool,

    /// Cache answers that have an etag in this directory
    #[arg(long, value_name = "DIR", help_heading = "Retries and pages")]
    cache: Option<PathBuf>,

    /// Follow redirects from these programs
    #[arg(long, value_name = "WHOSE", default_value = "same-program", help_heading = "Trust")]
    redirects: Whose,

    /// Follow at most this many redirects
    #[arg(long, value_name = "N", default_value_t = Policy::default().hops, help_heading = "Trust")]
    max_hops: usize,

    /// Reject redirects and fixes that add this argument
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "Trust")]
    deny_arg: Vec<String>,

    /// Run the commands that errors state as their fix
    #[arg(long, help_heading = "Trust")]
    allow_fixes: bool,

    /// Remember permanent redirects in this file
    #[arg(long, value_name = "FILE", help_heading = "Trust")]
    redirect_store: Option<PathBuf>,

    /// Do not remember redirects, and ignore remembered ones
    #[arg(long, conflicts_with = "redirect_store", help_heading = "Trust")]
    no_redirect_store: bool,

    /// Read stdin from this file, or `-` to inherit it [default: inherited without --json, else empty]
    #[arg(long, value_name = "FILE", help_heading = "Input and environment")]
    stdin: Option<PathBuf>,

    /// Set an environment in which programs do not prompt, page, colour or open windows
    #[arg(long, help_heading = "Input and environment")]
    non_interactive: bool,

    /// Parse the answer as this dialect; `none` treats all output as plain output
    #[arg(long, value_name = "DIALECT", value_parser = dialect_or_none(), help_heading = "Input and environment")]
    dialect: Option<DialectChoice>,

    /// Write the answer in this dialect, with its stream and exit codes
    #[arg(long, value_name = "DIALECT", value_parser = known_dialect(), help_heading = "Output")]
    to: Option<&'static dyn Dialect>,

    /// Show what would be run, and run nothing
    #[arg(long, help_heading = "Output")]
    dry_run: bool,

    /// Explain each decision on stderr as it is made
    #[arg(long, help_heading = "Output")]
    explain: bool,

    /// Include every attempt and decision in meta.run.trace
    #[arg(long, help_heading = "Output")]
    trace: bool,

    /// Write each attempt as a recorded run to this directory
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    record: Option<PathBuf>,

    /// Append one line for the call to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    log: Option<PathBuf>,

    /// Append a line of OpenTelemetry spans (OTLP as JSON) to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    otlp: Option<PathBuf>,
}

/// Whose redirects are followed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Whose {
    /// Ask on the terminal
    Ask,
    /// Follow none
    Never,
    /// Follow those that name the same program
    SameProgram,
    /// Follow all
    Any,
}

/// The command with nothing but a program. To build and default all options takes about a quarter of the
/// instructions of a short call.
pub(crate) fn plain_command() -> clap::Command {
    let command = clap::Arg::new("command")
        .required(true)
        .num_args(1..)
        .action(clap::ArgAction::Append)
        .trailing_var_arg(true)
        .value_name("COMMAND")
        .value_parser(clap::value_parser!(OsString));
    clap::Command::new("run").arg(command)
}

pub(crate) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, CliError> {
    reset_sigchld();
    known::install(None)?;
    let invocation = arguments.invocation();
    let mut policy = arguments.policy(call)?;
    if let Some(program) = config::load()?.program(&arguments.command[0].to_string_lossy()) {
        program.apply(&mut policy);
    }
    let begin = Instant::now();
    let asks = |file: &&PathBuf| file.as_os_str() == "ask" && arguments.dry_run;
    if let Some(file) = arguments.manifest.as_ref().filter(|file| !asks(file)) {
        policy.idempotent |= is_safe(file, &arguments.command, &policy)?;
    }
    if arguments.dry_run {
        return Ok(Answer::Plan(plan(&invocation, &policy)));
    }
    // The question is part of the call.
    policy.deadline = policy.deadline.map(|whole| whole.saturating_sub(begin.elapsed()));
    if !call.mode().is_json() && arguments.to.is_none() {
        arguments.pass_through(invocation, policy, call);
    }
    let outcome = settle(&invocation, &policy);
    let detail = if arguments.trace { Detail::Steps } else { Detail::Summary };
    let outcome = Box::new(Outcome { envelope: outcome.with_summary(detail), ..outcome });
    let to = arguments.to.map(|dialect| dialect as &'static dyn DialectWriter);
    Ok(Answer::Outcome { outcome, to, signal: call.polled_cancellation()() })
}

impl Arguments {
    /// What [`plain_command`] parsed; every option has its default.
    pub(crate) fn plain(matches: &clap::ArgMatches) -> Arguments {
        let defaults = Policy::default();
        Arguments {
            command: matches.get_many("command").into_iter().flatten().cloned().collect(),
            timeout: None,
            deadline: None,
            grace: Duration::from_millis(1500),
            linger: Duration::from_secs(1),
            max_output: defaults.max_output,
            retries: defaults.retries,
            max_attempts: defaults.max_attempts,
            max_wait: Duration::from_secs(120),
            idempotent: false,
            manifest: None,
            max_pages: defaults.max_pages,
            cursor_flag: "--cursor".to_owned(),
            refresh_with: None,
            allow_refresh: false,
            cache: None,
            redirects: Whose::SameProgram,
            max_hops: defaults.hops,
            deny_arg: Vec::new(),
            allow_fixes: false,
            redirect_store: None,
            no_redirect_store: false,
            stdin: None,
            non_interactive: false,
            dialect: None,
            to: None,
            dry_run: false,
            explain: false,
            trace: false,
            record: None,
            log: None,
            otlp: None,
        }
    }

    /// Makes the call as if nothing stood between the caller and the program, and ends as it ended.
    fn pass_through(&self, call: Invocation, policy: Policy, boundary: &Call) -> ! {
        let passthrough = Passthrough::begin();
        let stdin = if self.stdin.is_some() { None } else { Some(Input::inherited()) };
        let call = Passthrough::invocation(call, stdin);
        let observer = match () {
            () if self.explain => policy.observer,
            // What the program shows is its own; only a pause has to be explained.
            () if boundary.shows_progress() => Observer::new(trace::pause),
            () => Observer::default(),
        };
        let delivery = Some(Passthrough::delivery());
        let policy = Policy { delivery, observer, ..policy };
        let outcome = settle(&call, &policy);
        passthrough.end(&outcome, boundary.polled_cancellation()())
    }

    fn invocation(&self) -> Invocation {
        let mut words = self.command.iter().cloned();
        let call = Invocation::new(words.next().unwrap_or_default()).args(words);
        let call = call.stdin(match &self.stdin {
            None => Input::Nothing,
            Some(path) if path.as_os_str() == "-" => Input::Ours,
            Some(path) => Input::File(path.clone()),
        });
        if self.non_interactive { call.non_interactive() } else { call }
    }

    /// Whether the caller knows that the program has no envelope.
    fn speaks(&self) -> Speaks {
        match self.dialect {
            Some(DialectChoice(None)) => Speaks::Nothing,
            _ => Speaks::Unknown,
        }
    }

    fn policy(&self, call: &Call) -> Result<Policy, CliError> {
        let refresh = self.refresh_with.as_deref().map(command).transpose()?;
        let trust = match self.redirects {
            Whose::Never => Trust::Never,
            Whose::SameProgram => Trust::SameProgram,
            Whose::Any => Trust::Any,
            // There is no one to ask.
            Whose::Ask if !call.is_interactive() => Trust::Never,
            Whose::Ask => Trust::Ask(Arc::new(trace::agree)),
        };
        let redirect_store = match (&self.redirect_store, self.no_redirect_store) {
            (_, true) => None,
            (Some(path), _) => Some(path.clone()),
            (None, _) => paths::redirects().ok(),
        };
        Ok(Policy {
            attempt_limit: self.timeout,
            deadline: self.deadline,
            grace: self.grace,
            linger: self.linger,
            max_output: self.max_output,
            retries: self.retries,
            max_attempts: self.max_attempts.max(1),
            max_pages: self.max_pages,
            cursor_flag: self.cursor_flag.clone(),
            idempotent: self.idempotent,
            max_wait: self.max_wait,
            packs: PackLookup::new(Packs::from_environment()?),
            speaks: self.speaks(),
            trust,
            hops: self.max_hops,
            denied_args: self.deny_arg.clone(),
            fixes: self.allow_fixes,
            refresh,
            refresh_from_packs: self.allow_refresh,
            dialect: self.dialect.and_then(|choice| choice.0),
            redirect_store,
            cache: self.cache.clone(),
            record: self.record.clone(),
            log: self.log.clone(),
            spans: self.otlp.clone(),
            cancel: Cancel::when(call.polled_cancellation()),
            observer: match () {
                () if self.explain => Observer::new(trace::explain),
                () if call.shows_progress() => Observer::new(trace::progress),
                () => Observer::default(),
            },
            ..Policy::default()
        })
    }
}

/// The words of a command that the caller wrote as one.
fn command(text: &str) -> Result<Invocation, CliError> {
    let words = shlex::split(text).unwrap_or_default();
    let mut words = words.into_iter();
    let program = words.next().ok_or_else(|| CliError::InvalidValue {
        message: format!("{text:?} is not a command"),
        suggestion: "write it as in a shell; quotes must be closed".to_owned(),
    })?;
    Ok(Invocation::new(program).args(words))
}

/// What came of a call, or what would be called.
pub(crate) enum Answer {
    Outcome {
        outcome: Box<Outcome>,
        to: Option<&'static dyn DialectWriter>,
        /// What ended the call from outside, if something did.
        signal: Option<i32>,
    },
    Plan(Plan),
}

impl Reply for Answer {
    fn kind(&self) -> &'static str {
        "run"
    }

    fn data(&self, _: Shape) -> Result<Raw, SerializeError> {
        match self {
            Answer::Outcome { outcome, .. } => {
                Ok(outcome.envelope.content().data.clone().unwrap_or_else(Raw::null))
            }
            Answer::Plan(plan) => Raw::from_serialize(plan),
        }
    }

    fn show(&self, screen: &mut Screen) {
        match self {
            Answer::Outcome { outcome, .. } => show(outcome, screen),
            Answer::Plan(plan) => {
                screen.field("call", trace::line(&plan.argv));
                screen.field("because", trace::cause(&plan.cause));
                for limit in &plan.limits {
                    screen.field("limit", limit);
                }
                for rule in &plan.rules {
                    screen.field("rule", rule);
                }
            }
        }
    }

    fn relays() -> bool {
        true
    }

    fn relayed(&self) -> Option<Relayed<'_>> {
        match self {
            Answer::Outcome { outcome, to, signal } => {
                Some(Relayed { envelope: &outcome.envelope, dialect: *to, signal: *signal })
            }
            Answer::Plan(_) => None,
        }
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind { name: "run", schema: |_| json_schema!(true), has_legacy: false });
    }
}

/// The data alone, so that it can be piped on; the outcome is in the exit code, and in --explain.
fn show(outcome: &Outcome, screen: &mut Screen) {
    let Some(data) = &outcome.envelope.content().data else { return };
    if let Some(text) = trace::plain_stdout(outcome, data) {
        return screen.verbatim(&text);
    }
    let style = Style { layout: Layout::Pretty, ascii: false };
    screen.line(String::from_utf8_lossy(&Writer::new(style).value(data)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_options_is_parsed_as_among_all_options() {
        let whole = Arguments::augment_args(clap::Command::new("run"));
        for words in [
            "true",
            "-- true",
            "git log --json -n 5 -- x",
            "-- -x --json",
            "a -- -- b",
            "a --timeout 5s",
        ] {
            let words = || std::iter::once("run").chain(words.split(' '));
            let plain = plain_command().try_get_matches_from(words()).expect("a program");
            let matches = whole.clone().try_get_matches_from(words()).expect("a program");
            let parsed = <Arguments as clap::FromArgMatches>::from_arg_matches(&matches);
            let parsed = parsed.expect("arguments");
            assert_eq!(format!("{:?}", Arguments::plain(&plain)), format!("{parsed:?}"));
        }
    }
}
