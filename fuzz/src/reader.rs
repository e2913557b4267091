//! The laws of the strict reader.

use super::oracle::{self, Oddity};
use manila::json::{Facts, Flaw, FlawKind, Limits, Reader};
use serde_json::value::RawValue;
use std::ops::Range;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const WIDE: Limits = Limits { bytes: usize::MAX, depth: usize::MAX };

/// All that a reading says.
#[derive(Debug, PartialEq)]
struct Reading<'t> {
    text: &'t str,
    span: Range<usize>,
    members: Vec<(String, Range<usize>)>,
    facts: Facts,
}

/// Reads bytes as one document.
///
/// # Panics
///
/// When a law is broken.
pub fn reader(bytes: &[u8]) {
    let wide = read(&mut Reader::new(WIDE), bytes);
    match &wide {
        Ok(reading) => is_spelled_as_found(bytes, reading),
        Err(flaw) => is_where_reading_stops(bytes, *flaw),
    }
    if bytes.starts_with(BYTE_ORDER_MARK) {
        a_mark_changes_only_places(bytes, &wide);
    } else {
        agrees_with_serde_json(bytes, &wide);
    }
    the_depth_limit_only_limits(bytes, &wide);
    the_size_limit_only_limits(bytes, &wide);
    the_first_of_many_is_found(bytes);
    a_used_reader_is_as_good_as_new(bytes, &wide);
}

fn read<'t>(reader: &mut Reader, bytes: &'t [u8]) -> Result<Reading<'t>, Flaw> {
    let document = reader.read(bytes)?;
    let member =
        |member: manila::json::Member<'_>| (member.key().into_owned(), member.value.span());
    Ok(Reading {
        text: document.root().text(),
        span: document.span(),
        members: document.members().map(member).collect(),
        facts: document.facts().clone(),
    })
}

fn agrees_with_serde_json(bytes: &[u8], ours: &Result<Reading<'_>, Flaw>) {
    let theirs = oracle::raw(bytes);
    assert_eq!(ours.is_ok(), theirs.is_some(), "serde_json disagrees with {ours:?}");
    if let (Ok(reading), Some(raw)) = (ours, theirs) {
        assert_eq!(reading.text, raw.get());
    }
}

fn is_spelled_as_found(bytes: &[u8], reading: &Reading<'_>) {
    assert_eq!(&bytes[reading.span.clone()], reading.text.as_bytes());
    assert_eq!(reading.text.trim_matches([' ', '\n', '\r', '\t']), reading.text);
    if oracle::depth(reading.text) <= Limits::default().depth {
        facts_are_all_and_only_what_is_odd(bytes, reading);
    }
}

fn facts_are_all_and_only_what_is_odd(bytes: &[u8], reading: &Reading<'_>) {
    let mut reader = Reader::default();
    let Ok(document) = reader.read(bytes) else { panic!("too much for the default limits") };
    let mut expected = oracle::oddities(bytes, document.root());
    if bytes.starts_with(BYTE_ORDER_MARK) {
        expected.insert(0, (manila::json::FactKind::ByteOrderMark, 0..BYTE_ORDER_MARK.len()));
    }
    let kept: Vec<Oddity> =
        reading.facts.iter().map(|fact| (fact.kind, fact.span.clone())).collect();
    assert!(kept.is_sorted_by_key(|(kind, span)| (span.start, *kind)), "{kept:?}");
    assert_eq!(kept.len() + reading.facts.more(), expected.len(), "{kept:?} of {expected:?}");
    if reading.facts.more() == 0 {
        assert_eq!(kept, expected);
    }
    assert!(kept.iter().all(|fact| expected.contains(fact)), "{kept:?} of {expected:?}");
}

fn is_where_reading_stops(bytes: &[u8], flaw: Flaw) {
    assert!(flaw.offset <= bytes.len(), "{flaw:?}");
    let unmarked = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let offset = flaw.offset - (bytes.len() - unmarked.len());
    assert!(oracle::goes_on(&unmarked[..offset]), "something before {flaw:?} is wrong already");
    let is_cut = matches!(flaw.kind, FlawKind::UnexpectedEnd | FlawKind::Empty);
    assert_eq!(is_cut, oracle::goes_on(unmarked), "{flaw:?}");
    if is_cut {
        assert_eq!(flaw.offset, bytes.len());
    }
    if let FlawKind::UnexpectedByte(byte) | FlawKind::RawControlCharacter(byte) = flaw.kind {
        assert_eq!(unmarked[offset], byte);
        assert!(!oracle::goes_on(&unmarked[..=offset]), "{flaw:?} could stand there");
    }
}

fn a_mark_changes_only_places(bytes: &[u8], marked: &Result<Reading<'_>, Flaw>) {
    let rest = &bytes[BYTE_ORDER_MARK.len()..];
    if rest.starts_with(BYTE_ORDER_MARK) {
        return assert!(marked.is_err(), "one mark is enough");
    }
    let plain = read(&mut Reader::new(WIDE), rest);
    let text = |reading: &Reading<'_>| reading.text.to_owned();
    let moved = |flaw: Flaw| Flaw { offset: flaw.offset + BYTE_ORDER_MARK.len(), ..flaw };
    assert_eq!(
        marked.as_ref().map(text).map_err(|flaw| *flaw),
        plain.as_ref().map(text).map_err(|flaw| moved(*flaw))
    );
}

fn the_depth_limit_only_limits(bytes: &[u8], wide: &Result<Reading<'_>, Flaw>) {
    let limits = Limits::default();
    match (read(&mut Reader::new(limits), bytes), wide) {
        (Err(Flaw { kind: FlawKind::TooDeep, offset }), Ok(reading)) => {
            assert!(oracle::depth(reading.text) > limits.depth);
            assert!(matches!(bytes[offset], b'{' | b'['));
        }
        (Err(Flaw { kind: FlawKind::TooDeep, offset }), Err(later)) => {
            assert!(offset < later.offset, "{later:?} was met before");
        }
        (narrow, wide) => assert_eq!(&narrow, wide),
    }
}

fn the_size_limit_only_limits(bytes: &[u8], wide: &Result<Reading<'_>, Flaw>) {
    let limit = bytes.len() / 2 + 1;
    let narrow = read(&mut Reader::new(Limits { bytes: limit, ..WIDE }), bytes);
    let fits = wide.as_ref().map(|reading| reading.text.len() <= limit);
    match narrow {
        Err(Flaw { kind: FlawKind::TooLarge, offset }) => {
            assert!(limit <= offset && offset < bytes.len() && fits != Ok(true), "{wide:?}");
        }
        Ok(narrow) => assert_eq!(Ok(&narrow), wide.as_ref()),
        // Where the window cuts a word such as `NaN`, only the reason is another.
        Err(narrow) => assert_eq!(Err(narrow.offset), wide.as_ref().map_err(|wide| wide.offset)),
    }
}

/// A document that ends by itself, whatever follows it.
fn the_first_of_many_is_found(bytes: &[u8]) {
    if !matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[' | b'"')) {
        return;
    }
    let mut reader = Reader::new(WIDE);
    let ours = reader.read_at(bytes, 0).map(|document| document.root().text());
    let theirs = serde_json::Deserializer::from_slice(bytes).into_iter::<&RawValue>().next();
    let theirs = theirs.and_then(Result::ok).map(RawValue::get);
    assert_eq!(ours.ok(), theirs);
}

fn a_used_reader_is_as_good_as_new(bytes: &[u8], first: &Result<Reading<'_>, Flaw>) {
    let mut reader = Reader::new(WIDE);
    for other in [bytes, br#"{"a":1,"a":[{"b":"\ud800"}"#, br#"{"a":[1e999],"a":2}"#] {
        drop(reader.read(other));
        assert_eq!(&read(&mut reader, bytes), first);
    }
}
