//! Calls of the translation functions among tokens, and what their first argument says.

use super::token::{Kind, Token};
use std::collections::HashSet;
use std::ops::Range;

/// An argument with so many tokens is computed, whatever it is. Calls and brackets may be nested, and
/// each is looked at again: without a limit, deep nesting would take exponential time.
const LONGEST_ARGUMENT: usize = 256;

/// A name with more parts is not a translation function.
const LONGEST_NAME: usize = 8;

/// The types of a call have no more tokens.
const LONGEST_TYPES: usize = 16;

/// The attribute of a tag that holds a key: `<Trans i18nKey="…">`.
const KEY_ATTRIBUTE: &str = "i18nKey";

/// The names of the translation functions.
#[derive(Clone, Debug)]
pub(crate) struct Functions(HashSet<String>);

impl Functions {
    /// These names, such as `t` or `i18n.t`. Whether `this` comes before them makes no difference.
    pub(crate) fn new(names: &[String]) -> Functions {
        let names = names.iter().map(|name| name.strip_prefix("this.").unwrap_or(name).to_owned());
        Functions(names.collect())
    }
}

/// A place in a file where a text is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// Its bytes in the file.
    pub(crate) span: Range<usize>,
    /// The function that is called.
    pub(crate) function: String,
    /// What is known about the key.
    pub(crate) key: Key,
}

/// What is known about a key without running anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// It is this, or one of these.
    Literal(Vec<String>),
    /// It is text with something in it that only a run knows.
    Interpolated,
    /// Only a run knows it.
    Computed,
}

/// Adds every call among the tokens of a piece of code.
pub(crate) fn find(source: &str, tokens: &[Token], functions: &Functions, sites: &mut Vec<Site>) {
    let code: Vec<&Token> = tokens.iter().filter(|token| token.kind != Kind::Comment).collect();
    let mut at = 0;
    while let Some(token) = code.get(at) {
        let after = match token.kind {
            Kind::Name => call(source, &code, at, functions, sites),
            Kind::Attribute if token.text(source) == KEY_ATTRIBUTE => {
                sites.extend(attribute(source, &code, at));
                at + 1
            }
            _ => at + 1,
        };
        at = after;
    }
}

/// The key that an expression as a whole is.
pub(crate) fn key(source: &str, tokens: &[Token]) -> Key {
    let code: Vec<&Token> = tokens.iter().filter(|token| token.kind != Kind::Comment).collect();
    key_of(source, &code)
}

/// Looks at the name at a place, with the names that follow it after dots, and adds the call if it
/// is one. The place behind the name.
fn call(
    source: &str,
    code: &[&Token],
    at: usize,
    functions: &Functions,
    sites: &mut Vec<Site>,
) -> usize {
    let is = |at: usize, mark: &str| code.get(at).is_some_and(|token| token.is(source, mark));
    let is_dot = |at: usize| is(at, ".") || is(at, "?.");
    let mut last = at;
    while is_dot(last + 1) && code.get(last + 2).is_some_and(|token| token.kind == Kind::Name) {
        last += 2;
    }
    let open = if is(last + 1, "?.") { last + 2 } else { last + 1 };
    let open = after_types(source, code, open).unwrap_or(open);
    let is_part = at.checked_sub(1).is_some_and(is_dot);
    let is_declared = at > 0 && code.get(at - 1).is_some_and(|it| it.is_name(source, "function"));
    if is_part || is_declared || !is(open, "(") || last - at > 2 * LONGEST_NAME {
        return last + 1;
    }
    let names = code.iter().take(last + 1).skip(at).step_by(2).map(|token| token.text(source));
    let name = names.skip_while(|name| *name == "this").collect::<Vec<_>>().join(".");
    if !functions.0.contains(&name) {
        return last + 1;
    }
    let (argument, end) = first_argument(source, code, open);
    let start = code.get(at).map_or(0, |token| token.span.start);
    let stop = code.get(end).map_or(start, |token| token.span.end);
    if !argument.is_empty() && !is_parameter(source, argument) && !is(end + 1, "{") {
        let key = key_of(source, argument);
        sites.push(Site { span: start..stop, function: name, key });
    }
    last + 1
}

/// Where the bracket of a call opens whose types come before it: `t<string>('a')`.
fn after_types(source: &str, code: &[&Token], at: usize) -> Option<usize> {
    code.get(at).filter(|token| token.is(source, "<"))?;
    let is_type = |token: &Token| match token.kind {
        Kind::Name | Kind::String => true,
        _ => [".", ",", "[", "]"].iter().any(|mark| token.is(source, mark)),
    };
    let rest = code.iter().skip(at + 1).take(LONGEST_TYPES);
    let end = at + 1 + rest.take_while(|token| is_type(token)).count();
    let is = |at: usize, mark: &str| code.get(at).is_some_and(|token| token.is(source, mark));
    (is(end, ">") && is(end + 1, "(")).then_some(end + 1)
}

/// Whether it is the parameter of a method with that name: `t(key: string)`.
fn is_parameter(source: &str, argument: &[&Token]) -> bool {
    match argument {
        [name, colon, ..] if name.kind == Kind::Name && colon.is(source, ":") => true,
        [name, mark, colon, ..] => {
            name.kind == Kind::Name && mark.is(source, "?") && colon.is(source, ":")
        }
        _ => false,
    }
}

/// The key that an attribute holds.
fn attribute(source: &str, code: &[&Token], at: usize) -> Option<Site> {
    let name = code.get(at)?;
    code.get(at + 1).filter(|token| token.is(source, "="))?;
    let value = code.get(at + 2)?;
    let (key, end) = if value.is(source, "{") {
        let (argument, end) = first_argument(source, code, at + 2);
        (key_of(source, argument), end)
    } else {
        (key_of(source, std::slice::from_ref(value)), at + 2)
    };
    let stop = code.get(end).map_or(name.span.end, |token| token.span.end);
    Some(Site { span: name.span.start..stop, function: KEY_ATTRIBUTE.to_owned(), key })
}

/// The first argument of a call whose bracket opens here, and where that bracket closes, both as far
/// as the longest argument goes.
fn first_argument<'t, 's>(
    source: &str,
    code: &'t [&'s Token],
    open: usize,
) -> (&'t [&'s Token], usize) {
    let first = open + 1;
    let mut depth = 0_usize;
    let mut comma = None;
    let last = code.len().min(first + LONGEST_ARGUMENT);
    let mut at = first;
    while let Some(token) = code.get(at).filter(|_| at < last) {
        match turn(source, token) {
            Turn::In => depth += 1,
            Turn::Out if depth == 0 => break,
            Turn::Out => depth -= 1,
            Turn::None if depth == 0 && token.is(source, ",") => {
                comma.get_or_insert(at);
            }
            Turn::None => {}
        }
        at += 1;
    }
    let end = comma.unwrap_or(at);
    (code.get(first..end).unwrap_or_default(), at.min(code.len().saturating_sub(1)))
}

enum Turn {
    In,
    Out,
    None,
}

/// Whether a token opens something or closes it. A template is open within its substitutions, each of
/// which a brace closes.
fn turn(source: &str, token: &Token) -> Turn {
    match (token.kind, token.text(source)) {
        (Kind::TemplateHead | Kind::TemplateMiddle, _) | (Kind::Mark, "(" | "[" | "{") => Turn::In,
        (Kind::Mark, ")" | "]" | "}") => Turn::Out,
        _ => Turn::None,
    }
}

fn key_of(source: &str, argument: &[&Token]) -> Key {
    if argument.len() >= LONGEST_ARGUMENT {
        return Key::Computed;
    }
    if let Some(keys) = literals(source, argument) {
        return Key::Literal(keys);
    }
    let is_template = argument.first().is_some_and(|first| first.kind == Kind::TemplateHead)
        && argument.last().is_some_and(|last| last.kind == Kind::TemplateTail);
    if is_template { Key::Interpolated } else { Key::Computed }
}

/// The values that an expression can have, if they are all in the code.
fn literals(source: &str, code: &[&Token]) -> Option<Vec<String>> {
    match code {
        [one] => Some(vec![one.literal(source)?.into_owned()]),
        // TypeScript: `'a' as const`, `'a'!`.
        [inner @ .., word, _] if word.is_name(source, "as") => literals(source, inner),
        [inner @ .., mark] if mark.is(source, "!") => literals(source, inner),
        [open, inner @ .., close]
            if open.is(source, "(") && close.is(source, ")") && is_balanced(source, inner) =>
        {
            literals(source, inner)
        }
        _ => condition(source, code).or_else(|| sum(source, code)),
    }
}

/// Whether every bracket that closes in here was opened in here.
fn is_balanced(source: &str, code: &[&Token]) -> bool {
    let depth = code.iter().try_fold(0_usize, |depth, token| match turn(source, token) {
        Turn::In => Some(depth + 1),
        Turn::Out => depth.checked_sub(1),
        Turn::None => Some(depth),
    });
    depth == Some(0)
}

/// `… ? 'a' : 'b'`
fn condition(source: &str, code: &[&Token]) -> Option<Vec<String>> {
    let outer = |mark: &'static str, from: usize| outside(source, code, from, mark);
    let question = outer("?", 0)?;
    let mut colon = outer(":", question + 1)?;
    // One more for every condition within the first branch.
    let inner = (question + 1..colon).filter(|at| code.get(*at).is_some_and(|t| t.is(source, "?")));
    for _ in 0..inner.count() {
        colon = outer(":", colon + 1)?;
    }
    let mut keys = literals(source, code.get(question + 1..colon)?)?;
    keys.extend(literals(source, code.get(colon + 1..)?)?);
    Some(keys)
}

/// The first place of a mark that is within no brackets.
fn outside(source: &str, code: &[&Token], from: usize, mark: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in code.iter().enumerate().skip(from) {
        match turn(source, token) {
            Turn::In => depth += 1,
            Turn::Out => depth = depth.saturating_sub(1),
            Turn::None if depth == 0 && token.is(source, mark) => return Some(at),
            Turn::None => {}
        }
    }
    None
}

/// `'a.' + 'b'`
fn sum(source: &str, code: &[&Token]) -> Option<Vec<String>> {
    let is_odd = code.len() % 2 == 1;
    let pluses = code.iter().skip(1).step_by(2).all(|token| token.is(source, "+"));
    if !is_odd || !pluses {
        return None;
    }
    let parts: Option<String> = code.iter().step_by(2).map(|token| token.literal(source)).collect();
    parts.map(|whole| vec![whole])
}
