//! What the program answers, and how it fails.

use crate::halt::spin;
use manila_clap::{
    Cancelled, Done, Failure, InputRequired, Kind, Page, Printed, Reply, Screen, Shape, Streamed,
};
use schemars::JsonSchema;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Reply)]
pub(crate) enum Answer {
    Done(Done),
    Text(Whatever<String>),
    Path(Whatever<PathBuf>),
    Keys(Whatever<BTreeMap<(u8, u8), u8>>),
    Number(Whatever<f64>),
    Named(Whatever<BTreeMap<String, u8>>),
    Items(Items),
    Listed(Listed),
    Odd(Odd),
    Printed(Printed),
}

/// A payload with one value.
#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "whatever")]
pub(crate) struct Whatever<T: Serialize + JsonSchema> {
    pub(crate) value: T,
}

#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "items", page)]
pub(crate) struct Items(pub(crate) Page<Item>);

#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "item")]
pub(crate) struct Item {
    pub(crate) id: u64,
    pub(crate) name: String,
}

/// What closes a stream; a person has seen the items.
#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "listed", show = nothing)]
pub(crate) struct Listed(pub(crate) Streamed<Item>);

pub(crate) fn nothing(_: &Listed, _: &mut Screen) {}

/// A reply that misbehaves itself.
pub(crate) enum Odd {
    Panics,
    Loops,
    Refuses,
    Deep(usize),
}

impl Serialize for Odd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Odd::Panics => panic!("a bug in a reply"),
            Odd::Loops => spin(),
            Odd::Refuses => Err(S::Error::custom("a payload that refuses")),
            Odd::Deep(0) => serializer.serialize_u8(0),
            Odd::Deep(levels) => serializer.collect_seq([Odd::Deep(levels - 1)]),
        }
    }
}

impl Reply for Odd {
    fn kind(&self) -> &'static str {
        "odd"
    }

    fn data(&self, _: Shape) -> Result<manila::json::Raw, manila::json::SerializeError> {
        manila::json::Raw::from_serialize(self)
    }

    fn show(&self, screen: &mut Screen) {
        match self {
            Odd::Panics => panic!("a bug in a reply"),
            Odd::Loops => spin(),
            _ => screen.line("odd"),
        }
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::new::<serde_json::Value>("odd"));
    }
}

#[derive(Debug, Failure)]
pub(crate) enum AnswerError {
    /// there is no such thing
    #[failure(exit = NotFound, suggestion = "look elsewhere", missing = "thing")]
    NoSuchThing,
    /// {message}
    #[failure(exit = Conflict, suggestion = suggestion.as_str(), details = details, target = target.as_str())]
    Slipped { message: String, suggestion: String, details: String, target: String },
    /// it is half done
    #[failure(exit = PartialFailure, data = shown)]
    Half { shown: Shown },
    #[failure(transparent)]
    Cancelled(#[from] Cancelled),
    #[failure(transparent)]
    NoInput(#[from] InputRequired),
}

/// What there is to show although it failed.
#[derive(Clone, Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "shown")]
pub(crate) struct Shown {
    pub(crate) text: String,
}

pub(crate) fn done(what: &str) -> Result<Answer, AnswerError> {
    Ok(Answer::Done(Done::new(what)))
}

pub(crate) fn odd(reply: Odd) -> Result<Answer, AnswerError> {
    Ok(Answer::Odd(reply))
}

pub(crate) fn text(value: String) -> Result<Answer, AnswerError> {
    Ok(Answer::Text(Whatever { value }))
}

pub(crate) fn item(id: u64) -> Item {
    Item { id, name: format!("item {id}") }
}
