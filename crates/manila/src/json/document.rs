//! One valid document: its root, its root's members, and what was odd about it.

use super::fact::Facts;
use super::text::unescape;
use super::value::{Member, Value};
use std::ops::Range;

/// Where a member of the root object stands.
#[derive(Clone, Debug)]
pub(super) struct MemberSpan {
    pub(super) key: Range<usize>,
    pub(super) escaped: bool,
    pub(super) value: Range<usize>,
}

/// One valid document, and what was odd about it.
#[derive(Debug)]
pub struct Document<'t, 'r> {
    pub(super) root: Value<'t>,
    pub(super) members: &'r [MemberSpan],
    pub(super) facts: &'r Facts,
}

impl<'t> Document<'t, '_> {
    /// The document's value.
    pub fn root(&self) -> Value<'t> {
        self.root
    }

    /// Where the value is in the bytes that were read.
    pub fn span(&self) -> Range<usize> {
        self.root.span()
    }

    /// What was odd.
    pub fn facts(&self) -> &Facts {
        self.facts
    }

    /// The members of the root object, in order; none if it is not an object.
    pub fn members(&self) -> impl Iterator<Item = Member<'t>> {
        self.members.iter().map(|member| {
            Member::new(
                self.text(&member.key),
                Value::new(self.text(&member.value), member.value.start),
            )
        })
    }

    /// The value of the last member of that name, as most parsers choose.
    pub fn get(&self, name: &str) -> Option<Value<'t>> {
        let bytes = self.root.text().as_bytes();
        let base = self.root.span().start;
        let is_meant = |member: &&MemberSpan| {
            let (start, end) = (member.key.start + 1, member.key.end - 1);
            if member.escaped {
                unescape(self.text(&(start..end))) == name
            } else {
                end - start == name.len() && bytes[start - base..end - base] == *name.as_bytes()
            }
        };
        let member = self.members.iter().rev().find(is_meant)?;
        Some(Value::new(self.text(&member.value), member.value.start))
    }

    fn text(&self, span: &Range<usize>) -> &'t str {
        let base = self.root.span().start;
        self.root.text().get(span.start - base..span.end - base).unwrap_or_default()
    }
}
