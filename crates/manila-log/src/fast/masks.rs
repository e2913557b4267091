//! What 64 bytes are, one bit per byte.

/// Sixty-four bytes of a block.
pub(super) type Chunk = [u8; 64];

/// Which bytes of a chunk are what, the first byte in the lowest bit; strings are not separated
/// yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Masks {
    pub(super) backslash: u64,
    pub(super) quote: u64,
    /// `{` and `[`.
    pub(super) open: u64,
    /// `}` and `]`.
    pub(super) close: u64,
    /// Bytes whose sixth bit is set: of the brackets, the braces.
    pub(super) brace: u64,
    pub(super) colon: u64,
    pub(super) comma: u64,
    pub(super) newline: u64,
    /// Space, tab and carriage return.
    pub(super) space: u64,
    /// Below 0x20.
    pub(super) control: u64,
    pub(super) digit: u64,
    pub(super) zero: u64,
}

impl Masks {
    /// Nothing but these bytes.
    pub(super) fn only(self, bits: u64) -> Self {
        Masks {
            backslash: self.backslash & bits,
            quote: self.quote & bits,
            open: self.open & bits,
            close: self.close & bits,
            brace: self.brace & bits,
            colon: self.colon & bits,
            comma: self.comma & bits,
            newline: self.newline & bits,
            space: self.space & bits,
            control: self.control & bits,
            digit: self.digit & bits,
            zero: self.zero & bits,
        }
    }
}

/// A way to find the masks. Code that has one may use it.
pub(super) trait Machine: Copy {
    fn masks(self, chunk: &Chunk) -> Masks;

    /// Each bit becomes the parity of the bits up to and with it.
    fn parity(self, bits: u64) -> u64;
}
