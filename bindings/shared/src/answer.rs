//! What can be said about bytes and command lines without running anything, as JSON.

use crate::error::Error;
use crate::source::{Source, dialect, read};
use manila::{
    Action, Attempt, Conversion, Defaults, Envelope, ErrorObject, History, Loss, Opened, Policy,
    Redirects, Stream,
};
use manila_pack::{Decided, Effect, Packs, open_run};
use serde::{Deserialize, Serialize};
use std::time::{SystemTime, UNIX_EPOCH};

/// Opens what a program wrote: its envelope in the normal form, and how it was found.
pub fn open(stdout: &[u8], stderr: &[u8], options: &str) -> Result<String, Error> {
    let source: Source = read(options)?;
    let opened = opened(&source, stdout, stderr)?;
    Ok(serde_json::to_string(&opened)?)
}

/// What a program wrote, in the dialect that its pack names where marks leave it open.
fn opened(source: &Source, stdout: &[u8], stderr: &[u8]) -> Result<Opened, Error> {
    let packs = Packs::from_environment()?;
    Ok(open_run(&source.transcript(stdout, stderr), &source.options()?, &packs)?)
}

/// An envelope in another dialect, and what that dialect could not say.
#[derive(Serialize)]
struct Converted {
    dialect: &'static str,
    stream: Stream,
    exit_code: i32,
    document: String,
    losses: Vec<Loss>,
}

impl Converted {
    fn new(dialect: &'static str, conversion: Conversion) -> Result<Converted, Error> {
        let Conversion { written, losses } = conversion;
        let document = String::from_utf8(written.document)
            .map_err(|error| Error::internal(format!("the document is not UTF-8: {error}")))?;
        Ok(Converted {
            dialect,
            stream: written.stream,
            exit_code: written.status,
            document,
            losses,
        })
    }
}

/// What a dialect requires and the envelope may lack.
fn defaults() -> Defaults {
    let now = format!("{:.0}", jiff::Timestamp::now());
    Defaults { timestamp: now.into(), ..Defaults::default() }
}

/// Opens what a program wrote and writes it in another dialect.
pub fn convert(stdout: &[u8], stderr: &[u8], to: &str, options: &str) -> Result<String, Error> {
    let (source, target): (Source, _) = (read(options)?, dialect(to)?);
    let opened = opened(&source, stdout, stderr)?;
    let converted = Converted::new(target.id(), opened.convert(target, &defaults())?)?;
    Ok(serde_json::to_string(&converted)?)
}

/// Writes an envelope in another dialect.
pub fn convert_envelope(envelope: &Envelope, to: &str) -> Result<String, Error> {
    let target = dialect(to)?;
    let conversion = manila::convert(envelope, target, &defaults())?;
    Ok(serde_json::to_string(&Converted::new(target.id(), conversion)?)?)
}

/// What happened before, and what the caller allows.
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[derive(Deserialize)]
#[serde(default)]
struct Circumstances {
    /// The number of this attempt, from 1.
    attempt: usize,
    /// The error codes of earlier attempts; the last stands for the rest.
    after: Vec<String>,
    seen_cursors: Vec<String>,
    followed: Vec<String>,
    refreshed: bool,
    fixed: bool,
    reissued: bool,
    retries: usize,
    hops: usize,
    jitter: f64,
    remaining_ms: Option<u64>,
    idempotent: bool,
    cached: bool,
    fixes: bool,
    refresh: bool,
    redirects: Trusted,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Trusted {
    Never,
    SameProgram,
    Any,
}

impl Default for Circumstances {
    fn default() -> Circumstances {
        let Policy { retries, hops, jitter, .. } = Policy::default();
        Circumstances {
            attempt: 1,
            after: Vec::new(),
            seen_cursors: Vec::new(),
            followed: Vec::new(),
            refreshed: false,
            fixed: false,
            reissued: false,
            retries,
            hops,
            jitter,
            remaining_ms: None,
            idempotent: false,
            cached: false,
            fixes: false,
            refresh: false,
            redirects: Trusted::SameProgram,
        }
    }
}

impl Circumstances {
    fn history(&self, failure: Option<&ErrorObject>) -> History {
        let own = failure.map_or("", |failure| failure.code.as_str());
        let before = self.attempt.saturating_sub(1).max(self.after.len());
        let last = self.after.last().map_or(own, String::as_str);
        let codes = self.after.iter().map(String::as_str).chain(std::iter::repeat(last));
        History {
            // More attempts than the budget allows change nothing.
            attempts: codes
                .take(before.min(self.retries.saturating_add(1).max(self.after.len())))
                .map(|code| Attempt { code: code.to_owned() })
                .collect(),
            cursors: self.seen_cursors.clone(),
            redirects: self.followed.clone(),
            refreshed: self.refreshed,
            fixed: self.fixed,
            reissued: self.reissued,
        }
    }

    fn policy(&self) -> Policy {
        Policy {
            retries: self.retries,
            hops: self.hops,
            jitter: self.jitter,
            remaining_ms: self.remaining_ms,
            idempotent: self.idempotent,
            cached: self.cached,
            fixes: self.fixes,
            refresh: self.refresh,
            redirects: match self.redirects {
                Trusted::Never => Redirects::Never,
                Trusted::SameProgram => Redirects::SameProgram,
                Trusted::Any => Redirects::Any,
            },
        }
    }
}

/// A decision as the packages hand it on.
#[derive(Serialize)]
struct DecisionDocument {
    #[serde(flatten)]
    action: Action,
    reason: String,
    row: &'static str,
    notes: Vec<String>,
    dialect: Option<&'static str>,
    exit_class: Option<&'static str>,
    rule: Option<String>,
    effects: Option<&'static str>,
    error: Option<ErrorObject>,
}

/// What the clock shows, in milliseconds after 1970.
fn clock_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

/// Decides what a caller should do about what a program wrote.
pub fn decide(stdout: &[u8], stderr: &[u8], options: &str) -> Result<String, Error> {
    let (source, now): (Source, Circumstances) = (read(options)?, read(options)?);
    if now.attempt == 0 || !(0.0..=1.0).contains(&now.jitter) {
        return Err(Error::option("attempt begins at 1, and jitter is a number from 0 to 1"));
    }
    let Decided { decision, dialect, class, rule, effect, error } = manila_pack::decide(
        &source.transcript(stdout, stderr),
        &source.options()?,
        &Packs::from_environment()?,
        |failure| now.history(failure),
        &now.policy(),
        Some(clock_ms()),
    )?;
    let document = DecisionDocument {
        action: decision.action,
        reason: decision.reason,
        row: decision.row.id,
        notes: decision.notes,
        dialect,
        exit_class: class,
        rule,
        effects: effect.map(Effect::as_str),
        error,
    };
    Ok(serde_json::to_string(&document)?)
}

/// What a call would change.
pub fn effects(argv: &[String]) -> Result<String, Error> {
    Ok(serde_json::to_string(&manila_pack::effects(argv, &Packs::from_environment()?))?)
}

/// What a command line of a shell would change.
pub fn effects_of_line(line: &str) -> Result<String, Error> {
    Ok(serde_json::to_string(&manila_pack::effects_of_line(line, &Packs::from_environment()?))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    const RATE: &[u8] = br#"{"ok":false,"data":null,"error":{"code":"RATE_LIMIT_EXCEEDED","message":"m","retryable":true,"retry_after":30},"warnings":[],"meta":{"duration_ms":6}}"#;

    fn value(json: Result<String, Error>) -> Value {
        serde_json::from_str(&json.expect("an answer")).expect("JSON")
    }

    #[test]
    fn an_answer_is_opened_and_decided_about() {
        let opened = value(open(RATE, b"", r#"{"exit_code":11}"#));
        assert_eq!(opened["envelope"]["exit"], "RATE_LIMITED");
        let first = value(decide(RATE, b"", r#"{"exit_code":11}"#));
        assert_eq!((&first["do"], &first["wait_ms"]), (&"retry".into(), &30_000.into()));
        let last = value(decide(RATE, b"", r#"{"exit_code":11,"attempt":18446744073709551615}"#));
        assert_ne!(last["do"], "retry");
    }

    #[test]
    fn a_conversion_has_its_losses() {
        let converted = value(convert(RATE, b"", "td/1", r#"{"exit_code":11}"#));
        assert_eq!(converted["stream"], "stderr");
        assert!(converted["losses"].as_array().is_some_and(|losses| !losses.is_empty()));
        let refused = convert(RATE, b"", "tt/1", "{}").expect_err("no such dialect");
        assert_eq!(refused.kind(), Error::INVALID_OPTION);
    }

    #[test]
    fn what_is_no_envelope_is_an_error_of_open_and_not_of_decide() {
        assert_eq!(open(b"hello\n", b"", "{}").expect_err("no envelope").kind(), "no-envelope");
        assert_eq!(value(decide(b"hello\n", b"", r#"{"exit_code":1}"#))["do"], "inspect-state");
    }
}
