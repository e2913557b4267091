//! Keeps tasks.

fn main() {}
