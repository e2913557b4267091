//! Finds translation keys in source trees.

fn main() {}
