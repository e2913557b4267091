//! Carries out what the decision table says, attempt after attempt, within what the caller allows.

mod act;
mod end;

use crate::answer::Answered;
use crate::attempt::{Limits, Ran, millis};
use crate::cache::Kept;
use crate::code::Code;
use crate::event::{Cause, Event};
use crate::invocation::Invocation;
use crate::outcome::{Outcome, Step, Story, Verdict};
use crate::page::Pages;
use crate::plan::{Prepared, prepare};
use crate::policy::Policy;
use crate::record::record;
use crate::unstarted::Unstarted;
use crate::words;
use manila::{Action, Answer, Decision, Envelope, History, Options, decide};
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::time::{Duration, SystemTime};

/// The world in which a call is made; tests have one of their own, without processes or time.
pub(crate) trait Stage {
    /// Runs a program once.
    fn attempt(&mut self, call: &Invocation, limits: &Limits) -> Result<Ran, Unstarted>;
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
pub(crate) fn settle(call: &Invocation, policy: &Policy, stage: &mut impl Stage) -> Outcome {
    let Prepared { call, cause, kept, warnings } = prepare(call, policy);
    let mut settling = Settling {
        policy,
        stage,
        call,
        cause,
        cursor: None,
        kept,
        history: History::default(),
        tries: 0,
        pages: Pages::default(),
        warnings: Vec::new(),
        story: Story::default(),
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
    stage: &'s mut S,
    /// What is called now, without what is added for a page or a kept answer.
    call: Invocation,
    /// Why the next attempt is made.
    cause: Cause,
    cursor: Option<String>,
    /// The kept answer whose version the call names.
    kept: Option<Kept>,
    history: History,
    /// The attempts since the last page.
    tries: usize,
    pages: Pages,
    warnings: Vec<String>,
    story: Story,
}

/// Another attempt, or the end.
type Next = ControlFlow<Envelope>;

const AGAIN: Next = ControlFlow::Continue(());

impl<S: Stage> Settling<'_, S> {
    /// One attempt, and what follows from it.
    fn step(&mut self) -> Next {
        if let Some((code, message)) = self.obstacle() {
            return self.stop(Envelope::failure(code.exit(), code.failure(message)));
        }
        self.tries += 1;
        let call = self.call.with_argv(self.argv());
        let cause = std::mem::replace(&mut self.cause, Cause::Again);
        let (answered, decision) = self.attempt(&call, cause, Decide::ByTable);
        self.act(answered, decision)
    }

    /// Why there can be no further attempt.
    fn obstacle(&self) -> Option<(Code, String)> {
        if self.stage.is_cancelled() {
            return Some((Code::Cancelled, "the call was ended from outside".to_owned()));
        }
        if self.tries >= self.policy.max_attempts {
            let message = format!("{} attempts are all that the caller allows", self.tries);
            return Some((Code::TooManyAttempts, message));
        }
        let is_over = self.remaining().is_some_and(|left| left.is_zero());
        is_over.then(|| (Code::Deadline, "the deadline of the whole call is over".to_owned()))
    }

    /// What is called, with what a page or a kept answer needs.
    fn argv(&self) -> Vec<OsString> {
        let mut argv = self.call.argv.clone();
        if let Some(cursor) = &self.cursor {
            argv = words::with_option(argv, &self.policy.cursor_flag, cursor);
        } else if let Some(kept) = &self.kept {
            argv = words::with_option(argv, "--etag", &kept.etag);
        }
        argv
    }

    fn remaining(&self) -> Option<Duration> {
        Some(self.policy.deadline?.saturating_sub(self.stage.elapsed()))
    }

    /// Runs something once, decides about it and tells the story.
    fn attempt(&mut self, call: &Invocation, cause: Cause, how: Decide) -> (Answered, Decision) {
        let argv = call.words();
        let at_ms = millis(self.stage.elapsed());
        let number = self.story.steps.len() + 1;
        self.tell(&Event::Attempt { number, argv: &argv, cause: &cause });
        let limits = Limits {
            time: [self.policy.attempt_limit, self.remaining()].into_iter().flatten().min(),
            grace: self.policy.grace,
            linger: self.policy.linger,
            output: self.policy.max_output,
        };
        let mut ran = self.stage.attempt(call, &limits);
        if let (Ok(ran), Some(folder)) = (&ran, &self.policy.record)
            && let Err(error) = record(folder, ran)
        {
            self.warn(format!("nothing is recorded in {}: {error}", folder.display()));
        }
        let answered = match &mut ran {
            Ok(ran) => Answered::of(ran, limits.time, &self.options()),
            Err(unstarted) => Answered::failed(unstarted.exit(), unstarted.failure()),
        };
        let decision = self.decide(ran.as_ref().ok(), &answered, how);
        let dialect = answered.opened.as_ref().map(|opened| opened.detection.dialect.id());
        let code = answered.envelope.error().map(|error| error.code.clone());
        let exit = answered.envelope.exit();
        let usage = ran.ok().map(|ran| ran.usage);
        if let Some(usage) = &usage {
            self.tell(&Event::Answered { usage, dialect, exit, code: code.as_deref() });
        }
        self.tell(&Event::Decided(&decision));
        let verdict = Verdict::from(decision.clone());
        self.story.steps.push(Step {
            argv,
            at_ms,
            cause,
            usage,
            dialect,
            exit,
            code,
            decision: verdict,
        });
        self.story.dialect = dialect;
        self.story.kind.clone_from(&answered.envelope.content().kind);
        (answered, decision)
    }

    fn options(&self) -> Options {
        let mut options = Options { dialect: self.policy.dialect, ..Options::default() };
        let most = usize::try_from(self.policy.max_output).unwrap_or(usize::MAX);
        options.limits.bytes = options.limits.bytes.max(most);
        options
    }

    fn decide(&mut self, ran: Option<&Ran>, answered: &Answered, how: Decide) -> Decision {
        let policy = manila::Policy {
            retries: self.policy.retries,
            hops: self.policy.hops,
            jitter: self.stage.jitter(),
            remaining_ms: self.remaining().map(millis),
            idempotent: self.policy.idempotent,
            // What was kept is an answer to the whole call, never a page.
            cached: self.kept.is_some() && self.cursor.is_none(),
            fixes: self.policy.fixes && how == Decide::ByTable,
            redirects: match how {
                Decide::ByTable => self.policy.trust.redirects(),
                Decide::Alone => manila::Redirects::Never,
            },
        };
        let answer = match ran {
            Some(ran) if !answered.is_ours => {
                Answer::new(&ran.transcript, answered.opened.as_ref())
            }
            // What we ended has no word of its own: a status of 0 says only that it heard us.
            Some(ran) if ran.usage.status == manila::Status::Exited(0) => {
                Answer::of(&answered.envelope, manila::Status::Unknown)
            }
            Some(ran) => Answer::of(&answered.envelope, ran.usage.status),
            None => Answer::of(&answered.envelope, manila::Status::Unknown),
        };
        let decision = decide(&answer, &self.history, &policy);
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
        self.tell(&Event::Noted(&text));
        self.warnings.push(text);
    }

    fn tell(&self, event: &Event<'_>) {
        self.policy.observer.tell(event);
    }
}

/// Whether what is decided about an attempt is also done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decide {
    /// It is.
    ByTable,
    /// It is a step aside, made once.
    Alone,
}
