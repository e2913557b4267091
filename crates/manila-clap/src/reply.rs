//! What a command answers when it worked: a typed payload with a name and a face for people.

use crate::screen::Screen;
use manila::json::Raw;
use manila::{Envelope, Spoken};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

/// A reply that a command can give.
///
/// Derive it: `#[derive(Serialize, JsonSchema, Reply)]` on a struct with
/// `#[reply(kind = "task", show = show_task)]`. An enum whose variants each hold one reply derives
/// [`Reply`] alone, needs no attributes, and is how one handler returns several kinds.
pub trait Reply {
    /// The stable name of the payload's shape; the dialects call it type, kind or command.
    fn kind(&self) -> &'static str;

    /// The payload, serialised once.
    fn data(&self, shape: Shape) -> serde_json::Result<Raw>;

    /// Shows it to people.
    fn show(&self, screen: &mut Screen);

    /// The page it is, if it is one page of a longer list.
    fn page(&self) -> Option<&dyn Paged> {
        None
    }

    /// The answer of somebody else, if this is one.
    fn relayed(&self) -> Option<Relayed<'_>> {
        None
    }

    /// Adds every kind that a value of this type can have.
    fn kinds(list: &mut Vec<Kind>)
    where
        Self: Sized;
}

/// The answer of another program, handed on as it is: its outcome becomes that of this program, and
/// its codes and kinds are its own. For programs nothing is taken out of it, secrets neither.
#[derive(Clone, Copy, Debug)]
pub struct Relayed<'r> {
    /// The answer.
    pub envelope: &'r Envelope,
    /// What it is handed on in, if not in the dialect of this program.
    pub dialect: Option<&'static dyn Spoken>,
    /// The signal that ended both, if one did.
    pub signal: Option<i32>,
}

/// Which of two generations of a payload is asked for; see [`App::migrate`](crate::App::migrate).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// What the reply type says.
    Current,
    /// What `#[reply(legacy = function)]` makes of it, for callers of the older envelope.
    Legacy,
}

/// A kind of reply, as data: its name and the schema of its payload.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name.
    pub name: &'static str,
    /// Makes the schema; only called when somebody asks.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
    /// Whether callers of the older envelope get another payload, which the schema does not describe.
    pub has_legacy: bool,
}

impl Kind {
    /// The kind of a payload type.
    pub fn of<T: JsonSchema>(name: &'static str) -> Kind {
        Kind { name, schema: SchemaGenerator::subschema_for::<T>, has_legacy: false }
    }

    /// With another payload for callers of the older envelope.
    #[must_use]
    pub fn with_legacy(self) -> Kind {
        Kind { has_legacy: true, ..self }
    }
}

/// The payload of a value that serialises.
pub fn data_of<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<Raw> {
    Raw::of(value)
}

/// One page of a longer list, whatever its items are.
pub trait Paged {
    /// How many items it has.
    fn returned(&self) -> usize;
    /// How many there are in all, if that is known.
    fn total(&self) -> Option<usize>;
    /// Where the next page begins, if there is one.
    fn next(&self) -> Option<String>;
    /// The first so many items alone, and where the rest begins; `None` if it cannot be cut.
    fn cut(&self, items: usize) -> Option<(serde_json::Result<Raw>, String)>;
}

/// An acknowledgement: that it is done, in words. Its kind is `message`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Done {
    /// What was done.
    pub message: String,
}

impl Done {
    /// That this was done.
    pub fn new(message: impl Into<String>) -> Done {
        Done { message: message.into() }
    }
}

impl Reply for Done {
    fn kind(&self) -> &'static str {
        "message"
    }

    fn data(&self, _: Shape) -> serde_json::Result<Raw> {
        data_of(self)
    }

    fn show(&self, screen: &mut Screen) {
        screen.line(&self.message);
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::of::<Done>("message"));
    }
}
