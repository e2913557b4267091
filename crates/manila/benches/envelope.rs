//! What opening, writing, converting and deciding cost, per answer.
#![allow(missing_docs, reason = "criterion's macros write undocumented functions")]
#![expect(clippy::expect_used, reason = "a benchmark may stop at the first surprise")]

use criterion::{Criterion, criterion_group, criterion_main};
use manila::{
    Answer, DIALECTS, Defaults, History, Options, Policy, Status, Stream, Transcript, decide, open,
    write,
};
use std::hint::black_box;

const ANSWER: &str = r#"{"ok":false,"data":null,"error":{"code":"RATE_LIMIT_EXCEEDED","message":"API rate limit reached","retryable":true,"retry_after":30},"warnings":[],"meta":{"duration_ms":6}}"#;

fn benches(criterion: &mut Criterion) {
    let transcript = Transcript::of_stdout(ANSWER, Status::Exited(11));
    let opened = open(&transcript, &Options::default()).expect("an envelope");
    criterion.bench_function("decide", |bencher| {
        bencher.iter(|| {
            decide(
                &Answer::new(black_box(&transcript), Some(&opened)),
                &History::default(),
                &Policy::default(),
            )
        });
    });
    for dialect in DIALECTS {
        let written = write(&opened.envelope, *dialect, &Defaults::default());
        let mut own =
            Transcript { status: Status::Exited(written.status), ..Transcript::default() };
        match written.stream {
            Stream::Stdout => own.stdout = written.document,
            Stream::Stderr => own.stderr = written.document,
        }
        criterion.bench_function(&format!("write {}", dialect.id()), |bencher| {
            bencher.iter(|| write(black_box(&opened.envelope), *dialect, &Defaults::default()));
        });
        criterion.bench_function(&format!("open {}", dialect.id()), |bencher| {
            bencher.iter(|| open(black_box(&own), &Options::default()));
        });
    }
}

criterion_group!(group, benches);
criterion_main!(group);
