//! Programs that start another one: `env`, `sudo`, `timeout`, `xargs`, `find -exec`, `sh -c`.

use super::{CallEffect, Context, first_match, of_call as by_rules, of_line, of_words};
use crate::call::{Call, Ends, Open, is_program};
use crate::model::{Effect, Position, Wraps};
use crate::pack::Pack;
use crate::shell::assignment;
use crate::tri::Tri;

/// The effect of a call that starts another program, or `None` if it starts none.
pub(crate) fn of_call<'c>(
    program: &'c str,
    words: &[&'c str],
    pack: &Pack,
    context: &Context<'_>,
) -> Option<CallEffect> {
    let inner = Context { depth: context.depth + 1, ..*context };
    for rule in pack.model().wraps.iter().filter(|rule| is_program(&rule.program, program)) {
        let found = if rule.shell.is_some() {
            Some(of_shell(words, &inner))
        } else if rule.after.is_empty() {
            before_others(program, words, rule, pack, &inner)
        } else {
            after_option(program, words, rule, pack, &inner)
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// `timeout 5 CMD`, `env A=1 CMD`, `uv run CMD`: the other program is the rest of the call.
fn before_others<'c>(
    program: &'c str,
    words: &[&'c str],
    rule: &Wraps<'_>,
    pack: &Pack,
    context: &Context<'_>,
) -> Option<CallEffect> {
    let depth = rule.command.first().map_or(0, |command| command.split_whitespace().count());
    let skip = depth + rule.skip;
    let call = Call::new(program, words, pack.model(), context.open, Ends::AtWord(skip));
    if call.command(&rule.command).all(|(tri, _)| tri == Tri::No) {
        return None;
    }
    let starts_nothing = match rule.unless.as_slice() {
        [] => Tri::No,
        flags => call.has(flags, Position::Any, |_| Tri::Yes),
    };
    if starts_nothing == Tri::Yes {
        return None;
    }
    if let Some(option) = call.unlisted {
        let why = format!("{option} is not an option of {program} that the pack lists");
        return Some(CallEffect::unknown("wrapper", why));
    }
    let mut rest = call.words.iter().skip(skip).map(|word| word.index).peekable();
    let mut assignments = context.assignments.to_vec();
    while let Some(&index) = rest.peek() {
        match assignment(words[index]) {
            Some((name, value)) if rule.assignments => {
                assignments.push((name.to_owned(), value.to_owned()));
                rest.next();
            }
            _ => break,
        }
    }
    let Some(&start) = rest.peek() else {
        // Without another program it is a call like any other, unless the program is not seen.
        let why = "the program that is started is not seen";
        return (context.open > Open::No).then(|| CallEffect::unknown("wrapper", why));
    };
    let own = Call::new(program, &words[..start], pack.model(), Open::No, Ends::AtWord(skip));
    let own = match first_match(&own, pack) {
        (possible, Some(certain)) => possible.map_or(certain.clone(), |worst| worst.worse(certain)),
        (possible, None) => possible.unwrap_or_else(|| {
            CallEffect::ours(Effect::None, "wrapper", format!("{program} itself changes nothing"))
        }),
    };
    let open = if rule.appends { Open::Options } else { context.open };
    let inner = Context { assignments: &assignments, open, ..*context };
    let other = of_words(&words[start..], &inner).in_part(|| words[start..].join(" "));
    // Of two that are equal the other program says more.
    Some(if own.effect > other.effect { own } else { other })
}

/// `find . -exec CMD ;`: the other program comes after an option and ends before a word.
fn after_option<'c>(
    program: &'c str,
    words: &[&'c str],
    rule: &Wraps<'_>,
    pack: &Pack,
    context: &Context<'_>,
) -> Option<CallEffect> {
    let is_start = |word: &str| rule.after.iter().any(|option| **option == *word);
    let is_end = |word: &str| rule.until.iter().any(|end| **end == *word);
    let mut own = Vec::new();
    let mut worst: Option<CallEffect> = None;
    let mut at = 0;
    while at < words.len() {
        own.push(words[at]);
        at += 1;
        if !is_start(words[at - 1]) {
            continue;
        }
        // The option itself says only that another program is started.
        own.pop();
        let length = words[at..].iter().take_while(|word| !is_end(word)).count();
        let other = &words[at..at + length];
        let open = if rule.appends { Open::Options } else { Open::Words };
        let inner = Context { open: open.max(context.open), ..*context };
        let effect = of_words(other, &inner).in_part(|| other.join(" "));
        worst = Some(match worst {
            Some(worst) => worst.worse(effect),
            None => effect,
        });
        at += length + 1;
    }
    let worst = worst?;
    let call = Call::new(program, &own, pack.model(), context.open, Ends::WithCall);
    Some(worst.worse(by_rules(&call, pack)))
}

/// Letters of a shell that change how it runs a line, and not what the line says.
const SHELL_LETTERS: &str = "ceflux";
const SHELL_OPTIONS: &[&str] = &["--login", "--norc", "--noprofile", "--posix"];

/// `sh -c LINE`; the words after the line are its parameters, which a plain line does not use.
fn of_shell(words: &[&str], context: &Context<'_>) -> CallEffect {
    let mut takes_line = false;
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let is_option = word.len() > 1 && word.starts_with(['-', '+']);
        if !is_option {
            break;
        }
        at += 1;
        if *word == "--" {
            break;
        }
        if SHELL_OPTIONS.contains(word) {
            continue;
        }
        let letters = &word[1..];
        let (letters, names_option) = match letters.strip_suffix('o') {
            Some(letters) => (letters, true),
            None => (letters, false),
        };
        if !letters.chars().all(|letter| SHELL_LETTERS.contains(letter)) {
            return CallEffect::unknown(
                "shell",
                format!("{word} of a shell is not looked through"),
            );
        }
        if names_option {
            if words.get(at).is_none_or(|name| !["pipefail", "errexit", "nounset"].contains(name)) {
                return CallEffect::unknown(
                    "shell",
                    "an option of the shell is not looked through",
                );
            }
            at += 1;
        }
        takes_line |= word.starts_with('-') && letters.contains('c');
    }
    match words.get(at) {
        // `xargs -I{} sh -c 'rm {}'`: what is put into the line is not seen.
        Some(_) if context.open > Open::No => {
            CallEffect::unknown("shell", "the line may contain words that are not visible here")
        }
        Some(line) if takes_line => of_line(line, context),
        Some(script) => CallEffect::unknown("shell", format!("the shell runs the script {script}")),
        None => CallEffect::unknown("shell", "the shell runs what it reads"),
    }
}
