//! Rows 7 and 8: answers that are not the whole answer.

use super::{Action, Change, Row};

pub(super) static NOT_MODIFIED: Row = Row {
    number: 7,
    id: "not-modified",
    signal: "meta.not_modified is true",
    conclusion: "The cached answer still holds; this is not an error. Without one, ask again once \
                 without naming a version.",
    fires: |case| {
        if !case.success()?.meta().not_modified {
            return None;
        }
        Some(match (case.policy.cached, case.history.reissued) {
            (true, _) => (Action::UseCache, "nothing has changed since the kept answer".to_owned()),
            (false, false) => (
                Action::Retry { wait_ms: 0, change: Some(Change::WithoutEtag) },
                "nothing has changed, and there is no kept answer".to_owned(),
            ),
            (false, true) => {
                (Action::Escalate, "still `not modified` although no version was named".to_owned())
            }
        })
    },
};

pub(super) static TRUNCATED: Row = Row {
    number: 8,
    id: "truncated",
    signal: "meta.truncated or pagination says that there is more, or does not say whether",
    conclusion: "The data are incomplete: fetch every page before acting on any. Without a cursor, \
                 narrow the query; a cursor that comes again ends the walk.",
    fires: |case| {
        let envelope = case.success()?;
        if let Some(flag) = case.answer.claims.unclear {
            let reason = format!("{flag} is neither true nor false: the data may not be whole");
            return Some((Action::Escalate, reason));
        }
        if !envelope.meta().truncated {
            return None;
        }
        Some(match case.cursor() {
            None => (
                Action::Escalate,
                "the data are not all and there is no cursor: narrow the query".to_owned(),
            ),
            Some(cursor) if case.history.cursors.iter().any(|seen| seen == cursor) => {
                (Action::GiveUp, format!("the cursor {cursor:?} was already asked for"))
            }
            Some(cursor) => (
                Action::NextPage { cursor: cursor.to_owned() },
                "the data are not all: the rest begins at the cursor".to_owned(),
            ),
        })
    },
};
