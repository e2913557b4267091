//! Owns: the changes of a source, one at a time: comparisons, conditions, constants and rows of tables.

use std::collections::BTreeMap;
use std::ops::Range;

/// How the rules of a language are spelled.
pub(crate) struct Grammar {
    /// Operators and names, and what each is turned into.
    pub turns: &'static [(&'static str, &'static str)],
    /// What says that something holds, and that it does not.
    pub flags: (&'static str, &'static str),
    /// A condition that never holds, and one that always does; `{}` is the condition that was there.
    pub conditions: (&'static str, &'static str),
    /// Where a text of several lines begins, and where it ends.
    pub text: (&'static str, &'static str),
    pub comment: &'static str,
    pub quotes: &'static [char],
    /// Whether a single quote may begin the name of a lifetime.
    pub lifetimes: bool,
    /// What a line has that declares types, which no test can try.
    pub types: &'static [&'static str],
}

/// A source with one changed line.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// The number of the line, from 0.
    pub line: usize,
    pub text: String,
}

impl Change {
    /// The whole source with the change.
    pub(crate) fn apply(&self, source: &str) -> String {
        let line = |(number, line)| if number == self.line { self.text.as_str() } else { line };
        source.lines().enumerate().map(|it| format!("{}\n", line(it))).collect()
    }
}

/// Every change of a source, by the block that it is in and what the changed line says.
pub(crate) fn changes(source: &str, grammar: &Grammar) -> BTreeMap<String, Change> {
    let mut found: BTreeMap<String, Change> = BTreeMap::new();
    let mut in_text = false;
    let mut block = "";
    for (number, line) in source.lines().enumerate() {
        if in_text {
            in_text = !line.contains(grammar.text.1);
            continue;
        }
        let (open, close) = grammar.text;
        in_text = if open == close {
            line.matches(open).count() % 2 == 1
        } else {
            line.contains(open) && !line.contains(close)
        };
        let code = line.trim_start();
        if code.len() == line.len() && !code.is_empty() && !code.starts_with(['}', ')', ']']) {
            block = line;
        }
        let is_comment = [grammar.comment, "*", "/*", "#["].iter().any(|it| code.starts_with(it));
        let is_type = grammar.types.iter().any(|it| line.contains(it) || block.contains(it));
        if in_text || is_comment || is_type {
            continue;
        }
        for text in line_changes(line, grammar) {
            let place = block.trim_end_matches(" {").trim_end_matches(':');
            let key = format!("{place} | {}", text.trim());
            let alike = found.keys().filter(|known| known.starts_with(&key)).count();
            found.insert(format!("{key} ({alike})"), Change { line: number, text });
        }
    }
    found
}

/// Every text that a line can be turned into.
fn line_changes(line: &str, grammar: &Grammar) -> Vec<String> {
    let texts = texts(line, grammar);
    let end = texts.iter().find(|it| line[it.start..].starts_with(grammar.comment));
    let end = end.map_or(line.len(), |it| it.start);
    let is_code = |at: usize| at < end && !texts.iter().any(|it| it.contains(&at));
    let mut all = Vec::new();
    let mut turn = |range: Range<usize>, to: &str| {
        all.push(format!("{}{to}{}", &line[..range.start], &line[range.end..]));
    };
    for (from, to) in grammar.turns {
        for (at, _) in line.match_indices(from).filter(|(at, _)| is_code(*at)) {
            turn(at..at + from.len(), to);
        }
    }
    let (yes, no) = grammar.flags;
    for (from, to) in [(yes, no), (no, yes)] {
        for (at, _) in line.match_indices(from).filter(|(at, _)| is_code(*at)) {
            if is_word(line, at..at + from.len()) {
                turn(at..at + from.len(), to);
            }
        }
    }
    for (at, number) in numbers(line).filter(|(at, _)| is_code(*at)) {
        if let Some(next) = next(number) {
            turn(at..at + number.len(), &next);
        }
    }
    // A word is a name or a value; what is longer is for people.
    let is_value = |it: char| it.is_ascii_alphanumeric() || "_-.#/$".contains(it);
    for text in texts.iter().filter(|it| it.end <= end) {
        let inner = &line[text.start + 1..text.end - 1];
        let is_import = line.trim() == &line[text.clone()];
        if !inner.is_empty() && inner.chars().all(is_value) && !is_import {
            turn(text.end - 1..text.end - 1, "x");
        }
    }
    if let Some(range) = condition(line).filter(|it| is_code(it.start)) {
        for form in [grammar.conditions.0, grammar.conditions.1] {
            turn(range.clone(), &form.replace("{}", &line[range.clone()]));
        }
    }
    all
}

/// The quoted texts of a line, and its comment.
fn texts(line: &str, grammar: &Grammar) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = line[at..].chars().next() {
        let rest = &line[at + first.len_utf8()..];
        if line[at..].starts_with(grammar.comment) {
            found.push(at..line.len());
            break;
        }
        let is_character = rest.starts_with('\\') || rest.chars().nth(1) == Some('\'');
        let is_lifetime = grammar.lifetimes && first == '\'' && !is_character;
        if !grammar.quotes.contains(&first) || is_lifetime {
            at += first.len_utf8();
            continue;
        }
        let start = at;
        at += 1;
        let mut is_escaped = false;
        for character in rest.chars() {
            at += character.len_utf8();
            if character == first && !is_escaped {
                break;
            }
            is_escaped = character == '\\' && !is_escaped && first != '`';
        }
        found.push(start..at);
    }
    found
}

/// The condition that a line branches on, if it ends on that line.
fn condition(line: &str) -> Option<Range<usize>> {
    let indent = line.len() - line.trim_start().len();
    let code = line.trim_start();
    for (head, tail) in [
        ("if (", ")"),
        ("} else if (", ")"),
        ("if ", " {"),
        ("} else if ", " {"),
        ("if ", ":"),
        ("elif ", ":"),
    ] {
        let Some(rest) = code.strip_prefix(head) else { continue };
        let start = indent + head.len();
        let end = match tail {
            ")" if rest.trim_end().ends_with([')', '{', ';']) => start + closing(rest)?,
            ")" => continue,
            tail => start + rest.strip_suffix(tail)?.len(),
        };
        let inner = &line[start..end];
        // Go declares before it compares; a pattern is no condition.
        let start = start + inner.rfind("; ").map_or(0, |at| at + 2);
        return (!inner.starts_with("let ")).then_some(start..end);
    }
    if let (Some(at), Some(end)) = (line.find(" if "), line.find(" =>")) {
        let start = at + " if ".len();
        return (start < end && !line[start..end].starts_with("let ")).then_some(start..end);
    }
    let rest = code.strip_prefix("case ")?;
    let inner = rest.strip_suffix(':')?;
    let is_condition = [" == ", " && ", " || ", "!", "."].iter().any(|it| inner.contains(it));
    let start = indent + "case ".len();
    (is_condition && !inner.starts_with(['"', '\''])).then_some(start..start + inner.len())
}

/// Where the bracket closes that was open before a text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Whether a part of a line is not a part of a longer word.
fn is_word(line: &str, range: Range<usize>) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    !line[..range.start].ends_with(is_part) && !line[range.end..].starts_with(is_part)
}

/// The numbers of a line, with their places.
fn numbers(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let begins = move |at: &usize| {
        line[*at..].starts_with(|it: char| it.is_ascii_digit())
            && !line[..*at]
                .ends_with(|it: char| is_part(it) || it == '.' && !line[..*at].ends_with(".."))
    };
    let starts = (0..line.len()).filter(|at| line.is_char_boundary(*at)).filter(begins);
    starts.map(move |at| {
        let rest = &line[at..];
        let whole = rest.find(|it| !is_part(it)).unwrap_or(rest.len());
        let tail = rest[whole..].strip_prefix('.').unwrap_or_default();
        let digits = tail.len() - tail.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        (at, &rest[..if digits > 0 { whole + 1 + digits } else { whole }])
    })
}

/// Another number.
fn next(number: &str) -> Option<String> {
    let plain = number.replace('_', "");
    if let Some(digits) = plain.strip_prefix("0x") {
        return Some(format!("{:#x}", u64::from_str_radix(digits, 16).ok()? + 1));
    }
    match plain.parse::<u64>() {
        Ok(whole) => Some((whole + 1).to_string()),
        Err(_) => Some((plain.parse::<f64>().ok()? + 0.5).to_string()),
    }
}
