//! What is checked, each with a name, in one table.
//!
//! A new check is a function and a line in [`CHECKS`]. Where a check needs the envelope and there is
//! none, it says nothing: `one-document` or `dialect` has said so.

use super::BROKEN;
use super::called::{Called, Frame, Meant, Violation};
use super::case::{Case, Group};
use super::finding::{Findings, MOST, about, at};
use super::promise::Code;
use super::schemas::{data_schema, envelope_schema, frame_data};
use crate::mode::Mode;
use manila::json::{FactKind, Raw};
use manila::{Confidence, Detection, Exit, Stream};
use std::fmt::Write as _;

struct Check {
    name: &'static str,
    of: Of,
    find: fn(&Case<'_>, &mut Findings),
}

/// Which answers a check is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    /// Those for programs.
    Documents,
    /// Those for people.
    Pages,
}

const fn document(name: &'static str, find: fn(&Case<'_>, &mut Findings)) -> Check {
    Check { name, of: Of::Documents, find }
}

const fn page(name: &'static str, find: fn(&Case<'_>, &mut Findings)) -> Check {
    Check { name, of: Of::Pages, find }
}

static CHECKS: &[Check] = &[
    document("one-document", one_document),
    document("frames", frames),
    document("frame-data", frame_data),
    document("no-escape", no_escape),
    document("dialect", dialect),
    document("stream", stream),
    document("plain-json", plain_json),
    document("envelope-schema", envelope_schema),
    document("ok-is-status", ok_is_status),
    document("status-of-class", status_of_class),
    document("something-said", something_said),
    document("self-check", self_check),
    document("code-declared", code_declared),
    document("code-of-command", code_of_command),
    document("class-of-code", class_of_code),
    document("kind-declared", kind_declared),
    document("kind-of-command", kind_of_command),
    document("data-schema", data_schema),
    document("redirect-command", redirect_command),
    document("page-cursor", page_cursor),
    page("no-colour", no_colour),
    page("failure-says-why", failure_says_why),
];

impl Called {
    /// Every way in which the answer breaks the contract.
    pub fn violations(&self) -> Vec<Violation> {
        all(self)
    }

    /// Asserts that the answer keeps the contract: one document, on the right stream, valid in its
    /// dialect, with a status, a code, a kind and data that the program declared.
    ///
    /// # Panics
    ///
    /// If it breaks it; the message lists every violation.
    #[track_caller]
    #[expect(clippy::panic, reason = "it is an assertion of the author's tests")]
    pub fn assert_contract(&self) -> &Called {
        let violations = self.violations();
        if violations.is_empty() {
            return self;
        }
        let list = violations.iter().fold(String::new(), |mut list, violation| {
            let _ = writeln!(list, "  - {violation}");
            list
        });
        panic!("{} breaks its contract:\n{list}{}", self.title(), self.streams());
    }
}

/// Everything that is wrong with a call.
fn all(called: &Called) -> Vec<Violation> {
    let case = Case::new(called);
    let of = if called.known.mode.is_json() { Of::Documents } else { Of::Pages };
    let checks = CHECKS.iter().filter(|check| check.of == of);
    checks
        .flat_map(|check| {
            let mut findings = Findings { check: check.name, list: Vec::new() };
            (check.find)(&case, &mut findings);
            findings.list
        })
        .collect()
}

/// Exactly one document, and nothing beside it on its stream or on stdout.
fn one_document(case: &Case<'_>, findings: &mut Findings) {
    const ALONE: &str = "answer only through the reply; write logs to stderr";
    let opened = match &case.found {
        Ok(opened) => opened,
        Err(error) => {
            let place = error.place().map_or_else(
                || "both streams".to_owned(),
                |(stream, byte)| format!("{stream} byte {byte}"),
            );
            return findings.add(place, error.to_string(), "return a reply or a failure");
        }
    };
    let Detection { stream, span, .. } = &opened.detection;
    for fact in case.facts(Group::OneDocument) {
        findings.add(at(*stream, fact), about(fact), ALONE);
    }
    if *stream == Stream::Stderr {
        let beside = opened.detection.noise.iter().find(|noise| noise.stream == Stream::Stdout);
        if let Some(noise) = beside {
            let place = format!("stdout bytes {}..{}", noise.span.start, noise.span.end);
            findings.add(place, "the stream has something that is not part of the answer", ALONE);
        }
    }
    let is_torn = case.bytes(*stream).get(span.clone()).is_some_and(|it| it.contains(&b'\n'));
    if case.called.known.mode == Mode::Jsonl && is_torn {
        let remedy = "write it on one line, as every frame is";
        findings.add(stream.to_string(), "The envelope of a stream has several lines", remedy);
    }
}

/// Frames are numbered from 1 without a gap, come before the envelope, and it says how many.
fn frames(case: &Case<'_>, findings: &mut Findings) {
    const ONE_BY_ONE: &str = "write frames through `Call::stream` and `Call::progress` alone";
    let gone = case.called.known.gone;
    for (expected, frame) in (gone + 1..).zip(&case.frames) {
        if frame.number != expected {
            let place = format!("stdout byte {}", frame.span.start);
            let what = format!("frame {expected} has the number {}", frame.number);
            findings.add(place, what, ONE_BY_ONE);
            break;
        }
    }
    let Some(opened) = case.opened() else { return };
    let Detection { stream, span, .. } = &opened.detection;
    let is_late = |frame: &&Frame| *stream == Stream::Stdout && frame.span.start >= span.end;
    if let Some(frame) = case.frames.iter().find(is_late) {
        let place = format!("stdout byte {}", frame.span.start);
        findings.add(place, "a frame follows the envelope", "end what writes frames first");
    }
    let stated = opened.envelope.meta().extra.get("frames").map(Raw::as_str);
    let counted = (gone + case.frames.len() as u64).to_string();
    if let Some(stated) = stated.filter(|stated| *stated != counted) {
        let what = format!("{counted} frames were written, and it says {stated}");
        findings.add("meta.frames", what, ONE_BY_ONE);
    }
}

/// No raw escape byte anywhere.
fn no_escape(case: &Case<'_>, findings: &mut Findings) {
    for stream in [Stream::Stdout, Stream::Stderr] {
        if let Some(byte) = escape(case.bytes(stream)) {
            let remedy = "leave colour to the boundary, or ask `Call::mode` first";
            findings.add(
                format!("{stream} byte {byte}"),
                "the stream has a raw escape byte",
                remedy,
            );
        }
    }
}

fn escape(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| *byte == 0x1b)
}

/// It is an envelope of the program's dialect, and a caller need not guess that it is.
fn dialect(case: &Case<'_>, findings: &mut Findings) {
    let Ok(opened) = &case.found else { return };
    let found = &opened.detection;
    let (own, id) = (case.dialect_id(), found.dialect.id());
    let sure = found.confidence.as_str();
    // An error of a flat envelope is only likely when its code is in capitals, as the boundary's
    // are; callers act on that.
    let needed = if opened.envelope.ok() { Confidence::Certain } else { Confidence::Likely };
    if id != own {
        let what = format!("it is {sure} to be an envelope of {id}");
        findings.add(found.stream.to_string(), what, format!("the program speaks {own}"));
    } else if found.confidence < needed || found.contested {
        let what = format!("it is only {sure} to be an envelope of {own}");
        let remedy = "give kinds and codes names in lower_case, and write nothing beside it";
        findings.add(found.stream.to_string(), what, remedy);
    }
}

/// It is on the stream that the dialect declares for its outcome.
fn stream(case: &Case<'_>, findings: &mut Findings) {
    if case.opened().is_none() || case.is_contradicted() {
        return;
    }
    if case.facts(Group::Stream).next().is_some() {
        let form = case.called.contract.dialect.form(case.is_success());
        let outcome = if case.is_success() { "success" } else { "failure" };
        let what = format!("a {outcome} of {} belongs on {}", case.dialect_id(), form.stream);
        findings.add(case.stream().to_string(), what, "let the boundary write the answer");
    }
}

/// Nothing odd: no duplicate keys, no numbers that a double cannot hold, no control characters.
fn plain_json(case: &Case<'_>, findings: &mut Findings) {
    for fact in case.facts(Group::Oddity).take(MOST) {
        let remedy = match fact.kind {
            FactKind::DuplicateKey => "rename or do not flatten one of them",
            FactKind::IntegerBeyond53Bits
            | FactKind::IntegerBeyond64Bits
            | FactKind::NumberOutOfRange => "write the number as text",
            _ => "take it out of the text",
        };
        findings.add(at(case.stream(), fact), about(fact), remedy);
    }
}

/// Success is status 0, failure is another, and the document says the same.
fn ok_is_status(case: &Case<'_>, findings: &mut Findings) {
    if case.opened().is_none() {
        return;
    }
    let remedy = "end the process with the status that `App::run` returns";
    for fact in case.facts(Group::Status) {
        let place = format!("status {}", case.called.status);
        findings.add(place, about(fact), remedy);
    }
}

/// The status is the number of the outcome's class in the dialect's table.
fn status_of_class(case: &Case<'_>, findings: &mut Findings) {
    let status = case.called.status;
    if case.opened().is_none() || status == 0 {
        return;
    }
    let (place, id) = (format!("status {status}"), case.dialect_id());
    let exits = case.called.contract.dialect.table().exits;
    if let Some(signal) = case.called.signal {
        let what = format!("signal {signal} killed the process");
        return findings.add(place, what, "let the boundary handle signals");
    }
    let codes = case.called.contract.codes.iter().flatten();
    if let Some((code, exit, signal)) = case.meant_error() {
        let expected = signal.map_or_else(|| exits.status(exit), |it| exits.interrupted(it));
        let is_declared = codes.clone().any(|it| it.name == code && it.status == status);
        if status != expected && !is_declared {
            let what = format!("{} is {expected} in {id}", exit.name());
            findings.add(place, what, "end the process with the status that `App::run` returns");
        }
    } else if exits.row(status).is_none()
        && !case.is_interrupted()
        && !codes.clone().any(|it| it.status == status)
    {
        let what = format!("{id} has no such number");
        findings.add(place, what, "end the process with the status that `App::run` returns");
    }
}

/// There are data or an error, unless what the caller has still holds.
fn something_said(case: &Case<'_>, findings: &mut Findings) {
    if case.opened().is_none() || case.is_contradicted() {
        return;
    }
    for fact in case.facts(Group::Silence) {
        findings.add(at(case.stream(), fact), about(fact), "answer with data or with an error");
    }
}

/// The program did not find fault with itself.
fn self_check(case: &Case<'_>, findings: &mut Findings) {
    let error = case.opened().and_then(|opened| opened.envelope.error());
    if let Some(list) = error.and_then(|error| error.message.strip_prefix(BROKEN)) {
        findings.add("the program itself", list, "it was checked before it was written");
    }
}

/// The error's code is one that the program declares.
fn code_declared(case: &Case<'_>, findings: &mut Findings) {
    let contract = &case.called.contract;
    let Some(declared) = &contract.codes else { return };
    if case.opened().is_none_or(|opened| opened.envelope.ok()) {
        return;
    }
    let remedy = "add it to what `Failure::declared` lists";
    if let Some((code, ..)) = case.meant_error() {
        if !declared.iter().any(|known| known.name == code) {
            findings.add("error.code", format!("`{code}` is not declared"), remedy);
        }
        return;
    }
    let written = case.written_codes();
    let is_unknown = |code: &&str| contract.codes_written(code).is_empty();
    if !written.is_empty() && written.iter().all(is_unknown) {
        let what = format!("`{}` is not declared", written.join("`, `"));
        findings.add("error.code", what, remedy);
    }
}

/// Where a command lists its codes, it fails with no others.
fn code_of_command(case: &Case<'_>, findings: &mut Findings) {
    let command = &case.called.known.command;
    let Some((code, ..)) = case.meant_error() else { return };
    if command.codes.as_ref().is_some_and(|codes| !codes.contains(&code)) {
        let what = format!("`{}` does not list `{code}`", command.name);
        findings.add("error.code", what, "add it to `Spec::fails` of the command");
    }
}

/// A code has the exit class that is declared for it.
fn class_of_code(case: &Case<'_>, findings: &mut Findings) {
    let contract = &case.called.contract;
    let remedy = "a code has one class: make `Failure::into_error` and `Failure::declared` agree";
    if let Some((code, exit, _)) = case.meant_error() {
        let mut known = contract.codes.iter().flatten().filter(|known| known.name == code);
        let Some(declared) = known.clone().next() else { return };
        let is_it = known.any(|known| {
            let is_mistake = exit == Exit::ArgError && contract.refuses(known);
            known.exit == exit && !exit.is_success() || is_mistake
        });
        if !is_it {
            let (stated, had) = (declared.exit.name(), exit.name());
            let what = format!("`{code}` is declared as {stated} and came as {had}");
            findings.add("error.code", what, remedy);
        }
        return;
    }
    if case.is_interrupted() {
        return;
    }
    let status = case.called.status;
    let mistake = contract.dialect.status(Exit::ArgError);
    let fits =
        |code: &&Code| code.status == status || (status == mistake && contract.refuses(code));
    for written in case.written_codes() {
        let codes = contract.codes_written(written);
        if !codes.is_empty() && !codes.iter().any(fits) {
            let numbers: Vec<String> = codes.iter().map(|code| code.status.to_string()).collect();
            let what =
                format!("`{written}` is declared with {}, not {status}", numbers.join(" or "));
            findings.add(format!("status {status}"), what, remedy);
        }
    }
}

/// The kind of a success is one that the program declares.
fn kind_declared(case: &Case<'_>, findings: &mut Findings) {
    let Some((kind, known)) = case.kind().zip(case.called.contract.kinds.as_ref()) else { return };
    if !known.iter().any(|known| known.name == kind) {
        let what = format!("`{kind}` is not declared");
        findings.add("kind", what, "add it to what `Reply::kinds` lists");
    }
}

/// Where a command lists its kinds, it answers with no others.
fn kind_of_command(case: &Case<'_>, findings: &mut Findings) {
    let command = &case.called.known.command;
    let Some((kind, listed)) = case.kind().zip(command.kinds.as_ref()) else { return };
    if !listed.contains(&kind) {
        let what = format!("`{}` does not list `{kind}`", command.name);
        findings.add("kind", what, "add it to the command with `Spec::reply`");
    }
}

/// An answer that sends its caller elsewhere says where.
fn redirect_command(case: &Case<'_>, findings: &mut Findings) {
    let Some(opened) = case.opened().filter(|it| it.envelope.exit() == Exit::Redirected) else {
        return;
    };
    let redirect = opened.envelope.error().and_then(|error| error.redirect.as_ref());
    if redirect.is_none_or(|redirect| redirect.command.is_empty()) {
        let what = "it says REDIRECTED and names no command";
        findings.add(
            "error.redirect",
            what,
            "use another class, `App::moved` or `Error::redirect`",
        );
    }
}

/// A page that is not the last says where the next one begins.
fn page_cursor(case: &Case<'_>, findings: &mut Findings) {
    let Some(opened) = case.opened() else { return };
    let meta = opened.envelope.meta();
    let is_page = meta.extra.get("returned").is_some();
    if is_page && meta.truncated && meta.cursor.is_none() {
        let what = "the page is truncated and has no cursor";
        findings.add("meta.cursor", what, "answer with the cursor of the next page");
    }
}

/// Where colour is off there is none.
fn no_colour(case: &Case<'_>, findings: &mut Findings) {
    let streams = [Stream::Stdout, Stream::Stderr].into_iter().zip(case.called.known.colour);
    for (stream, _) in streams.filter(|(_, is_coloured)| !is_coloured) {
        if let Some(byte) = escape(case.bytes(stream)) {
            let what = "the stream has an escape byte although colour is off";
            findings.add(format!("{stream} byte {byte}"), what, "show it through the `Screen`");
        }
    }
}

/// A failure says why, where people look for it.
fn failure_says_why(case: &Case<'_>, findings: &mut Findings) {
    let is_silent = matches!(case.called.known.meant, Some(Meant::Error { is_silent: true, .. }));
    if case.called.status != 0 && case.called.stderr.is_empty() && !is_silent {
        findings.add("stderr", "it failed and says nothing", "return a failure with a message");
    }
}

#[cfg(test)]
mod tests {
    use super::CHECKS;

    #[test]
    fn the_table_and_the_documentation_agree() {
        let documented = include_str!("mod.rs");
        let named = documented.lines().filter_map(|line| line.strip_prefix("//! | `"));
        let named: Vec<&str> = named.filter_map(|line| line.split('`').next()).collect();
        let checks: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
        assert_eq!(named, checks);
    }
}
