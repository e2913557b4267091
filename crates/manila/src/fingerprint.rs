//! A hash that is the same in every build, for names of files and tags that are kept or sent.

/// FNV-1a of 128 bits. It resists chance and not an attacker: do not use it where chosen bytes could do harm.
///
/// ```
/// assert_eq!(manila::fingerprint(b""), 0x6c62272e07bb014262b821756295c58d);
/// assert_eq!(manila::fingerprint(b"a"), 0xd228cb696f1a8caf78912b704e4a8964);
/// ```
pub fn fingerprint(bytes: &[u8]) -> u128 {
    const OFFSET_BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET_BASIS, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}
