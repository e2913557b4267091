//! How an opened envelope is shown as JSON.

use super::Opened;
use crate::detect::Noise;
use crate::json::{Fact, Facts};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use std::ops::Range;

impl Serialize for Opened {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let detection = &self.detection;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("dialect", detection.dialect.id())?;
        map.serialize_entry("shape", detection.shape)?;
        map.serialize_entry("confidence", &detection.confidence)?;
        let others: Vec<_> = detection.others.iter().map(|(id, sure)| Other(id, *sure)).collect();
        map.serialize_entry("others", &others)?;
        map.serialize_entry("stream", &detection.stream)?;
        map.serialize_entry("span", &Span::from(&detection.span))?;
        map.serialize_entry("noise", &detection.noise)?;
        map.serialize_entry("facts", &self.facts)?;
        map.serialize_entry("facts_not_listed", &self.facts.more())?;
        map.serialize_entry("envelope", &self.envelope)?;
        map.end()
    }
}

struct Other(&'static str, crate::Confidence);

impl Serialize for Other {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("dialect", self.0)?;
        map.serialize_entry("confidence", &self.1)?;
        map.end()
    }
}

/// Byte offsets: the first byte, and the one after the last.
#[derive(Serialize)]
pub(crate) struct Span {
    start: usize,
    end: usize,
}

impl From<&Range<usize>> for Span {
    fn from(range: &Range<usize>) -> Self {
        Span { start: range.start, end: range.end }
    }
}

impl Serialize for Noise {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("stream", &self.stream)?;
        map.serialize_entry("kind", self.kind.as_str())?;
        map.serialize_entry("span", &Span::from(&self.span))?;
        map.end()
    }
}

impl Serialize for Fact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("fact", &self.kind)?;
        map.serialize_entry("span", &Span::from(&self.span))?;
        map.serialize_entry("subject", &self.subject)?;
        map.end()
    }
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.iter().len()))?;
        for fact in self {
            list.serialize_element(fact)?;
        }
        list.end()
    }
}
