//! Blocks of whole records from inputs, one after the other.
//!
//! A block ends where a record must: before a line that begins with `{`. Where there is no such line
//! the block grows, unless what it holds shows that any line break will do, or it has grown larger
//! than a record may be. What is left over begins the next block.

use crate::input::{Body, Input, InputError, is_abandoned};
use manila::json::{FlawKind, Limits, Reader};
use std::io::{self, Read};
use std::sync::Arc;

/// How much is read at once. Half of the second-level cache of common processors.
pub(crate) const BLOCK: usize = 256 << 10;

/// Memory for one block, used again for the next.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    /// As long as it ever was, so that it need not be filled with zeros each time.
    memory: Vec<u8>,
    filled: usize,
}

impl Buffer {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.memory[..self.filled]
    }

    fn clear(&mut self) {
        // The memory of an unusually large record is given back.
        if self.memory.len() > 4 * BLOCK {
            self.memory = Vec::new();
        }
        self.filled = 0;
    }

    fn append(&mut self, bytes: &[u8]) {
        self.make_room(bytes.len());
        self.memory[self.filled..self.filled + bytes.len()].copy_from_slice(bytes);
        self.filled += bytes.len();
    }

    fn make_room(&mut self, room: usize) {
        if self.memory.len() < self.filled + room {
            self.memory.resize(self.filled + room, 0);
        }
    }

    /// Reads once, at most `most` bytes.
    fn read(&mut self, body: &mut dyn Read, most: usize) -> io::Result<usize> {
        self.make_room(most);
        loop {
            match body.read(&mut self.memory[self.filled..self.filled + most]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(count) => {
                    self.filled += count;
                    return Ok(count);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// What a block is.
#[derive(Debug)]
pub(crate) struct FilledBlock {
    /// Counts the blocks of all inputs.
    pub(crate) number: u64,
    pub(crate) input: usize,
    pub(crate) name: Arc<str>,
    /// Where it begins in its input.
    pub(crate) offset: u64,
    /// Bytes and line breaks that were passed over before it.
    pub(crate) skipped: (u64, u64),
    /// It is the beginning of one record that is larger than a record may be.
    pub(crate) too_large: bool,
}

/// Whether there is more of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// There may be.
    Open,
    /// No.
    Ended,
    /// There may be, but the read does not wait for it.
    Abandoned,
}

/// An input that is being read.
struct Open {
    input: usize,
    name: Arc<str>,
    body: Box<dyn Read + Send>,
    is_live: bool,
    /// How large the input was when it was opened.
    size: Option<u64>,
    /// Where `rest` begins in the input.
    offset: u64,
    rest: Vec<u8>,
    state: State,
    /// The rest of the line is passed over: the record is too large.
    skipping: bool,
    skipped: (u64, u64),
}

/// All inputs, as blocks.
pub(crate) struct Blocks<I> {
    inputs: std::iter::Enumerate<I>,
    open: Option<Open>,
    number: u64,
    cut: Cut,
    pub(crate) opened: u64,
    /// How many bytes were read of records whose rest was not waited for.
    pub(crate) unfinished: u64,
    pub(crate) input_errors: Vec<InputError>,
}

impl<I: Iterator<Item = Result<Input, InputError>>> Blocks<I> {
    pub(crate) fn new(inputs: I, limits: Limits) -> Self {
        let cut = Cut { reader: Reader::new(limits), limit: limits.bytes };
        let inputs = inputs.enumerate();
        let input_errors = Vec::new();
        Blocks { inputs, open: None, number: 0, cut, opened: 0, unfinished: 0, input_errors }
    }

    /// Fills the buffer with the next block; nothing at the end of the last input.
    pub(crate) fn next(&mut self, buffer: &mut Buffer) -> Option<FilledBlock> {
        loop {
            buffer.clear();
            if self.open.is_none() {
                match self.inputs.next()? {
                    (input, Ok(Input { name, body })) => {
                        self.open = Some(Open::new(input, name, body));
                        self.opened += 1;
                    }
                    (_, Err(input_error)) => {
                        self.input_errors.push(input_error);
                        continue;
                    }
                }
            }
            let open = self.open.as_mut()?;
            let input_error = open.fill(buffer, &mut self.cut);
            if open.state == State::Abandoned {
                self.unfinished += std::mem::take(&mut open.rest).len() as u64;
            }
            let filled = open.filled(self.number, buffer);
            self.input_errors.extend(input_error);
            if open.state != State::Open && open.rest.is_empty() {
                self.open = None;
            }
            // What was passed over counts even if nothing follows it.
            if buffer.filled > 0 || filled.skipped != (0, 0) {
                self.number += 1;
                return Some(filled);
            }
        }
    }
}

impl Open {
    fn new(input: usize, name: Arc<str>, body: Body) -> Self {
        let (body, size, is_live): (Box<dyn Read + Send>, _, _) = match body {
            Body::File(file) => {
                let size = file.metadata().ok().filter(std::fs::Metadata::is_file);
                (Box::new(file), size.map(|data| data.len()), false)
            }
            Body::Stream(stream) => (stream, None, false),
            Body::Live(stream) => (stream, None, true),
        };
        let rest = Vec::new();
        let (offset, skipped) = (0, (0, 0));
        let (state, skipping) = (State::Open, false);
        Open { input, name, body, is_live, size, offset, rest, state, skipping, skipped }
    }

    /// What the block in the buffer is; the next one begins behind it.
    fn filled(&mut self, number: u64, buffer: &Buffer) -> FilledBlock {
        let offset = self.offset;
        self.offset += buffer.filled as u64;
        let (name, skipped) = (Arc::clone(&self.name), std::mem::take(&mut self.skipped));
        FilledBlock { number, input: self.input, name, offset, skipped, too_large: self.skipping }
    }

    /// Reads until the buffer can be cut, and cuts it.
    fn fill(&mut self, buffer: &mut Buffer, cut: &mut Cut) -> Option<InputError> {
        let mut input_error = None;
        if self.skipping {
            input_error = self.skip(buffer);
        }
        buffer.append(&self.rest);
        self.rest.clear();
        let mut wanted = BLOCK;
        loop {
            while self.state == State::Open && buffer.filled < wanted {
                let most = (wanted - buffer.filled).max(BLOCK);
                match buffer.read(&mut *self.body, most) {
                    Ok(0) => {
                        self.state = State::Ended;
                        input_error = input_error.or_else(|| self.shrunk(buffer));
                    }
                    Ok(_) if self.is_live => break,
                    Ok(_) => {}
                    Err(error) => input_error = self.broken_off(buffer, error),
                }
            }
            // What is not waited for has no more ended than what is still to come.
            let is_abandoned = self.state == State::Abandoned;
            let (is_over, is_live) = (self.state == State::Ended, self.is_live || is_abandoned);
            let end = match cut.place(buffer.bytes(), is_over, is_live) {
                Place::At(end) => end,
                Place::Unknown | Place::TooLarge(_) if is_abandoned => 0,
                Place::TooLarge(end) => {
                    self.skipping = true;
                    end
                }
                Place::Unknown => {
                    wanted = wanted.max(buffer.filled + 1).saturating_mul(2);
                    continue;
                }
            };
            self.rest.extend_from_slice(&buffer.bytes()[end..]);
            buffer.filled = end;
            return input_error;
        }
    }

    /// Passes over the rest of a line.
    fn skip(&mut self, buffer: &mut Buffer) -> Option<InputError> {
        let mut input_error = None;
        let mut line = std::mem::take(&mut self.rest);
        loop {
            if let Some(end) = memchr::memchr(b'\n', &line) {
                self.rest.extend_from_slice(&line[end + 1..]);
                self.pass_over(end + 1, 1);
                self.skipping = false;
                break;
            }
            self.pass_over(line.len(), 0);
            buffer.filled = 0;
            if self.state != State::Open {
                self.skipping = false;
                break;
            }
            match buffer.read(&mut *self.body, BLOCK) {
                Ok(0) => {
                    input_error = self.shrunk(buffer);
                    self.state = State::Ended;
                }
                Ok(_) => {}
                Err(error) => input_error = self.broken_off(buffer, error),
            }
            line.clear();
            line.extend_from_slice(buffer.bytes());
        }
        buffer.filled = 0;
        input_error
    }

    fn pass_over(&mut self, bytes: usize, lines: u64) {
        self.offset += bytes as u64;
        self.skipped.0 += bytes as u64;
        self.skipped.1 += lines;
    }

    /// Ends it, because of an error or because the rest is not waited for.
    fn broken_off(&mut self, buffer: &Buffer, error: io::Error) -> Option<InputError> {
        if is_abandoned(&error) {
            self.state = State::Abandoned;
            return None;
        }
        self.state = State::Ended;
        Some(self.input_error(buffer, error))
    }

    fn input_error(&self, buffer: &Buffer, error: io::Error) -> InputError {
        let offset = Some(self.offset + buffer.filled as u64);
        InputError { name: Arc::clone(&self.name), offset, error }
    }

    /// A file that ended before its size was reached.
    fn shrunk(&self, buffer: &Buffer) -> Option<InputError> {
        let read = self.offset + buffer.filled as u64;
        let size = self.size.filter(|size| read < *size)?;
        let what = format!("it shrank while it was read: {read} of {size} bytes");
        Some(self.input_error(buffer, io::Error::new(io::ErrorKind::UnexpectedEof, what)))
    }
}

/// Where a block may end.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// Here.
    At(usize),
    /// Here, inside a line that is larger than a record may be.
    TooLarge(usize),
    /// More bytes are needed to decide.
    Unknown,
}

/// Finds where blocks end.
struct Cut {
    reader: Reader,
    limit: usize,
}

impl Cut {
    /// The place for bytes that begin with a record.
    fn place(&mut self, bytes: &[u8], ended: bool, is_live: bool) -> Place {
        if ended && bytes.len() <= self.limit {
            return Place::At(bytes.len());
        }
        let brace = last_brace(bytes);
        if let Some(brace) = brace.filter(|brace| *brace > 0 && !is_live) {
            return Place::At(brace);
        }
        let Some(newline) = memchr::memrchr(b'\n', bytes) else {
            let is_too_large = bytes.len() > self.limit;
            return if is_too_large { Place::TooLarge(self.limit + 1) } else { Place::Unknown };
        };
        match brace {
            Some(brace) if self.goes_on(bytes, brace) => match brace {
                0 if ended => Place::At(bytes.len()),
                0 => Place::Unknown,
                _ => Place::At(brace),
            },
            _ if ended => Place::At(bytes.len()),
            _ => Place::At(newline + 1),
        }
    }

    /// Whether the document at `at`, or one after it on a line, may continue after the bytes.
    fn goes_on(&mut self, bytes: &[u8], mut at: usize) -> bool {
        loop {
            match self.reader.read_at(bytes, at) {
                Err(flaw) => return flaw.kind == FlawKind::UnexpectedEnd,
                Ok(document) => {
                    let end = document.span().end;
                    let spaces =
                        bytes[end..].iter().take_while(|byte| b" \t\r".contains(byte)).count();
                    at = end + spaces;
                }
            }
            match bytes.get(at) {
                Some(b'{') => {}
                Some(_) => return false,
                None => return true,
            }
        }
    }
}

/// Where the last line begins that begins with a brace.
fn last_brace(bytes: &[u8]) -> Option<usize> {
    let mut end = bytes.len();
    while let Some(newline) = memchr::memrchr(b'\n', &bytes[..end]) {
        if bytes.get(newline + 1) == Some(&b'{') {
            return Some(newline + 1);
        }
        end = newline;
    }
    (bytes.first() == Some(&b'{')).then_some(0)
}
