//! Whether escapes are escapes.

/// Of the bytes that a backslash in a string escapes, `escaped` in the chunk at `base`, the ones that
/// it may not.
pub(super) fn bad(bytes: &[u8], base: usize, mut escaped: u64) -> u64 {
    let mut bad = 0;
    while escaped != 0 {
        let bit = escaped & escaped.wrapping_neg();
        escaped ^= bit;
        let at = base + bit.trailing_zeros() as usize;
        let is_escape = match bytes.get(at) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => true,
            Some(b'u') => {
                let digits = bytes.get(at + 1..at + 5);
                digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
            }
            _ => false,
        };
        if !is_escape {
            bad |= bit;
        }
    }
    bad
}
