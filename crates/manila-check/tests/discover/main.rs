//! Discovery without any process: programs that answer from a table.

mod help;
mod hostile;
mod manifest;
mod program;
