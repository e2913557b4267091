//! The report as one page for a browser: nothing is fetched and nothing runs.

use super::document::Document;
use std::fmt::{self, Display, Write as _};

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">
<title>i18nprune report</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  table { border-collapse: collapse; width: 100% }
  th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #ddd }
  code { font-size: .9em }
  .missing { color: #b00 }
</style>
<h1>Translation keys</h1>
";

/// The document as a page.
pub(super) fn render(document: &Document) -> String {
    let (summary, details) = (&document.summary, &document.details);
    let mut page = Page(HEAD.to_owned());
    page.paragraph(format_args!(
        "{} calls in {} files of {}, {} keys missing, {} calls with a key that only a run knows.",
        summary.key_observations_count,
        summary.source_files_scanned_count,
        document.project.src_root,
        summary.missing_keys_count,
        summary.dynamic_sites_count,
    ));
    let observed = details.key_observations.iter().map(|observed| {
        let key = observed.resolved_key.as_str();
        let status = if document.is_missing(key) { "missing" } else { "found" };
        let place = format!("{}:{}", observed.span.file_path, observed.span.line);
        [status.to_owned(), key.to_owned(), place]
    });
    page.table("Keys", ["Status", "Key", "Place"], observed);
    let dynamic = details.dynamic_sites.iter().map(|site| {
        let status = if site.is_commented { "in a comment" } else { "runs" };
        let place = format!("{}:{}:{}", site.file_path, site.line, site.column);
        [status.to_owned(), site.preview.clone(), place]
    });
    page.table("Dynamic calls", ["Status", "Call", "Place"], dynamic);
    page.paragraph(format_args!("Made at {}.", document.generated_at));
    page.0
}

struct Page(String);

impl Page {
    fn put(&mut self, text: fmt::Arguments<'_>) {
        // Memory takes every byte.
        let _ = self.0.write_fmt(text);
    }

    fn paragraph(&mut self, text: impl Display) {
        self.put(format_args!("<p>{}</p>\n", escaped(&text.to_string())));
    }

    fn table(&mut self, title: &str, columns: [&str; 3], rows: impl Iterator<Item = [String; 3]>) {
        self.put(format_args!("<h2>{title}</h2>\n<table>\n<tr>"));
        for column in columns {
            self.put(format_args!("<th>{column}</th>"));
        }
        self.put(format_args!("</tr>\n"));
        for [status, what, place] in rows {
            let class = if status == "missing" { " class=\"missing\"" } else { "" };
            let (what, place) = (escaped(&what), escaped(&place));
            self.put(format_args!(
                "<tr><td{class}>{status}</td><td><code>{what}</code></td><td>{place}</td></tr>\n"
            ));
        }
        self.put(format_args!("</table>\n"));
    }
}

/// Text in which nothing is markup.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn no_text_is_markup() {
        let hostile = "</code><script>alert('1' & \"2\")</script>";
        let safe = escaped(hostile);
        assert!(!safe.contains(['<', '>', '"', '\'']), "{safe}");
        assert!(safe.contains("&amp; &quot;2&quot;"), "{safe}");
    }
}
