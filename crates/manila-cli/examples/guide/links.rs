//! Links of Markdown: finding, rewriting and resolving them, outside of code.

/// `[text](target)` or `![text](target)`.
pub(crate) struct Link<'a> {
    pub text: &'a str,
    pub target: &'a str,
    pub is_image: bool,
    pub line: usize,
}

impl<'a> Link<'a> {
    /// Whether it leads out of the repository.
    pub(crate) fn is_outside(&self) -> bool {
        self.target.contains("://") || self.target.starts_with("mailto:")
    }

    pub(crate) fn path(&self) -> &'a str {
        self.target.split('#').next().unwrap_or_default()
    }

    /// The anchor with its `#`, or nothing.
    pub(crate) fn anchor(&self) -> &'a str {
        &self.target[self.path().len()..]
    }
}

pub(crate) fn find(text: &str) -> Vec<Link<'_>> {
    let mut found = Vec::new();
    visit(text, |_, link| found.push(link));
    found
}

/// The text with each link for which there is something else in its place.
pub(crate) fn rewrite(text: &str, mut with: impl FnMut(&Link<'_>) -> Option<String>) -> String {
    let mut out = String::new();
    let mut end = 0;
    visit(text, |range, link| {
        if let Some(new) = with(&link) {
            out.push_str(&text[end..range.start]);
            out.push_str(&new);
            end = range.end;
        }
    });
    out.push_str(&text[end..]);
    out
}

fn visit<'a>(text: &'a str, mut each: impl FnMut(std::ops::Range<usize>, Link<'a>)) {
    let mut start = 0;
    let mut fence = None;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let mark = line.trim_start();
        match fence {
            Some(open) if mark.starts_with(open) => fence = None,
            Some(_) => {}
            None if mark.starts_with("```") => fence = Some("```"),
            None if mark.starts_with("~~~") => fence = Some("~~~"),
            None => in_line(line, |range, text, target, is_image| {
                let link = Link { text, target, is_image, line: number + 1 };
                each(start + range.start..start + range.end, link);
            }),
        }
        start += line.len();
    }
}

fn in_line<'a>(
    line: &'a str,
    mut each: impl FnMut(std::ops::Range<usize>, &'a str, &'a str, bool),
) {
    let bytes = line.as_bytes();
    let mut open = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'`' => at = after_code(bytes, at) - 1,
            b'[' => open.push(at),
            b']' => {
                let begun = open.pop();
                let target = line[at + 1..].strip_prefix('(').and_then(|rest| rest.split_once(')'));
                if let (Some(begun), Some((target, _))) = (begun, target) {
                    let is_image = begun > 0 && bytes[begun - 1] == b'!';
                    let end = at + target.len() + 3;
                    each(
                        begun - usize::from(is_image)..end,
                        &line[begun + 1..at],
                        target,
                        is_image,
                    );
                    at = end - 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// The end of a code span, or of the backticks if it has none.
fn after_code(bytes: &[u8], start: usize) -> usize {
    let run = |from: usize| bytes[from..].iter().take_while(|byte| **byte == b'`').count();
    let length = run(start);
    let mut at = start + length;
    while at < bytes.len() {
        match run(at) {
            0 => at += 1,
            closing if closing == length => return at + closing,
            other => at += other,
        }
    }
    start + length
}

/// The place that a target in a file leads to, both from the root.
pub(crate) fn resolve(file: &str, target: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The target that leads from one file to another.
pub(crate) fn between(from: &str, to: &str) -> String {
    "../".repeat(from.matches('/').count()) + to
}

/// The anchors of the headings of a page.
pub(crate) fn anchors(text: &str) -> Vec<String> {
    let mut in_code = false;
    let mut anchors: Vec<String> = Vec::new();
    for line in text.lines() {
        in_code ^= line.trim_start().starts_with("```");
        let title = line.trim_start_matches('#');
        if in_code || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let slug: String = title.trim().to_lowercase().chars().filter(kept).collect();
        let slug = slug.replace(' ', "-");
        let twins = anchors.iter().filter(|anchor| **anchor == slug).count();
        anchors.push(if twins == 0 { slug } else { format!("{slug}-{twins}") });
    }
    anchors
}
