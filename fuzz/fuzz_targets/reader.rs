//! Feeds libFuzzer's bytes to the laws of the strict reader.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| manila_fuzz::reader(bytes));
