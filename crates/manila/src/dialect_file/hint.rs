//! What to write where a file is not TOML or does not keep the format.

/// What to write where the format of the file is not kept.
pub(super) fn what_to_write(message: &str) -> Option<String> {
    let quoted = |message: &str| message.split('`').nth(1).map(str::to_owned);
    if message.starts_with("missing field") {
        let field = quoted(message)?;
        let known = MISSING.iter().find(|(name, _)| *name == field);
        return Some(known.map_or_else(
            || format!("write `{field} = …`"),
            |(_, written)| format!("write {written}"),
        ));
    }
    if message.starts_with("unknown field") {
        return Some(format!("remove `{}`, or write one of the names above", quoted(message)?));
    }
    if message.starts_with("invalid type") {
        return Some(match message.rsplit("expected ").next()? {
            "a string" => "write text in quotes: `\"…\"`".to_owned(),
            "a boolean" => "write `true` or `false`".to_owned(),
            "a sequence" => "write a list: `[…]`".to_owned(),
            other => format!("write {other}"),
        });
    }
    if message.starts_with("duplicate key") {
        return Some(
            "remove one of the two, or write another `[[…]]` for another element".to_owned(),
        );
    }
    None
}

/// Whether a file lacks one of the tables that come after its first lines, so that its end is the place for it.
pub(super) fn is_missing_table(message: &str) -> bool {
    ["exits", "detect"].iter().any(|it| message.starts_with(&format!("missing field `{it}`")))
}

/// What to write in a line that is not TOML: it is cut, or it has a mistake at this place.
pub(super) fn as_toml(text: &str, offset: usize) -> String {
    let offset = (0..=offset.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    let offset = offset.unwrap_or_default();
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].lines().next().unwrap_or_default().trim();
    let (name, value) = match line.split_once('=') {
        Some((name, value)) => (name.trim(), value.trim()),
        None => (line, ""),
    };
    let closers = [("[[", "]]"), ("[", "]")];
    if let Some((open, close)) = closers.iter().find(|(open, _)| line.starts_with(open)) {
        let name = line.trim_matches(['[', ']', ' ']);
        let name = if name.is_empty() { "key" } else { name };
        return format!("write the whole name of the table: `{open}{name}{close}`");
    }
    if line.starts_with('{') {
        return "end the element with `}` and the list with `]`".to_owned();
    }
    let name = if name.is_empty() { "name" } else { name };
    let closing = match value.chars().next() {
        Some(quote @ ('"' | '\'')) => quote,
        Some('[') => ']',
        Some('{') => '}',
        _ => return format!("write `{name} = VALUE`: text in quotes, a number, `true` or `false`"),
    };
    format!(
        "end the value of `{name}` with `{closing}`, and begin the next name on a line of its own"
    )
}

/// What stands for each part of a file that must be there.
const MISSING: &[(&str, &str)] = &[
    ("id", "`id = \"acme/1\"`: a name, a slash and a revision"),
    ("summary", "`summary = \"…\"`: one line about the dialect"),
    (
        "exits",
        "`[exits]` and `rows = [{ status = 0, class = \"SUCCESS\" }, { status = 1, class = \"GENERAL_ERROR\" }]`",
    ),
    (
        "rows",
        "`rows = [{ status = 0, class = \"SUCCESS\" }, { status = 1, class = \"GENERAL_ERROR\" }]`",
    ),
    (
        "detect",
        "`[detect]` and a `[[detect.level]]` with `confidence = \"likely\"` and what holds then",
    ),
    ("confidence", "`confidence = \"likely\"`"),
    ("class", "`class = \"GENERAL_ERROR\"`, or another name that `manila explain NOT_FOUND` lists"),
    ("path", "`path = \"error.code\"`: the names that lead to the key, with dots"),
    ("all", "`all = [{ path = \"type\", is = \"text\" }]`: what holds for such a line"),
    ("status", "`status = 1`: the exit status of the row"),
    ("known", "`known = [\"1.#\"]`: patterns of the revisions that are known"),
    ("ok", "`ok = true` or `ok = false`: what the example means"),
    ("name", "`name = \"…\"`: what the messages call it"),
];
