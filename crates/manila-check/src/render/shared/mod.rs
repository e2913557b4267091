//! What formats have in common.

pub(crate) mod escape;
pub(crate) mod line;
pub mod page;
pub(crate) mod wording;

use std::fmt::{Arguments, Write};

/// Adds to a text.
pub fn put(text: &mut String, what: Arguments<'_>) {
    // Writing to memory cannot fail.
    let _ = text.write_fmt(what);
}
