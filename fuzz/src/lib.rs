//! The laws: what holds for every byte string, each a function that panics when it is broken.
//!
//! They are plain functions so that two drivers can run them: the libFuzzer targets beside this
//! directory, and the bounded run on stable in `crates/manila/tests/fuzz.rs`, which takes these
//! files in as a module.

mod convert;
mod decide;
mod detect;
mod input;
mod manifest;
mod open;
mod oracle;
mod reader;
mod segment;

pub use convert::convert;
pub use decide::{KNOBS, decide};
pub use detect::detect;
pub use input::encode;
pub use manifest::manifest;
pub use open::open;
pub use reader::reader;
pub use segment::segment;
