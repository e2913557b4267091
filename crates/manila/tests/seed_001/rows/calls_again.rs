//! Rows 15 to 25: whether to call again, when, and how often.

use crate::support::*;
use manila::json::FactKind;
use manila::{Action, Exit, Status};

// ---- 15 to 18: when to call again ----

#[test]
fn row_15_wait_stated() {
    let mut call = call(RATE_LIMITED, 11);
    call.does(15, retry(30_000));
    for (remaining, action) in [(30_000, retry(30_000)), (29_999, Action::GiveUp)] {
        call.policy.remaining_ms = Some(remaining);
        call.does(15, action);
    }
}

#[test]
fn row_15_wait_stated_in_milliseconds_by_the_newer_revision() {
    let more = r#","retryable":true,"retry_after_ms":250"#;
    call(failed_in("1.6", "X", more), 12).does(15, retry(250));
}

#[test]
fn row_15_wait_stated_beyond_all_numbers_does_not_wrap_around() {
    let more = r#","retryable":true,"retry_after":18446744073709551615"#;
    let mut call = call(failed("X", more), 11);
    call.does(15, retry(u64::MAX));
    call.policy.remaining_ms = Some(3_600_000);
    call.does(15, Action::GiveUp);
}

#[test]
fn row_15_wait_stated_by_a_lock_is_waited_for() {
    for (revision, wait) in [("1.0", r#""retry_after":2"#), ("1.6", r#""retry_after_ms":2000"#)] {
        for status in [4, 6] {
            for more in [format!(r#","retryable":true,{wait}"#), format!(",{wait}")] {
                let lock = call(failed_in(revision, "LOCK_HELD", &more), status);
                lock.does(15, retry(2_000));
                lock.after(&["LOCK_HELD"; 3]).does(25, Action::GiveUp);
            }
            // It says itself that waiting does not help, or not how long.
            let no = format!(r#","retryable":false,{wait}"#);
            call(failed_in(revision, "LOCK_HELD", &no), status).does(12, Action::GiveUp);
        }
        let forever = call(failed_in(revision, "LOCK_HELD", r#","retryable":true"#), 6);
        forever.does(21, Action::GiveUp);
    }
}

#[test]
fn row_16_rate_limited() {
    // It beats row 18.
    for more in ["", r#","retryable":true"#] {
        let mut call = call(failed("X", more), 11);
        call.does(16, retry(60_000));
        call.policy.remaining_ms = Some(59_999);
        call.does(16, Action::GiveUp);
    }
}

#[test]
fn row_17_unavailable() {
    let mut call = call(failed("X", ""), 12);
    call.policy.retries = 100;
    let doubling = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000];
    for (attempts, wait_ms) in doubling.into_iter().enumerate() {
        call = call.after(&vec!["X"; attempts]);
        call.does(17, retry(wait_ms));
    }
    call.after(&["X"; 99]).does(17, retry(300_000));
}

#[test]
fn row_17_unavailable_is_spread_by_jitter() {
    let mut call = call(failed("X", ""), 12).after(&["X"]);
    for (jitter, wait_ms) in
        [(0.0, 2_000), (0.25, 2_500), (1.0, 4_000), (9.0, 4_000), (-1.0, 2_000), (f64::NAN, 2_000)]
    {
        call.policy.jitter = jitter;
        call.does(17, retry(wait_ms));
    }
    // The cap holds for what the jitter adds too.
    call.policy.retries = 100;
    call.policy.jitter = 1.0;
    call.after(&["X"; 50]).does(17, retry(300_000));
}

#[test]
fn row_18_retryable() {
    let yes = r#","retryable":true"#;
    call(failed("X", yes), 3).does(18, correct_arguments(0));
    call(failed("X", yes), 1).does(18, retry(1_000));
    call(failed("X", yes), 4).does(18, retry(1_000));
    // The newer revision's ARG_ERROR is not retryable as it is.
    call(failed_in("1.6", "X", yes), 2).does(21, correct_arguments(0));
}

#[test]
fn row_18_retryable_follows_the_stated_strategy() {
    for (strategy, waits) in [
        ("immediate", [0, 0, 0]),
        ("linear_backoff", [1_000, 2_000, 3_000]),
        ("exponential_backoff", [1_000, 2_000, 4_000]),
    ] {
        let more = format!(r#","retryable":true,"retry_strategy":"{strategy}""#);
        for (attempts, wait_ms) in waits.into_iter().enumerate() {
            let call = call(failed_in("1.6", "X", &more), 1);
            call.after(&vec!["X"; attempts]).does(18, retry(wait_ms));
        }
    }
}

// ---- 19 to 22: when status and error do not agree on it ----

#[test]
fn row_19_retryable_absent() {
    // `agent` has the seed's whole table; here are the lines on which the revisions differ.
    call(failed("X", ""), 3).does(19, correct_arguments(0));
    call(failed("X", ""), 2).does(19, Action::InspectState);
    call(failed_in("1.6", "X", ""), 2).does(19, correct_arguments(0));
    call(failed_in("1.6", "X", ""), 3).does(19, Action::InspectState);
    for status in [5, 6, 7] {
        call(failed("X", ""), status).idempotent().does(19, Action::GiveUp);
    }
    call(failed("X", ""), 9).does(19, Action::Escalate);
}

#[test]
fn row_19_retryable_absent_reads_an_unmarked_two_or_three_as_the_unsafe_one() {
    let unmarked = |more: &str| failed("X", more).replace(r#","schema_version":"1.0""#, "");
    for status in [2, 3] {
        let ambiguous = call(unmarked(""), status);
        assert_eq!(ambiguous.exit(), Exit::PartialFailure);
        assert!(ambiguous.opened().facts.has(FactKind::AmbiguousStatus));
        ambiguous.does(19, Action::InspectState);
        let settled = call(unmarked(r#","phase":"validation""#), status);
        assert_eq!(settled.exit(), Exit::ArgError);
        settled.does(19, correct_arguments(0));
    }
}

#[test]
fn row_19_retryable_absent_believes_a_code_that_is_the_name_of_a_class() {
    for status in [2, 3] {
        let unmarked =
            |code: &str| call(failed(code, "").replace(r#","schema_version":"1.0""#, ""), status);
        let wrong = unmarked("ARG_ERROR");
        assert_eq!(wrong.exit(), Exit::ArgError);
        assert!(!wrong.opened().facts.has(FactKind::AmbiguousStatus));
        wrong.does(19, correct_arguments(0));
        let partial = unmarked("PARTIAL_FAILURE");
        assert_eq!(partial.exit(), Exit::PartialFailure);
        assert!(!partial.opened().facts.has(FactKind::AmbiguousStatus));
        partial.does(19, Action::InspectState);
        // The name of another class does not say which of the two it is.
        assert!(unmarked("NOT_FOUND").opened().facts.has(FactKind::AmbiguousStatus));
    }
}

#[test]
fn row_20_error_says_no() {
    for status in [3, 11, 12] {
        let no = failed("X", r#","retryable":false,"retry_after":1"#);
        call(no, status).idempotent().does(20, Action::GiveUp);
    }
}

#[test]
fn row_21_error_says_yes() {
    for more in [r#","retryable":true"#, r#","retryable":true,"retry_after":1"#] {
        for status in [5, 7] {
            call(failed("X", more), status).does(21, Action::GiveUp);
        }
        call(failed("X", more), 2).does(21, Action::InspectState);
    }
    call(failed("X", r#","retryable":true"#), 6).does(21, Action::GiveUp);
    // Unless the command is declared safe.
    for status in [2, 5, 6, 7] {
        call(failed("X", r#","retryable":true"#), status).idempotent().does(18, retry(1_000));
    }
}

#[test]
fn row_22_timeout() {
    for revision in ["1.0", "1.6"] {
        for more in ["", r#","retryable":true"#] {
            let call = call(failed_in(revision, "X", more), 10);
            call.does(22, Action::InspectState);
            assert_eq!(call.idempotent().action(), retry(1_000), "{revision} {more}");
        }
    }
    // Where no other row says how long, the waits grow.
    let again = call(failed_in("1.6", "X", ""), 10).idempotent().after(&["X", "X"]);
    again.does(22, retry(4_000));
}

// ---- 23 and 24: nothing but a number, or a number outside the table ----

#[test]
fn row_23_nothing_else() {
    for status in 1..=13 {
        call("Segmentation fault\n", status).idempotent().does(23, Action::InspectState);
    }
    call(failed("X", ""), 1).idempotent().does(23, Action::InspectState);
}

fn outside(status: i32) -> Action {
    match status {
        64..=78 => Action::GiveUp,
        // A Rust panic, and what `timeout` leaves behind.
        101 | 124 => Action::InspectState,
        79..=127 => Action::Escalate,
        _ => Action::InspectState,
    }
}

#[test]
fn row_24_outside_the_table() {
    for status in 14..=255 {
        for document in [String::new(), failed("X", "")] {
            call(document, status).does(24, outside(status));
        }
    }
    for signal in [1, 2, 6, 9, 11, 15] {
        ended("", Status::Signaled(signal)).does(24, Action::InspectState);
        ended(failed("X", ""), Status::Signaled(signal)).does(24, Action::InspectState);
    }
}

#[test]
fn row_24_outside_the_table_reads_reserved_statuses_as_one() {
    for status in 14..=63 {
        for more in ["", r#","retryable":true"#, r#","retryable":false"#] {
            let (one, reserved) = (call(failed("X", more), 1), call(failed("X", more), status));
            assert_eq!(reserved.exit(), Exit::General);
            assert_eq!(reserved.action(), one.action(), "{status} {more}");
        }
    }
}

#[test]
fn row_24_outside_the_table_assumes_partial_work_after_a_panic_or_a_kill() {
    let yes = failed("X", r#","retryable":true,"phase":"validation""#);
    call(&*yes, 101).does(24, Action::InspectState);
    for status in 129..=255 {
        call(&*yes, status).does(24, Action::InspectState);
    }
    ended(&*yes, Status::Signaled(15)).does(24, Action::InspectState);
}

#[test]
fn row_24_outside_the_table_does_not_retry_sysexits_although_the_error_says_so() {
    // The status says no retry and the error says retry: row 21, no retry unless declared safe.
    for status in 64..=78 {
        let more = r#","retryable":true"#;
        assert_eq!(call(failed("X", more), status).action(), Action::GiveUp, "status {status}");
    }
}

// ---- 25: the budget ----

#[test]
fn row_25_budget() {
    let mut call = call(RATE_LIMITED, 11).after(&["RATE_LIMIT_EXCEEDED"; 2]);
    call.does(15, retry(30_000));
    call = call.after(&["RATE_LIMIT_EXCEEDED"; 3]);
    call.does(25, Action::GiveUp);
    // Another code has its own budget.
    call.after(&["OTHER"; 9]).does(15, retry(30_000));
}

#[test]
fn row_25_budget_is_per_call_tree_and_not_per_hop() {
    let mut call = call(RATE_LIMITED, 11).after(&["RATE_LIMIT_EXCEEDED"; 3]);
    call.history.redirects = vec!["tool b".to_owned(), "tool c".to_owned()];
    call.history.cursors = vec!["p2".to_owned()];
    call.does(25, Action::GiveUp);
}

#[test]
fn row_25_budget_covers_every_row_that_retries() {
    let asks = [
        (failed("X", r#","retryable":true,"retry_after":1"#), 11, 15),
        (failed("X", ""), 11, 16),
        (failed("X", ""), 12, 17),
        (failed("X", r#","retryable":true"#), 4, 18),
        (failed("X", ""), 3, 19),
        (failed_in("1.6", "X", ""), 10, 22),
    ];
    for (document, status, row) in asks {
        let first = call(document, status).idempotent();
        assert_eq!(first.decision().row.number, row);
        assert!(first.action().wait_ms().is_some());
        first.after(&["X"; 3]).does(25, Action::GiveUp);
    }
}
