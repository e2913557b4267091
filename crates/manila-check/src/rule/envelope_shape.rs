//! The envelope of a program's answers: what its dialect, or else the shape inferred from its answers, puts around the data,
//! and which answers break it.

use crate::json_schema::{Kind, Mismatch, Validator};
use crate::rule::evidence::ObservedRun;
use crate::rule::inferred_shape::InferredShape;
use crate::rule::object_answer::{Breach, BreachKind, ENVELOPE_KEYS, ObjectAnswer, type_of};
use manila::table::{Revision, Shape, Table};
use manila::{Confidence, Dialect};
use std::collections::BTreeMap;

/// The dialect that a program certainly uses: most of its answers carry all marks of it. Where only
/// its successes do, or only its failures, the others must at least look like it: an envelope that
/// loses keys in one of the two outcomes is still that envelope.
pub(crate) fn certain_dialect(answers: &[ObjectAnswer<'_, '_>]) -> Option<&'static dyn Dialect> {
    let all: Vec<_> = answers.iter().collect();
    if let Some((dialect, count)) = most_certain(&all)
        && count * 2 > all.len()
    {
        return Some(dialect);
    }
    [false, true].into_iter().find_map(|is_failure| {
        let group: Vec<_> = answers.iter().filter(|it| it.is_failure == is_failure).collect();
        let (dialect, count) = most_certain(&group)?;
        let alike = answers.iter().filter(|answer| is_like(answer.seen, dialect)).count();
        (count > 1 && count * 2 > group.len() && alike * 2 > answers.len()).then_some(dialect)
    })
}

/// The dialect that most of these answers are certainly in, of those that are certain at all, and how
/// many are.
fn most_certain(answers: &[&ObjectAnswer<'_, '_>]) -> Option<(&'static dyn Dialect, usize)> {
    let mut counts: BTreeMap<&str, (usize, &'static dyn Dialect)> = BTreeMap::new();
    for dialect in answers.iter().filter_map(|answer| certain(answer.seen)) {
        counts.entry(dialect.id()).or_insert((0, dialect)).0 += 1;
    }
    let total: usize = counts.values().map(|(count, _)| count).sum();
    let id = |(_, dialect): &(usize, &'static dyn Dialect)| dialect.id();
    // One program's answers are of both revisions where only some carry a mark of the later one.
    let newer = counts.get("response-envelope/1.6").copied();
    let both = counts.values().filter(|it| id(it).starts_with("response-envelope/")).map(|it| it.0);
    let (count, dialect) = match newer {
        Some((_, newer)) => (both.sum(), newer),
        None => counts.into_values().max_by_key(|(count, _)| *count)?,
    };
    (count * 2 > total).then_some((dialect, count))
}

/// The dialect of an answer that carries all its marks, in the shape that the dialect's schema is of.
/// What else the core reads as it is a mixture of revisions, and no schema describes it.
pub(crate) fn certain(seen: &ObservedRun<'_>) -> Option<&'static dyn Dialect> {
    let opened = seen.reading.opened.as_ref()?;
    let detection = &opened.detection;
    let stated = opened.envelope.content().meta.schema_version.as_deref();
    let shapes = detection.dialect.table().marks.shapes;
    let shape = shapes.iter().find(|shape| shape.name == detection.shape);
    let is_certain = match detection.confidence {
        Confidence::Certain => true,
        // A key is missing or too many, and the document still has a shape that only this dialect has.
        Confidence::Likely => {
            let names_revision = stated.is_some() && stated == detection.dialect.table().version;
            shape.is_some_and(|shape| is_marked(detection.dialect.table(), shape)) || names_revision
        }
        Confidence::Possible => false,
    };
    (is_certain && shape.is_none_or(|shape| shape.own)).then_some(detection.dialect)
}

/// Whether no other dialect has documents of this shape: they state the revision of this one, or have all of its keys
/// that are always there, and those are not few.
fn is_marked(table: &Table, shape: &Shape) -> bool {
    const FEW: usize = 2;
    let tests = || table.marks.all.iter().chain(shape.all);
    let states = |revision: Revision| shape.all.iter().any(|test| test.path == revision.path);
    let always = table.keys.iter().filter(|key| key.is_required(None)).map(|key| key.name);
    let always: Vec<&str> = always.collect();
    let has_all = always.iter().all(|name| tests().any(|test| test.path == *name));
    shape.own && (table.revision.is_some_and(states) || (always.len() > FEW && has_all))
}

/// Whether an answer could be of this dialect, or of another revision of it.
fn is_like(seen: &ObservedRun<'_>, dialect: &dyn Dialect) -> bool {
    let Some(opened) = &seen.reading.opened else { return false };
    let others = opened.detection.others.iter().map(|(id, _)| *id);
    let mut ids = std::iter::once(opened.detection.dialect.id()).chain(others);
    ids.any(|id| family(id) == family(dialect.id()))
}

/// Whether two answers are in revisions of the same dialect.
pub(crate) fn is_kin(one: &dyn Dialect, other: &dyn Dialect) -> bool {
    family(one.id()) == family(other.id())
}

/// The id of a dialect without its revision.
fn family(id: &str) -> &str {
    id.split('/').next().unwrap_or_default()
}

/// The envelope that a program's answers should have.
pub(crate) enum EnvelopeShape {
    /// That of a dialect.
    Dialect(&'static dyn Dialect, Box<Validator>),
    /// What most of its own answers have in common.
    Inferred(InferredShape),
}

impl EnvelopeShape {
    /// The envelope of these answers: of the dialect, else inferred. Answers of several recorded runs
    /// may be of several programs and have none in common.
    pub(crate) fn of(answers: &[ObjectAnswer<'_, '_>]) -> Option<EnvelopeShape> {
        if let Some(dialect) = certain_dialect(answers) {
            let schema = manila::schema(dialect, None)?;
            let validator = Validator::new(&schema)?;
            return Some(EnvelopeShape::Dialect(dialect, Box::new(validator)));
        }
        InferredShape::of(answers).map(EnvelopeShape::Inferred)
    }

    /// The keys of the top that an answer should have and has not.
    pub(crate) fn lacks(&self, answer: &ObjectAnswer<'_, '_>) -> Vec<String> {
        let missing = |breach: &Breach| breach.kind != BreachKind::Type && breach.path.len() == 1;
        let absent = |breach: &Breach| answer.document.get(&breach.path[0]).is_none();
        let breaches = self.all_breaches(answer);
        breaches
            .into_iter()
            .filter(|breach| missing(breach) && absent(breach))
            .map(|mut breach| breach.path.remove(0))
            .collect()
    }

    /// Whether an answer has another envelope altogether: most of what this one has at the top is not
    /// there. That is not a field missing but another dialect.
    pub(crate) fn is_foreign(&self, answer: &ObjectAnswer<'_, '_>) -> bool {
        if let (EnvelopeShape::Dialect(own, _), Some(other)) = (self, certain(answer.seen)) {
            return !is_kin(*own, other);
        }
        // An error that says failure as the dialect does is of it, however much else is missing.
        let has_key = |key: &str| answer.document.get(key).is_some();
        if let EnvelopeShape::Dialect(dialect, _) = self
            && is_like(answer.seen, *dialect)
            && answer.is_failure
            && has_key("error")
        {
            return false;
        }
        let lacks = self.lacks(answer).len();
        let has = ENVELOPE_KEYS.iter().filter(|key| has_key(key)).count();
        lacks > 0 && lacks >= has
    }

    /// How an answer breaks the envelope; nothing if it has another one altogether.
    pub(crate) fn breaches(&self, answer: &ObjectAnswer<'_, '_>) -> Vec<Breach> {
        if self.is_foreign(answer) { Vec::new() } else { self.all_breaches(answer) }
    }

    fn all_breaches(&self, answer: &ObjectAnswer<'_, '_>) -> Vec<Breach> {
        match self {
            EnvelopeShape::Dialect(dialect, validator) => {
                let mut breaches = Vec::new();
                // The schemas are ours, and take no more than the document is large.
                for mismatch in &validator.mismatches(answer.document).unwrap_or_default() {
                    collect(mismatch, answer, *dialect, &mut breaches);
                }
                breaches
            }
            EnvelopeShape::Inferred(inferred) => inferred.breaches(answer),
        }
    }
}

/// What a mismatch with the schema says about the envelope, if it is about that.
fn collect(
    mismatch: &Mismatch<'_>,
    answer: &ObjectAnswer<'_, '_>,
    dialect: &dyn Dialect,
    into: &mut Vec<Breach>,
) {
    let mut path = mismatch.path.clone();
    let id = dialect.id();
    let name = |path: &[String]| path.join(".");
    match &mismatch.kind {
        // A choice between outcomes: the one that is the least wrong is meant.
        Kind::AnyOf(branches) if path.is_empty() => {
            let best = branches.iter().min_by_key(|branch| branch.len());
            for mismatch in best.into_iter().flatten() {
                collect(mismatch, answer, dialect, into);
            }
        }
        Kind::Required(key) => {
            path.push(key.clone());
            // Only one dialect writes null where there is nothing; the others have a value or no key.
            let has_null = family(id) == "response-envelope" && path.len() == 1;
            let is_null_elsewhere = has_null
                && ((key == "error" && !answer.is_failure) || (key == "data" && answer.is_failure));
            let (kind, why) = if is_null_elsewhere {
                (BreachKind::Null, format!("{key} is absent where {id} says null"))
            } else {
                (BreachKind::Missing, format!("{} is missing, which {id} requires", name(&path)))
            };
            into.push(Breach { path, kind, why });
        }
        Kind::AdditionalProperties(unexpected) if path.is_empty() => {
            into.extend(unexpected.iter().map(|key| Breach {
                path: vec![key.clone()],
                kind: BreachKind::Unknown,
                why: format!("{key} is not a key of {id}"),
            }));
        }
        Kind::Type | Kind::FalseSchema | Kind::Pattern | Kind::Minimum => {
            let is_null = mismatch.value.is_null();
            let top = path.first().map_or("", String::as_str);
            // An answer that says success and failure at once contradicts itself, which is another
            // flaw.
            let is_outcome = path.len() == 1 && matches!(top, "error" | "data" | "type");
            let is_condition = mismatch.is_conditional;
            if is_outcome && is_condition && !is_null {
                return;
            }
            if is_outcome && is_condition && top == "error" && answer.is_failure {
                return;
            }
            let (kind, why) = match is_null {
                true if matches!(mismatch.kind, Kind::FalseSchema) => {
                    (BreachKind::Null, format!("{} is null where {id} says absent", name(&path)))
                }
                true => (BreachKind::Null, format!("{} is null, which {id} forbids", name(&path))),
                false => {
                    let is = type_of(mismatch.value);
                    (BreachKind::Type, format!("{} is {is}, which {id} forbids", name(&path)))
                }
            };
            into.push(Breach { path, kind, why });
        }
        Kind::AnyOf(_) | Kind::AdditionalProperties(_) | Kind::Other => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::probe::Purpose;
    use crate::rule::evidence::Evidence;
    use crate::rule::object_answer::object_answers;
    use crate::subject::Subject;
    use crate::testing::{ran, surface};

    const RIGHT: &str =
        r#"{"ok":true,"data":{},"error":null,"warnings":[],"meta":{"duration_ms":1}}"#;

    fn breaches(last: &str) -> Vec<(BreachKind, String)> {
        let subject = Subject {
            argv: vec!["notes".into()],
            shown: vec!["notes".to_owned()],
            variables: Vec::new(),
            fixture: None,
        };
        let surface = surface();
        let runs = [
            ran(Purpose::Sample, RIGHT, 0),
            ran(Purpose::Empty, RIGHT, 0),
            ran(Purpose::Missing, last, 0),
        ];
        let evidence = Evidence::new(&subject, &surface, &runs);
        let answers = object_answers(&evidence);
        let shape = EnvelopeShape::of(&answers).expect("a shape");
        let breaches = shape.breaches(&answers[2]);
        breaches.into_iter().map(|it| (it.kind, it.path.join("."))).collect()
    }

    #[test]
    fn what_a_dialect_requires_is_missed() {
        assert_eq!(breaches(RIGHT), []);
        let without = RIGHT.replace(r#""warnings":[],"#, "");
        assert_eq!(breaches(&without), [(BreachKind::Missing, "warnings".to_owned())]);
        let without = RIGHT.replace(r#""error":null,"#, "");
        assert_eq!(breaches(&without), [(BreachKind::Null, "error".to_owned())]);
        let deep = RIGHT.replace(r#""duration_ms":1"#, "");
        assert_eq!(breaches(&deep), [(BreachKind::Missing, "meta.duration_ms".to_owned())]);
    }

    #[test]
    fn types_and_nulls_are_distinguished() {
        let text = RIGHT.replace(r#""duration_ms":1"#, r#""duration_ms":"1""#);
        assert_eq!(breaches(&text), [(BreachKind::Type, "meta.duration_ms".to_owned())]);
        let null = RIGHT.replace("[]", "null");
        assert_eq!(breaches(&null), [(BreachKind::Null, "warnings".to_owned())]);
    }

    #[test]
    fn a_mixture_of_revisions_is_no_dialect_and_a_shape_of_its_own_is() {
        let is_certain = |stdout: &str| {
            let (surface, subject) = (crate::testing::surface(), crate::testing::subject());
            let runs = [ran(Purpose::Sample, stdout, 0)];
            let evidence = crate::rule::evidence::Evidence::new(&subject, &surface, &runs);
            certain(&evidence.runs[0]).is_some()
        };
        let claw = r#"{"error":"e","error_kind":"k","kind":"config","status":"error"}"#;
        assert!(!is_certain(claw));
        let wrapped = r#"{"timestamp":"t","command":"c","exit_code":0,"output_format":"json","schema_version":"1.0"}"#;
        assert!(!is_certain(wrapped));
        assert!(!is_certain(&wrapped.replace("1.0\"}", "2.0\",\"data\":{}}")));
        assert!(is_certain(RIGHT));
        assert!(is_certain(r#"{"ok":true,"kind":"k","issues":[],"meta":{"apiVersion":"1"}}"#));
    }

    #[test]
    fn a_contradiction_and_another_dialect_are_left_to_others() {
        let both = RIGHT.replace("null", r#"{"code":"A","message":"m"}"#);
        assert_eq!(breaches(&both), []);
        assert_eq!(breaches(r#"{"items":[]}"#), []);
    }
}
