//! What formats have in common.

pub mod escape;
pub mod line;
pub mod page;
pub mod wording;

use std::fmt::{Arguments, Write};

/// Adds to a text.
pub fn put(text: &mut String, what: Arguments<'_>) {
    // Writing to memory cannot fail.
    let _ = text.write_fmt(what);
}
