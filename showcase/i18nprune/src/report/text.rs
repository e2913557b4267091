//! The report for a terminal.

use super::document::Document;
use manila_clap::visible;
use std::fmt::Write as _;

/// The document in words. What steers a terminal is made visible: it comes out of source files.
pub(super) fn render(document: &Document) -> String {
    let (summary, details) = (&document.summary, &document.details);
    let mut text = String::new();
    let mut line = |words: String| {
        // Memory takes every byte.
        let _ = writeln!(text, "{}", visible(&words));
    };
    line(format!("Sources        {}", document.project.src_root));
    line(format!("Source locale  {}", document.project.source_locale_path));
    line(format!("Files          {}", summary.source_files_scanned_count));
    line(format!("Calls          {}", summary.key_observations_count));
    line(format!("Missing keys   {}", summary.missing_keys_count));
    line(format!("Dynamic calls  {}", summary.dynamic_sites_count));
    if !details.missing_keys.is_empty() {
        line("\nMissing keys".to_owned());
        details.missing_keys.iter().for_each(|key| line(format!("  {key}")));
    }
    if !details.dynamic_sites.is_empty() {
        line("\nDynamic calls".to_owned());
        for site in &details.dynamic_sites {
            let note = if site.is_commented { "  (in a comment)" } else { "" };
            let place = format!("{}:{}:{}", site.file_path, site.line, site.column);
            line(format!("  {place}  {}{note}", site.preview));
        }
    }
    text
}
