//! What must stay secret: canaries in place of secrets, and where they turn up.

pub(super) mod secret_as_argument;
pub(super) mod secret_echoed;
pub(crate) mod secret_in_debug;
pub(super) mod secret_in_output;

use crate::rule::evidence::ObservedRun;
use crate::rule::verdict::Finding;
use crate::surface::model::Flag;
use manila::Stream;

/// A finding about a value in what a run wrote; nothing if it is not there.
fn leak(seen: &ObservedRun<'_>, value: &str, whose: &str) -> Option<Finding> {
    for stream in [Stream::Stdout, Stream::Stderr] {
        if let Some(at) = position(seen.run.transcript.stream(stream), value) {
            let message = format!("{} prints {whose} on {stream}", seen.called());
            return Some(Finding::new(seen, message).at(seen, stream, at..at + value.len()));
        }
    }
    let file = seen.run.wrote.iter().find(|file| position(&file.head, value).is_some())?;
    let message =
        format!("{} writes {whose} into {} in {}", seen.called(), file.path, file.place.as_str());
    Some(Finding::new(seen, message))
}

fn position(bytes: &[u8], value: &str) -> Option<usize> {
    bytes.windows(value.len()).position(|window| window == value.as_bytes())
}

/// Words that name a secret.
const SECRETS: &[&str] = &["token", "password", "passwd", "secret", "passphrase", "credential"];
/// Words that say that the value is not the secret but leads to it, or is about it.
const LEADING: &[&str] = &[
    "file",
    "path",
    "env",
    "stdin",
    "fd",
    "name",
    "id",
    "command",
    "cmd",
    "helper",
    "var",
    "limit",
    "count",
    "offset",
    "budget",
    "max",
    "min",
    "ttl",
    "type",
    "url",
    "expiry",
    "length",
    "per",
    "tokens",
    "no",
    "show",
    "unmask",
    "spec",
    "kind",
    "format",
    "source",
    "provider",
    "scope",
    "scopes",
    "mode",
    "manager",
    "store",
    "backend",
    "size",
    "symbol",
    "separator",
    "prefix",
    "suffix",
];

/// Whether a flag takes a secret as its value.
fn takes_secret(flag: &Flag) -> bool {
    let Some(long) = &flag.long else { return false };
    let words: Vec<String> = long.split(['-', '_']).map(str::to_ascii_lowercase).collect();
    let is = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    let is_key = long.contains("api-key") || long.contains("apikey") || long.contains("api_key");
    // A secret of some system may be named by it: `--secret map`, `--secret id=…`.
    let value = flag.value.as_deref().unwrap_or_default().to_ascii_lowercase();
    let is_a_name =
        words == ["secret"] && !["secret", "value", "string", "text"].contains(&&*value);
    // `--secret-rm`, and "Secrets to expose to the build", are about some that the system has.
    let about = flag.about.to_ascii_lowercase();
    let is_kept = is(&["rm", "remove", "add"]) || about.contains("expose");
    let is_one = (is(SECRETS) || is_key) && !is(LEADING) && !is_a_name && !is_kept;
    flag.value.is_some() && !flag.is_number && is_one
}
