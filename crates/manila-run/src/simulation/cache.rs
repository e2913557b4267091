//! Cached answers, and programs that know versions or do not know them any more.

use super::runtime::{Script, ScriptedAnswer, SimulatedRuntime};
use super::script::{call, failure, page, success};
use crate::cache::{self, CacheEntry};
use crate::event::Cause;
use crate::policy::Policy;
use manila::json::Raw;
use manila::{Envelope, ErrorObject, Exit, dialects};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn asked() -> cache::Call {
    cache::Call::of(&call()).unwrap()
}

/// A directory with an answer to the call in it, and a policy that uses it.
pub(super) fn cached(data: &str) -> (TempDir, Policy) {
    let dir = tempfile::tempdir().unwrap();
    let data = Raw::parse(data).unwrap();
    CacheEntry::new(&asked(), "v1", Some("list"), &data).unwrap().save(dir.path()).unwrap();
    let policy = Policy { cache: Some(dir.path().to_owned()), ..Policy::default() };
    (dir, policy)
}

fn etag_of(dir: &Path) -> Option<String> {
    CacheEntry::load(dir, &asked()).map(|cached| cached.etag)
}

pub(super) fn not_modified() -> ScriptedAnswer {
    success("null", r#","not_modified":true"#)
}

const WITH_ETAG: &str = "/opt/tool run 1 --etag v1";
const WITHOUT: &str = "/opt/tool run 1";

#[test]
fn an_unchanged_answer_comes_from_the_cache() {
    let (_dir, policy) = cached("[1.50, {\"a\" : 1}]");
    let (outcome, runtime) =
        SimulatedRuntime::play(&Script::of([not_modified()]), &call(), &policy);
    assert_eq!(runtime.lines(), [WITH_ETAG]);
    assert!(outcome.envelope.ok());
    let content = outcome.envelope.content();
    assert_eq!(content.data.as_ref().unwrap().as_str(), "[1.50, {\"a\" : 1}]");
    assert_eq!(content.kind.as_deref(), Some("list"));
    assert_eq!(outcome.trace.steps[0].decision.row, "not-modified");
}

#[test]
fn what_has_changed_is_kept_in_its_place() {
    let (dir, policy) = cached("[1]");
    let script = Script::of([success("[2]", r#","etag":"v2""#)]);
    let (outcome, _) = SimulatedRuntime::play(&script, &call(), &policy);
    assert_eq!(outcome.envelope.content().data.as_ref().unwrap().as_str(), "[2]");
    assert_eq!(etag_of(dir.path()).as_deref(), Some("v2"));
}

#[test]
fn a_failure_and_one_page_of_many_are_not_kept() {
    for last in [
        failure(Exit::NotFound, ErrorObject::new("GONE", "gone")),
        success("[2]", r#","etag":"v2""#),
    ] {
        let (dir, policy) = cached("[1]");
        SimulatedRuntime::play(&Script::of([page("[1]", "b"), last]), &call(), &policy);
        assert_eq!(etag_of(dir.path()).as_deref(), Some("v1"));
    }
}

#[test]
fn a_program_that_stopped_knowing_versions_is_asked_without() {
    let error = ErrorObject::new("UNKNOWN_FLAG", "there is no --etag");
    let error = Envelope::failure(Exit::ArgError, error);
    for dialect in [dialects::RESPONSE_ENVELOPE_1_0, dialects::RESPONSE_ENVELOPE_1_6] {
        let (_dir, policy) = cached("[1]");
        let refused = ScriptedAnswer::written(&error, dialect);
        let script = Script::of([refused, success("[2]", "")]);
        let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
        assert_eq!(runtime.lines(), [WITH_ETAG, WITHOUT]);
        assert!(outcome.envelope.ok());
        assert_eq!(outcome.trace.steps[1].cause, Cause::WithoutEtag);
    }
}

#[test]
fn arguments_that_are_wrong_without_a_version_too_are_wrong() {
    let (_dir, policy) = cached("[1]");
    let script =
        Script::of([failure(Exit::ArgError, ErrorObject::new("USAGE", "no such command"))]);
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
    assert_eq!(runtime.lines(), [WITH_ETAG, WITHOUT]);
    assert_eq!(outcome.envelope.error().unwrap().code, "USAGE");
}

#[test]
fn nothing_changed_and_nothing_kept_is_asked_once_more() {
    let script = Script::of([not_modified(), success("[2]", "")]);
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &Policy::default());
    assert_eq!(runtime.attempts.len(), 2);
    assert_eq!(outcome.envelope.content().data.as_ref().unwrap().as_str(), "[2]");
    let (outcome, runtime) =
        SimulatedRuntime::play(&Script::of([not_modified()]), &call(), &Policy::default());
    assert_eq!(runtime.attempts.len(), 2);
    assert_eq!(outcome.envelope.error().unwrap().code, "UNTRUSTED_ANSWER");
}

#[test]
fn an_unreadable_cached_answer_is_asked_for_again() {
    let (dir, policy) = cached(r#"["text"]"#);
    let file = fs::read_dir(dir.path()).unwrap().next().unwrap().unwrap().path();
    // Deeper than anyone reads who is careful.
    let depth = 10_000;
    let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let broken = fs::read_to_string(&file).unwrap().replace("\"text\"", &deep);
    fs::write(&file, broken).unwrap();
    let script = Script::of([not_modified(), success("[2]", "")]);
    let (outcome, runtime) = SimulatedRuntime::play(&script, &call(), &policy);
    assert_eq!(runtime.lines(), [WITH_ETAG, WITHOUT]);
    assert_eq!(outcome.envelope.content().data.as_ref().unwrap().as_str(), "[2]");
}

#[test]
fn a_directory_that_cannot_be_written_is_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let policy = Policy { cache: Some(file), ..Policy::default() };
    let script = Script::of([success("[2]", r#","etag":"v2""#)]);
    let (outcome, _) = SimulatedRuntime::play(&script, &call(), &policy);
    assert!(outcome.envelope.ok());
    assert!(outcome.envelope.content().warnings[0].text().starts_with("cannot cache the answer"));
}
