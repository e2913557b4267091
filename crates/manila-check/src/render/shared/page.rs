//! The page of a rule as HTML: headings, paragraphs, lists, code. Pages use no more of Markdown.

use super::escape::markup;
use super::put;

/// The page without its title, which is the rule's id.
pub(crate) fn html(page: &str) -> String {
    let mut out = String::new();
    let mut lines =
        page.lines().skip_while(|line| line.starts_with("# ") || line.is_empty()).peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let code: Vec<&str> =
                lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
            let code: Vec<String> = code.into_iter().map(markup).collect();
            put(&mut out, format_args!("<pre><code>{}</code></pre>\n", code.join("\n")));
        } else if let Some(title) = line.strip_prefix("## ") {
            put(&mut out, format_args!("<h4>{}</h4>\n", inline(title)));
        } else if !line.is_empty() {
            let mut text = line.to_owned();
            while let Some(next) = lines.next_if(|next| {
                !next.is_empty() && !next.starts_with("```") && !next.starts_with("- ")
            }) {
                text.push(' ');
                text.push_str(next.trim_start());
            }
            let text =
                text.strip_prefix("- ").map_or_else(|| text.clone(), |item| format!("• {item}"));
            put(&mut out, format_args!("<p>{}</p>\n", inline(&text)));
        }
    }
    out
}

/// Words with code in them.
fn inline(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(at, part)| match at % 2 {
        0 => markup(part),
        _ => format!("<code>{}</code>", markup(part)),
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::html;

    #[test]
    fn a_page_keeps_its_parts_and_nothing_is_markup() {
        let page =
            "# id\n\nWords `a<b`\non.\n\n## Why\n\n- one\n- two\n\n```toml\nx = \"<y>\"\n```\n";
        assert_eq!(
            html(page),
            "<p>Words <code>a&lt;b</code> on.</p>\n<h4>Why</h4>\n<p>• one</p>\n<p>• two</p>\n<pre><code>x = &quot;&lt;y&gt;&quot;</code></pre>\n"
        );
    }
}
