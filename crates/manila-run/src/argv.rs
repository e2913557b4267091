//! The arguments of a call: as text, with an option added or removed.

use std::ffi::OsString;

/// The arguments as text; nothing if one of them is not UTF-8.
pub(crate) fn of(argv: &[OsString]) -> Option<Vec<String>> {
    argv.iter().map(|word| word.to_str().map(str::to_owned)).collect()
}

pub(crate) fn into(argv: Vec<String>) -> Vec<OsString> {
    argv.into_iter().map(OsString::from).collect()
}

/// The arguments with the value of an option, in place of the one it has if it has one.
///
/// It goes before `--`: after it, a program would silently take it for something else.
pub(crate) fn with_option(mut argv: Vec<OsString>, option: &str, value: &str) -> Vec<OsString> {
    let end = argv.iter().position(|word| word == "--").unwrap_or(argv.len());
    let at = argv[..end].iter().position(|word| word == option);
    let joined = format!("{option}=");
    if let Some(at) = at.filter(|at| at + 1 < end) {
        if value.starts_with('-') {
            argv.splice(at..at + 2, [format!("{joined}{value}").into()]);
        } else {
            argv[at + 1] = value.into();
        }
        return argv;
    }
    let is_joined = |word: &OsString| word.to_str().is_some_and(|word| word.starts_with(&joined));
    if let Some(word) = argv[..end].iter_mut().find(|word| is_joined(word)) {
        *word = format!("{joined}{value}").into();
        return argv;
    }
    if value.starts_with('-') {
        // As a separate argument it could be an option, and it comes from an untrusted source.
        argv.insert(end, format!("{joined}{value}").into());
    } else {
        argv.splice(end..end, [option.into(), value.into()]);
    }
    argv
}

/// The arguments without an option and its value.
pub(crate) fn without_option(mut argv: Vec<OsString>, option: &str) -> Vec<OsString> {
    let end = argv.iter().position(|word| word == "--").unwrap_or(argv.len());
    let is_it = |word: &OsString| word.to_str().is_some_and(|word| is_option(word, option));
    if let Some(at) = argv[..end].iter().position(is_it) {
        let width = if argv[at] == option && at + 1 < end { 2 } else { 1 };
        argv.drain(at..at + width);
    }
    argv
}

/// Whether a word is this option, with or without a value.
pub(crate) fn is_option(word: &str, option: &str) -> bool {
    word.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
}

/// Whether a name is that of the program that was called: the same, or the last part of its path.
pub(crate) fn is_same(called: &str, named: &str) -> bool {
    called == named || called.rsplit('/').next() == Some(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(line: &str) -> String {
        let argv = line.split(' ').map(OsString::from).collect();
        of(&with_option(argv, "--cursor", "c2")).unwrap().join(" ")
    }

    #[test]
    fn an_option_is_put_in_once() {
        assert_eq!(with("t ls"), "t ls --cursor c2");
        assert_eq!(with("t ls --cursor c1 -v"), "t ls --cursor c2 -v");
        assert_eq!(with("t ls --cursor=c1"), "t ls --cursor=c2");
        assert_eq!(with("t ls -- --cursor x"), "t ls --cursor c2 -- --cursor x");
    }

    #[test]
    fn an_option_is_itself_with_or_without_a_value() {
        assert!(is_option("--force", "--force") && is_option("--force=1", "--force"));
        assert!(!is_option("--forced", "--force"));
    }
}
