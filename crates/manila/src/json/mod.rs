//! Strict JSON: a reader that says what is odd, values that keep their spelling, one writer.
//!
//! Whatever a program wrote is read by [`Reader`], and every envelope is written by [`Writer`].

mod document;
mod fact;
mod flaw;
mod keys;
mod raw;
mod reader;
mod scan;
mod serialize;
mod spell;
mod text;
mod value;
mod writer;

pub(crate) use scan::skip_whitespace;

pub use document::Document;
pub use fact::{Fact, FactKind, Facts};
pub use flaw::{Flaw, FlawKind};
pub use raw::{Members, Raw};
pub use reader::{Limits, Reader};
pub use serialize::SerializeError;
pub use spell::{append_text, digits};
pub use value::{Kind, Member, Value};
pub use writer::{ArrayWriter, Layout, ObjectWriter, Scalar, Style, Writer};
