//! From the text of a file to a table.

use super::form::{
    DetectForm, ExampleForm, ExitsForm, FileForm, FormForm, KeyForm, LevelForm, LineForm, Name,
    TestForm,
};
use super::hint::{as_toml, is_missing_table, what_to_write};
use super::{DialectFile, Example, FileError};
use crate::dialect::{Dialect, TableDialect};
use crate::exit::{Effects, Exit, ExitRow, ExitTable, Grain, RESPONSE_ENVELOPE_1_6, Retry};
use crate::json::{Layout, Raw, Style};
use crate::table::{
    CodeSet, Confidence, DEEPEST, Field, Form, Is, IssuePaths, Key, KindNames, Level, Line,
    LineHolds, Marks, Need, Null, OutcomeFrom, Outcomes, Rest, Revision, Role, Schema, Shape,
    Table, Test, Type,
};
use crate::transcript::{Status, Stream, Transcript};
use std::str::FromStr;
use toml::Spanned;

/// How many keys a dialect may have.
const MOST: usize = 256;

/// Loads a dialect. Its table stays in memory for as long as the process runs.
pub fn load(text: &str) -> Result<&'static dyn Dialect, FileError> {
    parse(text).map(|file| file.dialect)
}

/// Loads a dialect with the examples in its file.
pub fn parse(text: &str) -> Result<DialectFile, FileError> {
    let form = form(text)?;
    let (id, detect) = (form.id.span().start, form.detect.span().start);
    let examples = File { text }.examples(&form.examples)?;
    let table: &'static Table = Box::leak(Box::new(table(text, form)?));
    let dialect: &'static dyn Dialect = Box::leak(Box::new(TableDialect(table)));
    let line = |offset| FileError::new(text, offset, "").line;
    Ok(DialectFile { dialect, examples, id_line: line(id), detect_line: line(detect) })
}

fn form(text: &str) -> Result<FileForm, FileError> {
    toml::from_str(text).map_err(|error| {
        let (message, span) = (error.message(), error.span());
        let offset = span.map_or(0, |span| span.start);
        let offset = if is_missing_table(message) { text.trim_end().len() } else { offset };
        let hint = what_to_write(message).unwrap_or_else(|| as_toml(text, offset));
        FileError::new(text, offset, message).hint(hint)
    })
}

fn table(text: &str, form: FileForm) -> Result<Table, FileError> {
    let file = File { text };
    let id = form.id.get_ref();
    let has_revision =
        id.split_once('/').is_some_and(|(name, it)| !name.is_empty() && !it.is_empty());
    let is_plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte));
    if !has_revision || !is_plain || id.len() > 100 {
        let message =
            "an id is a name, a slash and a revision, in letters, digits, `-`, `_` and `.`";
        return Err(file
            .error(&form.id, message)
            .hint(format!("write `id = \"{}/1\"`", id.split('/').next().unwrap_or("acme"))));
    }
    let keys = file.keys(&form.keys)?;
    let outcome = file.name_or(
        form.outcome.as_ref(),
        OutcomeFrom::Keys,
        OutcomeFrom::ALL,
        OutcomeFrom::as_str,
    )?;
    let says = [Field::Ok, Field::Failed, Field::Outcome, Field::Status];
    let is_said = keys.iter().any(|key| says.contains(&key.field));
    if outcome == OutcomeFrom::Keys && !is_said {
        let message = "no key at the top distinguishes a success from a failure";
        let hint = "give a key the field `ok`, `failed`, `outcome` or `status`, or write `outcome = \"error\"` or `outcome = \"failure\"`";
        return Err(file.error(&form.id, message).hint(hint));
    }
    let detect = form.detect.get_ref();
    if detect.levels.is_empty() {
        let message = "nothing says how sure a match is";
        let hint = "write `[[detect.level]]` with `confidence = \"likely\"` and what holds then";
        return Err(FileError::new(text, form.detect.span().start, message).hint(hint));
    }
    let success = file.form(form.success.as_ref())?;
    let failure = match &form.failure {
        Some(failure) => file.form(Some(failure))?,
        None => success,
    };
    let mut codes = Vec::new();
    for (class, names) in &form.codes {
        let exit = file.class(class)?;
        let is_taken = |name: &&String| codes.iter().any(|(code, _)| code == name);
        if let Some(code) = names.iter().find(is_taken) {
            let message = format!("the code `{code}` has a class already");
            return Err(file.error(class, message).hint("list each code once"));
        }
        codes.extend(names.iter().map(|name| (leak(name), exit)));
    }
    Ok(Table {
        id: leak(id),
        summary: leak(&form.summary),
        title: leak(form.title.as_deref().unwrap_or(id)),
        description: leak(form.description.as_deref().unwrap_or(&form.summary)),
        page: leak(form.page.as_deref().unwrap_or(&form.summary)),
        schema: Schema::Generated,
        exits: Box::leak(Box::new(file.exits(&form.exits)?)),
        codes: codes.leak(),
        code_set: file.name_or(
            form.code_set.as_ref(),
            CodeSet::Open,
            CodeSet::ALL,
            CodeSet::as_str,
        )?,
        version: form.version.as_deref().map(leak),
        revision: form
            .revision
            .map(|it| Revision { path: leak(&it.path), known: leak_all(&it.known) }),
        has_meta: form.has_meta,
        kind: file.name_or(
            form.kind.as_ref(),
            KindNames::Command,
            KindNames::ALL,
            KindNames::as_str,
        )?,
        success,
        failure,
        outcome,
        marks: file.marks(detect)?,
        keys,
        lines: file.lines(&form.lines)?,
        rest: file.name_or(form.rest.as_ref(), Rest::Kept, Rest::ALL, Rest::as_str)?,
        no_data: leak_all(&form.no_data),
    })
}

fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn leak_all(texts: &[String]) -> &'static [&'static str] {
    texts.iter().map(|text| leak(text)).collect::<Vec<_>>().leak()
}

struct File<'t> {
    text: &'t str,
}

impl File<'_> {
    fn error(&self, at: &Name, message: impl Into<String>) -> FileError {
        FileError::new(self.text, at.span().start, message)
    }

    /// A name of a closed set.
    fn name<T: Copy + FromStr>(
        &self,
        name: &Name,
        all: &[T],
        spell: fn(T) -> &'static str,
    ) -> Result<T, FileError> {
        name.get_ref().parse().map_err(|_| {
            let known: Vec<_> = all.iter().map(|it| format!("`{}`", spell(*it))).collect();
            let message = format!("`{}` is none of the names that can stand here", name.get_ref());
            self.error(name, message).hint(format!("write one of {}", known.join(", ")))
        })
    }

    fn name_or<T: Copy + FromStr>(
        &self,
        name: Option<&Name>,
        other: T,
        all: &[T],
        spell: fn(T) -> &'static str,
    ) -> Result<T, FileError> {
        name.map_or(Ok(other), |name| self.name(name, all, spell))
    }

    fn class(&self, name: &Name) -> Result<Exit, FileError> {
        Exit::from_name(name.get_ref()).ok_or_else(|| {
            let known: Vec<_> = Exit::ALL.iter().map(|it| format!("`{}`", it.name())).collect();
            let message = format!("`{}` is not a class of outcome", name.get_ref());
            self.error(name, message).hint(format!("write one of {}", known.join(", ")))
        })
    }

    fn form(&self, form: Option<&FormForm>) -> Result<Form, FileError> {
        let Some(form) = form else {
            return Ok(Form { stream: Stream::Stdout, style: Style::COMPACT });
        };
        let stream =
            self.name_or(form.stream.as_ref(), Stream::Stdout, Stream::ALL, Stream::as_str)?;
        let layout =
            self.name_or(form.layout.as_ref(), Layout::Compact, Layout::ALL, Layout::as_str)?;
        Ok(Form { stream, style: Style { layout, ascii: form.ascii } })
    }

    fn exits(&self, form: &ExitsForm) -> Result<ExitTable, FileError> {
        let mut rows = Vec::new();
        for row in form.rows.get_ref() {
            let exit = self.class(&row.class)?;
            let (retry, effects) = RESPONSE_ENVELOPE_1_6.conclude(exit);
            rows.push(ExitRow {
                status: row.status,
                exit,
                retry: self.name_or(row.retry.as_ref(), retry, Retry::ALL, Retry::as_str)?,
                effects: self.name_or(
                    row.effects.as_ref(),
                    effects,
                    Effects::ALL,
                    Effects::as_str,
                )?,
            });
            if rows[..rows.len() - 1].iter().any(|it: &ExitRow| it.status == row.status) {
                let message = format!("the status {} has a class already", row.status);
                return Err(self.error(&row.class, message).hint("list each status once"));
            }
            if row.status == 0 && !exit.is_success() {
                let message = "0 is the number of SUCCESS, and of nothing else";
                return Err(self
                    .error(&row.class, message)
                    .hint("write `status = 0, class = \"SUCCESS\"`"));
            }
        }
        if !rows.iter().any(|row| row.status == 0) {
            let message = "no row says what the status 0 means";
            let hint = "write `{ status = 0, class = \"SUCCESS\" }`";
            return Err(FileError::new(self.text, form.rows.span().start, message).hint(hint));
        }
        rows.sort_by_key(|row| row.status);
        let nearest = form.nearest.iter().map(|(name, status)| Ok((self.class(name)?, *status)));
        let nearest: Vec<_> = nearest.collect::<Result<_, FileError>>()?;
        let grain = self.name_or(form.grain.as_ref(), Grain::Coarse, Grain::ALL, Grain::as_str)?;
        Ok(ExitTable { rows: rows.leak(), nearest: nearest.leak(), grain, signals: form.signals })
    }

    fn examples(&self, forms: &[Spanned<ExampleForm>]) -> Result<Vec<Example>, FileError> {
        let example = |form: &Spanned<ExampleForm>| {
            let line = FileError::new(self.text, form.span().start, "").line;
            let form = form.get_ref();
            let data = form.data.as_ref().map(|data| {
                Raw::parse(data.get_ref()).map_err(|flaw| {
                    let hint = "write JSON in single quotes: `data = '{\"n\":1}'`";
                    self.error(data, format!("`data` is not JSON: {flaw}")).hint(hint)
                })
            });
            Ok(Example {
                name: form.name.clone(),
                line,
                transcript: Transcript {
                    stdout: form.stdout.clone().into_bytes(),
                    stderr: form.stderr.clone().into_bytes(),
                    status: Status::from_recorded(form.exit_code),
                    ..Transcript::default()
                },
                ok: form.ok,
                class: form.class.as_ref().map(|class| self.class(class)).transpose()?,
                code: form.code.clone(),
                message: form.message.clone(),
                data: data.transpose()?,
            })
        };
        forms.iter().map(example).collect()
    }

    fn marks(&self, form: &DetectForm) -> Result<Marks, FileError> {
        let levels =
            form.levels.iter().map(|level| self.level(level)).collect::<Result<Vec<_>, _>>()?;
        let shapes = form.shapes.iter().map(|shape| {
            Ok(Shape { name: leak(&shape.name), own: shape.own, all: self.tests(&shape.all)? })
        });
        Ok(Marks {
            all: self.tests(&form.all)?,
            none: self.tests(&form.none)?,
            never: leak_all(&form.never),
            levels: levels.leak(),
            shapes: shapes.collect::<Result<Vec<_>, FileError>>()?.leak(),
        })
    }

    fn lines(&self, forms: &[LineForm]) -> Result<&'static [Line], FileError> {
        let line = |form: &LineForm| {
            let path = |path: &Option<String>| leak(path.as_deref().unwrap_or_default());
            let holds = match (&form.data, &form.warning, &form.error, &form.issue) {
                (Some(data), None, None, None) => LineHolds::Data(leak(data)),
                (None, Some(warning), None, None) => LineHolds::Warning(leak(warning)),
                (None, None, Some(error), None) => LineHolds::Error(leak(error)),
                (None, None, None, Some(issue)) => LineHolds::Issue(IssuePaths {
                    at: path(&issue.at),
                    code: path(&issue.code),
                    severity: path(&issue.severity),
                    message: path(&issue.message),
                }),
                _ => LineHolds::Progress,
            };
            Ok(Line { all: self.tests(&form.all)?, holds })
        };
        Ok(forms.iter().map(line).collect::<Result<Vec<_>, FileError>>()?.leak())
    }

    fn level(&self, form: &LevelForm) -> Result<Level, FileError> {
        Ok(Level {
            confidence: self.name(&form.confidence, Confidence::ALL, Confidence::as_str)?,
            all: self.tests(&form.all)?,
            any: self.tests(&form.any)?,
            none: self.tests(&form.none)?,
            least: form.least,
            of: leak_all(&form.of),
        })
    }

    fn tests(&self, forms: &[TestForm]) -> Result<&'static [Test], FileError> {
        let tests: Result<Vec<_>, _> = forms.iter().map(|form| self.test(form)).collect();
        Ok(tests?.leak())
    }

    fn test(&self, form: &TestForm) -> Result<Test, FileError> {
        let names = |name: &Name| self.name(name, Is::PLAIN, Is::as_str);
        let (is, not) = match (&form.is, &form.is_not, &form.matches, &form.not_matches) {
            (Some(is), None, None, None) => (names(is)?, false),
            (None, Some(is), None, None) => (names(is)?, true),
            (None, None, Some(patterns), None) => (Is::Matches(leak_all(patterns)), false),
            (None, None, None, Some(patterns)) => (Is::Matches(leak_all(patterns)), true),
            _ => {
                let message = "a condition says one thing of a value";
                let hint = "write one of `is`, `is_not`, `matches` and `not_matches` beside `path`";
                return Err(self.error(&form.path, message).hint(hint));
            }
        };
        Ok(Test { path: leak(form.path.get_ref()), is, not })
    }

    /// The keys as a tree: each comes after the key that it is a member of.
    fn keys(&self, forms: &[Spanned<KeyForm>]) -> Result<&'static [Key], FileError> {
        if let Some(form) = forms.get(MOST) {
            let message = format!("a dialect has at most {MOST} keys");
            let hint = "remove keys that callers do not need; unknown members are kept as extras";
            return Err(FileError::new(self.text, form.span().start, message).hint(hint));
        }
        for (at, form) in forms.iter().map(Spanned::get_ref).enumerate() {
            let path = form.path.get_ref();
            let names = path.split('.');
            let is_plain = |name: &str| {
                !name.is_empty()
                    && name.bytes().all(|it| it.is_ascii_graphic() && !matches!(it, b'"' | b'\\'))
            };
            if path.split('.').count() > DEEPEST || !names.clone().all(is_plain) {
                let message = format!(
                    "a path is one to {DEEPEST} names of plain ASCII with dots between them"
                );
                return Err(self
                    .error(&form.path, message)
                    .hint("write a path such as `error.code`"));
            }
            let parent = path.rsplit_once('.').map(|(parent, _)| parent);
            let earlier = || forms[..at].iter().map(|form| form.get_ref().path.get_ref().as_str());
            if let Some(parent) = parent.filter(|parent| !earlier().any(|it| it == *parent)) {
                let message = format!("no key before this one has the path `{parent}`");
                return Err(self.error(&form.path, message).hint(format!(
                    "write `[[key]]` with `path = \"{parent}\"` and `type = \"object\"` before it"
                )));
            }
        }
        self.below("", forms)
    }

    fn below(&self, parent: &str, forms: &[Spanned<KeyForm>]) -> Result<&'static [Key], FileError> {
        let mut keys: Vec<Key> = Vec::new();
        for form in forms.iter().map(Spanned::get_ref) {
            let path = form.path.get_ref().as_str();
            let (above, name) = path.rsplit_once('.').unwrap_or(("", path));
            if above != parent {
                continue;
            }
            let key = self.key(form, name, self.below(path, forms)?)?;
            let is_alike = |other: &Key| other.of == key.of && other.on == key.on;
            if keys.iter().any(|other| other.name == name && is_alike(other)) {
                let message = format!("`{path}` is there twice with the same type");
                return Err(self.error(&form.path, message).hint("leave one of them out"));
            }
            keys.push(key);
        }
        Ok(keys.leak())
    }

    fn key(&self, form: &KeyForm, name: &str, keys: &'static [Key]) -> Result<Key, FileError> {
        let field = self.name_or(form.field.as_ref(), Field::None, Field::ALL, Field::as_str)?;
        let of = self.of(form, field)?;
        let is_container =
            matches!(of, Type::Object | Type::Array | Type::Issues | Type::Container | Type::Any);
        if !keys.is_empty() && !is_container {
            let message = format!("`{}` has members and is not an object", form.path.get_ref());
            return Err(self
                .error(&form.path, message)
                .hint("write `type = \"object\"` or `type = \"array\"`"));
        }
        let wanted: Option<(&[Type], &str)> = match field {
            Field::Ok | Field::Failed | Field::Found | Field::Retryable => {
                Some((&[Type::Flag], "flag"))
            }
            Field::Status => Some((&[Type::Status, Type::Integer], "status")),
            Field::Error | Field::Meta | Field::Redirect => Some((&[Type::Object], "object")),
            Field::Issues => Some((&[Type::Issues], "issues")),
            Field::Warnings => Some((&[Type::Texts], "texts")),
            Field::WaitText => Some((&[Type::Text], "text")),
            Field::WaitMs | Field::WaitSeconds | Field::DurationMs => {
                Some((&[Type::Count], "count"))
            }
            _ => None,
        };
        if let Some((_, right)) = wanted.filter(|(types, _)| !types.contains(&of)) {
            let message = format!("the field `{}` has another type", field.as_str());
            let place = form.of.as_ref().unwrap_or(&form.path);
            return Err(self.error(place, message).hint(format!("write `type = \"{right}\"`")));
        }
        let need_if = self.tests(&form.required_if)?;
        let is_required = form.required || !need_if.is_empty();
        Ok(Key {
            name: leak(name),
            field,
            of,
            need: if is_required { Need::Required } else { Need::Optional },
            on: self.name_or(form.on.as_ref(), Outcomes::Both, Outcomes::ALL, Outcomes::as_str)?,
            null: self.name_or(form.null.as_ref(), Null::Absent, Null::ALL, Null::as_str)?,
            empty_is_absent: form.empty_is_absent,
            need_if,
            role: self.name_or(form.role.as_ref(), Role::Own, Role::ALL, Role::as_str)?,
            doc: leak(&form.doc),
            keys,
            rest: self.name_or(form.rest.as_ref(), Rest::Kept, Rest::ALL, Rest::as_str)?,
        })
    }

    fn of(&self, form: &KeyForm, field: Field) -> Result<Type, FileError> {
        if !form.constant.is_empty() {
            return Ok(Type::Const(leak_all(&form.constant)));
        }
        if !form.one_of.is_empty() {
            return Ok(Type::OneOf(leak_all(&form.one_of)));
        }
        if !form.success.is_empty() || !form.failure.is_empty() {
            let (success, failure) = (leak_all(&form.success), leak_all(&form.failure));
            return Ok(Type::Outcome { success, failure });
        }
        if field == Field::Outcome {
            let message = "nothing says which texts mean success and which mean failure";
            return Err(self
                .error(&form.path, message)
                .hint("write `success = [\"ok\"]` and `failure = [\"error\"]`"));
        }
        let Some(name) = &form.of else {
            let message = format!("`{}` has no type", form.path.get_ref());
            let known: Vec<_> = Type::PLAIN.iter().map(|it| format!("`{}`", it.as_str())).collect();
            let hint = format!(
                "write `type = …` with one of {}, or `const`, `one_of`, or `success` and `failure`",
                known.join(", ")
            );
            return Err(self.error(&form.path, message).hint(hint));
        };
        self.name(name, Type::PLAIN, Type::as_str)
    }
}
