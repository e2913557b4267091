//! The slow judge, over the strict reader and the dialects of the core: the definition of right.
//!
//! Whatever is faster must give the same verdict on every input.

use crate::contract;
use crate::rule::{Breach, Rule};
use crate::verdict::{Envelope, Span, Verdict};
use manila::json::{Document, FactKind, Kind, Limits, Member, Reader};
use manila::{Dialect, Options, Scope, Status, Transcript, open};
use std::borrow::Cow;
use std::collections::HashMap;

/// Judges records one after the other.
#[derive(Debug, Default)]
pub struct Reference {
    limits: Limits,
    reader: Reader,
    members: Vec<Span>,
    broken: Vec<Breach>,
    dialect: Option<&'static dyn Dialect>,
}

impl Reference {
    /// A judge with limits of its own.
    pub fn new(limits: Limits) -> Self {
        Reference { limits, reader: Reader::new(limits), ..Reference::default() }
    }

    /// The same for records of one dialect, such as one from a file.
    #[must_use]
    pub fn with_dialect(self, dialect: &'static dyn Dialect) -> Self {
        Reference { dialect: Some(dialect), ..self }
    }

    /// Judges the bytes of one record.
    pub fn judge<'r>(&'r mut self, bytes: &'r [u8]) -> Verdict<'r> {
        self.members.clear();
        self.broken.clear();
        if bytes.len() > self.limits.bytes {
            let offset = self.limits.bytes;
            self.broken.push(Breach { rule: Rule::RecordTooLarge, offset, key: None });
            return Verdict {
                bytes,
                members: &[],
                inner: &[],
                envelope: None,
                broken: &self.broken,
                is_one_line: false,
            };
        }
        let document = match self.reader.read(bytes) {
            Ok(document) => document,
            Err(flaw) => {
                let rule = Rule::from(flaw.kind);
                self.broken.push(Breach { rule, offset: flaw.offset, key: None });
                return Verdict {
                    bytes,
                    members: &[],
                    inner: &[],
                    envelope: None,
                    broken: &self.broken,
                    is_one_line: false,
                };
            }
        };
        self.members.extend(document.members().map(|member| span(bytes, &member)));
        let mut found = |rule, offset| self.broken.push(Breach { rule, offset, key: None });
        if document.facts().has(FactKind::ByteOrderMark) {
            found(Rule::ByteOrderMark, 0);
        }
        let root = document.root();
        let is_object = root.kind() == Kind::Object;
        let envelope = is_object.then(|| envelope(bytes, self.limits, self.dialect)).flatten();
        match &envelope {
            None if is_object => found(Rule::UnknownDialect, root.span().start),
            None => found(Rule::NotAnObject, root.span().start),
            Some(_) => {}
        }
        duplicates(bytes, &document, |offset| found(Rule::DuplicateKey, offset));
        let verdict = Verdict {
            bytes,
            members: &self.members,
            inner: &[],
            envelope,
            broken: &[],
            is_one_line: false,
        };
        if let Some(envelope) = &verdict.envelope {
            contract::judge(envelope.dialect.table(), &verdict, &mut self.broken);
        }
        self.broken.sort_by_key(|breach| (breach.offset, breach.rule, breach.key));
        Verdict { broken: &self.broken, ..verdict }
    }
}

/// What the core makes of a record whose process is not known.
fn envelope(
    bytes: &[u8],
    limits: Limits,
    dialect: Option<&'static dyn Dialect>,
) -> Option<Envelope<'static>> {
    let transcript = Transcript::from_stdout(bytes, Status::Unknown);
    let opened = open(&transcript, &Options { limits, dialect, scope: Scope::Every }).ok()?;
    let error = opened.envelope.error();
    Some(Envelope {
        dialect: opened.detection.dialect,
        confidence: opened.detection.confidence,
        ok: opened.envelope.ok(),
        exit: opened.envelope.exit(),
        code: error.map(|error| Cow::Owned(error.code.clone())),
    })
}

/// Where a piece of a record begins in it.
fn offset(bytes: &[u8], text: &str) -> usize {
    (text.as_ptr() as usize).saturating_sub(bytes.as_ptr() as usize)
}

fn span(bytes: &[u8], member: &Member<'_>) -> Span {
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let key = offset(bytes, member.key_text());
    let value = member.value.span();
    Span {
        key: (place(key), place(key + member.key_text().len())),
        value: (place(value.start), place(value.end)),
    }
}

/// The keys of the root that occur again. Half a surrogate pair has no character of its own, so
/// that keys with one are the same only if they are spelled the same.
fn duplicates(bytes: &[u8], document: &Document<'_, '_>, mut found: impl FnMut(usize)) {
    let mut met: HashMap<Cow<'_, str>, Vec<&str>> = HashMap::new();
    for member in document.members() {
        let (key, spelled) = (member.key(), member.key_text());
        let is_torn = key.contains('\u{fffd}');
        let earlier = met.entry(key).or_default();
        if earlier.iter().any(|other| !is_torn || *other == spelled) {
            found(offset(bytes, spelled));
        } else {
            earlier.push(spelled);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(record: &str) -> Vec<(&'static str, Option<&'static str>)> {
        let mut judge = Reference::default();
        let verdict = judge.judge(record.as_bytes());
        verdict.broken().iter().map(|breach| (breach.rule.id(), breach.key)).collect()
    }

    fn known(record: &str) -> (&'static str, bool, &'static str, Option<String>) {
        let mut judge = Reference::default();
        let verdict = judge.judge(record.as_bytes());
        assert_eq!(verdict.broken(), []);
        let envelope = verdict.envelope().expect("an envelope");
        let code = envelope.code.as_deref().map(str::to_owned);
        (envelope.dialect.id(), envelope.ok, envelope.exit.name(), code)
    }

    #[test]
    fn good_records_of_every_dialect_are_good() {
        let code = |code: &str| Some(code.to_owned());
        for (record, expected) in [
            (
                r#"{"ok":true,"data":{},"error":null,"warnings":[],"meta":{"duration_ms":3}}"#,
                ("response-envelope/1.0", true, "SUCCESS", None),
            ),
            (
                r#"{"ok":false,"data":null,"error":{"code":"X_NOT_FOUND","message":"m","retry_after_ms":1,"retryable":true},"warnings":[],"meta":{"duration_ms":3}}"#,
                ("response-envelope/1.6", false, "NOT_FOUND", code("X_NOT_FOUND")),
            ),
            (
                r#"{"schema":"animus.cli.v1","ok":false,"error":{"code":"conflict","message":"m","exit_code":4}}"#,
                ("animus/1", false, "CONFLICT", code("conflict")),
            ),
            (
                r#"{"error":"no","hint":null,"kind":"session_not_found","type":"error"}"#,
                ("claw/1.0", false, "NOT_FOUND", code("session_not_found")),
            ),
            (
                r#"{"timestamp":"2026-04-22T10:10:00Z","command":"x","exit_code":0,"output_format":"json","schema_version":"2.0","n":1}"#,
                ("claw/2.0", true, "SUCCESS", None),
            ),
            (r#"{"ok":true,"type":"task","data":{}}"#, ("td/1", true, "SUCCESS", None)),
            (
                r#"{"ok":false,"kind":"validate","data":{},"issues":[{"severity":"error","code":"a.b"}],"meta":{"apiVersion":"1","cwd":"/"}}"#,
                ("i18nprune/1", false, "GENERAL_ERROR", code("a.b")),
            ),
        ] {
            assert_eq!(known(record), expected, "{record}");
        }
    }

    #[test]
    fn each_rule_is_broken_by_something() {
        for (record, expected) in [
            ("hello", vec![("invalid-json", None)]),
            ("{\"ok\":true", vec![("truncated-document", None)]),
            ("{} x", vec![("trailing-bytes", None)]),
            ("[1]", vec![("not-an-object", None)]),
            ("{\"a\":1}", vec![("unknown-dialect", None)]),
            ("{\"a\":01}", vec![("bad-number", None)]),
            (r#"{"ok":true,"ok":true,"type":"t","data":{}}"#, vec![("duplicate-key", None)]),
            (
                r#"{"ok":true,"data":null,"error":null,"warnings":null,"meta":{}}"#,
                vec![
                    ("nothing-said", Some("data")),
                    ("null-out-of-place", Some("warnings")),
                    ("missing-field", Some("meta.duration_ms")),
                ],
            ),
            (
                r#"{"ok":true,"data":null,"error":{"code":1,"message":"m"},"warnings":[1],"meta":{"duration_ms":-1}}"#,
                vec![
                    ("error-on-success", Some("error")),
                    ("wrong-type", Some("error.code")),
                    ("wrong-type", Some("warnings")),
                    ("wrong-type", Some("meta.duration_ms")),
                ],
            ),
            (
                r#"{"schema":"animus.cli.v1","ok":false,"data":1}"#,
                vec![("failure-without-error", Some("error")), ("data-on-failure", Some("data"))],
            ),
            (
                r#"{"schema":"animus.cli.v1","ok":true,"data":1,"error":null}"#,
                vec![("null-out-of-place", Some("error"))],
            ),
        ] {
            assert_eq!(broken(record), expected, "{record}");
        }
    }
}
