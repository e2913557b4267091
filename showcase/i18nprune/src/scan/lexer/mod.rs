//! From JavaScript, TypeScript and JSX to tokens: one pass, no recursion, and no text that stops it.

mod tag;
mod text;

use super::token::{Kind, Token};
use std::ops::Range;

/// What the code may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// No tags: TypeScript, where `<` may be a cast, and the expressions of templates.
    Script,
    /// Tags too.
    Jsx,
    /// The inside of a comment, which holds no further comments.
    Comment,
}

/// The tokens of a part of a file.
pub(crate) fn tokens(source: &str, part: Range<usize>, syntax: Syntax) -> Vec<Token> {
    let mut lexer = Lexer::new(source, part, syntax);
    while lexer.step() == Step::On {}
    lexer.tokens
}

/// Where the brace closes that stands open before this place; the end of the file if it never does.
pub(crate) fn closing_brace(source: &str, start: usize) -> usize {
    let mut lexer = Lexer::new(source, start..source.len(), Syntax::Script);
    lexer.open.push(Open::Expression);
    while !lexer.open.is_empty() && lexer.step() == Step::On {}
    let is_closed = lexer.open.is_empty() && lexer.at > start;
    if is_closed { lexer.at - 1 } else { source.len() }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    On,
    End,
}

/// What is open at a place; the innermost decides what its text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    /// Round brackets of an expression.
    Parenthesis,
    /// Round brackets after `if`, `for` or `while`: a statement follows them.
    Condition,
    /// Braces of a block or an object.
    Brace,
    /// Braces in a template, a tag or text: what is around them continues after them.
    Expression,
    /// Text in backticks.
    Template,
    /// `<a …>`
    OpeningTag,
    /// `<…>` after the name of a tag, as in `<Select<Row> …>`.
    Types,
    /// `</a>`
    ClosingTag,
    /// What is between an opening and a closing tag.
    Children,
}

struct Lexer<'s> {
    source: &'s str,
    bytes: &'s [u8],
    at: usize,
    syntax: Syntax,
    open: Vec<Open>,
    tokens: Vec<Token>,
    /// What the round brackets were that closed last.
    closed: Open,
    /// Up to here the line was searched for the end of a regular expression, in vain.
    no_regex_before: usize,
}

impl<'s> Lexer<'s> {
    fn new(source: &'s str, part: Range<usize>, syntax: Syntax) -> Lexer<'s> {
        let end = part.end.min(source.len());
        let bytes = source.as_bytes().get(..end).unwrap_or_default();
        let (open, tokens) = (Vec::new(), Vec::new());
        let closed = Open::Parenthesis;
        Lexer { source, bytes, at: part.start, syntax, open, tokens, closed, no_regex_before: 0 }
    }

    fn step(&mut self) -> Step {
        let Some(byte) = self.peek(0) else { return Step::End };
        match self.open.last() {
            Some(Open::Template) => self.template(self.at, Kind::TemplateTail),
            Some(Open::OpeningTag | Open::ClosingTag | Open::Types) => self.tag(byte),
            Some(Open::Children) => self.children(),
            _ => self.code(byte),
        }
        Step::On
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// Adds the token that begins there and ends here.
    fn push(&mut self, kind: Kind, start: usize) {
        self.at = self.at.min(self.bytes.len());
        self.tokens.push(Token { kind, span: start..self.at });
    }

    fn mark(&mut self, length: usize) {
        let start = self.at;
        self.at += length;
        self.push(Kind::Mark, start);
    }

    /// How many bytes the space here has, which may be any that Unicode has, or the byte-order
    /// mark.
    fn space(&self) -> usize {
        let rest = self.source.get(self.at..).unwrap_or_default();
        let is_space = |it: &char| it.is_whitespace() || *it == '\u{feff}';
        rest.chars().next().filter(is_space).map_or(0, char::len_utf8)
    }

    fn skip_while(&mut self, is_part: impl Fn(u8) -> bool) {
        while self.peek(0).is_some_and(&is_part) {
            self.at += 1;
        }
    }

    fn code(&mut self, byte: u8) {
        let start = self.at;
        match byte {
            _ if self.space() > 0 => self.at += self.space(),
            b'/' if self.syntax != Syntax::Comment && self.peek(1) == Some(b'/') => {
                self.skip_while(|byte| !is_line_end(byte));
                self.push(Kind::Comment, start);
            }
            b'/' if self.syntax != Syntax::Comment && self.peek(1) == Some(b'*') => self.block(),
            b'/' if self.expects_operand() => self.regex(),
            b'"' | b'\'' => self.string(byte),
            b'`' => {
                self.open.push(Open::Template);
                self.at += 1;
                self.template(start, Kind::Template);
            }
            b'0'..=b'9' => {
                self.skip_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'));
                self.push(Kind::Number, start);
            }
            _ if is_name(byte) => {
                while self.peek(0).is_some_and(is_name) && self.space() == 0 {
                    self.at += 1;
                }
                self.push(Kind::Name, start);
            }
            b'<' if self.begins_tag() => {
                self.open.push(Open::OpeningTag);
                self.mark(1);
            }
            _ => self.bracket(byte),
        }
    }

    fn bracket(&mut self, byte: u8) {
        match byte {
            b'(' => {
                let heads = ["if", "while", "for", "with"];
                let last = self.tokens.last().filter(|last| last.kind == Kind::Name);
                let is_head = last.is_some_and(|last| heads.contains(&last.text(self.source)));
                self.open.push(if is_head { Open::Condition } else { Open::Parenthesis });
            }
            b')' => {
                if let Some(open @ (Open::Parenthesis | Open::Condition)) = self.open.last() {
                    self.closed = *open;
                    self.open.pop();
                }
            }
            b'{' => self.open.push(Open::Brace),
            b'}' => self.close_brace(),
            _ => {}
        }
        let pair = (byte, self.peek(1));
        let is_pair =
            matches!(pair, (b'?', Some(b'.' | b'?')) | (b'+', Some(b'+')) | (b'-', Some(b'-')));
        // `a?.5:1` is a condition.
        let is_condition = pair == (b'?', Some(b'.')) && self.peek(2).is_some_and(is_digit);
        self.mark(if is_pair && !is_condition { 2 } else { 1 });
    }

    /// A brace closes what was opened in it and never closed.
    fn close_brace(&mut self) {
        while let Some(Open::Parenthesis | Open::Condition) = self.open.last() {
            self.open.pop();
        }
        if let Some(Open::Brace | Open::Expression) = self.open.last() {
            self.open.pop();
        }
    }

    /// Whether a value must come next, so that `/` begins a regular expression and `<` a tag.
    fn expects_operand(&self) -> bool {
        const BEFORE_VALUES: &[&str] = &[
            "return",
            "typeof",
            "case",
            "in",
            "of",
            "delete",
            "void",
            "throw",
            "new",
            "else",
            "do",
            "instanceof",
            "yield",
            "await",
            "default",
        ];
        let mut code = self.tokens.iter().rev().filter(|token| token.kind != Kind::Comment);
        let Some(mut last) = code.next() else { return true };
        // TypeScript: what stands right before `!` counts, be it `a! / b` or `(!/b/)`.
        if last.is(self.source, "!") {
            last = code.next().filter(|it| it.span.end == last.span.start).unwrap_or(last);
        }
        let text = last.text(self.source);
        match last.kind {
            Kind::Name => {
                let is_dot = |it: &Token| it.is(self.source, ".") || it.is(self.source, "?.");
                BEFORE_VALUES.contains(&text) && !code.next().is_some_and(is_dot)
            }
            Kind::TemplateHead | Kind::TemplateMiddle => true,
            Kind::Mark if text == ")" => self.closed == Open::Condition,
            Kind::Mark => !matches!(text, "]" | "++" | "--"),
            _ => false,
        }
    }
}

/// Whether a byte is part of a name. Whatever is not ASCII is: no bracket or quote is among it.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

#[cfg(test)]
mod tests;
