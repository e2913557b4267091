//! The story of a call in words: for --explain while it goes, and for plans.

use manila::json::Raw;
use manila_run::{Cause, Event, Outcome, Stopped, Usage};
use std::borrow::Cow;
use std::io::{self, BufRead, Write};

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
        Cause::NextPage { cursor } => format!("the data go on at {cursor:?}"),
        Cause::Redirect { command } => format!("the program said to call {command:?}"),
        Cause::Remembered => "a redirect is remembered for good".to_owned(),
        Cause::Fix => "the error stated this as its fix".to_owned(),
        Cause::Refresh => "the credentials are to be renewed".to_owned(),
        Cause::Again => "what stood in the way is corrected".to_owned(),
        Cause::WithoutEtag => "there is no kept answer to compare with".to_owned(),
    }
}

/// Tells a step on standard error. Whoever does not listen misses it, and nothing else happens.
pub(crate) fn explain(event: &Event<'_>) {
    let text = match event {
        Event::Attempt { number, argv, cause: why } => {
            format!("attempt {number}: {}\n  because {}", line(argv), cause(why))
        }
        Event::Answered { usage, dialect, exit, code } => {
            let what = code
                .map_or_else(|| exit.name().to_owned(), |code| format!("{} {code}", exit.name()));
            let dialect = dialect.unwrap_or("no envelope");
            format!("  {what}, {dialect}, {}", taken(usage))
        }
        Event::Decided(decision) => {
            let action = decision.action.name().replace('-', " ");
            let row = decision.row;
            let mut text =
                format!("  {action}: {} (row {} {})", decision.reason, row.number, row.id);
            for note in &decision.notes {
                text.push_str("\n  note: ");
                text.push_str(note);
            }
            text
        }
        Event::Waiting(time) => format!("  waiting {}", humantime::format_duration(*time)),
        Event::Noted(note) => format!("  note: {note}"),
        _ => return,
    };
    let shown: String = text
        .chars()
        .map(|it| if it.is_control() && it != '\n' { '\u{fffd}' } else { it })
        .collect();
    let _ = writeln!(io::stderr(), "{shown}");
}

/// How an attempt ended and what it took.
fn taken(usage: &Usage) -> String {
    let ended = match usage.stopped {
        Some(Stopped::TimeLimit) => "ended at its time limit".to_owned(),
        Some(Stopped::Cancelled) => "ended with the call".to_owned(),
        Some(Stopped::HeldOpen) => format!("{}, output held open by others", usage.status),
        _ => usage.status.to_string(),
    };
    format!("{ended}, {} ms, {} bytes", usage.duration_ms, usage.stdout_bytes + usage.stderr_bytes)
}

/// Asks whoever is at the terminal whether to run a command.
pub(crate) fn agree(words: &[String]) -> bool {
    let _ = write!(
        io::stderr(),
        "the program says to call this instead: {}\nrun it? [y/N] ",
        line(words)
    );
    let mut answer = String::new();
    let read = io::stdin().lock().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim(), "y" | "yes")
}

/// The words of a program that has no envelope; nothing if the data are more than that.
pub(crate) fn words_of(outcome: &Outcome, data: &Raw) -> Option<String> {
    let value = data.value();
    let stdout = value.members().find(|member| outcome.story.plain && member.is("stdout"))?;
    stdout.value.string().map(Cow::into_owned)
}
