//! Feeds libFuzzer's bytes to the laws of segments.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| manila_fuzz::segment(bytes));
