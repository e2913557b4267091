//! The name of a key in three words, so that names are compared without a call.

/// Up to this many bytes a name is its three words and nothing else.
pub(crate) const EXACT: usize = 16;

/// The length of a name, its first eight bytes and its last eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) length: usize,
    head: u64,
    tail: u64,
}

impl Name {
    /// A name of ours, which its words determine completely.
    pub(crate) const fn from_key(name: &str) -> Self {
        let bytes = name.as_bytes();
        assert!(bytes.len() <= EXACT, "a longer name would need more words");
        Name::new(bytes)
    }

    /// The words of any name.
    pub(crate) const fn new(bytes: &[u8]) -> Self {
        let length = bytes.len();
        let (mut head, mut tail) = (0, 0);
        let mut at = 0;
        while at < 8 && at < length {
            head |= (bytes[at] as u64) << (8 * at);
            at += 1;
        }
        let from = length.saturating_sub(8);
        at = from;
        while at < length {
            tail |= (bytes[at] as u64) << (8 * (at - from));
            at += 1;
        }
        Name { length, head, tail }
    }

    /// The words of `bytes[start..end]`, in one load where there is more behind it.
    #[inline]
    pub(crate) fn at(bytes: &[u8], start: usize, end: usize) -> Self {
        let word =
            |at: usize| bytes.get(at..)?.first_chunk::<8>().map(|it| u64::from_le_bytes(*it));
        let length = end - start;
        match (length, word(start)) {
            (0..8, Some(head)) => {
                let head = head & ((1 << (8 * length)) - 1);
                Name { length, head, tail: head }
            }
            (8.., Some(head)) => Name { length, head, tail: word(end - 8).unwrap_or_default() },
            _ => Name::new(bytes.get(start..end).unwrap_or_default()),
        }
    }

    /// Its first byte and its last, or zeros.
    #[inline]
    pub(crate) const fn ends(self) -> (u8, u8) {
        let kept = if self.length < 8 { self.length } else { 8 };
        let last = self.tail >> (8 * kept.saturating_sub(1));
        ((self.head & 0xff) as u8, (last & 0xff) as u8)
    }

    /// A hash that distinguishes nearly all names.
    #[inline]
    pub(crate) fn hash(self) -> u64 {
        let mixed = self.head ^ self.tail.rotate_left(29) ^ (self.length as u64).rotate_left(59);
        mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Whether a backslash is among the first and the last eight bytes.
    #[inline]
    pub(crate) fn has_backslash(self) -> bool {
        const ONES: u64 = u64::from_ne_bytes([1; 8]);
        const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
        let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
        let backslashes = ONES * u64::from(b'\\');
        zeros(self.head ^ backslashes) | zeros(self.tail ^ backslashes) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_do_not_depend_on_what_stands_around() {
        let text = b"abcdefghijklmnopqrstuvwxyz";
        for start in 0..text.len() {
            for end in start..=text.len() {
                assert_eq!(Name::at(text, start, end), Name::new(&text[start..end]));
            }
        }
    }

    #[test]
    fn a_backslash_is_seen_in_every_place_that_counts() {
        for length in 1..=EXACT {
            for at in 0..length {
                let mut name = vec![b'a'; length];
                assert!(!Name::new(&name).has_backslash());
                name[at] = b'\\';
                assert!(Name::new(&name).has_backslash());
            }
        }
    }
}
