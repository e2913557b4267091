//! The report as comma-separated values, as RFC 4180 has them: a row for each call.

use super::document::Document;
use manila::csv::cell;

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
    let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
    format!("{}\r\n", cells.join(","))
}
