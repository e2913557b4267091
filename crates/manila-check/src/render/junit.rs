//! `JUnit` XML: a suite for each family, a case for each rule. What keeps the program from conforming is
//! a failure, and what is undecided is skipped.

use super::human::drawn;
use super::shared::escape::markup;
use super::shared::put;
use crate::report::cause::Cause;
use crate::report::model::{Judged, Report};
use crate::rule::definition::Family;
use crate::rule::verdict::{Finding, Verdict};

pub(super) fn render(report: &Report) -> String {
    let families = report.families();
    let suites = families.iter().enumerate().map(|(at, (family, judged))| {
        // The first suite has what must be known first.
        let notes = if at == 0 { report.notes.as_slice() } else { &[] };
        suite(report, *family, judged, notes)
    });
    let suites: Vec<String> = suites.collect();
    let all: Vec<&Judged> = report.judged.iter().collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"manila check {}\" {} time=\"{}.{:03}\">\n{}</testsuites>\n",
        markup(&report.subject_line()),
        numbers(report, &all),
        report.summary.time.as_secs(),
        report.summary.time.subsec_millis(),
        suites.concat(),
    )
}

fn numbers(report: &Report, judged: &[&Judged]) -> String {
    let failures = judged.iter().filter(|it| report.fails(it)).count();
    let skipped = judged.iter().filter(|it| is_skipped(report, it)).count();
    format!("tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\"", judged.len())
}

fn is_skipped(report: &Report, judged: &Judged) -> bool {
    matches!(judged.verdict, Verdict::Undecided { .. }) && !report.fails(judged)
}

fn suite(report: &Report, family: Family, judged: &[&Judged], notes: &[String]) -> String {
    let note =
        |text: &String| format!("      <property name=\"note\" value=\"{}\"/>\n", markup(text));
    let mut properties: String = notes.iter().map(note).collect();
    if !properties.is_empty() {
        properties = format!("    <properties>\n{properties}    </properties>\n");
    }
    let cases: String = judged.iter().map(|judged| case(report, family, judged)).collect();
    let (name, numbers) = (family.as_str(), numbers(report, judged));
    format!(
        "  <testsuite name=\"{name}\" {numbers} time=\"0\">\n{properties}{cases}  </testsuite>\n"
    )
}

fn case(report: &Report, family: Family, judged: &Judged) -> String {
    let mut body = String::new();
    match &judged.verdict {
        Verdict::Passed { .. } => {}
        Verdict::Undecided { why, declare } => {
            let declare = declare.map_or_else(String::new, |it| format!("; declare {it}"));
            let message = markup(&format!("{why}{declare}"));
            let element =
                if report.fails(judged) { "failure type=\"undecided\"" } else { "skipped" };
            put(&mut body, format_args!("      <{element} message=\"{message}\"/>\n"));
        }
        Verdict::Failed(findings) => {
            let kind = judged.severity.as_str();
            let message = findings.first().map(|it| markup(&it.message)).unwrap_or_default();
            let text: String = judged.causes().iter().map(described).collect();
            let text = format!("{text}fix: {}\n", markup(judged.rule.fix));
            if report.fails(judged) {
                put(
                    &mut body,
                    format_args!(
                        "      <failure type=\"{kind}\" message=\"{message}\">\n{text}</failure>\n"
                    ),
                );
            } else {
                put(&mut body, format_args!("      <system-out>\n{text}</system-out>\n"));
            }
        }
    }
    if !judged.waived.is_empty() {
        let line = |(finding, reason): &(Finding, String)| {
            format!("waived in {}: {}\n", markup(&finding.place()), markup(reason))
        };
        let text: String = judged.waived.iter().map(line).collect();
        put(&mut body, format_args!("      <system-err>\n{text}</system-err>\n"));
    }
    let opening = format!(
        "    <testcase classname=\"{}\" name=\"{}\" time=\"0\"",
        family.as_str(),
        judged.rule.id
    );
    match body.as_str() {
        "" => format!("{opening}/>\n"),
        _ => format!("{opening}>\n{body}    </testcase>\n"),
    }
}

fn described(cause: &Cause<'_>) -> String {
    let finding = cause.first;
    let mut text = format!(
        "{}: {}\n$ {}\n",
        markup(&cause.places().join(", ")),
        markup(&finding.message),
        markup(&finding.reproduce)
    );
    if let Some(excerpt) = &finding.excerpt {
        let (bytes, marks) = drawn(excerpt);
        let place = format!("{}, bytes {}..{}", excerpt.stream, excerpt.start, excerpt.end);
        put(&mut text, format_args!("{place}\n  {}\n  {marks}\n", markup(&bytes)));
    }
    text
}
