//! Templates: text with `{{name}}` for what varies and `{{#name}}` … `{{/name}}` for what may be absent.

use std::collections::BTreeMap;

/// What a template is filled with.
#[derive(Debug, Default)]
pub(crate) struct Fill {
    texts: BTreeMap<&'static str, String>,
    flags: BTreeMap<&'static str, bool>,
}

impl Fill {
    /// The same with a text. A text of several lines is indented as the line it is on.
    #[must_use]
    pub(crate) fn text(mut self, name: &'static str, text: impl Into<String>) -> Fill {
        self.texts.insert(name, text.into());
        self
    }

    /// The same with a part that is there or not.
    #[must_use]
    pub(crate) fn flag(mut self, name: &'static str, is_there: bool) -> Fill {
        self.flags.insert(name, is_there);
        self
    }

    /// Fills a template. A name that is not known stays, which a test of every template finds.
    pub(crate) fn fill(&self, template: &str) -> String {
        let mut out = String::new();
        let mut hidden: Vec<bool> = Vec::new();
        for line in template.lines() {
            let mark = line.trim().trim_start_matches("// ").trim_start_matches("# ");
            if let Some(name) = mark.strip_prefix("{{#").and_then(|it| it.strip_suffix("}}")) {
                hidden.push(!self.is_there(name));
            } else if let Some(name) = mark.strip_prefix("{{^").and_then(|it| it.strip_suffix("}}"))
            {
                hidden.push(self.is_there(name));
            } else if mark.starts_with("{{/") && mark.ends_with("}}") {
                hidden.pop();
            } else if !hidden.contains(&true) {
                self.line(line, &mut out);
            }
        }
        out
    }

    fn is_there(&self, name: &str) -> bool {
        self.flags.get(name).copied().unwrap_or_default()
    }

    fn line(&self, line: &str, out: &mut String) {
        let indent = &line[..line.len() - line.trim_start().len()];
        let whole = line.trim().strip_prefix("{{").and_then(|it| it.strip_suffix("}}"));
        // A text that has the line to itself may have any number of lines.
        if let Some(text) = whole.and_then(|name| self.texts.get(name)) {
            for one in text.lines() {
                if !one.is_empty() {
                    out.push_str(indent);
                }
                out.push_str(one);
                out.push('\n');
            }
            return;
        }
        let mut rest = line;
        while let Some((before, after)) = rest.split_once("{{") {
            out.push_str(before);
            if let Some((Some(text), behind)) =
                after.split_once("}}").map(|(name, rest)| (self.texts.get(name), rest))
            {
                out.push_str(text);
                rest = behind;
            } else {
                out.push_str("{{");
                rest = after;
            }
        }
        out.push_str(rest);
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_parts_are_filled_in() {
        let fill = Fill::default().text("a", "one\n\ntwo").text("b", "x").flag("yes", true);
        let template = "{{#yes}}\n  {{a}}\n{{/yes}}\n# {{#no}}\nhidden {{b}}\n# {{/no}}\n{{^no}}\nb={{b}};{{c}}\n{{/no}}\n";
        assert_eq!(fill.fill(template), "  one\n\n  two\nb=x;{{c}}\n");
    }
}
