//! Values that never reach output, errors, debug logs or panics.

use manila::json::{Kind, Raw};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use std::any::TypeId;
use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::str::FromStr;
use std::sync::Mutex;

/// What stands in the place of a secret.
pub const REDACTED: &str = "[REDACTED]";
/// Anything shorter occurs by chance, and taking it out would tear other words.
const SHORTEST: usize = 4;

/// Every secret this process has met.
static KNOWN: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// A value that is shown to nobody: `#[arg(long)] token: Secret`.
///
/// Its own `Debug`, `Display` and `Serialize` write `[REDACTED]`, and wherever the value itself
/// turns up in an answer, in a message or in a panic, the boundary takes it out.
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

    /// The value, for whoever needs it.
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

impl JsonSchema for Secret {
    fn schema_name() -> Cow<'static, str> {
        "Secret".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}

pub(crate) fn remember(value: &str) {
    // Whoever shows it may drop its control characters or break its lines: each part is as secret.
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
            known.push(value.to_owned());
            // The longest first, so that one which contains another leaves nothing behind.
            known.sort_unstable_by_key(|secret| std::cmp::Reverse(secret.len()));
        }
    }
}

fn known() -> Vec<String> {
    KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
}

/// Takes every known secret out of text.
#[inline(never)]
pub(crate) fn scrub(text: String) -> String {
    replaced(text, &known())
}

/// Takes every known secret out of a payload: out of its texts, however they are spelled, and where it
/// is a number of its own.
pub(crate) fn scrub_payload(payload: Raw) -> Raw {
    let known = known();
    if known.is_empty() { payload } else { without(&known, &payload) }
}

fn without(known: &[String], payload: &Raw) -> Raw {
    payload.with_texts(|kind, text| {
        let is_told = known.iter().any(|secret| match kind {
            Kind::Number => secret == text,
            _ => text.contains(secret.as_str()),
        });
        is_told.then(|| replaced(text.to_owned(), known))
    })
}

fn replaced(text: String, secrets: &[String]) -> String {
    secrets.iter().fold(text, |text, secret| {
        if text.contains(secret.as_str()) { text.replace(secret.as_str(), REDACTED) } else { text }
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

fn is_secret(arg: &clap::Arg) -> bool {
    let is_typed = arg.get_value_parser().type_id() == TypeId::of::<Secret>();
    is_typed || arg.get_long().is_some_and(sounds_secret)
}

/// The text without an end that may be the beginning of a secret which was cut off.
pub(crate) fn without_cut(text: &str) -> &str {
    let begins = |end: &str| known().iter().any(|secret| secret.starts_with(end));
    let starts = text.char_indices().map(|(at, _)| at);
    let cut = starts.into_iter().find(|at| begins(&text[*at..]));
    &text[..cut.unwrap_or(text.len())]
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
        // A word that begins like an option and is none may be anything, for instance a key.
        if !name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
            || name.starts_with("--")
        {
            remember(&text);
            continue;
        }
        let long = name.strip_prefix('-');
        let secret = long.is_some_and(sounds_secret)
            || each(command, &|arg| {
                let named = match long {
                    Some(long) => arg.get_long() == Some(long),
                    None => arg.get_short().is_some_and(|short| name.starts_with(short)),
                };
                named && is_secret(arg)
            });
        match (secret, value) {
            (true, Some(value)) => remember(value),
            (true, None) => takes_next = true,
            (false, _) => {}
        }
    }
}

/// Whether a flag of this name takes a secret, as everybody would understand it.
fn sounds_secret(name: &str) -> bool {
    let words = ["token", "password", "passphrase", "secret", "api-key", "apikey", "credential"];
    words.iter().any(|word| name.contains(word))
}

fn each(command: &clap::Command, found: &dyn Fn(&clap::Arg) -> bool) -> bool {
    command.get_arguments().any(found) || command.get_subcommands().any(|sub| each(sub, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_shows_itself_to_nobody() {
        let secret = Secret::new("hunter2 \"quoted\"");
        assert_eq!(format!("{secret} {secret:?}"), "[REDACTED] [REDACTED]");
        assert_eq!(serde_json::to_string(&secret).expect("serialises"), "\"[REDACTED]\"");
        assert_eq!(scrub("a hunter2 \"quoted\" b".to_owned()), "a [REDACTED] b");
    }

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
    fn a_reference_is_followed_and_a_value_is_refused() {
        assert!(Secret::by_reference("file:/no/such/file").is_err());
        assert!(Secret::by_reference("env:NO_SUCH_VARIABLE_ANYWHERE").is_err());
        assert!(Secret::by_reference("a-literal-secret").is_err());
        assert_eq!(scrub("a-literal-secret".to_owned()), REDACTED);
    }
}
