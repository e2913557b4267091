//! Carries out what the decision table says, attempt after attempt, within what the caller allows.

mod act;
mod end;
mod pack;

use crate::answer::{Answered, Source};
use crate::argv;
use crate::attempt::{Execution, Limits, millis};
use crate::cache::CacheEntry;
use crate::capture::Keep;
use crate::code::Code;
use crate::deliver::{Delivery, Hold, Pending};
use crate::event::{Cause, Event};
use crate::invocation::Invocation;
use crate::known::{Known, with_pack_environment};
use crate::outcome::{Outcome, Output, Step, Trace, Verdict};
use crate::page::Pages;
use crate::plan::{Prepared, prepare};
use crate::policy::{Policy, Speaks};
use crate::record::record;
use crate::spawn_error::SpawnError;
use manila::{Action, Answer, Decision, Envelope, History, Options, decide};
use manila_pack::{Paging, mask_argv};
use std::cell::OnceCell;
use std::ffi::OsString;
use std::mem;
use std::ops::ControlFlow;
use std::time::{Duration, SystemTime};

/// Runs programs and lets time pass for a call; tests have one without processes or a clock.
pub(crate) trait Runtime {
    /// Runs a program once.
    fn attempt(&mut self, call: &Invocation, limits: &Limits<'_>) -> Result<Execution, SpawnError>;
    /// Lets time pass, unless the call is to end.
    fn wait(&mut self, time: Duration) -> ControlFlow<()>;
    /// How much time has passed since the call began.
    fn elapsed(&self) -> Duration;
    /// What the clock showed when the call began.
    fn began(&self) -> SystemTime;
    /// A number from 0 to 1.
    fn jitter(&mut self) -> f64;
    /// Whether the call is to end.
    fn is_cancelled(&self) -> bool;
}

/// Makes a call, and whatever further calls its answers ask for.
pub(crate) fn settle(call: &Invocation, policy: &Policy, runtime: &mut impl Runtime) -> Outcome {
    let Prepared { call, cause, cached, warnings } = prepare(call, policy);
    // Without anything between, the caller sees what the program shows, in the caller's own language.
    let call = if policy.delivery.is_none() { with_pack_environment(call, policy) } else { call };
    let mut settling = Settling {
        policy,
        runtime,
        call,
        cause,
        cursor: None,
        cached,
        history: History::default(),
        tries: 0,
        pages: Pages::default(),
        warnings: Vec::new(),
        trace: Trace::default(),
        output: Output::default(),
        pending: Pending::default(),
        known: OnceCell::new(),
        paging: None,
        last: None,
    };
    for warning in warnings {
        settling.warn(warning);
    }
    let envelope = loop {
        if let ControlFlow::Break(envelope) = settling.step() {
            break envelope;
        }
    };
    settling.finish(envelope)
}

struct Settling<'s, S> {
    policy: &'s Policy,
    runtime: &'s mut S,
    /// What is called now, without what is added for a page or a cached answer.
    call: Invocation,
    /// Why the next attempt is made.
    cause: Cause,
    cursor: Option<String>,
    /// The cached answer whose version the call names.
    cached: Option<CacheEntry>,
    history: History,
    /// The attempts since the last page.
    tries: usize,
    pages: Pages,
    warnings: Vec<String>,
    trace: Trace,
    /// What the program wrote in the last attempt.
    output: Output,
    /// What of it is not handed on yet.
    pending: Pending,
    /// What is known about the call, read when it is first needed.
    known: OnceCell<Known>,
    /// How the pack of the program pages, once an answer has shown that there is more.
    paging: Option<Paging>,
    /// The answer of the attempt before a retry.
    last: Option<Answered>,
}

/// Another attempt, or the end.
type Next = ControlFlow<Envelope>;

const AGAIN: Next = ControlFlow::Continue(());

impl<S: Runtime> Settling<'_, S> {
    /// One attempt, and what follows from it.
    fn step(&mut self) -> Next {
        if let Some((code, message)) = self.obstacle() {
            // Why the last attempt failed says more than that there is no other.
            if let Some(last) = self.last.take().filter(|_| code != Code::Cancelled) {
                self.warn(message);
                return self.end(last);
            }
            return self.stop(Envelope::failure(code.exit(), code.failure(message)));
        }
        self.tries += 1;
        let call = self.call.with_argv(self.argv());
        let cause = mem::replace(&mut self.cause, Cause::Again);
        let (answered, decision) = self.attempt(&call, cause, Decide::ByTable);
        self.act(answered, decision)
    }

    /// Why another attempt is impossible.
    fn obstacle(&self) -> Option<(Code, String)> {
        if self.runtime.is_cancelled() {
            return Some((Code::Cancelled, "the call was cancelled".to_owned()));
        }
        if let Some(message) = self.attempts_spent() {
            return Some((Code::TooManyAttempts, message));
        }
        let is_over = self.remaining().is_some_and(|left| left.is_zero());
        is_over.then(|| (Code::Deadline, "the deadline of the call has passed".to_owned()))
    }

    /// The warning that no attempt is left.
    fn attempts_spent(&self) -> Option<String> {
        let limit = self.policy.max_attempts;
        (self.tries >= limit).then(|| format!("no attempt is left: the limit is {limit}"))
    }

    /// What is called, with what a page or a cached answer needs.
    fn argv(&self) -> Vec<OsString> {
        let mut argv = self.call.argv.clone();
        if let Some(cursor) = &self.cursor {
            let flag = self.paging.as_ref().map_or(&self.policy.cursor_flag, |paging| &paging.flag);
            argv = argv::with_option(argv, flag, cursor);
        } else if let Some(cached) = &self.cached {
            argv = argv::with_option(argv, "--etag", &cached.etag);
        }
        argv
    }

    fn may_be_repeated(&self) -> bool {
        may_be_repeated(self.policy, || self.known())
    }

    fn known(&self) -> &Known {
        known(&self.known, &self.call, self.policy)
    }

    fn remaining(&self) -> Option<Duration> {
        Some(self.policy.deadline?.saturating_sub(self.runtime.elapsed()))
    }

    /// Runs something once, decides about it and adds it to the trace.
    fn attempt(&mut self, call: &Invocation, cause: Cause, how: Decide) -> (Answered, Decision) {
        let argv = mask_argv(&call.argv_lossy(), None);
        let at_ms = millis(self.runtime.elapsed());
        let number = self.trace.steps.len() + 1;
        self.notify(&Event::Attempt { number, argv: &argv, cause: &cause });
        let (policy, cell, whole) = (self.policy, &self.known, &self.call);
        let hold = || {
            let may_be_repeated = may_be_repeated(policy, || known(cell, whole, policy));
            if may_be_repeated { Hold::UntilSettled } else { Hold::WhileDocument }
        };
        let time = [self.policy.attempt_limit, self.remaining()].into_iter().flatten().min();
        let limits = Limits {
            time,
            grace: self.policy.grace,
            linger: self.policy.linger,
            output: self.policy.max_output,
            keep: self.keep(how),
            delivery: self.delivery(how).map(|delivery| (delivery, &hold as &dyn Fn() -> Hold)),
        };
        let mut execution = self.runtime.attempt(call, &limits);
        if let (Ok(execution), Some(dir)) = (&execution, &self.policy.record)
            && let Err(error) =
                record(dir, execution, self.runtime.began() + self.runtime.elapsed())
        {
            self.warn(format!("cannot record the run in {}: {error}", dir.display()));
        }
        let answered = match &mut execution {
            Ok(execution) => {
                let answered = self.answered(execution, time, how);
                if how == Decide::ByTable {
                    self.with_pack(answered, &call.argv_lossy())
                } else {
                    answered
                }
            }
            Err(spawn_error) => Answered::failed(spawn_error.exit(), spawn_error.failure()),
        };
        let decision = self.decide(execution.as_ref().ok(), &answered, how);
        let dialect = answered.opened().map(|opened| opened.detection.dialect.id());
        let code = answered.envelope.error().map(|error| error.code.clone());
        let exit = answered.envelope.exit();
        let mut execution = execution.ok();
        let usage = execution.as_ref().map(|execution| execution.usage.clone());
        if how == Decide::ByTable {
            let pending = execution.as_mut().map(|execution| mem::take(&mut execution.pending));
            self.pending = pending.unwrap_or_default();
            self.output = execution.map(Output::from).unwrap_or_default();
        }
        if let Some(usage) = &usage {
            self.notify(&Event::Answered { usage, dialect, exit, code: code.as_deref() });
        }
        self.notify(&Event::Decided(&decision));
        let verdict = Verdict::from(decision.clone());
        self.trace.steps.push(Step {
            argv,
            at_ms,
            cause,
            usage,
            dialect,
            exit,
            code,
            decision: verdict,
        });
        self.trace.dialect = dialect;
        self.trace.kind.clone_from(&answered.envelope.content().kind);
        (answered, decision)
    }

    fn answered(
        &self,
        execution: &mut Execution,
        limit: Option<Duration>,
        how: Decide,
    ) -> Answered {
        let speaks = match (self.policy.dialect, self.policy.speaks) {
            (Some(_), Speaks::Unknown) => Speaks::Dialect,
            (_, speaks) => speaks,
        };
        let aside;
        let known = match how {
            Decide::ByTable => self.known(),
            Decide::Alone => {
                aside = Known::about(&execution.transcript.argv, self.policy);
                &aside
            }
        };
        if let Some(reading) = self.policy.classifier.read(&execution.transcript) {
            return Answered::read(execution, reading);
        }
        let answered = Answered::of(
            execution,
            limit,
            &self.options(),
            speaks,
            known,
            self.policy.packs.lookup(),
        );
        let code = execution.usage.status.code();
        if !answered.envelope.ok() && code.is_some_and(|code| self.policy.accept.contains(&code)) {
            return answered.accepted(execution);
        }
        answered
    }

    /// Where the bytes of an attempt go while it runs; those of a step aside go nowhere.
    fn delivery(&self, how: Decide) -> Option<Delivery> {
        self.policy.delivery.clone().filter(|_| how == Decide::ByTable)
    }

    /// What goes to a sink as it is need not be data too, unless something else reads it.
    fn keep(&self, how: Decide) -> Keep {
        let is_read = self.policy.record.is_some()
            || self.policy.log.is_some()
            || self.policy.classifier.is_some();
        match self.delivery(how) {
            Some(_) if !is_read => Keep::Ends,
            _ => Keep::All,
        }
    }

    fn options(&self) -> Options {
        let mut options = Options { dialect: self.policy.dialect, ..Options::default() };
        let most = usize::try_from(self.policy.max_output).unwrap_or(usize::MAX);
        options.limits.bytes = options.limits.bytes.max(most);
        options
    }

    fn decide(
        &mut self,
        execution: Option<&Execution>,
        answered: &Answered,
        how: Decide,
    ) -> Decision {
        let policy = manila::Policy {
            retries: self.policy.retries,
            hops: self.policy.hops,
            jitter: self.runtime.jitter(),
            remaining_ms: self.remaining().map(millis),
            idempotent: self.may_be_repeated(),
            // What was cached is an answer to the whole call, never a page.
            cached: self.cached.is_some() && self.cursor.is_none(),
            fixes: self.policy.fixes && how == Decide::ByTable,
            refresh: how == Decide::ByTable && self.renewal(&answered.envelope).is_some(),
            redirects: match how {
                Decide::ByTable => self.policy.trust.redirects(),
                Decide::Alone => manila::Redirects::Never,
            },
        };
        let from_envelope = |status| Answer::from_envelope(&answered.envelope, status);
        let answer = match (execution, &answered.source) {
            (Some(execution), Source::Envelope(opened)) => {
                Answer::new(&execution.transcript, Ok(opened))
            }
            (Some(execution), Source::Unopened(why)) => {
                Answer::new(&execution.transcript, Err(why))
            }
            // After an envelope with a cursor, text is not a further page.
            (Some(execution), Source::Reading(_))
                if self.cursor.is_some() && self.paging.is_none() =>
            {
                Answer { envelope: None, ..from_envelope(execution.usage.status) }
            }
            // The status of a program that was ended means nothing: 0 says only that it received
            // the signal.
            (Some(execution), Source::Ours)
                if execution.usage.status != manila::Status::Exited(0) =>
            {
                from_envelope(execution.usage.status)
            }
            _ => from_envelope(manila::Status::Unknown),
        };
        let decision = match (execution, &answered.source) {
            (Some(execution), Source::Reading(reading)) if answer.envelope.is_some() => {
                let status = execution.usage.status;
                reading.decide(&answered.envelope, status, &self.history, &policy)
            }
            _ => decide(&answer, &self.history, &policy),
        };
        match how {
            Decide::ByTable => decision,
            // It is made once, whatever else the table would do about it.
            Decide::Alone if answered.envelope.ok() => {
                Decision { action: Action::Accept, ..decision }
            }
            Decide::Alone => Decision { action: Action::GiveUp, ..decision },
        }
    }

    /// Something that the caller should see in the answer.
    fn warn(&mut self, text: String) {
        self.notify(&Event::Noted(&text));
        self.warnings.push(text);
    }

    fn notify(&self, event: &Event<'_>) {
        self.policy.observer.notify(event);
    }
}

/// What is known about a call, read when it is first asked for.
fn known<'k>(cell: &'k OnceCell<Known>, call: &Invocation, policy: &Policy) -> &'k Known {
    cell.get_or_init(|| Known::about(&call.argv_lossy(), policy))
}

/// Whether a call may be made twice: the caller says so, or it is known to change nothing more.
fn may_be_repeated<'k>(policy: &Policy, known: impl FnOnce() -> &'k Known) -> bool {
    policy.idempotent || known().effect.is_repeatable()
}

/// Whether what is decided about an attempt is also done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decide {
    /// It is.
    ByTable,
    /// It is a step aside, made once.
    Alone,
}
