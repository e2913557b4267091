//! What is decided about: an envelope or none, the exit status, and how sure anyone can be of both.

use crate::envelope::Envelope;
use crate::error::Error;
use crate::exit::{ExitTable, RESPONSE_ENVELOPE_1_0};
use crate::mark::StatedFailure;
use crate::open::Opened;
use crate::table::{Claims, Confidence};
use crate::transcript::{Status, Transcript};

/// One answer to decide about.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// The envelope, if there is one.
    pub envelope: Option<&'a Envelope>,
    /// Where there is none: the failure that a document states all the same.
    pub stated: Option<&'a StatedFailure>,
    /// How the process ended.
    pub status: Status,
    /// What was called, if that is known.
    pub argv: &'a [String],
    /// The numbers of the envelope's dialect.
    pub exits: &'static ExitTable,
    /// What the document said of its own outcome.
    pub claims: Claims,
    /// How sure it is that the document is an envelope.
    pub confidence: Confidence,
    /// Other output stood around it.
    pub recovered: bool,
    /// The answer contradicts itself: another document claims another outcome or is truncated, or a
    /// key of the envelope occurs twice.
    pub contested: bool,
}

impl<'a> Answer<'a> {
    /// What a run left behind, and what was opened of it or why nothing could be.
    pub fn new(transcript: &'a Transcript, opened: Result<&'a Opened, &'a Error>) -> Self {
        let bare = Answer {
            envelope: None,
            stated: opened.err().and_then(Error::stated_failure),
            status: transcript.status,
            argv: &transcript.argv,
            exits: &RESPONSE_ENVELOPE_1_0,
            claims: Claims::default(),
            confidence: Confidence::Certain,
            recovered: false,
            contested: false,
        };
        let Ok(Opened { detection, claims, envelope, .. }) = opened else { return bare };
        Answer {
            envelope: Some(envelope),
            exits: detection.dialect.table().exits,
            claims: *claims,
            confidence: detection.confidence,
            recovered: detection.noise.iter().any(|noise| noise.stream == detection.stream),
            contested: detection.contested || claims.duplicate_key,
            ..bare
        }
    }

    /// A certain envelope, and how the process ended.
    pub fn from_envelope(envelope: &'a Envelope, status: Status) -> Self {
        Answer {
            envelope: Some(envelope),
            stated: None,
            status,
            argv: &[],
            exits: &RESPONSE_ENVELOPE_1_0,
            claims: Claims { ok: Some(envelope.ok()), ..Claims::default() },
            confidence: Confidence::Certain,
            recovered: false,
            contested: false,
        }
    }
}
