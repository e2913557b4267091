//! How a program refuses what it does not know, and whether it refuses something else alike.

use crate::observe::placeholder::{NO_COMMAND, NO_FLAG};
use crate::observe::probe::{Form, Probe, Purpose};
use crate::observe::reading::begins_line;
use crate::plan::adversarial::is_harmless;
use crate::plan::usual::{unknown_flag, unknown_flag_first};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::surface::model::{Command, Flag, Json, Surface};
use manila::Stream;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;

/// Whether a run was a success by all that it says.
pub(crate) fn is_accepted(seen: &ObservedRun<'_>) -> bool {
    seen.run.ended_by_itself() && seen.exited_zero() && seen.reading.says_failure() != Some(true)
}

/// Whether a word stands anywhere in what a run wrote.
pub(crate) fn names(seen: &ObservedRun<'_>, word: &str) -> bool {
    let has = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(word);
    has(&seen.run.transcript.stdout) || has(&seen.run.transcript.stderr)
}

/// Whether a text is a page of help.
pub(crate) fn is_help(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes).to_lowercase();
    ["usage:", "usage\n", "options:", "commands:", "--help"].iter().any(|mark| text.contains(mark))
}

/// Whether the other run refuses its word as the first one refuses a word that nothing knows: with
/// the same status, the same code and the same words before it.
pub(crate) fn is_alike(
    unknown: &ObservedRun<'_>,
    no_word: &str,
    other: &ObservedRun<'_>,
    word: &str,
) -> bool {
    let is_refused = |seen: &ObservedRun<'_>| seen.run.ended_by_itself() && !is_accepted(seen);
    let code = |seen: &ObservedRun<'_>| {
        let answer = seen.reading.answer.as_ref();
        answer.and_then(|answer| answer.code.as_ref()).map(|(code, _)| code.clone())
    };
    is_refused(unknown)
        && is_refused(other)
        && unknown.status() == other.status()
        && code(unknown) == code(other)
        && words_around(unknown, no_word)
            .is_some_and(|said| words_around(other, word) == Some(said))
}

/// What comes before a word on its line, if that says something, and the next words after it.
/// `--sort requires a value` is a different error from `--sort is unknown`; what follows further on
/// may be a suggestion.
fn words_around(seen: &ObservedRun<'_>, word: &str) -> Option<(String, Vec<String>)> {
    const AFTER: usize = 2;
    let text = said(seen);
    let line = text.lines().find(|line| line.contains(word))?;
    let (before, after) = line.split_once(word)?;
    let words = after.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    let after: Vec<String> = words.take(AFTER).map(str::to_owned).collect();
    before.chars().any(char::is_alphabetic).then(|| (before.to_owned(), after))
}

/// The message of the answer, or else everything that was written.
fn said(seen: &ObservedRun<'_>) -> String {
    let message = seen.reading.answer.as_ref().and_then(|answer| answer.message.clone());
    message.map_or_else(
        || {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            text(&seen.run.transcript.stderr) + "\n" + &text(&seen.run.transcript.stdout)
        },
        |(message, _)| message,
    )
}

/// The help of a command that nothing knows, wherever there are commands. Some programs refuse it, some
/// answer with their own.
pub(crate) fn help_of_no_command(surface: &Surface) -> impl Iterator<Item = Probe> {
    let parents = surface.commands.iter().filter(move |command| {
        surface.commands.iter().any(|other| parent(&other.path) == Some(&command.path[..]))
    });
    parents.map(|command| {
        let args = [NO_COMMAND, "--help"];
        Probe::new(command, Purpose::Existence, Form::Text, args, &Json::Unknown)
    })
}

fn parent(path: &[String]) -> Option<&[String]> {
    path.split_last().map(|(_, parent)| parent)
}

/// The answers to a command that nothing knows, below this one.
fn to_no_command<'s, 'e>(
    evidence: &'s Evidence<'e>,
    parent: &'s [String],
) -> impl Iterator<Item = &'s ObservedRun<'e>> {
    evidence.runs.iter().filter(move |seen| {
        let probe = &seen.run.probe;
        let is_named = probe.args.iter().any(|word| word == NO_COMMAND);
        let is_asked = matches!(probe.purpose, Purpose::UnknownCommand | Purpose::Existence);
        is_named && is_asked && probe.command == parent
    })
}

/// Whether a run treats a command of this name as one that the program does not know.
pub(crate) fn is_unknown_command(evidence: &Evidence<'_>, seen: &ObservedRun<'_>) -> bool {
    is_refused_as_unknown(evidence, seen) || is_given_others_help(evidence, seen)
}

/// Whether a run refuses a command by its name, in the words for one that the program does not know.
pub(crate) fn is_refused_as_unknown(evidence: &Evidence<'_>, seen: &ObservedRun<'_>) -> bool {
    let path = &seen.run.probe.command;
    // Where a whole branch is unknown, its first word is what is refused.
    (0..path.len()).any(|at| {
        to_no_command(evidence, &path[..at])
            .any(|unknown| is_alike(unknown, NO_COMMAND, seen, &path[at]))
    })
}

/// Whether the help of a command is the page that a command which nothing knows gets, in a program that
/// has other pages for those that it knows.
fn is_given_others_help(evidence: &Evidence<'_>, seen: &ObservedRun<'_>) -> bool {
    let Some(above) = parent(&seen.run.probe.command) else { return false };
    let page = |seen: &ObservedRun<'_>| seen.run.transcript.stdout.clone();
    let is_same = |unknown: &ObservedRun<'_>| {
        is_accepted(unknown) && !page(unknown).is_empty() && page(unknown) == page(seen)
    };
    let mut helps = evidence.of(Purpose::Help, Form::Text);
    seen.run.probe.purpose == Purpose::Help
        && is_accepted(seen)
        && to_no_command(evidence, above).any(is_same)
        && helps.any(|other| {
            parent(&other.run.probe.command) == Some(above) && page(other) != page(seen)
        })
}

/// Whether a run refuses a flag as one that the command does not know.
pub(crate) fn is_unknown_flag(evidence: &Evidence<'_>, seen: &ObservedRun<'_>, flag: &str) -> bool {
    let (command, form) = (&seen.run.probe.command, seen.run.probe.form);
    let unknown =
        || evidence.of(Purpose::UnknownFlag, form).filter(|it| it.run.probe.command == *command);
    // A program that takes flags before its arguments alone refuses every other one alike.
    let is_first = |it: &ObservedRun<'_>| {
        it.run.probe.args.get(command.len()).is_some_and(|word| word == NO_FLAG)
    };
    let is_for_its_place = |last: &ObservedRun<'_>| {
        !is_first(last)
            && unknown()
                .any(|it| is_first(it) && words_around(it, NO_FLAG) != words_around(last, NO_FLAG))
    };
    unknown().any(|it| is_alike(it, NO_FLAG, seen, flag) && !is_for_its_place(it))
}

/// A harmless call with a flag that help or manifest name, and the same with one that nothing knows, to
/// compare them. Each flag is tried in the first two commands that have it; one of the program itself
/// before the first command that can be called.
pub(crate) fn flags_to_try(surface: &Surface, is_asked: fn(&Flag) -> bool) -> Vec<Probe> {
    const OWN: &[&str] = &["help", "version", "json", "manifest", "schema"];
    let mut tried: BTreeMap<String, usize> = BTreeMap::new();
    let mut probes = Vec::new();
    let first_call = surface.commands.iter().find_map(Command::safe_call);
    for command in &surface.commands {
        let own = command.sample.as_ref().filter(|_| command.is_safe());
        let of_all = first_call.as_ref().filter(|_| command.is_root());
        let Some(sample) = own.or(of_all) else { continue };
        // Without its value, an option that exists is refused for that, and one that does not as unknown. In front of
        // a command it would take that for its value.
        let can_be_tried = |flag: &Flag| {
            let has_place = own.is_some() || flag.value.is_none() || !flag.choices.is_empty();
            has_place && !flag.is_of_one_usage
        };
        let flags = command.flags.iter().filter(|flag| is_asked(flag) && is_harmless(flag));
        for flag in flags.filter(|flag| can_be_tried(flag)) {
            let Some(long) = flag.long.clone().filter(|it| !OWN.contains(&it.as_str())) else {
                continue;
            };
            let asks_for_json = surface.json.words().contains(&flag.spelling());
            let count = tried.entry(long).or_default();
            if asks_for_json || sample.contains(&flag.spelling()) || *count == 2 {
                continue;
            }
            *count += 1;
            let value = flag.value.as_ref().and_then(|_| flag.choices.first().cloned());
            let is_alone = flag.value.is_some() && value.is_none();
            let tried = value.map_or_else(|| vec![flag.spelling()], |value| flag.with_value(value));
            // Some programs take flags only before their arguments. One that lacks its value would take an argument
            // for it.
            let args = match own {
                Some(_) if is_alone => [sample.clone(), tried].concat(),
                _ => [tried, sample.clone()].concat(),
            };
            let form = Form::Text;
            probes.push(Probe::new(command, Purpose::Existence, form, args, &surface.json));
            probes.extend(unknown_flag(surface, command, form));
            probes.extend(unknown_flag_first(surface, command, form));
        }
    }
    probes
}

/// The flag that such a call was made for: before the sample, or behind it.
pub(crate) fn tried_flag<'s>(seen: &'s ObservedRun<'_>) -> Option<&'s Flag> {
    let command = seen.command.filter(|_| seen.run.probe.purpose == Purpose::Existence)?;
    let args = &seen.run.probe.args;
    let sample: Vec<OsString> = command.sample.iter().flatten().map(OsString::from).collect();
    let is_first = args.get(command.path.len()..).is_some_and(|rest| rest.ends_with(&sample));
    let at = command.path.len() + if is_first { 0 } else { sample.len() };
    let word = args.get(at)?.to_str()?;
    let name = word.split('=').next().unwrap_or(word);
    command.flags.iter().find(|flag| flag.spelling() == name)
}

/// Whether a failure of this command is to be JSON: it was asked for, or the command answers in JSON without being
/// asked. That others do so says nothing of one that prints something else.
pub(crate) fn owes_json(evidence: &Evidence<'_>, command: &[String]) -> bool {
    let answers = |seen: &ObservedRun<'_>| {
        seen.run.probe.command == command && is_accepted(seen) && seen.scan().has_json()
    };
    evidence.surface.takes_json(command)
        && (evidence.surface.json.is_asked() || evidence.json().any(answers))
}

/// Whether a call was refused for its arguments before the program looked for anything: with usage, and with the
/// status that an unknown flag has. The status of every failure says nothing.
pub(crate) fn is_refused_by_parser(evidence: &Evidence<'_>, seen: &ObservedRun<'_>) -> bool {
    let probe = &seen.run.probe;
    let has_usage = |seen: &ObservedRun<'_>| {
        let transcript = &seen.run.transcript;
        is_prose(seen) && (is_help(&transcript.stderr) || is_help(&transcript.stdout))
    };
    let is_unknown_flag = |other: &ObservedRun<'_>| {
        other.run.probe.command == probe.command && other.status() == seen.status()
    };
    seen.status().is_some_and(|status| status > 1)
        && has_usage(seen)
        && evidence
            .of(Purpose::UnknownFlag, probe.form)
            .any(|other| is_unknown_flag(other) && has_usage(other))
}

/// Why a failure should be JSON, in words.
pub(crate) fn because_of_json(evidence: &Evidence<'_>, seen: &ObservedRun<'_>) -> &'static str {
    // A recorded call is judged only if it asks for JSON.
    let is_recorded = seen.run.probe.purpose == Purpose::Recorded;
    if evidence.surface.json == Json::Always && !is_recorded {
        "although it answers in JSON"
    } else {
        "although JSON was asked for"
    }
}

/// Whether the program gives JSON to callers that ask for it, as one run at least shows.
pub(crate) fn gives_json(evidence: &Evidence<'_>) -> bool {
    evidence.surface.json.is_known()
        && evidence.runs.iter().any(|seen| {
            seen.run.probe.form == Form::Json
                && seen.reading.answer.as_ref().is_some_and(|it| it.stream == Stream::Stdout)
        })
}

/// Where the text of a run is that is not a document: on stderr if there is any, because errors are
/// reported there.
pub(crate) fn prose(seen: &ObservedRun<'_>) -> Option<(Stream, Range<usize>)> {
    let on =
        |stream: Stream| seen.reading.on(stream).text.first().map(|span| (stream, span.clone()));
    on(Stream::Stderr).or_else(|| on(Stream::Stdout))
}

/// Whether a run has neither a document, whole or broken, nor a crash to show, but text. What is
/// quoted in a text on stderr is none.
pub(crate) fn is_prose(seen: &ObservedRun<'_>) -> bool {
    let (stdout, stderr) = (&seen.reading.stdout, &seen.reading.stderr);
    let begins = |span: &Range<usize>| begins_line(&seen.run.transcript.stderr, span.start);
    let has_document = !stdout.documents.is_empty()
        || stdout.broken.is_some()
        || stderr.documents.iter().any(begins)
        || stderr.broken.as_ref().is_some_and(|(span, _)| begins(span));
    !has_document && !is_crash(seen) && prose(seen).is_some()
}

/// Marks of an uncaught error.
const CRASHES: &[&str] = &[
    "panicked at",
    "Traceback (most recent call last)",
    "goroutine 1 [",
    "Unhandled exception",
    "UnhandledPromiseRejection",
    "Uncaught ",
    "Segmentation fault",
    "core dumped",
    "\n    at ",
];

/// Whether a run ended because of an uncaught error.
pub(crate) fn is_crash(seen: &ObservedRun<'_>) -> bool {
    let is_killed = matches!(seen.run.transcript.status, manila::Status::Signaled(_))
        && seen.run.probe.setting.signal.is_none()
        && seen.run.ended_by_itself();
    is_killed || CRASHES.iter().any(|mark| names(seen, mark))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Subject;
    use crate::testing::{ran, surface};

    fn alike(unknown: &str, other: &str) -> bool {
        let subject = Subject {
            argv: vec!["notes".into()],
            shown: vec!["notes".to_owned()],
            variables: Vec::new(),
            fixture: None,
        };
        let surface = surface();
        let runs = [ran(Purpose::UnknownFlag, unknown, 2), ran(Purpose::Existence, other, 2)];
        let evidence = Evidence::new(&subject, &surface, &runs);
        is_alike(&evidence.runs[0], NO_FLAG, &evidence.runs[1], "--sort")
    }

    #[test]
    fn a_refusal_is_known_by_the_words_before_the_name() {
        let unknown = "error: unknown flag '--manila-no-such-flag'\n\nUsage: notes";
        assert!(alike(unknown, "error: unknown flag '--sort'\n\n  tip: --short\n\nUsage: notes"));
        assert!(!alike(unknown, "error: '--sort' needs a value"));
        assert!(!alike("no", "no"));
        let json =
            r#"{"ok":false,"error":{"code":"USAGE","message":"no flag --manila-no-such-flag"}}"#;
        assert!(alike(json, &json.replace(NO_FLAG, "--sort")));
        assert!(!alike(json, &json.replace(NO_FLAG, "--sort").replace("USAGE", "CONFLICT")));
    }
}
