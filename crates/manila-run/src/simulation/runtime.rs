//! The simulated runtime, on which scripts are played, and every attempt that was made on it.

use crate::attempt::{Delivered, Execution, Limits, millis};
use crate::deliver::Pending;
use crate::event::Cause;
use crate::invocation::Invocation;
use crate::outcome::{Outcome, Step};
use crate::policy::Policy;
use crate::settle::{Runtime, settle};
use crate::spawn_error::SpawnError;
use crate::usage::{Cut, Stopped, Usage};
use manila::{Envelope, Exit, Options, Phase, Status, Stream, Transcript, open};
use std::io;
use std::ops::ControlFlow;
use std::time::{Duration, SystemTime};

/// The program that every call names.
pub(super) const TOOL: &str = "/opt/tool";
/// The program that renews credentials.
pub(super) const RENEW: &str = "renew";
/// The first word of every fix that a script states.
pub(super) const REPAIR: &str = "repair";

/// More attempts than any policy of a test allows.
const ENDLESS: usize = 1_000;

/// What an answer says of its own outcome, known from how it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// An envelope and the status say success.
    Success,
    /// An envelope and the status say success, but not whether the data are whole.
    Vague,
    /// The status says success, and there is no envelope.
    Silent,
    /// It failed, contradicts itself, or cannot be made sense of.
    Otherwise,
}

/// How a run comes to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    ByItself,
    /// Another process keeps its output open.
    HeldOpen,
    /// It writes more than is kept.
    Flood,
    /// It cannot even be started.
    NotStarted,
}

/// One run of a simulated program. `@N` in what it writes is the number of the run.
#[derive(Clone, Debug)]
pub(super) struct ScriptedAnswer {
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) status: Status,
    pub(super) takes: Duration,
    /// How long it keeps running after it was asked to end.
    pub(super) stubborn: Duration,
    pub(super) ending: Ending,
    pub(super) claim: Claim,
    /// Whether it changed anything.
    pub(super) effects: bool,
}

impl ScriptedAnswer {
    /// A run that writes this and ends with this number.
    pub(super) fn new(stdout: impl Into<String>, status: i32, claim: Claim) -> ScriptedAnswer {
        ScriptedAnswer {
            stdout: stdout.into(),
            stderr: String::new(),
            status: Status::Exited(status),
            takes: Duration::from_millis(10),
            stubborn: Duration::ZERO,
            ending: Ending::ByItself,
            claim,
            effects: true,
        }
    }

    /// A run that writes this envelope as a dialect does.
    pub(super) fn written(
        envelope: &Envelope,
        dialect: &dyn manila::DialectWriter,
    ) -> ScriptedAnswer {
        let written = manila::write(envelope, dialect, &manila::Defaults::default());
        let text = String::from_utf8(written.document).unwrap();
        let claim = if envelope.ok() { Claim::Success } else { Claim::Otherwise };
        let answer = ScriptedAnswer::new("", written.status, claim);
        match written.stream {
            Stream::Stdout => ScriptedAnswer { stdout: text, ..answer },
            Stream::Stderr => ScriptedAnswer { stderr: text, ..answer },
        }
    }

    /// Whether the contract promises that this run did nothing, so that the call may be made again.
    /// It is written from the contract and does not ask the decision table.
    pub(super) fn promises_no_effects(&self) -> bool {
        let Status::Exited(number) = self.status else { return false };
        match self.ending {
            Ending::NotStarted => return true,
            Ending::Flood => return false,
            Ending::ByItself | Ending::HeldOpen => {}
        }
        let Ok(opened) = open(&self.transcript(&[]), &Options::default()) else { return false };
        let Some(error) = opened.envelope.error() else {
            return number == 0 && opened.envelope.meta().not_modified;
        };
        if number == 0 || number == 101 || number == 124 || number >= 128 {
            return false;
        }
        if error.phase == Some(Phase::Validation) {
            return true;
        }
        match opened.envelope.exit() {
            Exit::Success | Exit::PartialFailure | Exit::Timeout => false,
            // Only the newer contracts say that nothing is done when something is away.
            Exit::Unavailable if opened.detection.dialect.id().starts_with("response-env") => true,
            Exit::General | Exit::Unavailable => error.retryable == Some(true),
            _ => true,
        }
    }

    fn transcript(&self, argv: &[String]) -> Transcript {
        Transcript {
            argv: argv.to_vec(),
            stdout: self.stdout.clone().into_bytes(),
            stderr: self.stderr.clone().into_bytes(),
            status: self.status,
            duration_ms: None,
        }
    }
}

/// One attempt as the runtime saw it.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) argv: Vec<String>,
    pub(super) began: Duration,
    /// What was played.
    pub(super) answer: ScriptedAnswer,
    /// How it was ended, if it did not end by itself.
    pub(super) stopped: Option<Stopped>,
}

impl Attempt {
    /// Whether it ran to its own end, and promises that it did nothing.
    pub(super) fn promises_no_effects(&self) -> bool {
        matches!(self.stopped, None | Some(Stopped::HeldOpen)) && self.answer.promises_no_effects()
    }
}

/// Whether a step is not the call itself, but something that makes it work.
pub(super) fn is_aside(step: &Step) -> bool {
    matches!(step.cause, Cause::Fix | Cause::Refresh)
}

/// What is played. The last answer of each script repeats without end.
#[derive(Clone, Debug, Default)]
pub(super) struct Script {
    pub(super) calls: Vec<ScriptedAnswer>,
    pub(super) renewals: Vec<ScriptedAnswer>,
    pub(super) repairs: Vec<ScriptedAnswer>,
    pub(super) jitter: Vec<f64>,
    /// When the caller ends the call.
    pub(super) cancelled_at: Option<Duration>,
}

impl Script {
    pub(super) fn of(calls: impl IntoIterator<Item = ScriptedAnswer>) -> Script {
        Script { calls: calls.into_iter().collect(), ..Script::default() }
    }
}

/// The runtime, and what was attempted on it.
#[derive(Debug)]
pub(super) struct SimulatedRuntime {
    script: Script,
    now: Duration,
    pub(super) attempts: Vec<Attempt>,
    pub(super) waits: Vec<Duration>,
    drawn: usize,
}

impl SimulatedRuntime {
    /// Plays a script to its end.
    pub(super) fn play(
        script: &Script,
        call: &Invocation,
        policy: &Policy,
    ) -> (Outcome, SimulatedRuntime) {
        let script = script.clone();
        let mut runtime = SimulatedRuntime {
            script,
            now: Duration::ZERO,
            attempts: Vec::new(),
            waits: Vec::new(),
            drawn: 0,
        };
        let outcome = settle(call, policy, &mut runtime);
        (outcome, runtime)
    }

    /// When it was over.
    pub(super) fn ended(&self) -> Duration {
        self.now
    }

    /// What was called, as lines.
    pub(super) fn lines(&self) -> Vec<String> {
        self.attempts.iter().map(|attempt| attempt.argv.join(" ")).collect()
    }

    /// The attempts of the call itself, each with its step in the trace.
    pub(super) fn calls<'w>(&'w self, outcome: &'w Outcome) -> Vec<(&'w Attempt, &'w Step)> {
        let all = self.attempts.iter().zip(&outcome.trace.steps);
        all.filter(|(_, step)| !is_aside(step)).collect()
    }

    fn next(&self, argv: &[String]) -> ScriptedAnswer {
        let scripts = match (argv[0].as_str(), argv.get(1).map(String::as_str)) {
            (RENEW, _) => &self.script.renewals,
            (_, Some(REPAIR)) => &self.script.repairs,
            _ => &self.script.calls,
        };
        let kind = |argv: &[String]| (argv[0] == RENEW, argv.get(1).is_some_and(|it| it == REPAIR));
        let played =
            self.attempts.iter().filter(|attempt| kind(&attempt.argv) == kind(argv)).count();
        let mut answer = scripts.get(played).or(scripts.last()).unwrap().clone();
        let number = self.attempts.len().to_string();
        answer.stdout = answer.stdout.replace("@N", &number);
        answer.stderr = answer.stderr.replace("@N", &number);
        answer
    }
}

impl Runtime for SimulatedRuntime {
    fn attempt(&mut self, call: &Invocation, limits: &Limits<'_>) -> Result<Execution, SpawnError> {
        assert!(self.attempts.len() < ENDLESS, "it does not end");
        let argv = call.argv_lossy();
        let answer = self.next(&argv);
        let began = self.now;
        let attempt = Attempt { argv: argv.clone(), began, answer: answer.clone(), stopped: None };
        self.attempts.push(attempt);
        if answer.ending == Ending::NotStarted {
            return Err(SpawnError::of_system(&io::Error::other("no more processes")));
        }
        let limit = limits.time.unwrap_or(Duration::MAX);
        let cancel = self.script.cancelled_at.map(|at| at.saturating_sub(began));
        let cut_at = cancel.unwrap_or(Duration::MAX).min(limit);
        let lingers = answer.ending == Ending::HeldOpen;
        let takes = if lingers { answer.takes + limits.linger } else { answer.takes };
        let (stopped, time) = if takes > cut_at {
            let why = match () {
                () if cut_at < limit => Stopped::Cancelled,
                () if answer.takes <= limit => Stopped::HeldOpen,
                () => Stopped::TimeLimit,
            };
            (Some(why), cut_at + answer.stubborn.min(limits.grace))
        } else {
            (lingers.then_some(Stopped::HeldOpen), takes)
        };
        self.now += time;
        let is_ended = matches!(stopped, Some(Stopped::TimeLimit | Stopped::Cancelled));
        // A program that is asked to end may do so in its own way.
        let status = match (is_ended, answer.stubborn.is_zero()) {
            (true, true) => Status::Signaled(15),
            (true, false) if answer.stubborn > limits.grace => Status::Signaled(9),
            _ => answer.status,
        };
        let is_flood = answer.ending == Ending::Flood;
        let cut = is_flood
            .then(|| Cut { stream: Stream::Stdout, why: "only the beginning is kept".to_owned() });
        let usage = Usage {
            status,
            duration_ms: millis(time),
            stdout_bytes: answer.stdout.len() as u64,
            stderr_bytes: answer.stderr.len() as u64,
            cut: cut.into_iter().collect(),
            stopped,
            ..Usage::default()
        };
        let transcript = Transcript { status, ..answer.transcript(&argv) };
        if let Some(attempt) = self.attempts.last_mut() {
            attempt.stopped = stopped;
            attempt.answer.status = status;
            // How far it got is not known.
            attempt.answer.effects |= is_ended;
        }
        Ok(Execution {
            transcript,
            usage,
            stdout_tail: None,
            stderr_tail: None,
            keep: limits.keep,
            pending: Pending::default(),
            delivered: Delivered::default(),
            overflow: None,
        })
    }

    fn wait(&mut self, time: Duration) -> ControlFlow<()> {
        self.waits.push(time);
        let until = self.now + time;
        self.now = self.script.cancelled_at.map_or(until, |at| until.min(at.max(self.now)));
        if self.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn elapsed(&self) -> Duration {
        self.now
    }

    fn began(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn jitter(&mut self) -> f64 {
        self.drawn += 1;
        let all = &self.script.jitter;
        if all.is_empty() { 0.0 } else { all[self.drawn % all.len()] }
    }

    fn is_cancelled(&self) -> bool {
        self.script.cancelled_at.is_some_and(|at| self.now >= at)
    }
}
