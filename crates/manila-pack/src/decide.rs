//! What a caller should do about a run, whether it has an envelope, a pack or neither.

use crate::effect::effects;
use crate::model::Effect;
use crate::open::{denies_success, is_cut, open_run};
use crate::pack::Lookup;
use crate::read::{Reading, read_any, read_call};
use manila::{
    Answer, Decision, Error, ErrorKind, ErrorObject, History, Opened, Options, Policy, Status,
    Transcript,
};

/// What to do about a run, and what that rests on.
#[derive(Clone, Debug)]
pub struct Decided {
    /// What to do, and why.
    pub decision: Decision,
    /// The dialect, if there was an envelope.
    pub dialect: Option<&'static str>,
    /// The exit class, or `UNKNOWN`; `None` where neither an envelope nor a rule states one.
    pub class: Option<&'static str>,
    /// The rule that determined the class, where there was no envelope.
    pub rule: Option<String>,
    /// What the call may change, if its program has a pack.
    pub effect: Option<Effect>,
    /// What went wrong.
    pub error: Option<ErrorObject>,
}

/// Decides about a run. A program with a pack is read by it, unless the caller names a dialect or the
/// program may have started another that answers in an envelope; any other by its envelope, or else by
/// words that many programs share.
///
/// `history` gets the failure of the run, because an attempt is counted by its code. `now_ms`, in milliseconds after
/// 1970, turns the time at which a limit ends into a wait. Input that exceeds a limit is an error; a run without an
/// envelope is something to decide about.
///
/// ```
/// use manila::{Action, History, Options, Policy, Status, Transcript};
/// use manila_pack::{BUILTIN, decide};
///
/// let run = Transcript {
///     argv: vec!["git".to_owned(), "fetch".to_owned()],
///     stderr: b"fatal: unable to access 'http://x/': The requested URL returned error: 503\n".to_vec(),
///     status: Status::Exited(128),
///     ..Transcript::default()
/// };
/// let decided =
///     decide(&run, &Options::default(), &BUILTIN, |_| History::default(), &Policy::default(), None)?;
/// assert!(matches!(decided.decision.action, Action::Retry { .. }));
/// # Ok::<(), manila::Error>(())
/// ```
pub fn decide(
    transcript: &Transcript,
    options: &Options,
    packs: &dyn Lookup,
    history: impl Fn(Option<&ErrorObject>) -> History,
    policy: &Policy,
    now_ms: Option<u64>,
) -> Result<Decided, Error> {
    let timed = |reading: Reading| now_ms.into_iter().fold(reading, Reading::at);
    let by_reading = |reading: &Reading, effect: Effect| {
        let envelope = reading.envelope(transcript.status, None);
        let idempotent = policy.idempotent || effect.is_repeatable();
        let policy = Policy { idempotent, ..policy.clone() };
        let history = history(envelope.error());
        let decision = reading.decide(&envelope, transcript.status, &history, &policy);
        let notes = reading.why.iter().cloned().chain(decision.notes.iter().cloned()).collect();
        Decided {
            decision: Decision { notes, ..decision },
            dialect: None,
            class: Some(reading.class_name()),
            rule: Some(reading.rule.clone()),
            effect: None,
            error: envelope.error().cloned(),
        }
    };
    if let Some(effect) = known_effect(transcript, options, packs) {
        let decided = by_reading(&timed(read_call(transcript, packs)), effect);
        return Ok(Decided { effect: Some(effect), ..decided });
    }
    let read = match open_run(transcript, options, packs) {
        Err(error) if matches!(error.kind(), ErrorKind::TooDeep | ErrorKind::TooLarge) => {
            return Err(error);
        }
        read => read,
    };
    if let Err(why) = &read
        && !matches!(transcript.status, Status::Exited(0) | Status::Unknown)
    {
        let reading = timed(read_any(transcript));
        if reading.class.is_some() && why.stated_failure().is_none() {
            return Ok(by_reading(&reading, Effect::Unknown));
        }
        let (class, rule) = (Some(reading.class_name()), Some(reading.rule));
        return Ok(Decided { class, rule, ..by_envelope(transcript, &read, history, policy) });
    }
    Ok(by_envelope(transcript, &read, history, policy))
}

fn by_envelope(
    transcript: &Transcript,
    read: &Result<Opened, Error>,
    history: impl Fn(Option<&ErrorObject>) -> History,
    policy: &Policy,
) -> Decided {
    let error = match read {
        Ok(opened) => opened.envelope.error(),
        Err(error) => error.stated_failure().map(|stated| &stated.error),
    };
    let answer = Answer::new(transcript, read.as_ref());
    let opened = read.as_ref().ok();
    Decided {
        decision: manila::decide(&answer, &history(error), policy),
        dialect: opened.map(|opened| opened.detection.dialect.id()),
        class: opened.map(|opened| opened.envelope.exit().name()),
        rule: None,
        effect: None,
        error: error.cloned(),
    }
}

/// What a call may change, if packs are to read its run.
fn known_effect(transcript: &Transcript, options: &Options, packs: &dyn Lookup) -> Option<Effect> {
    let program = transcript.argv.first().map_or("", String::as_str);
    let name = program.rsplit('/').next().unwrap_or(program);
    if options.dialect.is_some() || packs.find(name).is_none() {
        return None;
    }
    let effect = effects(&transcript.argv, packs).effect;
    let says_more =
        |opened: &Opened| !read_call(transcript, packs).says_more_than(opened.envelope.exit());
    let read = open_run(transcript, options, packs);
    let is_by_document = denies_success(read.as_ref(), transcript)
        || is_cut(read.as_ref(), transcript, options, packs)
        || match read {
            Ok(opened) => effect == Effect::Unknown && says_more(&opened),
            Err(error) => effect == Effect::Unknown && error.stated_failure().is_some(),
        };
    (!is_by_document).then_some(effect)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::BUILTIN;
    use manila::Action;

    /// 2026-11-18T12:00:00Z
    const NOON: u64 = 1_795_003_200_000;

    fn decided(argv: &[&str], stdout: &str, stderr: &str, status: i32) -> Decided {
        let run = Transcript {
            argv: argv.iter().map(|word| (*word).to_owned()).collect(),
            stdout: stdout.into(),
            stderr: stderr.into(),
            status: Status::Exited(status),
            duration_ms: None,
        };
        let (options, policy) = (Options::default(), Policy::default());
        decide(&run, &options, &BUILTIN, |_| History::default(), &policy, Some(NOON))
            .expect("a decision")
    }

    #[test]
    fn a_call_that_only_reads_is_made_again_and_one_that_writes_is_not() {
        let lost = "fatal: the remote end hung up unexpectedly\n";
        let fetch = decided(&["git", "fetch"], "", lost, 128);
        assert!(matches!(fetch.decision.action, Action::Retry { .. }), "{fetch:?}");
        let push = decided(&["git", "push", "--force"], "", lost, 128);
        assert!(!matches!(push.decision.action, Action::Retry { .. }), "{push:?}");
        assert_eq!(push.effect, Some(Effect::Destroys));
    }

    #[test]
    fn an_envelope_is_read_where_no_pack_is_known() {
        let answer = r#"{"schema":"animus.cli.v1","ok":true,"data":1}"#;
        let decided = decided(&["tool"], answer, "", 0);
        assert_eq!(decided.decision.action, Action::Accept);
        assert_eq!((decided.dialect, decided.class), (Some("animus/1"), Some("SUCCESS")));
    }

    #[test]
    fn what_nothing_explains_is_of_an_unknown_class() {
        let decided = decided(&["tool"], "", "it went sideways\n", 1);
        assert_eq!(
            (decided.class, decided.rule.as_deref()),
            (Some("UNKNOWN"), Some("generic/cause"))
        );
        assert!(!matches!(decided.decision.action, Action::Retry { .. } | Action::Accept));
    }

    #[test]
    fn a_limit_that_lasts_is_no_throttle_whatever_an_envelope_says() {
        let answer = r#"{"type":"result","subtype":"success","is_error":true,"api_error_status":429,
            "result":"You've hit your session limit · resets 3pm (UTC)","session_id":"s"}"#;
        let decided = decided(&["claude", "-p", "x"], answer, "", 1);
        assert_eq!(decided.class, Some("RATE_LIMITED"));
        assert_eq!(decided.decision.action, Action::GiveUp);
        assert_eq!(decided.error.and_then(|error| error.wait_ms), Some(3 * 3_600_000));
    }

    #[test]
    fn a_document_that_states_a_failure_is_not_accepted_whatever_the_pack_makes_of_exit_0() {
        let calls: &[&[&str]] = &[
            &["npm", "view", "x", "--json"],
            &["npm", "ci", "--json"],
            &["curl", "-s", "http://127.0.0.1/"],
            &["kubectl", "get", "pods", "-o", "json"],
            &["gemini", "-p", "x"],
            &["codex", "exec", "--json", "x"],
        ];
        let documents = [
            r#"{"error":{"code":"E401","summary":"Unable to authenticate","detail":""}}"#,
            r#"{"error":{"code":403,"message":"no","status":"PERMISSION_DENIED"}}"#,
            r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"Forbidden","code":403}"#,
            r#"{"type":"result","subtype":"success","is_error":true,"result":"rate limited"}"#,
            r#"{"content":[{"type":"text","text":"no"}],"isError":true}"#,
            r#"{"ok":false,"data":null,"error":{"code":"X","message":"m"},"warnings":[],"meta":{}}"#,
        ];
        for call in calls {
            for document in documents {
                let decided = decided(call, document, "", 0);
                assert_ne!(decided.decision.action, Action::Accept, "{call:?} {document}");
            }
        }
        // A program that may start any other says in which dialect it failed, or only that it did.
        let unknown =
            decided(&["gemini", "-p", "x"], r#"{"response":null,"error":{"m":1}}"#, "", 0);
        assert_ne!(unknown.decision.action, Action::Accept, "{unknown:?}");
        // Data are data.
        let found =
            decided(&["npm", "view", "x", "--json"], r#"{"name":"x","status":"ok"}"#, "", 0);
        assert_eq!(found.decision.action, Action::Accept, "{found:?}");
    }

    #[test]
    fn words_that_many_programs_share_are_the_last_resort() {
        let decided =
            decided(&["tool"], "", "curl: (7) Failed to connect: Connection refused\n", 1);
        assert!(decided.rule.is_some() && decided.dialect.is_none(), "{decided:?}");
    }
}
