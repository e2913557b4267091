//! Secrets that stand in arguments and texts: known token shapes, values of secret options and headers.

use std::borrow::Cow;

/// What stands in the place of a secret.
pub const MASK: &str = "[REDACTED]";

/// The beginnings of tokens that services give out, and how many characters follow at least.
#[rustfmt::skip]
const TOKENS: &[(&str, usize)] = &[
    ("ghp_", 20), ("gho_", 20), ("ghu_", 20), ("ghs_", 20), ("ghr_", 20), ("github_pat_", 20), ("glpat-", 16),
    ("xoxb-", 10), ("xoxp-", 10), ("xoxa-", 10), ("xoxr-", 10), ("xapp-", 10),
    ("sk-ant-", 16), ("sk-proj-", 16), ("sk-", 20), ("sk_live_", 12), ("sk_test_", 12), ("rk_live_", 12),
    ("AKIA", 16), ("ASIA", 16), ("AIza", 30), ("ya29.", 20), ("npm_", 30), ("pypi-", 30), ("hf_", 20),
    ("dop_v1_", 30), ("shpat_", 20), ("eyJ", 30),
];
/// The words that make an option, a header or a variable secret.
#[rustfmt::skip]
const SECRET_WORDS: &[&str] = &[
    "password", "passwd", "passphrase", "secret", "token", "apikey", "credential", "credentials", "cookie", "pat",
];
/// The pairs of words that do.
const SECRET_PAIRS: &[(&str, &str)] =
    &[("api", "key"), ("access", "key"), ("private", "key"), ("auth", "key"), ("secret", "key")];
/// What ends a name that is about a secret but does not hold one.
#[rustfmt::skip]
const HARMLESS_ENDS: &[&str] = &[
    "file", "path", "stdin", "kind", "type", "name", "id", "env", "ttl", "url", "uri", "format", "command", "count",
    "limit", "only", "prompt", "helper", "store", "ref",
];

/// The arguments with every secret masked.
pub fn mask_argv(argv: &[String]) -> Vec<String> {
    let mut masked = Vec::with_capacity(argv.len());
    let mut before: Option<&str> = None;
    for word in argv {
        masked.push(match before {
            Some(option) if is_secret_option(option) && !word.starts_with('-') => MASK.to_owned(),
            Some("-H" | "--header") => mask_header(word),
            Some("-u" | "--user" | "--proxy-user") => mask_after(word, ':'),
            _ => mask_word(word),
        });
        before = Some(word);
    }
    masked
}

fn mask_word(word: &str) -> String {
    if let Some((name, value)) = word.split_once('=') {
        let is_secret =
            if name.starts_with('-') { is_secret_option(name) } else { is_variable(name) };
        if is_secret && !value.is_empty() {
            return format!("{name}={MASK}");
        }
        if matches!(name, "--header") {
            return format!("{name}={}", mask_header(value));
        }
    }
    mask_text(word).into_owned()
}

fn is_variable(name: &str) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && name.bytes().all(is_name) && is_secret_name(name)
}

fn is_secret_option(option: &str) -> bool {
    let name =
        option.strip_prefix("--").or_else(|| option.strip_prefix('-').filter(|it| it.len() > 1));
    name.is_some_and(|name| !name.contains('=') && is_secret_name(name))
}

/// Whether a name of words stands for a secret value: `--auth-token` does, `--token-file` does not.
fn is_secret_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let words: Vec<&str> = lower.split(['-', '_', '.']).collect();
    if words.last().is_some_and(|last| HARMLESS_ENDS.contains(last)) {
        return false;
    }
    words.iter().any(|word| SECRET_WORDS.contains(word))
        || words.windows(2).any(|pair| SECRET_PAIRS.contains(&(pair[0], pair[1])))
}

fn mask_header(header: &str) -> String {
    let Some((name, _)) = header.split_once(':') else { return mask_text(header).into_owned() };
    let is_auth = ["authorization", "proxy-authorization"]
        .contains(&name.trim().to_ascii_lowercase().as_str());
    if is_auth || is_secret_name(name.trim()) || name.trim().eq_ignore_ascii_case("x-api-key") {
        return format!("{name}: {MASK}");
    }
    mask_text(header).into_owned()
}

fn mask_after(word: &str, separator: char) -> String {
    match word.split_once(separator) {
        Some((before, after)) if !after.is_empty() => format!("{before}{separator}{MASK}"),
        _ => mask_text(word).into_owned(),
    }
}

/// A text with every token and every password of an address masked.
pub fn mask_text(text: &str) -> Cow<'_, str> {
    let mut masked = String::new();
    let mut copied = 0;
    let mut at = 0;
    while at < text.len() {
        let Some(secret) = secret_at(text, at) else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        };
        masked.push_str(&text[copied..secret.start]);
        masked.push_str(MASK);
        copied = secret.end;
        at = secret.end;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    masked.push_str(&text[copied..]);
    Cow::Owned(masked)
}

/// The secret that a text has at this byte, if a secret begins or is announced here.
fn secret_at(text: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let rest = &text[at..];
    let is_inside_word = text[..at]
        .bytes()
        .next_back()
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if let Some(rest) = rest.strip_prefix("://") {
        // The password of an address: `://user:password@host`.
        let authority = rest.find(['/', '?', '#', ' ', '"', '\'', '\n']).unwrap_or(rest.len());
        let end = rest[..authority].rfind('@')?;
        let colon = rest[..end].find(':')?;
        return (colon + 1 < end).then(|| at + 3 + colon + 1..at + 3 + end);
    }
    if is_inside_word {
        return None;
    }
    for scheme in ["Bearer ", "bearer "] {
        if let Some(rest) = rest.strip_prefix(scheme) {
            let length = token_length(rest);
            return (length >= 8).then(|| at + scheme.len()..at + scheme.len() + length);
        }
    }
    TOKENS.iter().find_map(|(prefix, least)| {
        let length = token_length(rest.strip_prefix(prefix)?);
        (length >= *least).then(|| at..at + prefix.len() + length)
    })
}

fn token_length(text: &str) -> usize {
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.+/=~".contains(byte);
    text.bytes().take_while(|byte| is_token(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(line: &[&str]) -> String {
        let argv: Vec<String> = line.iter().map(|word| (*word).to_owned()).collect();
        mask_argv(&argv).join(" ")
    }

    #[test]
    fn values_of_secret_options_headers_and_variables_are_masked() {
        for line in [
            &["t", "--token", "hush-hush"][..],
            &["t", "--auth-token=hush-hush"],
            &["curl", "-H", "Authorization: Basic hush-hush"],
            &["curl", "--header", "X-Api-Key: hush-hush"],
            &["curl", "-u", "me:hush-hush", "http://localhost"],
            &["env", "GH_TOKEN=hush-hush", "gh"],
            &["git", "clone", "https://me:hush-hush@localhost/x"],
            &["t", "--api-key", "hush-hush"],
        ] {
            let shown = masked(line);
            assert!(!shown.contains("hush-hush") && shown.contains(MASK), "{shown}");
        }
    }

    #[test]
    fn names_that_only_mention_a_secret_are_left_alone() {
        for line in [
            &["t", "--token-file", "x.txt"][..],
            &["t", "--tokenizer", "bpe"],
            &["t", "--password-stdin", "x"],
            &["t", "--token-kind", "jwt"],
            &["t", "--max-tokens", "100"],
            &["curl", "-H", "Accept: text/plain"],
            &["git", "clone", "https://localhost/x"],
            &["git", "clone", "git@localhost:x/y"],
        ] {
            assert_eq!(masked(line), line.join(" "));
        }
    }

    #[test]
    fn tokens_are_masked_wherever_they_stand() {
        let token = format!("ghp_{}", "a1".repeat(18));
        let shown = mask_text(&format!("fatal: {token} is wrong, {token}")).into_owned();
        assert_eq!(shown, format!("fatal: {MASK} is wrong, {MASK}"));
        assert_eq!(mask_text("a task-list and sk-short"), "a task-list and sk-short");
        assert_eq!(
            mask_text("Authorization: Bearer abcdefgh12345"),
            format!("Authorization: Bearer {MASK}")
        );
        assert_eq!(mask_text("ünïcödé"), "ünïcödé");
    }
}
