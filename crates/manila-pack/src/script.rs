//! Scripts of `sed` and `awk` on a command line: whether they do more than print.
//!
//! A script that is not understood is not pure.

use std::iter::Peekable;
use std::str::Chars;

/// Whether a script of `sed` neither writes to a file nor starts a program.
pub(crate) fn sed_is_pure(script: &str) -> bool {
    let mut text = script.chars().peekable();
    loop {
        while text.next_if(|c| c.is_whitespace() || matches!(c, ';' | '{' | '}')).is_some() {}
        if text.peek().is_none() {
            return true;
        }
        if addresses(&mut text).is_none() || command(&mut text).is_none() {
            return false;
        }
    }
}

type Rest<'s> = Peekable<Chars<'s>>;

/// Skips what comes before a command; `None` if it is not understood.
fn addresses(text: &mut Rest<'_>) -> Option<()> {
    loop {
        match text.peek()? {
            '0'..='9' | '$' | ',' | '+' | '~' | '!' | ' ' | '\t' => {
                text.next();
            }
            '/' => {
                text.next();
                delimited(text, '/')?;
                while text.next_if(|c| matches!(c, 'I' | 'M')).is_some() {}
            }
            '\\' => {
                text.next();
                let delimiter = text.next()?;
                delimited(text, delimiter)?;
                while text.next_if(|c| matches!(c, 'I' | 'M')).is_some() {}
            }
            _ => return Some(()),
        }
    }
}

/// Skips a text up to its delimiter. Where a bracket expression contains the delimiter, versions of
/// `sed` disagree about its end.
fn delimited(text: &mut Rest<'_>, delimiter: char) -> Option<()> {
    if delimiter.is_alphanumeric() || matches!(delimiter, '\\' | '\n' | '[') {
        return None;
    }
    let mut in_brackets = false;
    loop {
        match text.next()? {
            '\\' => {
                text.next()?;
            }
            '\n' => return None,
            c if c == delimiter && in_brackets => return None,
            c if c == delimiter => return Some(()),
            '[' => in_brackets = true,
            ']' => in_brackets = false,
            _ => {}
        }
    }
}

/// Skips a command; `None` if it is not one that only prints.
fn command(text: &mut Rest<'_>) -> Option<()> {
    match text.next()? {
        '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | 'F' => {}
        '{' | '}' => return Some(()),
        'q' | 'Q' | 'l' | 'L' => {
            while text.next_if(|c| c.is_ascii_digit() || *c == ' ').is_some() {}
        }
        '#' | 'a' | 'i' | 'c' | 'r' | 'R' => {
            while text.next_if(|c| *c != '\n' && *c != '\\').is_some() {}
            // An escape may continue the text on the next line.
            return (text.peek() != Some(&'\\')).then_some(());
        }
        // A label ends at a blank, and GNU `sed` takes what follows it for the next command.
        ':' | 'b' | 't' | 'T' => {
            while text.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
            while text.next_if(|c| !c.is_whitespace() && !matches!(c, ';' | '}')).is_some() {}
        }
        's' => {
            let delimiter = text.next()?;
            delimited(text, delimiter)?;
            delimited(text, delimiter)?;
            let is_flag =
                |c: &char| c.is_ascii_digit() || matches!(c, 'g' | 'p' | 'i' | 'I' | 'm' | 'M');
            while text.next_if(is_flag).is_some() {}
        }
        'y' => {
            let delimiter = text.next()?;
            delimited(text, delimiter)?;
            delimited(text, delimiter)?;
        }
        _ => return None,
    }
    while text.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
    match text.peek() {
        None | Some(';' | '\n' | '}' | '#') => Some(()),
        Some(_) => None,
    }
}

/// Whether a program of `awk` neither writes to a file nor starts a program. Redirects and pipes of
/// output come after a `print`, so that any before the first are comparisons and alternations.
pub(crate) fn awk_is_pure(script: &str) -> bool {
    let starts_something = ["system", "getline", "@"].iter().any(|word| script.contains(word));
    let after_print = script.find("print").map_or("", |at| &script[at..]);
    !starts_something && !after_print.replace("||", "").contains(['>', '|'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_of_sed_that_only_print() {
        for script in [
            "1,200p",
            "$p",
            "10q",
            "/x/,/y/p",
            "s/a/b/",
            "s|a|b|g; s/c/d/2p",
            "/a/!d",
            "y/ab/cd/",
            "/a/{p;q}",
            "1~2p",
            "\\,x,d",
            "s/\\/w/x/",
            "/^$/d",
            "s/we/ew/",
            "$!N",
            "1d;$d",
            "=",
            "",
            "# a comment",
            "a hello",
            "s/[0-9]*//g",
            ":a;N;$!ba;s/x/y/",
            ": a\nN\nb a",
        ] {
            assert!(sed_is_pure(script), "{script}");
        }
    }

    #[test]
    fn scripts_of_sed_that_write_or_execute_or_are_not_understood() {
        for script in [
            "w out",
            "1,5w out",
            "s/a/b/w out",
            "s/a/b/e",
            "e date",
            "1e rm x",
            "/x/W out",
            "p;w out",
            "s/a/b/gw out",
            "{p;w out\n}",
            "s/a/b",
            "s/[/]/w x/",
            "k",
            "a x\\\nw out",
            "s/a/b/\nw out",
            "p\nw out",
            "sxaxbxw out",
            "b a w out",
            "ta w out\n:a",
            ":a w out",
        ] {
            assert!(!sed_is_pure(script), "{script}");
        }
    }

    #[test]
    fn programs_of_awk() {
        for script in
            ["{print $1}", "$3 > 5 {print}", "/a|b/", "NR==1||NR==2{print $2}", "END{print NR}"]
        {
            assert!(awk_is_pure(script), "{script}");
        }
        for script in [
            "{print > \"x\"}",
            "{print | \"sh\"}",
            "BEGIN{system(\"rm\")}",
            "{\"date\" | getline d}",
            "{printf \"a;\" >> \"x\"}",
            "@load \"x\"",
            "{print \"a;\" > \"x\"}",
        ] {
            assert!(!awk_is_pure(script), "{script}");
        }
    }
}
