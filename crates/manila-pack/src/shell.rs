//! A command line of a shell, as far as it is plain: words, quotes, pipelines, lists and redirects.
//!
//! Whatever can compute a word or a command (expansions, substitutions, subshells, keywords, here
//! documents) is refused, because only a shell knows what it comes to.

/// A plain command of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Simple {
    /// `NAME=value` words before the program.
    pub(crate) assignments: Vec<(String, String)>,
    /// The program and its arguments.
    pub(crate) words: Vec<ShellWord>,
    /// The first file that a redirect writes to.
    pub(crate) writes_to: Option<String>,
}

/// A word without its quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ShellWord {
    pub(crate) text: String,
    /// It is a pattern of file names, and stands for any number of words.
    pub(crate) is_glob: bool,
    /// And these words may begin with a dash.
    pub(crate) may_be_option: bool,
}

/// Why a line is not plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotPlain {
    Expansion,
    Substitution,
    Subshell,
    Keyword,
    HereDocument,
    Braces,
    Quote,
    Redirect,
    Operator,
    Control,
}

impl NotPlain {
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            NotPlain::Expansion => "the shell expands a `$`",
            NotPlain::Substitution => "the shell substitutes the output of a command",
            NotPlain::Subshell => "a parenthesis opens a subshell or a function",
            NotPlain::Keyword => "a keyword of the shell begins a compound command",
            NotPlain::HereDocument => "a here document follows",
            NotPlain::Braces => "the shell expands braces",
            NotPlain::Quote => "a quote does not close",
            NotPlain::Redirect => "a redirect names no file",
            NotPlain::Operator => "an operator has no command on one side",
            NotPlain::Control => "it contains a control character",
        }
    }
}

/// What a redirect may name without writing to a file: nothing, or a stream that is open already.
const OPEN_ALREADY: &[&str] = &["/dev/null", "/dev/stderr", "/dev/stdout", "/dev/tty"];

const KEYWORDS: &[&str] = &[
    "!", "[[", "]]", "{", "}", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for",
    "foreach", "function", "if", "in", "repeat", "select", "then", "until", "while",
];

enum Token {
    /// A word, and how many bytes of it come before the first quote.
    Word(ShellWord, usize),
    /// `;`, `&`, `&&`, `||`, `|`, `|&` or a newline; whether a command must follow.
    Separator(bool),
    /// A redirect that writes; its target follows.
    Output,
    /// A redirect that reads; its target follows.
    Input,
    /// A descriptor is duplicated or closed: nothing is opened.
    Duplicate,
}

/// The plain commands of a line.
pub(crate) fn parse(line: &str) -> Result<Vec<Simple>, NotPlain> {
    let mut lexer = Lexer { rest: line };
    let mut commands = Vec::new();
    let mut current = Simple::default();
    let mut needs_command = false;
    loop {
        let token = lexer.next()?;
        match token {
            Some(Token::Word(word, plain)) => {
                let is_first = current.words.is_empty();
                let assigned = assignment(&word.text).filter(|(name, _)| name.len() < plain);
                if let (true, Some((name, value))) = (is_first, assigned) {
                    current.assignments.push((name.to_owned(), value.to_owned()));
                    continue;
                }
                if is_first && plain >= word.text.len() && KEYWORDS.contains(&word.text.as_str()) {
                    return Err(NotPlain::Keyword);
                }
                current.words.push(word);
            }
            Some(Token::Output) => {
                let Some(Token::Word(target, _)) = lexer.next()? else {
                    return Err(NotPlain::Redirect);
                };
                if target.is_glob || !OPEN_ALREADY.contains(&target.text.as_str()) {
                    current.writes_to.get_or_insert(target.text);
                }
            }
            Some(Token::Input) => {
                let Some(Token::Word(..)) = lexer.next()? else { return Err(NotPlain::Redirect) };
            }
            Some(Token::Duplicate) => {}
            Some(Token::Separator(needs_next)) => {
                let is_empty = current == Simple::default();
                if is_empty && needs_next {
                    return Err(NotPlain::Operator);
                }
                if !is_empty {
                    commands.push(std::mem::take(&mut current));
                    needs_command = needs_next;
                }
            }
            None => {
                if current != Simple::default() {
                    commands.push(current);
                } else if needs_command {
                    return Err(NotPlain::Operator);
                }
                return Ok(commands);
            }
        }
    }
}

/// `NAME=value`, if the word is an assignment.
pub(crate) fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let mut bytes = name.strip_suffix('+').unwrap_or(name).bytes();
    let begins = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    let is_name = begins && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then_some((name, value))
}

/// What an operator comes to.
type Operator = fn() -> Result<Token, NotPlain>;

/// The operators, a longer one before those that it begins with.
const OPERATORS: &[(&str, Operator)] = &[
    ("&>>", || Ok(Token::Output)),
    ("&>", || Ok(Token::Output)),
    ("&&", || Ok(Token::Separator(true))),
    ("&", || Ok(Token::Separator(false))),
    ("||", || Ok(Token::Separator(true))),
    ("|&", || Ok(Token::Separator(true))),
    ("|", || Ok(Token::Separator(true))),
    (";;", || Err(NotPlain::Keyword)),
    (";", || Ok(Token::Separator(false))),
    ("\n", || Ok(Token::Separator(false))),
    ("\r\n", || Ok(Token::Separator(false))),
    ("(", || Err(NotPlain::Subshell)),
    (")", || Err(NotPlain::Subshell)),
    ("<<", || Err(NotPlain::HereDocument)),
    ("<(", || Err(NotPlain::Substitution)),
    (">(", || Err(NotPlain::Substitution)),
    ("<>", || Ok(Token::Output)),
    ("<", || Ok(Token::Input)),
    (">>", || Ok(Token::Output)),
    (">|", || Ok(Token::Output)),
    (">", || Ok(Token::Output)),
];

struct Lexer<'l> {
    rest: &'l str,
}

impl Lexer<'_> {
    fn next(&mut self) -> Result<Option<Token>, NotPlain> {
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t']);
            if let Some(rest) = self.rest.strip_prefix("\\\n") {
                self.rest = rest;
            } else if self.rest.starts_with('#') {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.rest = &self.rest[end..];
            } else {
                break;
            }
        }
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && self.rest[digits..].starts_with(['<', '>']) {
            self.rest = &self.rest[digits..];
        }
        if self.rest.is_empty() {
            return Ok(None);
        }
        if let Some(token) = self.duplicate() {
            return Ok(Some(token));
        }
        for (text, token) in OPERATORS {
            if let Some(rest) = self.rest.strip_prefix(text) {
                self.rest = rest;
                return token().map(Some);
            }
        }
        self.word().map(Some)
    }

    /// `>&1`, `<&0`, `>&-`. Any other word after `>&` is a file.
    fn duplicate(&mut self) -> Option<Token> {
        let rest = self.rest.strip_prefix(">&").or_else(|| self.rest.strip_prefix("<&"))?;
        let length = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'-').count();
        let ends = rest[length..].chars().next().is_none_or(|c| " \t\n;|&<>)".contains(c));
        if length > 0 && ends {
            self.rest = &rest[length..];
            return Some(Token::Duplicate);
        }
        self.rest = rest;
        Some(Token::Output)
    }

    fn word(&mut self) -> Result<Token, NotPlain> {
        let mut word = ShellWord::default();
        let mut plain = usize::MAX;
        let mut characters = self.rest.char_indices();
        let mut end = self.rest.len();
        // A brace is expanded if a comma or two dots follow in the same word.
        let mut open_brace = false;
        while let Some((at, character)) = characters.next() {
            match character {
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => {
                    end = at;
                    break;
                }
                '\r' if self.rest[at..].starts_with("\r\n") => {
                    end = at;
                    break;
                }
                '$' => return Err(NotPlain::Expansion),
                '`' => return Err(NotPlain::Substitution),
                '\'' => {
                    plain = plain.min(word.text.len());
                    loop {
                        match characters.next() {
                            Some((_, '\'')) => break,
                            Some((_, inner)) => word.text.push(inner),
                            None => return Err(NotPlain::Quote),
                        }
                    }
                }
                '"' => {
                    plain = plain.min(word.text.len());
                    double_quoted(&mut characters, &mut word.text)?;
                }
                '\\' => match characters.next() {
                    Some((_, '\n')) => {}
                    Some((_, escaped)) => {
                        plain = plain.min(word.text.len());
                        word.text.push(escaped);
                    }
                    None => return Err(NotPlain::Quote),
                },
                '*' | '?' | '[' => {
                    word.is_glob = true;
                    word.may_be_option |= word.text.is_empty() || word.text.starts_with('-');
                    word.text.push(character);
                }
                '{' => {
                    open_brace = !self.rest[at..].starts_with("{}");
                    word.text.push(character);
                }
                ',' | '.' if open_brace => return Err(NotPlain::Braces),
                '\0'..='\u{1f}' | '\u{7f}' => return Err(NotPlain::Control),
                _ => word.text.push(character),
            }
        }
        self.rest = &self.rest[end..];
        // A lone bracket is the name of a command, `[`, or its last argument.
        if word.text == "[" {
            (word.is_glob, word.may_be_option) = (false, false);
        }
        Ok(Token::Word(word, plain))
    }
}

fn double_quoted(
    characters: &mut std::str::CharIndices<'_>,
    text: &mut String,
) -> Result<(), NotPlain> {
    loop {
        match characters.next() {
            Some((_, '"')) => return Ok(()),
            Some((_, '$')) => return Err(NotPlain::Expansion),
            Some((_, '`')) => return Err(NotPlain::Substitution),
            Some((_, '\\')) => match characters.next() {
                Some((_, '\n')) => {}
                Some((_, escaped @ ('"' | '\\' | '$' | '`'))) => text.push(escaped),
                Some((_, other)) => text.extend(['\\', other]),
                None => return Err(NotPlain::Quote),
            },
            Some((_, inner)) => text.push(inner),
            None => return Err(NotPlain::Quote),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<Vec<String>> {
        let commands = parse(line).expect("a plain line");
        let texts = |simple: Simple| simple.words.into_iter().map(|word| word.text).collect();
        commands.into_iter().map(texts).collect()
    }

    #[test]
    fn quotes_and_lists() {
        assert_eq!(words("a 'b c' \"d\\\"e\" f\\ g"), [["a", "b c", "d\"e", "f g"]]);
        assert_eq!(
            words("a && b || c; d | e\nf & g"),
            [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]
        );
        assert_eq!(words("a # b > c"), [["a"]]);
        assert_eq!(words("a &&\nb"), [["a"], ["b"]]);
        assert_eq!(words("a \\\n b"), [["a", "b"]]);
        assert!(words("  \n").is_empty());
    }

    #[test]
    fn redirects_write_unless_they_go_nowhere() {
        let target = |line: &str| parse(line).expect("a plain line").remove(0).writes_to;
        for line in ["a > x", "a>>x", "a 2> x", "a &> x", "a >| x", "a <> x", "a >& x", "> x"] {
            assert_eq!(target(line).as_deref(), Some("x"), "{line}");
        }
        for line in [
            "a > /dev/null",
            "a >/dev/stderr",
            "a 2>&1",
            "a >&2",
            "a 2>/dev/null",
            "a < x",
            "a 2>&-",
        ] {
            assert_eq!(target(line), None, "{line}");
        }
        assert_eq!(target("a >&1x").as_deref(), Some("1x"));
    }

    #[test]
    fn assignments_stand_before_the_program() {
        let command = parse("A=1 B='2 3' git log C=4").expect("a plain line").remove(0);
        assert_eq!(command.assignments.len(), 2);
        assert_eq!(command.words.len(), 3);
    }

    #[test]
    fn what_only_a_shell_understands_is_refused() {
        for (line, why) in [
            ("a $b", NotPlain::Expansion),
            ("a \"$b\"", NotPlain::Expansion),
            ("a `b`", NotPlain::Substitution),
            ("a <(b)", NotPlain::Substitution),
            ("(a)", NotPlain::Subshell),
            ("f() { a; }", NotPlain::Subshell),
            ("if a; then b; fi", NotPlain::Keyword),
            ("! a", NotPlain::Keyword),
            ("{ a; }", NotPlain::Keyword),
            ("a <<E\nb\nE", NotPlain::HereDocument),
            ("a {b,c}", NotPlain::Braces),
            ("a 'b", NotPlain::Quote),
            ("a >", NotPlain::Redirect),
            ("a &&", NotPlain::Operator),
            ("| a", NotPlain::Operator),
            ("a\u{7}", NotPlain::Control),
        ] {
            assert_eq!(parse(line).err(), Some(why), "{line}");
        }
        assert_eq!(words("find -exec a {} ;"), [["find", "-exec", "a", "{}"]]);
    }

    #[test]
    fn file_name_patterns_are_marked() {
        let command = parse("a *.c src/*.c '*' -x*").expect("a plain line").remove(0);
        let marks: Vec<_> =
            command.words.iter().map(|word| (word.is_glob, word.may_be_option)).collect();
        let expected = [(false, false), (true, true), (true, false), (false, false), (true, true)];
        assert_eq!(marks, expected);
    }
}
