//! Every format with a comparison that has everything, and untrusted text in it.

use super::*;
use crate::diff::{Change, Place, Reader, rule::rule};
use crate::report::{Classified, Outcome, Purpose, Test, Witness};

const ODD: &str = "<b>\u{1b}[31m`|`::error::x\n@you";

fn one(id: &str, old: Option<&str>, new: Option<&str>) -> Classified {
    let rule = rule(id).expect("a rule");
    let place = |value: &str| Place { subject: format!("ok .{ODD}"), value: value.to_owned() };
    let command = Some(vec!["list".to_owned(), ODD.to_owned()]);
    let change = Change {
        rule,
        commands: vec![(command.clone(), command)],
        old: old.map(place),
        new: new.map(place),
        certainty: crate::diff::Certainty::Stated,
    };
    let impact = change.impact(Reader::Tolerant);
    Classified { change, impact, witness: Witness::None, accepted: None }
}

fn comparison() -> Comparison {
    let test =
        Test { old_call: "old x".to_owned(), new_call: "new x".to_owned(), holds: ODD.to_owned() };
    let mut changes = vec![
        one("type-changed", Some("integer"), Some("string")),
        one("field-added", None, Some(ODD)),
        one("coverage-lost", Some("ok"), None),
        one("became-volatile", Some(""), Some("volatile")),
        one("field-removed", Some("object"), None),
    ];
    changes[0].witness = Witness::Confirmed(test);
    changes[4].accepted = Some(ODD.to_owned());
    Comparison {
        purpose: Purpose::Diff,
        names: ["old".to_owned(), format!("new {ODD}")],
        reader: Reader::Tolerant,
        changes,
        allowed: 0,
        notes: vec![ODD.to_owned()],
        stale_accepts: vec![ODD.to_owned()],
        has_envelope: true,
        compared_calls: 3,
        snapshots: vec![ODD.to_owned()],
    }
}

#[test]
fn untrusted_text_cannot_control_a_terminal() {
    for format in FORMATS {
        let text = (format.render)(&comparison());
        assert!(!text.contains('\u{1b}'), "{}: {text:?}", format.name);
        assert!(text.ends_with('\n'), "{}", format.name);
        assert_eq!(text, (format.render)(&comparison()), "{} is the same each time", format.name);
    }
}

#[test]
fn every_format_shows_what_breaks() {
    for format in FORMATS.iter().filter(|format| format.name != "changelog") {
        let text = (format.render)(&comparison());
        assert!(text.contains("type-changed"), "{}: {text}", format.name);
    }
    let log = super::format("changelog").map(|it| (it.render)(&comparison())).unwrap_or_default();
    assert!(log.contains("### Breaking\n- "), "{log}");
    assert!(log.contains("### Added\n- "), "{log}");
}

#[test]
fn machine_formats_can_be_read() {
    let text = |name| super::format(name).map(|it| (it.render)(&comparison())).unwrap_or_default();
    let json: serde_json::Value = serde_json::from_str(&text("json")).expect("JSON");
    assert_eq!(json["schema"], json::SCHEMA);
    let schema = json::schema();
    assert!(jsonschema::is_valid(&schema, &json), "{json:#}");
    let sarif: serde_json::Value = serde_json::from_str(&text("sarif")).expect("SARIF");
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(5));
    let junit = text("junit");
    let junit = roxmltree::Document::parse(&junit).expect("XML");
    let failures = junit.descendants().filter(|it| it.has_tag_name("failure")).count();
    assert_eq!(failures, 2, "one change and one snapshot");
    for line in text("github").lines().filter(|line| line.starts_with("::")) {
        assert!(
            ["::error", "::warning", "::notice"].iter().any(|it| line.starts_with(it)),
            "{line}"
        );
    }
    assert!(!text("html").contains("<b>\\"), "markup is escaped");
}

#[test]
fn the_outcome_is_the_same_in_words() {
    let comparison = comparison();
    assert_eq!(comparison.outcome(), Outcome::Changed);
    assert_eq!(comparison.headline(), "breaking");
    assert_eq!(
        comparison.tally(),
        "1 breaking, 2 need a human, 1 compatible, 1 accepted, 1 snapshot changed"
    );
}
