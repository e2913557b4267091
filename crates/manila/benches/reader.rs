//! The strict reader against `serde_json` into a typed struct with raw data, in one run, as a ratio.
//!
//! Both read the same records one after the other, in turns, so that noise of the machine hits
//! both; the median of the paired ratios is what counts.
#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::cast_precision_loss,
    reason = "a benchmark times, prints, and may stop at the first surprise"
)]
#![allow(missing_docs, reason = "a benchmark has no users")]

use manila::json::Reader;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::hint::black_box;
use std::time::Instant;

#[derive(Deserialize)]
struct Typed<'a> {
    ok: bool,
    #[serde(borrow)]
    data: &'a RawValue,
    #[serde(borrow)]
    error: &'a RawValue,
    #[serde(borrow)]
    warnings: &'a RawValue,
    #[serde(borrow)]
    meta: &'a RawValue,
}

fn main() {
    let records = records(20_000);
    let bytes: usize = records.iter().map(Vec::len).sum();
    let mut reader = Reader::default();
    let mut ratios = Vec::new();
    let (mut ours, mut theirs) = (f64::MAX, f64::MAX);
    for _ in 0..31 {
        let one = time(|| {
            for record in &records {
                let document = reader.read(record).expect("valid");
                black_box((document.get("ok"), document.get("data"), document.get("error")));
                black_box((document.get("warnings"), document.get("meta"), document.facts()));
            }
        });
        let other = time(|| {
            for record in &records {
                let typed: Typed<'_> = serde_json::from_slice(record).expect("valid");
                black_box((typed.ok, typed.data, typed.error, typed.warnings, typed.meta));
            }
        });
        ratios.push(one / other);
        (ours, theirs) = (ours.min(one), theirs.min(other));
    }
    ratios.sort_by(f64::total_cmp);
    let rate = |seconds: f64| bytes as f64 / seconds / 1e6;
    println!("{} records, {} bytes", records.len(), bytes);
    println!("strict reader       {:7.0} MB/s", rate(ours));
    println!("serde_json typed    {:7.0} MB/s", rate(theirs));
    println!(
        "time of ours over theirs, median of {}: {:.2}",
        ratios.len(),
        ratios[ratios.len() / 2]
    );
}

fn time(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// Envelopes of mixed size, one in ten a failure, from a generator that needs no seed file.
fn records(count: usize) -> Vec<Vec<u8>> {
    let mut state = 42u64;
    let mut next = move |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    (0..count)
        .map(|number| {
            let failed = next(10) == 0;
            let (ok, data, error) = if failed {
                let error = format!(
                    r#"{{"code":"CODE_{}","message":"it failed — \"again\"","retryable":true,"retry_after":{}}}"#,
                    next(20), next(60)
                );
                (false, "null".to_owned(), error)
            } else {
                let items: Vec<String> = (0..next(12))
                    .map(|_| {
                        format!(
                            r#"{{"id":"item-{}","title":"Fix the thing on page {}","score":{}.{},"tags":["a","bé"],"done":false,"parent":null}}"#,
                            next(100_000), next(500), next(100), next(1000)
                        )
                    })
                    .collect();
                (true, format!(r#"{{"items":[{}],"total":{}}}"#, items.join(","), next(1000)), "null".to_owned())
            };
            format!(
                r#"{{"ok":{ok},"data":{data},"error":{error},"warnings":[],"meta":{{"duration_ms":{},"request_id":"req_{number}"}}}}"#,
                next(5000)
            )
            .into_bytes()
        })
        .collect()
}
