//! Pages of HTML: the layout that every report has, and the page of a rule. `maud` escapes by type; what a
//! program wrote is also made visible.

use super::escape::visible;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Whatever a program wrote, the page loads nothing and runs nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// A page that needs nothing else: no script, no file, no network. It ends with what made it, and when.
pub fn layout(title: &str, style: &str, body: &Markup) -> String {
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (visible(title)) }
                style { (PreEscaped(style)) }
            }
            body {
                (body)
                footer { p.faint { "manila " (env!("CARGO_PKG_VERSION")) ", " (today) } }
            }
        }
    };
    page.into_string() + "\n"
}

/// The page of a rule without its title, which is the rule's id: headings, paragraphs, lists, code. Pages
/// use no more of Markdown.
pub fn rule_page(page: &str) -> Markup {
    let mut parts = Vec::new();
    let mut lines =
        page.lines().skip_while(|line| line.starts_with("# ") || line.is_empty()).peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let code: Vec<&str> =
                lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
            parts.push(html! { pre { code { (code.join("\n")) } } });
        } else if let Some(title) = line.strip_prefix("## ") {
            parts.push(html! { h4 { (inline(title)) } });
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
            parts.push(html! { p { (inline(&text)) } });
        }
    }
    html! { @for part in &parts { (part) } }
}

/// Words with code in them.
fn inline(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 0 { (part) } @else { code { (part) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rule_page;

    #[test]
    fn a_page_keeps_its_parts_and_nothing_is_markup() {
        let page =
            "# rule\n\nWords `a<b`\non.\n\n## Why\n\n- one\n- two\n\n```\nx = \"<y>\"\n```\n";
        assert_eq!(
            rule_page(page).into_string(),
            "<p>Words <code>a&lt;b</code> on.</p><h4>Why</h4><p>• one</p><p>• two</p>\
             <pre><code>x = &quot;&lt;y&gt;&quot;</code></pre>"
        );
    }
}
