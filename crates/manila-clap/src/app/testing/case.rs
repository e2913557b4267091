//! What a check looks at: a call, its envelope, and what its author meant.

use super::called::{Called, Frame, Meant};
use manila::json::{Fact, FactKind};
use manila::{Detection, Exit, KindNames, Opened, Options, Severity, Stream};
use serde_json::Value;

/// A call that is looked at.
pub(super) struct Case<'c> {
    pub(super) called: &'c Called,
    pub(super) frames: Vec<Frame>,
    /// The envelope, of whatever dialect.
    pub(super) found: Result<Opened, manila::Error>,
}

impl<'c> Case<'c> {
    pub(super) fn new(called: &'c Called) -> Case<'c> {
        let found = manila::open(&called.transcript(), &Options::default());
        Case { called, frames: called.frames(), found }
    }

    /// The envelope, if it is one of the program's dialect.
    pub(super) fn opened(&self) -> Option<&Opened> {
        let is_own = |opened: &&Opened| opened.detection.dialect.id() == self.dialect_id();
        self.found.as_ref().ok().filter(is_own)
    }

    pub(super) fn dialect_id(&self) -> &'static str {
        self.called.contract.dialect.id()
    }

    /// The facts that a check is in charge of.
    pub(super) fn facts(&self, of: Group) -> impl Iterator<Item = &Fact> {
        let facts = self.found.as_ref().ok().into_iter().flat_map(|opened| &opened.facts);
        facts.filter(move |fact| group(fact.kind) == of)
    }

    pub(super) fn stream(&self) -> Stream {
        self.found.as_ref().map_or(Stream::Stdout, |opened| opened.detection.stream)
    }

    pub(super) fn bytes(&self, stream: Stream) -> &'c [u8] {
        match stream {
            Stream::Stdout => &self.called.stdout,
            Stream::Stderr => &self.called.stderr,
        }
    }

    /// The document as a tree.
    pub(super) fn document(&self) -> Option<Value> {
        let Detection { stream, span, .. } = &self.opened()?.detection;
        serde_json::from_slice(self.bytes(*stream).get(span.clone())?).ok()
    }

    pub(super) fn is_success(&self) -> bool {
        self.opened().is_some_and(|opened| opened.envelope.ok())
    }

    /// The code and the class of a failure as its author named them, where that can be seen.
    pub(super) fn meant_error(&self) -> Option<(&'c str, Exit, Option<i32>)> {
        match self.called.known.meant.as_ref()? {
            Meant::Error { code, exit, signal, .. } => Some((code, *exit, *signal)),
            Meant::Reply { .. } => None,
        }
    }

    /// The codes that an answer may be meant to fail with, as its dialect writes them: one, or in a
    /// dialect without an error member those of its issues.
    pub(super) fn written_codes(&self) -> Vec<&str> {
        let Some(opened) = self.opened() else { return Vec::new() };
        let Some(error) = opened.envelope.error() else { return Vec::new() };
        if opened.places.iter().any(|place| place.field.starts_with("error")) {
            return vec![error.code.as_str()];
        }
        let issues = opened.envelope.content().issues.iter();
        let graves = issues.filter(|issue| issue.severity == Severity::Error);
        graves.map(|issue| issue.code.as_str()).collect()
    }

    /// The kind of a success: as it was meant where that can be seen, for not every dialect states
    /// it.
    pub(super) fn kind(&self) -> Option<&str> {
        let opened = self.opened().filter(|opened| opened.envelope.ok())?;
        match self.called.known.meant {
            Some(Meant::Reply { kind }) => Some(kind),
            // Some dialects name the command there, which is not a kind.
            _ if opened.detection.dialect.table().kind == KindNames::Command => None,
            _ => opened.envelope.content().kind.as_deref(),
        }
    }

    /// Whether a signal ended the run and its status says so.
    pub(super) fn is_interrupted(&self) -> bool {
        let exits = self.called.contract.dialect.table().exits;
        let said = exits.signals && (129..=192).contains(&self.called.status);
        said || self.called.signal.is_some()
    }

    /// Whether document and process contradict each other, so that the outcome cannot be compared
    /// with anything else.
    pub(super) fn is_contradicted(&self) -> bool {
        self.facts(Group::Status).any(|fact| fact.kind == FactKind::OkContradictsStatus)
    }
}

/// Which check is in charge of a fact.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    OneDocument,
    Escape,
    Stream,
    Shape,
    Status,
    Silence,
    Oddity,
}

fn group(kind: FactKind) -> Group {
    match kind {
        FactKind::ByteOrderMark
        | FactKind::ProseBefore
        | FactKind::ProseAfter
        | FactKind::SeveralDocuments
        | FactKind::SeveralEnvelopes
        | FactKind::TruncatedDocument => Group::OneDocument,
        FactKind::EscapeInDocument => Group::Escape,
        FactKind::WrongStream => Group::Stream,
        FactKind::MissingField
        | FactKind::NullOutOfPlace
        | FactKind::UnexpectedValue
        | FactKind::UnknownKey => Group::Shape,
        FactKind::OkContradictsStatus
        | FactKind::ExitCodeContradictsStatus
        | FactKind::ErrorOnSuccess => Group::Status,
        FactKind::NothingSaid | FactKind::ErrorImplied => Group::Silence,
        _ => Group::Oddity,
    }
}
