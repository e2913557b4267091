//! The fast judge: a block of lines at a time, nothing allocated per record.
//!
//! It only ever certifies: a record that it is sure is good gets its verdict here, and every other
//! one gets it from the [`Reference`]. What can go wrong is therefore one thing, that it calls a
//! record good which is not, or good as something else; the tests and the fuzz target look for that.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod escape;
mod index;
mod judge;
mod known;
mod lines;
mod masks;
mod portable;
mod rivals;
mod scalar;
mod sets;

use crate::cut::Cutter;
use crate::reference::Reference;
use crate::verdict::Verdict;
use index::Depth;
use judge::{Document, Scratch};
use lines::{Index, Line};
use manila::json::Limits;
use portable::Portable;
use sets::Sets;
use std::ops::Range;

/// How records are judged. The verdicts are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The fastest that the processor has.
    #[default]
    Fastest,
    /// The fast judge, with nothing that some processors lack.
    Portable,
    /// The reference alone.
    Reference,
}

/// A record of a block.
#[derive(Debug)]
pub struct Found<'r> {
    /// Its place in the block.
    pub span: Range<usize>,
    /// How many lines of the block come before it.
    pub line: u64,
    /// The view of the record.
    pub verdict: Verdict<'r>,
}

/// Judges blocks of whole records, one after the other.
#[derive(Debug)]
pub struct Judge {
    backend: Backend,
    limits: Limits,
    index: Index,
    scratch: Scratch,
    sets: Sets,
    cutter: Cutter,
    reference: Reference,
}

impl Judge {
    /// A judge with limits of its own.
    pub fn new(limits: Limits, backend: Backend) -> Self {
        Judge {
            backend,
            limits,
            index: Index::default(),
            scratch: Scratch::default(),
            sets: Sets::new(),
            cutter: Cutter::new(limits),
            reference: Reference::new(limits),
        }
    }

    /// Judges every record of a block, in order, and returns how many line breaks it has. The block
    /// must begin at the beginning of a line and end where a line does, or the input.
    pub fn judge(&mut self, bytes: &[u8], mut each: impl FnMut(Found<'_>)) -> u64 {
        self.each_record(bytes, &mut each)
    }

    /// One copy of it, compiled for speed with this crate, whatever the caller is compiled for.
    fn each_record(&mut self, bytes: &[u8], each: &mut dyn FnMut(Found<'_>)) -> u64 {
        self.cutter.begin();
        if self.backend == Backend::Reference {
            self.slowly(bytes, 0..bytes.len(), 0, each);
            return memchr::memchr_iter(b'\n', bytes).count() as u64;
        }
        self.find_lines(bytes);
        let is_utf8 = simdutf8::basic::from_utf8(bytes).is_ok();
        let mut done = 0;
        for at in 0..self.index.lines.len() {
            let line = self.index.lines[at];
            let span = line.start as usize..line.end as usize;
            // What was cut slowly may have gone on into lines that the index knows of.
            if span.start < done {
                continue;
            }
            if !self.quickly(bytes, &line, is_utf8, each) {
                done = self.slowly(bytes, span.start..span.end + 1, line.number.into(), each);
            }
        }
        self.index.newlines.into()
    }

    fn find_lines(&mut self, bytes: &[u8]) {
        let depth = Depth::new(self.limits.depth);
        #[cfg(target_arch = "x86_64")]
        if let (Backend::Fastest, Some(machine)) = (self.backend, avx2::Avx2::detect()) {
            return machine.index(bytes, depth, &mut self.index);
        }
        index::run(Portable, bytes, depth, &mut self.index);
    }

    /// Judges a line that is one good document; `false` if it is not, and the cutter must look.
    #[inline]
    fn quickly(
        &mut self,
        bytes: &[u8],
        line: &Line,
        is_utf8: bool,
        each: &mut dyn FnMut(Found<'_>),
    ) -> bool {
        let tokens = self.index.tokens(line);
        let (&[first, .., last], true) = (tokens, line.good) else { return false };
        let span = first as usize..last as usize + 1;
        let (Some(record), Some(rest)) =
            (bytes.get(span.clone()), bytes.get(span.end..line.end as usize))
        else {
            return false;
        };
        let is_whole = first == line.start
            && record.first() == Some(&b'{')
            && rest.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
            && record.len() <= self.limits.bytes
            && (is_utf8 || simdutf8::basic::from_utf8(record).is_ok());
        if !is_whole {
            return false;
        }
        let number = line.number.into();
        let document = Document { block: bytes, start: span.start, record, index: &self.index };
        let envelope = if self.scratch.split(&self.sets.rivals, record, first, tokens) {
            judge::judge(&self.sets, document, &mut self.scratch)
        } else {
            None
        };
        let verdict = match envelope {
            Some(envelope) => Verdict {
                bytes: record,
                members: &self.scratch.members,
                inner: &self.scratch.inner,
                envelope: Some(envelope),
                broken: &[],
                is_one_line: !line.goes_on,
            },
            None => self.reference.judge(record),
        };
        each(Found { span, line: number, verdict });
        true
    }

    /// Cuts and judges what begins in `span`, and returns where it ended.
    fn slowly(
        &mut self,
        bytes: &[u8],
        span: Range<usize>,
        mut line: u64,
        each: &mut dyn FnMut(Found<'_>),
    ) -> usize {
        let mut at = span.start;
        let end = span.end.min(bytes.len());
        while at < end {
            let step = self.cutter.step(bytes, at);
            if let Some(span) = step.record {
                let verdict = self.reference.judge(&bytes[span.clone()]);
                each(Found { span, line, verdict });
            }
            line += memchr::memchr_iter(b'\n', &bytes[at..step.next]).count() as u64;
            at = step.next;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalise::generate::Corpus;

    /// The judges would agree too if the fast one decided nothing; a record that it leaves to the
    /// reference costs more than ten others.
    #[test]
    fn every_good_record_of_the_corpus_is_certified_by_the_fast_judge() {
        let mut corpus = Corpus::new(5);
        let mut block = Vec::new();
        for _ in 0..5_000 {
            corpus.record(&mut block);
        }
        let mut good = 0;
        Judge::new(Limits::default(), Backend::Fastest).judge(&block, |found| {
            if found.verdict.is_good() {
                good += 1;
                // The reference does not look for line breaks.
                let record = String::from_utf8_lossy(&block[found.span.clone()]);
                assert!(found.verdict.is_one_line, "{record}");
            }
        });
        assert!(good > 4_900, "{good}");
    }
}
