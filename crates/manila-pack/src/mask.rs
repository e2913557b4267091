//! Text without secrets and without the home directory, so that a run can be shown to others.

use std::borrow::Cow;

/// The replacement for a secret.
pub const MASK: &str = "[MASKED]";

/// What the tokens of well-known services begin with, and how many characters follow at least.
const TOKENS: &[(&str, usize)] = &[
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("gldt-", 16),
    ("sk-", 20),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("rk_live_", 16),
    ("rk_test_", 16),
    ("xoxb-", 16),
    ("xoxp-", 16),
    ("xoxa-", 16),
    ("xoxr-", 16),
    ("xoxs-", 16),
    ("xapp-", 16),
    ("AKIA", 16),
    ("ASIA", 16),
    ("AIza", 30),
    ("ya29.", 16),
    ("npm_", 30),
    ("pypi-", 30),
    ("dckr_pat_", 16),
    ("hf_", 24),
    ("dop_v1_", 30),
    ("shpat_", 24),
    ("SG.", 30),
    ("hvs.", 20),
    ("eyJ", 30),
    ("AGE-SECRET-KEY-", 20),
    ("whsec_", 20),
    ("fo1_", 20),
    ("lin_api_", 20),
];

/// Names whose value is a secret: in `name=value`, `name: value`, and `--name value`.
const NAMES: &[&str] = &[
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "token",
    "secret",
    "api-key",
    "apikey",
    "api_key",
    "access-key",
    "access_key",
    "secret-key",
    "secret_key",
    "private-key",
    "private_key",
    "auth",
    "authorization",
    "credential",
    "credentials",
    "client-secret",
    "client_secret",
    "session",
    "cookie",
    "set-cookie",
    "x-api-key",
    "bearer",
];

/// Short options that take a secret, of programs that have no long one in wide use.
const SHORT: &[(&str, &str)] =
    &[("curl", "-u"), ("curl", "-b"), ("redis-cli", "-a"), ("sshpass", "-p")];

fn is_token_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_-.~+/=".contains(character)
}

/// A text without secrets, and with `/home/user` in the place of the home directory.
pub fn mask(text: &str, home: Option<&str>) -> String {
    let mut masked = String::with_capacity(text.len());
    text.split_inclusive('\n').for_each(|text| line(text, &mut masked));
    if masked.contains(KEY) {
        masked = private_keys(&masked);
    }
    match home.filter(|home| home.len() > 1) {
        Some(home) => masked.replace(home.trim_end_matches('/'), "/home/user"),
        None => masked,
    }
}

/// The words of a call without secrets: also what follows an option whose name says so.
pub fn mask_argv<S: AsRef<str>>(argv: &[S], home: Option<&str>) -> Vec<String> {
    let program = argv.first().map_or("", |word| word.as_ref());
    let program = program.rsplit('/').next().unwrap_or(program);
    let mut is_value = false;
    argv.iter()
        .map(|word| {
            let word = word.as_ref();
            if std::mem::take(&mut is_value) {
                return MASK.to_owned();
            }
            let name = word.trim_start_matches('-');
            let is_long = word.starts_with("--") && !word.contains('=') && is_secret_name(name);
            is_value = is_long || SHORT.contains(&(program, word));
            mask(word, home)
        })
        .collect()
}

/// Whether a name says that its value is a secret: `GITHUB_TOKEN`, `client-secret`.
pub fn is_secret_name(name: &str) -> bool {
    NAMES.iter().any(|known| {
        let before = name.len().checked_sub(known.len()).and_then(|at| name.split_at_checked(at));
        before.is_some_and(|(before, end)| {
            let is_whole = before.is_empty() || before.ends_with(['-', '_', '.', '"', '\'']);
            is_whole && end.eq_ignore_ascii_case(known)
        })
    })
}

/// Most lines have nothing to mask, and are copied once.
fn line(line: &str, masked: &mut String) {
    let mut line = tokens(line);
    if line.contains("://") {
        line = Cow::Owned(addresses(&line));
    }
    if line.contains([':', '=']) {
        masked.push_str(&values(&line));
    } else {
        masked.push_str(&line);
    }
}

/// The bytes with which tokens begin.
static BEGINS: [bool; 256] = {
    let mut begins = [false; 256];
    let mut at = 0;
    while at < TOKENS.len() {
        begins[TOKENS[at].0.as_bytes()[0] as usize] = true;
        at += 1;
    }
    begins
};

/// Tokens by how they begin.
fn tokens(line: &str) -> Cow<'_, str> {
    let bytes = line.as_bytes();
    let mut masked = String::new();
    let (mut copied, mut at) = (0, 0);
    while at < bytes.len() {
        let begins = BEGINS[usize::from(bytes[at])];
        let at_word = begins && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric());
        let length = if at_word { token_length(&bytes[at..]) } else { None };
        if let Some(length) = length {
            masked.push_str(&line[copied..at]);
            masked.push_str(MASK);
            copied = at + length;
            at = copied;
        } else {
            at += 1;
        }
    }
    if copied == 0 { Cow::Borrowed(line) } else { Cow::Owned(masked + &line[copied..]) }
}

/// The length of the token with which a text begins, if it does.
fn token_length(text: &[u8]) -> Option<usize> {
    let first = text.first()?;
    let mut begins = TOKENS.iter().filter(|(prefix, _)| prefix.as_bytes()[0] == *first);
    begins.find_map(|(prefix, least)| {
        let body = text.strip_prefix(prefix.as_bytes())?;
        let length = body.iter().take_while(|byte| is_token_character(char::from(**byte))).count();
        (length >= *least).then_some(prefix.len() + length)
    })
}

/// `https://user:password@host`.
fn addresses(line: &str) -> String {
    let mut masked = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        masked.push_str(before);
        let end = after.find(['/', ' ', '\'', '"', '\n', '?']).unwrap_or(after.len());
        rest = match after[..end].rfind('@') {
            Some(length) if after[..length].contains(':') || length > 20 => {
                masked.push_str(MASK);
                &after[length..]
            }
            _ => after,
        };
    }
    masked + rest
}

/// `password=…`, `"token": "…"`, `Authorization: Bearer …`.
fn values(line: &str) -> String {
    let mut masked = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find([':', '=']) {
        let (before, after) = rest.split_at(at + 1);
        masked.push_str(before);
        rest = after;
        let name = before[..at].trim_end_matches(['"', '\'', ' ']);
        let name = name.rsplit([' ', '\t', '{', ',', '(', '&', '?', ';']).next().unwrap_or(name);
        let name = name.trim_matches(['"', '\'', '-']);
        if !is_secret_name(name) || after.starts_with("//") {
            continue;
        }
        let value = after.trim_start_matches([' ', '"', '\'']);
        let skipped = after.len() - value.len();
        let scheme = ["Bearer ", "bearer ", "Basic ", "basic ", "token "];
        let scheme =
            scheme.iter().find(|scheme| value.starts_with(**scheme)).map_or(0, |it| it.len());
        let length = value[scheme..]
            .chars()
            .take_while(|c| is_token_character(*c) || "!@#$%^*:".contains(*c));
        let length: usize = length.map(char::len_utf8).sum();
        if length < 4 || value[scheme..].starts_with(MASK) {
            continue;
        }
        masked.push_str(&after[..skipped + scheme]);
        masked.push_str(MASK);
        rest = &value[scheme + length..];
    }
    masked + rest
}

/// What the first and the last line of a private key have.
const KEY: &str = "PRIVATE KEY-----";

/// The lines between `-----BEGIN … PRIVATE KEY-----` and its end.
fn private_keys(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        let is_key = line.contains(KEY);
        if is_key && line.contains("-----END") {
            inside = false;
        }
        if inside {
            masked.push_str(MASK);
            masked.push('\n');
        } else {
            masked.push_str(line);
        }
        if is_key && line.contains("-----BEGIN") {
            inside = true;
        }
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_passwords_and_headers_go() {
        for (text, masked) in [
            ("token ghp_0123456789abcdef0123456789abcdef0123", "token [MASKED]"),
            ("https://alice:hunter2@example.org/x", "https://[MASKED]@example.org/x"),
            ("https://example.org/x", "https://example.org/x"),
            ("password=hunter2 x", "password=[MASKED] x"),
            ("{\"access_token\": \"abcdef123456\"}", "{\"access_token\": \"[MASKED]\"}"),
            ("Authorization: Bearer abc.def.ghi", "Authorization: Bearer [MASKED]"),
            ("GITHUB_TOKEN=abcdefgh", "GITHUB_TOKEN=[MASKED]"),
            ("error: no such token", "error: no such token"),
            ("AKIAIOSFODNN7EXAMPLE1", "[MASKED]"),
            ("a ghp_0123456789abcdef0123 b sk-0123456789abcdef0123 c", "a [MASKED] b [MASKED] c"),
            ("Client-Secret: abcdefgh", "Client-Secret: [MASKED]"),
            ("éé\u{20ac}token=abcdefgh", "éé\u{20ac}token=abcdefgh"),
            ("x.token=abcdefgh", "x.token=[MASKED]"),
            (
                "fatal: could not read Password for 'http://x'",
                "fatal: could not read Password for 'http://x'",
            ),
        ] {
            assert_eq!(mask(text, None), masked, "{text}");
        }
        let key = "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\n";
        assert!(!mask(key, None).contains("abc"));
    }

    #[test]
    fn home_is_anyones() {
        assert_eq!(mask("/home/alice/x", Some("/home/alice")), "/home/user/x");
    }

    #[test]
    fn words_after_secret_options_go() {
        let argv = ["tool", "--token", "abc", "--password=abcdef", "--name", "x"];
        let masked = ["tool", "--token", MASK, "--password=[MASKED]", "--name", "x"];
        assert_eq!(mask_argv(&argv, None), masked);
        assert_eq!(mask_argv(&["curl", "-u", "a:b", "x"], None), ["curl", "-u", MASK, "x"]);
    }
}
