//! What to run next, as data.

use crate::words;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// A command that would help, and why.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Suggestion {
    /// What to do.
    kind: &'static str,
    /// Its stable identifier.
    id: &'static str,
    /// Why, for people.
    message: String,
    /// The commands.
    commands: Vec<&'static str>,
    /// The numbers behind it.
    data: BTreeMap<&'static str, usize>,
}

impl Suggestion {
    /// To add the keys that the source locale lacks; nothing if it lacks none.
    pub(crate) fn run_missing(count: usize) -> Option<Suggestion> {
        (count > 0).then(|| Suggestion {
            kind: "run_missing",
            id: "suggest.missing.literal_keys",
            message: format!("add {} to the source locale", words::count(count, "key")),
            commands: vec!["i18nprune missing"],
            data: BTreeMap::from([("missingCount", count)]),
        })
    }

    /// To give the target locales the keys that they lack; nothing if they lack none.
    pub(crate) fn run_sync(count: usize) -> Option<Suggestion> {
        (count > 0).then(|| Suggestion {
            kind: "run_sync",
            id: "suggest.sync.target_keys",
            message: format!("add {} to the target locales", words::count(count, "key")),
            commands: vec!["i18nprune sync"],
            data: BTreeMap::from([("missingCount", count)]),
        })
    }

    /// To find the texts that were copied and not translated; nothing if none was.
    pub(crate) fn run_quality(count: usize) -> Option<Suggestion> {
        (count > 0).then(|| Suggestion {
            kind: "run_quality",
            id: "suggest.quality.copied_texts",
            message: format!("translate {} that came from the source", words::count(count, "text")),
            commands: vec!["i18nprune quality"],
            data: BTreeMap::from([("copiedCount", count)]),
        })
    }
}
