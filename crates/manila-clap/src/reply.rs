//! What a command answers when it worked: a typed payload with a name, and how it is shown to people.

use crate::screen::Screen;
use manila::json::{Raw, SerializeError};
use manila::{DialectWriter, Envelope};
use serde::Serialize;

/// A reply that a command can give.
///
/// Derive it: `#[derive(Serialize, Reply)]` on a struct with
/// `#[reply(kind = "task", show = show_task)]`. An enum whose variants each hold one reply derives
/// [`Reply`] alone, needs no attributes, and is how one handler returns several kinds.
///
/// A program that lists its answers with `App::schema` or `App::manifest` (feature `schema`) derives
/// `schemars::JsonSchema` too; a payload without it is listed as any value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an answer: it does not implement `manila_clap::Reply`",
    label = "not a `Reply`",
    note = "derive it: `#[derive(serde::Serialize, manila_clap::Reply)]` on a struct, or \
            `#[derive(manila_clap::Reply)]` on an enum whose variants each hold one reply",
    note = "a command that has nothing to answer returns `manila_clap::Done::new(\"…\")`"
)]
pub trait Reply {
    /// The stable name of the payload's shape; the dialects call it type, kind or command.
    fn kind(&self) -> &'static str;

    /// The payload, serialised once.
    fn data(&self, shape: Shape) -> Result<Raw, SerializeError>;

    /// Appends the payload to the line of a stream that it is an item of. Memory is as before if it has no JSON
    /// form.
    fn append_data(&self, shape: Shape, line: &mut Vec<u8>) -> Result<(), SerializeError>
    where
        Self: Sized,
    {
        self.data(shape)?.append_to(line);
        Ok(())
    }

    /// Shows it to people.
    fn show(&self, screen: &mut Screen);

    /// The page it is, if it is one page of a longer list.
    fn page(&self) -> Option<&dyn Paged> {
        None
    }

    /// The answer of another program, if this is one; [`relays`](Reply::relays) must be true then.
    fn relayed(&self) -> Option<Relayed<'_>> {
        None
    }

    /// Whether [`relayed`](Reply::relayed) may return something. A program none of whose replies does is
    /// built without the code for it.
    fn relays() -> bool
    where
        Self: Sized,
    {
        false
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
    pub dialect: Option<&'static dyn DialectWriter>,
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
    /// Makes the schema; only called when the program lists it.
    #[cfg(feature = "schema")]
    pub schema: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
    /// Whether callers of the older envelope get another payload, which the schema does not describe.
    pub has_legacy: bool,
}

impl Kind {
    /// The kind of a payload type.
    #[cfg(feature = "schema")]
    pub fn new<T: schemars::JsonSchema>(name: &'static str) -> Kind {
        Kind { name, schema: schemars::SchemaGenerator::subschema_for::<T>, has_legacy: false }
    }

    #[cfg(not(feature = "schema"))]
    pub(crate) fn new<T>(name: &'static str) -> Kind {
        Kind::any(name)
    }

    /// A kind whose payload is any value: its schema is `true`.
    pub fn any(name: &'static str) -> Kind {
        Kind {
            name,
            #[cfg(feature = "schema")]
            schema: |_| true.into(),
            has_legacy: false,
        }
    }

    /// With another payload for callers of the older envelope.
    #[must_use]
    pub fn with_legacy(self) -> Kind {
        Kind { has_legacy: true, ..self }
    }
}

/// The kind of a payload type, with its schema if it has one. The derive asks
/// `(&PayloadOf::<T>::NEW).kind(name)`, which finds the first of two traits whose bounds hold.
#[derive(Debug)]
pub struct PayloadOf<T: ?Sized>(std::marker::PhantomData<T>);

impl<T: ?Sized> PayloadOf<T> {
    /// One of no size.
    pub const NEW: PayloadOf<T> = PayloadOf(std::marker::PhantomData);
}

/// A payload that has a schema.
pub trait KindWithSchema {
    /// Its kind.
    fn kind(&self, name: &'static str) -> Kind;
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> KindWithSchema for PayloadOf<T> {
    fn kind(&self, name: &'static str) -> Kind {
        Kind::new::<T>(name)
    }
}

/// Any other payload.
pub trait KindWithoutSchema {
    /// Its kind.
    fn kind(&self, name: &'static str) -> Kind;
}

impl<T: ?Sized> KindWithoutSchema for &PayloadOf<T> {
    fn kind(&self, name: &'static str) -> Kind {
        Kind::any(name)
    }
}

/// The payload of a value that serialises.
pub fn data_of<T: Serialize + ?Sized>(value: &T) -> Result<Raw, SerializeError> {
    Raw::from_serialize(value)
}

/// The same on the line of a stream.
pub fn append<T: Serialize + ?Sized>(value: &T, line: &mut Vec<u8>) -> Result<(), SerializeError> {
    Raw::append(line, value)
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
    fn cut(&self, items: usize) -> Option<(Result<Raw, SerializeError>, String)>;
}

/// An acknowledgement: that it is done, in words. Its kind is `message`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

    fn data(&self, _: Shape) -> Result<Raw, SerializeError> {
        data_of(self)
    }

    fn show(&self, screen: &mut Screen) {
        screen.line(&self.message);
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::new::<Done>("message"));
    }
}
