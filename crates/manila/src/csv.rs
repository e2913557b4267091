//! Cells of comma-separated values, as RFC 4180 has them.

use crate::visible::steers;
use std::fmt::Write;

/// A cell, in quotes if something in it would end it.
///
/// A terminal that shows the cell does not obey it, and a spreadsheet that opens it does not take it for a formula.
///
/// ```
/// assert_eq!(manila::csv::cell("a,\"b\""), "\"a,\"\"b\"\"\"");
/// assert_eq!(manila::csv::cell("=cmd()"), "'=cmd()");
/// ```
pub fn cell(text: &str) -> String {
    let is_absent = text == "-" || text.starts_with("- ");
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_absent;
    let mut cell = String::from(if is_formula { "'" } else { "" });
    for character in text.chars() {
        if steers(character) && !matches!(character, '\n' | '\r' | '\t') {
            let _ = write!(cell, "{}", character.escape_unicode());
        } else {
            cell.push(character);
        }
    }
    if cell.contains([',', '"', '\n', '\r', '\t']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn a_cell_stays_one_and_runs_nothing() {
        for (text, expected) in [
            ("", ""),
            ("plain", "plain"),
            ("a,\"b\"\r\nc", "\"a,\"\"b\"\"\r\nc\""),
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("=1+1", "'=1+1"),
            ("\t=1", "\"'\t=1\""),
            ("-1", "'-1"),
            ("- code", "- code"),
        ] {
            assert_eq!(cell(text), expected);
        }
    }
}
