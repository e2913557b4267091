//! Discovery without any process: programs that answer from a table.

mod adversarial;
mod help;
mod manifest;
mod own_manifest;
mod program;
