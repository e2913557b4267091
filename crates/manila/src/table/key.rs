//! The keys of a dialect: what each holds, of which type, in which outcome.

use super::Test;
use crate::json::Kind;
use crate::names::names;

/// One key of a dialect.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name; below an array, the number of an element.
    pub name: &'static str,
    /// What of the normal form it holds.
    pub field: Field,
    /// What its value is.
    pub of: Type,
    /// Whether it must be there.
    pub need: Need,
    /// In which outcomes it is there.
    pub on: Outcomes,
    /// What null means.
    pub null: Null,
    /// Whether an empty text or container counts as absent.
    pub empty_is_absent: bool,
    /// It is only required where these hold.
    pub need_if: &'static [Test],
    /// What the dialect thinks of it.
    pub role: Role,
    /// What it is, for the JSON Schema.
    pub doc: &'static str,
    /// The keys of its members, if it is an object or an array.
    pub keys: &'static [Key],
    /// What becomes of its other members.
    pub rest: Rest,
}

impl Key {
    /// An optional key of both outcomes, to be narrowed down.
    pub const fn new(name: &'static str, field: Field, of: Type) -> Key {
        Key {
            name,
            field,
            of,
            need: Need::Optional,
            on: Outcomes::Both,
            null: Null::Absent,
            empty_is_absent: false,
            need_if: &[],
            role: Role::Own,
            doc: "",
            keys: &[],
            rest: Rest::Odd,
        }
    }

    /// The same, always there.
    #[must_use]
    pub const fn required(self) -> Key {
        Key { need: Need::Required, ..self }
    }

    /// The same, on success only.
    #[must_use]
    pub const fn on_success(self) -> Key {
        Key { on: Outcomes::Success, ..self }
    }

    /// The same, on failure only.
    #[must_use]
    pub const fn on_failure(self) -> Key {
        Key { on: Outcomes::Failure, ..self }
    }

    /// The same, with another meaning of null.
    #[must_use]
    pub const fn null(self, null: Null) -> Key {
        Key { null, ..self }
    }

    /// The same, where empty counts as absent.
    #[must_use]
    pub const fn empty_is_absent(self) -> Key {
        Key { empty_is_absent: true, ..self }
    }

    /// The same, required only where these hold.
    #[must_use]
    pub const fn required_if(self, need_if: &'static [Test]) -> Key {
        Key { need: Need::Required, need_if, ..self }
    }

    /// The same in another role.
    #[must_use]
    pub const fn role(self, role: Role) -> Key {
        Key { role, ..self }
    }

    /// The same with a description.
    #[must_use]
    pub const fn doc(self, doc: &'static str) -> Key {
        Key { doc: described(doc), ..self }
    }

    /// The same with members.
    #[must_use]
    pub const fn keys(self, keys: &'static [Key], rest: Rest) -> Key {
        Key { keys, rest, ..self }
    }

    /// Whether it only tells the dialect's documents from others.
    pub(crate) fn is_constant(&self) -> bool {
        matches!(self.of, Type::Const(_))
    }

    /// Whether the dialect writes it.
    pub fn is_written(&self) -> bool {
        matches!(self.role, Role::Own | Role::Undeclared)
    }

    /// Whether it must be there in an outcome, as far as the outcome is known.
    pub fn is_required(&self, ok: Option<bool>) -> bool {
        let applies = match self.on {
            Outcomes::Both => true,
            Outcomes::Success => ok == Some(true),
            Outcomes::Failure => ok == Some(false),
        };
        self.need == Need::Required && applies
    }
}

/// What a key's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A string.
    Text,
    /// A string or an integer, which is read as it is spelled.
    Scalar,
    /// A boolean.
    Flag,
    /// An integer that a process can end with.
    Status,
    /// An integer of any sign.
    Integer,
    /// An integer that counts something.
    Count,
    /// An object.
    Object,
    /// An array.
    Array,
    /// An array of nothing but text.
    Texts,
    /// An array of objects, each with a code and a severity.
    Issues,
    /// An object or an array.
    Container,
    /// Anything.
    Any,
    /// One of these texts; the first is the one that is written.
    Const(&'static [&'static str]),
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// A string that states the outcome: these on success, those on failure. The first of each is
    /// written.
    Outcome {
        /// What a success says.
        success: &'static [&'static str],
        /// What a failure says.
        failure: &'static [&'static str],
    },
}

impl Type {
    /// Every type that needs no texts.
    pub const PLAIN: &'static [Type] = &[
        Type::Text,
        Type::Scalar,
        Type::Flag,
        Type::Status,
        Type::Integer,
        Type::Count,
        Type::Object,
        Type::Array,
        Type::Texts,
        Type::Issues,
        Type::Container,
        Type::Any,
    ];

    /// Its name in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Type::Text => "text",
            Type::Scalar => "scalar",
            Type::Flag => "flag",
            Type::Status => "status",
            Type::Integer => "integer",
            Type::Count => "count",
            Type::Object => "object",
            Type::Array => "array",
            Type::Texts => "texts",
            Type::Issues => "issues",
            Type::Container => "container",
            Type::Any => "any",
            Type::Const(_) => "const",
            Type::OneOf(_) => "one_of",
            Type::Outcome { .. } => "outcome",
        }
    }

    /// Whether a value of this kind can be of the type, which may ask for more.
    pub fn is_of(self, kind: Kind) -> bool {
        match self {
            Type::Text | Type::Const(_) | Type::OneOf(_) | Type::Outcome { .. } => {
                kind == Kind::String
            }
            Type::Scalar => matches!(kind, Kind::String | Kind::Number),
            Type::Flag => kind == Kind::Bool,
            Type::Status | Type::Integer | Type::Count => kind == Kind::Number,
            Type::Object => kind == Kind::Object,
            Type::Array | Type::Texts | Type::Issues => kind == Kind::Array,
            Type::Container => matches!(kind, Kind::Object | Kind::Array),
            Type::Any => true,
        }
    }
}

impl std::str::FromStr for Type {
    type Err = crate::names::UnknownName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Type::PLAIN.iter().copied().find(|it| it.as_str() == name);
        found.ok_or(crate::names::UnknownName)
    }
}

names! {
    /// Whether a key must be there.
    Need {
        /// It must.
        Required = "required",
        /// It may be left out.
        Optional = "optional",
    }
}

names! {
    /// In which outcomes a key is there.
    Outcomes {
        /// On success and on failure.
        Both = "both",
        /// On success only.
        Success = "success",
        /// On failure only.
        Failure = "failure",
    }
}

names! {
    /// What null means where a value could stand.
    Null {
        /// As if the key were not there; it is never written.
        Absent = "absent",
        /// As if the key were not there, and worth a fact.
        Odd = "odd",
        /// There is nothing to say; it is written where that is so.
        Nothing = "nothing",
        /// It is a value like others.
        Value = "value",
    }
}

names! {
    /// What a dialect thinks of a key.
    Role {
        /// It is the dialect's own.
        Own = "own",
        /// It is read and written, but the dialect's documentation does not name it.
        Undeclared = "undeclared",
        /// It is read, because related dialects have it, and never written.
        Tolerated = "tolerated",
        /// It is read, and the dialect forbids it.
        Forbidden = "forbidden",
    }
}

names! {
    /// What becomes of members that a table does not name.
    Rest {
        /// They are kept as extras, are worth a fact, and are not written.
        Odd = "odd",
        /// They are kept as extras and written again.
        Allowed = "allowed",
        /// They are kept as extras and not written.
        Kept = "kept",
        /// They are the payload; only at the top.
        Payload = "payload",
    }
}

names! {
    /// What of the normal form a key holds.
    Field {
        /// Nothing; a constant, or a container of other keys.
        None = "none",
        /// Nothing with a name; it stays among the extras.
        Extra = "extra",
        /// True on success.
        Ok = "ok",
        /// True on failure.
        Failed = "failed",
        /// A string that states the outcome.
        Outcome = "outcome",
        /// The number that the process ends with.
        Status = "status",
        /// What the answer is about.
        Kind = "kind",
        /// The payload.
        Data = "data",
        /// The object that holds the error.
        Error = "error",
        /// The identifier that callers branch on.
        Code = "error.code",
        /// The HTTP status of the failure's class; the code where no other key has one.
        HttpStatus = "error.http_status",
        /// For people.
        Message = "error.message",
        /// Raw upstream text.
        Detail = "error.detail",
        /// Structured context.
        Details = "error.details",
        /// Whether the same call may work.
        Retryable = "error.retryable",
        /// How long to wait, in seconds.
        WaitSeconds = "error.wait_s",
        /// How long to wait, in milliseconds.
        WaitMs = "error.wait_ms",
        /// How long to wait, as a text with its unit: `34.07s`.
        WaitText = "error.wait_text",
        /// How the waits should grow.
        Strategy = "error.strategy",
        /// How far the call had come.
        Phase = "error.phase",
        /// What to do next.
        Suggestion = "error.suggestion",
        /// What failed.
        Operation = "error.operation",
        /// What it failed on.
        Target = "error.target",
        /// What must be true before calling again.
        FixRequired = "error.fix.required",
        /// A command that makes it true.
        FixCommand = "error.fix.command",
        /// The object that names the replacement of a command.
        Redirect = "error.redirect",
        /// The replacement.
        RedirectCommand = "error.redirect.command",
        /// Whether to remember it.
        RedirectPermanent = "error.redirect.permanent",
        /// Why the command moved.
        RedirectReason = "error.redirect.reason",
        /// Findings.
        Issues = "issues",
        /// The code of a finding.
        IssueCode = "issue.code",
        /// How bad it is.
        IssueSeverity = "issue.severity",
        /// What it says.
        IssueMessage = "issue.message",
        /// What it is about.
        IssuePath = "issue.path",
        /// Where to read more.
        IssueLink = "issue.link",
        /// What went not quite right.
        Warnings = "warnings",
        /// False where the entity that was looked up does not exist.
        Found = "found",
        /// The name of the entity that does not exist.
        Missing = "missing",
        /// The object that is about the answer.
        Meta = "meta",
        /// How long the command ran, in milliseconds.
        DurationMs = "meta.duration_ms",
        /// What to look for in logs.
        RequestId = "meta.request_id",
        /// The contract version that the document states.
        SchemaVersion = "meta.schema_version",
        /// The caller's cached answer still holds.
        NotModified = "meta.not_modified",
        /// The data were cut.
        Truncated = "meta.truncated",
        /// Where the next page begins.
        Cursor = "meta.cursor",
        /// When the command completed.
        Timestamp = "meta.timestamp",
        /// Where it ran.
        Cwd = "meta.cwd",
    }
}

/// A text about a dialect, such as its page. Programs that write an envelope and nothing else do not carry it: only
/// a build that has schemas does.
pub(crate) const fn described(text: &'static str) -> &'static str {
    if cfg!(feature = "serde_json") { text } else { "" }
}
