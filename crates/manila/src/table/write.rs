//! Writes a document by the table of its dialect. Nothing is allocated for a failure without data.

use super::http;
use super::read::has_no_data_by_design;
use super::{
    CodeSet, Defaults, Field, Key, Need, Null, OutcomeFrom, Outcomes, Rest, Table, Type, implied,
};
use crate::envelope::{Content, Envelope, ErrorObject, Issue, Severity};
use crate::exit::Exit;
use crate::json::{Kind, Members, ObjectWriter, Raw, Scalar};
use crate::mark;

/// Writes an envelope's document, leaving out what the dialect cannot say.
pub(crate) fn write(
    table: &Table,
    envelope: &Envelope,
    defaults: &Defaults,
    document: &mut ObjectWriter<'_>,
) {
    let content = envelope.content();
    let writing = Writing { table, envelope, content, defaults };
    writing.object(table.keys, &content.extra, table.rest, document);
    if table.rest == Rest::Payload
        && let Some(data) = &content.data
    {
        // A success without an envelope is its payload. Elsewhere a lone `data` is read as the payload
        // itself, and a failure without members as one without a payload.
        let is_bare = table.outcome == OutcomeFrom::Failure && envelope.ok();
        let value = data.value();
        let mut members = value.members();
        let is_lone = match (members.next(), members.next()) {
            (Some(member), None) => member.is("data"),
            (None, _) => !envelope.ok(),
            _ => false,
        };
        if is_flat(table, data) && (is_bare || !is_lone) {
            document.members_of(data, |_| true);
        } else {
            document.raw("data", data);
        }
    }
}

/// Writes members that belong to no field, but never a second value for a key that has its own.
pub(crate) fn write_extra(extra: &Members, keys: &[Key], out: &mut ObjectWriter<'_>) {
    let is_taken =
        |name: &str| keys.iter().any(|key| key.name == name && key.field != Field::Extra);
    for (name, value) in extra.iter().filter(|(name, _)| !is_taken(name)) {
        out.foreign(name, value);
    }
}

/// Whether the members of a payload can be at the top of a document without being taken for keys of
/// the dialect, for its outcome or for a page of a list.
fn is_flat(table: &Table, data: &Raw) -> bool {
    let value = data.value();
    let is_own = |name: &str| {
        table.keys.iter().any(|key| key.name == name) || table.marks.never.contains(&name)
    };
    value.kind() == Kind::Object
        && mark::of_value(value).is_none()
        && !value.members().any(|it| it.is("pagination") || is_own(&it.key()))
}

#[derive(Clone, Copy)]
struct Writing<'a> {
    table: &'a Table,
    envelope: &'a Envelope,
    content: &'a Content,
    defaults: &'a Defaults,
}

impl<'a> Writing<'a> {
    fn object(self, keys: &'static [Key], extra: &Members, rest: Rest, out: &mut ObjectWriter<'_>) {
        for key in keys.iter().filter(|key| self.applies(key)) {
            if key.field == Field::Extra {
                let value = extra.get(key.name).filter(|_| rest != Rest::Allowed);
                let value = value.filter(|value| key.of.is_of(value.value().kind()));
                match (value, key.need) {
                    (Some(value), _) => out.raw(key.name, value),
                    (None, Need::Required)
                        if rest != Rest::Allowed || extra.get(key.name).is_none() =>
                    {
                        self.nothing(key, out);
                    }
                    (None, _) => {}
                }
            } else {
                self.member(key, out);
            }
        }
        if rest == Rest::Allowed {
            write_extra(extra, keys, out);
        }
    }

    /// The value of a required key that no field of the normal form fills.
    fn nothing(self, key: &Key, out: &mut ObjectWriter<'_>) {
        match key.of {
            Type::Object | Type::Container => out.object(key.name, |_| {}),
            Type::Array | Type::Texts | Type::Issues => out.array(key.name, |_| {}),
            Type::Any => out.scalar(key.name, &()),
            _ => out.scalar_if_some(key.name, self.fallback(key)),
        }
    }

    fn applies(self, key: &Key) -> bool {
        let ok = self.envelope.ok();
        let is_now = match key.on {
            Outcomes::Both => true,
            Outcomes::Success => ok,
            Outcomes::Failure => !ok,
        };
        key.is_written() && is_now
    }

    fn member(self, key: &'static Key, out: &mut ObjectWriter<'_>) {
        let name = key.name;
        match key.field {
            Field::Data => self.data(key, out),
            Field::Details => {
                let details = self.error().and_then(|error| error.details.as_ref());
                let is_wanted = |details: &&Raw| {
                    let kind = details.value().kind();
                    kind != Kind::Null
                        && (key.of != Type::Object || kind == Kind::Object)
                        && !(key.empty_is_absent && details.is_empty_container())
                };
                if let Some(details) = details.filter(is_wanted) {
                    out.raw(name, details);
                }
            }
            Field::Error => match self.error() {
                Some(error) => {
                    out.object(name, |out| self.object(key.keys, &error.extra, key.rest, out));
                }
                None if key.null == Null::Nothing => out.scalar(name, &()),
                None => {}
            },
            Field::Redirect => {
                let redirect = self.error().and_then(|error| error.redirect.as_ref());
                if redirect.is_some() && self.envelope.exit() == Exit::Redirected {
                    out.object(name, |out| {
                        self.object(key.keys, &Members::default(), key.rest, out);
                    });
                }
            }
            Field::Meta => {
                let extra = &self.content.meta.extra;
                let says = key.keys.iter().any(|key| self.applies(key) && self.says(key));
                if key.need == Need::Required
                    || says
                    || (key.rest == Rest::Allowed && !extra.is_empty())
                {
                    out.object(name, |out| self.object(key.keys, extra, key.rest, out));
                }
            }
            Field::Warnings => {
                if key.need == Need::Required || !self.content.warnings.is_empty() {
                    out.array(name, |out| {
                        for warning in &self.content.warnings {
                            out.scalar(warning.text());
                        }
                    });
                }
            }
            Field::Issues => self.issues(key, out),
            Field::None if !key.keys.is_empty() => self.container(key, out),
            _ => {
                let value = self.value(key).or_else(|| self.fallback(key));
                out.scalar_if_some(name, value);
            }
        }
    }

    fn error(self) -> Option<&'a ErrorObject> {
        self.content.error.as_ref()
    }

    /// Whether there is something to write for a key or below it.
    fn says(self, key: &'static Key) -> bool {
        match key.field {
            Field::Issues => !self.content.issues.is_empty(),
            Field::Warnings => !self.content.warnings.is_empty(),
            Field::Details => self.error().is_some_and(|error| error.details.is_some()),
            Field::None if !key.keys.is_empty() => key.keys.iter().any(|key| self.says(key)),
            _ => self.value(key).is_some(),
        }
    }

    /// An object, or an array, that only holds other keys.
    fn container(self, key: &'static Key, out: &mut ObjectWriter<'_>) {
        if key.need == Need::Optional && !self.says(key) {
            return;
        }
        if matches!(key.of, Type::Array) {
            out.array(key.name, |out| {
                for element in key.keys {
                    out.object(|out| {
                        self.object(element.keys, &Members::default(), element.rest, out);
                    });
                }
            });
        } else {
            out.object(key.name, |out| self.object(key.keys, &Members::default(), key.rest, out));
        }
    }

    fn data(self, key: &'static Key, out: &mut ObjectWriter<'_>) {
        let (name, data, meta) = (key.name, self.content.data.as_ref(), &self.content.meta);
        if key.null == Null::Nothing {
            let is_null = data.is_none_or(|data| data.value().is_null());
            let may_be_null = meta.not_modified || has_no_data_by_design(self.table, meta);
            if self.error().is_some() || (is_null && may_be_null) {
                return out.scalar(name, &());
            }
        }
        // A success that may leave its data out is read as one with null.
        if key.need == Need::Optional && data.is_none_or(|data| data.value().is_null()) {
            let is_said = data.is_some() || self.error().is_none();
            if key.null == Null::Value && is_said {
                out.scalar(name, &());
            }
            return;
        }
        let kind = data.map_or(Kind::Null, |data| data.value().kind());
        match data {
            Some(data) if key.of.is_of(kind) && (kind != Kind::Null || key.of == Type::Any) => {
                out.raw(name, data);
            }
            None if key.of == Type::Any => out.scalar(name, &()),
            Some(data) if key.of == Type::Text => out.scalar(name, data.as_str()),
            // Where only objects and arrays are allowed a plain value is put into an object, and
            // nothing is an empty one.
            Some(data) if kind != Kind::Null => out.object(name, |out| out.raw("value", data)),
            _ => out.object(name, |_| {}),
        }
    }

    fn issues(self, key: &'static Key, out: &mut ObjectWriter<'_>) {
        let issues = &self.content.issues;
        // Where there is no other place for it, an error that the issues do not imply becomes one.
        let implied = implied(self.envelope.exit(), issues);
        let error = self.error().filter(|_| !self.table.has(Field::Message));
        let error = error.filter(|error| (&*error.code, &*error.message) != implied);
        if key.need == Need::Optional && issues.is_empty() && error.is_none() {
            return;
        }
        out.array(key.name, |out| {
            for issue in issues {
                out.object(|out| write_issue(key, Ok(issue), out));
            }
            if let Some(error) = error {
                out.object(|out| write_issue(key, Err(error), out));
            }
        });
    }

    /// What the envelope says for a key that holds one value.
    fn value(self, key: &Key) -> Option<Scalar<'a>> {
        let (content, meta, exits) = (self.content, &self.content.meta, self.table.exits);
        let text = |text: &'a Option<String>| {
            let text = text.as_deref().filter(|text| !key.empty_is_absent || !text.is_empty());
            text.map(Scalar::Text)
        };
        let of_error = |get: fn(&'a ErrorObject) -> &'a Option<String>| {
            self.error().and_then(|it| text(get(it)))
        };
        match key.field {
            Field::Ok => Some(Scalar::Bool(self.envelope.ok())),
            Field::Failed => Some(Scalar::Bool(!self.envelope.ok())),
            Field::Status => {
                let status = self.defaults.status(exits, self.envelope.exit());
                Some(Scalar::Number(status.into()))
            }
            Field::Outcome | Field::None => match key.of {
                Type::Const(texts) => texts.first().map(|text| Scalar::Text(text)),
                Type::Outcome { success, failure } => {
                    let texts = if self.envelope.ok() { success } else { failure };
                    texts.first().map(|text| Scalar::Text(text))
                }
                _ => None,
            },
            Field::Kind => text(&content.kind),
            Field::Code => self.code(key),
            Field::HttpStatus => {
                // The code says more than the class where the dialect knows it.
                let class = self.table.class_of_code(&self.error()?.code);
                let class = class.unwrap_or(self.envelope.exit());
                Some(Scalar::Count(http::status(class).into()))
            }
            Field::Message => self.error().map(|error| Scalar::Text(&error.message)),
            Field::Detail => of_error(|error| &error.detail),
            Field::Suggestion => of_error(|error| &error.suggestion),
            Field::Operation => of_error(|error| &error.operation),
            Field::Target => of_error(|error| &error.target),
            Field::FixRequired => of_error(|error| &error.fix.required),
            Field::FixCommand => of_error(|error| &error.fix.command),
            Field::Retryable => self.error()?.retryable.map(Scalar::Bool),
            Field::WaitMs => self.wait().map(Scalar::Count),
            Field::WaitSeconds => self.wait().map(|wait| Scalar::Count(wait.div_ceil(1000))),
            Field::Strategy => self.error()?.strategy.map(|it| Scalar::Text(it.as_str())),
            Field::Phase => self.error()?.phase.map(|it| Scalar::Text(it.as_str())),
            Field::RedirectCommand => Some(Scalar::Text(&self.error()?.redirect.as_ref()?.command)),
            Field::RedirectPermanent => {
                Some(Scalar::Bool(self.error()?.redirect.as_ref()?.permanent))
            }
            Field::RedirectReason => {
                let reason = self.error()?.redirect.as_ref()?.reason.as_deref()?;
                let is_known = !matches!(key.of, Type::OneOf(known) if !known.contains(&reason));
                is_known.then_some(Scalar::Text(reason))
            }
            Field::Found => content.missing.as_ref().map(|_| Scalar::Bool(false)),
            Field::Missing => text(&content.missing),
            Field::DurationMs => meta.duration_ms.map(Scalar::Count),
            Field::RequestId => text(&meta.request_id),
            Field::SchemaVersion => self.table.version.map(Scalar::Text),
            Field::NotModified => meta.not_modified.then_some(Scalar::Bool(true)),
            Field::Truncated => meta.truncated.then_some(Scalar::Bool(true)),
            Field::Cursor => text(&meta.cursor),
            Field::Timestamp => text(&meta.timestamp),
            Field::Cwd => text(&meta.cwd),
            _ => None,
        }
    }

    /// What is written for a key that must be there and of which the envelope says nothing.
    fn fallback(self, key: &Key) -> Option<Scalar<'a>> {
        if key.null == Null::Nothing {
            return Some(Scalar::Null);
        }
        if key.need == Need::Optional {
            return None;
        }
        let exit = self.envelope.exit();
        Some(match (key.field, key.of) {
            (Field::Kind, _) => Scalar::Text(&self.defaults.kind),
            (Field::Timestamp, _) => Scalar::Text(&self.defaults.timestamp),
            // Of the classes only this one promises that calling again is safe.
            (Field::Retryable, _) => Scalar::Bool(exit == Exit::RateLimited),
            (_, Type::Flag) => Scalar::Bool(false),
            (Field::Code, Type::Integer | Type::Status | Type::Count) => {
                Scalar::Number(self.table.exits.status(exit).into())
            }
            (_, Type::Count | Type::Integer | Type::Status) => Scalar::Count(0),
            (_, Type::Const(texts) | Type::OneOf(texts)) => Scalar::Text(texts.first()?),
            _ => Scalar::Text(""),
        })
    }

    /// A waiting time, where calling again may help.
    fn wait(self) -> Option<u64> {
        let error = self.error()?;
        let may_retry = error.retryable == Some(true) || !self.table.has(Field::Retryable);
        error.wait_ms.filter(|_| may_retry)
    }

    /// The code, or one of a closed set that says the class.
    fn code(self, key: &Key) -> Option<Scalar<'a>> {
        let code = self.error()?.code.as_str();
        if matches!(key.of, Type::Integer | Type::Status | Type::Count) {
            return code.parse().ok().map(Scalar::Number);
        }
        if self.table.code_set == CodeSet::Open {
            return Some(Scalar::Text(code));
        }
        let (codes, exits) = (self.table.codes, self.table.exits);
        let status = exits.status(self.envelope.exit());
        let class = exits.row(status).map_or(Exit::General, |row| row.exit);
        let first = |class| codes.iter().find(move |(_, exit)| *exit == class);
        let of_class = first(class).or_else(|| first(Exit::General)).or(codes.first());
        of_class.map(|(code, _)| Scalar::Text(code))
    }
}

/// Writes an issue, or an error as one.
fn write_issue(key: &Key, issue: Result<&Issue, &ErrorObject>, out: &mut ObjectWriter<'_>) {
    for key in key.keys.iter().filter(|key| key.is_written()) {
        let text =
            |text: Option<&String>, out: &mut ObjectWriter<'_>| out.scalar_if_some(key.name, text);
        match (key.field, issue) {
            (Field::IssueCode, Ok(issue)) => out.scalar(key.name, &issue.code),
            (Field::IssueCode, Err(error)) => out.scalar(key.name, &error.code),
            (Field::IssueSeverity, Ok(issue)) => out.scalar(key.name, &issue.severity),
            (Field::IssueSeverity, Err(_)) => out.scalar(key.name, &Severity::Error),
            (Field::IssueMessage, Ok(issue)) => text(issue.message.as_ref(), out),
            (Field::IssueMessage, Err(error)) => out.scalar(key.name, &error.message),
            (Field::IssuePath, Ok(issue)) => text(issue.path.as_ref(), out),
            (Field::IssueLink, Ok(issue)) => text(issue.link.as_ref(), out),
            (Field::Extra, Ok(issue)) => {
                let value = issue.extra.get(key.name);
                if let Some(value) = value.filter(|value| key.of.is_of(value.value().kind())) {
                    out.raw(key.name, value);
                }
            }
            _ => {}
        }
    }
    if let Ok(issue) = issue
        && key.rest == Rest::Allowed
    {
        write_extra(&issue.extra, key.keys, out);
    }
}
