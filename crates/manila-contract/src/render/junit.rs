//! `JUnit` XML: a suite for each family, a case for each change. What counts against the comparison is a
//! failure, and what needs a person is skipped.

use crate::diff::Impact;
use crate::diff::rule::comparison::COVERAGE_LOST;
use crate::report::{Classified, Comparison};
use manila_check::internal::{markup, put};

pub(super) fn render(comparison: &Comparison) -> String {
    let mut suites = String::new();
    for (family, changes) in comparison.families() {
        let cases: String = changes.iter().map(|one| case(comparison, one)).collect();
        let numbers = numbers(comparison, &changes);
        put(
            &mut suites,
            format_args!(
                "  <testsuite name=\"{}\" {numbers} time=\"0\">\n{cases}  </testsuite>\n",
                family.as_str()
            ),
        );
    }
    for name in &comparison.snapshots {
        let name = markup(name);
        put(
            &mut suites,
            format_args!(
                "  <testsuite name=\"snapshots\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"0\">\n    \
                 <testcase classname=\"snapshots\" name=\"{name}\" time=\"0\">\n      <failure type=\"snapshot\" \
                 message=\"it is not as it was\"/>\n    </testcase>\n  </testsuite>\n"
            ),
        );
    }
    let all: Vec<&Classified> = comparison.changes.iter().collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{} {}\" {} time=\"0\">\n{suites}</testsuites>\n",
        comparison.title(),
        markup(&comparison.subject()),
        numbers(comparison, &all),
    )
}

fn is_error(one: &Classified) -> bool {
    one.change.rule == &COVERAGE_LOST && one.accepted.is_none()
}

fn is_skipped(comparison: &Comparison, one: &Classified) -> bool {
    one.impact == Impact::Human && !comparison.counts_against(one) && !is_error(one)
}

fn numbers(comparison: &Comparison, changes: &[&Classified]) -> String {
    let count = |is: &dyn Fn(&Classified) -> bool| changes.iter().filter(|it| is(it)).count();
    format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
        changes.len(),
        count(&|it| comparison.counts_against(it)),
        count(&is_error),
        count(&|it| is_skipped(comparison, it)),
    )
}

fn case(comparison: &Comparison, one: &Classified) -> String {
    let rule = one.change.rule;
    let (line, fix) = (markup(&one.line()), markup(rule.fix));
    let name = markup(&format!("{} {} {}", rule.id, one.change.places(), one.change.fingerprint()));
    let opening =
        format!("    <testcase classname=\"{}\" name=\"{name}\" time=\"0\"", rule.family.as_str());
    let witness = one.witnessed().map_or_else(String::new, |it| format!("{}\n", markup(&it)));
    let kind = one.impact.as_str();
    let inside = if comparison.counts_against(one) {
        format!("<failure type=\"{kind}\" message=\"{line}\">\n{witness}fix: {fix}\n</failure>")
    } else if is_error(one) {
        format!("<error type=\"{kind}\" message=\"{line}\"/>")
    } else if is_skipped(comparison, one) {
        format!("<skipped message=\"{line}\"/>")
    } else {
        format!("<system-out>{line}</system-out>")
    };
    format!("{opening}>\n      {inside}\n    </testcase>\n")
}
