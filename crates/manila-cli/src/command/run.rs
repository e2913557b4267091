//! `manila run`: run any program, do what its answer asks for, and hand on one envelope.

use crate::cli::examples;
use crate::config;
use crate::input::{DialectChoice, dialect_or_none, known_dialect};
use crate::manifest::is_safe;
use crate::passthrough::Passthrough;
use crate::place;
use crate::refusal::Refusal;
use crate::trace;
use clap::{Args, ValueEnum};
use manila::json::{Layout, Raw, Style, Writer};
use manila::{Dialect, Spoken};
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
    ("manila run -- td ls", "call a program and get its data"),
    ("manila run --timeout 30s --deadline 5m --json -- deploy status", "with limits, for programs"),
    ("manila run --explain --idempotent -- mytool sync", "see each decision while it goes"),
];

pub(crate) const FAILS: &[&str] = &["INVALID_VALUE", "NO_PLACE"];

#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct Arguments {
    /// The program and its arguments; no shell sees them
    #[arg(required = true, trailing_var_arg = true, value_name = "COMMAND")]
    command: Vec<OsString>,

    /// How long one attempt may take, such as 30s
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Limits")]
    timeout: Option<Duration>,

    /// How long the whole call may take, with all attempts and waits
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Limits")]
    deadline: Option<Duration>,

    /// How long a program that is told to end may take to do so
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "1500ms", help_heading = "Limits")]
    grace: Duration,

    /// How long others may hold its output open when the program itself has ended
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "1s", help_heading = "Limits")]
    linger: Duration,

    /// How many bytes of each stream are kept
    #[arg(long, value_name = "BYTES", default_value_t = Policy::default().max_output, help_heading = "Limits")]
    max_output: u64,

    /// How often to retry on one error code
    #[arg(long, value_name = "N", default_value_t = Policy::default().retries, help_heading = "Retries and pages")]
    retries: usize,

    /// How many attempts there may be in all, for each page
    #[arg(long, value_name = "N", default_value_t = Policy::default().max_attempts, help_heading = "Retries and pages")]
    max_attempts: usize,

    /// The longest wait before another attempt; a longer one is handed back in meta.run.next
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "2m", help_heading = "Retries and pages")]
    max_wait: Duration,

    /// The call may be made twice without harm
    #[arg(long, help_heading = "Retries and pages")]
    idempotent: bool,

    /// What the program says of itself: a file, or `ask` to call it with --manifest; a command that
    /// it calls safe may be made twice
    #[arg(long, value_name = "FILE", help_heading = "Retries and pages")]
    manifest: Option<PathBuf>,

    /// How many pages are fetched
    #[arg(long, value_name = "N", default_value_t = Policy::default().max_pages, help_heading = "Retries and pages")]
    max_pages: usize,

    /// The argument that asks for the page at a cursor
    #[arg(
        long,
        value_name = "FLAG",
        default_value = "--cursor",
        allow_hyphen_values = true,
        help_heading = "Retries and pages"
    )]
    cursor_flag: String,

    /// A command that renews the credentials, run without a shell
    #[arg(long, value_name = "COMMAND", help_heading = "Retries and pages")]
    refresh_with: Option<String>,

    /// Keep answers that may still hold in this folder
    #[arg(long, value_name = "DIR", help_heading = "Retries and pages")]
    cache: Option<PathBuf>,

    /// Whose redirects are followed
    #[arg(long, value_name = "WHOSE", default_value = "same-program", help_heading = "Trust")]
    redirects: Whose,

    /// How many redirects are followed
    #[arg(long, value_name = "N", default_value_t = Policy::default().hops, help_heading = "Trust")]
    max_hops: usize,

    /// Reject redirects and fixes that add this argument
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "Trust")]
    deny_arg: Vec<String>,

    /// Commands that errors state as fixes may be run
    #[arg(long, help_heading = "Trust")]
    allow_fixes: bool,

    /// Where permanent redirects are remembered
    #[arg(long, value_name = "FILE", help_heading = "Trust")]
    redirect_store: Option<PathBuf>,

    /// Remember no redirects, and follow none that are remembered
    #[arg(long, conflicts_with = "redirect_store", help_heading = "Trust")]
    no_redirect_store: bool,

    /// What it reads: nothing, unless this is a file, or - for our own input
    #[arg(long, value_name = "FILE", help_heading = "Surroundings")]
    stdin: Option<PathBuf>,

    /// Keep it from asking, paging, colouring and opening windows
    #[arg(long, help_heading = "Surroundings")]
    non_interactive: bool,

    /// The dialect of its answer, if you know it; `none` for a program that has no envelope
    #[arg(long, value_name = "ID", value_parser = dialect_or_none(), help_heading = "Surroundings")]
    dialect: Option<DialectChoice>,

    /// Answer in this dialect, with its streams and exit numbers
    #[arg(long, value_name = "ID", value_parser = known_dialect(), help_heading = "What is told")]
    to: Option<&'static dyn Dialect>,

    /// Show what would be called, and call nothing
    #[arg(long, help_heading = "What is told")]
    dry_run: bool,

    /// Tell each decision and its reason on standard error while it goes
    #[arg(long, help_heading = "What is told")]
    explain: bool,

    /// Answer with every attempt and every decision, in meta.run.trace
    #[arg(long, help_heading = "What is told")]
    trace: bool,

    /// Leave each attempt as a recorded run in this folder
    #[arg(long, value_name = "DIR", help_heading = "What is told")]
    record: Option<PathBuf>,

    /// Add one line for the call to this file
    #[arg(long, value_name = "FILE", help_heading = "What is told")]
    log: Option<PathBuf>,

    /// Add a line of OpenTelemetry spans (OTLP in JSON) for the call to this file
    #[arg(long, value_name = "FILE", help_heading = "What is told")]
    otlp: Option<PathBuf>,
}

/// Whose redirects are followed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Whose {
    /// Whoever is at the terminal is asked
    Ask,
    Never,
    SameProgram,
    Any,
}

fn time(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| "not a time such as 500ms, 30s or 5m".to_owned())
}

pub(crate) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, Refusal> {
    reset_sigchld();
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
    let to = arguments.to.map(|dialect| dialect as &'static dyn Spoken);
    Ok(Answer::Outcome { outcome, to, signal: call.cancellation()() })
}

impl Arguments {
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
        passthrough.end(&outcome, boundary.cancellation()())
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

    fn policy(&self, call: &Call) -> Result<Policy, Refusal> {
        let refresh = self.refresh_with.as_deref().map(command).transpose()?;
        let trust = match self.redirects {
            Whose::Never => Trust::Never,
            Whose::SameProgram => Trust::SameProgram,
            Whose::Any => Trust::Any,
            // Nobody is there to agree.
            Whose::Ask if !call.is_interactive() => Trust::Never,
            Whose::Ask => Trust::Ask(Arc::new(trace::agree)),
        };
        let redirect_store = match (&self.redirect_store, self.no_redirect_store) {
            (_, true) => None,
            (Some(path), _) => Some(path.clone()),
            (None, _) => place::redirects().ok(),
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
            dialect: self.dialect.and_then(|choice| choice.0),
            redirect_store,
            cache: self.cache.clone(),
            record: self.record.clone(),
            log: self.log.clone(),
            spans: self.otlp.clone(),
            cancel: Cancel::when(call.cancellation()),
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
fn command(text: &str) -> Result<Invocation, Refusal> {
    let words = shlex::split(text).unwrap_or_default();
    let mut words = words.into_iter();
    let program = words.next().ok_or_else(|| Refusal::InvalidValue {
        message: format!("{text:?} is no command"),
        suggestion: "write it as in a shell; quotes must be closed".to_owned(),
    })?;
    Ok(Invocation::new(program).args(words))
}

/// What came of a call, or what would be called.
pub(crate) enum Answer {
    Outcome {
        outcome: Box<Outcome>,
        to: Option<&'static dyn Spoken>,
        /// What ended the call from outside, if something did.
        signal: Option<i32>,
    },
    Plan(Plan),
}

impl Reply for Answer {
    fn kind(&self) -> &'static str {
        "run"
    }

    fn data(&self, _: Shape) -> serde_json::Result<Raw> {
        match self {
            Answer::Outcome { outcome, .. } => {
                Ok(outcome.envelope.content().data.clone().unwrap_or_else(Raw::null))
            }
            Answer::Plan(plan) => Raw::of(plan),
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

/// The data alone, so that they can be piped on; how it went is told by the status, and by --explain.
fn show(outcome: &Outcome, screen: &mut Screen) {
    let Some(data) = &outcome.envelope.content().data else { return };
    if let Some(words) = trace::words_of(outcome, data) {
        return screen.verbatim(&words);
    }
    let style = Style { layout: Layout::Pretty, ascii: false };
    screen.line(String::from_utf8_lossy(&Writer::new(style).value(data)));
}
