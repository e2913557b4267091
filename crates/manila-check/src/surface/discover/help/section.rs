//! A page of help cut into sections, and what each of them holds by its heading.

use crate::surface::discover::plain::Line;

/// A line at the margin, and what is indented below it.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub heading: String,
    pub kind: Kind,
    /// Below the heading; blank ones too, which part entries.
    pub lines: Vec<Line>,
}

/// What a section holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Usage,
    Commands,
    Flags,
    Arguments,
    Aliases,
    /// Something that lists neither.
    Other,
    /// Its heading does not say.
    Unknown,
}

impl Section {
    /// Whether it says what the program does.
    pub(super) fn is_description(&self) -> bool {
        let heading = self.heading.to_lowercase();
        heading.starts_with("description") || heading.starts_with("name")
    }
}

/// Cuts a page into sections.
pub(super) fn split(lines: &[Line]) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    // Whether no line of the section is indented so far.
    let mut is_flush = true;
    for line in lines {
        match sections.last_mut() {
            Some(section)
                if line.is_blank() || line.indent > 0 || belongs(section, line, is_flush) =>
            {
                is_flush &= line.is_blank() || line.indent == 0;
                section.lines.push(line.clone());
            }
            None if line.is_blank() => {}
            _ => {
                is_flush = true;
                sections.push(begin(&line.text));
            }
        }
    }
    sections.into_iter().flat_map(apart).collect()
}

/// A usage ends at the first blank line; what is indented after it is something else, such as the
/// description that click puts there or the flags of git.
fn apart(mut section: Section) -> Vec<Section> {
    if section.kind != Kind::Usage {
        return vec![section];
    }
    let first = section.lines.iter().position(|line| !line.is_blank()).unwrap_or_default();
    // tree puts no blank line there, but `------- Listing options -------`, and shellcheck nothing at all.
    let is_described = |line: &Line| line.text.starts_with('-') && line.text.contains("   ");
    let is_end =
        |line: &Line| line.is_blank() || line.text.starts_with("---") || is_described(line);
    let end = section.lines.iter().skip(first).position(is_end);
    let rest = end.map_or_else(Vec::new, |end| section.lines.split_off(first + end));
    let rest = Section { heading: String::new(), kind: Kind::Unknown, lines: rest };
    vec![section, rest]
}

/// Whether a line at the margin is not a heading but a part of the section: a flag, or a command in
/// a list that is not indented.
fn belongs(section: &Section, line: &Line, is_flush: bool) -> bool {
    if section.kind == Kind::Usage {
        return is_call(section, line);
    }
    let is_flag = line.text.starts_with('-') && line.text.len() > 1 && !line.text.starts_with("- ");
    let is_listed = section.kind == Kind::Commands
        && line.text.contains("  ")
        && !line.text.ends_with(':')
        && is_flush;
    is_flag || is_listed
}

/// Whether a line at the margin is a call below `Usage:`: the first thing there, or one that begins with
/// the same word.
fn is_call(section: &Section, line: &Line) -> bool {
    let first = section.lines.iter().find(|it| !it.is_blank());
    let word = |text: &str| text.split_whitespace().next().map(str::to_owned);
    match first {
        Some(first) => first.indent == 0 && word(&first.text) == word(&line.text),
        None => !line.text.ends_with(':'),
    }
}

fn begin(text: &str) -> Section {
    let marked = text.trim_start_matches(['#', '*', '=']).trim_end_matches(['*', '=']).trim();
    let lower = marked.to_lowercase();
    let mut lines = Vec::new();
    let usage = lower.strip_prefix("usage").or_else(|| lower.strip_prefix("synopsis"));
    let kind = if let Some(rest) = usage.filter(|it| !is_word(it)) {
        let at = marked.len() - rest.len();
        let rest = marked.get(at..).unwrap_or_default().trim_start_matches([':', ' ']);
        // Go's own package writes `Usage of tool:` and then the flags.
        if rest.to_lowercase().starts_with("of ") && rest.ends_with(':') {
            Kind::Flags
        } else {
            if !rest.is_empty() {
                lines.push(Line { indent: 1, text: rest.to_owned() });
            }
            Kind::Usage
        }
    } else if let Some(names) = inline_aliases(marked) {
        lines.push(Line { indent: 1, text: names.to_owned() });
        Kind::Aliases
    } else {
        kind(marked)
    };
    Section { heading: marked.to_owned(), kind, lines }
}

/// The names on the line of their heading: `Aliases: list, ls`.
fn inline_aliases(line: &str) -> Option<&str> {
    let (heading, names) = line.split_once(':')?;
    let is_it = ["alias", "aliases"].iter().any(|it| heading.eq_ignore_ascii_case(it));
    Some(names.trim()).filter(|names| is_it && !names.is_empty())
}

fn is_word(rest: &str) -> bool {
    rest.starts_with(|letter: char| letter.is_alphanumeric())
}

/// How headings begin below which neither commands nor flags are listed.
const OTHER: &[&str] = &[
    "example",
    "environment",
    "exit",
    "see also",
    "note",
    "learn more",
    "description",
    "name",
    "author",
    "documentation",
    "bugs",
    "copyright",
    "help topics",
];

fn kind(heading: &str) -> Kind {
    let is_heading = heading.ends_with(':')
        || heading.split_whitespace().count() <= 4
        || !heading.chars().any(char::is_lowercase);
    let heading = heading.trim_end_matches(':').to_lowercase();
    let has = |word: &str| {
        heading.split(|it: char| !it.is_alphanumeric() && it != '-').any(|it| it == word)
    };
    match () {
        () if is_heading && OTHER.iter().any(|it| heading.starts_with(it)) => Kind::Other,
        () if !is_heading => Kind::Unknown,
        () if has("aliases") || has("alias") => Kind::Aliases,
        () if ["options", "option", "flags", "flag", "switches"].iter().any(|it| has(it)) => {
            Kind::Flags
        }
        () if [
            "commands",
            "command",
            "subcommands",
            "subcommand",
            "topics",
            "actions",
            "verbs",
            "groups",
            "subgroups",
            "services",
        ]
        .iter()
        .any(|it| has(it)) =>
        {
            Kind::Commands
        }
        () if ["arguments", "args", "positionals", "parameters", "operands", "positional"]
            .iter()
            .any(|it| has(it)) =>
        {
            Kind::Arguments
        }
        () => Kind::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::discover::plain;

    #[test]
    fn headings_say_what_is_below_them() {
        for (heading, expected) in [
            ("Commands:", Kind::Commands),
            ("CORE COMMANDS", Kind::Commands),
            ("Available Commands:", Kind::Commands),
            ("Basic Commands (Beginner):", Kind::Commands),
            ("GROUPS", Kind::Commands),
            ("AVAILABLE SERVICES", Kind::Commands),
            ("Options:", Kind::Flags),
            ("Global Flags:", Kind::Flags),
            ("positional arguments:", Kind::Arguments),
            ("optional arguments:", Kind::Arguments),
            ("Aliases:", Kind::Aliases),
            ("Aliases: list, ls, la, ll", Kind::Aliases),
            ("EXAMPLES", Kind::Other),
            ("Examples of commands:", Kind::Other),
            ("Answer:", Kind::Unknown),
            ("Run a command in the container with all of its options", Kind::Unknown),
            ("Usage of tool:", Kind::Flags),
            ("Usage: tool [-h]", Kind::Usage),
            ("USAGE", Kind::Usage),
        ] {
            assert_eq!(begin(heading).kind, expected, "{heading}");
        }
    }

    #[test]
    fn what_is_indented_belongs_to_the_line_above() {
        let sections =
            split(&plain::lines("A tool\n\nOptions:\n  -h  Help\n\nCommands:\nlist  List\n"));
        let sizes: Vec<usize> = sections.iter().map(|it| it.lines.len()).collect();
        assert_eq!(sizes, [1, 2, 1]);
        let usage = split(&plain::lines("Usage: a\n\n  What it does.\n"));
        assert_eq!(usage[1].lines[1].text, "What it does.");
        let shellcheck = split(&plain::lines(
            "Usage: a [OPTIONS...] FILES...\n  -f FORMAT   --format=FORMAT   The format\n      --norc   None\n",
        ));
        assert_eq!(shellcheck[0].lines.len(), 1);
        assert_eq!(shellcheck[1].lines.len(), 2);
        let npm = split(&plain::lines("Usage:\nnpm audit [fix]\nnpm audit x\n\nOptions:\n"));
        assert_eq!(npm[0].lines.len(), 2);
    }
}
