//! The decision table as a drawing: each row is asked in turn, and the first that matches decides.

use manila::Row;
use std::fmt::Write;

const WIDTH: usize = 860;
const LEFT: usize = 380;
const LINE: usize = 16;

pub(crate) fn decisions(rows: &[&Row]) -> String {
    let mut drawing = String::new();
    let mut y = 46;
    for (number, row) in rows.iter().enumerate() {
        let asked = wrapped(row.signal, 52);
        let concluded = wrapped(first_sentence(row.conclusion), 60);
        let height = (asked.len() + 1).max(concluded.len()) * LINE + 14;
        let middle = y + height / 2;
        let last = number + 1 == rows.len();
        let _ = writeln!(
            drawing,
            "<rect x=\"10\" y=\"{y}\" width=\"{LEFT}\" height=\"{height}\" rx=\"6\" class=\"ask\"/>"
        );
        let _ = writeln!(
            drawing,
            "<text x=\"20\" y=\"{}\" class=\"id\">{} {}</text>",
            y + 18,
            row.number,
            row.id
        );
        lines(&mut drawing, 20, y + 18 + LINE, &asked);
        let _ = writeln!(drawing, "<path d=\"M{} {middle}h44\" class=\"yes\"/>", LEFT + 10);
        let top = middle + 5 - (concluded.len() - 1) * LINE / 2;
        lines(&mut drawing, LEFT + 64, top, &concluded);
        if !last {
            let _ = writeln!(drawing, "<path d=\"M40 {}v14\" class=\"no\"/>", y + height);
        }
        y += height + 14;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {y}\" width=\"100%\" role=\"img\" aria-label=\"the decision table\">\n\
         <style>\n\
         .decision text {{ font: 12px sans-serif; fill: currentColor; }} .decision .id {{ font-weight: bold; }}\n\
         .decision .ask {{ fill: none; stroke: currentColor; opacity: .5; }} .decision path {{ fill: none; stroke-width: 2; }}\n\
         .decision .yes {{ stroke: #2da44e; marker-end: url(#arrow); }} .decision .no {{ stroke: #8b949e; }}\n\
         </style>\n\
         <defs><marker id=\"arrow\" viewBox=\"0 0 6 6\" refX=\"5\" refY=\"3\" markerWidth=\"5\" markerHeight=\"5\" orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" fill=\"#2da44e\"/></marker></defs>\n\
         <g class=\"decision\">\n\
         <text x=\"10\" y=\"24\" class=\"id\">an answer: the first row that matches decides</text>\n\
         {drawing}</g>\n</svg>\n"
    )
}

fn lines(drawing: &mut String, x: usize, y: usize, lines: &[String]) {
    for (number, line) in lines.iter().enumerate() {
        let line = line.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(drawing, "<text x=\"{x}\" y=\"{}\">{line}</text>", y + number * LINE);
    }
}

fn first_sentence(text: &str) -> &str {
    text.find(". ").map_or(text, |end| &text[..=end])
}

/// Words in lines of at most so many characters; at least one line.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let is_full = lines.last().is_some_and(|line| {
            !line.is_empty() && line.chars().count() + word.chars().count() >= width
        });
        if is_full {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}
