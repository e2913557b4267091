//! What to write where serde says that a file does not keep the format.

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
    None
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
    ("ok", "`ok = true` or `ok = false`: what the example means"),
    ("name", "`name = \"…\"`: what the messages call it"),
];
