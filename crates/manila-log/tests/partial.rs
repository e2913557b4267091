//! Laws of partial tallies: joined in the order of the input, they come to what one pass comes to.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use manila_log::stats::{
    Dimension, Partial, PartialError, Partials, Question, Report, SECTIONS, Stats,
};
use manila_log::{Body, Input, Options, scan};
use proptest::prelude::*;
use std::num::NonZeroU32;

/// A record: which command, whether and how it failed, when, and how long it took.
#[derive(Clone, Debug)]
struct Line {
    command: u8,
    code: Option<u8>,
    minute: u32,
    duration: Option<u32>,
}

impl Line {
    fn text(&self, has_time: bool) -> String {
        let Line { command, code, minute, duration } = self;
        let (day, hour, minute) = (1 + minute / 1440, minute / 60 % 24, minute % 60);
        let time = if has_time {
            format!(r#","timestamp":"2026-11-{day:02}T{hour:02}:{minute:02}:00Z""#)
        } else {
            String::new()
        };
        let duration = duration.unwrap_or(7);
        let run = format!(r#"{{"argv":["tool{command}"],"program":"tool{command}"}}"#);
        let meta = format!(r#"{{"duration_ms":{duration}{time},"run":{run}}}"#);
        match code {
            None => format!(
                r#"{{"ok":true,"data":{{"field{command}":1}},"error":null,"warnings":[],"meta":{meta}}}"#
            ),
            Some(code) => format!(
                r#"{{"ok":false,"data":null,"error":{{"code":"E{code}","message":"m"}},"warnings":[],"meta":{meta}}}"#
            ),
        }
    }
}

fn line() -> impl Strategy<Value = Line> {
    let code = prop_oneof![2 => Just(None), 5 => (0..4u8).prop_map(Some)];
    let minute = prop_oneof![4 => 0..6u32, 1 => 0..40_000u32];
    let duration = proptest::option::of(prop_oneof![0..40u32, 0..1_000_000u32]);
    (0..4u8, code, minute, duration).prop_map(|(command, code, minute, duration)| Line {
        command,
        code,
        minute,
        duration,
    })
}

fn input(name: &str, text: String) -> Result<Input, manila_log::InputError> {
    Ok(Input { name: name.into(), body: Body::Stream(Box::new(std::io::Cursor::new(text))) })
}

fn texts(parts: &[Vec<Line>], has_time: bool) -> Vec<(String, String)> {
    let text = |lines: &[Line]| lines.iter().map(|line| line.text(has_time) + "\n").collect();
    parts.iter().enumerate().map(|(at, lines)| (format!("part{at}"), text(lines))).collect()
}

fn whole(parts: &[(String, String)], question: &Question) -> Report {
    let stats = Stats::new(question.clone());
    let inputs: Vec<_> = parts.iter().map(|(name, text)| input(name, text.clone())).collect();
    let outcome = scan(inputs.into_iter(), &stats, stats.tally(), &Options::default());
    stats.report(&outcome.ordered)
}

fn partial(name: &str, text: &str, question: &Question) -> Partial {
    let sink = Partials::new(question.clone());
    let inputs = [input(name, text.to_owned())];
    let outcome = scan(inputs.into_iter(), &sink, sink.partial(), &Options::default());
    let part = outcome.ordered.checked().expect("few values");
    let written = serde_json::to_string(&part).expect("JSON");
    serde_json::from_str(&written).expect("what was written is read")
}

fn question(distinct: usize, window_s: u32) -> Question {
    let by = vec![
        vec![Dimension::Program],
        vec![Dimension::Code],
        vec![Dimension::Program, Dimension::Code],
    ];
    let window_s = NonZeroU32::new(window_s).expect("not 0");
    Question { by, distinct, window_s, sections: SECTIONS.to_vec(), ..Question::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn parts_come_to_what_one_pass_comes_to(
        parts in prop::collection::vec(prop::collection::vec(line(), 0..40), 1..6),
        distinct in prop_oneof![1..5usize, Just(1000usize)],
        window in prop_oneof![Just(60u32), Just(120), Just(3600)],
    ) {
        let (parts, question) = (texts(&parts, true), question(distinct, window));
        let joined = parts.iter().map(|(name, text)| partial(name, text, &question));
        prop_assert_eq!(Partial::report(joined, question.top), Ok(whole(&parts, &question)));
    }
}

#[test]
fn a_storm_over_the_edge_of_three_parts_is_one() {
    let failed = |minute| Line { command: 1, code: Some(1), minute, duration: None };
    let parts =
        texts(&[vec![failed(0), failed(1)], vec![failed(1), failed(1)], vec![failed(1)]], true);
    let question = question(10, 60);
    let joined = parts.iter().map(|(name, text)| partial(name, text, &question));
    let report = Partial::report(joined, 10).expect("a report");
    let storms = report.storms.as_ref().expect("they were asked for");
    let row = &storms.rows[0];
    assert_eq!((row.storms, row.longest.count, row.longest.input.as_str()), (1, 5, "part0"));
    assert_eq!(row.busiest.as_ref().map(|window| window.failures), Some(4));
    assert_eq!(report, whole(&parts, &question));
}

#[test]
fn drift_without_times_is_refused_and_the_rest_is_not() {
    let lines = vec![Line { command: 1, code: None, minute: 0, duration: None }; 3];
    let parts = texts(&[lines.clone(), lines], false);
    let all = question(10, 60);
    let join = |question: &Question| {
        Partial::report(parts.iter().map(|(name, text)| partial(name, text, question)), 10)
    };
    assert_eq!(join(&all), Err(PartialError::NoTime));
    let tables = Question { sections: SECTIONS[..3].to_vec(), ..all };
    assert_eq!(join(&tables), Ok(whole(&parts, &tables)));
}

#[test]
fn parts_of_different_questions_are_not_joined() {
    let parts = [question(10, 60), question(11, 60)].map(|question| partial("a", "", &question));
    assert_eq!(Partial::report(parts, 10), Err(PartialError::OtherQuestion));
}

#[test]
fn a_part_that_was_tampered_with_is_not_read() {
    let lines = vec![Line { command: 1, code: Some(2), minute: 3, duration: Some(40_000) }; 4];
    let parts = texts(&[lines], true);
    let part = partial(&parts[0].0, &parts[0].1, &question(10, 60));
    let good = serde_json::to_value(part).expect("JSON");
    // u128 is not a number of a `Value`; the text is what is read.
    assert!(serde_json::from_str::<Partial>(&good.to_string()).is_ok());
    for (pointer, bad) in [
        ("/schema", serde_json::json!("manila-stats-partial/9")),
        ("/question/by/0/0", serde_json::json!("colour")),
        ("/all/durations/buckets", serde_json::json!([65535])),
        ("/all/durations/counts", serde_json::json!([])),
        ("/all/records", serde_json::json!(u64::MAX)),
        ("/drift/all/by_time/width", serde_json::json!(0)),
        ("/drift/all/by_time/width", serde_json::json!(7)),
        ("/storms/answers/0/1/0", serde_json::json!(99)),
        ("/tables", serde_json::json!([])),
        ("/tables/0/groups/0/0", serde_json::json!([])),
    ] {
        let mut value = good.clone();
        *value.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}: {good}")) = bad;
        assert!(serde_json::from_str::<Partial>(&value.to_string()).is_err(), "{pointer}");
    }
}
