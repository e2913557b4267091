//! What formats have in common.

pub(crate) mod escape;
pub(crate) mod line;
pub(crate) mod page;

use std::fmt::{Arguments, Write};

/// Adds to a text.
pub(crate) fn put(text: &mut String, what: Arguments<'_>) {
    // Memory takes every byte.
    let _ = text.write_fmt(what);
}
