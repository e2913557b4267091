//! One pass over a block that checks the grammar of every line, 64 bytes at a time.
//!
//! Nothing is walked token by token. In each chunk the strings are separated from the rest; the
//! rules of JSON's grammar are then rules about what may follow what, and each is a few operations
//! on 64 bits at once. Whether commas separate members or elements depends on the bracket they are
//! in, so that only brackets are looked at one by one. What remains of a line is whether it is one
//! good document, and where the colons and commas of its outermost object are.
//!
//! What cannot be foreseen, such as which bracket comes next, is done without branches where that costs
//! less than a wrong guess. Tried and slower: separate passes over batches of chunks, two brackets at
//! once, the check of each number where it is met. Masks by AVX-512 take the same time.
//!
//! A line break inside a string ends both: the line is bad and the next one begins afresh, so that
//! damage never reaches it. A line break inside a document is whitespace, unless a `{` follows it.

use super::escape;
use super::lines::{Index, Line};
use super::masks::{Chunk, Machine, Masks};
use super::portable::Portable;

/// How deep a document may be nested here; deeper ones are left to the reference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Depth(u32);

impl Depth {
    /// What the stack of bits holds, or less if the limits say so.
    pub(super) fn new(limit: usize) -> Self {
        Depth(u32::try_from(limit).unwrap_or(u32::MAX).min(60))
    }
}

/// The stack of bits when nothing is open: a bit that is never taken off, and the kind of what is
/// outside of everything, no object. So the stack knows its own depth.
const OUTSIDE: u64 = 0b10;

/// What one chunk leaves for the next.
#[derive(Clone, Copy)]
struct Carry {
    in_string: u64,
    escaped: u64,
    /// What the next token follows: the end of a string, of another value, an opening bracket.
    after_string: u64,
    after_value: u64,
    after_open: u64,
    /// The next structural byte must be a colon.
    to_colon: u64,
    /// A number or word continues; with a zero that began it; with bytes that are not digits.
    scalar: u64,
    zero: u64,
    odd: u64,
    /// The containers that are open behind [`OUTSIDE`], an object as a set bit.
    stack: u64,
    bad: u64,
    /// The structural bytes of the chunk.
    structural: u64,
}

impl Carry {
    /// Where a line begins.
    fn new() -> Self {
        Carry {
            in_string: 0,
            escaped: 0,
            after_string: 0,
            after_value: 0,
            after_open: 0,
            to_colon: 0,
            scalar: 0,
            zero: 0,
            odd: 0,
            stack: OUTSIDE,
            bad: 0,
            structural: 0,
        }
    }
}

/// Moves each bit that `pass` lets through up to the first byte that does not pass; whether one went
/// beyond the chunk.
#[expect(clippy::inline_always, reason = "a handful of operations, many times per chunk")]
#[inline(always)]
fn pass_over(bits: &mut u64, pass: u64) -> u64 {
    let (sum, over) = (*bits & pass).overflowing_add(pass);
    *bits = (sum | *bits) & !pass;
    u64::from(over)
}

/// All bits if the lowest is set.
#[expect(clippy::inline_always, reason = "two operations")]
#[inline(always)]
fn spread(bit: u64) -> u64 {
    0u64.wrapping_sub(bit & 1)
}

/// Which bytes a backslash escapes.
#[inline]
fn escaped(backslash: u64, carry: &mut u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    if backslash == 0 {
        return std::mem::take(carry);
    }
    let backslash = backslash & !*carry;
    let follows = (backslash << 1) | *carry;
    let odd_starts = backslash & !EVEN & !follows;
    let (sequences, over) = odd_starts.overflowing_add(backslash);
    *carry = u64::from(over);
    (EVEN ^ (sequences << 1)) & follows
}

/// The pass. It is inlined into one function per machine.
#[expect(clippy::inline_always, reason = "must become part of a function that has the features")]
#[inline(always)]
pub(super) fn run<M: Machine>(machine: M, bytes: &[u8], depth: Depth, index: &mut Index) {
    index.begin(bytes.len() / 64 + 1);
    let mut pass = Pass {
        bytes,
        too_deep: OUTSIDE.trailing_zeros() + depth.0 + 1,
        index,
        start: 0,
        number: 0,
        counted: 0,
        first_token: 0,
    };
    let mut carry = Carry::new();
    let is_open = bytes.last().is_some_and(|last| *last != b'\n');
    let end = bytes.len() + usize::from(is_open);
    let (chunks, _) = bytes.as_chunks::<64>();
    // The masks of a chunk are found before the one in front of it is taken, so that a branch on them
    // that was foreseen wrongly is known for wrong at once.
    let mut ahead = chunks.first().map_or_else(Masks::default, |first| machine.masks(first));
    for (number, chunk) in chunks.iter().enumerate() {
        let at = 64 * number;
        let masks = ahead;
        ahead = machine.masks(chunks.get(number + 1).unwrap_or(chunk));
        // Most chunks have no line break and nothing escaped: said here, all that cares for them goes.
        let torn = if masks.control | masks.backslash | carry.escaped == 0 {
            let plain = Masks { control: 0, newline: 0, backslash: 0, ..masks };
            carry.escaped = 0;
            pass.chunk(machine, at, plain, !0, &mut carry)
        } else {
            pass.chunk(machine, at, masks, !0, &mut carry)
        };
        pass.index.structural.push(carry.structural);
        if torn != 0 {
            pass.rest_of_chunk(at, chunk, torn, &mut carry);
        }
    }
    let at = 64 * chunks.len();
    if at < end {
        let chunk = padded(bytes.get(at..).unwrap_or_default(), is_open);
        pass.index.structural.push(0);
        pass.rest_of_chunk(at, &chunk, 0, &mut carry);
    }
    let newlines = pass.counted - u32::from(is_open);
    index.newlines = newlines;
    index.check_scalars(bytes);
}

/// The end of a block as a chunk, with the line break that it may lack.
fn padded(rest: &[u8], is_open: bool) -> Chunk {
    let mut chunk = [b' '; 64];
    for (place, byte) in chunk.iter_mut().zip(rest.iter().chain(is_open.then_some(&b'\n'))) {
        *place = *byte;
    }
    chunk
}

/// A pass on its way.
struct Pass<'b> {
    bytes: &'b [u8],
    /// The bit of the stack that is set by a document that is nested too deeply.
    too_deep: u32,
    index: &'b mut Index,
    /// Where the line begins, how many come before it, and its first token.
    start: usize,
    number: u32,
    first_token: usize,
    /// How many line breaks there were so far.
    counted: u32,
}

impl Pass<'_> {
    /// Takes what follows a line break in a string, or all if there is none: there everything
    /// begins afresh. It is rare, so that any machine will do.
    #[cold]
    fn rest_of_chunk(&mut self, base: usize, chunk: &Chunk, torn: u64, carry: &mut Carry) {
        let mut torn = torn;
        loop {
            let mut from = !0;
            if torn != 0 {
                from = !(torn | (torn - 1));
                *carry = Carry::new();
            }
            torn = self.chunk(Portable, base, Portable.masks(chunk).only(from), from, carry);
            if let Some(last) = self.index.structural.last_mut() {
                *last |= carry.structural;
            }
            if torn == 0 {
                return;
            }
        }
    }

    /// Takes the bytes `from` of the chunk at `base`, which are all that its masks have. A line break
    /// in a string ends the taking, and is returned.
    #[expect(
        clippy::inline_always,
        reason = "must become part of a function that has the features"
    )]
    #[inline(always)]
    fn chunk<M: Machine>(
        &mut self,
        machine: M,
        base: usize,
        masks: Masks,
        from: u64,
        carry: &mut Carry,
    ) -> u64 {
        let escaped = escaped(masks.backslash, &mut carry.escaped);
        let mut quote = masks.quote & !escaped;
        // From each opening quote up to its closing quote, which is outside.
        let mut inside = machine.parity(quote) ^ carry.in_string;
        carry.in_string = spread(inside >> 63);
        let mut valid = from;
        let mut torn = masks.newline & inside;
        if torn != 0 {
            torn &= torn.wrapping_neg();
            valid &= torn | (torn - 1);
            inside &= torn - 1;
            quote &= valid;
        }
        let mut bad = (masks.control & inside) | torn;
        if escaped != 0 {
            bad |= escape::bad(self.bytes, base, escaped & inside);
        }
        let outside = !inside & valid;
        let layout = Layout {
            open: masks.open & outside,
            close: masks.close & outside,
            brace: masks.brace,
            newline: masks.newline & outside,
            torn,
        };
        let places = self.brackets(base, &layout, carry);
        bad |= places.bad;
        let strings = Strings { quote, outside };
        bad |= self.grammar(base, &masks, &layout, &places, &strings, carry);
        let tops = places.tops | ((masks.colon | masks.comma) & outside & places.first_level);
        self.lines(base, tops, &layout, &places, masks.newline & valid, bad, carry);
        torn
    }
}

/// The brackets and line breaks of a chunk that are in no string.
struct Layout {
    open: u64,
    close: u64,
    brace: u64,
    newline: u64,
    /// The line break in a string, if there is one.
    torn: u64,
}

/// What the brackets of a chunk make of its other bytes.
struct Places {
    /// What stands directly in an object.
    object: u64,
    /// What stands directly in the outermost container.
    first_level: u64,
    /// Where outermost containers begin and end, and where lines end.
    tops: u64,
    /// Line breaks that are whitespace in a document.
    inner: u64,
    bad: u64,
}

impl Pass<'_> {
    /// Looks at the brackets and line breaks one by one.
    #[expect(
        clippy::inline_always,
        reason = "must become part of a function that has the features"
    )]
    #[inline(always)]
    fn brackets(&self, base: usize, layout: &Layout, carry: &mut Carry) -> Places {
        let mut stack = carry.stack;
        let mut object = spread(stack);
        let mut first_level = spread(u64::from(stack & !1 == OUTSIDE << 1));
        let (mut tops, mut inner, mut bad, mut highest) = (0, 0, 0, 0);
        let mut events = layout.open | layout.close | layout.newline;
        while events != 0 {
            let bit = events & events.wrapping_neg();
            events ^= bit;
            if layout.newline & bit != 0 {
                if stack != OUTSIDE {
                    let behind = self.bytes.get(base + bit.trailing_zeros() as usize + 1);
                    if layout.torn & bit == 0 && behind.is_some_and(|byte| *byte != b'{') {
                        inner |= bit;
                        continue;
                    }
                    bad |= bit;
                    stack = OUTSIDE;
                }
                tops |= bit;
            } else {
                // Without branches: which bracket comes next cannot be foreseen.
                let is_brace = u64::from(layout.brace & bit != 0);
                let is_open = layout.open & bit != 0;
                let (opened, closed) = ((stack << 1) | is_brace, stack >> 1);
                let unfit = if is_open { 0 } else { (stack ^ is_brace) & 1 };
                let lower = if is_open { stack } else { closed };
                stack = if is_open { opened } else { closed };
                highest |= stack;
                bad |= bit & spread(unfit | u64::from(lower < OUTSIDE));
                tops |= bit & spread(u64::from(lower == OUTSIDE));
            }
            let above = bit.wrapping_neg();
            object ^= (object ^ spread(stack)) & above;
            let is_first = u64::from(stack & !1 == OUTSIDE << 1);
            first_level ^= (first_level ^ spread(is_first)) & above;
        }
        // Whatever was too deep for a moment, and what the stack lost by it, is not good.
        if highest >> self.too_deep != 0 {
            bad |= layout.open;
        }
        carry.stack = stack;
        Places { object, first_level, tops, inner, bad }
    }

    /// Keeps the tokens of the outermost level and ends lines.
    #[expect(clippy::too_many_arguments, reason = "all of a chunk's masks that lines need")]
    #[expect(
        clippy::inline_always,
        reason = "must become part of a function that has the features"
    )]
    #[inline(always)]
    fn lines(
        &mut self,
        base: usize,
        tops: u64,
        layout: &Layout,
        places: &Places,
        newlines: u64,
        mut bad: u64,
        carry: &mut Carry,
    ) {
        let mut ends = layout.newline & !places.inner;
        let mut tokens = tops & !ends;
        while ends != 0 {
            let bit = ends & ends.wrapping_neg();
            ends ^= bit;
            let up_to = bit | (bit - 1);
            self.index.tokens.push_all(base, tokens & up_to);
            tokens &= !up_to;
            let is_good = carry.bad | (bad & up_to) == 0;
            carry.bad = 0;
            bad &= !up_to;
            let inside = self.counted + (newlines & (bit - 1)).count_ones();
            self.end_line(base + bit.trailing_zeros() as usize, is_good, inside > self.number);
            self.number = self.counted + (newlines & up_to).count_ones();
        }
        if tokens != 0 {
            self.index.tokens.push_all(base, tokens);
        }
        carry.bad |= bad;
        if newlines != 0 {
            self.counted += newlines.count_ones();
        }
    }

    #[inline]
    fn end_line(&mut self, end: usize, is_good: bool, goes_on: bool) {
        let tokens = &mut self.index.tokens;
        if !is_good {
            tokens.count = self.first_token;
        }
        #[expect(clippy::cast_possible_truncation, reason = "blocks are below 4 GiB")]
        let line = Line {
            start: self.start as u32,
            end: end as u32,
            number: self.number,
            tokens: (self.first_token as u32, tokens.count as u32),
            good: is_good,
            goes_on,
        };
        self.index.lines.push(line);
        self.first_token = tokens.count;
        self.start = end + 1;
    }
}

/// Which bytes of a chunk are strings.
struct Strings {
    quote: u64,
    /// Everything but strings, closing quotes included.
    outside: u64,
}

impl Pass<'_> {
    /// Where the grammar is broken: what follows something that it may not follow.
    #[expect(
        clippy::inline_always,
        reason = "must become part of a function that has the features"
    )]
    #[inline(always)]
    fn grammar(
        &mut self,
        base: usize,
        masks: &Masks,
        layout: &Layout,
        places: &Places,
        strings: &Strings,
        carry: &mut Carry,
    ) -> u64 {
        let Layout { open, close, brace, .. } = *layout;
        let outside = strings.outside;
        let newline = layout.newline & !places.inner;
        let space = (masks.space & outside) | places.inner;
        let (colon, comma) = (masks.colon & outside, masks.comma & outside);
        let structural = open | close | colon | comma | newline;
        carry.structural = structural;
        let scalar = outside & !(strings.quote | structural | space);
        let text_end = strings.quote & outside;
        let text_start = strings.quote & !outside;
        let scalar_start = scalar & !((scalar << 1) | carry.scalar);

        // Integers need one look at all of them; other numbers and words one each, later, where
        // their bytes stop being digits.
        let zero = scalar_start & masks.zero;
        let mut bad = ((zero << 1) | carry.zero) & masks.digit & scalar;
        let odd = scalar & !masks.digit;
        let odd_start = odd & !((odd << 1) | carry.odd);
        carry.zero = zero >> 63;
        carry.odd = odd >> 63;
        carry.scalar = scalar >> 63;
        self.index.odd.push_all(base, odd_start);

        // What follows a string, any value (a number or word continues after itself) and an opening
        // bracket.
        let ends = text_end | close | scalar;
        let mut after_string = (text_end << 1) | carry.after_string;
        let mut after_value = (ends << 1) | carry.after_value;
        let mut after_open = (open << 1) | carry.after_open;
        carry.after_string = text_end >> 63;
        carry.after_value = ends >> 63;
        carry.after_open = open >> 63;
        if space != 0 {
            carry.after_string |= pass_over(&mut after_string, space);
            carry.after_value |= pass_over(&mut after_value, space);
            carry.after_open |= pass_over(&mut after_open, space);
        }

        // Two values need something between them, and separators need values. Which brackets belong
        // together was seen before.
        bad |= after_value & (open | text_start | scalar_start);
        bad |= (comma | newline) & !after_value;
        bad |= colon & !after_string;
        bad |= close & !(after_value | after_open);

        // With values left out, a `{` and each comma of an object lead to a colon, unless the object
        // is empty, and nothing else does.
        let leading = (open & brace) | (comma & places.object);
        let mut to_colon = (leading << 1) | carry.to_colon;
        carry.to_colon = (leading >> 63) | pass_over(&mut to_colon, !structural);
        bad | ((to_colon ^ colon) & !(after_open & close))
    }
}
