//! Keeps the subjects of a project and a daemon beside them.

fn main() {}
