//! What ends with a delimiter of its own: comments, strings, templates, regular expressions.

use super::{Lexer, Open, is_line_end, is_name};
use crate::scan::token::Kind;

impl Lexer<'_> {
    pub(super) fn block(&mut self) {
        let start = self.at;
        let rest = self.bytes.get(start + 2..).unwrap_or_default();
        let length = rest.windows(2).position(|pair| pair == b"*/");
        self.at = length.map_or(self.bytes.len(), |length| start + 2 + length + 2);
        self.push(Kind::Comment, start);
    }

    pub(super) fn string(&mut self, quote: u8) {
        let start = self.at;
        self.at += 1;
        while let Some(byte) = self.peek(0).filter(|byte| !is_line_end(*byte)) {
            self.at += 1;
            match byte {
                b'\\' => self.skip_escaped(),
                _ if byte == quote => return self.push(Kind::String, start),
                _ => {}
            }
        }
        self.push(Kind::Torn, start);
    }

    /// Skips what a backslash takes the meaning from: one byte, or a whole end of a line.
    pub(super) fn skip_escaped(&mut self) {
        let is_crlf = (self.peek(0), self.peek(1)) == (Some(b'\r'), Some(b'\n'));
        self.at += if is_crlf { 2 } else { 1 };
    }

    /// Text in backticks from its beginning or from the end of a substitution; `last` is what it is
    /// if no substitution follows.
    pub(super) fn template(&mut self, start: usize, last: Kind) {
        while let Some(byte) = self.peek(0) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'`' => {
                    self.open.pop();
                    return self.push(last, start);
                }
                b'$' if self.peek(0) == Some(b'{') => {
                    self.at += 1;
                    self.open.push(Open::Expression);
                    let is_first = last == Kind::Template;
                    let kind = if is_first { Kind::TemplateHead } else { Kind::TemplateMiddle };
                    return self.push(kind, start);
                }
                _ => {}
            }
        }
        self.open.pop();
        self.push(Kind::Torn, start);
    }

    pub(super) fn regex(&mut self) {
        let start = self.at;
        if start < self.no_regex_before {
            return self.mark(1);
        }
        let mut in_class = false;
        self.at += 1;
        while let Some(byte) = self.peek(0).filter(|byte| !is_line_end(*byte)) {
            self.at += 1;
            match byte {
                b'\\' if self.peek(0).is_some_and(|byte| !is_line_end(byte)) => self.at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    self.skip_while(is_name);
                    return self.push(Kind::Regex, start);
                }
                _ => {}
            }
        }
        self.no_regex_before = self.at;
        self.at = start;
        self.mark(1);
    }
}
