//! Owns: many changes in one program of Go or Rust, which a variable of the environment chooses from.

use crate::change::Change;
use std::fmt::Write;
use std::ops::Range;

/// A source that is compiled once for many changes.
pub(crate) struct Woven {
    pub source: String,
    /// The lines of each change, by its place in the list that was woven.
    pub lines: Vec<(Range<usize>, usize)>,
}

/// A function of a source: where its body is, and what it returns.
struct Function {
    body: Range<usize>,
    returns: String,
}

/// Which changes are in the body of a function, so that they can be chosen when the program runs.
pub(crate) fn is_woven(source: &str, is_go: bool, change: &Change) -> bool {
    let functions = functions(source, is_go);
    let line = source.lines().nth(change.line).unwrap_or_default();
    (is_go && constant(line).is_some())
        || functions.iter().any(|function| function.body.contains(&change.line))
}

/// The name, the type and the value of a constant of Go that can be a variable as well.
fn constant(line: &str) -> Option<(&str, &str, &str)> {
    let (head, value) = line.strip_prefix("const ")?.split_once(" = ")?;
    match head.split_once(' ') {
        Some((name, of)) => Some((name, of, value)),
        None => head.starts_with("Exit").then_some((head, "int", value)),
    }
}

/// The source with the changed bodies beside those that were there.
pub(crate) fn weave(source: &str, is_go: bool, changes: &[(usize, &Change)]) -> Woven {
    let lines: Vec<&str> = source.lines().collect();
    let functions = functions(source, is_go);
    let mut out = String::new();
    let mut places = Vec::new();
    let mut count = 0;
    let push = |out: &mut String, count: &mut usize, line: &str| {
        let _ = writeln!(out, "{line}");
        *count += 1;
    };
    for (number, line) in lines.iter().enumerate() {
        let begun = functions.iter().find(|it| it.body.start == number);
        let inside = |function: &Function| {
            let inside = changes.iter().filter(|(_, it)| function.body.contains(&it.line));
            inside.collect::<Vec<_>>()
        };
        let begun = begun.map(|it| (it, inside(it))).filter(|(_, inside)| !inside.is_empty());
        if let Some((function, inside)) = begun {
            let returns = &function.returns;
            push(
                &mut out,
                &mut count,
                if is_go { "switch mutant {" } else { "match crate::mutant() {" },
            );
            for (id, change) in inside {
                let head = match (is_go, returns.is_empty()) {
                    (true, true) => format!("case {id}: func() {{"),
                    (true, false) => format!("case {id}: return func() {returns} {{"),
                    (false, _) => format!("{id} => return (|| -> {returns} {{"),
                };
                push(&mut out, &mut count, &head);
                let start = count;
                for at in function.body.clone() {
                    let text = if at == change.line { &change.text } else { lines[at] };
                    push(&mut out, &mut count, text);
                }
                places.push((start..count, *id));
                let foot = match (is_go, returns.is_empty()) {
                    (true, true) => "}(); return",
                    (true, false) => "}()",
                    (false, _) => "})(),",
                };
                push(&mut out, &mut count, foot);
            }
            push(&mut out, &mut count, if is_go { "}" } else { "_ => {} }" });
        }
        let here = changes.iter().filter(|(_, it)| it.line == number);
        let values = here.filter_map(|(id, it)| Some(format!("{id}: {}", constant(&it.text)?.2)));
        let values: Vec<String> = values.collect();
        match constant(line).filter(|_| is_go && !values.is_empty()) {
            Some((name, of, value)) => {
                let others = format!("map[int]{of}{{{}}}", values.join(", "));
                let line = format!("var {name} {of} = chosen[{of}]({value}, {others})");
                push(&mut out, &mut count, &line);
            }
            None => push(&mut out, &mut count, line),
        }
    }
    if !is_go {
        out.push_str(RUST);
    }
    Woven { source: out, lines: places }
}

/// The changes that a compiler complains about, by the lines that it names.
pub(crate) fn blamed(woven: &Woven, complaint: &str, name: &str) -> Vec<usize> {
    let mut found = Vec::new();
    for line in complaint.lines() {
        let Some((_, rest)) = line.split_once(&format!("{name}:")) else { continue };
        let number = rest.split(':').next().and_then(|it| it.parse::<usize>().ok());
        let place = number
            .and_then(|number| woven.lines.iter().find(|(lines, _)| lines.contains(&(number - 1))));
        if let Some((_, id)) = place.filter(|(_, id)| !found.contains(id)) {
            found.push(*id);
        }
    }
    found
}

/// What chooses in Go: a file of its own, which imports what it needs.
pub(crate) const GO: &str = r#"
import (
	"os"
	"strconv"
)

var mutant = func() int {
	number, _ := strconv.Atoi(os.Getenv("MANILA_MUTANT"))
	return number
}()

func chosen[T any](value T, others map[int]T) T {
	if other, ok := others[mutant]; ok {
		return other
	}
	return value
}
"#;

const RUST: &str = r#"
fn mutant() -> usize {
    static CHOSEN: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    let chosen = || std::env::var("MANILA_MUTANT").ok()?.parse().ok();
    *CHOSEN.get_or_init(|| chosen().unwrap_or(0))
}
"#;

/// The functions of a formatted source, none of which is inside another.
fn functions(source: &str, is_go: bool) -> Vec<Function> {
    let lines: Vec<&str> = source.lines().collect();
    let mut found: Vec<Function> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let code = lines[at].trim_start();
        let indent = &lines[at][..lines[at].len() - code.len()];
        let is_head = if is_go {
            lines[at].starts_with("func ")
        } else {
            indent.len() <= 4 && (code.starts_with("fn ") || code.starts_with("pub fn "))
        };
        at += 1;
        if !is_head {
            continue;
        }
        // What has no body, or all of it on one line, ends where it began.
        let opens = |line: &str| {
            line.starts_with(indent)
                && line.ends_with('{')
                && !line[indent.len()..].starts_with(' ')
        };
        let ends = |line: &str| line.ends_with(';') || line.ends_with('}');
        let mut head = at - 1;
        while head < lines.len() && !opens(lines[head]) && !ends(lines[head]) {
            head += 1;
        }
        if head == lines.len() || !opens(lines[head]) {
            continue;
        }
        let foot = format!("{indent}}}");
        let Some(length) = lines[head..].iter().position(|line| *line == foot) else { continue };
        let heading = lines[at - 1..=head].join(" ");
        let returns = if is_go { go_result(&heading) } else { rust_result(&heading) };
        found.push(Function { body: head + 1..head + length, returns });
        at = head + length;
    }
    found
}

fn rust_result(heading: &str) -> String {
    let heading = heading.trim_end_matches('{').trim_end();
    // What follows the last closing bracket of the parameters; a closure among them has an arrow too.
    let mut depth = 0;
    let mut end = 0;
    for (at, character) in heading.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            end = at;
            break;
        }
    }
    heading[end + 1..].trim().strip_prefix("->").map_or("()", str::trim).to_owned()
}

fn go_result(heading: &str) -> String {
    let mut rest = heading.trim_end_matches('{').trim().trim_start_matches("func ");
    if rest.starts_with('(') {
        rest = after_bracket(rest).trim_start();
    }
    rest = &rest[rest.find(['(', '[']).unwrap_or_default()..];
    if rest.starts_with('[') {
        rest = after_bracket(rest);
    }
    after_bracket(rest).trim().to_owned()
}

/// What follows the bracket that a text begins with.
fn after_bracket(text: &str) -> &str {
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[at + 1..];
        }
    }
    ""
}
