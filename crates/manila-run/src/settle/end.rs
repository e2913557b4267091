//! The end of a call: the last envelope with what came before it, and a line in the log.

use super::{Next, Runtime, Settling};
use crate::answer::Answered;
use crate::attempt::millis;
use crate::capture::Held;
use crate::code::Code;
use crate::deliver::{Delivery, Pending};
use crate::duration;
use crate::journal;
use crate::outcome::{Outcome, Output, Trace};
use manila::json::Raw;
use manila::{Decision, Defaults, Envelope, ErrorObject, Lines, Meta, Stream, write_into};
use serde::Serialize;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::SystemTime;

impl<S: Runtime> Settling<'_, S> {
    /// The end of a call that needs a person's attention.
    pub(super) fn give_up(&mut self, answered: Answered, decision: &Decision) -> Next {
        let envelope = answered.envelope.clone();
        let is_page = self.cursor.is_some();
        if !envelope.ok() || (answered.opened().is_none() && !is_page) {
            return self.end(answered);
        }
        if decision.row.id == "truncated" {
            self.warn(format!("the data is incomplete: {}", decision.reason));
            let cursor = envelope.meta().cursor.clone().unwrap_or_default();
            return self.end_with(answered, envelope, Some(cursor));
        }
        let failure = ErrorObject {
            suggestion: Some("look at what the program wrote before acting on it".to_owned()),
            ..Code::UntrustedAnswer.failure(decision.reason.clone())
        };
        let doubted =
            Envelope::failure(Code::UntrustedAnswer.exit(), failure).with_status(envelope.status());
        let data = envelope.content().data.clone();
        let doubted = data.into_iter().fold(doubted, Envelope::with_data);
        self.end_with(answered, doubted, None)
    }

    /// Ends with this envelope, which the last answer is behind.
    pub(super) fn end_with(
        &mut self,
        answered: Answered,
        envelope: Envelope,
        rest: Option<String>,
    ) -> Next {
        let dialect = answered.opened().map(|opened| opened.detection.dialect.id());
        self.trace.plain = answered.is_plain;
        self.trace.effect = self.known().effect;
        self.trace.rule = answered.rule().map(str::to_owned);
        self.trace.class =
            Some(answered.class()).filter(|_| envelope.exit() == answered.envelope.exit());
        self.trace.dialect = dialect;
        self.trace.kind.clone_from(&envelope.content().kind);
        self.trace.unknown.extend(answered.unknown);
        if !envelope.ok() {
            return self.stop(envelope);
        }
        let envelope = self.with_pages(envelope);
        let was_paged = self.cursor.is_some() || rest.is_some();
        ControlFlow::Break(if was_paged { envelope.with_rest(rest) } else { envelope })
    }

    /// Ends with the last answer as it is.
    pub(super) fn end(&mut self, answered: Answered) -> Next {
        let envelope = answered.envelope.clone();
        self.end_with(answered, envelope, None)
    }

    /// Ends with a failure; the pages before it are not lost.
    pub(super) fn stop(&mut self, envelope: Envelope) -> Next {
        if self.pages.count() == 0 || envelope.ok() {
            return ControlFlow::Break(envelope);
        }
        let (data, _) = std::mem::take(&mut self.pages).merge();
        let envelope = data.into_iter().fold(envelope, Envelope::with_data);
        ControlFlow::Break(envelope.with_rest(self.cursor.clone()))
    }

    /// The envelope of the last page with the data of all.
    fn with_pages(&mut self, envelope: Envelope) -> Envelope {
        if self.pages.count() == 0 {
            return envelope;
        }
        self.pages.push(envelope.content().data.clone());
        let (data, is_merged) = std::mem::take(&mut self.pages).merge();
        if !is_merged {
            self.warn("the pages cannot be merged, so data is a list of pages".to_owned());
        }
        data.into_iter().fold(envelope, Envelope::with_data)
    }

    pub(super) fn finish(self, envelope: Envelope) -> Outcome {
        let mut trace = self.trace;
        trace.duration_ms = millis(self.runtime.elapsed());
        let mut envelope = self.warnings.into_iter().fold(envelope, Envelope::with_warning);
        if let Some(path) = &self.policy.log
            && let Err(error) = log(path, &envelope, &trace, self.runtime.began())
        {
            envelope = envelope
                .with_warning(format!("cannot write to the log {}: {error}", path.display()));
        }
        let output = self.output;
        if let Some(delivery) = &self.policy.delivery
            && let Err(error) = deliver(delivery, &output, &self.pending)
        {
            trace.unknown.push(format!("whether its output was read to the end: {error}"));
        }
        Outcome { envelope, trace, output }
    }
}

/// Hands on what was held back of the last attempt.
fn deliver(delivery: &Delivery, output: &Output, pending: &Pending) -> io::Result<()> {
    let send = |stream, is_delivered: bool, kept: &[u8], held: &Option<Held>| match held {
        _ if is_delivered => Ok(()),
        Some(held) => delivery.sink.send_held(stream, held),
        None => delivery.sink.send(stream, kept),
    };
    let Output { stdout, stderr, delivered, .. } = output;
    // A reader of one that is gone does not keep the other from being read.
    let errors = send(Stream::Stderr, delivered.stderr, stderr, &pending.stderr);
    send(Stream::Stdout, delivered.stdout, stdout, &pending.stdout).and(errors)
}

/// Adds a line to a log: the envelope, with as much of the trace as one line should hold.
///
/// Where the program does not say when it answered and how long it took, the call does. What the
/// call itself knows is in `meta.run` in any case: an answer from a cache is older than its call.
fn log(path: &Path, envelope: &Envelope, trace: &Trace, began: SystemTime) -> io::Result<()> {
    #[derive(Serialize)]
    struct Call<'s> {
        argv: &'s [String],
        began: &'s str,
        duration_ms: u64,
        dialect: Option<&'static str>,
        attempts: usize,
        exit_code: Option<i32>,
    }
    let began = duration::moment(began);
    let call = Call {
        argv: trace.steps.first().map_or(&[], |step| &step.argv),
        began: &began,
        duration_ms: trace.duration_ms,
        dialect: trace.dialect,
        attempts: trace.attempts(),
        exit_code: envelope.status(),
    };
    let own = Meta {
        duration_ms: Some(trace.duration_ms),
        timestamp: Some(began.clone()),
        ..Meta::default()
    };
    let envelope = envelope
        .clone()
        .with_own_meta(own)
        .with_note("run", Raw::from_serialize(&call).map_err(io::Error::other)?);
    let dialect = manila::dialects::RESPONSE_ENVELOPE_1_0;
    let line = write_into(Vec::new(), &envelope, dialect, &Defaults::default(), Lines::One);
    journal::append(path, String::from_utf8_lossy(&line.document).trim_end())
}
