//! What each dialect promises of its envelope's own keys: which must be there, of which type, and
//! which outcome goes with which. The payload is nobody's business here.

use crate::name::{EXACT, Name};
use crate::piece::Piece;
use crate::rule::{Breach, Rule};
use crate::verdict::Verdict;
use manila::json::Kind;

/// What a key's value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Text,
    Flag,
    /// An integer that a process can end with.
    Status,
    /// An integer that counts something.
    Count,
    Object,
    /// An array of nothing but text.
    Texts,
    /// An array of objects, each with a code and a severity.
    Issues,
    /// An object or an array.
    Container,
    /// An object, an array or null.
    ContainerOrNull,
    ObjectOrNull,
    TextOrNull,
    Anything,
}

impl Type {
    pub(crate) fn admits(self, piece: Piece<'_>) -> bool {
        let kind = piece.kind();
        match self {
            Type::Text => kind == Kind::String,
            Type::Flag => kind == Kind::Bool,
            Type::Status => piece.integer::<i32>().is_some(),
            Type::Count => is_count(piece.bytes()),
            Type::Object => kind == Kind::Object,
            Type::Texts => {
                kind == Kind::Array && piece.elements().all(|it| it.kind() == Kind::String)
            }
            Type::Issues => kind == Kind::Array && piece.elements().all(is_issue),
            Type::Container => matches!(kind, Kind::Object | Kind::Array),
            Type::ContainerOrNull => matches!(kind, Kind::Object | Kind::Array | Kind::Null),
            Type::ObjectOrNull => matches!(kind, Kind::Object | Kind::Null),
            Type::TextOrNull => matches!(kind, Kind::String | Kind::Null),
            Type::Anything => true,
        }
    }
}

/// Whether a number is an integer that counts something; the rare ones with many digits are read.
fn is_count(spelled: &[u8]) -> bool {
    let are_digits = spelled.iter().all(u8::is_ascii_digit);
    are_digits && (spelled.len() < 20 || Piece::new(spelled, 0).integer::<u64>().is_some())
}

fn is_issue(piece: Piece<'_>) -> bool {
    let is_text = |key| piece.get(key).is_some_and(|value| value.kind() == Kind::String);
    is_text("code") && is_text("severity")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    Required,
    Optional,
}

/// A key of an envelope: its full name, whether it must be there, and its type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// Such as `error.code`.
    path: &'static str,
    /// Its own name, such as `code`.
    name: &'static str,
    words: Name,
    need: Need,
    of: Type,
}

impl Key {
    const fn new(path: &'static str, need: Need, of: Type) -> Self {
        let mut from = path.len();
        while from > 0 && path.as_bytes()[from - 1] != b'.' {
            from -= 1;
        }
        let name = path.split_at(from).1;
        Key { path, name, words: Name::new(name), need, of }
    }
}

const fn must(path: &'static str, of: Type) -> Key {
    Key::new(path, Need::Required, of)
}

const fn may(path: &'static str, of: Type) -> Key {
    Key::new(path, Need::Optional, of)
}

/// Whether members keep their keys' promises. `each` gets them all. `false` also where a closer look
/// is needed: at a key that is escaped.
pub(crate) fn keeps<'r>(
    members: impl Iterator<Item = (Piece<'r>, Name, Piece<'r>)>,
    keys: &[Key],
    mut each: impl FnMut(&'r [u8], Piece<'r>),
) -> bool {
    let mut met = 0u32;
    for (key, words, value) in members {
        let Some(spelled) = key.spelled() else { return false };
        match keys.iter().position(|key| key.words == words) {
            Some(at) if !keys[at].of.admits(value) => return false,
            Some(at) => met |= 1 << at,
            None if words.has_backslash() => return false,
            None if words.length > EXACT && spelled.contains(&b'\\') => return false,
            None => {}
        }
        each(spelled, value);
    }
    let required = |(at, key): (usize, &Key)| key.need == Need::Optional || met & (1 << at) != 0;
    keys.iter().enumerate().all(required)
}

/// How a dialect ties its outcome to the keys that go with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tie {
    /// `error` and `data` are always there, one of them null.
    Nulls,
    /// `error` is there on failure only, and what only a success has is not.
    Keys,
    /// `exit_code` tells; running out of time needs no error.
    ExitCode,
    /// There is no error: issues say why.
    Issues,
    /// The shape tells, and detection has looked at it.
    Shape,
}

/// One dialect's promises.
#[derive(Debug)]
pub(crate) struct Contract {
    dialect: &'static str,
    top: &'static [Key],
    success: &'static [Key],
    pub(crate) error: &'static [Key],
    pub(crate) meta: &'static [Key],
    /// What only a success has.
    only_success: &'static [&'static str],
    tie: Tie,
}

const RESPONSE_TOP: &[Key] = &[
    must("ok", Type::Flag),
    must("data", Type::ContainerOrNull),
    must("error", Type::ObjectOrNull),
    must("warnings", Type::Texts),
    must("meta", Type::Object),
];
const RESPONSE_META: &[Key] = &[
    must("meta.duration_ms", Type::Count),
    may("meta.request_id", Type::Text),
    may("meta.schema_version", Type::Text),
    may("meta.not_modified", Type::Flag),
    may("meta.validation_only", Type::Flag),
    may("meta.truncated", Type::Flag),
    may("meta.cursor", Type::Text),
];

pub(crate) static RESPONSE_1_0: Contract = Contract {
    dialect: "response-envelope/1.0",
    top: RESPONSE_TOP,
    success: &[],
    error: &[
        must("error.code", Type::Text),
        must("error.message", Type::Text),
        may("error.detail", Type::Text),
        may("error.retryable", Type::Flag),
        may("error.retry_after", Type::Count),
        may("error.phase", Type::Text),
        may("error.suggestion", Type::Text),
        may("error.redirect", Type::Object),
    ],
    meta: RESPONSE_META,
    only_success: &[],
    tie: Tie::Nulls,
};

pub(crate) static RESPONSE_1_6: Contract = Contract {
    dialect: "response-envelope/1.6",
    top: RESPONSE_TOP,
    success: &[],
    error: &[
        must("error.code", Type::Text),
        must("error.message", Type::Text),
        may("error.detail", Type::Text),
        may("error.retryable", Type::Flag),
        may("error.retry_after_ms", Type::Count),
        may("error.retry_strategy", Type::Text),
        may("error.fix_required", Type::Text),
        may("error.fix_command", Type::Text),
        may("error.phase", Type::Text),
        may("error.suggestion", Type::Text),
        may("error.redirect", Type::Object),
    ],
    meta: RESPONSE_META,
    only_success: &[],
    tie: Tie::Nulls,
};

pub(crate) static ANIMUS_1: Contract = Contract {
    dialect: "animus/1",
    top: &[must("schema", Type::Text), must("ok", Type::Flag)],
    success: &[must("data", Type::Anything)],
    error: &[
        must("error.code", Type::Text),
        must("error.message", Type::Text),
        must("error.exit_code", Type::Status),
        may("error.details", Type::Object),
    ],
    meta: &[],
    only_success: &["data"],
    tie: Tie::Keys,
};

pub(crate) static CLAW_1_0: Contract = Contract {
    dialect: "claw/1.0",
    top: &[may("ok", Type::Flag), may("exit_code", Type::Status)],
    success: &[],
    error: &[],
    meta: &[],
    only_success: &[],
    tie: Tie::Shape,
};

pub(crate) static CLAW_2_0: Contract = Contract {
    dialect: "claw/2.0",
    top: &[
        must("timestamp", Type::Text),
        must("command", Type::Text),
        must("exit_code", Type::Status),
        must("output_format", Type::Text),
        must("schema_version", Type::Text),
    ],
    success: &[],
    error: &[
        must("error.kind", Type::Text),
        must("error.retryable", Type::Flag),
        must("error.message", Type::Text),
        may("error.operation", Type::Text),
        may("error.target", Type::Text),
        may("error.hint", Type::Text),
    ],
    meta: &[],
    only_success: &[],
    tie: Tie::ExitCode,
};

pub(crate) static TD_1: Contract = Contract {
    dialect: "td/1",
    top: &[must("ok", Type::Flag)],
    success: &[must("type", Type::Text), must("data", Type::Container)],
    error: &[
        must("error.code", Type::Text),
        must("error.message", Type::Text),
        must("error.suggestion", Type::Text),
        may("error.details", Type::Object),
    ],
    meta: &[],
    only_success: &["type", "data"],
    tie: Tie::Keys,
};

pub(crate) static I18NPRUNE_1: Contract = Contract {
    dialect: "i18nprune/1",
    top: &[
        must("ok", Type::Flag),
        must("kind", Type::Text),
        must("data", Type::Container),
        must("issues", Type::Issues),
        must("meta", Type::Object),
    ],
    success: &[],
    error: &[],
    meta: &[must("meta.apiVersion", Type::Text), must("meta.cwd", Type::Text)],
    only_success: &[],
    tie: Tie::Issues,
};

/// Every contract.
static CONTRACTS: [&Contract; 7] =
    [&RESPONSE_1_0, &RESPONSE_1_6, &ANIMUS_1, &CLAW_1_0, &CLAW_2_0, &TD_1, &I18NPRUNE_1];

/// The keys that the error of an entity which does not exist may leave out.
const OF_A_CALL: [(&str, &str); 2] = [("operation", "error.operation"), ("target", "error.target")];

/// Adds what a record breaks of its dialect's contract. `verdict` must have members.
pub(crate) fn judge(dialect: &str, verdict: &Verdict<'_>, broken: &mut Vec<Breach>) {
    let Some(contract) = CONTRACTS.into_iter().find(|contract| contract.dialect == dialect) else {
        return;
    };
    let mut bench = Bench { verdict, broken, root: verdict.root() };
    bench.keys(None, contract.top);
    if let Some(meta) = bench.object("meta").filter(|_| !contract.meta.is_empty()) {
        bench.keys(Some(meta), contract.meta);
    }
    bench.outcome(contract);
}

/// One record before the judge.
struct Bench<'v, 'r> {
    verdict: &'v Verdict<'r>,
    broken: &'v mut Vec<Breach>,
    /// Where the envelope begins, for what is not there.
    root: usize,
}

impl<'r> Bench<'_, 'r> {
    fn breach(&mut self, rule: Rule, offset: usize, key: &'static str) {
        self.broken.push(Breach { rule, offset, key: Some(key) });
    }

    fn object(&self, name: &str) -> Option<Piece<'r>> {
        self.verdict.get(name).filter(|piece| piece.kind() == Kind::Object)
    }

    /// Judges the keys of the envelope itself, or of an object in it.
    fn keys(&mut self, of: Option<Piece<'r>>, keys: &[Key]) {
        for key in keys {
            let found = match of {
                None => self.verdict.get(key.name),
                Some(object) => object.get(key.name),
            };
            let missing_at = of.map_or(self.root, Piece::offset);
            match found {
                None if key.need == Need::Required => {
                    self.breach(Rule::MissingKey, missing_at, key.path);
                }
                None => {}
                Some(value) if key.of.admits(value) => {}
                Some(value) if value.is_null() => {
                    self.breach(Rule::NullValue, value.offset(), key.path);
                }
                Some(value) => self.breach(Rule::WrongType, value.offset(), key.path),
            }
        }
    }

    fn outcome(&mut self, contract: &Contract) {
        match contract.tie {
            Tie::Nulls => match self.flag("ok") {
                Some(true) => self.null_error(contract),
                Some(false) => {
                    self.error_object(contract);
                    if let Some(data) = self.verdict.get("data").filter(|data| !data.is_null()) {
                        self.breach(Rule::DataOnFailure, data.offset(), "data");
                    }
                }
                None => {}
            },
            Tie::Keys => match self.flag("ok") {
                Some(true) => {
                    self.keys(None, contract.success);
                    self.no_error();
                }
                Some(false) => {
                    self.error_object(contract);
                    for key in contract.only_success {
                        if let Some(value) = self.verdict.get(key) {
                            self.breach(Rule::DataOnFailure, value.offset(), key);
                        }
                    }
                }
                None => {}
            },
            Tie::ExitCode => match self.verdict.get("exit_code").and_then(Piece::integer::<i32>) {
                Some(0) => self.no_error(),
                Some(2) if self.verdict.get("error").is_none() => {}
                Some(_) => {
                    self.error_object(contract);
                    self.call_of_error();
                }
                None => {}
            },
            Tie::Issues => {
                let none = |issues: &Piece<'_>| issues.elements().next().is_none();
                let issues = self.verdict.get("issues").filter(none);
                if let (Some(false), Some(issues)) = (self.flag("ok"), issues) {
                    self.breach(Rule::FailureWithoutError, issues.offset(), "issues");
                }
            }
            Tie::Shape => self.flat_error(),
        }
    }

    fn flag(&self, name: &str) -> Option<bool> {
        self.verdict.get(name)?.bool()
    }

    /// A success whose `error` must be there and null, and whose data say something.
    fn null_error(&mut self, contract: &Contract) {
        match self.verdict.get("error") {
            Some(error) if !error.is_null() => {
                self.breach(Rule::ErrorOnSuccess, error.offset(), "error");
                if error.kind() == Kind::Object {
                    self.keys(Some(error), contract.error);
                }
            }
            _ => {
                let data = self.verdict.get("data").filter(|data| data.is_null());
                if let Some(data) = data.filter(|_| !self.may_say_nothing()) {
                    self.breach(Rule::NothingSaid, data.offset(), "data");
                }
            }
        }
    }

    /// Whether `meta` says why there are no data.
    fn may_say_nothing(&self) -> bool {
        let Some(meta) = self.object("meta") else { return false };
        let says = |key| meta.get(key).and_then(Piece::bool) == Some(true);
        says("not_modified") || says("validation_only") || meta.get("token_count").is_some()
    }

    /// A success that has no key `error`.
    fn no_error(&mut self) {
        match self.verdict.get("error") {
            Some(error) if error.is_null() => {
                self.breach(Rule::NullValue, error.offset(), "error");
            }
            Some(error) => self.breach(Rule::ErrorOnSuccess, error.offset(), "error"),
            None => {}
        }
    }

    /// A failure whose `error` must be an object.
    fn error_object(&mut self, contract: &Contract) {
        match self.verdict.get("error") {
            Some(error) if error.kind() == Kind::Object => self.keys(Some(error), contract.error),
            Some(error) if error.is_null() => {
                self.breach(Rule::FailureWithoutError, error.offset(), "error");
            }
            // Where `error` is always there its type was judged with the rest.
            Some(_) if contract.tie == Tie::Nulls => {}
            Some(error) => self.breach(Rule::WrongType, error.offset(), "error"),
            None => self.breach(Rule::FailureWithoutError, self.root, "error"),
        }
    }

    /// What a call failed at, which only an entity that does not exist may leave open.
    fn call_of_error(&mut self) {
        let Some(error) = self.object("error") else { return };
        if self.flag("found") == Some(false) {
            return;
        }
        for (name, path) in OF_A_CALL {
            if error.get(name).is_none() {
                self.breach(Rule::MissingKey, error.offset(), path);
            }
        }
    }

    /// The flat failure whose `type` says so has exactly these keys; other flat shapes are known by
    /// what they have, and promise nothing else.
    fn flat_error(&mut self) {
        let is_typed = self.verdict.get("type").is_some_and(|kind| kind.is_text("error"));
        if is_typed && self.verdict.get("error_kind").is_none() {
            let keys = &[
                must("error", Type::Text),
                must("hint", Type::TextOrNull),
                must("kind", Type::Text),
            ];
            self.keys(None, keys);
        }
    }
}
