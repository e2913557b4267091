//! Where each part of an answer is in a dialect's documents, from the dialect's table.

use manila::Table;
use manila::table::{Field, Key, Need, Null, Outcomes, Rest, Role, Type};

/// How documents are written.
#[derive(Debug)]
pub(crate) struct Layout {
    pub success: Vec<Slot>,
    pub failure: Vec<Slot>,
    /// The names of an error's code and message.
    pub code: &'static str,
    pub message: &'static str,
    /// What an error may say besides.
    pub error: Vec<Given>,
    /// What the answer may say about itself.
    pub meta: Vec<Given>,
    /// What a finding may say.
    pub issue: Vec<Given>,
    /// Whether documents name the command or the type of the payload.
    pub kind: Option<&'static str>,
    pub claim: Claim,
    /// Whether null is a payload like others.
    pub data_may_be_null: bool,
    keys: &'static [Key],
}

/// A member that the envelope writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub name: &'static str,
    pub part: Part,
}

/// The value of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    True,
    False,
    Text(&'static str),
    ExitCode,
    Kind,
    Data,
    /// The members of the payload, at the top.
    Payload,
    Null,
    EmptyObject,
    /// The error, with these members besides.
    Error(Vec<Slot>),
    /// The members of the error, at the top.
    FlatError,
    Warnings,
    Issues,
    /// The findings, and the error as one of them.
    IssuesAndError,
    /// What the handler says about the answer, with these members besides.
    Meta(Vec<Slot>),
    DurationMs,
    Timestamp,
    Cwd,
}

/// A member that a handler may state.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub name: &'static str,
    pub of: GivenType,
    pub doc: &'static str,
    /// It is always written; where a handler does not say it, as this.
    pub default: Option<Default>,
}

#[derive(Clone, Debug)]
pub(crate) enum GivenType {
    Text,
    Flag,
    Integer,
    OneOf(&'static [&'static str]),
    Json,
    Object(&'static str, Vec<Given>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Default {
    Empty,
    Null,
    /// Whether the class may be retried.
    Retryable,
}

/// How a document says whether it succeeded.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Claim {
    Ok(&'static str),
    Status(&'static str),
    Outcome(&'static str, &'static str),
}

/// What claw's flat documents have: code writes them, not a table.
const CLAW_1_0: &[Key] = &[
    Key::new("kind", Field::Kind, Type::Text).required().on_success(),
    Key::new("error", Field::Message, Type::Text).required().on_failure(),
    Key::new("hint", Field::Suggestion, Type::Text)
        .required()
        .null(Null::Nothing)
        .on_failure()
        .doc("What to do next."),
    Key::new("kind", Field::Code, Type::Text).required().on_failure(),
    Key::new("type", Field::Outcome, Type::Outcome { success: &["success"], failure: &["error"] })
        .required(),
];

impl Layout {
    /// The layout of a dialect that programs write.
    pub(crate) fn new(table: &Table) -> Layout {
        let keys = if table.id == "claw/1.0" { CLAW_1_0 } else { table.keys };
        let find = |field| find(keys, field);
        let error = find(Field::Error).map_or(keys, |key| key.keys);
        let issues = find(Field::Issues).filter(|key| key.role == Role::Own);
        let is_flat = find(Field::Error).is_none() && find(Field::Message).is_some();
        let has_error = find(Field::Message).is_some();
        let issue = issues.map(|key| given(key.keys)).unwrap_or_default();
        let meta = find(Field::Meta).map(|key| key.keys).unwrap_or_default();
        let name = |field, other| {
            let key = find(field).or_else(|| issues.and_then(|key| find_in(key.keys, other)));
            key.map_or("", |key| key.name)
        };
        let slots = |ok| {
            let writing = Writing { table, ok, has_error };
            let mut slots = writing.slots(keys);
            if is_flat && !ok {
                slots.insert(0, Slot { name: "", part: Part::FlatError });
            }
            if table.rest == Rest::Payload && ok {
                slots.push(Slot { name: "", part: Part::Payload });
            }
            slots
        };
        Layout {
            success: slots(true),
            failure: slots(false),
            code: name(Field::Code, Field::IssueCode),
            message: name(Field::Message, Field::IssueMessage),
            error: if has_error { given(error) } else { issue.clone() },
            meta: given(meta),
            issue,
            kind: find(Field::Kind).filter(|key| key.role == Role::Own).map(|key| key.name),
            claim: claim(keys),
            data_may_be_null: find(Field::Data).is_some_and(|key| key.null == Null::Value),
            keys,
        }
    }

    /// Whether both outcomes have the same members, so that one list says all.
    pub(crate) fn has_one_shape(&self) -> bool {
        let names = |slots: &[Slot]| slots.iter().map(|slot| slot.name).collect::<Vec<_>>();
        names(&self.success) == names(&self.failure)
            && !self.success.iter().any(|slot| slot.name.is_empty())
    }

    /// Whether documents have a list of warnings.
    pub(crate) fn has_warnings(&self) -> bool {
        self.success.iter().any(|slot| slot.part == Part::Warnings)
    }

    /// Whether documents have a list of findings.
    pub(crate) fn has_issues(&self) -> bool {
        !self.issue.is_empty()
    }

    /// The name of a member of `meta` that holds this field, if handlers may state it.
    pub(crate) fn meta_name(&self, field: Field) -> Option<&'static str> {
        let key = find(self.keys, field).filter(|key| key.role == Role::Own)?;
        self.meta.iter().any(|given| given.name == key.name).then_some(key.name)
    }

    /// Whether an error without a suggestion has an empty one.
    pub(crate) fn has_empty_suggestion(&self) -> bool {
        let path = self.path(Field::Suggestion).unwrap_or_default();
        let mut given = self.error.iter().filter(|given| Some(&given.name) == path.last());
        given.any(|given| given.default == Some(Default::Empty))
    }

    /// The path of the member that holds this field, as far as the dialect writes it.
    pub(crate) fn path(&self, field: Field) -> Option<Vec<&'static str>> {
        path(self.keys, field)
    }
}

struct Writing<'a> {
    table: &'a Table,
    ok: bool,
    has_error: bool,
}

impl Writing<'_> {
    fn slots(&self, keys: &'static [Key]) -> Vec<Slot> {
        let is_now = |key: &&Key| match key.on {
            Outcomes::Both => true,
            Outcomes::Success => self.ok,
            Outcomes::Failure => !self.ok,
        };
        let own = keys.iter().filter(|key| key.role == Role::Own).filter(is_now);
        own.filter_map(|key| Some(Slot { name: key.name, part: self.part(key)? })).collect()
    }

    fn part(&self, key: &'static Key) -> Option<Part> {
        Some(match key.field {
            Field::Ok if self.ok => Part::True,
            Field::Ok => Part::False,
            Field::Failed if self.ok => Part::False,
            Field::Failed => Part::True,
            Field::Status => Part::ExitCode,
            Field::Kind => Part::Kind,
            Field::Data if self.ok => Part::Data,
            Field::Data if key.null == Null::Nothing => Part::Null,
            Field::Data => Part::EmptyObject,
            Field::Error if self.ok => Part::Null,
            Field::Error => Part::Error(self.computed(key.keys)),
            Field::Warnings => Part::Warnings,
            Field::Issues if self.ok || self.has_error => Part::Issues,
            Field::Issues => Part::IssuesAndError,
            Field::Meta => Part::Meta(self.computed(key.keys)),
            Field::DurationMs => Part::DurationMs,
            Field::Timestamp => Part::Timestamp,
            Field::Cwd => Part::Cwd,
            Field::SchemaVersion => Part::Text(self.table.version?),
            Field::Outcome | Field::None => match key.of {
                Type::Const(texts) => Part::Text(texts.first()?),
                Type::Outcome { success, .. } if self.ok => Part::Text(success.first()?),
                Type::Outcome { failure, .. } => Part::Text(failure.first()?),
                _ => return None,
            },
            // The members of an error are the handler's.
            _ => return None,
        })
    }

    /// The members of an object that no handler states.
    fn computed(&self, keys: &'static [Key]) -> Vec<Slot> {
        self.slots(keys).into_iter().filter(|slot| slot.part != Part::Kind).collect()
    }
}

/// The members of an object that a handler may state.
fn given(keys: &'static [Key]) -> Vec<Given> {
    let is_given = |key: &&Key| {
        key.role == Role::Own
            && !matches!(
                key.field,
                Field::Code
                    | Field::Message
                    | Field::IssueCode
                    | Field::IssueMessage
                    | Field::IssueSeverity
                    | Field::Status
                    | Field::DurationMs
                    | Field::SchemaVersion
                    | Field::Timestamp
                    | Field::Cwd
                    | Field::None
                    | Field::Ok
                    | Field::Outcome
                    | Field::Kind
                    | Field::Data
            )
    };
    let one = |key: &'static Key| {
        let of = match key.of {
            Type::Text | Type::Scalar => GivenType::Text,
            Type::Flag => GivenType::Flag,
            Type::Count | Type::Integer | Type::Status => GivenType::Integer,
            Type::OneOf(texts) => GivenType::OneOf(texts),
            Type::Object if !key.keys.is_empty() => {
                GivenType::Object(key.name, given_all(key.keys))
            }
            _ => GivenType::Json,
        };
        let default = match key.field {
            Field::Retryable => Some(Default::Retryable),
            _ if key.need == Need::Optional => None,
            _ if key.null == Null::Nothing => Some(Default::Null),
            _ => Some(Default::Empty),
        };
        Given { name: key.name, of, doc: key.doc, default }
    };
    keys.iter().filter(is_given).map(one).collect()
}

/// All members of an object that a handler states as a whole.
fn given_all(keys: &'static [Key]) -> Vec<Given> {
    let mut all = given(keys);
    for given in &mut all {
        let key = keys.iter().find(|key| key.name == given.name);
        given.default = key.filter(|key| key.need == Need::Required).map(|_| Default::Empty);
    }
    all
}

fn claim(keys: &'static [Key]) -> Claim {
    for key in keys {
        match (key.field, key.of) {
            (Field::Ok, _) => return Claim::Ok(key.name),
            (Field::Status, _) => return Claim::Status(key.name),
            (Field::Outcome, Type::Outcome { success: [first, ..], .. }) => {
                return Claim::Outcome(key.name, first);
            }
            _ => {}
        }
    }
    Claim::Ok("ok")
}

fn find(keys: &'static [Key], field: Field) -> Option<&'static Key> {
    find_in(keys, field).or_else(|| keys.iter().find_map(|key| find(key.keys, field)))
}

fn find_in(keys: &'static [Key], field: Field) -> Option<&'static Key> {
    keys.iter().find(|key| key.field == field)
}

fn path(keys: &'static [Key], field: Field) -> Option<Vec<&'static str>> {
    keys.iter().filter(|key| matches!(key.role, Role::Own | Role::Undeclared)).find_map(|key| {
        if key.field == field {
            return Some(vec![key.name]);
        }
        let mut rest = path(key.keys, field)?;
        rest.insert(0, key.name);
        Some(rest)
    })
}
