//! Payloads that have no JSON form, are large, or are pages.

use crate::everywhere;
use crate::support::misbehave;
use manila::Exit;
use serde_json::Value;

// proves: F-016
#[test]
fn what_has_no_json_form_is_a_failure_in_every_dialect() {
    for line in ["path", "keys", "refuse"] {
        for run in everywhere(line) {
            run.run().fails_as(Exit::General, "SERIALIZATION_FAILED");
        }
    }
}

#[test]
fn a_number_that_is_none_is_null_in_every_dialect() {
    for run in everywhere("nan") {
        let ran = run.run();
        let envelope = ran.succeeds_quietly();
        let data = envelope.content().data.as_ref().expect("data").as_str().replace(' ', "");
        assert!(data.contains(r#""value":null"#), "{ran:?}");
    }
}

#[test]
fn a_failure_may_have_much_to_show() {
    for run in everywhere("big-failure 100000") {
        run.run().fails(Exit::PartialFailure);
    }
}

#[test]
fn what_is_said_twice_is_written_once() {
    for run in everywhere("twice") {
        run.run().succeeds();
    }
}

// proves: F-012
#[test]
fn a_time_limit_ends_an_answer_that_is_never_complete() {
    for line in ["loop-in-reply --timeout 200ms", "loop-in-reply --timeout 200ms --output plain"] {
        let ran = misbehave(line).start().ready().end();
        assert_eq!(ran.status.code(), Some(10), "{ran:?}");
    }
}

// proves: F-018
#[test]
fn pages_lead_from_one_to_the_next_and_meet_every_item_once() {
    let (mut seen, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let mut run = misbehave("page --limit 20");
        if let Some(cursor) = &cursor {
            run = run.arg("--cursor").arg(cursor);
        }
        let envelope = run.run().succeeds_quietly();
        let items: Value =
            serde_json::from_str(envelope.content().data.as_ref().expect("data").as_str())
                .expect("JSON");
        let ids = items.as_array().expect("a list").iter().map(|item| item["id"].as_u64());
        seen.extend(ids.map(|id| id.expect("a number")));
        cursor.clone_from(&envelope.meta().cursor);
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, (1..=45).collect::<Vec<_>>());
}
