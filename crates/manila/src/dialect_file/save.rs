//! From a table to the text of a file.

use super::form::{
    DetectForm, ExitsForm, FileForm, FormForm, IssueForm, KeyForm, LevelForm, LineForm, Name,
    RevisionForm, RowForm, ShapeForm, TestForm,
};
use crate::exit::{ExitRow, ExitTable, Grain};
use crate::json::Layout;
use crate::table::{
    CodeSet, Field, Form, Is, Key, Line, LineHolds, Need, Null, OutcomeFrom, Outcomes, Rest, Role,
    Table, Test, Type,
};
use crate::transcript::Stream;
use std::collections::BTreeMap;
use toml::Spanned;

/// The file of a table. It has no page, and says nothing of what a dialect needs code for.
pub fn save(table: &Table) -> String {
    let mut codes: BTreeMap<Name, Vec<String>> = BTreeMap::new();
    for (code, exit) in table.codes {
        codes.entry(name(exit.name())).or_default().push((*code).to_owned());
    }
    let mut keys = Vec::new();
    collect("", table.keys, &mut keys);
    let form = FileForm {
        id: name(table.id),
        summary: table.summary.to_owned(),
        title: Some(table.title.to_owned()),
        description: Some(table.description.to_owned()),
        page: None,
        version: table.version.map(str::to_owned),
        has_meta: table.has_meta,
        kind: Some(name(table.kind.as_str())),
        outcome: unless(table.outcome, OutcomeFrom::Keys, OutcomeFrom::as_str),
        rest: unless(table.rest, Rest::Kept, Rest::as_str),
        code_set: unless(table.code_set, CodeSet::Open, CodeSet::as_str),
        no_data: all(table.no_data),
        revision: table
            .revision
            .map(|it| RevisionForm { path: it.path.to_owned(), known: all(it.known) }),
        success: Some(form_of(table.success)),
        failure: Some(form_of(table.failure)),
        exits: exits(table.exits),
        codes,
        detect: spanned(DetectForm {
            all: tests(table.marks.all),
            none: tests(table.marks.none),
            never: all(table.marks.never),
            levels: table
                .marks
                .levels
                .iter()
                .map(|level| LevelForm {
                    confidence: name(level.confidence.as_str()),
                    all: tests(level.all),
                    any: tests(level.any),
                    none: tests(level.none),
                    least: level.least,
                    of: all(level.of),
                })
                .collect(),
            shapes: table
                .marks
                .shapes
                .iter()
                .map(|shape| ShapeForm {
                    name: shape.name.to_owned(),
                    own: shape.own,
                    all: tests(shape.all),
                })
                .collect(),
        }),
        keys,
        lines: table.lines.iter().map(line).collect(),
        examples: Vec::new(),
    };
    // Text, numbers, lists and tables are all that a form holds, and TOML has them all.
    toml::to_string(&form).unwrap_or_default()
}

fn line(line: &Line) -> LineForm {
    let (data, warning, error, issue) = (None, None, None, None);
    let mut form = LineForm { all: tests(line.all), data, warning, error, issue };
    let path = |path: &str| (!path.is_empty()).then(|| path.to_owned());
    match line.holds {
        LineHolds::Progress => {}
        LineHolds::Data(path) => form.data = Some(path.to_owned()),
        LineHolds::Warning(path) => form.warning = Some(path.to_owned()),
        LineHolds::Error(path) => form.error = Some(path.to_owned()),
        LineHolds::Issue(issue) => {
            form.issue = Some(IssueForm {
                at: path(issue.at),
                code: path(issue.code),
                severity: path(issue.severity),
                message: path(issue.message),
            });
        }
    }
    form
}

pub(super) fn spanned<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

pub(super) fn name(text: &str) -> Name {
    spanned(text.to_owned())
}

/// A name, unless it is what stands for nothing.
fn unless<T: PartialEq + Copy>(value: T, usual: T, spell: fn(T) -> &'static str) -> Option<Name> {
    (value != usual).then(|| name(spell(value)))
}

fn all(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn form_of(form: Form) -> FormForm {
    FormForm {
        stream: unless(form.stream, Stream::Stdout, Stream::as_str),
        layout: unless(form.style.layout, Layout::Compact, Layout::as_str),
        ascii: form.style.ascii,
    }
}

fn exits(exits: &ExitTable) -> ExitsForm {
    ExitsForm {
        grain: unless(exits.grain, Grain::Coarse, Grain::as_str),
        signals: exits.signals,
        rows: spanned(exits.rows.iter().map(row).collect()),
        nearest: exits.nearest.iter().map(|(exit, status)| (name(exit.name()), *status)).collect(),
    }
}

fn row(row: &ExitRow) -> RowForm {
    RowForm {
        status: row.status,
        class: name(row.exit.name()),
        retry: Some(name(row.retry.as_str())),
        effects: Some(name(row.effects.as_str())),
    }
}

fn tests(tests: &[Test]) -> Vec<TestForm> {
    let form = |test: &Test| {
        let mut form = TestForm {
            path: name(test.path),
            is: None,
            is_not: None,
            matches: None,
            not_matches: None,
        };
        match (test.is, test.not) {
            (Is::Matches(patterns), false) => form.matches = Some(all(patterns)),
            (Is::Matches(patterns), true) => form.not_matches = Some(all(patterns)),
            (is, false) => form.is = Some(name(is.as_str())),
            (is, true) => form.is_not = Some(name(is.as_str())),
        }
        form
    };
    tests.iter().map(form).collect()
}

/// The keys, each behind the key that it is a member of.
fn collect(parent: &str, keys: &[Key], into: &mut Vec<Spanned<KeyForm>>) {
    for key in keys {
        let path =
            if parent.is_empty() { key.name.to_owned() } else { format!("{parent}.{}", key.name) };
        let mut form = KeyForm {
            path: name(&path),
            field: unless(key.field, Field::None, Field::as_str),
            of: None,
            constant: Vec::new(),
            one_of: Vec::new(),
            success: Vec::new(),
            failure: Vec::new(),
            required: key.need == Need::Required && key.need_if.is_empty(),
            required_if: tests(key.need_if),
            on: unless(key.on, Outcomes::Both, Outcomes::as_str),
            null: unless(key.null, Null::Absent, Null::as_str),
            empty_is_absent: key.empty_is_absent,
            role: unless(key.role, Role::Own, Role::as_str),
            rest: unless(key.rest, Rest::Kept, Rest::as_str),
            doc: key.doc.to_owned(),
        };
        match key.of {
            Type::Const(texts) => form.constant = all(texts),
            Type::OneOf(texts) => form.one_of = all(texts),
            Type::Outcome { success, failure } => {
                (form.success, form.failure) = (all(success), all(failure));
            }
            of => form.of = Some(name(of.as_str())),
        }
        into.push(spanned(form));
        collect(&path, key.keys, into);
    }
}
