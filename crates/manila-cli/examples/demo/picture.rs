//! A session as an SVG that plays: each line appears in its turn and the session starts over.

use crate::session::{Line, Tone};
use std::fmt::Write;

const LINE: usize = 19;
const TOP: usize = 44;
/// Above a command.
const GAP: usize = 8;
/// The time of a line, of a wait before an attempt and of the end, in tenths of a second.
const STEP: usize = 3;
const PAUSE: usize = 12;
const REST: usize = 60;

pub(crate) fn svg(lines: &[Line]) -> String {
    let commands = lines.iter().filter(|line| line.tone == Tone::Typed).count();
    let (width, height) = (80 * 8 + 40, TOP + lines.len() * LINE + commands * GAP);
    let times = times(lines);
    let end = times.last().copied().unwrap_or(0) + REST;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" xml:space=\"preserve\" role=\"img\" aria-label=\"a session of cargo demo\">\n\
         <style>\n\
         text {{ font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; fill: #c9d1d9; }}\n\
         .typed {{ font-weight: bold; fill: #f0f6fc; }} .bad {{ fill: #ff7b72; }} .decided {{ fill: #79c0ff; }}\n\
         .good {{ fill: #7ee787; }} .quiet, .comment {{ fill: #8b949e; font-weight: normal; }}\n"
    );
    // One animation per line, so that the last picture is what stays without animations.
    let seconds = tenths(end);
    for (number, time) in times.iter().enumerate() {
        let share = tenths(time * 1000 / end.max(1));
        let _ = writeln!(
            out,
            "@keyframes l{number} {{ 0%, {share}% {{ opacity: 0 }} {share}1%, 100% {{ opacity: 1 }} }} \
             .l{number} {{ animation: l{number} {seconds}s step-end infinite }}"
        );
    }
    out.push_str("@media (prefers-reduced-motion: reduce) { text { animation: none !important } }\n</style>\n");
    let _ =
        writeln!(out, "<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#0d1117\"/>");
    for (place, colour) in [(20, "#ff5f56"), (38, "#ffbd2e"), (56, "#27c93f")] {
        let _ = writeln!(out, "<circle cx=\"{place}\" cy=\"18\" r=\"5\" fill=\"{colour}\"/>");
    }
    let mut y = TOP;
    for (number, Line { tone, text, comment }) in lines.iter().enumerate() {
        let class = match tone {
            Tone::Typed => "typed",
            Tone::Bad => "bad",
            Tone::Decided => "decided",
            Tone::Good => "good",
            Tone::Quiet => "quiet",
        };
        if number > 0 {
            y += if *tone == Tone::Typed { LINE + GAP } else { LINE };
        }
        let _ =
            write!(out, "<text x=\"20\" y=\"{y}\" class=\"{class} l{number}\">{}", escaped(text));
        if !comment.is_empty() {
            let _ = write!(out, "<tspan class=\"comment\">  # {}</tspan>", escaped(comment));
        }
        out.push_str("</text>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// When each line appears.
fn times(lines: &[Line]) -> Vec<usize> {
    let mut now = 0;
    let step = |line: &Line| {
        let at = now;
        now += if matches!(line.tone, Tone::Decided | Tone::Typed) { PAUSE } else { STEP };
        at
    };
    lines.iter().map(step).collect()
}

fn tenths(number: usize) -> String {
    format!("{}.{}", number / 10, number % 10)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
