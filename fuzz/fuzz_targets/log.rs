//! Feeds libFuzzer's bytes to the law of the judges of logs.
#![no_main]

#[path = "../log/judge.rs"]
mod judge;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge::judge(bytes));
