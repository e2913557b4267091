//! What is wrong with a pack, on which line, and what to write instead.

mod answers;
mod calls;
mod place;
mod runs;

use crate::model::Model;
use place::{Places, Step};
pub use runs::{Checked, Expectation, check_file};
use serde::Serialize;
use std::collections::BTreeSet;

/// Something that is wrong with a pack or with a run beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The line of `pack.toml`, from 1 on.
    pub line: Option<usize>,
    /// The run, if a run is at fault.
    pub run: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub hint: String,
}

/// What the checks need: the pack, where its parts stand, and what was found so far.
struct Linter<'m> {
    model: &'m Model<'static>,
    places: &'m Places<'m>,
    findings: Vec<Finding>,
}

impl Linter<'_> {
    fn report(&mut self, path: &[Step<'_>], message: impl Into<String>, hint: impl Into<String>) {
        let line = Some(self.places.line(path));
        let (message, hint) = (message.into(), hint.into());
        self.findings.push(Finding { line, run: None, message, hint });
    }

    /// Every rule names where it was seen or read.
    fn evidence(&mut self, path: &[Step<'_>], evidence: &[crate::text::Text<'_>]) {
        if evidence.is_empty() {
            let hint = "add evidence = [\"run:<a run beside the pack>\"] or \
                        [\"read:<project> <version> <file or page>\"]";
            self.report(path, "the rule names no evidence", hint);
        }
        for text in evidence {
            let is_known = ["run:", "read:"]
                .iter()
                .any(|kind| text.strip_prefix(kind).is_some_and(|rest| !rest.trim().is_empty()));
            if !is_known {
                let message = format!("the evidence {text:?} has an unknown kind", text = &**text);
                self.report(path, message, "begin it with `run:` or `read:`");
            }
        }
    }
}

/// The pack, if it can be read, and what is wrong with it. Runs beside it are not looked at.
pub fn lint(text: &str) -> (Option<Model<'static>>, Vec<Finding>) {
    let model = match Model::from_toml(text) {
        Ok(model) => model,
        Err(error) => {
            let line = error.span().map(|span| place::line_of(text, span.start));
            let message = error.message().to_owned();
            let hint = "docs/packs.md lists the keys and what they take".to_owned();
            return (None, vec![Finding { line, run: None, message, hint }]);
        }
    };
    let places = Places::new(text);
    let mut linter = Linter { model: &model, places: &places, findings: Vec::new() };
    header(&mut linter);
    calls::check(&mut linter);
    answers::check(&mut linter);
    names(&mut linter);
    let mut findings = linter.findings;
    findings.sort_by_key(|finding| finding.line);
    drop(places);
    (Some(model), findings)
}

/// Answers and `manila explain` name a rule, so no two have one name.
fn names(linter: &mut Linter<'_>) {
    let model = linter.model;
    let errors = model.error.iter().enumerate().map(|(index, rule)| ("error", index, rule.id()));
    let statuses =
        model.status.iter().enumerate().map(|(index, rule)| ("status", index, rule.id()));
    let effects = model.effect.iter().enumerate().map(|(index, rule)| ("effect", index, rule.id()));
    let mut seen = BTreeSet::new();
    for (kind, index, id) in errors.chain(statuses).chain(effects) {
        if !seen.insert(id.clone()) {
            let hint =
                "put another pattern, command or option first: the name comes from the first ones";
            let path = [Step::Key(kind), Step::Index(index)];
            linter.report(&path, format!("another rule is called {id} too"), hint);
        }
    }
}

fn header(linter: &mut Linter<'_>) {
    let model = linter.model;
    let is_name = |name: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        !name.is_empty() && name.bytes().all(is_plain) && !name.starts_with('.')
    };
    if !is_name(&model.name) {
        let message = "the pack has no name of letters, digits, `-`, `_` and `.`";
        linter.report(&[Step::Key("name")], message, "name = \"<the directory's name>\"");
    }
    if let Some(dialect) = &model.dialect
        && manila::dialect(dialect).is_none()
    {
        let message = format!("no dialect is called {:?}", &**dialect);
        linter.report(&[Step::Key("dialect")], message, "`manila dialects` lists them");
    }
    if model.title.is_empty() {
        linter.report(&[Step::Key("title")], "the pack has no title", "title = \"<what it is>\"");
    }
    if model.programs.is_empty() {
        let hint = "programs = [\"<the file names it is called by>\"]";
        linter.report(&[Step::Key("programs")], "the pack is for no program", hint);
    }
    for (index, program) in model.programs.iter().enumerate() {
        if program.contains(['/', ' ']) || program.is_empty() {
            let path = [Step::Key("programs"), Step::Index(index)];
            linter.report(&path, format!("{program} is not a file name"), "leave the path out");
        }
    }
}
