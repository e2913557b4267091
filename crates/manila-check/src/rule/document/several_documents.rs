//! There is more than one document on stdout.

use super::{circumstance, judge_stdout};
use crate::observe::defect::StreamScan;
use crate::observe::probe::{Form, Probe, Purpose};
use crate::plan::collection::Plan;
use crate::plan::usual::sample;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict};
use crate::severity::Severity;
use crate::surface::model::Surface;
use manila::Stream;
use manila::json::{Limits, Reader};

pub(crate) static RULE: Rule = Rule {
    id: "several-documents",
    family: Family::Document,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "There is more than one JSON document on stdout.",
    fix: "Collect everything into one document, or declare a stream of lines.",
    page: include_str!("several_documents.md"),
    modes: &[2, 76],
    requirements: &["F-003"],
    plan,
    judge,
};

/// Flags that fetch all there is, page by page: where pages are written as they come, each is a document.
const WHOLE: &[&str] = &["all", "all-pages", "fetch-all", "no-limit", "page-all", "paginate"];

fn plan(surface: &Surface, plan: &mut Plan) {
    for command in &surface.commands {
        let sample = sample(surface, command, Form::Json).and(command.sample.as_ref());
        let flag = WHOLE.iter().find_map(|name| command.flag(name));
        let flag = flag.filter(|flag| flag.value.is_none());
        if let (Some(sample), Some(flag)) = (sample, flag) {
            let args = sample.iter().cloned().chain([flag.spelling()]);
            plan.ask(Probe::new(command, Purpose::Extra, Form::Json, args, &surface.json));
        }
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_stdout(evidence, |seen, scan| {
        if scan.documents.len() < 2
            || is_declared(evidence, seen)
            || are_lines_of_data(&seen.run.transcript.stdout, scan)
        {
            return None;
        }
        let count = scan.documents.len();
        let message = format!(
            "{count} documents on stdout where one was asked for{}",
            circumstance(&seen.run.probe.setting)
        );
        Some(Finding::new(seen, message).at(seen, Stream::Stdout, scan.documents[1].clone()))
    })
}

/// Whether the answer is declared as a stream: by the command, its help, or the flag that asks for
/// it.
fn is_declared(evidence: &Evidence<'_>, seen: &ObservedRun<'_>) -> bool {
    let says = |text: &str| {
        let text = text.to_ascii_lowercase();
        ["jsonl", "ndjson", "json lines", "stream", "per line", "newline-delimited"]
            .iter()
            .any(|word| text.contains(word))
    };
    let asked = evidence.surface.json.words().iter().any(|word| says(word));
    let described = seen.command.is_some_and(|command| {
        let flags = command.flags.iter().filter(|flag| flag.long.as_deref() == Some("json"));
        command.streams || says(&command.about) || flags.into_iter().any(|flag| says(&flag.about))
    });
    asked || described || seen.run.probe.args.iter().any(|word| says(&word.to_string_lossy()))
}

/// Whether it looks as if lines of data were meant: different objects with the same keys, each on
/// one line, that are not envelopes. It is not declared, so the rule neither passes nor fails.
fn are_lines_of_data(stdout: &[u8], scan: &StreamScan) -> bool {
    let mut reader = Reader::new(Limits::default());
    let mut shapes = Vec::new();
    for span in &scan.documents {
        let bytes = &stdout[span.clone()];
        let begins_line = span.start == 0 || stdout[span.start - 1] == b'\n';
        if !begins_line || bytes.contains(&b'\n') || bytes[0] != b'{' {
            return false;
        }
        let Ok(document) = reader.read_at(stdout, span.start) else { return false };
        let keys: Vec<String> = document.members().map(|it| it.key().into_owned()).collect();
        shapes.push(keys);
    }
    let is_envelope = shapes[0]
        .iter()
        .any(|key| matches!(key.as_str(), "ok" | "success" | "error" | "data" | "result" | "meta"));
    let is_repeated = stdout[scan.documents[0].clone()] == stdout[scan.documents[1].clone()];
    let is_alike = shapes.iter().all(|keys| *keys == shapes[0]);
    !is_envelope && !is_repeated && (is_alike || are_events(&shapes))
}

/// Whether these are events of a stream: at least three objects that all name their kind.
fn are_events(shapes: &[Vec<String>]) -> bool {
    const KINDS: &[&str] = &["type", "event", "kind", "reason", "@level", "level"];
    let names = |kind: &&&str| shapes.iter().all(|keys| keys.iter().any(|key| key == **kind));
    shapes.len() >= 3 && KINDS.iter().any(|kind| names(&kind))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, judge_with, ran, surface};

    fn verdict(stdout: &str) -> &'static str {
        judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).as_str()
    }

    #[test]
    fn a_second_document_is_found() {
        assert_eq!(verdict("{\"ok\":true}\n{\"ok\":true}\n"), "failed");
        assert_eq!(verdict("[1]\n[2]\n"), "failed");
        assert_eq!(verdict("{\"a\":1}\n{\"b\":2}\n"), "failed");
        assert_eq!(verdict("{\"a\":1}{\"a\":2}\n"), "failed");
    }

    #[test]
    fn one_document_lines_of_data_and_logs_are_none() {
        assert_eq!(verdict("{\"ok\":true}\n"), "passed");
        assert_eq!(verdict("{\"id\":1}\n{\"id\":2}\n"), "passed");
        let events = "{\"type\":\"a\"}\n{\"type\":\"b\",\"n\":1}\n{\"type\":\"c\"}\n";
        assert_eq!(verdict(events), "passed");
        assert_eq!(verdict("{\"level\":\"info\",\"msg\":\"\"}\n{\"ok\":true}\n"), "passed");
    }

    #[test]
    fn a_declared_stream_is_none() {
        let mut surface = surface();
        surface.commands[1].streams = true;
        let run = ran(Purpose::Sample, "{\"ok\":true}\n{\"ok\":true}\n", 0);
        assert_eq!(judge_with(&RULE, &surface, &[run]).as_str(), "passed");
    }
}
