//! A good record written in one dialect, its payload copied as it is spelled.

use crate::scan::Record;
use manila::json::Limits;
use manila::{Defaults, Dialect, Error, Lines, Options, Status, Transcript, open, write_into};

/// Writes records in one dialect, each on one line.
#[derive(Debug)]
pub struct Normaliser {
    dialect: &'static dyn Dialect,
    defaults: Defaults,
    limits: Limits,
    memory: Vec<u8>,
}

impl Normaliser {
    /// Writes in that dialect; `defaults` stand in for what it requires and a record does not say.
    pub fn new(dialect: &'static dyn Dialect, defaults: Defaults, limits: Limits) -> Self {
        Normaliser { dialect, defaults, limits, memory: Vec::new() }
    }

    /// Appends a good record to `out`, with the newline that ends it. Nothing is appended on an
    /// error.
    pub fn write(&mut self, record: &Record<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        let transcript = Transcript::of_stdout(record.bytes, Status::Unknown);
        let named = record.verdict.envelope().map(|envelope| envelope.dialect);
        let opened = open(&transcript, &Options { limits: self.limits, dialect: named })?;
        let memory = std::mem::take(&mut self.memory);
        let written =
            write_into(memory, &opened.envelope, self.dialect, &self.defaults, Lines::One);
        out.extend_from_slice(&written.document);
        self.memory = written.document;
        Ok(())
    }
}
