//! Strict JSON: a reader that says what is odd, values that keep their spelling, one writer.
//!
//! Every byte that manila reads as JSON goes through [`Reader`], and every byte it writes as JSON
//! goes through [`Writer`].

mod fact;
mod flaw;
mod keys;
mod raw;
mod reader;
mod scan;
mod text;
mod value;
mod writer;

pub use fact::{Fact, FactKind, Facts};
pub use flaw::{Flaw, FlawKind};
pub use raw::{Members, Raw};
pub use reader::{Document, Limits, Reader};
pub use value::{Element, Kind, Member, Value};
pub use writer::{ArrayWriter, Layout, ObjectWriter, Style, Writer};
