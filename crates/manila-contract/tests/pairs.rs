//! A golden pair of locks for each rule: one way it shows exactly that rule, the other way exactly its mirror.
#![allow(clippy::expect_used, reason = "a test may stop at the first surprise")]

use manila_contract::{Family, Lock, Versions, compare, rule, rules};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pairs")
}

/// The pair of a rule, or of its mirror the other way round.
fn pair(id: &str, mirror: &str) -> Option<(String, String, Versions)> {
    let own = directory().join(id);
    let (path, is_turned) =
        if own.is_dir() { (own, false) } else { (directory().join(mirror), true) };
    let read = |name: &str| fs::read_to_string(path.join(name)).ok();
    let (old, new) = (read("old.lock")?, read("new.lock")?);
    let stated = read("versions").unwrap_or_default();
    let mut stated = stated.lines().map(str::to_owned);
    let versions = Versions { old: stated.next(), new: stated.next() };
    Some(if is_turned { (new, old, versions) } else { (old, new, versions) })
}

#[test]
fn each_rule_has_a_pair_that_shows_exactly_it() {
    let mut wrong = Vec::new();
    for rule in rules() {
        let Some((old, new, versions)) = pair(rule.id, rule.mirror) else {
            wrong.push(format!("{} has no pair", rule.id));
            continue;
        };
        let [old, new] = [old, new].map(|text| Lock::read(&text).expect(rule.id));
        let changes = compare(&old, &new, &versions);
        // Which version governs a change is a finding of its own.
        let found: BTreeSet<&str> = changes
            .iter()
            .filter(|it| {
                let is_remark = it.rule.family == Family::Comparison && it.commands.is_empty();
                let is_about_versions = rule.id.contains("bump") || rule.id.starts_with("release");
                is_remark == is_about_versions
            })
            .map(|it| it.rule.id)
            .collect();
        if found != BTreeSet::from([rule.id]) {
            wrong.push(format!("{}: {found:?}", rule.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_pair_belongs_to_a_rule_and_is_written_as_manila_writes_it() {
    for entry in fs::read_dir(directory()).expect("the pairs") {
        let path = entry.expect("a pair").path();
        let id = path.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(rule(&id).is_some(), "{id}");
        for name in ["old.lock", "new.lock"] {
            let text = fs::read_to_string(path.join(name)).expect("a lock");
            let written = Lock::read(&text).expect("a lock").write();
            if std::env::var_os("MANILA_BLESS").is_some() {
                fs::write(path.join(name), written).expect("writes");
            } else {
                assert_eq!(text, written, "{id}/{name} (MANILA_BLESS=1 rewrites it)");
            }
        }
    }
}
