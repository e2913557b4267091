//! Scripts of answers, from the honest to the absurd, and what callers may allow.

use super::runtime::{Claim, Ending, RENEW, Script, ScriptedAnswer, TOOL};
use crate::invocation::Invocation;
use crate::policy::{Policy, Trust};
use manila::dialects::WRITTEN;
use manila::json::Raw;
use manila::{
    Dialect, Envelope, ErrorObject, Exit, Fix, Phase, Redirect, Status, Strategy as Backoff,
};
use proptest::collection::vec;
use proptest::option::{of, weighted};
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::Arc;
use std::time::Duration;

/// The argument that no untrusted command may add.
pub(super) const FORBIDDEN: &str = "--yes";
/// The argument without which the question is answered with no.
pub(super) const AGREED: &str = "agreed";

/// The call that every script answers.
pub(super) fn call() -> Invocation {
    Invocation::new(TOOL).args(["run", "1"])
}

/// An answer spelled by hand in the older revision, with these members of `meta`.
pub(super) fn success(data: &str, meta: &str) -> ScriptedAnswer {
    let document = format!(
        r#"{{"ok":true,"data":{data},"error":null,"warnings":[],"meta":{{"duration_ms":1{meta}}}}}"#
    );
    ScriptedAnswer::new(document, 0, Claim::Success)
}

/// A page that is not the last.
pub(super) fn page(data: &str, cursor: &str) -> ScriptedAnswer {
    let cursor = Raw::text(cursor);
    success(data, &format!(r#","truncated":true,"cursor":{}"#, cursor.as_str()))
}

/// A failure in the newer revision, which has a place for everything that an error says.
pub(super) fn failure(exit: Exit, error: ErrorObject) -> ScriptedAnswer {
    ScriptedAnswer::written(
        &Envelope::failure(exit, error),
        manila::dialects::RESPONSE_ENVELOPE_1_6,
    )
}

/// A failure that asks to be called again after a while.
pub(super) fn limited(wait_ms: u64) -> ScriptedAnswer {
    let error = ErrorObject::new("RATE_LIMITED", "slow down");
    failure(
        Exit::RateLimited,
        ErrorObject { retryable: Some(true), wait_ms: Some(wait_ms), ..error },
    )
}

/// A failure that sends the caller elsewhere.
pub(super) fn moved(command: &str, permanent: bool) -> ScriptedAnswer {
    let redirect = Redirect { command: command.to_owned(), permanent, ..Redirect::default() };
    let error =
        ErrorObject { redirect: Some(redirect), ..ErrorObject::new("COMMAND_RENAMED", "moved") };
    failure(Exit::Redirected, error)
}

/// A failure that states what corrects it.
pub(super) fn fixable(exit: Exit, command: &str) -> ScriptedAnswer {
    let fix = Fix { command: Some(command.to_owned()), ..Fix::default() };
    failure(exit, ErrorObject { fix, ..ErrorObject::new("NOT_INITIALISED", "run the fix first") })
}

/// Credentials that were good once.
pub(super) fn expired() -> ScriptedAnswer {
    failure(Exit::AuthRequired, ErrorObject::new("TOKEN_EXPIRED", "the token is old"))
}

fn dialect() -> impl Strategy<Value = &'static dyn Dialect> {
    // Those that all of the table can be said in come more often than the others.
    prop_oneof![select(WRITTEN[..2].to_vec()), select(WRITTEN.to_vec())]
}

prop_compose! {
    /// Any failure in any dialect: limits, outages, partial failures, and errors that say too much.
    fn any_failure()(
        exit in select(&Exit::ALL[1..]),
        code in select(vec!["RATE_LIMITED", "UNAVAILABLE", "BUSY", "BUSY", "TOKEN_EXPIRED", "AUTH_REQUIRED"]),
        retryable in weighted(0.7, prop::bool::weighted(0.8)),
        wait_ms in of(select(vec![0, 1, 1000, 5000, 3_600_000, u64::MAX])),
        strategy in of(select(Backoff::ALL)),
        phase in weighted(0.3, select(Phase::ALL)),
        (required, fix) in (weighted(0.1, Just("a project")), weighted(0.1, command())),
        dialect in dialect(),
    ) -> ScriptedAnswer {
        let fix = Fix { required: required.map(str::to_owned), command: fix };
        let error = ErrorObject { retryable, wait_ms, strategy, phase, fix, ..ErrorObject::new(code, "no") };
        ScriptedAnswer::written(&Envelope::failure(exit, error), dialect)
    }
}

/// Failures that invite another attempt, so that scripts get far.
fn inviting() -> impl Strategy<Value = ScriptedAnswer> {
    let exits =
        [Exit::RateLimited, Exit::Unavailable, Exit::RateLimited, Exit::General, Exit::Timeout];
    let exit = select(exits.to_vec());
    let code = select(vec!["RATE_LIMITED", "BUSY", "AWAY"]);
    let wait = of(select(vec![0, 1, 1000, 60_000]));
    let dialect = prop_oneof![4 => select(WRITTEN[..2].to_vec()), 1 => select(WRITTEN.to_vec())];
    (exit, code, wait, dialect).prop_map(|(exit, code, wait_ms, dialect)| {
        let error =
            ErrorObject { retryable: Some(true), wait_ms, ..ErrorObject::new(code, "later") };
        ScriptedAnswer::written(&Envelope::failure(exit, error), dialect)
    })
}

fn any_success() -> impl Strategy<Value = ScriptedAnswer> {
    let data = select(vec!["[]", "[1, 2]", r#"{"a":1}"#]);
    (data, dialect()).prop_map(|(data, dialect)| {
        ScriptedAnswer::written(&Envelope::success(Raw::parse(data).unwrap()), dialect)
    })
}

fn any_page() -> impl Strategy<Value = ScriptedAnswer> {
    let data = select(vec!["[]", "[1, 2]", r#"{"items":[1]}"#, r#""text""#]);
    let cursor = select(vec!["c@N", "c@N", "c@N", "c@N", "c@N", "again", "--yes", "--yes=1", ""]);
    (data, cursor).prop_map(|(data, cursor)| page(data, cursor))
}

/// Untrusted commands: harmless ones, cycles, other programs, denied arguments, shell.
pub(super) fn command() -> impl Strategy<Value = String> {
    let harmless = select(vec!["tool a", "tool b", "tool c@N", "/opt/tool d agreed"]);
    let any = select(vec![
        "tool repair it",
        "tool repair agreed",
        "tool run 1",
        "/opt/tool run 1",
        "/tmp/tool a",
        "other a",
        "other repair agreed",
        "sudo tool a",
        "tool a --yes",
        "tool repair --yes=1",
        "tool a; rm -rf x",
        "tool 'a",
        "",
    ]);
    prop_oneof![3 => harmless, 2 => any].prop_map(str::to_owned)
}

/// Answers in which process and document, or two documents, do not agree.
fn lie() -> impl Strategy<Value = ScriptedAnswer> {
    let error = r#"{"ok":false,"data":null,"error":{"code":"BUSY","message":"no"},"warnings":[],"meta":{"duration_ms":1}}"#;
    let stale = r#"{"ok":false,"data":[1],"error":null,"warnings":[],"meta":{"duration_ms":1}}"#;
    let bare = r#"{"ok":false,"error":"boom"}"#;
    let marked = r#"{"ok":true,"type":"list","data":[1],"is_error":true}"#;
    let fine = success("[1]", "").stdout;
    let later = success("[1]", r#","schema_version":"9.0""#).stdout;
    let cut = page("[1]", "c@N").stdout;
    let status = select(vec![1, 2, 5, 10, 11, 12, 13, 70, 101, 130]);
    prop_oneof![
        Just(ScriptedAnswer::new(error, 0, Claim::Otherwise)),
        Just(ScriptedAnswer::new(stale, 0, Claim::Otherwise)),
        select(vec![bare, marked]).prop_map(|lie| ScriptedAnswer::new(lie, 0, Claim::Otherwise)),
        Just(ScriptedAnswer::new(later, 0, Claim::Otherwise)),
        Just(ScriptedAnswer::new(format!("{fine}\n{error}\n"), 0, Claim::Otherwise)),
        Just(ScriptedAnswer::new(format!("{cut}\n{error}\n"), 0, Claim::Otherwise)),
        Just(ScriptedAnswer::new(
            format!(r#"{{"ok":true,"ok":true,{}"#, &fine[1..]),
            0,
            Claim::Otherwise
        )),
        (status, select(vec![fine, cut]))
            .prop_map(|(status, fine)| { ScriptedAnswer::new(fine, status, Claim::Otherwise) }),
        any_failure().prop_map(|answer| ScriptedAnswer { status: Status::Exited(0), ..answer }),
        any_success().prop_map(|answer| ScriptedAnswer {
            status: Status::Signaled(9),
            claim: Claim::Otherwise,
            ..answer
        }),
    ]
}

/// No envelope, half of one, one without what it must have, or one amid other things.
fn malformed() -> impl Strategy<Value = ScriptedAnswer> {
    let texts = select(vec![
        "",
        "done.\n",
        "[1,2]",
        r#"{"ok":true,"data":[1],"err"#,
        r#"{"ok":true,"data":[1],"warnings":[],"meta":{"duration_ms":1,"schema_version":"1.0"}}"#,
        r#"{"ok":true,"data":null,"error":null,"warnings":[],"meta":{"duration_ms":1}}"#,
        r#"{"ok":true,"data":[1],"error":null,"warnings":[],"meta":{"truncated":"perhaps"}}"#,
    ]);
    let exited = [0, 0, 1, 2, 3, 11, 127].map(Status::Exited);
    let status = select([&exited[..], &[Status::Signaled(11)]].concat());
    (texts, status).prop_map(|(text, status)| {
        let is_envelope = text.starts_with(r#"{"ok":"#) && text.ends_with('}');
        let claim = match status {
            Status::Exited(0) if !is_envelope => Claim::Silent,
            Status::Exited(0) if text.contains("perhaps") => Claim::Vague,
            _ => Claim::Otherwise,
        };
        ScriptedAnswer { status, ..ScriptedAnswer::new(text, 0, claim) }
    })
}

/// Answers after which there is often another attempt, so that stories get long.
fn onward() -> impl Strategy<Value = ScriptedAnswer> {
    let needs = select(vec![Exit::Precondition, Exit::General, Exit::PartialFailure]);
    prop_oneof![
        4 => inviting(),
        4 => any_page(),
        3 => (command(), any::<bool>()).prop_map(|(to, permanent)| moved(&to, permanent)),
        1 => Just(expired()),
        1 => (needs, command()).prop_map(|(exit, command)| fixable(exit, &command)),
        1 => Just(success("null", r#","not_modified":true"#)),
    ]
}

fn prompt_answer() -> impl Strategy<Value = ScriptedAnswer> {
    prop_oneof![
        3 => onward(),
        2 => any_failure(),
        1 => any_success(),
        1 => lie(),
        1 => malformed(),
    ]
}

prop_compose! {
    /// Any answer, in any time, coming to any end.
    pub(super) fn answer()(
        answer in prompt_answer(),
        takes in select(vec![0, 10, 10, 500, 1000, 2000, 30_000, 10_000_000]),
        stubborn in select(vec![0, 0, 100, 5000]),
        ending in prop_oneof![
            12 => Just(Ending::ByItself),
            1 => Just(Ending::HeldOpen),
            1 => Just(Ending::Flood),
            1 => Just(Ending::NotStarted),
        ],
        effects in any::<bool>(),
    ) -> ScriptedAnswer {
        let (takes, stubborn) = (Duration::from_millis(takes), Duration::from_millis(stubborn));
        let claim = match ending {
            Ending::Flood | Ending::NotStarted => Claim::Otherwise,
            Ending::ByItself | Ending::HeldOpen => answer.claim,
        };
        ScriptedAnswer { takes, stubborn, ending, claim, effects, ..answer }
    }
}

prop_compose! {
    /// A script for everything that a call may run.
    pub(super) fn script()(
        (onward, answers) in (vec(onward(), 0..7), vec(answer(), 1..4)),
        renewals in vec(answer(), 1),
        repairs in vec(answer(), 1),
        jitter in vec(0.0..=1.0f64, 0..4),
        cancelled_at in weighted(0.1, select(vec![0, 500, 1000, 1010, 60_000])),
    ) -> Script {
        let cancelled_at = cancelled_at.map(Duration::from_millis);
        let calls = [onward, answers].concat();
        Script { calls, renewals, repairs, jitter, cancelled_at }
    }
}

fn trust() -> impl Strategy<Value = Trust> {
    let agrees = |command: &[String]| command.iter().any(|word| word == AGREED);
    prop_oneof![
        Just(Trust::Never),
        Just(Trust::SameProgram),
        Just(Trust::SameProgram),
        Just(Trust::Any),
        Just(Trust::Ask(Arc::new(agrees))),
    ]
}

fn time(choices: Vec<u64>) -> impl Strategy<Value = Option<Duration>> {
    of(select(choices).prop_map(Duration::from_millis))
}

prop_compose! {
    fn any_policy()(
        attempt_limit in time(vec![0, 500, 1000, 60_000, 60_000]),
        deadline in time(vec![0, 20, 1000, 1010, 10_000, 600_000, 600_000, 600_000]),
        (grace, linger) in (select(vec![0, 200, 1500]), select(vec![0, 1000])),
        retries in select(vec![0, 1, 2, 3, 3]),
        max_attempts in select(vec![0, 1, 2, 3, 5, 8, 20, 20, 20, 20]),
        hops in select(vec![0, 1, 3, 3]),
        max_pages in select(vec![0, 1, 2, 4, 20, 20]),
        idempotent in any::<bool>(),
        trust in trust(),
        is_forbidding in any::<bool>(),
        fixes in any::<bool>(),
        renews in any::<bool>(),
    ) -> Policy {
        Policy {
            attempt_limit,
            deadline,
            grace: Duration::from_millis(grace),
            linger: Duration::from_millis(linger),
            retries,
            max_attempts,
            max_pages,
            idempotent,
            trust,
            hops,
            denied_args: is_forbidding.then(|| FORBIDDEN.to_owned()).into_iter().collect(),
            fixes,
            refresh: renews.then(|| Invocation::new(RENEW).arg("token")),
            ..Policy::default()
        }
    }
}

/// What a caller may allow; often much, so that stories get long.
pub(super) fn policy() -> impl Strategy<Value = Policy> {
    (any_policy(), prop::bool::weighted(0.6)).prop_map(|(policy, is_generous)| {
        if !is_generous {
            return policy;
        }
        Policy {
            attempt_limit: policy.attempt_limit.map(|limit| limit.max(Duration::from_secs(1))),
            deadline: policy.deadline.filter(|deadline| *deadline > Duration::from_secs(60)),
            retries: policy.retries.max(2),
            max_attempts: policy.max_attempts.max(5),
            hops: policy.hops.max(2),
            max_pages: policy.max_pages.max(4),
            fixes: true,
            refresh: Some(Invocation::new(RENEW).arg("token")),
            ..policy
        }
    })
}
