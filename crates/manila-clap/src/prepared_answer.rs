//! The answer of a run that a signal or the time limit ends, prepared before the handler runs.

use crate::call::Call;
use crate::clock::now;
use crate::error::Error;
use crate::hint;
use crate::meta::{defaults, lines};
use crate::respond::failure;
use crate::screen::Screen;
use crate::sys::PreparedAnswer;
use manila::{Content, Defaults, DialectWriter, Envelope, Exit, Lines, Meta, Stream, write_into};

/// The answer for a run that a signal or the time limit ends.
pub(crate) fn prepared_answer(call: &Call, error: Error) -> Box<dyn PreparedAnswer> {
    let (dialect, exit) = (call.dialect, error.parts.exit);
    if !call.mode.is_json() {
        let mut screen = Screen::new(call.mode.layout(), call.colour[2]);
        screen.error(&error.parts.failure);
        return Box::new(TextAnswer { dialect, exit, line: screen.into_text() });
    }
    let mut meta = call.take_meta();
    call.put_meta(meta.clone());
    // A dialect that insists on a time gets the latest time that was known.
    meta.timestamp = (!dialect.table().has_meta).then(now);
    let (mut error, mut data) = (failure(call, error).0, None);
    hint::keep(call, exit, &mut error, &mut data, &[]);
    let content = Content { error: Some(error), data, meta, ..Content::default() };
    let room = room(&content.meta);
    let memory = Vec::with_capacity(room);
    Box::new(DocumentAnswer {
        dialect,
        exit,
        content,
        defaults: defaults(call),
        lines: lines(call),
        memory,
    })
}

/// How many bytes a failure may take that is not longer than those of the boundary.
fn room(meta: &Meta) -> usize {
    let texts = [&meta.cwd, &meta.request_id].into_iter().flatten().map(String::len);
    let extra = meta.extra.iter().map(|(key, value)| key.len() + value.as_str().len() + 8);
    // Each byte of a text may have to be spelled with six.
    900 + 6 * (texts.sum::<usize>() + extra.sum::<usize>()).saturating_sub(90)
}

/// The answer for people.
struct TextAnswer {
    dialect: &'static dyn DialectWriter,
    exit: Exit,
    line: String,
}

impl PreparedAnswer for TextAnswer {
    fn write(&mut self, _: u64, signal: i32) -> (&[u8], Stream, i32) {
        (self.line.as_bytes(), Stream::Stderr, ended(self.dialect, self.exit, signal))
    }
}

/// The answer for programs.
struct DocumentAnswer {
    dialect: &'static dyn DialectWriter,
    exit: Exit,
    content: Content,
    defaults: Defaults,
    lines: Lines,
    memory: Vec<u8>,
}

impl PreparedAnswer for DocumentAnswer {
    fn write(&mut self, elapsed_ms: u64, signal: i32) -> (&[u8], Stream, i32) {
        let mut content = std::mem::take(&mut self.content);
        content.meta.duration_ms = Some(elapsed_ms);
        let stream = self.dialect.form(false).stream;
        if let Ok(envelope) = Envelope::new(self.exit, content) {
            let memory = std::mem::take(&mut self.memory);
            self.memory =
                write_into(memory, &envelope, self.dialect, &self.defaults, self.lines).document;
            // Freeing takes a lock that the interrupted code may hold.
            std::mem::forget(envelope);
        }
        (&self.memory, stream, ended(self.dialect, self.exit, signal))
    }
}

/// The status of a run that was ended by a signal or, for 0, by its time limit.
#[inline(never)]
fn ended(dialect: &dyn DialectWriter, exit: Exit, signal: i32) -> i32 {
    if signal == 0 { dialect.status(exit) } else { dialect.table().exits.interrupted(signal) }
}
