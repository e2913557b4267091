//! How JSON is asked for: by a flag that the help mentions, by one that it does not, or not at all.

use super::ask::Asking;
use crate::gate::{self, Permitted};
use crate::plan::NO_COMMAND;
use crate::probe::{Form, Purpose};
use crate::reading;
use crate::run::Run;
use crate::surface::{Command, Flag, Json};
use manila::json::FlawKind;
use std::ops::Range;

/// Flags that take the name of a format, in the order in which they are believed.
const FORMATS: &[&str] = &["output", "format", "output-format", "out-format", "out"];
/// How many commands are called to see which words work.
const TRIED: usize = 3;
/// As much of an answer is looked at to see whether it is JSON.
const HEAD: usize = 256 << 10;

/// The words that ask for JSON by what help and manifest say, the likeliest first.
pub(super) fn candidates(commands: &[Command]) -> Vec<Vec<String>> {
    let flags: Vec<&Flag> = commands.iter().flat_map(|command| &command.flags).collect();
    let mut found: Vec<Vec<String>> = Vec::new();
    let long = |name: &str| flags.iter().find(move |flag| flag.long.as_deref() == Some(name));
    if long("json").is_some_and(|flag| flag.value.is_none()) {
        found.push(vec!["--json".to_owned()]);
    }
    let named = FORMATS.iter().filter_map(|name| long(name)).filter(|flag| takes_json(flag));
    found.extend(named.map(|flag| vec![flag.word(), "json".to_owned()]));
    let short = flags
        .iter()
        .find(|flag| flag.short == Some('o') && flag.long.is_none() && takes_json(flag));
    found.extend(short.map(|flag| vec![flag.word(), "json".to_owned()]));
    found
}

fn takes_json(flag: &Flag) -> bool {
    let about = flag.about.to_lowercase();
    let says_so = about.split(|it: char| !it.is_alphanumeric()).any(|word| word == "json");
    flag.value.is_some()
        && (flag.choices.iter().any(|it| it == "json") || (flag.choices.is_empty() && says_so))
}

/// Finds the words that work.
pub(super) fn find(asking: &Asking<'_>, commands: &[Command]) -> Json {
    let candidates = candidates(commands);
    let calls = calls(commands);
    if let Some(words) = candidates.iter().find(|words| answers(asking, &calls, words)) {
        return Json::Asked(words.clone());
    }
    // What help promises and no command keeps is still what callers will type.
    if let Some(words) = candidates.into_iter().next() {
        return Json::Asked(words);
    }
    if answers(asking, &calls, &[]) {
        return Json::Always;
    }
    let hidden = [&["--json"][..], &["--output", "json"], &["--format", "json"]];
    let hidden = hidden.map(|words| words.iter().map(ToString::to_string).collect::<Vec<_>>());
    hidden
        .into_iter()
        .find(|words| answers(asking, &calls, words))
        .map_or(Json::Unknown, Json::Asked)
}

/// Calls that would show it: samples, else one that no program can follow.
fn calls(commands: &[Command]) -> Vec<Permitted> {
    let sample = |command: &Command| gate::call(command, command.sample.as_ref()?);
    let samples = commands.iter().filter(|it| !it.is_root() && !it.is_text_only);
    let mut calls: Vec<Permitted> = samples.filter_map(sample).take(TRIED).collect();
    if let Some(root) = commands.first().filter(|_| calls.is_empty()) {
        calls.extend(sample(root).or_else(|| gate::unknown_word(root, NO_COMMAND)));
    }
    calls
}

fn answers(asking: &Asking<'_>, calls: &[Permitted], words: &[String]) -> bool {
    let with: Vec<_> = calls.iter().map(|call| call.clone().in_json(words)).collect();
    let runs = asking.ask(&with, Purpose::Sample, Form::Json);
    runs.iter().flatten().any(is_json)
}

/// Whether a run wrote an object or a list; a program that prints a number alone may not mean it as JSON.
fn is_json(run: &Run) -> bool {
    [&run.transcript.stdout, &run.transcript.stderr].into_iter().any(|bytes| {
        let head = &bytes[..bytes.len().min(HEAD)];
        let content = reading::stream(head);
        let is_whole = |span: &Range<usize>| matches!(head.get(span.start), Some(b'{' | b'['));
        // One that is JSON as far as anybody looked is taken for it.
        let goes_on = head.len() < bytes.len()
            && content.broken.is_some_and(|(_, flaw)| flaw.kind == FlawKind::UnexpectedEnd);
        content.documents.iter().any(is_whole) || goes_on
    })
}
