//! The questions that discovery asks a program: help, version, and the manifest.

use super::manifest::{self, Described};
use super::{effect, help, plain};
use crate::declaration::Declaration;
use crate::observe::probe::{Form, Probe, Purpose, Setting};
use crate::observe::reading;
use crate::observe::run::Run;
use crate::subject::Subject;
use crate::surface::gate::{self, Permitted};
use crate::surface::known_effects::KnownEffects;
use crate::surface::model::{Command, Json, Manifest};
use manila::{Status, Stream};
use serde_json::Value;

/// Makes runs: in the laboratory, or in a test without any process.
pub type Runner<'r> = dyn Fn(&[Probe]) -> Vec<Option<Run>> + 'r;

/// How much of a program is looked at.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    /// How many commands, and how far down.
    pub(crate) commands: usize,
    pub(crate) depth: usize,
    /// Only this command, with what stands above and below it.
    pub(crate) only: Option<Vec<String>>,
}

impl Default for Reach {
    fn default() -> Reach {
        Reach { commands: 300, depth: 6, only: None }
    }
}

impl Reach {
    /// A few commands of the first level: what a first look needs.
    pub(crate) fn quick() -> Reach {
        Reach { commands: 12, depth: 1, only: None }
    }

    pub(super) fn includes(&self, path: &[String]) -> bool {
        self.only.as_ref().is_none_or(|only| only.starts_with(path) || path.starts_with(only))
    }
}

/// What is asked, and how.
pub(super) struct Asking<'a> {
    pub lab: &'a Runner<'a>,
    pub subject: &'a Subject,
    pub known: KnownEffects<'a>,
    pub reach: &'a Reach,
}

impl Asking<'_> {
    /// Makes these calls, all at once.
    pub(super) fn ask(
        &self,
        calls: &[Permitted],
        purpose: Purpose,
        form: Form,
    ) -> Vec<Option<Run>> {
        let probe = |call: &Permitted| {
            let (command, args) = call.parts();
            Probe { command, args, purpose, form, setting: Setting::default() }
        };
        let is_allowed = |call: &&Permitted| {
            matches!(purpose, Purpose::Help | Purpose::Version)
                || self.known.permit(call.is_known_by_pack(), call.args().iter())
        };
        let probes: Vec<Probe> = calls.iter().filter(is_allowed).map(probe).collect();
        let made = if probes.is_empty() { Vec::new() } else { (self.lab)(&probes) };
        // One answer for each call, in their order.
        let mut made = made.into_iter();
        calls
            .iter()
            .map(|call| is_allowed(&call).then(|| made.next().flatten()).flatten())
            .collect()
    }
}

/// The page of help in a run, whichever stream it is on and whatever it is wrapped in.
pub(super) fn page(run: &Run, path: &[String]) -> Option<help::Page> {
    let transcript = &run.transcript;
    let pages = [Stream::Stdout, Stream::Stderr].into_iter().map(|stream| {
        let text = plain::text(transcript.stream(stream));
        let text = wrapped(&text).unwrap_or(text);
        help::read(&text, path)
    });
    let weight = |page: &help::Page| page.commands.len() * 2 + page.flags.len() + page.usages.len();
    // A complaint about a bad argument ends with a usage too; only a success, or a page worth the name,
    // is help.
    let is_enough = |page: &help::Page| {
        transcript.status == Status::Exited(0) || page.flags.len() + page.commands.len() > 1
    };
    // Of two that are worth the same, that on stdout.
    let best = pages.rev().max_by_key(weight)?;
    (best.is_help() && is_enough(&best)).then_some(best)
}

/// All that a run wrote, as plain text.
pub(super) fn text(run: &Run) -> String {
    let streams = [Stream::Stdout, Stream::Stderr];
    streams.map(|stream| plain::text(run.transcript.stream(stream))).concat()
}

/// Keys that hold the text of help in an envelope.
const TEXTS: &[&str] = &["help", "text", "usage", "message", "content", "output", "stdout"];
/// Keys that hold the object with such a key.
const HOLDERS: &[&str] = &["data", "result", "payload", "response"];

/// The text of help in an envelope.
fn wrapped(text: &str) -> Option<String> {
    let start = text.trim_start();
    if !start.starts_with('{') {
        return None;
    }
    let document: Value = serde_json::Deserializer::from_str(start).into_iter().next()?.ok()?;
    let objects =
        std::iter::once(Some(&document)).chain(HOLDERS.iter().map(|key| document.get(*key)));
    let texts = objects.flatten().flat_map(|object| {
        let own = object.as_str();
        TEXTS.iter().filter_map(|key| object.get(*key)?.as_str()).chain(own)
    });
    let longest = texts.max_by_key(|text| text.len())?;
    Some(plain::text(longest.as_bytes()))
}

/// What it says when asked for its version.
pub(super) fn version(run: &Run) -> Option<String> {
    if run.transcript.status != Status::Exited(0) {
        return None;
    }
    let text = plain::text(&run.transcript.stdout);
    let of_document = |document: &Value| {
        let objects =
            std::iter::once(Some(document)).chain(HOLDERS.iter().map(|key| document.get(*key)));
        let keys = ["version", "tool_version", "text"];
        objects
            .flatten()
            .find_map(|object| keys.iter().find_map(|key| object.get(*key)?.as_str()))
            .map(str::to_owned)
    };
    if let Ok(document) = serde_json::from_str::<Value>(&text) {
        return of_document(&document)
            .or_else(|| document.as_str().map(str::to_owned))
            .map(|it| it.trim().to_owned());
    }
    text.lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .map(|line| line.chars().take(200).collect())
}

/// The largest description that is read, and among how many documents it is looked for.
const LARGEST: usize = 4 << 20;
const MOST_DOCUMENTS: usize = 16;

/// Commands and flags by which programs describe themselves.
const WORDS: &[&str] =
    &["manifest", "schema", "introspect", "describe", "commands", "spec", "capabilities"];
const FLAGS: &[&str] = &[
    "manifest",
    "schema",
    "print-schema",
    "cli-schema",
    "opencli",
    "introspect",
    "describe",
    "commands",
];

/// The program's manifest: where the declaration says, else where its help mentions one, else where
/// others have it.
pub(super) fn manifest(
    asking: &Asking<'_>,
    commands: &[Command],
    declaration: &Declaration,
    json: &[String],
) -> Option<(Manifest, Described)> {
    if let Some(args) = &declaration.manifest {
        return read(asking, vec![gate::declared(args)]).0;
    }
    let with = Json::Arguments(json.to_vec());
    let with_json = |call: &Permitted| call.clone().in_json(&with);
    let Places { mentioned, hidden } = places(commands);
    let asked = mentioned.iter().map(with_json).filter(|_| !json.is_empty());
    let (found, _) = read(asking, mentioned.iter().cloned().chain(asked).collect());
    found.or_else(|| {
        let (found, accepted) = read(asking, hidden);
        // A manifest that the help does not mention may still prompt first.
        found.or_else(|| read(asking, accepted.iter().map(with_json).collect()).0)
    })
}

/// Makes these calls. Of the descriptions that they print, the one that says most; and the calls that
/// ended well with none.
fn read(
    asking: &Asking<'_>,
    calls: Vec<Permitted>,
) -> (Option<(Manifest, Described)>, Vec<Permitted>) {
    let program = asking.subject.name();
    let runs = asking.ask(&calls, Purpose::Manifest, Form::Text);
    let mut found: Vec<(Manifest, Described)> = Vec::new();
    let mut accepted = Vec::new();
    for (call, run) in calls.into_iter().zip(runs) {
        let Some(run) = run else { continue };
        match described(&run, &program) {
            Some(described) => {
                let Described { format, is_whole, .. } = described;
                let args = call.args().to_vec();
                found.push((Manifest { args, format, is_whole }, described));
            }
            None if run.transcript.status == Status::Exited(0) => accepted.push(call),
            None => {}
        }
    }
    let weight = |(_, described): &(Manifest, Described)| {
        let of = |entry: &manifest::Entry| {
            1 + usize::from(entry.effects.is_some()) + usize::from(!entry.exit_codes.is_empty())
        };
        described.commands.iter().map(of).sum::<usize>()
    };
    // Of those that say the same, the first.
    (found.into_iter().rev().max_by_key(weight), accepted)
}

/// The calls that may print a description.
#[derive(Default)]
struct Places {
    /// The help mentions them.
    mentioned: Vec<Permitted>,
    /// Others have them.
    hidden: Vec<Permitted>,
}

fn places(commands: &[Command]) -> Places {
    let Some(root) = commands.first() else { return Places::default() };
    let command =
        |word: &str| commands.iter().find(|it| it.path.len() == 1 && it.path[0].as_str() == word);
    let (words, other_words): (Vec<&str>, Vec<&str>) =
        WORDS.iter().copied().partition(|word| command(word).is_some());
    let (flags, other_flags): (Vec<&str>, Vec<&str>) =
        FLAGS.iter().copied().partition(|name| root.flag(name).is_some());
    let of_word = |word: &&str| gate::call(command(word)?, &[]);
    let of_flag = |name: &&str| {
        let flag = root.flag(name)?;
        gate::printing_flag(root, flag, effect::prints(&flag.about))
    };
    let mentioned = words.iter().filter_map(of_word).chain(flags.iter().filter_map(of_flag));
    let other_words = other_words.iter().take(5).filter_map(|word| gate::unknown_word(root, word));
    let dashed = |name: &&str| gate::unknown_flags(root, &[&format!("--{name}")]);
    let hidden = other_words
        .chain(other_flags.iter().take(5).filter_map(dashed))
        .chain(gate::unknown_flags(root, &["--help", "--json"]));
    Places { mentioned: mentioned.collect(), hidden: hidden.collect() }
}

/// The description in a run: the first document that is one, whatever stands around it.
fn described(run: &Run, program: &str) -> Option<Described> {
    let is_read = |stdout: &&Vec<u8>| stdout.len() <= LARGEST && run.ended_by_itself();
    let stdout = Some(&run.transcript.stdout).filter(is_read)?;
    let content = reading::stream(stdout);
    let documents = content.documents.iter().take(MOST_DOCUMENTS);
    documents
        .filter_map(|span| serde_json::from_slice::<Value>(stdout.get(span.clone())?).ok())
        .find_map(|document| manifest::read(&document, program))
}
