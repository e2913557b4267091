//! What a program offers: the model, its discovery, and the gate that decides which calls are safe.

pub(crate) mod discover;
pub(crate) mod gate;
pub(crate) mod known_effects;
pub(crate) mod model;
pub(crate) mod survey;

pub use model::{
    Command, EffectSource, Flag, Json, KnownFrom, Manifest, Positional, Subcommand, Surface,
};
