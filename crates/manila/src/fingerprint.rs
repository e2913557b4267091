//! A hash that is the same in every build, for names of files and tags that are kept, shown or sent.

/// FNV-1a of 128 bits. It resists chance and not an attacker: do not use it where chosen bytes could do harm.
///
/// ```
/// assert_eq!(manila::fingerprint(b""), 0x6c62272e07bb014262b821756295c58d);
/// assert_eq!(manila::fingerprint(b"a"), 0xd228cb696f1a8caf78912b704e4a8964);
/// ```
pub fn fingerprint(bytes: &[u8]) -> u128 {
    let mut hash = Fingerprint::default();
    hash.write(bytes);
    hash.finish()
}

/// The same hash of bytes that come in pieces.
///
/// ```
/// let mut hash = manila::Fingerprint::default();
/// hash.write(b"ab");
/// hash.write(b"c");
/// assert_eq!(hash.finish(), manila::fingerprint(b"abc"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fingerprint(u128);

impl Default for Fingerprint {
    fn default() -> Fingerprint {
        const OFFSET_BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
        Fingerprint(OFFSET_BASIS)
    }
}

impl Fingerprint {
    /// Adds bytes. Where one piece ends and the next begins makes no difference: write a separator to keep them apart.
    pub fn write(&mut self, bytes: &[u8]) {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(PRIME);
        }
    }

    /// The hash of everything that was written.
    pub fn finish(&self) -> u128 {
        self.0
    }
}
