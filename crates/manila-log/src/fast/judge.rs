//! Which dialect a good document is of, and whether it keeps the contract: for the shapes that
//! programs write. Whatever is not certain here is left to the reference.

use super::known::{BESIDE, KNOWN, Known, SLOTS, set, slot};
use super::lines::Index;
use super::rivals::{Met, Rivals};
use super::sets::{ANIMUS, CLAW_1_0, CLAW_2_0, I18NPRUNE_1, RESPONSE_1_0, RESPONSE_1_6, Sets, TD};
use crate::contract::{self, Promises, keeps};
use crate::name::{EXACT, Name};
use crate::value_ref::ValueRef;
use crate::verdict::{Envelope, Span, piece};
use manila::json::Kind;
use manila::{Confidence, DIALECTS, Exit, Table};
use std::borrow::Cow;
use std::ops::Range;

/// Up to this many members duplicates are looked for here: each is compared with all before it, which
/// costs less than leaving the record to the reference as long as they are not many more.
const MANY: usize = 256;

/// What is found of a record, in memory that is used again for the next.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Its members.
    pub(super) members: Vec<Span>,
    /// The members of the objects that were looked into.
    pub(super) inner: Vec<(u32, Span)>,
    present: u32,
    values: [(u32, u32); KNOWN],
    /// What was met of the keys of other dialects.
    met: Met,
    /// Fingerprints of the unknown keys.
    others: Vec<u64>,
}

/// A good line that is one object.
#[derive(Clone, Copy)]
pub(super) struct Document<'r, 'i> {
    /// Its block, and where it begins and ends in that.
    pub(super) block: &'r [u8],
    pub(super) start: usize,
    pub(super) record: &'r [u8],
    pub(super) index: &'i Index,
}

impl Scratch {
    /// Finds the members from the outermost tokens: `{`, then colons and commas in turn, `}`.
    /// `false` if a closer look is needed: at several documents on a line, or at a key that is
    /// escaped or may occur twice.
    #[inline]
    pub(super) fn split(
        &mut self,
        rivals: &Rivals,
        record: &[u8],
        base: u32,
        tokens: &[u32],
    ) -> bool {
        self.members.clear();
        self.inner.clear();
        self.present = 0;
        self.met = Met::default();
        self.others.clear();
        let mut rest = tokens;
        while let [before, colon, further @ ..] = rest
            && let [behind, ..] = further
        {
            rest = further;
            let place = [before - base, colon - base, behind - base];
            let Some((span, name)) = member(record, place) else { return false };
            self.members.push(span);
            if let Some((known, number)) = SLOTS[slot(name)]
                && known == name
            {
                let bit = set(&[number]);
                if self.present & bit != 0 {
                    return false;
                }
                self.present |= bit;
                self.values[number as usize] = span.value;
                continue;
            }
            let print = name.hash();
            let is_escaped = name.has_backslash()
                || (name.length > EXACT && piece(record, span.key).bytes().contains(&b'\\'));
            if is_escaped || self.others.len() == MANY || self.others.contains(&print) {
                return false;
            }
            self.met.top |= rivals.met(name, print);
            self.others.push(print);
        }
        tokens.len() % 2 == 1 || tokens.len() == 2
    }
}

/// A member between a bracket or comma, a colon, and a comma or bracket.
#[expect(clippy::inline_always, reason = "for every member of every record")]
#[inline(always)]
fn member(record: &[u8], [before, colon, behind]: [u32; 3]) -> Option<(Span, Name)> {
    let is_black = |at: u32| record.get(at as usize).is_some_and(|byte| *byte > b' ');
    let (mut key, mut value) = ((before + 1, colon), (colon + 1, behind));
    if !(is_black(key.0) & is_black(key.1 - 1) & is_black(value.0) & is_black(value.1 - 1)) {
        key = trim(record, key.0..key.1)?;
        value = trim(record, value.0..value.1)?;
    }
    // Behind a document that is not the last of its line stands no key.
    if record.get(key.0 as usize) != Some(&b'"') {
        return None;
    }
    let name = Name::at(record, key.0 as usize + 1, key.1 as usize - 1);
    Some((Span { key, value }, name))
}

/// The range without the whitespace around it.
fn trim(record: &[u8], Range { mut start, mut end }: Range<u32>) -> Option<(u32, u32)> {
    let mut inside = record.get(start as usize..end as usize)?;
    while let [b'\0'..=b' ', rest @ ..] = inside {
        inside = rest;
        start += 1;
    }
    while let [rest @ .., b'\0'..=b' '] = inside {
        inside = rest;
        end -= 1;
    }
    (start < end).then_some((start, end))
}

/// The members of the record that is judged.
struct Members<'r, 's> {
    document: Document<'r, 's>,
    scratch: &'s mut Scratch,
    sets: &'s Sets,
}

impl<'r> Members<'r, '_> {
    fn get(&self, key: Known) -> Option<ValueRef<'r>> {
        let is_there = self.scratch.present & set(&[key]) != 0;
        is_there.then(|| piece(self.document.record, self.scratch.values[key as usize]))
    }

    fn is_text(&self, key: Known) -> bool {
        self.get(key).is_some_and(|value| value.kind() == Kind::String)
    }

    /// Whether an object in the record keeps a contract; `each` gets its members.
    #[inline]
    fn keeps(
        &mut self,
        of: Known,
        object: ValueRef<'r>,
        promises: &Promises,
        each: impl FnMut(&'r [u8], ValueRef<'r>),
    ) -> bool {
        let Document { block, start, record, index } = self.document;
        let (inner, met, rivals) =
            (&mut self.scratch.inner, &mut self.scratch.met, &self.sets.rivals);
        met.looked |= set(&[of]);
        let first = inner.len();
        #[expect(clippy::cast_possible_truncation, reason = "blocks are below 4 GiB")]
        let place = |at: usize| (at - start) as u32;
        let of = place(start + object.offset());
        let mut is_whole = true;
        index.members(block, start + object.offset(), |places| {
            match member(record, places.map(place)) {
                Some((span, name)) => {
                    met.inner |= rivals.met(name, name.hash());
                    inner.push((of, span));
                }
                None => is_whole = false,
            }
        });
        let members = inner[first..].iter().map(|(_, span)| {
            let name = Name::at(record, span.key.0 as usize + 1, span.key.1 as usize - 1);
            (piece(record, span.key), name, piece(record, span.value))
        });
        is_whole && keeps(members, promises, each)
    }
}

/// The text of a string without escapes.
fn plain(piece: ValueRef<'_>) -> Option<&str> {
    std::str::from_utf8(piece.plain()?).ok()
}

fn success<'r>(dialect: usize) -> Option<Envelope<'r>> {
    envelope(dialect, Exit::Success, None)
}

fn envelope(dialect: usize, exit: Exit, code: Option<&str>) -> Option<Envelope<'_>> {
    Some(Envelope {
        dialect: *DIALECTS.get(dialect)?,
        confidence: Confidence::Certain,
        ok: exit.is_success(),
        exit,
        code: code.map(Cow::Borrowed),
    })
}

fn failure(dialect: usize, code: &str) -> Option<Envelope<'_>> {
    let exit = table(dialect)?.class_of_code(code).unwrap_or(Exit::General);
    envelope(dialect, exit, Some(code))
}

fn are_issues(list: ValueRef<'_>) -> bool {
    let is_issue = |issue: ValueRef<'_>| {
        let is_text = |key| issue.get(key).is_some_and(|value| value.kind() == Kind::String);
        is_text("code") && is_text("severity")
    };
    list.kind() == Kind::Array && list.elements().all(is_issue)
}

fn table(dialect: usize) -> Option<&'static Table> {
    DIALECTS.get(dialect).map(|dialect| dialect.table())
}

/// The envelope of a record that breaks nothing; `None` if that is not certain. Its members must have
/// been found.
pub(super) fn judge<'r>(
    sets: &Sets,
    document: Document<'r, '_>,
    scratch: &mut Scratch,
) -> Option<Envelope<'r>> {
    let present = scratch.present;
    let members = &mut Members { document, scratch, sets };
    if present & BESIDE != 0 || members.get(Known::Status).is_some_and(|it| it.is_text("error")) {
        return None;
    }
    let (dialect, envelope) = if sets.response.keys.are(present) {
        (&sets.response, response(members))
    } else if sets.animus.keys.are(present) {
        (&sets.animus, animus(members))
    } else if sets.claw.keys.are(present) {
        (&sets.claw, claw(members))
    } else if sets.i18nprune.keys.are(present) {
        (&sets.i18nprune, i18nprune(members))
    } else if sets.td.keys.are(present) {
        (&sets.td, td(members))
    } else if sets.flat.keys.are(present) {
        (&sets.flat, flat(members))
    } else {
        return None;
    };
    let envelope = envelope?;
    let (record, scratch) = (members.document.record, &*members.scratch);
    let is_object = |key: u32| {
        let value = scratch.values.get(key.trailing_zeros() as usize).copied().unwrap_or_default();
        piece(record, value).kind() == Kind::Object
    };
    let get = |name: &str| {
        let is_it = |span: &&Span| piece(record, span.key).is_text(name);
        scratch.members.iter().find(is_it).map(|span| piece(record, span.value))
    };
    let id = envelope.dialect.id();
    let may_be_another = dialect.rivals.may_be(id, present, scratch.met, is_object, get);
    (!may_be_another).then_some(envelope)
}

fn response<'r>(members: &mut Members<'r, '_>) -> Option<Envelope<'r>> {
    let ok = members.get(Known::Ok)?.bool()?;
    let warnings = members.get(Known::Warnings)?;
    if warnings.bytes() != b"[]" && !contract::are_texts(warnings) {
        return None;
    }
    let meta = members.get(Known::Meta).filter(|meta| meta.kind() == Kind::Object)?;
    let (mut version, mut is_missing) = (None, false);
    let kept =
        members.keeps(Known::Meta, meta, members.sets.response.meta, |key, value| match key {
            b"schema_version" => version = Some(value),
            b"missing" => is_missing = true,
            _ => {}
        });
    let newer = match version.map(|version| plain(version)) {
        None | Some(Some("1.0")) => false,
        Some(Some("1.6")) => true,
        // A patch of a revision, or one that is not known.
        Some(_) => return None,
    };
    // What the core makes of a name that is missing is the core's to say.
    if !kept || is_missing {
        return None;
    }
    let (data, error) = (members.get(Known::Data)?, members.get(Known::Error)?);
    if ok {
        let dialect = if newer { RESPONSE_1_6 } else { RESPONSE_1_0 };
        let is_good = error.is_null() && matches!(data.kind(), Kind::Object | Kind::Array);
        return is_good.then(|| success(dialect)).flatten();
    }
    if !data.is_null() || error.kind() != Kind::Object {
        return None;
    }
    let (mut code, mut newer) = (None, newer);
    let kept =
        members.keeps(Known::Error, error, members.sets.response.error, |key, value| match key {
            b"code" => code = Some(value),
            b"retry_after_ms" | b"retry_strategy" | b"fix_required" | b"fix_command" => {
                newer = true;
            }
            _ => {}
        });
    let code = plain(code?)?;
    if newer {
        let kept = members.keeps(Known::Error, error, members.sets.newer_error, |_, _| {});
        return kept.then(|| failure(RESPONSE_1_6, code)).flatten();
    }
    kept.then(|| failure(RESPONSE_1_0, code)).flatten()
}

fn animus<'r>(members: &mut Members<'r, '_>) -> Option<Envelope<'r>> {
    if !matches!(plain(members.get(Known::Schema)?)?, "animus.cli.v1" | "ao.cli.v1") {
        return None;
    }
    let (data, error) = (members.get(Known::Data), members.get(Known::Error));
    if members.get(Known::Ok)?.bool()? {
        return (data.is_some() && error.is_none()).then(|| success(ANIMUS)).flatten();
    }
    let error = error.filter(|error| data.is_none() && error.kind() == Kind::Object)?;
    let (mut code, mut number) = (None, None);
    let kept =
        members.keeps(Known::Error, error, members.sets.animus.error, |key, value| match key {
            b"code" => code = Some(value),
            b"exit_code" => number = value.integer::<i32>(),
            _ => {}
        });
    let code = plain(code?)?;
    let number = number.filter(|number| kept && *number != 0)?;
    let table = table(ANIMUS)?;
    let exit = table.class_of_number(number, || table.class_of_code(code));
    envelope(ANIMUS, exit, Some(code))
}

fn claw<'r>(members: &mut Members<'r, '_>) -> Option<Envelope<'r>> {
    let texts = [Known::Timestamp, Known::Command, Known::OutputFormat, Known::SchemaVersion];
    let revision = members.get(Known::SchemaVersion).and_then(plain);
    let is_known = matches!(revision, Some("1.0" | "2.0"));
    if !is_known || !texts.into_iter().all(|key| members.is_text(key)) {
        return None;
    }
    let number: i32 = members.get(Known::ExitCode)?.integer()?;
    let error = members.get(Known::Error);
    if number == 0 {
        return error.is_none().then(|| success(CLAW_2_0)).flatten();
    }
    let error = error.filter(|error| error.kind() == Kind::Object)?;
    let (mut code, mut called) = (None, 0);
    let kept =
        members.keeps(Known::Error, error, members.sets.claw.error, |key, value| match key {
            b"kind" => code = Some(value),
            b"operation" => called |= 1,
            b"target" => called |= 2,
            _ => {}
        });
    let code = plain(code?)?;
    // An entity that does not exist is the core's to name.
    if !kept || called != 3 || members.get(Known::Found).is_some() {
        return None;
    }
    let table = table(CLAW_2_0)?;
    let exit = table.class_of_number(number, || table.class_of_code(code));
    envelope(CLAW_2_0, exit, Some(code))
}

fn td<'r>(members: &mut Members<'r, '_>) -> Option<Envelope<'r>> {
    let ok = members.get(Known::Ok)?.bool()?;
    let (data, error) = (members.get(Known::Data), members.get(Known::Error));
    if ok {
        let is_good = error.is_none()
            && members.is_text(Known::Type)
            && matches!(data?.kind(), Kind::Object | Kind::Array);
        return is_good.then(|| success(TD)).flatten();
    }
    let is_bare = data.is_none() && members.get(Known::Type).is_none();
    let error = error.filter(|error| is_bare && error.kind() == Kind::Object)?;
    let mut code = None;
    let kept = members.keeps(Known::Error, error, members.sets.td.error, |key, value| {
        if key == b"code" {
            code = Some(value);
        }
    });
    let code = plain(code?)?;
    kept.then(|| failure(TD, code)).flatten()
}

fn i18nprune<'r>(members: &mut Members<'r, '_>) -> Option<Envelope<'r>> {
    let ok = members.get(Known::Ok)?.bool()?;
    let issues = members.get(Known::Issues)?;
    let meta = members.get(Known::Meta).filter(|meta| meta.kind() == Kind::Object)?;
    let mut version = None;
    let kept = members.keeps(Known::Meta, meta, members.sets.i18nprune.meta, |key, value| {
        if key == b"apiVersion" {
            version = Some(value);
        }
    });
    let is_good = kept
        && plain(version?)? == "1"
        && members.is_text(Known::Kind)
        && matches!(members.get(Known::Data)?.kind(), Kind::Object | Kind::Array)
        && (issues.bytes() == b"[]" || are_issues(issues));
    if !is_good || ok {
        return is_good.then(|| success(I18NPRUNE_1)).flatten();
    }
    // The first issue that is an error, or else the first.
    let mut gravest = None;
    for issue in issues.elements() {
        let severity = plain(issue.get("severity")?)?;
        if !matches!(severity, "warning" | "info") {
            gravest = Some(issue);
            break;
        }
        gravest = gravest.or(Some(issue));
    }
    failure(I18NPRUNE_1, plain(gravest?.get("code")?)?)
}

fn flat<'r>(members: &mut Members<'r, '_>) -> Option<Envelope<'r>> {
    let kind = plain(members.get(Known::Kind)?)?;
    let inner =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    let is_verb = kind.as_bytes().first().is_some_and(u8::is_ascii_lowercase);
    if !is_verb || !kind.bytes().all(inner) {
        return None;
    }
    match plain(members.get(Known::Type)?)? {
        "success" if members.get(Known::Error).is_none() => success(CLAW_1_0),
        "error" => {
            let has_hint = members
                .get(Known::Hint)
                .is_some_and(|it| matches!(it.kind(), Kind::String | Kind::Null));
            let is_good = has_hint && members.is_text(Known::Error);
            is_good.then(|| failure(CLAW_1_0, kind)).flatten()
        }
        _ => None,
    }
}
