//! Pages, however they are spelled and whatever comes between them, are one list in the end.

use super::law::config;
use super::runtime::{Script, ScriptedAnswer, SimulatedRuntime};
use super::script::{call, failure, limited, page, success};
use crate::policy::Policy;
use manila::json::Raw;
use manila::{ErrorObject, Exit};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Values that a reader who does not care would spell otherwise.
fn element() -> impl Strategy<Value = &'static str> {
    select(vec![
        "1.50",
        "-0.0",
        "1e2",
        "12345678901234567890",
        "null",
        r#""\u00e9\/""#,
        r#""],[ \"""#,
        "[ 1,\n2 ]",
        r#"{"a" : 1, "a": 2}"#,
        "{}",
    ])
}

/// How a page holds its elements.
#[derive(Clone, Copy, Debug)]
enum Shape {
    List,
    /// An object with one list, and something that is the same on every page.
    Object,
}

impl Shape {
    fn page(self, elements: &[&str], space: &str) -> String {
        let list = format!("[{space}{}]", elements.join(&format!("{space},")));
        match self {
            Shape::List => list,
            Shape::Object => format!(r#"{{"total":{space}7.0,"items":{list}, "next":"x"}}"#),
        }
    }

    fn whole(self, elements: &[&str]) -> String {
        let list = elements.join(",");
        match self {
            Shape::List => format!("[{list}]"),
            Shape::Object => format!(r#"{{"total":7.0,"items":[{list}],"next":"x"}}"#),
        }
    }
}

/// The pages as answers, with as many failures before each as its number says.
fn answers(pages: &[String], failures: &[usize], cursors: &[String]) -> Vec<ScriptedAnswer> {
    let mut answers = Vec::new();
    for (at, data) in pages.iter().enumerate() {
        let times = failures.get(at).copied().unwrap_or_default();
        answers.extend(std::iter::repeat_n(limited(5), times));
        let cursor = cursors.get(at).filter(|_| at + 1 < pages.len());
        answers.push(cursor.map_or_else(|| success(data, ""), |cursor| page(data, cursor)));
    }
    answers
}

fn cursors(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("c {number}=\"é")).collect()
}

fn data(raw: Option<&Raw>) -> &str {
    raw.map_or("nothing", Raw::as_str)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn pages_are_merged_to_the_byte(
        pages in vec(vec(element(), 0..4), 2..7),
        failures in vec(0..=3usize, 0..7),
        shape in select(vec![Shape::List, Shape::Object]),
        space in select(vec!["", " ", "\n\t"]),
    ) {
        let documents: Vec<String> = pages.iter().map(|page| shape.page(page, space)).collect();
        let cursors = cursors(documents.len());
        let script = Script::of(answers(&documents, &failures, &cursors));
        let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &Policy::default());
        let all: Vec<&str> = pages.concat();
        prop_assert!(outcome.envelope.ok());
        prop_assert_eq!(data(outcome.envelope.content().data.as_ref()), shape.whole(&all));
        prop_assert!(!outcome.envelope.meta().truncated);
        prop_assert_eq!(&outcome.envelope.meta().cursor, &None);
        // Each page is asked for at the cursor of the one before, however often.
        let mut asked: Vec<&[String]> = runtime.attempts.iter().map(|attempt| &attempt.argv[3..]).collect();
        asked.dedup();
        prop_assert_eq!(asked.len(), pages.len());
        for (words, cursor) in asked[1..].iter().zip(&cursors) {
            prop_assert_eq!(*words, &["--cursor".to_owned(), cursor.clone()]);
        }
    }

    #[test]
    fn pages_before_a_failure_are_not_lost(
        pages in vec(vec(element(), 0..4), 1..6),
        shape in select(vec![Shape::List, Shape::Object]),
    ) {
        let documents: Vec<String> = pages.iter().map(|page| shape.page(page, "")).collect();
        let cursors = cursors(documents.len());
        let mut answers: Vec<ScriptedAnswer> =
            documents.iter().zip(&cursors).map(|(data, cursor)| page(data, cursor)).collect();
        answers.push(failure(Exit::NotFound, ErrorObject::new("GONE", "the list is gone")));
        let (outcome, _) = SimulatedRuntime::play(&Script::of(answers), &call(), &Policy::default());
        let envelope = &outcome.envelope;
        prop_assert_eq!(envelope.error().map(|error| error.code.as_str()), Some("GONE"));
        let whole = if pages.len() == 1 { documents[0].clone() } else { shape.whole(&pages.concat()) };
        prop_assert_eq!(data(envelope.content().data.as_ref()), whole);
        // A caller that continues later knows where.
        prop_assert!(envelope.meta().truncated);
        prop_assert_eq!(envelope.meta().cursor.as_ref(), cursors.last());
    }

    #[test]
    fn a_walk_that_is_cut_short_says_where_it_stands(
        count in 2..8usize,
        max_pages in 1..7usize,
    ) {
        let documents: Vec<String> = (0..count).map(|number| format!("[{number}]")).collect();
        let cursors = cursors(count);
        let policy = Policy { max_pages, ..Policy::default() };
        let (outcome, runtime) =
            SimulatedRuntime::play(&Script::of(answers(&documents, &[], &cursors)), &call(), &policy);
        let fetched = count.min(max_pages);
        prop_assert_eq!(runtime.attempts.len(), fetched);
        let numbers: Vec<String> = (0..fetched).map(|number| number.to_string()).collect();
        let whole = format!("[{}]", numbers.join(","));
        prop_assert_eq!(data(outcome.envelope.content().data.as_ref()), whole);
        let rest = (fetched < count).then(|| &cursors[fetched - 1]);
        prop_assert_eq!(outcome.envelope.meta().cursor.as_ref(), rest);
        prop_assert_eq!(outcome.envelope.meta().truncated, rest.is_some());
        prop_assert_eq!(outcome.envelope.content().warnings.len(), usize::from(rest.is_some()));
    }
}

#[test]
fn a_cursor_that_comes_again_ends_the_walk() {
    let script = Script::of([page("[1]", "a"), page("[2]", "b"), page("[3]", "a")]);
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &Policy::default());
    assert_eq!(runtime.attempts.len(), 3);
    assert_eq!(data(outcome.envelope.content().data.as_ref()), "[1,2,3]");
    assert!(outcome.envelope.meta().truncated);
    let warnings = &outcome.envelope.content().warnings;
    assert!(warnings[0].text().contains("the data is incomplete"), "{warnings:?}");
}

#[test]
fn pages_without_an_end_end() {
    let script = Script::of([page("[1]", "c@N")]);
    let policy = Policy { max_pages: 50, ..Policy::default() };
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
    assert_eq!(runtime.attempts.len(), 50);
    assert!(outcome.envelope.meta().truncated);
}

#[test]
fn pages_may_not_be_more_than_is_kept() {
    let script = Script::of([page("[11111]", "c@N")]);
    let policy = Policy { max_output: 20, ..Policy::default() };
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
    assert_eq!(runtime.attempts.len(), 3);
    assert_eq!(data(outcome.envelope.content().data.as_ref()), "[11111,11111,11111]");
    assert!(outcome.envelope.meta().truncated);
}

#[test]
fn a_page_has_retries_of_its_own() {
    let pages = ["[1]", "[2]"].map(str::to_owned);
    let script = Script::of(answers(&pages, &[3, 3], &cursors(2)));
    let policy = Policy { max_attempts: 4, ..Policy::default() };
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
    assert_eq!(runtime.attempts.len(), 8);
    assert!(outcome.envelope.ok());
}

#[test]
fn pages_that_are_no_lists_are_a_list_of_pages() {
    let script = Script::of([page(r#"{"a": 1}"#, "b"), success(r#"{"a":2.0}"#, "")]);
    let (outcome, _) = SimulatedRuntime::play(&script, &call(), &Policy::default());
    assert_eq!(data(outcome.envelope.content().data.as_ref()), r#"[{"a": 1},{"a":2.0}]"#);
    assert!(outcome.envelope.content().warnings[0].text().contains("list of pages"));
}

#[test]
fn the_caller_says_how_a_page_is_asked_for() {
    let script = Script::of([page("[1]", "b"), success("[2]", "")]);
    let policy = Policy { cursor_flag: "--after".to_owned(), ..Policy::default() };
    let (_, runtime) = SimulatedRuntime::play(&script, &call().arg("--"), &policy);
    assert_eq!(runtime.lines(), ["/opt/tool run 1 --", "/opt/tool run 1 --after b --"]);
}
