//! A document held against a schema, keyword by keyword.

use super::value::{TYPES, canonical, equal, is_of_type};
use super::{Kind, Mismatch, TooMuch, Validator, well_formed};
use serde_json::{Map, Value};
use std::cell::Cell;
use std::collections::BTreeSet;

/// References that lead to references; more of them lead nowhere.
const MOST_REFERENCES: usize = 64;
/// How much may be compared. References to the same place, each in the target of another, take time that doubles with
/// each of them.
const MOST_WORK: usize = 4_000_000;
/// What a mismatch counts, so that all of them have room in memory.
const WORK_OF_MISMATCH: usize = 40;
/// How many schemas may be entered one in the other.
const DEEPEST: usize = 1_000;
/// How many values of an enumeration a message names.
const SHOWN_OPTIONS: usize = 3;

/// The first mismatches, so many at most; an error if it takes too much to find them.
pub(super) fn mismatches<'v>(
    validator: &'v Validator,
    document: &'v Value,
    most: usize,
) -> Result<Vec<Mismatch<'v>>, TooMuch> {
    let mut found = Vec::new();
    let mut judging = Judging::new(validator, most);
    judging.schema(&validator.schema, document, &mut found);
    // What was found until then may be wrong: a part of it stands below a `not`.
    if judging.has_time() { Ok(found) } else { Err(TooMuch) }
}

/// Where the judging stands.
pub(super) struct Judging<'v> {
    pub(super) validator: &'v Validator,
    path: Vec<String>,
    /// The references since the last step into the document.
    references: usize,
    is_conditional: bool,
    /// How many mismatches are wanted.
    most: usize,
    /// How much was compared so far.
    work: Cell<usize>,
    /// How many schemas are entered.
    depth: usize,
}

pub(super) type Found<'v> = Vec<Mismatch<'v>>;

impl<'v> Judging<'v> {
    fn new(validator: &'v Validator, most: usize) -> Judging<'v> {
        Judging {
            validator,
            path: Vec::new(),
            references: 0,
            is_conditional: false,
            most,
            work: Cell::new(0),
            depth: 0,
        }
    }

    fn spend(&self, work: usize) {
        self.work.set(self.work.get().saturating_add(work));
    }

    fn has_time(&self) -> bool {
        self.work.get() <= MOST_WORK
    }

    pub(super) fn add(
        &self,
        found: &mut Found<'v>,
        value: &'v Value,
        kind: Kind<'v>,
        message: String,
    ) {
        self.spend(WORK_OF_MISMATCH);
        let (path, is_conditional) = (self.path.clone(), self.is_conditional);
        found.push(Mismatch { path, value, kind, is_conditional, message });
    }

    pub(super) fn other(&self, found: &mut Found<'v>, value: &'v Value, message: String) {
        self.add(found, value, Kind::Other, message);
    }

    fn schema(&mut self, schema: &'v Value, value: &'v Value, found: &mut Found<'v>) {
        self.spend(if self.depth < DEEPEST { 1 } else { MOST_WORK });
        if found.len() >= self.most || !self.has_time() {
            return;
        }
        self.depth += 1;
        self.apply(schema, value, found);
        self.depth -= 1;
    }

    fn apply(&mut self, schema: &'v Value, value: &'v Value, found: &mut Found<'v>) {
        match schema {
            Value::Bool(false) => {
                let message = "False schema does not allow it".to_owned();
                self.add(found, value, Kind::FalseSchema, message);
            }
            Value::Object(keywords) => match keywords.get("$ref") {
                Some(target) if self.validator.draft.refers_alone => {
                    self.reference(target, value, found);
                }
                _ => {
                    for (keyword, wanted) in keywords {
                        self.keyword(keyword, wanted, keywords, value, found);
                    }
                }
            },
            _ => {}
        }
    }

    fn holds(&mut self, schema: &'v Value, value: &'v Value) -> bool {
        let most = std::mem::replace(&mut self.most, 1);
        let mut found = Vec::new();
        self.schema(schema, value, &mut found);
        self.most = most;
        found.is_empty()
    }

    /// What is wrong one step further into the document.
    fn below(&mut self, step: String, schema: &'v Value, value: &'v Value, found: &mut Found<'v>) {
        let references = std::mem::take(&mut self.references);
        self.path.push(step);
        self.schema(schema, value, found);
        self.path.pop();
        self.references = references;
    }

    fn reference(&mut self, target: &'v Value, value: &'v Value, found: &mut Found<'v>) {
        let pointer = target.as_str().and_then(|target| target.strip_prefix('#'));
        let pointer = pointer.and_then(well_formed::unescaped).unwrap_or_default();
        let Some(schema) = self.validator.schema.pointer(&pointer) else { return };
        if self.references >= MOST_REFERENCES {
            return;
        }
        self.references += 1;
        let was_conditional = std::mem::take(&mut self.is_conditional);
        self.schema(schema, value, found);
        self.is_conditional = was_conditional;
        self.references -= 1;
    }

    fn keyword(
        &mut self,
        keyword: &str,
        wanted: &'v Value,
        beside: &'v Map<String, Value>,
        value: &'v Value,
        found: &mut Found<'v>,
    ) {
        self.spend(match wanted {
            Value::Array(elements) => elements.len(),
            Value::Object(members) => members.len(),
            _ => 0,
        });
        match keyword {
            "$ref" => self.reference(wanted, value, found),
            "type" => self.types(wanted, value, found),
            "enum" => {
                let options = wanted.as_array().map_or(&[][..], Vec::as_slice);
                if !options.iter().any(|option| equal(option, value)) {
                    self.other(found, value, format!("it is not one of {}", options_text(options)));
                }
            }
            "const" if !equal(wanted, value) => {
                self.other(found, value, format!("{wanted} was expected"));
            }
            "allOf" | "anyOf" | "oneOf" => self.several(keyword, wanted, value, found),
            "not" if self.holds(wanted, value) => {
                self.other(found, value, format!("{wanted} is not allowed for it"));
            }
            "if" => {
                let outcome = if self.holds(wanted, value) { "then" } else { "else" };
                if let Some(schema) = beside.get(outcome) {
                    let was_conditional = self.is_conditional;
                    self.is_conditional |= outcome == "then";
                    self.schema(schema, value, found);
                    self.is_conditional = was_conditional;
                }
            }
            _ => match value {
                Value::Object(members) => {
                    self.object(keyword, wanted, beside, (value, members), found);
                }
                Value::Array(elements) => {
                    self.array(keyword, wanted, beside, (value, elements), found);
                }
                Value::String(text) => self.text(keyword, wanted, (value, text), found),
                Value::Number(number) => {
                    self.number(keyword, wanted, beside, (value, number), found);
                }
                Value::Null | Value::Bool(_) => {}
            },
        }
    }

    fn types(&self, wanted: &'v Value, value: &'v Value, found: &mut Found<'v>) {
        let has = |name: &Value| name.as_str().is_some_and(|name| is_of_type(name, value));
        let message = match wanted {
            Value::Array(names) if !names.iter().any(has) => {
                let is_named = |name: &&&str| names.iter().any(|wanted| wanted == **name);
                let names: Vec<String> =
                    TYPES.iter().filter(is_named).map(|name| format!("{name:?}")).collect();
                format!("it is not of types {}", names.join(", "))
            }
            name if !name.is_array() && !has(name) => format!("it is not of type {name}"),
            _ => return,
        };
        self.add(found, value, Kind::Type, message);
    }

    fn several(
        &mut self,
        keyword: &str,
        wanted: &'v Value,
        value: &'v Value,
        found: &mut Found<'v>,
    ) {
        let schemas = wanted.as_array().map_or(&[][..], Vec::as_slice);
        if keyword == "allOf" {
            for schema in schemas {
                self.schema(schema, value, found);
            }
            return;
        }
        let judged = |schema| {
            let mut found = Vec::new();
            self.schema(schema, value, &mut found);
            found
        };
        let branches: Vec<Found<'v>> = schemas.iter().map(judged).collect();
        let fitting = branches.iter().filter(|branch| branch.is_empty()).count();
        let listed =
            |what: &str| format!("it is {what} of the schemas listed in the '{keyword}' keyword");
        match (keyword, fitting) {
            ("anyOf", 0) => {
                self.add(found, value, Kind::AnyOf(branches), listed("not valid under any"));
            }
            (_, 0) => self.other(found, value, listed("not valid under any")),
            ("oneOf", 2..) => self.other(found, value, listed("valid under more than one")),
            _ => {}
        }
    }

    fn object(
        &mut self,
        keyword: &str,
        wanted: &'v Value,
        beside: &'v Map<String, Value>,
        (value, members): (&'v Value, &'v Map<String, Value>),
        found: &mut Found<'v>,
    ) {
        match keyword {
            "required" => self.required(wanted, value, members, found),
            "properties" => {
                for (key, schema) in wanted.as_object().into_iter().flatten() {
                    if let Some(member) = members.get(key) {
                        self.below(key.clone(), schema, member, found);
                    }
                }
            }
            "patternProperties" => {
                for (pattern, schema) in wanted.as_object().into_iter().flatten() {
                    let Some(regex) = self.validator.patterns.get(pattern) else { continue };
                    for (key, member) in members.iter().filter(|(key, _)| regex.is_match(key)) {
                        self.below(key.clone(), schema, member, found);
                    }
                }
            }
            "additionalProperties" => {
                self.spend(members.len());
                let is_named = |key: &str| self.is_named(beside, key);
                let more: Vec<_> = members.iter().filter(|(key, _)| !is_named(key)).collect();
                if wanted == &Value::Bool(false) && !more.is_empty() {
                    let keys: Vec<String> = more.iter().map(|(key, _)| (*key).clone()).collect();
                    let quoted: Vec<String> = keys.iter().map(|key| format!("'{key}'")).collect();
                    let were = if keys.len() == 1 { "was" } else { "were" };
                    let quoted = quoted.join(", ");
                    let message = format!(
                        "Additional properties are not allowed ({quoted} {were} unexpected)"
                    );
                    self.add(found, value, Kind::AdditionalProperties(keys), message);
                } else {
                    for (key, member) in more {
                        self.below(key.clone(), wanted, member, found);
                    }
                }
            }
            "propertyNames" => {
                for key in members.keys() {
                    self.property_name(key, wanted, value, found);
                }
            }
            "dependentRequired" | "dependentSchemas" | "dependencies" => {
                for (key, needed) in wanted.as_object().into_iter().flatten() {
                    match needed {
                        _ if !members.contains_key(key) => {}
                        Value::Array(_) => self.required(needed, value, members, found),
                        schema => self.schema(schema, value, found),
                    }
                }
            }
            "minProperties" | "maxProperties" => {
                let (one, many) = ("property", "properties");
                self.count(keyword, wanted, value, (members.len(), one, many), found);
            }
            _ => {}
        }
    }

    fn required(
        &self,
        wanted: &'v Value,
        value: &'v Value,
        members: &Map<String, Value>,
        found: &mut Found<'v>,
    ) {
        let keys = wanted.as_array().into_iter().flatten().filter_map(Value::as_str);
        for key in keys.filter(|key| !members.contains_key(*key)) {
            let message = format!("{} is a required property", Value::from(key));
            self.add(found, value, Kind::Required(key.to_owned()), message);
        }
    }

    /// Whether a key is one that the schema beside `additionalProperties` names.
    fn is_named(&self, beside: &Map<String, Value>, key: &str) -> bool {
        let object = |keyword: &str| beside.get(keyword).and_then(Value::as_object);
        let patterns = object("patternProperties").into_iter().flat_map(Map::keys);
        let mut regexes = patterns.filter_map(|pattern| self.validator.patterns.get(pattern));
        object("properties").is_some_and(|properties| properties.contains_key(key))
            || regexes.any(|regex| regex.is_match(key))
    }

    /// The name is not a part of the document, so what is wrong with it is said of the object.
    fn property_name(
        &mut self,
        key: &str,
        schema: &'v Value,
        value: &'v Value,
        found: &mut Found<'v>,
    ) {
        let name = Value::from(key);
        let mut own = Judging::new(self.validator, self.most);
        (own.work, own.depth) = (self.work.clone(), self.depth);
        let mut wrong = Vec::new();
        own.schema(schema, &name, &mut wrong);
        self.work = own.work.clone();
        for mismatch in wrong {
            self.other(found, value, mismatch.message.replacen("it", &name.to_string(), 1));
        }
    }

    fn array(
        &mut self,
        keyword: &str,
        wanted: &'v Value,
        beside: &'v Map<String, Value>,
        (value, elements): (&'v Value, &'v [Value]),
        found: &mut Found<'v>,
    ) {
        let listed =
            |keyword: &str| beside.get(keyword).and_then(Value::as_array).map_or(0, Vec::len);
        match keyword {
            "prefixItems" => self.listed(wanted, elements, found),
            "items" if wanted.is_array() => self.listed(wanted, elements, found),
            "items" => self.from(listed("prefixItems"), "items", wanted, (value, elements), found),
            "additionalItems" if listed("items") > 0 => {
                self.from(listed("items"), keyword, wanted, (value, elements), found);
            }
            "contains" => {
                let fits = elements.iter().filter(|element| self.holds(wanted, element)).count();
                let limit = |keyword: &str| beside.get(keyword).and_then(Value::as_u64);
                let fits = u64::try_from(fits).unwrap_or(u64::MAX);
                if fits < limit("minContains").unwrap_or(1)
                    || limit("maxContains").is_some_and(|most| fits > most)
                {
                    self.other(
                        found,
                        value,
                        "None of it are valid under the given schema".to_owned(),
                    );
                }
            }
            "uniqueItems" if wanted == &Value::Bool(true) => {
                let mut seen = BTreeSet::new();
                if !elements.iter().all(|element| seen.insert(canonical(element))) {
                    self.other(found, value, "it has non-unique elements".to_owned());
                }
            }
            "minItems" | "maxItems" => {
                self.count(keyword, wanted, value, (elements.len(), "item", "items"), found);
            }
            _ => {}
        }
    }

    /// The first elements, each with a schema of its own.
    fn listed(&mut self, schemas: &'v Value, elements: &'v [Value], found: &mut Found<'v>) {
        let schemas = schemas.as_array().into_iter().flatten();
        for (at, (schema, element)) in schemas.zip(elements).enumerate() {
            self.below(at.to_string(), schema, element, found);
        }
    }

    /// The elements from a place on.
    fn from(
        &mut self,
        first: usize,
        keyword: &str,
        schema: &'v Value,
        (value, elements): (&'v Value, &'v [Value]),
        found: &mut Found<'v>,
    ) {
        let more = elements.len().saturating_sub(first);
        if schema == &Value::Bool(false) && keyword == "additionalItems" && more > 0 {
            let items = if more == 1 { "item" } else { "items" };
            let message = format!("Additional items are not allowed ({more} {items})");
            return self.other(found, value, message);
        }
        for (at, element) in elements.iter().enumerate().skip(first) {
            self.below(at.to_string(), schema, element, found);
        }
    }

    /// How many members or elements there may be.
    fn count(
        &self,
        keyword: &str,
        wanted: &'v Value,
        value: &'v Value,
        (count, one, many): (usize, &str, &str),
        found: &mut Found<'v>,
    ) {
        let Some(limit) = wanted.as_u64() else { return };
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        let what = if limit == 1 { one } else { many };
        if keyword.starts_with("min") && count < limit {
            self.other(found, value, format!("it has less than {limit} {what}"));
        } else if keyword.starts_with("max") && count > limit {
            self.other(found, value, format!("it has more than {limit} {what}"));
        }
    }
}

/// `1, 2 or 3`, and of more than that the first two.
fn options_text(options: &[Value]) -> String {
    let texts: Vec<String> = options.iter().map(ToString::to_string).collect();
    match texts.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] if texts.len() <= SHOWN_OPTIONS => {
            format!("{} or {last}", first.join(", "))
        }
        [one, two, others @ ..] => format!("{one}, {two} or {} other candidates", others.len()),
    }
}
