//! From what a run left behind to one envelope, and how it was found.

mod outcome;
mod pagination;
mod view;

pub(crate) use view::Span;

use crate::detect::{Detection, Options, Sources, detect_in};
use crate::envelope::{Content, Envelope};
use crate::error::Error;
use crate::json::{FactKind, Facts, Raw, Reader};
use crate::mark;
use crate::table::{Claims, Fields, Notes, Place, collect};
use crate::transcript::Transcript;

/// An envelope, and how it was found.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Where it stood, in which dialect, and amid what.
    pub detection: Detection,
    /// Everything odd, in the envelope's own stream.
    pub facts: Facts,
    /// What the document says of its own outcome.
    pub claims: Claims,
    /// The normal form.
    pub envelope: Envelope,
    /// Where each field stood.
    pub places: Vec<Place>,
}

/// Finds the envelope in a transcript and takes it apart.
pub fn open(transcript: &Transcript, options: &Options) -> Result<Opened, Error> {
    let mut reader = Reader::new(options.limits);
    let sources = Sources::new(transcript);
    let (detection, source) = detect_in(&sources, options, &mut reader)?;
    let mut facts = detection.facts.clone();
    let document = reader
        .read_at(source.bytes(), source.kept(detection.span.start))
        .map_err(|flaw| Error::unreadable(detection.stream, flaw))?;
    facts.extend(document.facts(), |offset| source.original(offset));

    let notes = Notes::default();
    let top = Fields::new(document.members(), document.span(), &notes);
    let (mut content, claims) = if detection.is_bare() {
        let data = Some(Raw::from(document.root()));
        (Content { data, ..Content::default() }, Claims { bare: true, ..Claims::default() })
    } else {
        detection.dialect.open(top)
    };
    let mut claims = Claims { duplicate_key: notes.duplicate_key.get(), ..claims };
    pagination::apply(&document, &mut content.meta, &mut claims, &notes);
    if let Some(revision) = &detection.dialect.table().revision
        && let Some((value, stated)) = revision.unknown(&document)
    {
        claims.unknown_revision = true;
        let span = source.original(value.span().start)..source.original(value.span().end);
        let stated = stated.into_owned();
        content.meta.schema_version.get_or_insert_with(|| stated.clone());
        facts.add_certainly(FactKind::UnknownRevision, span, Some(stated));
    }
    let table = detection.dialect.table();
    let is_taken = |key: &str| table.keys.iter().any(|it| it.name == key && it.is_constant());
    let mark = mark::of(&document).map(|mark| (mark, mark::error(&document, mark, is_taken)));
    let lines = table.lines;
    if !lines.is_empty() {
        let last = source.kept(detection.span.start);
        collect(lines, (source.bytes(), last), &mut reader, &mut content, &mut claims);
    }
    facts.extend(&notes.facts.borrow(), |offset| source.original(offset));
    let mut places = notes.places.into_inner();
    for place in &mut places {
        place.span = source.original(place.span.start)..source.original(place.span.end);
    }
    let settled = outcome::settle(content, claims, mark, transcript, &detection, &mut facts)?;
    facts.sort();
    Ok(Opened { detection, facts, claims: settled.claims, envelope: settled.envelope, places })
}
