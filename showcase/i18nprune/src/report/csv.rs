//! The report as comma-separated values, as RFC 4180 has them: a row for each call.

use super::document::Document;

/// The document as rows.
pub(super) fn render(document: &Document) -> String {
    let details = &document.details;
    let mut text = row(&["status", "key", "file", "line", "function"]);
    for observed in &details.key_observations {
        let key = observed.resolved_key.as_str();
        let status = if document.is_missing(key) { "missing" } else { "found" };
        let span = &observed.span;
        let line = span.line.to_string();
        text.push_str(&row(&[status, key, &span.file_path, &line, &span.function_name]));
    }
    for site in &details.dynamic_sites {
        let line = site.line.to_string();
        let status = if site.is_commented { "commented" } else { "dynamic" };
        text.push_str(&row(&[status, &site.preview, &site.file_path, &line, site.kind.as_str()]));
    }
    text
}

fn row(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
    format!("{}\r\n", cells.join(","))
}

/// A cell, in quotes where it must be. One that a spreadsheet would run as a formula is made text.
fn quoted(cell: &str) -> String {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let cell = if is_formula { format!("'{cell}") } else { cell.to_owned() };
    if cell.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_cell_stays_one_and_runs_nothing() {
        for (cell, expected) in
            [("plain", "plain"), ("a,\"b\"\n", "\"a,\"\"b\"\"\n\""), ("=1+1", "'=1+1"), ("", "")]
        {
            assert_eq!(quoted(cell), expected);
        }
    }
}
