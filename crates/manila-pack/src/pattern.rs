//! Patterns: `*` in words, and whole-line patterns with captures.
//!
//! A line pattern is anchored at both ends by construction. Between two free texts stands a chunk of
//! literals and numbers, which matches at a place in one way only, so that the leftmost match of each
//! chunk is enough and no input makes matching slow.

use crate::text::Text;

/// Whether a word matches a pattern in which `*` stands for any text.
pub(crate) fn word_matches(pattern: &str, word: &str, ignore_case: bool) -> bool {
    if ignore_case {
        return word_matches(&pattern.to_lowercase(), &word.to_lowercase(), false);
    }
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == word };
    let Some(mut word) = word.strip_prefix(head) else { return false };
    let mut rest = rest;
    while let Some((middle, after)) = rest.split_once('*') {
        let Some(at) = word.find(middle) else { return false };
        word = &word[at + middle.len()..];
        rest = after;
    }
    word.ends_with(rest)
}

/// Whether a word matches one of several patterns.
pub(crate) fn any_word_matches(patterns: &[Text<'_>], word: &str, ignore_case: bool) -> bool {
    patterns.iter().any(|pattern| word_matches(pattern, word, ignore_case))
}

/// The captures that must be numbers, and what one of each is in milliseconds.
const TIMES: &[(&str, f64)] =
    &[("milliseconds", 1.0), ("seconds", 1_000.0), ("minutes", 60_000.0), ("hours", 3_600_000.0)];

/// Whether what is captured by this name must be a number.
pub(crate) fn is_number(name: &str) -> bool {
    name == "http" || TIMES.iter().any(|(time, _)| *time == name)
}

/// What is no literal in a line pattern.
pub(crate) const SPECIAL: [char; 3] = ['*', '{', '\\'];

/// The text with which each line begins that a pattern matches, as far as it is seen without parsing.
pub(crate) fn literal_head(pattern: &str) -> &str {
    let is_special = |byte: u8| SPECIAL.contains(&char::from(byte));
    &pattern[..pattern.bytes().position(is_special).unwrap_or(pattern.len())]
}

/// The longest text that is certain to be in each line that a pattern matches.
pub(crate) fn longest_literal(pattern: &str) -> &str {
    // What is between braces may be a name; what follows them is a literal.
    let parts = pattern.split(SPECIAL).filter_map(|part| part.split('}').next_back());
    parts.max_by_key(|part| part.len()).unwrap_or("")
}

/// A piece of a line pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece<'p> {
    Literal(&'p str),
    /// Any text; with a name, at least one character of it.
    Free(Option<&'p str>),
    /// Exactly three digits.
    Http,
    /// A number.
    Number(&'p str),
}

/// A pattern of a whole line.
#[derive(Clone, Debug)]
pub(crate) struct LinePattern<'p> {
    pieces: Vec<Piece<'p>>,
}

/// Why a text is not a line pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadPattern {
    Empty,
    /// Two free texts have nothing between them.
    Adjacent,
    /// A brace does not close.
    OpenBrace,
    /// It is only free text and would match every line.
    MatchesAll,
}

impl BadPattern {
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            BadPattern::Empty => "the pattern is empty",
            BadPattern::Adjacent => "two free texts have nothing between them",
            BadPattern::OpenBrace => "a `{` does not close",
            BadPattern::MatchesAll => "it would match every line",
        }
    }
}

impl<'p> LinePattern<'p> {
    /// A brace that does not enclose a name of letters, digits, `-` and `_` is itself, as is what
    /// follows a backslash.
    pub(crate) fn parse(text: &'p str) -> Result<LinePattern<'p>, BadPattern> {
        let mut pieces = Vec::new();
        let mut literal = 0;
        let mut at = 0;
        let bytes = text.as_bytes();
        while at < bytes.len() {
            let (piece, end) = match bytes[at] {
                b'\\' if matches!(bytes.get(at + 1), Some(b'*' | b'{' | b'\\')) => {
                    if literal < at {
                        pieces.push(Piece::Literal(&text[literal..at]));
                    }
                    literal = at + 1;
                    at += 2;
                    continue;
                }
                b'*' => (Piece::Free(None), at + 1),
                b'{' => match capture(&text[at..]) {
                    Some(name) => (Piece::named(name), at + name.len() + 2),
                    None if !text[at..].contains('}')
                        && at + 1 < bytes.len()
                        && bytes[at + 1].is_ascii_lowercase() =>
                    {
                        return Err(BadPattern::OpenBrace);
                    }
                    None => {
                        at += 1;
                        continue;
                    }
                },
                _ => {
                    at += 1;
                    continue;
                }
            };
            if literal < at {
                pieces.push(Piece::Literal(&text[literal..at]));
            }
            let after_free = matches!(pieces.last(), Some(Piece::Free(_)));
            if after_free && matches!(piece, Piece::Free(_)) {
                return Err(BadPattern::Adjacent);
            }
            pieces.push(piece);
            at = end;
            literal = end;
        }
        if literal < bytes.len() {
            pieces.push(Piece::Literal(&text[literal..]));
        }
        match pieces.as_slice() {
            [] => Err(BadPattern::Empty),
            [Piece::Free(_)] => Err(BadPattern::MatchesAll),
            _ => Ok(LinePattern { pieces }),
        }
    }

    /// Whether it begins with free text.
    pub(crate) fn is_unanchored(&self) -> bool {
        !matches!(self.pieces.first(), Some(Piece::Literal(_)))
    }

    /// The names that it captures.
    pub(crate) fn captures(&self) -> impl Iterator<Item = &'p str> + '_ {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Free(name) => *name,
            Piece::Http => Some("http"),
            Piece::Number(name) => Some(*name),
            Piece::Literal(_) => None,
        })
    }

    /// The captures of a line, if it matches.
    pub(crate) fn matches<'t>(&self, line: &'t str) -> Option<Captures<'p, 't>> {
        let mut captures = Vec::new();
        let mut at = 0;
        let mut pieces = self.pieces.as_slice();
        let chunk_end = |pieces: &[Piece<'p>]| {
            pieces.iter().position(|piece| matches!(piece, Piece::Free(_))).unwrap_or(pieces.len())
        };
        let first = chunk_end(pieces);
        at += chunk_at(&pieces[..first], line, &mut captures)?;
        pieces = &pieces[first..];
        while let [Piece::Free(name), rest @ ..] = pieces {
            let end = chunk_end(rest);
            let (chunk, after) = rest.split_at(end);
            let character = line[at..].chars().next().map_or(1, char::len_utf8);
            let begins = if name.is_some() { at + character } else { at };
            let (start, length, found) = if chunk.is_empty() {
                (line.len(), 0, Vec::new())
            } else {
                find_chunk(chunk, line, begins, after.is_empty())?
            };
            if start < begins {
                return None;
            }
            if let Some(name) = name {
                captures.push((*name, &line[at..start]));
            }
            captures.extend(found);
            at = start + length;
            pieces = after;
        }
        (at == line.len()).then_some(Captures(captures))
    }
}

impl<'p> Piece<'p> {
    fn named(name: &'p str) -> Piece<'p> {
        match name {
            "http" => Piece::Http,
            _ if is_number(name) => Piece::Number(name),
            _ => Piece::Free(Some(name)),
        }
    }
}

/// The name in the braces with which a text begins.
fn capture(text: &str) -> Option<&str> {
    let (name, _) = text.strip_prefix('{')?.split_once('}')?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    let begins = name.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
    (begins && name.bytes().all(is_name)).then_some(name)
}

/// How many bytes of a text's beginning a chunk takes.
fn chunk_at<'p, 't>(
    chunk: &[Piece<'p>],
    text: &'t str,
    captures: &mut Vec<(&'p str, &'t str)>,
) -> Option<usize> {
    let mut at = 0;
    for piece in chunk {
        let rest = &text[at..];
        match piece {
            Piece::Literal(literal) => {
                rest.starts_with(literal).then_some(())?;
                at += literal.len();
            }
            Piece::Http => {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                (digits == 3).then_some(())?;
                captures.push(("http", &rest[..digits]));
                at += digits;
            }
            Piece::Number(name) => {
                let whole = rest.bytes().take_while(u8::is_ascii_digit).count();
                (whole > 0).then_some(())?;
                let fraction = match rest[whole..].strip_prefix('.') {
                    Some(after) => after.bytes().take_while(u8::is_ascii_digit).count(),
                    None => 0,
                };
                let length = whole + if fraction > 0 { 1 + fraction } else { 0 };
                captures.push((name, &rest[..length]));
                at += length;
            }
            Piece::Free(_) => return None,
        }
    }
    Some(at)
}

type Found<'p, 't> = (usize, usize, Vec<(&'p str, &'t str)>);

/// The first place from `begins` on where a chunk matches, or the one that reaches the end.
fn find_chunk<'p, 't>(
    chunk: &[Piece<'p>],
    line: &'t str,
    begins: usize,
    to_the_end: bool,
) -> Option<Found<'p, 't>> {
    let mut from = begins;
    if let ([Piece::Literal(literal)], true) = (chunk, to_the_end) {
        // The end is the only place it can match.
        from = from.max(line.len().checked_sub(literal.len())?);
    }
    while from <= line.len() {
        let start = match chunk.first() {
            Some(Piece::Literal(literal)) => from + line.get(from..)?.find(literal)?,
            _ => from + line.get(from..)?.find(|c: char| c.is_ascii_digit())?,
        };
        let mut captures = Vec::new();
        // A number begins at its first digit.
        let inside_number = !matches!(chunk.first(), Some(Piece::Literal(_)))
            && start > begins
            && line.as_bytes()[start - 1].is_ascii_digit();
        if !inside_number
            && let Some(length) = chunk_at(chunk, &line[start..], &mut captures)
            && (!to_the_end || start + length == line.len())
        {
            return Some((start, length, captures));
        }
        from = start + line[start..].chars().next().map_or(1, char::len_utf8);
    }
    None
}

/// What a pattern captured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Captures<'p, 't>(Vec<(&'p str, &'t str)>);

impl<'p, 't> Captures<'p, 't> {
    pub(crate) fn get(&self, name: &str) -> Option<&'t str> {
        self.0.iter().find(|(of, _)| *of == name).map(|(_, text)| *text)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'p str, &'t str)> + '_ {
        self.0.iter().copied()
    }

    /// The wait that the captured times add up to.
    #[cfg(test)]
    pub(crate) fn wait_ms(&self) -> Option<u64> {
        wait_ms(self.iter())
    }
}

/// The wait that captured times add up to.
pub(crate) fn wait_ms<'t>(captures: impl Iterator<Item = (&'t str, &'t str)>) -> Option<u64> {
    let mut total = None;
    for (name, text) in captures {
        if let Some((_, unit)) = TIMES.iter().find(|(time, _)| *time == name) {
            let number: f64 = text.parse().ok()?;
            total = Some(total.unwrap_or(0.0) + number * unit);
        }
    }
    // A number that no clock has saturates.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    total.map(|total| total.ceil() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched<'a>(pattern: &'a str, line: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
        let pattern = LinePattern::parse(pattern).expect("a pattern");
        pattern.matches(line).map(|captures| captures.0)
    }

    #[test]
    fn words_have_stars() {
        assert!(word_matches("describe-*", "describe-instances", false));
        assert!(word_matches("*=*", "a=b", false));
        assert!(!word_matches("*=*", "ab", false));
        assert!(word_matches("a*b*c", "aXbYc", false));
        assert!(!word_matches("ab*ba", "aba", false));
        assert!(word_matches("GET", "get", true));
    }

    #[test]
    fn literals_are_seen_without_parsing() {
        assert_eq!(literal_head("fatal: {message}"), "fatal: ");
        assert_eq!(literal_head(r"\*\*\* x"), "");
        assert_eq!(longest_literal("* ERROR {http}: *"), " ERROR ");
        assert_eq!(longest_literal("*{seconds} seconds"), " seconds");
        assert_eq!(longest_literal("{\"a\":*"), "\"a\":");
    }

    #[test]
    fn a_line_matches_as_a_whole() {
        let pattern = "fatal: unable to access '*': The requested URL returned error: {http}";
        let line = "fatal: unable to access 'http://x/': The requested URL returned error: 429";
        assert_eq!(matched(pattern, line), Some(vec![("http", "429")]));
        assert_eq!(matched(pattern, &format!("{line}9")), None);
        assert_eq!(matched(pattern, &format!("x{line}")), None);
        assert_eq!(matched("fatal: {message}", "fatal: "), None);
        assert_eq!(matched("fatal: {message}", "fatal: x"), Some(vec![("message", "x")]));
    }

    #[test]
    fn the_last_chunk_is_anchored_although_it_also_stands_before() {
        assert_eq!(matched("a*b", "a b b"), Some(vec![]));
        assert_eq!(matched("a{x}b", "abb"), Some(vec![("x", "b")]));
        assert_eq!(matched("a*{http}", "a 1234 500"), Some(vec![("http", "500")]));
        assert_eq!(matched("a*{http}", "a 1500"), None);
    }

    #[test]
    fn a_backslash_makes_a_star_itself() {
        assert_eq!(matched(r"\*\*\* {message}", "*** x"), Some(vec![("message", "x")]));
        assert_eq!(matched(r"a\*b", "aXb"), None);
        assert_eq!(matched(r"C:\x", r"C:\x"), Some(vec![]));
    }

    #[test]
    fn times_add_up() {
        let pattern = LinePattern::parse("try again in {minutes}m{seconds}s").expect("a pattern");
        let captures = pattern.matches("try again in 2m1.5s").expect("it matches");
        assert_eq!(captures.wait_ms(), Some(121_500));
    }

    #[test]
    fn what_is_no_pattern_says_why() {
        assert_eq!(LinePattern::parse("a*{x}").err(), Some(BadPattern::Adjacent));
        assert_eq!(LinePattern::parse("").err(), Some(BadPattern::Empty));
        assert_eq!(LinePattern::parse("{message}").err(), Some(BadPattern::MatchesAll));
        assert_eq!(LinePattern::parse("a {message").err(), Some(BadPattern::OpenBrace));
        assert!(LinePattern::parse("{\"a\":1}").is_ok());
    }
}
