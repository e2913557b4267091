//! Which dialect a good document is of, and whether it keeps the contract: for the shapes that
//! programs write. Whatever is not certain here is left to the reference.

use super::class;
use crate::contract::{self, Type, keeps};
use crate::piece::Piece;
use crate::verdict::{Envelope, Span, piece};
use manila::json::Kind;
use manila::{Confidence, DIALECTS, Dialect, Exit};
use std::borrow::Cow;

macro_rules! keys {
    ($($name:ident = $key:literal;)*) => {
        /// The keys that detection and contracts look at, each with a number.
        #[repr(u8)]
        #[derive(Clone, Copy)]
        enum Known { $($name,)* }

        const KNOWN: usize = [$(stringify!($name),)*].len();

        /// Each key in a slot of its own. A search by length and bytes would be a jump that cannot be
        /// foreseen, for every key of every record.
        static SLOTS: [Option<(&[u8], Known)>; 32] = {
            let mut slots: [Option<(&[u8], Known)>; 32] = [None; 32];
            $(
                assert!(slots[slot($key)].is_none(), "two keys in one slot: change the factors");
                slots[slot($key)] = Some(($key, Known::$name));
            )*
            slots
        };
    };
}

/// The slot of a key, from its ends and its length; the factors were chosen so that no two known
/// keys have the same.
const fn slot(key: &[u8]) -> usize {
    match key {
        [] => 0,
        [first, ..] => {
            let last = key[key.len() - 1];
            (*first as usize * 4 + last as usize * 2 + key.len() * 7) % 32
        }
    }
}

#[inline]
fn known(key: &[u8]) -> Option<Known> {
    let (name, known) = SLOTS[slot(key)]?;
    (name == key).then_some(known)
}

keys! {
    Ok = b"ok";
    Data = b"data";
    Error = b"error";
    Warnings = b"warnings";
    Meta = b"meta";
    Schema = b"schema";
    Type = b"type";
    Kind = b"kind";
    Issues = b"issues";
    ApiVersion = b"apiVersion";
    Command = b"command";
    ExitCode = b"exit_code";
    Timestamp = b"timestamp";
    OutputFormat = b"output_format";
    SchemaVersion = b"schema_version";
    Status = b"status";
    ErrorKind = b"error_kind";
    Hint = b"hint";
    Found = b"found";
}

const fn set(keys: &[Known]) -> u32 {
    let (mut bits, mut at) = (0, 0);
    while at < keys.len() {
        bits |= 1 << keys[at] as u32;
        at += 1;
    }
    bits
}

const RESPONSE: u32 = set(&[Known::Ok, Known::Data, Known::Error, Known::Warnings, Known::Meta]);
const NOT_RESPONSE: u32 =
    set(&[Known::Schema, Known::Type, Known::Kind, Known::Issues, Known::ApiVersion]);
const CLAW: u32 = set(&[
    Known::Timestamp,
    Known::Command,
    Known::ExitCode,
    Known::OutputFormat,
    Known::SchemaVersion,
]);
const NOT_CLAW: u32 = set(&[Known::Ok, Known::Schema, Known::ErrorKind, Known::Type]);
const TD_SUCCESS: u32 = set(&[Known::Ok, Known::Type, Known::Data]);
const TD_FAILURE: u32 = set(&[Known::Ok, Known::Error]);
const NOT_TD: u32 = set(&[
    Known::Schema,
    Known::Meta,
    Known::Issues,
    Known::Warnings,
    Known::Kind,
    Known::Command,
    Known::ErrorKind,
]);
const I18NPRUNE: u32 = set(&[Known::Ok, Known::Kind, Known::Data, Known::Issues, Known::Meta]);
const NOT_I18NPRUNE: u32 = set(&[Known::Schema, Known::ExitCode, Known::ErrorKind]);
const FLAT: u32 = set(&[Known::Type, Known::Kind]);
const NOT_FLAT: u32 = set(&[
    Known::Ok,
    Known::Schema,
    Known::Issues,
    Known::ApiVersion,
    Known::ErrorKind,
    Known::ExitCode,
    Known::Status,
]);

// Their places in `DIALECTS`, which a test compares.
const RESPONSE_1_0: usize = 0;
const RESPONSE_1_6: usize = 1;
const ANIMUS: usize = 2;
const CLAW_1_0: usize = 3;
const CLAW_2_0: usize = 4;
const TD: usize = 5;
const I18NPRUNE_1: usize = 6;

/// Up to this many members duplicates are looked for here.
const MANY: usize = 48;

/// Where the values of known keys are.
#[derive(Debug, Default)]
pub(super) struct Places {
    present: u32,
    values: [(u32, u32); KNOWN],
}

/// The members of the record that is judged.
pub(super) struct Members<'r, 'p> {
    bytes: &'r [u8],
    places: &'p Places,
}

impl<'r, 'p> Members<'r, 'p> {
    /// Finds the known keys. `None` if a key needs a closer look: it is escaped, or may stand twice.
    pub(super) fn new(bytes: &'r [u8], spans: &[Span], places: &'p mut Places) -> Option<Self> {
        places.present = 0;
        let mut others = [0u64; MANY];
        let mut count = 0;
        for span in spans {
            let key = bytes.get(span.key.0 as usize + 1..span.key.1 as usize - 1)?;
            if let Some(known) = known(key) {
                if places.present & set(&[known]) != 0 {
                    return None;
                }
                places.present |= set(&[known]);
                places.values[known as usize] = span.value;
                continue;
            }
            let print = fingerprint(key)?;
            let met = others.get(..count)?;
            if met.contains(&print) {
                return None;
            }
            *others.get_mut(count)? = print;
            count += 1;
        }
        Some(Members { bytes, places })
    }

    fn get(&self, key: Known) -> Option<Piece<'r>> {
        let is_there = self.places.present & set(&[key]) != 0;
        is_there.then(|| piece(self.bytes, self.places.values[key as usize]))
    }

    fn is_text(&self, key: Known) -> bool {
        self.get(key).is_some_and(|value| value.kind() == Kind::String)
    }
}

/// A number that differs for keys that differ, nearly always; none for a key with an escape in it.
#[inline]
fn fingerprint(key: &[u8]) -> Option<u64> {
    let mut print = key.len() as u64;
    for part in key.chunks(8) {
        let mut word = [0; 8];
        word.get_mut(..part.len())?.copy_from_slice(part);
        print =
            (print.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (!key.contains(&b'\\')).then_some(print)
}

/// The text of a string without escapes.
fn plain(piece: Piece<'_>) -> Option<&str> {
    std::str::from_utf8(piece.plain()?).ok()
}

fn success<'r>(dialect: usize) -> Option<Envelope<'r>> {
    envelope(dialect, Exit::Success, None)
}

fn envelope(dialect: usize, exit: Exit, code: Option<&str>) -> Option<Envelope<'_>> {
    Some(Envelope {
        dialect: *DIALECTS.get(dialect)?,
        confidence: Confidence::Certain,
        ok: exit.is_success(),
        exit,
        code: code.map(Cow::Borrowed),
    })
}

fn failure(dialect: usize, code: &str) -> Option<Envelope<'_>> {
    let exit = class::of_code(about(dialect)?, code).unwrap_or(Exit::General);
    envelope(dialect, exit, Some(code))
}

fn about(dialect: usize) -> Option<&'static dyn Dialect> {
    DIALECTS.get(dialect).copied()
}

/// The envelope of a record that breaks nothing; `None` if that is not certain.
pub(super) fn judge<'r>(members: &Members<'r, '_>) -> Option<Envelope<'r>> {
    let has = |keys: u32| members.places.present & keys == keys;
    let lacks = |keys: u32| members.places.present & keys == 0;
    if has(RESPONSE) && lacks(NOT_RESPONSE) {
        response(members)
    } else if has(set(&[Known::Schema])) {
        animus(members)
    } else if has(CLAW) && lacks(NOT_CLAW) {
        claw(members)
    } else if has(I18NPRUNE) && lacks(NOT_I18NPRUNE) {
        i18nprune(members)
    } else if (has(TD_SUCCESS) || has(TD_FAILURE)) && lacks(NOT_TD) {
        td(members)
    } else if has(FLAT) && lacks(NOT_FLAT) {
        flat(members)
    } else {
        None
    }
}

fn response<'r>(members: &Members<'r, '_>) -> Option<Envelope<'r>> {
    let ok = members.get(Known::Ok)?.bool()?;
    let warnings = members.get(Known::Warnings)?;
    if warnings.bytes() != b"[]" && !Type::Texts.admits(warnings) {
        return None;
    }
    let meta = members.get(Known::Meta).filter(|meta| meta.kind() == Kind::Object)?;
    let (mut version, mut is_missing) = (None, false);
    let kept = keeps(meta, contract::RESPONSE_1_0.meta, |key, value| match key {
        b"schema_version" => version = Some(value),
        b"missing" => is_missing = true,
        _ => {}
    });
    let newer = match version {
        Some(version) => plain(version)? == "1.6",
        None => false,
    };
    // What the core makes of a name that is missing is the core's to say.
    if !kept || is_missing {
        return None;
    }
    let (data, error) = (members.get(Known::Data)?, members.get(Known::Error)?);
    if ok {
        let dialect = if newer { RESPONSE_1_6 } else { RESPONSE_1_0 };
        let is_good = error.is_null() && matches!(data.kind(), Kind::Object | Kind::Array);
        return is_good.then(|| success(dialect)).flatten();
    }
    if !data.is_null() || error.kind() != Kind::Object {
        return None;
    }
    let (mut code, mut newer) = (None, newer);
    let kept = keeps(error, contract::RESPONSE_1_0.error, |key, value| match key {
        b"code" => code = Some(value),
        b"retry_after_ms" | b"retry_strategy" | b"fix_required" | b"fix_command" => newer = true,
        _ => {}
    });
    let code = plain(code?)?;
    if newer {
        let kept = keeps(error, contract::RESPONSE_1_6.error, |_, _| {});
        return kept.then(|| failure(RESPONSE_1_6, code)).flatten();
    }
    kept.then(|| failure(RESPONSE_1_0, code)).flatten()
}

fn animus<'r>(members: &Members<'r, '_>) -> Option<Envelope<'r>> {
    if !matches!(plain(members.get(Known::Schema)?)?, "animus.cli.v1" | "ao.cli.v1") {
        return None;
    }
    let (data, error) = (members.get(Known::Data), members.get(Known::Error));
    if members.get(Known::Ok)?.bool()? {
        return (data.is_some() && error.is_none()).then(|| success(ANIMUS)).flatten();
    }
    let error = error.filter(|error| data.is_none() && error.kind() == Kind::Object)?;
    let (mut code, mut number) = (None, None);
    let kept = keeps(error, contract::ANIMUS_1.error, |key, value| match key {
        b"code" => code = Some(value),
        b"exit_code" => number = value.integer::<i32>(),
        _ => {}
    });
    let code = plain(code?)?;
    let number = number.filter(|number| kept && *number != 0)?;
    envelope(ANIMUS, class::of_number(about(ANIMUS)?, number, code), Some(code))
}

fn claw<'r>(members: &Members<'r, '_>) -> Option<Envelope<'r>> {
    let texts = [Known::Timestamp, Known::Command, Known::OutputFormat, Known::SchemaVersion];
    if !texts.into_iter().all(|key| members.is_text(key)) {
        return None;
    }
    let number: i32 = members.get(Known::ExitCode)?.integer()?;
    let error = members.get(Known::Error);
    if number == 0 {
        return error.is_none().then(|| success(CLAW_2_0)).flatten();
    }
    let error = error.filter(|error| error.kind() == Kind::Object)?;
    let (mut code, mut called) = (None, 0);
    let kept = keeps(error, contract::CLAW_2_0.error, |key, value| match key {
        b"kind" => code = Some(value),
        b"operation" => called |= 1,
        b"target" => called |= 2,
        _ => {}
    });
    let code = plain(code?)?;
    // An entity that does not exist is the core's to name.
    if !kept || called != 3 || members.get(Known::Found).is_some() {
        return None;
    }
    envelope(CLAW_2_0, class::of_number(about(CLAW_2_0)?, number, code), Some(code))
}

fn td<'r>(members: &Members<'r, '_>) -> Option<Envelope<'r>> {
    let ok = members.get(Known::Ok)?.bool()?;
    let (data, error) = (members.get(Known::Data), members.get(Known::Error));
    if ok {
        let is_good = error.is_none()
            && members.is_text(Known::Type)
            && matches!(data?.kind(), Kind::Object | Kind::Array);
        return is_good.then(|| success(TD)).flatten();
    }
    let is_bare = data.is_none() && members.get(Known::Type).is_none();
    let error = error.filter(|error| is_bare && error.kind() == Kind::Object)?;
    let mut code = None;
    let kept = keeps(error, contract::TD_1.error, |key, value| {
        if key == b"code" {
            code = Some(value);
        }
    });
    let code = plain(code?)?;
    kept.then(|| failure(TD, code)).flatten()
}

fn i18nprune<'r>(members: &Members<'r, '_>) -> Option<Envelope<'r>> {
    let ok = members.get(Known::Ok)?.bool()?;
    let issues = members.get(Known::Issues)?;
    let meta = members.get(Known::Meta).filter(|meta| meta.kind() == Kind::Object)?;
    let mut version = None;
    let kept = keeps(meta, contract::I18NPRUNE_1.meta, |key, value| {
        if key == b"apiVersion" {
            version = Some(value);
        }
    });
    let is_good = kept
        && plain(version?)? == "1"
        && members.is_text(Known::Kind)
        && matches!(members.get(Known::Data)?.kind(), Kind::Object | Kind::Array)
        && (issues.bytes() == b"[]" || Type::Issues.admits(issues));
    if !is_good || ok {
        return is_good.then(|| success(I18NPRUNE_1)).flatten();
    }
    // The first issue that is an error, or else the first.
    let mut gravest = None;
    for issue in issues.elements() {
        let severity = plain(issue.get("severity")?)?;
        if !matches!(severity, "warning" | "info") {
            gravest = Some(issue);
            break;
        }
        gravest = gravest.or(Some(issue));
    }
    failure(I18NPRUNE_1, plain(gravest?.get("code")?)?)
}

fn flat<'r>(members: &Members<'r, '_>) -> Option<Envelope<'r>> {
    let kind = plain(members.get(Known::Kind)?)?;
    let inner =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    let is_verb = kind.as_bytes().first().is_some_and(u8::is_ascii_lowercase);
    if !is_verb || !kind.bytes().all(inner) {
        return None;
    }
    match plain(members.get(Known::Type)?)? {
        "success" => success(CLAW_1_0),
        "error" => {
            let has_hint = members.get(Known::Hint).is_some_and(|it| Type::TextOrNull.admits(it));
            let is_good = has_hint && members.is_text(Known::Error);
            is_good.then(|| failure(CLAW_1_0, kind)).flatten()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_places_of_the_dialects_are_right() {
        let ids: Vec<_> = DIALECTS.iter().map(|dialect| dialect.id()).collect();
        for (at, id) in [
            (RESPONSE_1_0, "response-envelope/1.0"),
            (RESPONSE_1_6, "response-envelope/1.6"),
            (ANIMUS, "animus/1"),
            (CLAW_1_0, "claw/1.0"),
            (CLAW_2_0, "claw/2.0"),
            (TD, "td/1"),
            (I18NPRUNE_1, "i18nprune/1"),
        ] {
            assert_eq!(ids.get(at), Some(&id));
        }
    }
}
