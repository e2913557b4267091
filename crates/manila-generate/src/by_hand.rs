//! What generated callers must decide about failures that no document states.

use crate::contract::Contract;
use manila::{
    Answer, Attempt, Envelope, ErrorObject, Exit, History, Policy, Status, Strategy, decide,
};
use serde_json::{Value, json};

/// Failures that no document states, so that every number and every word is met: what happens to each number,
/// code and history, with and without a wait and a word about calling again.
pub(crate) fn cases(contract: &Contract) -> Vec<Value> {
    let rows = contract.table.exits.rows.iter().map(|row| row.status);
    let edges = [0, 63, 64, 65, 77, 78, 79, 100, 101, 102, 123, 124, 125, 127, 128, -1];
    let mut all = Vec::new();
    for exit_code in rows.clone().filter(|status| *status != 0).chain(edges) {
        for (retryable, wait_ms) in
            [(None, Some(7_000)), (None, None), (Some(true), None), (Some(true), Some(7_000))]
        {
            for idempotent in [false, true] {
                all.push(Stated { exit_code, retryable, wait_ms, idempotent, ..Stated::default() });
            }
        }
    }
    for exit_code in rows.filter(|status| *status != 0).chain(edges) {
        for code in ["X", "TOKEN_EXPIRED"] {
            let retryable = Some(false);
            all.push(Stated { code, exit_code, retryable, ..Stated::default() });
        }
    }
    for code in [
        "TOKEN_EXPIRED",
        "CREDENTIALS_EXPIRED",
        "AUTH_EXPIRED",
        "TOKEN_INVALID",
        "token_missing",
        "UNAUTHENTICATED",
        "AUTH_REQUIRED",
    ] {
        for idempotent in [false, true] {
            all.push(Stated { code, exit_code: 1, idempotent, ..Stated::default() });
        }
    }
    for alike in 0..12 {
        for (strategy, jitter) in [
            (Strategy::Exponential, 0.0),
            (Strategy::Exponential, 0.25),
            (Strategy::Exponential, 5.0),
            (Strategy::Exponential, -1.0),
            (Strategy::Linear, 0.0),
        ] {
            let (retryable, idempotent) = (Some(true), true);
            let strategy = Some(strategy);
            let stated = Stated { exit_code: 1, retryable, idempotent, ..Stated::default() };
            all.push(Stated { strategy, alike, jitter, ..stated });
        }
    }
    let linear = Some(Strategy::Linear);
    let stated =
        Stated { exit_code: 1, retryable: Some(true), idempotent: true, ..Stated::default() };
    all.push(Stated { alike: 400, strategy: linear, ..stated });
    all.iter().map(|stated| stated.to_json(contract)).collect()
}

/// A failure without a document.
#[derive(Clone, Copy)]
struct Stated {
    code: &'static str,
    exit_code: i32,
    retryable: Option<bool>,
    wait_ms: Option<u64>,
    strategy: Option<Strategy>,
    /// How often it failed like this before.
    alike: usize,
    jitter: f64,
    idempotent: bool,
}

impl Default for Stated {
    fn default() -> Stated {
        Stated {
            code: "X",
            exit_code: 1,
            retryable: None,
            wait_ms: None,
            strategy: None,
            alike: 0,
            jitter: 0.0,
            idempotent: false,
        }
    }
}

impl Stated {
    fn to_json(self, contract: &Contract) -> Value {
        let Stated { code, exit_code, retryable, wait_ms, strategy, alike, jitter, idempotent } =
            self;
        let error =
            ErrorObject { retryable, wait_ms, strategy, ..ErrorObject::new(code, "it failed") };
        let exit = contract.table.exits.row(exit_code).map_or(Exit::General, |row| row.exit);
        let exit = if exit.is_success() { Exit::General } else { exit };
        let envelope = Envelope::failure(exit, error);
        let status = match exit_code {
            signal if signal < 0 => Status::Signaled(-signal),
            // A failure that a caller made itself, without a number, is decided by its class.
            0 => Status::Exited(1),
            number => Status::Exited(number),
        };
        let exits = contract.table.exits;
        let answer = Answer { exits, ..Answer::from_envelope(&envelope, status) };
        let attempts = vec![Attempt { code: code.to_owned() }; alike];
        let done = History { attempts, ..History::default() };
        let policy = Policy { idempotent, jitter, retries: 500, ..Policy::default() };
        let decision = decide(&answer, &done, &policy);
        let mut expect = json!({ "row": decision.row.id, "action": decision.action.name() });
        if let Some(wait_ms) = decision.action.wait_ms() {
            expect["wait_ms"] = json!(wait_ms);
        }
        json!({
            "code": code,
            "exit_code": exit_code,
            "class": exit.name(),
            "retryable": retryable,
            "wait_ms": wait_ms,
            "strategy": strategy.map(Strategy::as_str),
            "alike": alike,
            "jitter": jitter,
            "idempotent": idempotent,
            "expect": expect,
        })
    }
}
