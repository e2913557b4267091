//! Feeds libFuzzer's bytes to the laws of manifests.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| manila_fuzz::manifest(bytes));
