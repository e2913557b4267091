//! Values that never reach output, errors, debug logs or panics.

use crate::walk::is_called;
use manila::json::{Kind, Raw};
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use std::any::TypeId;
#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// The replacement for a secret.
pub const REDACTED: &str = "[REDACTED]";
/// Anything shorter occurs by chance, and taking it out would tear other words.
const SHORTEST: usize = 4;

/// Every secret this process has met.
static KNOWN: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// Whether there is any. Most programs have none, and every item of a stream asks.
static IS_ANY_KNOWN: AtomicBool = AtomicBool::new(false);

/// A value that is never shown: `#[arg(long)] token: Secret`.
///
/// Its own `Debug`, `Display` and `Serialize` write `[REDACTED]`, and wherever the value itself
/// turns up in an answer, in a message or in a panic, the boundary takes it out.
///
/// ```
/// use manila_clap::Secret;
///
/// let token = Secret::new("hunter2-hunter2");
/// assert_eq!(token.to_string(), "[REDACTED]");
/// assert_eq!(format!("{token:?}"), "[REDACTED]");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A secret that is already at hand.
    pub fn new(value: impl Into<String>) -> Secret {
        let value = value.into();
        remember(&value);
        Secret(value)
    }

    /// Reads one from `env:NAME` or `file:PATH` and nothing else, so that no secret stands among
    /// the arguments, which others can see: `#[arg(long, value_parser = Secret::by_reference)]`.
    pub fn by_reference(reference: &str) -> Result<Secret, String> {
        let value = match reference.split_once(':') {
            Some(("env", name)) => {
                std::env::var(name).map_err(|error| format!("{name}: {error}"))?
            }
            Some(("file", path)) => {
                let text =
                    std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
                text.trim_end_matches(['\n', '\r']).to_owned()
            }
            _ => {
                remember(reference);
                return Err("a secret is passed as env:NAME or file:PATH".to_owned());
            }
        };
        Ok(Secret::new(value))
    }

    /// The value itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl FromStr for Secret {
    type Err = std::convert::Infallible;

    fn from_str(value: &str) -> Result<Secret, Self::Err> {
        Ok(Secret::new(value))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(REDACTED)
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Secret {
    fn schema_name() -> Cow<'static, str> {
        "Secret".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}

pub(crate) fn remember(value: &str) {
    // Code that shows it may drop its control characters or break its lines: each part is as secret.
    for part in value.split(char::is_control).filter(|part| part.len() >= 2 * SHORTEST) {
        remember_exactly(part);
    }
    let is_shown = |letter: &char| !letter.is_control() || letter.is_whitespace();
    remember_exactly(&value.chars().filter(is_shown).collect::<String>());
    remember_exactly(value);
}

fn remember_exactly(value: &str) {
    if value.len() >= SHORTEST {
        let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !known.iter().any(|secret| secret == value) {
            // The longest first, so that one which contains another leaves nothing behind.
            let at = known.partition_point(|secret| secret.len() >= value.len());
            known.insert(at, value.to_owned());
            IS_ANY_KNOWN.store(true, SeqCst);
        }
    }
}

#[inline(never)]
fn known() -> Vec<String> {
    if !is_any_known() {
        return Vec::new();
    }
    KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
}

/// Whether the process has met a secret.
pub(crate) fn is_any_known() -> bool {
    IS_ANY_KNOWN.load(SeqCst)
}

/// Takes every known secret out of text.
#[inline(never)]
pub(crate) fn scrub(text: String) -> String {
    replaced(text, &known())
}

/// The same for bytes, which need not be text.
#[inline(never)]
pub(crate) fn scrub_bytes(bytes: Vec<u8>) -> Vec<u8> {
    bytes_without(bytes, &known())
}

fn bytes_without(bytes: Vec<u8>, known: &[String]) -> Vec<u8> {
    if known.is_empty() {
        return bytes;
    }
    match String::from_utf8(bytes) {
        Ok(text) => replaced(text, known).into_bytes(),
        // Where words begin and end in other bytes is not known.
        Err(error) => known
            .iter()
            .fold(error.into_bytes(), |bytes, secret| without_bytes(bytes, secret.as_bytes())),
    }
}

fn without_bytes(bytes: Vec<u8>, secret: &[u8]) -> Vec<u8> {
    let find = |from: &[u8]| from.windows(secret.len()).position(|window| window == secret);
    let Some(mut at) = find(&bytes) else { return bytes };
    let (mut rest, mut clean) = (bytes.as_slice(), Vec::with_capacity(bytes.len()));
    loop {
        clean.extend_from_slice(&rest[..at]);
        clean.extend_from_slice(REDACTED.as_bytes());
        rest = &rest[at + secret.len()..];
        match find(rest) {
            Some(next) => at = next,
            None => break,
        }
    }
    clean.extend_from_slice(rest);
    clean
}

/// Takes every known secret out of a payload: out of its texts, however they are spelled, and where it
/// is a number of its own.
#[inline(never)]
pub(crate) fn scrub_payload(payload: Raw) -> Raw {
    let known = known();
    if known.is_empty() { payload } else { without(&known, &payload) }
}

fn without(known: &[String], payload: &Raw) -> Raw {
    payload.with_texts(|kind, text| {
        let has_secret = known.iter().any(|secret| match kind {
            Kind::Number => secret == text,
            _ => occurrences(text, secret).next().is_some(),
        });
        has_secret.then(|| replaced(text.to_owned(), known))
    })
}

fn replaced(text: String, secrets: &[String]) -> String {
    secrets.iter().fold(text, |text, secret| {
        let (mut clean, mut end) = (String::new(), 0);
        for at in occurrences(&text, secret) {
            clean.push_str(&text[end..at]);
            clean.push_str(REDACTED);
            end = at + secret.len();
        }
        if end == 0 { text } else { clean + &text[end..] }
    })
}

/// Where a secret is in a text as a word of its own: `main` is not in `domain`.
fn occurrences<'t>(text: &'t str, secret: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_part = |letter: char| letter.is_alphanumeric();
    let begins = secret.chars().next().is_some_and(is_part);
    let ends = secret.chars().next_back().is_some_and(is_part);
    text.match_indices(secret).map(|(at, _)| at).filter(move |at| {
        let before = text[..*at].chars().next_back().is_some_and(is_part);
        let after = text[at + secret.len()..].chars().next().is_some_and(is_part);
        !(begins && before || ends && after)
    })
}

/// Remembers the values of secret arguments, as far as clap read them.
pub(crate) fn remember_matches(command: &clap::Command, matches: &clap::ArgMatches) {
    for arg in command.get_arguments().filter(|arg| is_secret(arg)) {
        let values = matches.try_get_raw(arg.get_id().as_str()).ok().flatten();
        values.into_iter().flatten().for_each(|value| remember(&value.to_string_lossy()));
    }
    let below = matches.subcommand().and_then(|(name, matches)| {
        command.find_subcommand(name).map(|command| (command, matches))
    });
    if let Some((command, matches)) = below {
        remember_matches(command, matches);
    }
}

#[inline(never)]
fn is_secret(arg: &clap::Arg) -> bool {
    arg.get_value_parser().type_id() == TypeId::of::<Secret>()
}

/// Remembers the secrets among arguments that clap could not make sense of.
pub(crate) fn remember_arguments(command: &clap::Command, words: &[OsString]) {
    let mut takes_next = false;
    for word in words {
        if std::mem::take(&mut takes_next) {
            remember(&word.to_string_lossy());
            continue;
        }
        let text = word.to_string_lossy();
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text.as_ref(), None),
        };
        let Some(name) = name.strip_prefix('-') else { continue };
        let is_option = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if !name.chars().all(is_option) || name.starts_with("--") {
            // It begins like an option and is none: where a secret has no flag it may be one.
            if each(command, &|arg| arg.is_positional() && is_secret(arg)) {
                remember(&text);
            }
        }
        let Some(long) = name.strip_prefix('-') else {
            takes_next |= remember_short(command, text.get(1..).unwrap_or_default());
            continue;
        };
        if !each(command, &|arg| is_called(arg, long) && is_secret(arg)) {
            continue;
        }
        match value {
            Some(value) => remember(value),
            None => takes_next = true,
        }
    }
}

/// Remembers what is joined to the short name of a secret argument; says whether it is the next word.
fn remember_short(command: &clap::Command, text: &str) -> bool {
    let is_it = |arg: &clap::Arg| {
        arg.get_short().is_some_and(|short| text.starts_with(short)) && is_secret(arg)
    };
    if !each(command, &is_it) {
        return false;
    }
    let joined: String = text.chars().skip(1).collect();
    if joined.is_empty() {
        return true;
    }
    remember(joined.strip_prefix('=').unwrap_or(&joined));
    // Joined to its letter it is not a separate argument.
    remember(&format!("-{text}"));
    false
}

fn each(command: &clap::Command, found: &dyn Fn(&clap::Arg) -> bool) -> bool {
    command.get_arguments().any(found) || command.get_subcommands().any(|sub| each(sub, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_keeps_words_that_contain_a_secret() {
        let known = ["main".to_owned()];
        let page = |bytes: &[u8]| bytes_without(bytes.to_vec(), &known);
        assert_eq!(page(b"main of domain\n"), b"[REDACTED] of domain\n");
        assert_eq!(page(b"\xff main\n"), b"\xff [REDACTED]\n");
    }

    // proves: F-051
    #[test]
    fn a_secret_is_never_formatted() {
        let secret = Secret::new("hunter2 \"quoted\"");
        assert_eq!(format!("{secret} {secret:?}"), "[REDACTED] [REDACTED]");
        assert_eq!(serde_json::to_string(&secret).expect("serialises"), "\"[REDACTED]\"");
        assert_eq!(scrub("a hunter2 \"quoted\" b".to_owned()), "a [REDACTED] b");
    }

    #[test]
    fn bytes_lose_their_secrets_and_nothing_else() {
        let shown = |bytes: &[u8]| without_bytes(bytes.to_vec(), b"hunter2");
        assert_eq!(shown(b"\xff hunter2hunter2 \xfe"), b"\xff [REDACTED][REDACTED] \xfe");
        assert_eq!(shown(b"hunter"), b"hunter");
    }

    // proves: F-034
    #[test]
    fn a_payload_without_its_secrets_is_still_one() {
        let known = ["\\back\"slash", "90210", "true"].map(str::to_owned);
        let payload = r#"{"a":"x \\back\"slash y","90210":90210,"n":902101,"t":"\"","u":true}"#;
        let clean = without(&known, &Raw::parse(payload).expect("valid"));
        let expected =
            r#"{"a":"x [REDACTED] y","[REDACTED]":"[REDACTED]","n":902101,"t":"\"","u":true}"#;
        assert_eq!(clean.as_str(), expected);
    }

    #[test]
    fn a_secret_is_taken_out_where_it_is_a_word_of_its_own() {
        let known = ["main".to_owned()];
        let clean = |text: &str| replaced(text.to_owned(), &known);
        assert_eq!(clean("domain main,mainly (main)"), "domain [REDACTED],mainly ([REDACTED])");
    }

    #[test]
    fn only_a_declared_argument_is_secret() {
        let secret = clap::Arg::new("key").long("key").value_parser(clap::value_parser!(Secret));
        let command = clap::Command::new("tool")
            .args([secret, clap::Arg::new("t").long("tokenizer")])
            .arg(clap::Arg::new("p").long("password-stdin").action(clap::ArgAction::SetTrue));
        let words =
            ["--tokenizer", "bpe-large", "--password-stdin", "input.txt", "--key", "k-4711x"];
        remember_arguments(&command, &words.map(OsString::from));
        let shown = scrub("bpe-large input.txt k-4711x".to_owned());
        assert_eq!(shown, "bpe-large input.txt [REDACTED]");
    }

    #[test]
    fn a_reference_is_followed_and_a_value_is_refused() {
        assert!(Secret::by_reference("file:/no/such/file").is_err());
        assert!(Secret::by_reference("env:NO_SUCH_VARIABLE_ANYWHERE").is_err());
        assert!(Secret::by_reference("a-literal-secret").is_err());
        assert_eq!(scrub("a-literal-secret".to_owned()), REDACTED);
    }
}
