//! More than one document stands on standard output.

use super::{circumstance, judge_stdout};
use crate::blemish::Look;
use crate::evidence::{Evidence, Seen};
use crate::plan::sample;
use crate::probe::{Form, Plan, Probe, Purpose};
use crate::rule::{Family, Rule, Severity};
use crate::surface::{Json, Surface};
use crate::verdict::{Finding, Verdict};
use manila::Stream;
use manila::json::{Limits, Reader};

pub(crate) static RULE: Rule = Rule {
    id: "several-documents",
    family: Family::Document,
    severity: Severity::Error,
    flaw: "More than one JSON document stands on standard output.",
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
            let args = sample.iter().cloned().chain([flag.word()]);
            plan.ask(Probe::new(command, Purpose::Extra, Form::Json, args, &surface.json));
        }
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_stdout(evidence, |seen, look| {
        if look.documents.len() < 2
            || is_declared(evidence, seen)
            || are_lines_of_data(&seen.run.transcript.stdout, look)
        {
            return None;
        }
        let count = look.documents.len();
        let message = format!(
            "{count} documents stand on standard output where one was asked for{}",
            circumstance(&seen.run.probe.setting)
        );
        Some(Finding::new(seen, message).at(seen, Stream::Stdout, look.documents[1].clone()))
    })
}

/// Whether somebody says that the answer is a stream: the command, its help, or the words that ask.
fn is_declared(evidence: &Evidence<'_>, seen: &Seen<'_>) -> bool {
    let says = |text: &str| {
        let text = text.to_ascii_lowercase();
        ["jsonl", "ndjson", "json lines", "stream", "per line", "newline-delimited"]
            .iter()
            .any(|word| text.contains(word))
    };
    let asked = match &evidence.surface.json {
        Json::Asked(words) => words.iter().any(|word| says(word)),
        Json::Always | Json::Unknown => false,
    };
    let described = seen.command.is_some_and(|command| {
        let flags = command.flags.iter().filter(|flag| flag.long.as_deref() == Some("json"));
        command.streams || says(&command.about) || flags.into_iter().any(|flag| says(&flag.about))
    });
    asked || described || seen.run.probe.args.iter().any(|word| says(&word.to_string_lossy()))
}

/// Whether it looks as if lines of data were meant: different objects with the same keys, each on one
/// line, that are no envelopes. Nobody declared it, so nothing is said for or against it.
fn are_lines_of_data(stdout: &[u8], look: &Look) -> bool {
    let mut reader = Reader::new(Limits::default());
    let mut shapes = Vec::new();
    for span in &look.documents {
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
    let is_repeated = stdout[look.documents[0].clone()] == stdout[look.documents[1].clone()];
    !is_envelope && !is_repeated && shapes.iter().all(|keys| *keys == shapes[0])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge, judge_with, ran, surface};

    fn verdict(stdout: &str) -> &'static str {
        judge(&RULE, &[ran(Purpose::Sample, stdout, 0)]).word()
    }

    #[test]
    fn a_second_document_is_found() {
        assert_eq!(verdict("{\"ok\":true}\n{\"ok\":true}\n"), "violated");
        assert_eq!(verdict("[1]\n[2]\n"), "violated");
        assert_eq!(verdict("{\"a\":1}\n{\"b\":2}\n"), "violated");
        assert_eq!(verdict("{\"a\":1}{\"a\":2}\n"), "violated");
    }

    #[test]
    fn one_document_lines_of_data_and_logs_are_none() {
        assert_eq!(verdict("{\"ok\":true}\n"), "holds");
        assert_eq!(verdict("{\"id\":1}\n{\"id\":2}\n"), "holds");
        assert_eq!(verdict("{\"level\":\"info\",\"msg\":\"\"}\n{\"ok\":true}\n"), "holds");
    }

    #[test]
    fn a_declared_stream_is_none() {
        let mut surface = surface();
        surface.commands[1].streams = true;
        let run = ran(Purpose::Sample, "{\"ok\":true}\n{\"ok\":true}\n", 0);
        assert_eq!(judge_with(&RULE, &surface, &[run]).word(), "holds");
    }
}
