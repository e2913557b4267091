//! What is done about an answer: one function for each thing that the table can decide.

use super::{AGAIN, Decide, Next, Runtime, Settling};
use crate::answer::Answered;
use crate::attempt::millis;
use crate::cache::{self, CacheEntry};
use crate::duration;
use crate::event::{Cause, Event};
use crate::invocation::{Input, Invocation};
use crate::known::is_rename;
use crate::plan::cached;
use crate::redirects::RedirectStore;
use crate::{argv, trust};
use manila::{Action, Attempt, Change, Decision, Envelope, Exit};
use std::cell::OnceCell;
use std::time::Duration;

/// How much longer than stated a wait may be.
const SPREAD: f64 = 0.1;
/// Why there is no other attempt, where there is no other reason against it.
const READ_ONCE: &str = "not retried: its input can be read only once";

impl<S: Runtime> Settling<'_, S> {
    /// Does what was decided.
    pub(super) fn act(&mut self, answered: Answered, decision: Decision) -> Next {
        // A process that says success has done something, whatever its document says.
        let is_refused =
            answered.envelope.exit() == Exit::ArgError && answered.envelope.status() != Some(0);
        if is_refused && self.cursor.is_none() && self.cached.is_some() {
            // It knows no versions any more.
            return self.without_etag(answered);
        }
        // What was handed on cannot be taken back, so there is nothing that another attempt could replace.
        let is_settled = self.output.delivered.stdout && decision.action != Action::Accept;
        let is_page = matches!(decision.action, Action::NextPage { .. });
        if is_settled || (is_page && self.policy.delivery.is_some()) {
            return self.end(answered);
        }
        match decision.action {
            Action::Accept => self.accept(answered),
            Action::UseCache => self.use_cache(answered),
            Action::NextPage { cursor } => self.next_page(answered, cursor),
            Action::Retry { wait_ms, change } => self.retry(answered, wait_ms, change),
            Action::RefreshCredentials => self.refresh(answered),
            Action::Redirect { command, argv, remember } => {
                self.redirect(answered, command, argv, remember)
            }
            Action::ApplyFix { argv, .. } => self.fix(answered, argv),
            // The caller made the arguments and must correct them.
            Action::CorrectArguments { .. }
            | Action::AcquireCredentials
            | Action::InspectState
            | Action::GiveUp
            | Action::Escalate => self.give_up(answered, &decision),
        }
    }

    fn accept(&mut self, answered: Answered) -> Next {
        let envelope = answered.envelope.clone();
        let etag = envelope.meta().extra.get("etag").and_then(|tag| tag.value().string());
        if let (Some(dir), Some(etag), Some(data), true) =
            (&self.policy.cache, etag, &envelope.content().data, self.cursor.is_none())
            && let Some(call) = cache::Call::of(&self.call)
        {
            let kind = envelope.content().kind.as_deref();
            let saved = CacheEntry::new(&call, &etag, kind, data).and_then(|entry| entry.save(dir));
            if let Err(error) = saved {
                self.warn(format!("cannot cache the answer in {}: {error}", dir.display()));
            }
        }
        self.end_with(answered, envelope, None)
    }

    fn use_cache(&mut self, answered: Answered) -> Next {
        let entry = self.cached.take();
        let Some((data, kind)) = entry.and_then(|entry| Some((entry.data()?, entry.kind))) else {
            return self.without_etag(answered);
        };
        let envelope = Envelope::success(data).with_kind(kind).with_status(Some(0));
        self.end_with(answered, envelope, None)
    }

    /// Asks again without naming a version, the caller's own neither.
    fn without_etag(&mut self, answered: Answered) -> Next {
        if self.is_last() {
            self.warn(READ_ONCE.to_owned());
            return self.end(answered);
        }
        self.history.reissued = true;
        self.cached = None;
        self.call = self.call.with_argv(argv::without_option(self.call.argv.clone(), "--etag"));
        self.cause = Cause::WithoutEtag;
        AGAIN
    }

    fn next_page(&mut self, answered: Answered, cursor: String) -> Next {
        let data = answered.envelope.content().data.clone();
        let size = self.pages.bytes() + data.as_ref().map_or(0, |data| data.as_str().len());
        // Pages without data count too.
        let fetched = self.history.cursors.len() + 1;
        if fetched >= self.policy.max_pages || size as u64 > self.policy.max_output {
            self.warn(format!("only {fetched} pages were fetched, and there are more"));
            let envelope = answered.envelope.clone();
            return self.end_with(answered, envelope, Some(cursor));
        }
        if self.is_last() {
            self.warn("there are more pages, and its input can be read only once".to_owned());
            let envelope = answered.envelope.clone();
            return self.end_with(answered, envelope, Some(cursor));
        }
        self.pages.push(data);
        self.history.cursors.push(cursor.clone());
        self.history.attempts.clear();
        self.tries = 0;
        self.cause = Cause::NextPage { cursor: cursor.clone() };
        self.cursor = Some(cursor);
        AGAIN
    }

    /// Whether another attempt is impossible.
    fn is_last(&self) -> bool {
        matches!(self.call.stdin, Input::Ours)
    }

    fn retry(&mut self, answered: Answered, wait_ms: u64, change: Option<Change>) -> Next {
        if change == Some(Change::WithoutEtag) {
            return self.without_etag(answered);
        }
        if self.is_last() {
            self.warn(READ_ONCE.to_owned());
            return self.end(answered);
        }
        // Nothing is waited for that is not done afterwards.
        if let Some(spent) = self.attempts_spent() {
            self.warn(spent);
            return self.end(answered);
        }
        let time = Duration::from_millis(wait_ms);
        if time > self.policy.max_wait {
            let longest = duration::format(self.policy.max_wait);
            self.warn(format!("not retried: the wait is longer than the limit of {longest}"));
            return self.end(answered);
        }
        let begins = self.runtime.elapsed().saturating_add(time);
        if begins > self.policy.retry_window {
            self.warn("not retried: the time for retries is over".to_owned());
            return self.end(answered);
        }
        let code = answered.envelope.error().map(|error| error.code.clone()).unwrap_or_default();
        self.history.attempts.push(Attempt { code });
        // Callers that got the same delay must not come back at the same moment.
        let spread = time.mul_f64(SPREAD * self.runtime.jitter());
        let spread = Duration::from_millis(millis(spread));
        let time =
            time + self.remaining().map_or(spread, |left| spread.min(left.saturating_sub(time)));
        self.last = Some(answered);
        if !time.is_zero() {
            self.notify(&Event::Waiting(time));
        }
        if self.runtime.wait(time).is_break() {
            return AGAIN;
        }
        self.cause = Cause::Retry { waited_ms: wait_ms };
        AGAIN
    }

    fn refresh(&mut self, answered: Answered) -> Next {
        let Some(refresh) = self.renewal(&answered.envelope) else {
            self.warn("the credentials have expired, and no refresh command is set".to_owned());
            return self.end(answered);
        };
        self.history.refreshed = true;
        self.aside(&refresh, Cause::Refresh, answered, "the refresh command failed")
    }

    fn fix(&mut self, answered: Answered, argv: Vec<String>) -> Next {
        let call = self.call.argv_lossy();
        if let Some(objection) = trust::objection(self.policy, &call, &argv) {
            self.warn(objection);
            return self.end(answered);
        }
        self.history.fixed = true;
        let fix = self.call.with_argv(argv::into(trust::of_same_program(&call, argv)));
        self.aside(&fix, Cause::Fix, answered, "the stated fix failed")
    }

    /// Runs something else, after which the call may work.
    fn aside(
        &mut self,
        other: &Invocation,
        cause: Cause,
        answered: Answered,
        failed: &str,
    ) -> Next {
        if self.is_last() {
            self.warn(READ_ONCE.to_owned());
            return self.end(answered);
        }
        let is_over = self.remaining().is_some_and(|left| left.is_zero());
        if is_over || self.runtime.is_cancelled() {
            return self.end(answered);
        }
        let (aside, _) = self.attempt(other, cause, Decide::Alone);
        if let Some(error) = aside.envelope.error() {
            self.warn(format!("{failed}: {}", error.message));
            return self.end(answered);
        }
        self.history.attempts.clear();
        self.cause = Cause::Again;
        AGAIN
    }

    fn redirect(
        &mut self,
        answered: Answered,
        command: String,
        argv: Vec<String>,
        remember: bool,
    ) -> Next {
        if self.is_last() {
            self.warn(READ_ONCE.to_owned());
            return self.end(answered);
        }
        let call = self.call.argv_lossy();
        if let Some(objection) = trust::objection(self.policy, &call, &argv) {
            self.warn(objection);
            return self.end(answered);
        }
        let argv = trust::of_same_program(&call, argv);
        // One answer is enough only for a new name; anything else would change later calls for good.
        let remember = remember && is_rename(&call, &argv);
        if let (true, Some(path), Some(from)) =
            (remember, &self.policy.redirect_store, argv::of(&self.call.argv))
            && let Err(error) = RedirectStore::at(path).remember(&from, &argv)
        {
            self.warn(format!("cannot remember the redirect in {}: {error}", path.display()));
        }
        self.history.redirects.push(command.clone());
        self.cause = Cause::Redirect { command };
        self.known = OnceCell::new();
        self.call = self.call.with_argv(argv::into(argv));
        // What was cached is the answer of another command.
        self.cached = self.policy.cache.as_deref().and_then(|dir| cached(dir, &self.call));
        AGAIN
    }
}
