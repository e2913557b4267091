//! What code, source locale and target locales have that the others have not.

use crate::code::Code;
use crate::finding::Finding;
use crate::locale::{Locale, PLACEHOLDER, base, is_plural};
use crate::scan::Scan;
use crate::words::count;
use std::collections::{BTreeSet, HashSet};

/// The keys that the code names, each once, as the source locale would have them.
pub(crate) fn used_keys(scan: &Scan, source: &Locale) -> BTreeSet<String> {
    let keys = scan.observations.iter().map(|observation| source.resolve(&observation.key));
    keys.map(std::borrow::Cow::into_owned).collect()
}

/// The keys that the code names and a locale does not have.
pub(crate) fn missing_keys(scan: &Scan, source: &Locale) -> Vec<String> {
    let known = source.known();
    used_keys(scan, source).into_iter().filter(|key| !known.contains(key)).collect()
}

/// The texts of the source locale that a target has not, in the order of the source. A language has
/// its own plural forms: any of them will do.
pub(crate) fn lacking_texts(source: &Locale, target: &Locale) -> Vec<(String, String)> {
    let index = target.index();
    let plurals: HashSet<&str> =
        index.keys().filter(|key| is_plural(key)).map(|key| base(key)).collect();
    let is_there =
        |key: &str| index.contains_key(key) || (is_plural(key) && plurals.contains(base(key)));
    let texts = source.leaves().into_iter().filter_map(|(key, leaf)| Some((key, leaf.text?)));
    texts.filter(|(key, _)| !is_there(key)).map(|(key, text)| (key, text.to_owned())).collect()
}

/// The keys of a target locale that the source has not, but for other plural forms.
pub(crate) fn extra_keys(source: &Locale, target: &Locale) -> Vec<String> {
    let index = source.index();
    let plurals: HashSet<&str> =
        index.keys().filter(|key| is_plural(key)).map(|key| base(key)).collect();
    let keys = target.leaves().into_iter().map(|(key, _)| key);
    keys.filter(|key| !index.contains_key(key))
        .filter(|key| !(is_plural(key) && plurals.contains(base(key))))
        .collect()
}

/// The keys whose texts are not translated yet.
pub(crate) fn placeholder_keys(locale: &Locale) -> Vec<String> {
    let is_placeholder = |text: Option<&str>| text.is_some_and(|it| it.starts_with(PLACEHOLDER));
    let leaves = locale.leaves().into_iter();
    leaves.filter(|(_, leaf)| is_placeholder(leaf.text)).map(|(key, _)| key).collect()
}

/// That calls have computed keys, under the code that a command reports it with. Those in comments do
/// not run.
pub(crate) fn dynamic_sites(scan: &Scan, code: Code) -> Option<Finding> {
    let (active, _) = scan.dynamic_counts();
    let calls = count(active, "translation call");
    let message = format!("{calls} with a key that only a run knows");
    (active > 0).then(|| Finding::new(code, message))
}
