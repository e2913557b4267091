//! What clap has to say about arguments: help and version are answers, the rest are failures, all of
//! them at once, with the closest match, or a redirect where it is clear what was meant.

use crate::call::Call;
use crate::code::Code;
use crate::contract::{Danger, Moved};
use crate::error::Error;
use crate::error::Outcome;
use crate::flag::Flag;
use crate::redirect::{Reason, Redirect};
use crate::reply::Reply;
use crate::secret;
use crate::text::{Text, Version};
use crate::walk::Walk;
use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use manila::{Exit, Issue, Severity};
use std::ffi::OsString;

/// How many mistakes are looked for.
const MOST: usize = 20;

/// What is known without the handler.
pub(crate) enum Early {
    /// The answer.
    Answer(Outcome),
    /// What clap has to say, which it says itself.
    Clap(clap::Error),
}

/// What a clap error is the answer to.
pub(crate) fn answer(call: &Call, error: &clap::Error) -> Result<Box<dyn Reply>, Error> {
    match error.kind() {
        ErrorKind::DisplayVersion => return Ok(Box::new(version(call, error))),
        ErrorKind::DisplayHelp => return Ok(Box::new(help(call, error))),
        kind if is_bare(kind) => return Err(bare(call)),
        _ => {}
    }
    let whole = call.setup.whole_command();
    remember_secrets(call, &whole, &call.flags.rest);
    if let Some(error) = redirect(call, &whole, error) {
        return Err(error);
    }
    // Asked again with our flags among its own, clap finds the closest of all.
    let described = call.setup.described_command().try_get_matches_from(call.flags.argv());
    Err(usage_error(call, &all(call, described.as_ref().err().unwrap_or(error))))
}

/// What clap shows to people, in its own words and colours. Help includes our flags; a command that
/// moved is reported as any other failure.
pub(crate) fn for_people(call: &Call, error: clap::Error) -> Early {
    if is_help(error.kind()) {
        let command = described(call);
        #[cfg(feature = "color")]
        let command = coloured(call, command, &error);
        let described = command.try_get_matches_from(call.flags.argv());
        return Early::Clap(described.err().unwrap_or(error));
    }
    if let Some(find) = call.setup.optional.moved
        && find(call, &call.setup.whole_command(), &call.flags.rest).is_some()
    {
        return Early::Answer(answer(call, &error));
    }
    Early::Clap(error)
}

/// The command that shows help as the answer of the program would be: coloured or not.
#[cfg(feature = "color")]
fn coloured(call: &Call, command: Command, error: &clap::Error) -> Command {
    use clap::ColorChoice::{Always, Never};
    if !call.setup.unified_errors {
        return command;
    }
    let stream = if error.use_stderr() { 2 } else { 1 };
    command.color(if call.colour[stream] { Always } else { Never })
}

/// The command as its help shows it.
fn described(call: &Call) -> Command {
    let command = call.setup.shown_command();
    match call.setup.exit_help {
        Some(describe) => describe(call, command, ""),
        None => command,
    }
}

/// The version of the program, or of the command that was asked for it.
fn version(call: &Call, error: &clap::Error) -> Version {
    let rendered = error.render().to_string();
    let rendered_version = rendered.trim().split_once(' ').map(|(_, version)| version.to_owned());
    let own = call.program.version.clone();
    let is_own =
        call.flags.rest.first().is_some_and(|word| word.as_encoded_bytes().starts_with(b"-"));
    let version = if is_own { own.or(rendered_version) } else { rendered_version.or(own) };
    Version { name: call.program.name.clone(), version: version.unwrap_or_default() }
}

/// A call without what it needs fails, as it does for people.
fn bare(call: &Call) -> Error {
    let command = format!("{} {}", call.program.name, call.path);
    call.error(Code::MissingArgument, "a command or an argument is missing")
        .operation("parse_arguments")
        .suggestion(format!("`{} --help` shows what it takes", command.trim_end()))
        .fix("the arguments are corrected")
}

/// The failure for mistakes in our own flags, with those that clap found. People get it as clap says it, and one at
/// a time.
pub(crate) fn reject(call: &Call, mistakes: Vec<Mistake>, error: Option<clap::Error>) -> Early {
    if call.reports_itself() {
        return Early::Answer(Err(rejected(call, mistakes, error.as_ref())));
    }
    let ours = || {
        let first = mistakes.first().map_or("", |mistake| &mistake.message);
        described(call).error(ErrorKind::InvalidValue, first)
    };
    Early::Clap(error.unwrap_or_else(ours))
}

fn rejected(call: &Call, mut mistakes: Vec<Mistake>, error: Option<&clap::Error>) -> Error {
    remember_secrets(call, &call.setup.whole_command(), &call.flags.rest);
    let is_mistake = |error: &&clap::Error| error.use_stderr() && !is_bare(error.kind());
    mistakes.extend(error.filter(is_mistake).into_iter().flat_map(|error| all(call, error)));
    usage_error(call, &mistakes)
}

/// Whether it is a call without arguments, which is a question and no mistake.
pub(crate) fn is_bare(kind: ErrorKind) -> bool {
    let bare = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    kind == bare || kind == ErrorKind::MissingSubcommand
}

/// Whether clap shows help, asked or not.
pub(crate) fn is_help(kind: ErrorKind) -> bool {
    kind == ErrorKind::DisplayHelp || kind == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}

/// Remembers the secrets among arguments, as far as they make sense and beyond.
fn remember_secrets(call: &Call, whole: &Command, words: &[OsString]) {
    let lenient = call.setup.whole_command().ignore_errors(true);
    if let Ok(matches) = lenient.try_get_matches_from(call.flags.argv_of(words)) {
        secret::remember_matches(whole, &matches);
    }
    secret::remember_arguments(whole, words);
}

/// The help of the command that the arguments lead to, our flags included.
fn help(call: &Call, error: &clap::Error) -> Text {
    let mut command = described(call);
    if call.mode.is_json() {
        // A document does not depend on the width of a window.
        command = command.term_width(100);
    }
    match command.try_get_matches_from(call.flags.argv()) {
        Err(help) if help.kind() == ErrorKind::DisplayHelp => Text::help(&help.render()),
        _ => Text::help(&error.render()),
    }
}

/// One mistake.
#[derive(Debug)]
pub(crate) struct Mistake {
    code: Code,
    message: String,
    /// The argument it is about.
    argument: Option<String>,
    suggestion: Option<String>,
}

impl Mistake {
    pub(crate) fn new(
        code: Code,
        message: impl Into<String>,
        suggestion: impl Into<String>,
    ) -> Mistake {
        let suggestion = Some(suggestion.into());
        Mistake { code, message: message.into(), argument: None, suggestion }
    }

    /// A value that a flag of ours cannot have.
    pub(crate) fn flag(name: Flag, value: &str) -> Mistake {
        Mistake::value(&format!("--{}", name.spec().long), value, name.allowed())
    }

    /// A value that an argument or a variable cannot have.
    pub(crate) fn value(of: &str, value: &str, allowed: &str) -> Mistake {
        let message = format!("invalid value '{value}' for '{of}'");
        let mistake = Mistake::new(Code::InvalidValue, message, format!("one of: {allowed}"));
        Mistake { argument: Some(of.to_owned()), ..mistake }
    }

    fn from_clap(error: &clap::Error) -> Mistake {
        let code = match error.kind() {
            ErrorKind::UnknownArgument => Code::UnknownArgument,
            ErrorKind::InvalidSubcommand => Code::UnknownCommand,
            ErrorKind::MissingRequiredArgument => Code::MissingArgument,
            ErrorKind::ArgumentConflict => Code::ConflictingArguments,
            _ => Code::InvalidValue,
        };
        // Before the lines are joined: a secret may have several.
        let rendered = secret::scrub(error.render().to_string());
        let mut lines = rendered.lines().take_while(|line| !line.trim().is_empty());
        let first = lines.next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        let message = lines.fold(first, |message, line| format!("{message} {}", line.trim()));
        Mistake {
            code,
            message,
            argument: text(error, ContextKind::InvalidArg)
                .or_else(|| text(error, ContextKind::InvalidSubcommand)),
            suggestion: suggestion(error),
        }
    }
}

#[inline(never)]
fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(one) => Some(one.clone()),
        ContextValue::Strings(many) if !many.is_empty() => Some(many.join(", ")),
        _ => None,
    }
}

/// The closest match that clap found, or the values that it would have taken.
fn suggestion(error: &clap::Error) -> Option<String> {
    let closest =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let closest = closest.into_iter().find_map(|kind| text(error, kind));
    let closest = closest.map(|closest| format!("did you mean {closest}?"));
    closest
        .or_else(|| text(error, ContextKind::ValidValue).map(|values| format!("one of: {values}")))
}

/// Every mistake in the arguments, as far as clap can continue once one is removed.
fn all(call: &Call, first: &clap::Error) -> Vec<Mistake> {
    let mut mistakes = vec![Mistake::from_clap(first)];
    let mut words = call.flags.rest.clone();
    let mut taken: Vec<String> = Vec::new();
    let mut last = without(&mut words, first, &mut taken);
    while last && mistakes.len() < MOST {
        let Err(error) =
            call.setup.described_command().try_get_matches_from(call.flags.argv_of(&words))
        else {
            break;
        };
        if !error.use_stderr() || is_bare(error.kind()) {
            break;
        }
        let mut mistake = Mistake::from_clap(&error);
        if error.kind() == ErrorKind::MissingRequiredArgument {
            // What is missing only because it was just taken away is not missing.
            let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
                break;
            };
            let missing: Vec<&str> = missing
                .iter()
                .map(String::as_str)
                .filter(|name| !taken.iter().any(|taken| taken == name))
                .collect();
            if missing.is_empty() {
                break;
            }
            let list = missing.join(", ");
            mistake.message = format!("the following required arguments were not provided: {list}");
            mistake.argument = Some(list);
        }
        last = without(&mut words, &error, &mut taken);
        mistakes.push(mistake);
    }
    mistakes
}

/// Takes a mistake out of the arguments; says whether it could.
fn without(words: &mut Vec<OsString>, error: &clap::Error, taken: &mut Vec<String>) -> bool {
    let Some(argument) = text(error, ContextKind::InvalidArg) else { return false };
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let start = format!("{argument}=");
            let is_it = |word: &OsString| {
                *word == *argument || word.to_str().is_some_and(|word| word.starts_with(&start))
            };
            let Some(at) = words.iter().position(is_it) else { return false };
            words.remove(at);
            // What follows an unknown option was probably meant for it.
            let is_value = |word: &OsString| !word.to_string_lossy().starts_with('-');
            if argument.starts_with('-') && words.get(at).is_some_and(is_value) {
                words.remove(at);
            }
            true
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let Some(value) = text(error, ContextKind::InvalidValue) else { return false };
            let option = argument.split(' ').next().unwrap_or_default().to_owned();
            taken.push(argument);
            let joined = format!("{option}={value}");
            let pair = words.windows(2).position(|pair| pair[0] == *option && pair[1] == *value);
            if let Some(at) = pair {
                words.drain(at..at + 2);
                return true;
            }
            remove(words, |word| *word == *joined || *word == *value)
        }
        ErrorKind::ArgumentConflict => {
            let (option, value) = argument.split_once(' ').unwrap_or((&argument, ""));
            let start = format!("{option}=");
            let is_joined = |word: &OsString| word.to_string_lossy().starts_with(&start);
            let removed = if let Some(at) = words.iter().position(|word| *word == *option) {
                // Its value goes with it.
                let end = if value.is_empty() { at + 1 } else { words.len().min(at + 2) };
                words.drain(at..end).next().is_some()
            } else {
                remove(words, is_joined)
            };
            taken.push(argument);
            removed
        }
        _ => false,
    }
}

fn remove(words: &mut Vec<OsString>, is_it: impl Fn(&OsString) -> bool) -> bool {
    words.iter().position(is_it).map(|at| words.remove(at)).is_some()
}

/// One failure for all mistakes. Each is an issue of its own, so that none must be read out of prose.
#[inline(never)]
fn usage_error(call: &Call, mistakes: &[Mistake]) -> Error {
    let Some(first) = mistakes.first() else {
        return call.error(Code::InvalidValue, "the arguments make no sense");
    };
    let message = match mistakes {
        [one] => one.message.clone(),
        many => {
            let all: Vec<&str> = many.iter().map(|mistake| mistake.message.as_str()).collect();
            format!("{} mistakes in the arguments: {}", many.len(), all.join("; "))
        }
    };
    let suggestions: Vec<&str> =
        mistakes.iter().filter_map(|it| it.suggestion.as_deref()).collect();
    let suggestion = if suggestions.is_empty() {
        let command = format!("{} {}", call.program.name, call.path);
        format!("`{} --help` shows what it takes", command.trim_end())
    } else {
        suggestions.join("; ")
    };
    let issue = |mistake: &Mistake| Issue {
        code: call.setup.name_of(mistake.code).to_owned(),
        severity: Severity::Error,
        message: Some(mistake.message.clone()),
        path: mistake.argument.clone(),
        link: None,
        extra: manila::json::Members::default(),
    };
    let issues = if mistakes.len() > 1 { mistakes.iter().map(issue).collect() } else { Vec::new() };
    let target = first.argument.as_deref().unwrap_or(&call.path);
    call.error(first.code, message)
        .operation("parse_arguments")
        .target(target)
        .suggestion(suggestion)
        .fix("the arguments are corrected")
        .issues(issues)
}

/// The call that was meant, when the command is one that moved or is clearly misspelled.
fn redirect(call: &Call, whole: &Command, error: &clap::Error) -> Option<Error> {
    let words = &call.flags.rest;
    let moved = call.setup.optional.moved.and_then(|find| find(call, whole, words));
    if let Some((moved, rest)) = moved {
        let Moved { from, to: Redirect { to, reason, permanent } } = moved;
        let path = to.split(' ').map(OsString::from);
        let words: Vec<OsString> = path.chain(rest).collect();
        remember_secrets(call, whole, &words);
        let command = spelled(call, &words)?.into();
        let (code, message) = match reason {
            Reason::Renamed => (Code::CommandRenamed, format!("`{from}` is called `{to}` now")),
            Reason::Restructured => (
                Code::CommandRestructured,
                format!("the commands are arranged differently: call `{to}` instead of `{from}`"),
            ),
            Reason::Deprecated => {
                (Code::CommandDeprecated, format!("`{from}` is deprecated: call `{to}` instead"))
            }
            Reason::TypoCorrected => (Code::TypoCorrected, format!("`{from}` is spelled `{to}`")),
        };
        let redirect = Redirect { to: command, reason: *reason, permanent: *permanent };
        return Some(call.error(code, message).redirect(redirect));
    }
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::Strings(closest)) = error.get(ContextKind::SuggestedSubcommand) else {
        return None;
    };
    let [meant] = closest.as_slice() else { return None };
    let wrong = text(error, ContextKind::InvalidSubcommand)?;
    let at = words.iter().position(|word| *word == *wrong)?;
    let mut corrected = words.clone();
    corrected[at] = meant.into();
    // Only what would run may be recommended, and nothing that cannot be undone.
    call.setup.whole_command().try_get_matches_from(call.flags.argv_of(&corrected)).ok()?;
    let mut walk = Walk::new(whole);
    for word in &corrected {
        walk.step(word);
    }
    let danger = call.setup.danger(&walk.path().join(" "));
    if danger == Some(Danger::Destructive) || call.redirect_class() != Exit::Redirected {
        return None;
    }
    remember_secrets(call, whole, &corrected);
    let command = spelled(call, &corrected)?;
    let message = format!("there is no command `{wrong}`, but there is `{meant}`");
    let redirect = Redirect::temporary(command, Reason::TypoCorrected);
    Some(call.error(Code::TypoCorrected, message).redirect(redirect))
}

/// The command that moved, and what else the call has.
pub(crate) fn moved<'c>(
    call: &'c Call,
    whole: &Command,
    words: &[OsString],
) -> Option<(&'c Moved, Vec<OsString>)> {
    let is_flag = |word: &OsString| word.to_string_lossy().starts_with('-');
    call.setup.moved.iter().find_map(|moved| {
        let old: Vec<&str> = moved.from.split(' ').collect();
        let named = words.iter().filter(|word| !is_flag(word)).take(old.len());
        // A program may still have a command of that name.
        let exists = old.iter().try_fold(whole, |command, name| command.find_subcommand(name));
        if !named.eq(&old) || exists.is_some() {
            return None;
        }
        let mut left = old.len();
        let rest = words.iter().filter(|word| {
            let is_name = left > 0 && !is_flag(word);
            left -= usize::from(is_name);
            !is_name
        });
        Some((moved, rest.cloned().collect()))
    })
}

/// The exact call, quoted where it must be; nothing if it has words that no call can be spelled with.
#[inline(never)]
fn spelled(call: &Call, words: &[OsString]) -> Option<String> {
    let text = |word: &OsString| word.to_str().map(|word| secret::scrub(word.to_owned()));
    let flags = call.flags.flags.iter().flat_map(|(name, value)| {
        let long = format!("--{}", name.spec().long);
        [Some(Some(long)), value.as_ref().map(text)].into_iter().flatten()
    });
    let words: Option<Vec<String>> = std::iter::once(Some(call.program.name.clone()))
        .chain(flags)
        .chain(words.iter().map(text))
        .collect();
    shlex::try_join(words?.iter().map(String::as_str)).ok()
}
