//! Every format of one made-up report, against golden files, its own schema, and adversarial words.

use super::*;
use crate::report::fixtures::report;
use crate::rule::verdict::Verdict;
use crate::severity::Severity;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn rendered(name: &str, report: &Report) -> String {
    (format(name).expect("a format").render)(report)
}

#[test]
fn the_formats_and_the_directory_agree() {
    let names: BTreeSet<String> = FORMATS.iter().map(|it| format!("{}.rs", it.name)).collect();
    let files: BTreeSet<String> = fs::read_dir(here("src/render"))
        .expect("the directory of the formats")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|it| it == "rs"))
        .map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned())
        .filter(|name| name != "mod.rs" && name != "tests.rs")
        .collect();
    assert_eq!(names, files);
}

#[test]
fn every_format_is_as_it_was() {
    let verbose = human::lines(&report(), human::Detail::All);
    let verbose = ("human-verbose", shared::line::text_of(&verbose));
    let all = FORMATS.iter().map(|format| (format.name, rendered(format.name, &report())));
    for (name, text) in all.chain([verbose]) {
        let text = excerpt(name, &text).replace(env!("CARGO_PKG_VERSION"), "VERSION");
        let path = here("tests/golden").join(format!("report.{name}"));
        showcase_test_support::assert_golden(&path, &text);
    }
}

/// What of a report is worth reading when it changes: a page without its style page, and of a SARIF log
/// or a JSON report what is said once, with the first of each list. Tests of their own look at the rest.
fn excerpt(name: &str, text: &str) -> String {
    match name {
        "html" => {
            let (head, rest) = text.split_once("<style>").expect("a style sheet");
            let (_, rest) = rest.split_once("</style>").expect("its end");
            let (rest, _) = rest.split_once("<footer>").expect("the day it was made");
            format!("{head}{rest}").replace("><", ">\n<")
        }
        "sarif" => {
            shortened(text, &["/runs/0/tool/driver/rules", "/runs/0/results", "/runs/0/artifacts"])
        }
        "json" => shortened(text, &["/rules"]),
        _ => text.to_owned(),
    }
}

/// A document laid out for people, with no more than two of each of these lists.
fn shortened(text: &str, lists: &[&str]) -> String {
    let mut document: serde_json::Value = serde_json::from_str(text).expect("JSON");
    for list in lists {
        let list = document.pointer_mut(list).and_then(serde_json::Value::as_array_mut);
        list.expect("a list").truncate(2);
    }
    format!("{document:#}\n")
}

#[test]
fn no_format_hands_on_what_steers() {
    for format in FORMATS {
        let text = (format.render)(&report());
        let steers =
            |it: &char| (it.is_control() && *it != '\n') || matches!(it, '\u{202a}'..='\u{202e}');
        // JSON escapes control characters; a mark is text like any other in it.
        let found = text.chars().filter(steers).find(|it| it.is_control() || !is_json(format.name));
        assert_eq!(found, None, "{}", format.name);
    }
}

fn is_json(name: &str) -> bool {
    ["json", "sarif"].contains(&name)
}

#[test]
fn sarif_keeps_its_schema() {
    let schema = fs::read(here("tests/schema/sarif-2.1.0.json")).expect("the schema");
    let mut schema: serde_json::Value = serde_json::from_slice(&schema).expect("JSON");
    for name in ["run", "toolComponent"] {
        // Its pattern for languages has a bracket too many and does not compile; reports name no
        // language.
        let language = &mut schema["definitions"][name]["properties"]["language"];
        language.as_object_mut().expect("a property").remove("pattern").expect("a pattern");
    }
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for report in [report(), empty()] {
        let log = serde_json::from_str(&rendered("sarif", &report)).expect("JSON");
        let errors: Vec<String> =
            validator.iter_errors(&log).map(|it| format!("{} {it}", it.instance_path())).collect();
        assert_eq!(errors, [""; 0]);
    }
}

#[test]
fn sarif_points_where_the_finding_is() {
    let log: serde_json::Value = serde_json::from_str(&rendered("sarif", &report())).expect("JSON");
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 5);
    assert_eq!(results[0]["occurrenceCount"], 2);
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("an index");
        let rules = &run["tool"]["driver"]["rules"];
        assert_eq!(rules[usize::try_from(index).expect("small")]["id"], result["ruleId"]);
        let artifact = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        let index = usize::try_from(artifact["index"].as_u64().expect("an index")).expect("small");
        assert_eq!(run["artifacts"][index]["location"]["uri"], artifact["uri"]);
    }
    let suppressed = results.iter().filter(|result| result["suppressions"].is_array());
    assert_eq!(suppressed.count(), 1);
    let region = &results[0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!((region["byteOffset"].as_u64(), region["byteLength"].as_u64()), (Some(3), Some(32)));
}

#[test]
fn the_document_is_the_report_and_keeps_its_schema() {
    let read = |report: &Report| -> serde_json::Value {
        serde_json::from_str(&rendered("json", report)).expect("JSON")
    };
    let validator = jsonschema::validator_for(&json::schema()).expect("a schema");
    let (bad, good) = (read(&report()), read(&empty()));
    assert!(validator.is_valid(&bad) && validator.is_valid(&good));
    assert_eq!((&bad["schema"], &bad["conforms"]), (&json::SCHEMA.into(), &false.into()));
    assert_eq!(bad["rules"][0]["findings"][0]["excerpt"]["start"], 3);
    assert_eq!(good["conforms"], true);
    let keys = |document: &serde_json::Value| -> Vec<String> {
        document.as_object().expect("an object").keys().cloned().collect()
    };
    assert_eq!(keys(&bad), keys(&good));
}

/// The attributes and children that the schema of `JUnit` reports (Jenkins, junit-10.xsd) gives each
/// element, without those that no report of ours has.
const JUNIT: &[(&str, &[&str], &[&str])] = &[
    ("testsuites", &["name", "time", "tests", "failures", "errors", "skipped"], &["testsuite"]),
    (
        "testsuite",
        &["name", "tests", "failures", "errors", "skipped", "time"],
        &["properties", "testcase"],
    ),
    ("properties", &[], &["property"]),
    ("property", &["name", "value"], &[]),
    (
        "testcase",
        &["classname", "name", "time"],
        &["skipped", "failure", "system-out", "system-err"],
    ),
    ("failure", &["type", "message"], &[]),
    ("skipped", &["message"], &[]),
    ("system-out", &[], &[]),
    ("system-err", &[], &[]),
];

#[test]
fn junit_keeps_its_schema_and_its_numbers() {
    let strict = || {
        let mut report = report();
        report.threshold = crate::Threshold { fail_on: Severity::Note, is_strict: true };
        report
    };
    for report in [report(), strict(), empty()] {
        let text = rendered("junit", &report);
        let document = roxmltree::Document::parse(&text).expect("XML");
        assert_eq!(document.root_element().tag_name().name(), "testsuites");
        for node in document.descendants().filter(roxmltree::Node::is_element) {
            let name = node.tag_name().name();
            let (_, attributes, children) =
                JUNIT.iter().find(|(known, ..)| *known == name).expect("a known element");
            assert!(node.attributes().all(|it| attributes.contains(&it.name())), "{name}");
            let found: Vec<_> = node
                .children()
                .filter(roxmltree::Node::is_element)
                .map(|it| it.tag_name().name().to_owned())
                .collect();
            let order: Vec<_> = found
                .iter()
                .map(|it| children.iter().position(|child| child == it).expect("a child"))
                .collect();
            assert!(order.is_sorted(), "{name}: {found:?}");
            if name.starts_with("testsuite") {
                let count = |wanted: &str| {
                    node.descendants().filter(|it| it.has_tag_name(wanted)).count().to_string()
                };
                assert_eq!(node.attribute("tests"), Some(count("testcase").as_str()));
                assert_eq!(node.attribute("failures"), Some(count("failure").as_str()));
                assert_eq!(node.attribute("skipped"), Some(count("skipped").as_str()));
            }
        }
        assert_eq!(text.contains("<failure"), !report.conforms());
    }
}

#[test]
fn the_page_has_nothing_in_it_that_runs_or_loads() {
    let text = rendered("html", &report());
    for word in [
        "<script",
        "javascript:",
        "src=",
        "href=",
        "<img",
        "<iframe",
        "@import",
        "url(",
        "onclick",
        "<b>the</b>",
    ] {
        assert!(!text.contains(word), "{word}");
    }
    assert!(text.contains("&lt;/script&gt;"));
    // Every element that is opened is closed, so no word of a program ended one.
    let body =
        text.split_once("<body>").expect("a body").1.split_once("</body>").expect("its end").0;
    let body = body.replace("checked>", "checked=\"\"/>");
    assert!(
        body.contains(concat!("manila ", env!("CARGO_PKG_VERSION"), ", 2")),
        "made by and when"
    );
    roxmltree::Document::parse(&format!("<body>{body}</body>")).expect("well-formed");
}

#[test]
fn markdown_closes_every_fence_and_keeps_its_columns() {
    let text = rendered("markdown", &report());
    assert_eq!(text.lines().filter(|line| line.starts_with("```")).count() % 2, 0);
    for row in text.lines().filter(|line| line.starts_with('|')) {
        let bars = row.replace("\\|", "").matches('|').count();
        assert_eq!(bars, 5, "{row}");
    }
    assert!(!text.contains("@everyone"));
}

#[test]
fn carets_stand_below_the_bytes() {
    let text = shared::line::text_of(&human::lines(&report(), human::Detail::All));
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| line.ends_with("日本{}")).expect("the wide one");
    assert_eq!(lines[at + 1], "   | ^^^^");
}

#[test]
fn what_must_be_known_first_comes_first_in_every_format() {
    for format in FORMATS {
        let text = (format.render)(&report());
        let place =
            |word: &str| text.find(word).unwrap_or_else(|| panic!("{}: {word}", format.name));
        // In SARIF the rules come before the results, and in an envelope the error comes before its
        // data.
        let other = match format.name {
            "sarif" => "undecided",
            "json" => "\"subject\"",
            _ => "text-beside",
        };
        assert!(place("confined:") < place(other), "{}", format.name);
    }
    let report = report();
    let spec = crate::spec::spec(&report);
    assert!(crate::spec::markdown(&spec).starts_with("> [!NOTE]\n"));
    let lines = shared::line::text_of(&crate::spec::lines(&spec));
    assert!(lines.starts_with("note: it is <not> confined"), "{lines}");
}

/// A report in which nothing was decided.
fn empty() -> Report {
    let mut report = report();
    report.judged.retain(|judged| !matches!(judged.verdict, Verdict::Failed(_)));
    report.gaps.clear();
    report.stale_waivers.clear();
    report
}
