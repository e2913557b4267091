//! Parses attributes: keys with their values, doc comments, names in another case, durations.

use quote::ToTokens;
use std::fmt::Display;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitInt, LitStr, Member, Meta, Path, Token};

/// The mistakes in one item, reported together.
#[derive(Default)]
pub(crate) struct Mistakes(Option<syn::Error>);

impl Mistakes {
    /// Notes a mistake at a place.
    pub(crate) fn at(&mut self, place: impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(place, message));
    }

    /// Notes a mistake.
    pub(crate) fn add(&mut self, mistake: syn::Error) {
        match &mut self.0 {
            Some(first) => first.combine(mistake),
            None => self.0 = Some(mistake),
        }
    }

    /// The value, or `None` and the mistake noted.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|mistake| self.add(mistake)).ok()
    }

    /// All of them, if there are any.
    pub(crate) fn finish(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}

/// One key of an attribute: `transparent`, or `exit = NotFound`.
///
/// A value is read as an expression whatever the key is, so that a wrong one is a mistake like any
/// other and the keys behind it are still looked at.
pub(crate) struct Entry {
    key: Ident,
    value: Option<Expr>,
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        // One of the keys is `crate`, which is a keyword.
        let key = Ident::parse_any(input)?;
        let value = match input.parse::<Option<Token![=]>>()? {
            Some(_) => Some(ungrouped(input.parse()?)),
            None => None,
        };
        if input.is_empty() || input.peek(Token![,]) {
            Ok(Entry { key, value })
        } else {
            Err(input.error(format!("expected `{key}` or `{key} = …`, followed by a comma")))
        }
    }
}

/// The expression inside the invisible brackets that `macro_rules!` puts around what it was given.
fn ungrouped(expr: Expr) -> Expr {
    match expr {
        Expr::Group(group) => ungrouped(*group.expr),
        expr => expr,
    }
}

impl Entry {
    /// A key without a value.
    pub(crate) fn flag(&self) -> syn::Result<()> {
        let Some(value) = &self.value else { return Ok(()) };
        Err(error(value, format!("`{}` takes no value", self.key)))
    }

    /// `key`, `key = true` or `key = false`.
    pub(crate) fn boolean(&self) -> syn::Result<bool> {
        match &self.value {
            None => Ok(true),
            Some(Expr::Lit(ExprLit { lit: Lit::Bool(value), .. })) => Ok(value.value),
            Some(value) => Err(error(value, format!("write `{0}` or `{0} = false`", self.key))),
        }
    }

    /// The exit status of a failure.
    pub(crate) fn status(&self) -> syn::Result<LitInt> {
        let value = self.value("100")?;
        match value {
            Expr::Lit(ExprLit { lit: Lit::Int(number), .. })
                if number.base10_parse::<u8>().is_ok_and(|number| number != 0) =>
            {
                Ok(number.clone())
            }
            _ => Err(error(value, format!("`{}` is a number from 1 to 255", self.key))),
        }
    }

    /// One of a few bare words.
    pub(crate) fn word(&self, words: &[&str]) -> syn::Result<Ident> {
        let choice = format!("`{}` is one of {}", self.key, words.join(", "));
        let value = self.value.as_ref().ok_or_else(|| error(&self.key, &choice))?;
        let word = match value {
            Expr::Path(path) => path.path.get_ident(),
            _ => None,
        };
        word.filter(|word| words.iter().any(|known| word == known))
            .cloned()
            .ok_or_else(|| error(value, choice))
    }

    /// A string literal with something in it.
    pub(crate) fn string(&self) -> syn::Result<LitStr> {
        let key = &self.key;
        match self.text()? {
            Text::Literal(literal) if literal.value().trim().is_empty() => {
                Err(error(literal, format!("`{key}` is empty: leave it out or write a name")))
            }
            Text::Literal(literal) => Ok(literal),
            Text::Expr(value) => Err(error(value, format!("`{key}` must be a string literal"))),
        }
    }

    /// The path of an item, such as a function or a crate.
    pub(crate) fn path(&self, example: &str) -> syn::Result<Path> {
        let key = &self.key;
        match self.value(example)? {
            Expr::Path(path) if path.qself.is_none() => Ok(path.path.clone()),
            value => Err(error(value, format!("`{key}` is a path: write `{key} = {example}`"))),
        }
    }

    /// A field: its name, or the number of one that has none.
    pub(crate) fn member(&self) -> syn::Result<Member> {
        let value = self.value("field")?;
        syn::parse2(value.to_token_stream())
            .map_err(|_| error(value, format!("`{}` is the name of a field", self.key)))
    }

    /// Text to fill in, or an expression that makes it.
    pub(crate) fn text(&self) -> syn::Result<Text> {
        self.value("\"…\"").map(|value| Text::new(value.clone()))
    }

    /// Any expression.
    pub(crate) fn expr(&self) -> syn::Result<Expr> {
        self.value("expression").cloned()
    }

    /// Notes a mistake at the key.
    pub(crate) fn refuse(&self, why: &str, mistakes: &mut Mistakes) {
        mistakes.at(&self.key, format!("`{}` {why}", self.key));
    }

    fn value(&self, example: &str) -> syn::Result<&Expr> {
        let key = &self.key;
        let missing = || error(key, format!("`{key}` needs a value: `{key} = {example}`"));
        self.value.as_ref().ok_or_else(missing)
    }
}

/// An error that points at something.
fn error(place: impl ToTokens, message: impl Display) -> syn::Error {
    syn::Error::new_spanned(place, message)
}

/// The keys that an attribute may have at its place.
pub(crate) struct Known<'a> {
    /// The keys that are read here.
    pub(crate) here: &'a [&'a str],
    /// The keys that are read elsewhere, and where.
    pub(crate) elsewhere: (&'a [&'a str], &'a str),
}

/// The keys of all attributes of one name on one item; reading a key takes it out.
pub(crate) struct Keys {
    entries: Vec<Entry>,
    legible: bool,
}

impl Keys {
    /// Reads them, each of which may be written once.
    pub(crate) fn read(attributes: &[Attribute], name: &str, mistakes: &mut Mistakes) -> Keys {
        let mut keys = Keys { entries: Vec::new(), legible: true };
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
            let list = attribute.parse_args_with(Punctuated::<Entry, Token![,]>::parse_terminated);
            let list = mistakes.keep(list);
            keys.legible &= list.is_some();
            for entry in list.into_iter().flatten() {
                if keys.entries.iter().any(|before| before.key == entry.key) {
                    entry.refuse("is written twice", mistakes);
                } else {
                    keys.entries.push(entry);
                }
            }
        }
        keys
    }

    /// Whether all could be read; if not, a missing key is not a mistake.
    pub(crate) fn are_legible(&self) -> bool {
        self.legible
    }

    /// Takes a key out.
    pub(crate) fn take(&mut self, key: &str) -> Option<Entry> {
        let place = self.entries.iter().position(|entry| entry.key == key)?;
        Some(self.entries.remove(place))
    }

    /// Reports each key that was not read.
    pub(crate) fn finish(self, known: &Known<'_>, mistakes: &mut Mistakes) {
        let (others, place) = known.elsewhere;
        for Entry { key, .. } in self.entries {
            let message = if others.iter().any(|other| key == other) {
                format!("`{key}` belongs {place}")
            } else {
                format!("unknown key `{key}` (known: {})", known.here.join(", "))
            };
            mistakes.at(key, message);
        }
    }
}

/// Text to fill in, or an expression that makes it.
pub(crate) enum Text {
    Literal(LitStr),
    Expr(Expr),
}

impl Text {
    pub(crate) fn new(expr: Expr) -> Text {
        match expr {
            Expr::Lit(literal) => match literal.lit {
                Lit::Str(text) => Text::Literal(text),
                lit => Text::Expr(Expr::Lit(ExprLit { lit, ..literal })),
            },
            expr => Text::Expr(expr),
        }
    }

    /// The literal, if it is one.
    pub(crate) fn literal(&self) -> Option<LitStr> {
        match self {
            Text::Literal(literal) => Some(literal.clone()),
            Text::Expr(_) => None,
        }
    }
}

/// The doc comment of an item as one line, with the span of its beginning.
pub(crate) fn documentation(attributes: &[Attribute]) -> Option<LitStr> {
    let lines: Vec<LitStr> = attributes.iter().filter_map(doc_line).collect();
    let text: Vec<String> = lines
        .iter()
        .flat_map(|line| {
            line.value().lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>()
        })
        .filter(|line| !line.is_empty())
        .collect();
    let first = lines.first()?;
    (!text.is_empty()).then(|| LitStr::new(&text.join(" "), first.span()))
}

/// One line of a doc comment, which is an attribute of its own.
fn doc_line(attribute: &Attribute) -> Option<LitStr> {
    let Meta::NameValue(doc) = &attribute.meta else { return None };
    match Text::new(ungrouped(doc.value.clone())) {
        Text::Literal(line) if doc.path.is_ident("doc") => Some(line),
        _ => None,
    }
}

/// Whether an item has an attribute of that name, which takes no arguments.
pub(crate) fn mark(attributes: &[Attribute], name: &str, mistakes: &mut Mistakes) -> bool {
    let mut marks = attributes.iter().filter(|attribute| attribute.path().is_ident(name));
    let first = marks.next();
    if let Some(mark) = first {
        mistakes.keep(mark.meta.require_path_only());
    }
    for again in marks {
        mistakes.at(again, format!("`#[{name}]` is written twice"));
    }
    first.is_some()
}

/// Notes an attribute at a place where it is not read.
pub(crate) fn stray(attributes: &[Attribute], name: &str, place: &str, mistakes: &mut Mistakes) {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
        mistakes.add(syn::Error::new(attribute.span(), format!("`#[{name}]` belongs {place}")));
    }
}

/// `NotFound` as `NOT_FOUND`.
pub(crate) fn screaming_snake(name: &str) -> String {
    snake(name).to_uppercase()
}

/// `NotFound` as `not_found`, `HTTPError` as `http_error`, `Http2Stream` as `http2_stream`.
pub(crate) fn snake(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut words = String::new();
    for (at, &letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let after = letters.get(at + 1);
        let begins = letter.is_uppercase()
            && before.is_some_and(|&before| {
                // The last capital of several belongs to the word behind it.
                let inside =
                    before.is_uppercase() && !after.is_some_and(|next| next.is_lowercase());
                before != '_' && !inside
            });
        if begins {
            words.push('_');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

/// `500ms`, `30s`, `5m` or `1h` in milliseconds.
pub(crate) fn milliseconds(text: &str) -> Option<u64> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let unit = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn names_in_snake_case() {
        for (name, expected) in [
            ("Task", "task"),
            ("NotFound", "not_found"),
            ("HTTPError", "http_error"),
            ("Http2Stream", "http2_stream"),
            ("IoHTTP", "io_http"),
            ("AB", "ab"),
            ("aB", "a_b"),
            ("Already_Snake", "already_snake"),
            ("already_snake", "already_snake"),
            ("Größe", "größe"),
            ("X", "x"),
        ] {
            assert_eq!(snake(name), expected, "{name}");
        }
        assert_eq!(screaming_snake("NoteNotFound"), "NOTE_NOT_FOUND");
    }

    #[test]
    fn durations() {
        for (text, expected) in [
            ("500ms", Some(500)),
            ("30s", Some(30_000)),
            ("5m", Some(300_000)),
            ("1h", Some(3_600_000)),
            ("0s", Some(0)),
            ("", None),
            ("s", None),
            ("30", None),
            ("30 s", None),
            ("-1s", None),
            ("1.5s", None),
            ("5min", None),
            ("18446744073709551615ms", Some(u64::MAX)),
            ("18446744073709551615s", None),
            ("18446744073709551616ms", None),
        ] {
            assert_eq!(milliseconds(text), expected, "{text}");
        }
    }

    #[test]
    fn a_doc_comment_is_one_line() {
        let item: syn::ItemStruct = parse_quote! {
            /// No such note.
            ///
            ///   Or it is hidden.
            #[doc(hidden)]
            #[doc = "And\n one more. "]
            struct Note;
        };
        let text = documentation(&item.attrs).map(|line| line.value());
        assert_eq!(text.as_deref(), Some("No such note. Or it is hidden. And one more."));
        assert!(documentation(&[parse_quote!(#[doc = " "])]).is_none());
    }
}
