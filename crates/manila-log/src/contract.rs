//! What each dialect promises of its envelope's own keys, from its table: which must be there, of which
//! type, and which outcome goes with which. The payload is not judged.

use crate::name::{EXACT, Name};
use crate::rule::{Breach, Rule};
use crate::value_ref::ValueRef;
use crate::verdict::Verdict;
use manila::Table;
use manila::json::Kind;
use manila::table::{self, Field, Is, Null, OutcomeFrom, Outcomes, Role, Test, Type};
use std::sync::{PoisonError, RwLock};

/// A key of a table, ready to be looked for.
#[derive(Debug)]
pub(crate) struct Key {
    /// Its full name, such as `error.code`.
    path: &'static str,
    words: Name,
    declared: &'static table::Key,
}

/// One dialect's promises.
#[derive(Debug)]
pub(crate) struct Contract {
    table: &'static Table,
    top: Vec<Key>,
    /// The promises of the objects in it, by the place of the object in `top`.
    inner: Vec<(usize, Promises)>,
}

/// The keys of an object.
#[derive(Debug)]
pub(crate) struct Promises {
    keys: Vec<Key>,
    /// Which of them must be there, as bits; `None` if they are too many for that.
    required: Option<u64>,
}

impl Promises {
    const NONE: Promises = Promises { keys: Vec::new(), required: Some(0) };

    fn new(keys: Vec<Key>) -> Promises {
        let is_required =
            |key: &Key| key.declared.is_required(None) && key.declared.need_if.is_empty();
        let bits = keys.iter().rev().fold(0, |bits, key| bits << 1 | u64::from(is_required(key)));
        let required = (keys.len() <= 64).then_some(bits);
        Promises { keys, required }
    }
}

impl Contract {
    /// The contract of a table. It is made once and stays in memory, as tables do.
    pub(crate) fn new(table: &'static Table) -> &'static Contract {
        static MADE: RwLock<Vec<&'static Contract>> = RwLock::new(Vec::new());
        let is_it = |made: &&&Contract| std::ptr::eq(made.table, table);
        let made = MADE.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(contract) = made.iter().find(is_it) {
            return contract;
        }
        drop(made);
        let mut made = MADE.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(contract) = made.iter().find(is_it) {
            return contract;
        }
        let top = keys("", table.keys);
        let is_object = |key: &&Key| key.declared.of == Type::Object;
        let inner = top.iter().enumerate().filter(|(_, key)| is_object(key));
        let inner =
            inner.map(|(at, key)| (at, Promises::new(keys(key.path, key.declared.keys)))).collect();
        let contract: &'static Contract = Box::leak(Box::new(Contract { table, top, inner }));
        made.push(contract);
        contract
    }

    /// The promises of the object that holds a field, such as the error.
    pub(crate) fn of(&self, field: Field) -> &Promises {
        static NONE: Promises = Promises::NONE;
        let inner = self.inner.iter().find(|(at, _)| self.top[*at].declared.field == field);
        inner.map_or(&NONE, |(_, promises)| promises)
    }
}

/// The keys that a dialect documents.
fn keys(parent: &str, keys: &'static [table::Key]) -> Vec<Key> {
    let own = keys.iter().filter(|key| key.role == Role::Own);
    own.map(|key| {
        let path = match parent {
            "" => key.name,
            _ => Box::leak(format!("{parent}.{}", key.name).into_boxed_str()),
        };
        Key { path, words: Name::new(key.name.as_bytes()), declared: key }
    })
    .collect()
}

/// Whether a value is of a type, as far as the contract of logs goes: a text may be any text.
pub(crate) fn admits(key: &table::Key, value: ValueRef<'_>) -> bool {
    if value.is_null() {
        return matches!(key.null, Null::Nothing | Null::Value);
    }
    let kind = value.kind();
    match key.of {
        Type::Status => value.integer::<i32>().is_some(),
        Type::Integer => value.integer::<i64>().is_some(),
        Type::Scalar => kind == Kind::String || value.integer::<i64>().is_some(),
        Type::Count => is_count(value.bytes()),
        Type::Texts => are_texts(value),
        Type::Issues => kind == Kind::Array && value.elements().all(|it| is_issue(key, it)),
        of => of.is_of(kind),
    }
}

/// Whether a value is an array of nothing but text.
pub(crate) fn are_texts(value: ValueRef<'_>) -> bool {
    value.kind() == Kind::Array && value.elements().all(|it| it.kind() == Kind::String)
}

/// Whether a number is an integer that counts something; the rare ones with many digits are read.
fn is_count(spelled: &[u8]) -> bool {
    let are_digits = spelled.iter().all(u8::is_ascii_digit);
    are_digits && (spelled.len() < 20 || ValueRef::new(spelled, 0).integer::<u64>().is_some())
}

/// Whether an element of a list of issues has the texts that it must have.
fn is_issue(list: &table::Key, issue: ValueRef<'_>) -> bool {
    let is_text =
        |key: &table::Key| issue.get(key.name).is_some_and(|value| value.kind() == Kind::String);
    list.keys.iter().filter(|key| key.is_required(None)).all(is_text)
}

/// Whether members keep their keys' promises. `each` gets them all. `false` also where a closer look
/// is needed: at a key that is escaped.
pub(crate) fn keeps<'r>(
    members: impl Iterator<Item = (ValueRef<'r>, Name, ValueRef<'r>)>,
    Promises { keys, required }: &Promises,
    mut each: impl FnMut(&'r [u8], ValueRef<'r>),
) -> bool {
    let mut met = 0u64;
    for (key, words, value) in members {
        let Some(spelled) = key.spelled() else { return false };
        match keys.iter().position(|key| key.words == words) {
            Some(at) if words.length > EXACT && keys[at].declared.name.as_bytes() != spelled => {
                return false;
            }
            Some(at) if !admits(keys[at].declared, value) => return false,
            Some(at) => met |= 1 << (at & 63),
            None if words.has_backslash() => return false,
            None if words.length > EXACT && spelled.contains(&b'\\') => return false,
            None => {}
        }
        each(spelled, value);
    }
    required.is_some_and(|required| met & required == required)
}

/// Whether a condition of a table holds in a record; `get` has the value of a name at the top.
#[cold]
pub(crate) fn holds<'r>(test: &Test, get: impl FnOnce(&str) -> Option<ValueRef<'r>>) -> bool {
    let (first, rest) = test.path.split_once('.').unwrap_or((test.path, ""));
    let value = get(first).and_then(|value| value.at(rest));
    let is = match (test.is, value) {
        (is, None) => is == Is::Absent,
        (Is::Matches(patterns), Some(value)) => {
            let number =
                std::str::from_utf8(value.bytes()).ok().filter(|_| value.kind() == Kind::Number);
            let text = value.text();
            let text = text.as_deref().or(number);
            text.is_some_and(|text| patterns.iter().any(|it| table::matches(it, text)))
        }
        (Is::Present, Some(_)) => true,
        (Is::Absent, Some(_)) => false,
        (Is::Value, Some(value)) => !value.is_null(),
        (Is::Null, Some(value)) => value.is_null(),
        (Is::True, Some(value)) => value.bool() == Some(true),
        (Is::False, Some(value)) => value.bool() == Some(false),
        (Is::Integer, Some(value)) => value.integer::<i64>().is_some(),
        (Is::Text, Some(value)) => value.kind() == Kind::String,
        (Is::Flag, Some(value)) => value.kind() == Kind::Bool,
        (Is::Object, Some(value)) => value.kind() == Kind::Object,
        (Is::Array, Some(value)) => value.kind() == Kind::Array,
    };
    is != test.not
}

/// Adds what a record breaks of its dialect's contract. `verdict` must have members.
pub(crate) fn judge(table: &'static Table, verdict: &Verdict<'_>, broken: &mut Vec<Breach>) {
    let contract = Contract::new(table);
    let mut judge = Judge { verdict, broken, root: verdict.root(), ok: None };
    judge.ok = judge.claimed(table);
    judge.keys(None, &contract.top);
    for (at, Promises { keys, .. }) in &contract.inner {
        let object = verdict.get(contract.top[*at].declared.name);
        let is_judged = contract.top[*at].declared.field != Field::Error || judge.ok.is_some();
        if let Some(object) = object.filter(|it| is_judged && it.kind() == Kind::Object) {
            let is_on =
                contract.top[*at].declared.on != Outcomes::Failure || judge.ok == Some(false);
            if is_on {
                judge.keys(Some(object), keys);
            }
        }
    }
    judge.outcome(contract);
}

/// One record and what it breaks.
struct Judge<'v, 'r> {
    verdict: &'v Verdict<'r>,
    broken: &'v mut Vec<Breach>,
    /// Where the envelope begins, for what is not there.
    root: usize,
    /// The outcome that the record claims.
    ok: Option<bool>,
}

impl<'r> Judge<'_, 'r> {
    fn breach(&mut self, rule: Rule, offset: usize, key: &'static str) {
        self.broken.push(Breach { rule, offset, key: Some(key) });
    }

    /// The outcome that the record claims: a failure if one of its keys says so.
    fn claimed(&self, table: &Table) -> Option<bool> {
        let mut claim = None;
        for key in table.keys {
            let Some(value) = self.verdict.get(key.name) else { continue };
            let says = match (key.field, key.of) {
                (Field::Ok, _) => value.bool(),
                (Field::Failed, _) => value.bool().map(|failed| !failed),
                (Field::Status, _) => value.integer::<i32>().map(|status| status == 0),
                (_, Type::Outcome { success, failure }) => {
                    let is_in = |texts: &[&str]| texts.iter().any(|text| value.is_text(text));
                    if is_in(failure) { Some(false) } else { is_in(success).then_some(true) }
                }
                _ => None,
            };
            if says == Some(false) {
                return says;
            }
            claim = claim.or(says);
        }
        let is_error = |key: &&table::Key| matches!(key.field, Field::Error | Field::Message);
        match table.outcome {
            OutcomeFrom::Keys => claim,
            OutcomeFrom::Failure => Some(false),
            OutcomeFrom::Error => claim.or_else(|| {
                let mut errors = table.keys.iter().filter(is_error);
                let is_there = |key: &table::Key| {
                    self.verdict.get(key.name).is_some_and(|value| !value.is_null())
                };
                Some(!errors.any(is_there))
            }),
        }
    }

    fn holds(&self, test: &Test) -> bool {
        holds(test, |name| self.verdict.get(name))
    }

    /// Judges the keys of the envelope itself, or of an object in it.
    fn keys(&mut self, of: Option<ValueRef<'r>>, keys: &[Key]) {
        for Key { path, declared: key, .. } in keys {
            let found = match of {
                None => self.verdict.get(key.name),
                Some(object) => object.get(key.name),
            };
            let is_now = match key.on {
                Outcomes::Both => true,
                Outcomes::Success => self.ok == Some(true),
                Outcomes::Failure => self.ok == Some(false),
            };
            // The error of a failure has rules of its own.
            let is_error = key.field == Field::Error && key.on == Outcomes::Failure;
            if !is_now || is_error {
                continue;
            }
            let is_needed = key.need_if.iter().all(|test| self.holds(test));
            let missing_at = of.map_or(self.root, ValueRef::offset);
            match found {
                None if is_needed && key.is_required(self.ok) => {
                    self.breach(Rule::MissingField, missing_at, path);
                }
                None => {}
                // At the top, what is only sometimes a key of the dialect may be payload.
                Some(_) if of.is_none() && !is_needed => {}
                Some(value) if admits(key, value) => {}
                Some(value) if value.is_null() => {
                    self.breach(Rule::NullOutOfPlace, value.offset(), path);
                }
                Some(value) => self.breach(Rule::WrongType, value.offset(), path),
            }
        }
    }

    /// Judges what goes with the outcome and what does not.
    fn outcome(&mut self, contract: &Contract) {
        let Some(ok) = self.ok else { return };
        for Key { path, declared: key, .. } in &contract.top {
            let value = self.verdict.get(key.name);
            match (key.field, key.on, value) {
                (Field::Error, Outcomes::Both, _) if key.null == Null::Nothing && ok => {
                    self.null_error(value, contract.table);
                }
                (Field::Error, _, _) if !ok => self.error(value, key),
                (Field::Data, Outcomes::Both, Some(data))
                    if key.null == Null::Nothing && !ok && !data.is_null() =>
                {
                    self.breach(Rule::DataOnFailure, data.offset(), path);
                }
                (_, Outcomes::Failure, Some(value)) if ok && value.is_null() => {
                    self.breach(Rule::NullOutOfPlace, value.offset(), path);
                }
                (_, Outcomes::Failure, Some(value)) if ok => {
                    self.breach(Rule::ErrorOnSuccess, value.offset(), path);
                }
                (_, Outcomes::Success, Some(value)) if !ok => {
                    self.breach(Rule::DataOnFailure, value.offset(), path);
                }
                (Field::Issues, _, Some(issues))
                    if !ok
                        && !contract.table.has(Field::Message)
                        && issues.kind() == Kind::Array
                        && issues.elements().next().is_none() =>
                {
                    self.breach(Rule::FailureWithoutError, issues.offset(), path);
                }
                _ => {}
            }
        }
    }

    /// A success whose `error` must be there and null, and whose data say something.
    fn null_error(&mut self, error: Option<ValueRef<'r>>, table: &Table) {
        if let Some(error) = error.filter(|error| !error.is_null()) {
            return self.breach(Rule::ErrorOnSuccess, error.offset(), "error");
        }
        let data = table.keys.iter().find(|key| key.field == Field::Data);
        let Some(data) = data.and_then(|key| self.verdict.get(key.name)) else { return };
        if data.is_null() && !self.may_say_nothing(table) {
            self.breach(Rule::NothingSaid, data.offset(), "data");
        }
    }

    /// Whether `meta` says why there are no data.
    fn may_say_nothing(&self, table: &Table) -> bool {
        let Some(meta) = table.keys.iter().find(|key| key.field == Field::Meta) else {
            return false;
        };
        let Some(object) = self.verdict.get(meta.name).filter(|it| it.kind() == Kind::Object)
        else {
            return false;
        };
        let is_true = |name: &str| object.get(name).and_then(ValueRef::bool) == Some(true);
        let is_flag =
            |name: &str| meta.keys.iter().any(|key| key.name == name && key.of == Type::Flag);
        let mut flags = meta.keys.iter().filter(|key| key.field == Field::NotModified);
        flags.any(|key| is_true(key.name))
            || table
                .no_data
                .iter()
                .any(|name| if is_flag(name) { is_true(name) } else { object.get(name).is_some() })
    }

    /// The error of a failure.
    fn error(&mut self, error: Option<ValueRef<'r>>, key: &'static table::Key) {
        let is_needed = || key.need_if.iter().all(|test| self.holds(test));
        match error {
            Some(error) if error.is_null() => {
                self.breach(Rule::FailureWithoutError, error.offset(), key.name);
            }
            // Where `error` is always there its type was judged with the rest.
            Some(error) if error.kind() != Kind::Object && key.on == Outcomes::Failure => {
                self.breach(Rule::WrongType, error.offset(), key.name);
            }
            None if is_needed() => {
                self.breach(Rule::FailureWithoutError, self.root, key.name);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use manila::DIALECTS;
    use std::collections::BTreeSet;

    /// What a table requires is what its contract requires, and what its contract names is in the
    /// table: no dialect can be forgotten here.
    #[test]
    fn every_dialect_has_the_contract_of_its_table() {
        for dialect in DIALECTS {
            let table = dialect.table();
            let contract = Contract::new(table);
            let inner = contract.inner.iter().flat_map(|(_, it)| &it.keys);
            let judged: BTreeSet<_> =
                contract.top.iter().chain(inner).map(|key| key.path).collect();
            let mut named = BTreeSet::new();
            for key in table.keys.iter().filter(|key| key.role == Role::Own) {
                named.insert(key.name.to_owned());
                let members = key.keys.iter().filter(|_| key.of == Type::Object);
                named.extend(
                    members
                        .filter(|member| member.role == Role::Own)
                        .map(|member| format!("{}.{}", key.name, member.name)),
                );
            }
            assert_eq!(judged, named.iter().map(String::as_str).collect(), "{dialect:?}");
            assert!(!judged.is_empty(), "{dialect:?}");
        }
    }
}
