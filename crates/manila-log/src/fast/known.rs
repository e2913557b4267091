//! The keys that the fast judge looks at, each in a slot of its own, and which of them make a dialect.

use crate::name::Name;

macro_rules! keys {
    ($($name:ident = $key:literal;)*) => {
        /// The keys that detection and contracts look at, each with a number.
        #[repr(u8)]
        #[derive(Clone, Copy)]
        pub(super) enum Known { $($name,)* }

        pub(super) const KNOWN: usize = [$(stringify!($name),)*].len();

        /// Each key in a slot of its own. A search by length and bytes would be a jump that cannot be
        /// foreseen, for every key of every record.
        pub(super) static SLOTS: [Option<(Name, Known)>; 64] = {
            let mut slots: [Option<(Name, Known)>; 64] = [None; 64];
            $(
                let name = Name::new($key);
                assert!(slots[slot(name)].is_none(), "two keys in one slot: change the factors");
                slots[slot(name)] = Some((name, Known::$name));
            )*
            slots
        };
    };
}

/// The slot of a key, from its ends and its length; the factors were chosen so that no two known
/// keys have the same.
#[inline]
pub(super) const fn slot(name: Name) -> usize {
    let (first, last) = name.ends();
    (first as usize + last as usize + name.length * 28) % 64
}

keys! {
    Ok = "ok";
    Data = "data";
    Error = "error";
    Warnings = "warnings";
    Meta = "meta";
    Schema = "schema";
    Type = "type";
    Kind = "kind";
    Issues = "issues";
    ApiVersion = "apiVersion";
    Command = "command";
    ExitCode = "exit_code";
    Timestamp = "timestamp";
    OutputFormat = "output_format";
    SchemaVersion = "schema_version";
    Status = "status";
    ErrorKind = "error_kind";
    Hint = "hint";
    Found = "found";
    Success = "success";
    IsError = "is_error";
    IsErrorInCamelCase = "isError";
    Errors = "errors";
    Pagination = "pagination";
}

pub(super) const fn set(keys: &[Known]) -> u32 {
    let (mut bits, mut at) = (0, 0);
    while at < keys.len() {
        bits |= 1 << keys[at] as u32;
        at += 1;
    }
    bits
}

pub(super) const RESPONSE: u32 =
    set(&[Known::Ok, Known::Data, Known::Error, Known::Warnings, Known::Meta]);
pub(super) const NOT_RESPONSE: u32 =
    set(&[Known::Schema, Known::Type, Known::Kind, Known::Issues, Known::ApiVersion]);
pub(super) const CLAW: u32 = set(&[
    Known::Timestamp,
    Known::Command,
    Known::ExitCode,
    Known::OutputFormat,
    Known::SchemaVersion,
]);
pub(super) const NOT_CLAW: u32 = set(&[Known::Ok, Known::Schema, Known::ErrorKind, Known::Type]);
pub(super) const TD_SUCCESS: u32 = set(&[Known::Ok, Known::Type, Known::Data]);
pub(super) const TD_FAILURE: u32 = set(&[Known::Ok, Known::Error]);
pub(super) const NOT_TD: u32 = set(&[
    Known::Schema,
    Known::Meta,
    Known::Issues,
    Known::Warnings,
    Known::Kind,
    Known::Command,
    Known::ErrorKind,
]);
pub(super) const I18NPRUNE: u32 =
    set(&[Known::Ok, Known::Kind, Known::Data, Known::Issues, Known::Meta]);
pub(super) const NOT_I18NPRUNE: u32 =
    set(&[Known::Schema, Known::ExitCode, Known::ErrorKind, Known::Error]);
pub(super) const FLAT: u32 = set(&[Known::Type, Known::Kind]);
pub(super) const NOT_FLAT: u32 = set(&[
    Known::Ok,
    Known::Schema,
    Known::Issues,
    Known::ApiVersion,
    Known::ErrorKind,
    Known::ExitCode,
    Known::Status,
    Known::SchemaVersion,
]);
/// What states a failure or a page beside the dialects' own keys; what becomes of it is the core's to
/// say.
pub(super) const BESIDE: u32 = set(&[
    Known::Success,
    Known::IsError,
    Known::IsErrorInCamelCase,
    Known::Errors,
    Known::Pagination,
]);
