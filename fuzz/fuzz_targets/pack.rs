//! Feeds libFuzzer's bytes to the laws of packs; the first byte says which.
#![no_main]

#[path = "../pack/laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((law, bytes)) = bytes.split_first() else { return };
    match law % 3 {
        0 => laws::line(bytes),
        1 => laws::run(bytes),
        _ => laws::pack(bytes),
    }
});
