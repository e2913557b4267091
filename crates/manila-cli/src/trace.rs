//! The trace of a call in words: each step or a line of progress while it goes, questions, and plans.

use crate::human::on_one_line;
use crate::progress;
use manila::json::Raw;
use manila_clap::visible;
use manila_run::{Cause, Event, Outcome, Stopped, Usage, duration};
use std::borrow::Cow;
use std::io::{self, BufRead, Write};
use std::iter;

/// A line that is longer could not be taken over.
const WIDTH: usize = 78;

/// Words as a shell would take them.
pub(crate) fn line(words: &[String]) -> String {
    let quoted = |word: &String| shlex::try_quote(word).map_or(word.clone(), Cow::into_owned);
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// Why an attempt is made.
pub(crate) fn cause(cause: &Cause) -> String {
    match cause {
        Cause::First => "the caller asked for it".to_owned(),
        Cause::Retry { waited_ms } => format!("it may work now, after {waited_ms} ms"),
        Cause::NextPage { cursor } => format!("the data continues at {cursor:?}"),
        Cause::Redirect { command } => format!("the program said to call {command:?}"),
        Cause::Remembered => "a redirect is remembered for good".to_owned(),
        Cause::Fix => "the error stated this as its fix".to_owned(),
        Cause::Refresh => "the credentials are to be renewed".to_owned(),
        Cause::Again => "what stood in the way is corrected".to_owned(),
        Cause::WithoutEtag => "there is no kept answer to compare with".to_owned(),
    }
}

/// Reports a step on stderr. If stderr cannot be written, the step is dropped.
pub(crate) fn explain(event: &Event<'_>) {
    let lines = match event {
        Event::Attempt { number, argv, cause: why } => {
            vec![format!("attempt {number}: {}", line(argv)), format!("  because {}", cause(why))]
        }
        Event::Answered { usage, dialect, exit, code } => {
            let class = exit.name();
            let code = code.filter(|code| *code != class);
            let what = code.map_or_else(|| class.to_owned(), |code| format!("{class} {code}"));
            let dialect = dialect.unwrap_or("no envelope");
            vec![format!("  {what}, {dialect}, {}", taken(usage))]
        }
        Event::Decided(decision) => {
            let action = decision.action.name().replace('-', " ");
            let row = decision.row;
            let said = format!("  {action}: {} (row {} {})", decision.reason, row.number, row.id);
            let notes = decision.notes.iter().map(|note| format!("  note: {note}"));
            iter::once(said).chain(notes).collect()
        }
        Event::Waiting(time) => vec![format!("  waiting {}", duration::format(*time))],
        Event::Noted(note) => vec![format!("  note: {note}")],
        _ => return,
    };
    let lines: String = lines.iter().map(|line| harmless(line) + "\n").collect();
    let _ = io::stderr().write_all(lines.as_bytes());
}

/// Shows how far a call has come, in one line of a terminal that each step takes over.
pub(crate) fn progress(event: &Event<'_>) {
    let text = match event {
        Event::Attempt { number: 1, argv, .. } => line(argv),
        Event::Attempt { number, argv, .. } => format!("attempt {number}: {}", line(argv)),
        Event::Waiting(time) => format!("waiting {}", duration::format(*time)),
        // What is shown next must find the line empty.
        Event::Decided(_) => String::new(),
        _ => return,
    };
    let text: String = harmless(&text).chars().take(WIDTH).collect();
    progress::show(text);
}

/// Says that nothing happens for a while, on a line of its own.
pub(crate) fn pause(event: &Event<'_>) {
    if let Event::Waiting(time) = event {
        let _ = writeln!(io::stderr(), "manila: waiting {}", duration::format(*time));
    }
}

/// A line in which a program's words stand, without what would steer a terminal or begin another.
pub(crate) fn harmless(line: &str) -> String {
    visible(&on_one_line(line))
}

/// How an attempt ended and what it took.
fn taken(usage: &Usage) -> String {
    let ended = match usage.stopped {
        Some(Stopped::TimeLimit) => "ended at its time limit".to_owned(),
        Some(Stopped::Cancelled) => "ended with the call".to_owned(),
        Some(Stopped::Terminal) => "ended because it wants the terminal".to_owned(),
        Some(Stopped::HeldOpen) => format!("{}, output held open by others", usage.status),
        _ => usage.status.to_string(),
    };
    format!("{ended}, {} ms, {} bytes", usage.duration_ms, usage.stdout_bytes + usage.stderr_bytes)
}

/// Asks the person at the terminal whether to run a command.
pub(crate) fn agree(words: &[String]) -> bool {
    let _ = write!(
        io::stderr(),
        "the program says to call this instead: {}\nrun it? [y/N] ",
        harmless(&line(words))
    );
    let mut answer = String::new();
    let read = io::stdin().lock().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim(), "y" | "yes")
}

/// The stdout of a program without an envelope, if the data is nothing more than that.
pub(crate) fn plain_stdout(outcome: &Outcome, data: &Raw) -> Option<String> {
    let value = data.value();
    let stdout = value.members().find(|member| outcome.trace.plain && member.is("stdout"))?;
    stdout.value.string().map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_text_cannot_steer_the_terminal_or_begin_a_line() {
        let words =
            ["t", "\u{1b}[2K\r\n  accept: all is well", "\u{202e}mr", "é"].map(str::to_owned);
        let shown = harmless(&line(&words));
        assert!(!shown.contains(['\u{1b}', '\r', '\n', '\u{202e}']), "{shown}");
        assert!(shown.contains("accept: all is well") && shown.contains('é'), "{shown}");
    }
}
