//! Takes a document apart by the table of its dialect.

use super::detect::{by_default, says};
use super::{
    Claims, Field, Fields, Key, Malformed, Need, Null, OutcomeFrom, Outcomes, Presence, Rest, Role,
    Table, Type, Unknown,
};
use super::{http, wait};
use crate::envelope::{Content, ErrorObject, Issue, Meta, Redirect, Severity, Warning};
use crate::json::{Kind, Members, Raw, Value};
use crate::mark::EXPLICIT_FAILURE;
use std::borrow::Cow;

/// What the members of a document say.
pub(crate) fn open(table: &Table, mut top: Fields<'_, '_>) -> (Content, Claims) {
    let ok = claimed(table, &top);
    let mut reading = Reading { ok, ..Reading::new(table) };
    reading.claims.ok = ok;
    let error = table.keys.iter().find(|key| key.field == Field::Error && key.is_required(None));
    reading.claims.error_absent =
        error.is_some_and(|key| top.presence(key.name) == Presence::Absent);
    reading.claims.warnings_absent =
        table.keys.iter().any(|key| key.field == Field::Warnings && key.is_required(None));
    reading.object(&mut top, table.keys);
    reading.finish(top)
}

/// As [`super::claimed`], from members.
fn claimed(table: &Table, top: &Fields<'_, '_>) -> Option<bool> {
    if table.outcome == OutcomeFrom::Failure {
        return Some(false);
    }
    let mut claim = None;
    for key in table.keys {
        match top.find(key.name).and_then(|value| says(key, value)) {
            Some(false) => return Some(false),
            says => claim = claim.or(says),
        }
    }
    claim.or(by_default(table))
}

struct Reading<'a> {
    table: &'a Table,
    ok: Option<bool>,
    claims: Claims,
    content: Content,
    /// The fields of the error, as far as they were found.
    failure: ErrorObject,
    code: Option<String>,
    /// The code where no key has one.
    http_status: Option<String>,
    message: Option<String>,
    /// Whether an object holds the error.
    has_object: bool,
    /// Whether something of an error was found.
    has_error: bool,
    /// What an error says that is not what the dialect has.
    malformed: Option<ErrorObject>,
    redirect: Option<Redirect>,
    is_missing: bool,
}

impl<'a> Reading<'a> {
    fn new(table: &'a Table) -> Self {
        Reading {
            table,
            ok: None,
            claims: Claims::default(),
            content: Content::default(),
            failure: ErrorObject::default(),
            code: None,
            http_status: None,
            message: None,
            has_object: false,
            has_error: false,
            malformed: None,
            redirect: None,
            is_missing: false,
        }
    }

    /// Takes the keys of one object.
    fn object(&mut self, fields: &mut Fields<'_, '_>, keys: &'static [Key]) {
        for key in keys.iter().filter(|key| key.need_if.is_empty()) {
            if key.is_required(self.ok) && key.role == Role::Own {
                fields.require(&[key.name]);
            }
            if key.null == Null::Odd {
                fields.forbid_null(&[key.name]);
            }
        }
        for (at, key) in keys.iter().enumerate() {
            let Some(value) = fields.find(key.name) else { continue };
            let has_other = keys[at + 1..].iter().any(|other| other.name == key.name);
            if has_other && !value.is_null() && !key.of.is_of(value.kind()) {
                continue;
            }
            // Of two keys of one name, each for another outcome, only the one that applies is read.
            let has_twin = keys.iter().any(|it| it.name == key.name && it.on != key.on);
            let is_other = match key.on {
                Outcomes::Both => false,
                Outcomes::Success => self.ok == Some(false),
                Outcomes::Failure => self.ok != Some(false),
            };
            if has_twin && is_other {
                continue;
            }
            self.key(fields, key, value);
        }
    }

    /// Takes one key.
    fn key<'t>(&mut self, fields: &mut Fields<'t, '_>, key: &'static Key, value: Value<'t>) {
        let is_part =
            matches!(key.field, Field::Error | Field::Meta | Field::Redirect | Field::Issues);
        if !key.keys.is_empty() && !is_part {
            let mut inside = fields.inside(value);
            self.object(&mut inside, key.keys);
        }
        match key.field {
            Field::None => self.unnamed(fields, key, value),
            Field::Extra => fields.keep(key.name),
            Field::Ok | Field::Failed => {
                fields.flag(key.name, "ok");
            }
            Field::Outcome => {
                if let Some(text) = value.string().filter(|_| says(key, value).is_some()) {
                    fields.mark(key.name, &text);
                }
            }
            Field::Status => self.claims.exit_code = fields.integer(key.name, "status"),
            Field::Data => self.data(fields, key),
            Field::Error => self.error(fields, key),
            Field::Issues => self.issues(fields, key),
            Field::Warnings => self.warnings(fields, key),
            Field::Meta => {
                if let Some(mut meta) = fields.object(key.name, "meta") {
                    self.object(&mut meta, key.keys);
                    self.content.meta.extra = meta.rest("meta.extra", unknown(key.rest));
                }
            }
            Field::Redirect => self.redirect(fields, key),
            Field::Found => {
                let says_not = |found: Value<'t>| found.bool().filter(|found| !found);
                if self.has_error && !value.is_null() {
                    self.is_missing = fields.take(key.name, "found", says_not).is_some();
                }
            }
            Field::Missing => self.missing(fields, key),
            Field::DurationMs => {
                let duration = fields.integer(key.name, "meta.duration_ms");
                self.content.meta.duration_ms = self.content.meta.duration_ms.or(duration);
            }
            Field::NotModified => {
                self.content.meta.not_modified = self.flag(fields, key, "meta.not_modified");
            }
            Field::Truncated => {
                self.content.meta.truncated = self.flag(fields, key, "meta.truncated");
            }
            _ => self.of_error(fields, key),
        }
    }

    /// A constant, or a container whose members were looked at.
    fn unnamed(&mut self, fields: &mut Fields<'_, '_>, key: &'static Key, value: Value<'_>) {
        let Type::Const(texts) = key.of else { return fields.keep(key.name) };
        if texts.iter().any(|text| fields.mark(key.name, text)) {
            return;
        }
        let is_revision = |path: &str| path.rsplit('.').next() == Some(key.name);
        if let Some(revision) = self.table.revision.filter(|it| is_revision(it.path))
            && let Some(stated) = value.string().filter(|stated| !revision.is_known(stated))
            && fields.mark(key.name, &stated)
        {
            self.content.meta.schema_version = Some(stated.into_owned());
        }
    }

    fn data(&mut self, fields: &mut Fields<'_, '_>, key: &'static Key) {
        let data = match key.null {
            Null::Value => fields.raw_or_null(key.name, "data"),
            _ => fields.raw(key.name, "data"),
        };
        // A failure that has no payload to show carries an empty one.
        let is_none = |data: &Raw| {
            let is_empty = data.value().kind() == Kind::Object && data.is_empty_container();
            key.empty_is_absent && self.ok == Some(false) && is_empty
        };
        let data = data.filter(|data| !is_none(data));
        self.content.data = self.content.data.take().or(data);
    }

    /// The error, whatever it is: an error that is not an object is still an error.
    fn error(&mut self, fields: &mut Fields<'_, '_>, key: &'static Key) {
        if let Some(mut error) = fields.object(key.name, "error") {
            (self.has_object, self.has_error) = (true, true);
            self.object(&mut error, key.keys);
            self.failure.extra = error.rest("error.extra", unknown(key.rest));
        } else {
            self.malformed = fields.malformed_error(key.name);
        }
    }

    /// A redirect that names no command is none, and stays for the extras.
    fn redirect(&mut self, fields: &mut Fields<'_, '_>, key: &'static Key) {
        let command = key.keys.iter().find(|key| key.field == Field::RedirectCommand);
        let Some(command) = command.map(|key| key.name) else { return };
        let names_one = |value: &Value<'_>| {
            value.members().any(|it| it.is(command) && it.value.string().is_some())
        };
        let place = "error.redirect";
        let Some(value) = fields.take(key.name, place, |it| Some(it).filter(names_one)) else {
            return;
        };
        let mut inside = fields.inside(value);
        self.redirect = Some(Redirect::default());
        self.object(&mut inside, key.keys);
        let extra = inside.rest(place, unknown(key.rest));
        if let Some(redirect) = &mut self.redirect {
            redirect.extra = extra;
        }
    }

    fn issues(&mut self, fields: &mut Fields<'_, '_>, key: &'static Key) {
        // What the dialect does not document is only taken for issues if it holds nothing else.
        let code = key.keys.iter().find(|key| key.field == Field::IssueCode).map(|key| key.name);
        let has_code = |issue: Value<'_>| {
            issue
                .members()
                .any(|it| code.is_some_and(|code| it.is(code)) && it.value.string().is_some())
        };
        let is_list = |value: &Value<'_>| {
            let is_sure = key.role == Role::Own || value.elements().all(has_code);
            value.kind() == Kind::Array && is_sure
        };
        let Some(list) = fields.take(key.name, "issues", |it| Some(it).filter(is_list)) else {
            return;
        };
        for (index, value) in list.elements().enumerate() {
            let place = format!("issues[{index}]");
            self.content.issues.push(issue(fields.inside(value), key, &place, value));
        }
    }

    fn warnings(&mut self, fields: &mut Fields<'_, '_>, key: &'static Key) {
        let Some(list) = fields.array(key.name, "warnings") else { return };
        self.claims.warnings_absent = false;
        for (index, value) in list.into_iter().enumerate() {
            fields.note_place(format!("warnings[{index}]"), value.span());
            self.content.warnings.push(match value.string() {
                Some(text) => Warning::Text(text.into_owned()),
                None => Warning::Other(Raw::from(value)),
            });
        }
    }

    /// Where the document says whether something was found, its name only counts if it was not.
    fn missing(&mut self, fields: &mut Fields<'_, '_>, key: &'static Key) {
        let says_so = self.table.all_keys().any(|key| key.field == Field::Found);
        if !says_so || self.is_missing {
            self.content.missing = fields.text(key.name, "missing");
        }
    }

    /// A flag about the data. What is neither true nor false is not acted on as if it were.
    fn flag(&mut self, fields: &mut Fields<'_, '_>, key: &Key, place: &'static str) -> bool {
        let flag = fields.flag(key.name, place);
        if fields.presence(key.name) != Presence::Absent {
            self.claims.unclear = match self.claims.unclear {
                Some("meta.truncated") => Some("meta.truncated"),
                _ => Some(place),
            };
        }
        flag.unwrap_or_default()
    }

    /// The fields of an error and of `meta` that are one value.
    fn of_error(&mut self, fields: &mut Fields<'_, '_>, key: &'static Key) {
        let Reading { failure, content, code, http_status, message, .. } = self;
        let Meta { request_id, schema_version, cursor, timestamp, cwd, .. } = &mut content.meta;
        let place = place(key.field);
        let before = fields.presence(key.name);
        match key.field {
            Field::Details => {
                let is_object = |it: &Value<'_>| !key.empty_is_absent || it.kind() == Kind::Object;
                let details =
                    fields.take(key.name, place, |it| Some(it).filter(is_object).map(Raw::from));
                let says = |raw: &Raw| !key.empty_is_absent || !raw.is_empty_container();
                failure.details = failure.details.take().or(details.filter(says));
            }
            Field::Retryable => {
                failure.retryable = failure.retryable.or(fields.flag(key.name, place));
            }
            Field::WaitMs => failure.wait_ms = fields.integer(key.name, place).or(failure.wait_ms),
            Field::WaitSeconds => {
                let seconds: Option<u64> = fields.integer(key.name, place);
                failure.wait_ms = failure.wait_ms.or(seconds.map(|it| it.saturating_mul(1000)));
            }
            Field::WaitText => {
                let wait_ms = fields.take(key.name, place, wait::millis);
                failure.wait_ms = failure.wait_ms.or(wait_ms);
            }
            Field::Strategy => failure.strategy = fields.take(key.name, place, name),
            Field::Phase => failure.phase = fields.take(key.name, place, name),
            Field::RedirectPermanent => {
                let permanent = fields.flag(key.name, place).unwrap_or_default();
                if let Some(redirect) = &mut self.redirect {
                    redirect.permanent = permanent;
                }
            }
            Field::RedirectCommand | Field::RedirectReason => {
                let text = fields.text(key.name, place);
                match (&mut self.redirect, key.field) {
                    (Some(redirect), Field::RedirectReason) => redirect.reason = text,
                    (Some(redirect), _) => redirect.command = text.unwrap_or_default(),
                    (None, _) => {}
                }
                return;
            }
            Field::HttpStatus => {
                let number: Option<u16> = fields.integer(key.name, place);
                *http_status = number.map(|number| number.to_string());
                self.claims.http_class = number.and_then(http::class);
            }
            Field::Code => text(fields, key, code),
            Field::Message => text(fields, key, message),
            Field::Detail => text(fields, key, &mut failure.detail),
            Field::Suggestion => text(fields, key, &mut failure.suggestion),
            Field::Operation => text(fields, key, &mut failure.operation),
            Field::Target => text(fields, key, &mut failure.target),
            Field::FixRequired => text(fields, key, &mut failure.fix.required),
            Field::FixCommand => text(fields, key, &mut failure.fix.command),
            Field::Kind => return text(fields, key, &mut content.kind),
            Field::RequestId => return text(fields, key, request_id),
            Field::SchemaVersion => return text(fields, key, schema_version),
            Field::Cursor => return text(fields, key, cursor),
            Field::Timestamp => return text(fields, key, timestamp),
            Field::Cwd => return text(fields, key, cwd),
            _ => return,
        }
        self.has_error |= before == Presence::Value;
    }

    /// Puts together what was found.
    fn finish(mut self, top: Fields<'_, '_>) -> (Content, Claims) {
        let table = self.table;
        self.failure.redirect = self.redirect.take();
        if self.is_missing {
            self.content.missing.get_or_insert_default();
        }
        self.content.error = if let Some(error) = self.malformed.take() {
            Some(error)
        } else {
            let is_stated = self.has_object || (self.has_error && self.ok != Some(true));
            is_stated.then(|| self.failed())
        };
        let is_by_error = table.outcome == OutcomeFrom::Error && self.ok.is_none();
        if is_by_error {
            self.claims.ok = Some(self.content.error.is_none());
        }
        let Content { data, error, meta, .. } = &mut self.content;
        let by_key = |field| table.keys.iter().find(move |key| key.field == field);
        if data.is_none() && has_no_data_by_design(table, meta) {
            *data = Some(Raw::null());
        }
        let states_its_version = self.claims.ok != Some(true) || meta.schema_version.is_some();
        // The dialect describes its own documents; others that look like them need not know it.
        if self.claims.error_absent && states_its_version {
            self.claims.malformed = Some(Malformed::ErrorKeyAbsent);
        }
        let may_be_null = by_key(Field::Data).is_some_and(|key| key.null == Null::Nothing);
        if may_be_null && data.is_none() && error.is_none() && !meta.not_modified {
            self.claims.malformed.get_or_insert(Malformed::NothingSaid);
        }
        let needs_data = |key: &Key| key.field == Field::Data && key.need == Need::Required;
        if self.claims.ok == Some(true)
            && self.content.data.is_none()
            && table.rest != Rest::Payload
            && !may_be_null
            && !table.keys.iter().any(needs_data)
        {
            self.content.data = Some(Raw::null());
        }
        let mut top = top;
        if table.rest == Rest::Payload {
            // Where a success has no envelope, the keys of a failure are never of the payload.
            if table.outcome == OutcomeFrom::Failure {
                self.content.extra = top.named("extra", table.keys);
            }
            self.content.data = match self.content.data.take() {
                Some(data) => Some(data),
                None if top.is_only("data") => top.raw_or_null("data", "data"),
                None => top.rest_as_payload("data"),
            };
            if self.content.data.is_none() && self.content.error.is_none() {
                self.content.data = Some(Raw::object([]));
            }
        } else {
            self.content.extra = top.rest("extra", unknown(table.rest));
        }
        (self.content, self.claims)
    }

    /// The error of the fields that were found. A dialect that does not require a code has errors
    /// without one.
    fn failed(&mut self) -> ErrorObject {
        let requires =
            |field| self.table.all_keys().any(|it| it.field == field && it.need == Need::Required);
        let code = self.code.take();
        let code = match code.or_else(|| self.http_status.take()) {
            Some(code) => code,
            None if requires(Field::Code) => String::new(),
            None => EXPLICIT_FAILURE.to_owned(),
        };
        let message = match self.message.take() {
            Some(message) => message,
            None if requires(Field::Message) => String::new(),
            None => code.clone(),
        };
        ErrorObject { code, message, ..std::mem::take(&mut self.failure) }
    }
}

/// Takes text into a field that has none yet.
fn text(fields: &mut Fields<'_, '_>, key: &'static Key, slot: &mut Option<String>) {
    if slot.is_some() {
        return fields.keep(key.name);
    }
    let spelled = |value: Value<'_>| {
        let number = || value.integer::<i64>().map(|_| value.text().to_owned());
        let is_number = matches!(key.of, Type::Scalar | Type::Integer | Type::Count | Type::Status);
        value.string().map(Cow::into_owned).or_else(|| is_number.then(number).flatten())
    };
    let taken = fields.take(key.name, place(key.field), spelled);
    *slot = taken.filter(|text| !key.empty_is_absent || !text.is_empty());
}

/// One of a closed set of names.
fn name<T: std::str::FromStr>(value: Value<'_>) -> Option<T> {
    value.string()?.parse().ok()
}

fn issue(mut fields: Fields<'_, '_>, key: &Key, place: &str, whole: Value<'_>) -> Issue {
    let mut issue = Issue {
        code: String::new(),
        severity: Severity::Error,
        message: None,
        path: None,
        link: None,
        extra: Members::default(),
    };
    for key in key.keys {
        let at = place.to_owned();
        match key.field {
            Field::IssueCode => issue.code = fields.text(key.name, at).unwrap_or_default(),
            Field::IssueSeverity => {
                issue.severity = fields.take(key.name, at, name).unwrap_or(Severity::Error);
            }
            Field::IssueMessage => issue.message = fields.text(key.name, at),
            Field::IssuePath => issue.path = fields.text(key.name, at),
            Field::IssueLink => issue.link = fields.text(key.name, at),
            _ => {}
        }
    }
    if whole.kind() != Kind::Object {
        issue.message.get_or_insert_with(|| whole.text().to_owned());
    }
    issue.extra = fields.rest(place, Unknown::Allowed);
    issue
}

/// Whether `meta` says that there is nothing in `data`.
pub(super) fn has_no_data_by_design(table: &Table, meta: &Meta) -> bool {
    let says = |key: &&str| meta.extra.get(key).is_some_and(|value| value.as_str() != "false");
    table.no_data.iter().any(says)
}

fn unknown(rest: Rest) -> Unknown {
    if rest == Rest::Odd { Unknown::Odd } else { Unknown::Allowed }
}

/// The field of the normal form that a place is noted for.
fn place(field: Field) -> &'static str {
    match field {
        Field::WaitSeconds | Field::WaitText => Field::WaitMs.as_str(),
        Field::HttpStatus => Field::Code.as_str(),
        Field::RedirectCommand | Field::RedirectPermanent | Field::RedirectReason => {
            Field::Redirect.as_str()
        }
        other => other.as_str(),
    }
}
