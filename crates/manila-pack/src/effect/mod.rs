//! The effect of a call: what it may change, by which rule, and on what evidence.

mod operator;
mod wrap;

use crate::call::{Call, Ends, Open};
use crate::condition::describes;
use crate::environment;
use crate::model::{Effect, EffectRule};
use crate::pack::{Lookup, Pack};
use crate::program;
use crate::shell::{self, Simple, assignment};
use crate::text::Text;
use crate::tri::Tri;
use serde::Serialize;

/// Programs that start programs that start programs; more is not looked through.
const DEEPEST: usize = 12;

/// What a call may change, and why that is known.
///
/// ```
/// use manila_pack::{BUILTIN, Effect, effects};
///
/// let call = effects(&["kubectl", "delete", "pod", "web-1"], &BUILTIN);
/// assert_eq!(call.effect, Effect::Destroys);
/// assert!(!call.effect.is_repeatable());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallEffect {
    /// The effect.
    pub effect: Effect,
    /// The pack that says so.
    pub pack: Option<String>,
    /// The rule that says so: its name in the pack, or a word such as `redirect`.
    pub rule: String,
    /// Why, in one clause.
    pub why: String,
    /// Where that was seen or read.
    pub evidence: Vec<String>,
    /// The part of the call that decided, if there are several.
    pub part: Option<String>,
}

impl CallEffect {
    /// Nothing says what the call does.
    pub(crate) fn unknown(rule: &str, why: impl Into<String>) -> CallEffect {
        CallEffect::ours(Effect::Unknown, rule, why)
    }

    /// An effect that follows from the command line itself.
    pub(crate) fn ours(effect: Effect, rule: &str, why: impl Into<String>) -> CallEffect {
        CallEffect {
            effect,
            pack: None,
            rule: rule.to_owned(),
            why: why.into(),
            evidence: Vec::new(),
            part: None,
        }
    }

    fn of(rule: &EffectRule<'_>, pack: &Pack, call: &Call<'_, '_>) -> CallEffect {
        CallEffect {
            effect: rule.effect,
            pack: Some(pack.name().to_owned()),
            rule: format!("{}/{}", pack.name(), rule.id()),
            why: rule.why.as_deref().map_or_else(|| matched(rule, call), str::to_owned),
            evidence: rule.evidence.iter().map(ToString::to_string).collect(),
            part: None,
        }
    }

    /// The worse of two, the first if they are equal.
    pub(crate) fn worse(self, other: CallEffect) -> CallEffect {
        if other.effect > self.effect { other } else { self }
    }

    pub(crate) fn in_part(mut self, part: impl FnOnce() -> String) -> CallEffect {
        if self.part.is_none() {
            self.part = Some(part());
        }
        self
    }
}

/// What a rule describes, as far as the call has it.
fn matched(rule: &EffectRule<'_>, call: &Call<'_, '_>) -> String {
    let is_it = |pattern: &&Text<'_>| {
        call.command(std::slice::from_ref(*pattern)).any(|(tri, _)| tri != Tri::No)
    };
    let is_given = |flag: &&Text<'_>| {
        call.has(std::slice::from_ref(*flag), rule.position, |_| Tri::Yes) != Tri::No
    };
    let narrow = EffectRule {
        program: Vec::new(),
        command: rule.command.iter().filter(is_it).cloned().collect(),
        flag: rule.flag.iter().filter(is_given).cloned().collect(),
        without: Vec::new(),
        ..rule.clone()
    };
    let summary = narrow.summary();
    if summary.is_empty() { call.program.to_owned() } else { format!("{} {summary}", call.program) }
}

/// What surrounds a part of a call.
#[derive(Clone, Copy)]
pub(crate) struct Context<'c> {
    pub(crate) packs: &'c dyn Lookup,
    /// Variables that are set for it.
    pub(crate) assignments: &'c [(String, String)],
    pub(crate) open: Open,
    pub(crate) depth: usize,
}

/// What a call may change. Wrappers such as `env` and `sudo` are looked through, and `sh -c` with a
/// plain command line; a pipeline is as bad as its worst part. Nothing is ever `none` by guess.
///
/// ```
/// use manila_pack::{Effect, BUILTIN, effects};
///
/// assert_eq!(effects(&["git", "log"], &BUILTIN).effect, Effect::None);
/// assert_eq!(effects(&["git", "diff", "--output=x"], &BUILTIN).effect, Effect::Writes);
/// assert_eq!(effects(&["sh", "-c", "rm -rf build"], &BUILTIN).effect, Effect::Destroys);
/// assert_eq!(effects(&["./git", "log"], &BUILTIN).effect, Effect::Unknown);
/// ```
pub fn effects<S: AsRef<str>>(argv: &[S], packs: &dyn Lookup) -> CallEffect {
    let words: Vec<&str> = argv.iter().map(AsRef::as_ref).collect();
    let context = Context { packs, assignments: &[], open: Open::No, depth: 0 };
    let effect = of_words(&words, &context);
    match operator::of_split_line(&words, packs) {
        Some(split) => effect.worse(split),
        None => effect,
    }
}

/// What a command line of a shell may change.
pub fn effects_of_line(line: &str, packs: &dyn Lookup) -> CallEffect {
    of_line(line, &Context { packs, assignments: &[], open: Open::No, depth: 0 })
}

pub(crate) fn of_line(line: &str, context: &Context<'_>) -> CallEffect {
    let commands = match shell::parse(line) {
        Ok(commands) => commands,
        Err(why) => return CallEffect::unknown("shell", why.meaning()),
    };
    let nothing = CallEffect::ours(Effect::None, "empty", "there is no command");
    let mut parts = commands.iter();
    let Some(first) = parts.next() else { return nothing };
    let is_alone = commands.len() == 1;
    let of = |simple: &Simple| {
        let effect = of_simple(simple, context);
        if is_alone { effect } else { effect.in_part(|| text_of(simple)) }
    };
    parts.fold(of(first), |worst, simple| worst.worse(of(simple)))
}

fn text_of(simple: &Simple) -> String {
    let words: Vec<&str> = simple.words.iter().map(|word| word.text.as_str()).collect();
    words.join(" ")
}

fn of_simple(simple: &Simple, context: &Context<'_>) -> CallEffect {
    let mut words: Vec<&str> = Vec::new();
    let mut open = context.open;
    for word in &simple.words {
        if words.is_empty() && (word.is_glob || word.text.starts_with('~')) {
            return CallEffect::unknown("shell", "the shell expands the name of the program");
        }
        if word.is_glob {
            open = open.max(if word.may_be_option { Open::Options } else { Open::Words });
        }
        words.push(&word.text);
    }
    let mut assignments = context.assignments.to_vec();
    assignments.extend(simple.assignments.iter().cloned());
    let context = Context { assignments: &assignments, open, ..*context };
    let effect = if words.is_empty() {
        // An assignment alone changes what later commands see.
        match environment::harmful(&assignments, None) {
            Some(name) => CallEffect::unknown("environment", environment::why(name)),
            None => CallEffect::ours(Effect::None, "empty", "there is no command"),
        }
    } else {
        of_words(&words, &context)
    };
    match &simple.writes_to {
        Some(file) => {
            let redirect = format!("the shell writes to {file}");
            effect.worse(CallEffect::ours(Effect::Writes, "redirect", redirect))
        }
        None => effect,
    }
}

pub(crate) fn of_words(words: &[&str], context: &Context<'_>) -> CallEffect {
    if context.depth > DEEPEST {
        return CallEffect::unknown("depth", "too many programs start one another");
    }
    // People write assignments before a program as in a shell.
    let leading = words.iter().map_while(|word| assignment(word)).collect::<Vec<_>>();
    if !leading.is_empty() {
        let mut assignments = context.assignments.to_vec();
        assignments
            .extend(leading.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let context = Context { assignments: &assignments, depth: context.depth + 1, ..*context };
        return of_words(&words[leading.len()..], &context);
    }
    let [program, rest @ ..] = words else {
        return CallEffect::unknown("empty", "there is no program");
    };
    let name = match program::name(program) {
        Ok(name) => name,
        Err(why) => return CallEffect::unknown("path", why),
    };
    let Some(pack) = context.packs.find(name) else {
        return CallEffect::unknown("no-pack", format!("nothing is known about {name}"));
    };
    let effect = wrap::of_call(name, rest, &pack, context).unwrap_or_else(|| {
        of_call(&Call::new(name, rest, pack.model(), context.open, Ends::WithCall), &pack)
    });
    match environment::harmful(context.assignments, Some(pack.model())) {
        Some(variable) => {
            effect.worse(CallEffect::unknown("environment", environment::why(variable)))
        }
        None => effect,
    }
}

/// The effect of a call by the rules of a pack.
pub(crate) fn of_call(call: &Call<'_, '_>, pack: &Pack) -> CallEffect {
    match first_match(call, pack) {
        (possible, Some(certain)) => certain.worse_of(possible),
        (possible, None) => {
            let why = match call.unlisted {
                Some(option) => format!("{option} is not an option that the pack lists"),
                None => format!("no rule of the pack describes this call of {}", call.program),
            };
            CallEffect { pack: Some(pack.name().to_owned()), ..CallEffect::unknown("no-rule", why) }
                .worse_of(possible)
        }
    }
}

impl CallEffect {
    fn worse_of(self, possible: Option<CallEffect>) -> CallEffect {
        match possible {
            Some(possible) => self.worse(possible),
            None => self,
        }
    }
}

/// The worst of the rules that may describe the call before one certainly does, and that one.
pub(crate) fn first_match(
    call: &Call<'_, '_>,
    pack: &Pack,
) -> (Option<CallEffect>, Option<CallEffect>) {
    let mut possible: Option<CallEffect> = None;
    for rule in &pack.model().effect {
        let needs_command = !rule.command.is_empty();
        if call.unlisted.is_some()
            && needs_command
            && crate::call::is_program(&rule.program, call.program)
        {
            return (possible, None);
        }
        match describes(rule, call) {
            Tri::No => {}
            Tri::Maybe => {
                let effect = CallEffect::of(rule, pack, call);
                possible = Some(match possible {
                    Some(worst) => worst.worse(effect),
                    None => effect,
                });
            }
            Tri::Yes => return (possible, Some(CallEffect::of(rule, pack, call))),
        }
    }
    (possible, None)
}
