//! Tags among the code, and the text between them.

use super::{Lexer, Open, Syntax, is_name};
use crate::scan::token::Kind;

impl Lexer<'_> {
    /// Whether `<` begins a tag rather than a comparison or the parameters of a generic function.
    pub(super) fn begins_tag(&self) -> bool {
        if self.syntax != Syntax::Jsx || !self.expects_operand() {
            return false;
        }
        let rest = self.source.get(self.at + 1..self.bytes.len()).unwrap_or_default();
        let name_end = rest.bytes().position(|byte| !is_name(byte)).unwrap_or(rest.len());
        let (name, after) = rest.split_at(name_end);
        if name.is_empty() {
            return after.starts_with('>');
        }
        let is_letter = name.len() == 1 && name.starts_with(char::is_uppercase);
        let follows = after.trim_start();
        let is_generic = follows.starts_with(',')
            || follows.starts_with("extends ")
            || (is_letter && after.starts_with(">("));
        !is_generic && !name.starts_with(|first: char| first.is_ascii_digit())
    }

    pub(super) fn tag(&mut self, byte: u8) {
        let start = self.at;
        match byte {
            b'"' | b'\'' => {
                self.at += 1;
                self.skip_while(|other| other != byte);
                self.at += 1;
                let is_whole = self.at <= self.bytes.len();
                self.push(if is_whole { Kind::AttributeValue } else { Kind::Torn }, start);
            }
            b'{' => {
                self.open.push(Open::Expression);
                self.mark(1);
            }
            b'/' if self.peek(1) == Some(b'*') => self.block(),
            b'/' if self.peek(1) == Some(b'>') => {
                self.open.pop();
                self.mark(2);
            }
            b'<' if self.tokens.last().is_some_and(|name| name.span.end == start) => {
                self.open.push(Open::Types);
                self.mark(1);
            }
            b'>' => {
                match self.open.pop() {
                    Some(Open::OpeningTag) => self.open.push(Open::Children),
                    Some(Open::ClosingTag) => drop(self.open.pop()),
                    _ => {}
                }
                self.mark(1);
            }
            _ if is_name(byte) => {
                self.skip_while(|byte| is_name(byte) || matches!(byte, b'-' | b':' | b'.'));
                self.push(Kind::Attribute, start);
            }
            _ if byte.is_ascii_whitespace() => self.at += 1,
            _ => self.mark(1),
        }
    }

    pub(super) fn children(&mut self) {
        self.skip_while(|byte| !matches!(byte, b'<' | b'{'));
        match (self.peek(0), self.peek(1)) {
            (Some(b'{'), _) => {
                self.open.push(Open::Expression);
                self.mark(1);
            }
            (Some(b'<'), Some(b'/')) => {
                self.open.push(Open::ClosingTag);
                self.mark(2);
            }
            (Some(b'<'), Some(next)) if is_name(next) || next == b'>' => {
                self.open.push(Open::OpeningTag);
                self.mark(1);
            }
            _ => self.at += 1,
        }
    }
}
