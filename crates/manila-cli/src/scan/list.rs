//! Where violations go as they are found: shown, sent, or kept for the end. Never more of them than
//! were asked for.

use super::report::{Format, Presentation, Violation, line};
use crate::watch::Watch;
use manila_clap::{Call, Mode, Stream};
use manila_log::Rule;
use std::io::{self, Write};

/// The first violations.
pub(crate) struct List<'c> {
    way: Way<'c>,
    watch: &'c Watch<'c>,
    limit: u64,
    taken: u64,
    /// Whether records of no known dialect are listed: to people one of them says it all.
    of_no_dialect: Listed,
}

/// How many of a kind are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Listed {
    Each,
    Once,
    NoMore,
}

/// What becomes of each.
enum Way<'c> {
    /// Each is shown, or sent as a frame, at once.
    Stream(Box<Stream<'c, Violation>>),
    /// Each is a line of JSON at once.
    Lines,
    Kept(Vec<Violation>),
    /// Stdout belongs to something else.
    Dropped,
}

/// Whether anyone still reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    Listens,
    HungUp,
}

impl<'c> List<'c> {
    /// A list for this way to answer, and what is left to be shown at the end.
    pub(crate) fn new(
        call: &'c Call,
        watch: &'c Watch<'c>,
        format: Format,
        limit: u64,
    ) -> (List<'c>, Presentation) {
        let (way, presentation) = match (call.mode(), format) {
            (Mode::Json, _) => (Way::Kept(Vec::new()), Presentation::Summary),
            (Mode::Jsonl, _) | (_, Format::Human) => {
                (Way::Stream(Box::new(call.stream())), Presentation::Summary)
            }
            (_, Format::Json) => (Way::Kept(Vec::new()), Presentation::Json),
            (_, Format::Jsonl) => (Way::Lines, Presentation::Nothing),
            (_, Format::Sarif) => (Way::Kept(Vec::new()), Presentation::Sarif),
        };
        let is_for_people =
            !matches!(call.mode(), Mode::Json | Mode::Jsonl) && format == Format::Human;
        let of_no_dialect = if is_for_people { Listed::Once } else { Listed::Each };
        (List { way, watch, limit, taken: 0, of_no_dialect }, presentation)
    }

    /// A list that only counts.
    pub(crate) fn silent(watch: &'c Watch<'c>, limit: u64) -> List<'c> {
        List { way: Way::Dropped, watch, limit, taken: 0, of_no_dialect: Listed::Each }
    }

    /// Whether it takes no more.
    pub(crate) fn is_full(&self) -> bool {
        self.taken >= self.limit
    }

    /// Takes the next one.
    pub(crate) fn push(&mut self, violation: Violation) -> io::Result<Reader> {
        if violation.rule == Rule::UnknownDialect.id() {
            match self.of_no_dialect {
                Listed::Each => {}
                Listed::Once => self.of_no_dialect = Listed::NoMore,
                // The summary counts them.
                Listed::NoMore => return Ok(Reader::Listens),
            }
        }
        self.taken += 1;
        let way = &mut self.way;
        self.watch.apart(|| match way {
            Way::Stream(stream) => {
                let is_read = stream.item(violation);
                Ok(if is_read { Reader::Listens } else { Reader::HungUp })
            }
            Way::Lines => match io::stdout().write_all(line(&violation).as_bytes()) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Reader::HungUp),
                wrote => wrote.map(|()| Reader::Listens),
            },
            Way::Kept(kept) => {
                kept.push(violation);
                Ok(Reader::Listens)
            }
            Way::Dropped => Ok(Reader::Listens),
        })
    }

    /// How many were taken, and those that are still to be shown.
    pub(crate) fn finish(self) -> (u64, Vec<Violation>) {
        match self.way {
            Way::Kept(kept) => (self.taken, kept),
            Way::Stream(stream) => {
                stream.finish();
                (self.taken, Vec::new())
            }
            Way::Lines | Way::Dropped => (self.taken, Vec::new()),
        }
    }
}
