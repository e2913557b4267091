//! How JSON is asked for: by a flag that the help mentions, by one that it does not, or not at all.

use super::ask::Asking;
use super::call;
use crate::observe::placeholder::NO_COMMAND;
use crate::observe::probe::{Form, Purpose};
use crate::observe::reading;
use crate::observe::run::Run;
use crate::observe::sample_input;
use crate::surface::gate::{self, Permitted};
use crate::surface::model::{Command, Flag, Json};
use manila::json::FlawKind;
use serde_json::Value;
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
    found.extend(named.map(|flag| vec![flag.spelling(), "json".to_owned()]));
    let short = flags
        .iter()
        .find(|flag| flag.short == Some('o') && flag.long.is_none() && takes_json(flag));
    found.extend(short.map(|flag| vec![flag.spelling(), "json".to_owned()]));
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
    let ways = candidates.iter().flat_map(|words| ways(commands, words));
    let ways: Vec<Json> = ways.collect();
    if let Some(json) = ways.iter().find(|json| answers(asking, &calls, json)) {
        return json.clone();
    }
    // What help promises and no command keeps is still what callers will type.
    if let Some(json) = candidates.first().and_then(|words| self::ways(commands, words).pop()) {
        return json;
    }
    if answers(asking, &calls, &Json::Always) {
        return Json::Always;
    }
    let hidden = [&["--json"][..], &["--output", "json"], &["--format", "json"]];
    let hidden = hidden.map(|words| words.iter().map(ToString::to_string).collect::<Vec<_>>());
    hidden
        .into_iter()
        .map(Json::Arguments)
        .find(|json| answers(asking, &calls, json))
        .unwrap_or(Json::Unknown)
}

/// Where these words may stand: after the command, and before it where the program lists them and no command does, as
/// argparse and click have it.
fn ways(commands: &[Command], words: &[String]) -> Vec<Json> {
    let lists = |command: &Command| {
        words.first().is_some_and(|first| command.flags.iter().any(|flag| flag.spells(first)))
    };
    let has_page = |command: &&Command| !command.is_root() && !command.flags.is_empty();
    let (root, others): (Vec<&Command>, Vec<&Command>) =
        commands.iter().partition(|command| command.is_root());
    let mut pages = others.into_iter().filter(has_page).peekable();
    let is_first = root.into_iter().any(lists) && pages.peek().is_some() && !pages.any(lists);
    let after = Json::Arguments(words.to_vec());
    if is_first { vec![after, Json::ArgumentsFirst(words.to_vec())] } else { vec![after] }
}

/// Calls that would show it: samples, else one that no program can follow.
fn calls(commands: &[Command]) -> Vec<Permitted> {
    let sample = |command: &Command| gate::call(command, command.sample.as_ref()?);
    let mut samples: Vec<&Command> =
        commands.iter().filter(|it| !it.is_root() && !it.is_text_only).collect();
    // Others may wait for a network that is not there.
    samples.sort_by_key(|it| !call::is_showing(&it.path));
    let mut calls: Vec<Permitted> = samples.into_iter().filter_map(sample).take(TRIED).collect();
    if let Some(root) = commands.first().filter(|_| calls.is_empty()) {
        calls.extend(sample(root).or_else(|| gate::unknown_word(root, NO_COMMAND)));
    }
    calls
}

fn answers(asking: &Asking<'_>, calls: &[Permitted], json: &Json) -> bool {
    let with: Vec<_> = calls.iter().map(|call| call.clone().in_json(json)).collect();
    let runs = asking.ask(&with, Purpose::Sample, Form::Json);
    runs.iter().flatten().any(is_json)
}

/// Whether a run wrote an object or a list of its own; a program that prints a number alone may not mean it as JSON, and
/// one that shows lines of a file may show the sample document.
fn is_json(run: &Run) -> bool {
    [&run.transcript.stdout, &run.transcript.stderr].into_iter().any(|bytes| {
        let head = &bytes[..bytes.len().min(HEAD)];
        let content = reading::stream(head);
        let is_whole = |span: &Range<usize>| {
            matches!(head.get(span.start), Some(b'{' | b'['))
                && reading::begins_line(head, span.start)
                && !head.get(span.clone()).is_some_and(is_sample)
        };
        // One that is JSON as far as anyone looked is taken for it.
        let goes_on = head.len() < bytes.len()
            && content.broken.is_some_and(|(_, flaw)| flaw.kind == FlawKind::UnexpectedEnd);
        content.documents.iter().any(is_whole) || goes_on
    })
}

/// Whether a document is the one that each run finds in its directory.
fn is_sample(document: &[u8]) -> bool {
    let value = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).ok();
    let sample = sample_input::content(sample_input::DOCUMENT).unwrap_or_default();
    value(document).is_some_and(|it| value(sample.as_bytes()) == Some(it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::ran;

    #[test]
    fn what_is_shown_of_the_sample_is_not_an_answer_in_json() {
        let says = |stdout: &str| is_json(&ran(Purpose::Sample, stdout, 0));
        let sample = sample_input::content(sample_input::DOCUMENT).unwrap_or_default();
        assert!(says("{\"ok\":true}"));
        assert!(says("Loading\n{\"ok\":true}\n"));
        assert!(!says(sample));
        assert!(!says(
            "{\"items\": [{\"name\":\"alpha\",\"id\":1},\n {\"id\":2,\"name\":\"beta\"}]}"
        ));
        assert!(!says(&format!("sample.json:{sample}")));
        assert!(!says("+{\"ok\":true}"));
    }
}
