//! Sessions.

fn main() {}
