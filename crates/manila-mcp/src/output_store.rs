//! Output that is too long for an answer, kept so that a client can read it as a resource.

use rmcp::model::{Resource, ResourceContents};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// What the addresses of outputs begin with.
const PREFIX: &str = "manila://output/";
/// How many bytes one request returns at most.
const CHUNK: usize = 20_000;
/// How many outputs are kept, and how many bytes of them. The oldest are dropped first.
const MOST: usize = 64;
const MOST_BYTES: usize = 64 << 20;

/// The form of the addresses.
pub(crate) const TEMPLATE: &str = "manila://output/{id}{?offset}";

/// Outputs that are too long for an answer.
#[derive(Debug, Default)]
pub(crate) struct OutputStore(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    outputs: VecDeque<Output>,
    next: u64,
}

#[derive(Debug)]
struct Output {
    id: u64,
    name: String,
    text: String,
}

impl OutputStore {
    /// Keeps an output of a call. Says where it can be read.
    pub(crate) fn keep(&self, name: String, text: String) -> Resource {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.next += 1;
        let output = Output { id: kept.next, name, text };
        let resource = output.resource();
        kept.outputs.push_back(output);
        let bytes = |kept: &Kept| kept.outputs.iter().map(|it| it.text.len()).sum::<usize>();
        while kept.outputs.len() > 1 && (kept.outputs.len() > MOST || bytes(&kept) > MOST_BYTES) {
            kept.outputs.pop_front();
        }
        resource
    }

    /// All that is kept.
    pub(crate) fn list(&self) -> Vec<Resource> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.outputs.iter().map(Output::resource).collect()
    }

    /// A part of an output, and where the next one is. Only the exact address of a stored output is
    /// accepted.
    pub(crate) fn read(&self, uri: &str) -> Option<(ResourceContents, Option<String>)> {
        let (id, offset) = parse(uri)?;
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let output = kept.outputs.iter().find(|output| output.id == id)?;
        let text = output.text.get(offset..)?;
        let end = floor(text, CHUNK);
        let is_last = end == text.len();
        let next = (!is_last).then(|| format!("{PREFIX}{id}?offset={}", offset + end));
        Some((ResourceContents::text(&text[..end], uri), next))
    }
}

impl Output {
    fn resource(&self) -> Resource {
        Resource::new(format!("{PREFIX}{}", self.id), self.name.clone())
            .with_mime_type("text/plain")
            .with_size(self.text.len() as u64)
    }
}

fn parse(uri: &str) -> Option<(u64, usize)> {
    let number = |text: &str| {
        let is_plain = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        is_plain.then(|| text.parse().ok()).flatten()
    };
    let rest = uri.strip_prefix(PREFIX)?;
    let (id, offset) = rest.split_once("?offset=").map_or((rest, "0"), |parts| parts);
    Some((number(id)?, usize::try_from(number(offset)?).ok()?))
}

/// The last character boundary at or before this offset.
pub(crate) fn floor(text: &str, most: usize) -> usize {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(contents: &ResourceContents) -> &str {
        match contents {
            ResourceContents::TextResourceContents { text, .. } => text,
            _ => "",
        }
    }

    #[test]
    fn the_parts_of_an_output_are_the_whole() {
        let store = OutputStore::default();
        let whole = "äöü\n".repeat(20_000);
        let resource = store.keep("tool".to_owned(), whole.clone());
        assert_eq!(resource.size, Some(whole.len() as u64));
        let (mut read, mut next) = (String::new(), Some(resource.uri));
        while let Some(uri) = next {
            let (contents, following) = store.read(&uri).unwrap();
            assert!(text(&contents).len() <= CHUNK);
            read.push_str(text(&contents));
            next = following;
        }
        assert_eq!(read, whole);
    }

    #[test]
    fn only_exact_addresses_lead_anywhere() {
        let store = OutputStore::default();
        store.keep("tool".to_owned(), "äb".to_owned());
        assert!(store.read("manila://output/1").is_some());
        for uri in [
            "manila://output/2",
            "manila://output/../1",
            "manila://output/1/../../etc/passwd",
            "manila://output/+1",
            "manila://output/",
            "manila://output/1?offset=99",
            "manila://output/1?offset=-1",
            "manila://output/1?offset=1",
            "file:///etc/passwd",
            "manila://output/%31",
            "manila://output/1#x",
            "manila://output/1?offset=0&x=1",
            "",
        ] {
            assert!(store.read(uri).is_none(), "{uri}");
        }
    }

    #[test]
    fn the_oldest_go_first() {
        let store = OutputStore::default();
        for _ in 0..=MOST {
            store.keep("tool".to_owned(), "x".to_owned());
        }
        assert!(store.read("manila://output/1").is_none());
        assert_eq!(store.list().len(), MOST);
        store.keep("large".to_owned(), "x".repeat(MOST_BYTES + 1));
        assert_eq!(store.list().len(), 1, "one that is larger than all may be is kept alone");
    }
}
