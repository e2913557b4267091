//! Which program a word names.

/// The directories in which a program is the one its name says. Anything else may be another program
/// of the same name.
const USUAL: &[&str] = &[
    "/bin",
    "/sbin",
    "/usr/bin",
    "/usr/sbin",
    "/usr/local/bin",
    "/usr/local/sbin",
    "/opt/homebrew/bin",
    "/opt/local/bin",
    "/home/linuxbrew/.linuxbrew/bin",
    "/run/current-system/sw/bin",
    "/snap/bin",
];

/// The name of the program that a word calls, or why it is not known.
pub(crate) fn name(word: &str) -> Result<&str, String> {
    let name = match word.rsplit_once('/') {
        None => word,
        Some((directory, name)) if USUAL.contains(&directory) => name,
        Some(_) => return Err(format!("{word} may be another program of that name")),
    };
    let name = name.strip_suffix(".exe").unwrap_or(name);
    if name.is_empty() || name == "." || name == ".." {
        return Err(format!("{word:?} names no program"));
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_usual_directories_are_trusted() {
        assert_eq!(name("git"), Ok("git"));
        assert_eq!(name("/usr/bin/git"), Ok("git"));
        assert_eq!(name("git.exe"), Ok("git"));
        for word in ["./git", "bin/git", "/tmp/git", "/usr/bin/../../tmp/git", "", "/usr/bin/"] {
            assert!(name(word).is_err(), "{word}");
        }
    }
}
