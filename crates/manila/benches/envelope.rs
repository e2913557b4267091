//! What opening, writing, converting and deciding cost, per answer.
#![allow(missing_docs, reason = "criterion's macros write undocumented functions")]
#![expect(clippy::expect_used, reason = "a benchmark may stop at the first surprise")]

use criterion::{Criterion, criterion_group, criterion_main};
use manila::json::Raw;
use manila::{
    Answer, Content, DIALECTS, Defaults, Envelope, Exit, History, Options, Policy, Status, Stream,
    Transcript, decide, dialect, open, write,
};
use serde::Serialize;
use std::hint::black_box;

const ANSWER: &str = r#"{"ok":false,"data":null,"error":{"code":"RATE_LIMIT_EXCEEDED","message":"API rate limit reached","retryable":true,"retry_after":30},"warnings":[],"meta":{"duration_ms":6}}"#;

/// A payload as a handler makes it, about 200 bytes of JSON.
#[derive(Serialize)]
struct Deployment {
    id: u64,
    name: &'static str,
    environment: &'static str,
    regions: [&'static str; 3],
    healthy: bool,
    url: &'static str,
}

const DEPLOYMENT: Deployment = Deployment {
    id: 184_467,
    name: "checkout service",
    environment: "production",
    regions: ["eu-west-1", "us-east-1", "ap-south-1"],
    healthy: true,
    url: "https://deploy.example.com/checkout/184467",
};

fn payloads(criterion: &mut Criterion) {
    criterion.bench_function("payload", |bencher| {
        bencher.iter(|| Raw::from_serialize(black_box(&DEPLOYMENT)));
    });
    let data = Raw::from_serialize(&DEPLOYMENT).expect("JSON");
    let content = Content { data: Some(data), ..Content::default() };
    let envelope = Envelope::new(Exit::Success, content).expect("an envelope");
    let (dialect, defaults) =
        (dialect("response-envelope/1.0").expect("a dialect"), Defaults::default());
    criterion.bench_function("write payload", |bencher| {
        bencher.iter(|| write(black_box(&envelope), dialect, &defaults));
    });
}

fn benches(criterion: &mut Criterion) {
    let transcript = Transcript::from_stdout(ANSWER, Status::Exited(11));
    let opened = open(&transcript, &Options::default()).expect("an envelope");
    criterion.bench_function("decide", |bencher| {
        bencher.iter(|| {
            decide(
                &Answer::new(black_box(&transcript), Ok(&opened)),
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

criterion_group!(group, payloads, benches);
criterion_main!(group);
