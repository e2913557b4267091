//! Variables that are set for a call, and whether they can change what it does.

use crate::model::Model;
use crate::pattern::word_matches;

/// Variables that change words, colours and times, and nothing else.
const HARMLESS: &[&str] = &[
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "COLUMNS",
    "DEBIAN_FRONTEND",
    "FORCE_COLOR",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "LINES",
    "NO_COLOR",
    "PAGER=",
    "PAGER=cat",
    "RUST_BACKTRACE",
    "TERM",
    "TZ",
];

/// The first variable that is not known to be harmless.
pub(crate) fn harmful<'a>(
    assignments: &'a [(String, String)],
    model: Option<&Model<'_>>,
) -> Option<&'a str> {
    let is_harmless = |(name, value): &(String, String)| {
        let fits = |pattern: &str| match pattern.split_once('=') {
            Some((of, wanted)) => {
                word_matches(of, name, false) && word_matches(wanted, value, false)
            }
            None => word_matches(pattern, name, false),
        };
        let by_pack = model.is_some_and(|model| {
            let set = &model.environment.set.0;
            let is_set = set.iter().any(|(of, wanted)| **of == **name && **wanted == **value);
            is_set || model.environment.harmless.iter().any(|pattern| fits(pattern))
        });
        by_pack || HARMLESS.iter().any(|pattern| fits(pattern))
    };
    assignments.iter().find(|assignment| !is_harmless(assignment)).map(|(name, _)| name.as_str())
}

/// Why a variable makes the effect unknown.
pub(crate) fn why(name: &str) -> String {
    format!("the variable {name} may change what is executed")
}
