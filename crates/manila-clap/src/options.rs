//! What the flags and the environment say of how to answer.

use crate::call::Call;
use crate::code::Code;
use crate::contract::{Migration, Stage};
use crate::flag::Flag;
use crate::global_flags::Wrong;
use crate::mode::{ColorChoice, Mode};
use crate::reply::Shape;
use crate::usage::Mistake;
use crate::variable::Variable;
use manila::DialectWriter;

/// Takes what the flags and the environment say of how to answer. Everything that can be read is,
/// even if something else is wrong, so that the failure has the mode that was asked for.
pub(crate) fn read_options(call: &mut Call) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    let named = named_mode(call, &[Flag::Json, Flag::Plain], &mut mistakes);
    call.mode = call.environment.mode(named, call.setup.piped);
    if !call.mode.is_json() {
        call.colour = colours(call);
    }
    if call.flags.flags.is_empty() && call.flags.wrong.is_empty() {
        (call.dialect, call.shape) = envelope(call, &mut mistakes);
        return mistakes;
    }

    let text = |name| call.flags.value(name).map(|value| value.to_string_lossy().into_owned());
    if let Some(word) = text(Flag::Color).filter(|word| ColorChoice::from_name(word).is_none()) {
        mistakes.push(Mistake::flag(Flag::Color, &word));
    }
    let mut time = |name, otherwise| {
        let Some(word) = text(name) else { return otherwise };
        let time = call.setup.optional.duration.and_then(|parse| parse(&word));
        if time.is_none() {
            mistakes.push(Mistake::flag(name, &word));
        }
        time.filter(|time| !time.is_zero())
    };
    let limit = time(Flag::Timeout, call.limit);
    let heartbeat = time(Flag::Heartbeat, None);
    let mut max_bytes = None;
    if let Some(word) = text(Flag::MaxBytes) {
        match word.parse() {
            Ok(most) => max_bytes = Some(most),
            Err(_) => mistakes.push(Mistake::flag(Flag::MaxBytes, &word)),
        }
    }
    (call.dialect, call.shape) = envelope(call, &mut mistakes);
    if max_bytes.is_some() && !call.dialect.table().has_meta {
        let id = call.dialect.id();
        mistakes.push(Mistake::new(
            Code::ConflictingArguments,
            format!("--max-bytes excludes {id}, which has no place for a cursor"),
            "leave --max-bytes out",
        ));
    }
    for (name, wrong) in &call.flags.wrong {
        let flag = name.spec().long;
        mistakes.push(match wrong {
            Wrong::NoValue => Mistake::new(
                Code::InvalidValue,
                format!("--{flag} wants a value"),
                format!("one of: {}", name.allowed()),
            ),
            Wrong::Value(value) => Mistake::new(
                Code::InvalidValue,
                format!("unexpected value '{value}' for '--{flag}': it takes none"),
                format!("pass --{flag} or leave it out"),
            ),
        });
    }
    (call.limit, call.heartbeat, call.max_bytes) = (limit, heartbeat, max_bytes);
    mistakes
}

/// The mode that the arguments or the environment name. A caller that asks for JSON anywhere reads JSON,
/// so that the first of these flags that is there decides.
fn named_mode(call: &Call, flags: &[Flag], mistakes: &mut Vec<Mistake>) -> Option<Mode> {
    let mut named = None;
    for (_, value) in call.flags.flags.iter().filter(|(name, _)| *name == Flag::Output) {
        let word = value.as_ref().map(|value| value.to_string_lossy()).unwrap_or_default();
        match Mode::from_name(&word) {
            Some(mode) => named = Some(mode),
            None => mistakes.push(Mistake::flag(Flag::Output, &word)),
        }
    }
    if !named.is_some_and(Mode::is_json) {
        let flag = flags.iter().find(|name| call.flags.has(**name));
        let of_flag = |name: &Flag| if *name == Flag::Json { Mode::Json } else { Mode::Plain };
        named = flag.map(of_flag).or(named);
    }
    if named.is_none() {
        let own = call.setup.variable(Variable::Output, &call.environment, &call.program.name);
        let more =
            call.setup.mode_variables.iter().filter_map(|name| {
                call.environment.text(name).map(|word| ((*name).to_owned(), word))
            });
        for (variable, word) in own.into_iter().chain(more) {
            match Mode::from_name(&word.to_ascii_lowercase()) {
                Some(mode) => named = Some(mode),
                None => mistakes.push(Mistake::value(&variable, &word, Flag::Output.allowed())),
            }
        }
    }
    named
}

/// The mode of a call that does not accept `--json`.
pub(crate) fn mode_without_json(call: &Call) -> Mode {
    // What is wrong about the flags was said when they were read.
    let named = named_mode(call, &[Flag::Plain], &mut Vec::new());
    call.environment.mode(named, call.setup.piped)
}

/// Which of the streams are coloured, for people.
pub(crate) fn colours(call: &Call) -> [bool; 3] {
    let word = call.flags.value(Flag::Color).map(|value| value.to_string_lossy());
    let when = word.and_then(|word| ColorChoice::from_name(&word)).unwrap_or_default();
    let [stdout, stderr] = [1, 2].map(|stream| call.environment.colour(when, stream));
    [stdout, stdout, stderr]
}

/// The envelope that the program answers in, and the generation of its payloads.
fn envelope(call: &Call, mistakes: &mut Vec<Mistake>) -> (&'static dyn DialectWriter, Shape) {
    let Some(Migration { old, new, stage }) = call.setup.migration else {
        return (call.setup.dialect, Shape::Current);
    };
    let (old_form, new_form) = ((old.1, Shape::Legacy), (new.1, Shape::Current));
    let usual = if stage == Stage::OptIn { old_form } else { new_form };
    let asked = call.flags.value(Flag::EnvelopeVersion).map(|value| value.to_string_lossy());
    let legacy = call.flags.has(Flag::LegacyEnvelope);
    let mistake = match asked.as_deref() {
        Some(version) if version == new.0 && !legacy => return new_form,
        None if !legacy => return usual,
        Some(version) if version == new.0 => Mistake::new(
            Code::ConflictingArguments,
            format!("--legacy-envelope excludes --envelope-version {version}"),
            "pass one of them",
        ),
        Some(version) if version != old.0 => {
            let versions = format!("{}, {}", old.0, new.0);
            Mistake::value("--envelope-version", version, &versions)
        }
        _ if stage == Stage::Removed => Mistake::new(
            Code::InvalidValue,
            format!("envelope version {} was removed", old.0),
            format!("read version {}", new.0),
        ),
        _ => return old_form,
    };
    mistakes.push(mistake);
    usual
}
