//! Owns: the tallies are right, and the same however a log is cut and on however many threads.

#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

use manila_log::stats::{
    Change, DIMENSIONS, Dimension, PERCENTILE_ERROR, Question, Report, STORM, Section, Stats,
};
use manila_log::{Block, Body, Input, Options, Record, Reference, Sink, scan};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

/// What one record says, as far as the tallies look at it.
#[derive(Clone, Debug)]
enum Said {
    Answer { command: u8, code: Option<u8>, millis: u64, second: Option<u32>, field: Option<u8> },
    Failed { command: u8, kind: u8, target: u8, second: u32 },
    Flat { ok: bool },
    Prose,
}

impl Said {
    fn line(&self) -> String {
        match self {
            Said::Answer { command, code, millis, second, field } => {
                let error = code.map_or("null".to_owned(), |code| {
                    let retryable = code % 2 == 0;
                    format!(r#"{{"code":"E{code}","message":"m","retryable":{retryable}}}"#)
                });
                let field = field.map_or(String::new(), |it| format!(r#""f{it}":{it}"#));
                let data = code.map_or(format!("{{{field}}}"), |_| "null".to_owned());
                let time = second.map_or(String::new(), |it| {
                    format!(r#","timestamp":"{}""#, time(it))
                });
                format!(
                    r#"{{"ok":{},"data":{data},"error":{error},"warnings":[],"meta":{{"duration_ms":{millis},"run":{{"argv":["/bin/tool","c{command}"]}}{time}}}}}"#,
                    code.is_none(),
                )
            }
            Said::Failed { command, kind, target, second } => format!(
                r#"{{"timestamp":"{}","command":"w{command}","exit_code":1,"output_format":"json","schema_version":"2.0","error":{{"kind":"k{kind}","operation":"write","target":"/t/{target}","retryable":true,"message":"m"}}}}"#,
                time(*second),
            ),
            Said::Flat { ok: true } => r#"{"ok":true,"type":"task","data":{"id":1}}"#.to_owned(),
            Said::Flat { ok: false } => {
                r#"{"schema":"animus.cli.v1","ok":false,"error":{"code":"conflict","message":"m","exit_code":4}}"#
                    .to_owned()
            }
            Said::Prose => "it broke".to_owned(),
        }
    }
}

fn time(second: u32) -> String {
    let (minutes, second) = (second / 60, second % 60);
    format!("2026-11-16T{:02}:{:02}:{second:02}Z", minutes / 60 % 24, minutes % 60)
}

fn said() -> impl Strategy<Value = Said> {
    let code = prop_oneof![2 => Just(None), 3 => (0..4u8).prop_map(Some)];
    let answer = (0..3u8, code, 0..100_000u64, prop::option::weighted(0.9, 0..4000u32))
        .prop_flat_map(|(command, code, millis, second)| {
            prop::option::of(0..6u8).prop_map(move |field| Said::Answer {
                command,
                code,
                millis,
                second,
                field,
            })
        });
    let failed = (0..2u8, 0..2u8, any::<u8>(), 0..4000u32)
        .prop_map(|(command, kind, target, second)| Said::Failed { command, kind, target, second });
    prop_oneof![8 => answer, 3 => failed, 1 => any::<bool>().prop_map(|ok| Said::Flat { ok }), 1 => Just(Said::Prose)]
}

/// Tallies lines that are cut into blocks of so many.
fn tallied(lines: &[String], cuts: &[usize], question: &Question) -> Report {
    let stats = Stats::new(question.clone());
    let (mut tally, mut judge) = (stats.tally(), Reference::default());
    let (mut first, mut offset) = (0, 0);
    let mut cuts = cuts.iter().cycle();
    // Each thread has a part of its own and takes whichever block comes next.
    let mut parts = [stats.part(), stats.part()];
    while first < lines.len() {
        let count = cuts.next().copied().unwrap_or(usize::MAX).clamp(1, lines.len() - first);
        let mut chunk = <Stats as Sink>::Chunk::default();
        for (line, text) in lines[first..first + count].iter().enumerate() {
            let bytes = text.as_bytes();
            let verdict = judge.judge(bytes);
            let record = Record { bytes, input: 0, offset, line: line as u64, verdict };
            stats.record(&mut parts[count % 2], &mut chunk, &record);
            offset += bytes.len() as u64 + 1;
        }
        let block = Block { input: 0, name: "log".into(), first_line: first as u64 + 1 };
        assert!(stats.deliver(&mut tally, chunk, &block).is_continue());
        first += count;
    }
    stats.report(&tally)
}

fn whole(lines: &[String], question: &Question) -> Report {
    tallied(lines, &[], question)
}

fn lines(said: &[Said]) -> Vec<String> {
    said.iter().map(Said::line).collect()
}

fn scanned(lines: &[String], threads: usize, question: &Question) -> Report {
    let mut bytes = lines.join("\n").into_bytes();
    bytes.push(b'\n');
    let body = Body::Stream(Box::new(std::io::Cursor::new(bytes)));
    let inputs = [Ok(Input { name: "log".into(), body })].into_iter();
    let stats = Stats::new(question.clone());
    let threads = NonZeroUsize::new(threads).expect("not none");
    let outcome = scan(inputs, &stats, stats.tally(), &Options { threads, ..Options::default() });
    assert!(outcome.input_errors.is_empty());
    stats.report(&outcome.ordered)
}

fn everything() -> Question {
    let mut question = Question::default();
    question.by.extend(DIMENSIONS.iter().map(|it| vec![*it]));
    question.by.push(vec![Dimension::Command, Dimension::Code]);
    Question { top: 1000, ..question }
}

fn table(report: &Report, by: &str) -> BTreeMap<String, u64> {
    let tables = report.tables.as_ref().expect("they were asked for");
    let table = tables.iter().find(|table| table.by.join(",") == by).expect("a table");
    let name = |values: &[Option<String>]| {
        values.iter().map(|it| it.as_deref().unwrap_or("-")).collect::<Vec<_>>().join(",")
    };
    table.rows.iter().map(|row| (name(&row.values), row.records)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_cut_changes_a_figure(
        said in prop::collection::vec(said(), 0..200),
        cuts in prop::collection::vec(1..40usize, 1..8),
        distinct in 1..40usize,
        top in 1..20usize,
    ) {
        let lines = lines(&said);
        let question = Question { distinct, top, ..everything() };
        prop_assert_eq!(tallied(&lines, &cuts, &question), whole(&lines, &question));
    }

    #[test]
    fn counts_are_those_of_a_simple_count(said in prop::collection::vec(said(), 0..200)) {
        let report = whole(&lines(&said), &everything());
        let mut codes = BTreeMap::new();
        let (mut readable, mut failures) = (0, 0);
        for one in &said {
            let code = match one {
                Said::Answer { code, .. } => code.map(|code| format!("E{code}")),
                Said::Failed { kind, .. } => Some(format!("k{kind}")),
                Said::Flat { ok } => (!ok).then(|| "conflict".to_owned()),
                Said::Prose => continue,
            };
            readable += 1;
            failures += u64::from(code.is_some());
            if let Some(code) = code {
                *codes.entry(code).or_default() += 1;
            }
        }
        prop_assert_eq!((report.records, report.failures), (readable, failures));
        prop_assert_eq!(report.records + report.unreadable, said.len() as u64);
        prop_assert_eq!(table(&report, "code"), codes);
        let by_ok: u64 = table(&report, "ok").values().sum();
        prop_assert_eq!(by_ok, readable);
    }

    #[test]
    fn percentiles_are_as_near_as_they_say(mut millis in prop::collection::vec(0..1_000_000u64, 1..200)) {
        let said: Vec<Said> = millis.iter().map(|millis| answer(0, None, *millis, None)).collect();
        let report = whole(&lines(&said), &everything());
        let times = report.times.expect("they were asked for");
        let durations = times.durations.expect("all tell it");
        millis.sort_unstable();
        for (reported, permille) in [(durations.p50, 500), (durations.p90, 900), (durations.p99, 990)] {
            let exact = millis[(millis.len() * permille).div_ceil(1000).max(1) - 1];
            #[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
            let off = reported.abs_diff(exact) as f64;
            #[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
            let most = exact as f64 * PERCENTILE_ERROR;
            prop_assert!(off <= most, "{} instead of {}", reported, exact);
        }
        prop_assert_eq!(Some(&durations.max), millis.last());
    }

    #[test]
    fn storms_are_those_of_a_simple_search(codes in prop::collection::vec((0..2u8, prop::option::weighted(0.8, 0..2u8)), 0..200)) {
        let said: Vec<Said> = codes.iter().map(|(command, code)| answer(*command, *code, 1, None)).collect();
        let report = whole(&lines(&said), &everything());
        let mut expected: BTreeMap<(String, String), (u64, u64)> = BTreeMap::new();
        for command in 0..2 {
            let own: Vec<_> = codes.iter().filter(|it| it.0 == command).map(|it| it.1).collect();
            for run in own.chunk_by(|one, two| one == two) {
                if let Some(code) = run[0].filter(|_| run.len() as u64 >= STORM) {
                    let entry = expected.entry((format!("c{command}"), format!("E{code}"))).or_default();
                    *entry = (entry.0 + run.len() as u64, entry.1.max(run.len() as u64));
                }
            }
        }
        let reported: BTreeMap<_, _> = report.storms.expect("they were asked for").rows.into_iter().map(|row| {
            let key = (row.command.unwrap_or_default(), row.code.unwrap_or_default());
            (key, (row.repeats, row.longest.count))
        }).collect();
        prop_assert_eq!(reported, expected);
    }
}

fn answer(command: u8, code: Option<u8>, millis: u64, second: Option<u32>) -> Said {
    Said::Answer { command, code, millis, second, field: None }
}

#[test]
fn threads_and_blocks_of_the_engine_change_no_figure() {
    // More than one block of the engine.
    let said: Vec<Said> = (0..5000u32)
        .map(|number| match number % 7 {
            0 => Said::Failed {
                command: 0,
                kind: 1,
                target: number.to_le_bytes()[0],
                second: number,
            },
            1 => Said::Prose,
            2 => Said::Flat { ok: number % 2 == 0 },
            step => answer(
                (step - 3).to_le_bytes()[0],
                (number / 100 % 3 == 0).then_some(1),
                u64::from(number),
                Some(number),
            ),
        })
        .collect();
    let (lines, question) = (lines(&said), everything());
    let expected = whole(&lines, &question);
    assert!(lines.iter().map(String::len).sum::<usize>() > 2 * 256 * 1024);
    for threads in [1, 2, 5] {
        assert_eq!(scanned(&lines, threads, &question), expected, "{threads} threads");
    }
}

#[test]
fn what_is_one_too_many_is_counted_as_other() {
    let said: Vec<Said> =
        (0..10).map(|kind| Said::Failed { command: 0, kind, target: 0, second: 1 }).collect();
    let question = Question { distinct: 4, top: 3, ..Question::by([vec![Dimension::Code]]) };
    let report = whole(&lines(&said), &question);
    let tables = report.tables.as_ref().expect("they were asked for");
    assert_eq!((tables[0].rows.len(), tables[0].more, tables[0].other), (3, 1, 6));
    assert_eq!(table(&report, "code").into_keys().collect::<Vec<_>>(), ["k0", "k1", "k2"]);
}

#[test]
fn only_what_is_asked_for_is_reported() {
    let said = [answer(0, Some(1), 5, Some(60)), answer(0, None, 7, Some(61))];
    let report = whole(&lines(&said), &Question::by([vec![Dimension::Code]]));
    assert_eq!((report.records, report.failures, report.good), (2, 1, 2));
    assert!(report.times.is_none() && report.storms.is_none() && report.drift.is_none());
    let row = &report.tables.expect("it was asked for")[0].rows[0];
    assert_eq!(row.durations.as_ref().map(|it| it.max), Some(5));
    assert_eq!(row.first.as_deref(), Some("2026-11-16T00:01:00Z"));
}

#[test]
fn since_leaves_out_what_is_earlier_and_what_does_not_say() {
    let said = [Some(10), Some(20), None, Some(30)].map(|second| answer(0, Some(1), 1, second));
    let since = Some(time(20).parse().expect("a time"));
    let report = whole(&lines(&said), &Question { since, ..everything() });
    let since = report.since.expect("it was asked for");
    assert_eq!((report.records, since.earlier, since.undated), (2, 1, 1));
    assert_eq!(since.time, "2026-11-16T00:00:20Z");
    assert_eq!(table(&whole(&lines(&said), &everything()), "code")["E1"], 4);
}

#[test]
fn a_storm_is_found_among_others_and_across_blocks() {
    let mut said = Vec::new();
    for number in 0..20 {
        said.push(answer(0, (5..12).contains(&number).then_some(1), 1, Some(number * 10)));
        said.push(answer(1, None, 1, Some(number * 10)));
    }
    let lines = lines(&said);
    let report = tallied(&lines, &[3], &Question::default());
    let storms = report.storms.expect("they were asked for");
    let [row] = &storms.rows[..] else { panic!("{storms:?}") };
    assert_eq!((row.command.as_deref(), row.code.as_deref()), (Some("c0"), Some("E1")));
    assert_eq!(row.program.as_deref(), Some("tool"));
    assert_eq!((row.storms, row.repeats, row.longest.count, row.longest.line), (1, 7, 7, 11));
    assert_eq!(row.longest.first.as_deref(), Some("2026-11-16T00:00:50Z"));
    assert_eq!(row.longest.last.as_deref(), Some("2026-11-16T00:01:50Z"));
    let window = row.busiest.as_ref().expect("they say when");
    assert_eq!((window.begin.as_str(), window.failures), ("2026-11-16T00:01:00Z", 6));
}

#[test]
fn a_success_of_the_same_command_ends_a_storm() {
    let codes = [Some(1), Some(1), None, Some(1), Some(1), Some(2), Some(1)];
    let said = codes.map(|code| answer(0, code, 1, None));
    let report = whole(&lines(&said), &Question::default());
    assert!(report.storms.expect("they were asked for").rows.is_empty());
}

fn changes(report: &Report) -> Vec<(String, Change)> {
    let drift = report.drift.as_ref().expect("it was asked for");
    drift.rows.iter().map(|row| (row.name.clone(), row.change)).collect()
}

/// A log in which a field and a code come up half-way, and another field goes.
fn drifting(second: impl Fn(u32) -> Option<u32>) -> Vec<String> {
    let said = (0..400u32).map(|number| {
        let code = (number >= 200 && number % 4 == 0).then_some(3);
        let field = Some(u8::from(number >= 200));
        Said::Answer { command: 0, code, millis: 1, second: second(number), field }
    });
    lines(&said.collect::<Vec<_>>())
}

#[test]
fn drift_is_reported_along_time_where_there_are_times() {
    let question = Question { sections: vec![Section::Drift], ..Question::default() };
    // Newest first: time shows what position would show reversed.
    let mut lines = drifting(|number| Some(number * 7));
    lines.reverse();
    let report = whole(&lines, &question);
    let text = |text: &str| text.to_owned();
    assert_eq!(
        changes(&report),
        [
            (text("E3"), Change::Appeared),
            (text("response-envelope/1.0 data.f0: number"), Change::Vanished),
            (text("response-envelope/1.0 data.f1: number"), Change::Appeared),
            // What is in it came with it.
            (text("response-envelope/1.0 error: object"), Change::Appeared),
        ]
    );
    let drift = report.drift.expect("it was asked for");
    assert_eq!((drift.along, drift.width), ("time", 300));
    assert_eq!(drift.rows[0].first.as_deref(), Some("2026-11-16T00:23:20Z"));
    assert_eq!(drift.counts.iter().sum::<u64>(), 400);
}

#[test]
fn drift_is_reported_along_position_where_there_are_none() {
    let question = Question { sections: vec![Section::Drift], ..Question::default() };
    let report = whole(&drifting(|_| None), &question);
    assert_eq!(changes(&report)[0], ("E3".to_owned(), Change::Appeared));
    let drift = report.drift.expect("it was asked for");
    assert_eq!((drift.along, drift.width, drift.counts.len()), ("position", 16, 25));
    assert_eq!((drift.rows[0].first_record, drift.rows[0].last_record), (201, 397));
}

#[test]
fn an_empty_log_has_a_report_too() {
    let report = whole(&[], &Question::default());
    assert_eq!((report.records, report.unreadable), (0, 0));
    assert!(changes(&report).is_empty());
}
