//! The keys of the objects that are open, and which of them occur twice.
//!
//! A key costs a fingerprint and one bit test while all keys of its object differ. Objects with
//! many keys are sorted at their end, so that no choice of keys makes it slow.

use super::scan::first_stop;
use super::text::identity;
use std::ops::Range;

/// Up to this many keys an object is searched directly; past it, its keys are sorted at its end.
const FEW_KEYS: usize = 32;

/// The keys of all open objects, the innermost object's last.
#[derive(Debug, Default)]
pub(super) struct Keys(Vec<Key>);

/// Where the keys of one object begin, and which fingerprints it has met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object {
    first: usize,
    /// One bit per fingerprint met: a clear bit proves that a key is new.
    seen: u64,
}

/// The inside of a key's spelling.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    fingerprint: u64,
    start: usize,
    end: usize,
}

impl Keys {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Begins an object.
    pub(super) fn open(&self) -> Object {
        Object { first: self.0.len(), seen: 0 }
    }

    /// Adds a key; whether its object is known to have it.
    #[inline]
    pub(super) fn add(&mut self, object: &mut Object, bytes: &[u8], key: Key) -> bool {
        let bit = 1u64 << (key.fingerprint >> 58);
        let is_known = object.seen & bit != 0 && self.is_among_few(bytes, object.first, key);
        object.seen |= bit;
        self.0.push(key);
        is_known
    }

    fn is_among_few(&self, bytes: &[u8], first: usize, key: Key) -> bool {
        let siblings = &self.0[first..];
        let is_equal = |other: &Key| {
            other.fingerprint == key.fingerprint && other.name(bytes) == key.name(bytes)
        };
        siblings.len() < FEW_KEYS && siblings.iter().any(is_equal)
    }

    /// Ends an object; `found` gets the duplicates that were not searched for directly.
    pub(super) fn close(&mut self, object: Object, bytes: &[u8], found: impl FnMut(Range<usize>)) {
        if self.0.len() - object.first > FEW_KEYS {
            self.find_among_many(object.first, bytes, found);
        }
        self.0.truncate(object.first);
    }

    fn find_among_many(&mut self, first: usize, bytes: &[u8], mut found: impl FnMut(Range<usize>)) {
        let keys = &mut self.0[first..];
        let searched_up_to = keys[FEW_KEYS - 1].start;
        keys.sort_unstable_by(|a, b| {
            a.fingerprint
                .cmp(&b.fingerprint)
                .then_with(|| a.name(bytes).cmp(&b.name(bytes)))
                .then(a.start.cmp(&b.start))
        });
        for pair in keys.windows(2) {
            let [earlier, later] = pair else { continue };
            if later.start > searched_up_to
                && earlier.fingerprint == later.fingerprint
                && earlier.name(bytes) == later.name(bytes)
            {
                found(later.start..later.end);
            }
        }
    }
}

impl Key {
    /// The key whose inside is at `start..end`.
    pub(super) fn new(bytes: &[u8], Range { start, end }: Range<usize>, escaped: bool) -> Key {
        let inside = &bytes[start..end];
        let fingerprint =
            if escaped { fingerprint(&identity(inside)) } else { fingerprint(inside) };
        Key { fingerprint, start, end }
    }

    /// The key whose inside begins at `start`, if it is ordinary and has at most seven bytes: one
    /// look at eight bytes finds its end and its fingerprint.
    #[inline]
    pub(super) fn short(bytes: &[u8], start: usize) -> Option<Key> {
        let word = *bytes.get(start..start + 8)?.first_chunk()?;
        let length = first_stop(word)?;
        let end = start + length;
        let fingerprint = short_fingerprint(word, length);
        (word[length] == b'"').then_some(Key { fingerprint, start, end })
    }

    pub(super) fn end(&self) -> usize {
        self.end
    }

    fn name<'t>(&self, bytes: &'t [u8]) -> std::borrow::Cow<'t, [u8]> {
        identity(&bytes[self.start..self.end])
    }
}

/// A number that differs for nearly all keys that differ, from at most sixteen of their bytes.
fn fingerprint(key: &[u8]) -> u64 {
    let (Some(head), Some(tail)) = (key.first_chunk::<8>(), key.last_chunk::<8>()) else {
        let mut word = [0; 8];
        word[..key.len()].copy_from_slice(key);
        return short_fingerprint(word, key.len());
    };
    let (head, tail) = (u64::from_le_bytes(*head), u64::from_le_bytes(*tail));
    mix(head ^ tail.rotate_left(29) ^ (key.len() as u64).rotate_left(59))
}

/// The same for a key of at most seven bytes, which begin `word`.
#[inline]
fn short_fingerprint(word: [u8; 8], length: usize) -> u64 {
    let kept = (1u64 << (8 * length)) - 1;
    mix((u64::from_le_bytes(word) & kept) ^ (length as u64).rotate_left(59))
}

#[inline]
fn mix(bits: u64) -> u64 {
    bits.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
