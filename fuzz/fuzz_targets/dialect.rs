//! Feeds libFuzzer's bytes to the loader of dialect files.
#![no_main]

#[path = "../dialect/laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::file(bytes));
