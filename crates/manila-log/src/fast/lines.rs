//! What a pass over a block leaves: its lines, their outermost tokens, and what is still to be checked.

use super::scalar;

/// One line, or the lines of one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) start: u32,
    /// Its line break, or the end of the block.
    pub(super) end: u32,
    /// How many lines of the block come before it.
    pub(super) number: u32,
    /// Where its tokens begin and end among all.
    pub(super) tokens: (u32, u32),
    /// Whether it is one document, UTF-8 aside.
    pub(super) good: bool,
    /// Whether a document goes over further lines.
    pub(super) goes_on: bool,
}

/// What a pass over a block leaves.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) lines: Vec<Line>,
    /// Of each good line the outermost bracket, the colons and commas in it, and its end.
    pub(super) tokens: Offsets,
    pub(super) newlines: u32,
    /// The numbers and words that are still to be checked.
    pub(super) odd: Offsets,
    /// Which bytes of each chunk are structural.
    pub(super) structural: Vec<u64>,
}

impl Index {
    pub(super) fn begin(&mut self, chunks: usize) {
        self.structural.clear();
        self.structural.reserve(chunks);
        self.lines.clear();
        self.tokens.count = 0;
        self.odd.count = 0;
        self.newlines = 0;
    }
}

impl Index {
    /// The tokens of a line.
    #[inline]
    pub(super) fn tokens(&self, line: &Line) -> &[u32] {
        let range = line.tokens.0 as usize..line.tokens.1 as usize;
        self.tokens.places.get(range).unwrap_or_default()
    }

    /// Lines with an invalid number or word are not good. It is a function of its own so that what
    /// the pass has in registers does not crowd it.
    #[inline(never)]
    pub(super) fn check_scalars(&mut self, bytes: &[u8]) {
        // Those that need a second look are moved to the front, without asking which.
        let Offsets { places, count } = &mut self.odd;
        let mut unusual = 0;
        for number in 0..(*count).min(places.len()) {
            let at = places[number];
            places[unusual] = at;
            unusual += usize::from(!scalar::is_usual(bytes, at as usize));
        }
        let mut unusual = places[..unusual].iter().copied().peekable();
        for line in &mut self.lines {
            while let Some(at) = unusual.next_if(|at| *at < line.end) {
                line.good &= scalar::is_good(bytes, at as usize);
            }
        }
    }
}

impl Index {
    /// The members of an object of a good line, which begins at `open` in the block: of each the
    /// places before its key, of its colon and behind its value.
    #[inline]
    pub(super) fn members(&self, bytes: &[u8], open: usize, mut each: impl FnMut([usize; 3])) {
        let (mut before, mut colon, mut depth) = (open, 0, 0u32);
        let mut chunk = open / 64;
        let mut bits = self.structural.get(chunk).map_or(0, |bits| bits & (!1 << (open % 64)));
        loop {
            while bits == 0 {
                chunk += 1;
                let Some(next) = self.structural.get(chunk) else { return };
                bits = *next;
            }
            let at = 64 * chunk + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            match bytes.get(at) {
                Some(b':') if depth == 0 => colon = at,
                Some(b',') if depth == 0 => {
                    each([before, colon, at]);
                    before = at;
                }
                Some(b'{' | b'[') => depth += 1,
                Some(b'}' | b']') if depth > 0 => depth -= 1,
                Some(b'}' | b']') | None => {
                    // An empty object has no colon.
                    if colon > before {
                        each([before, colon, at]);
                    }
                    return;
                }
                Some(_) => {}
            }
        }
    }
}

/// Offsets into a block.
#[derive(Debug, Default)]
pub(super) struct Offsets {
    places: Vec<u32>,
    pub(super) count: usize,
}

impl Offsets {
    /// Adds the place of every bit.
    #[expect(
        clippy::inline_always,
        reason = "must become part of a function that has the features"
    )]
    #[inline(always)]
    pub(super) fn push_all(&mut self, base: usize, mut bits: u64) {
        #[expect(clippy::cast_possible_truncation, reason = "blocks are below 4 GiB")]
        let base = base as u32;
        let count = bits.count_ones() as usize;
        if self.places.len() < self.count + 64 {
            self.places.resize((self.count + 64) * 2, 0);
        }
        // Two at once without asking how many there are, which cannot be foreseen.
        let mut rest = &mut self.places[self.count..];
        while let Some((pair, behind)) = rest.split_first_chunk_mut::<2>() {
            let next = bits & bits.wrapping_sub(1);
            *pair = [base + bits.trailing_zeros(), base + next.trailing_zeros()];
            bits = next & next.wrapping_sub(1);
            if bits == 0 {
                break;
            }
            rest = behind;
        }
        self.count += count;
    }
}
