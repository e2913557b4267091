//! Where commands and tools work: below the current folder, and for as long as they may.

use crate::trouble::Trouble;
use crate::watch::Watch;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The current folder, and the watch over what is done in it.
pub(crate) struct Site<'c> {
    /// Without links, so that what is below it can be told from what is not.
    root: PathBuf,
    pub(crate) watch: Watch<'c>,
}

/// What came of a piece of work.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Work {
    /// What happened, in a few words.
    pub(crate) message: String,
    /// What there is to read, if anything.
    pub(crate) output: Option<String>,
}

impl Work {
    /// It is done, and there is nothing to read.
    pub(crate) fn done(message: impl Into<String>) -> Work {
        Work { message: message.into(), output: None }
    }
}

impl<'c> Site<'c> {
    /// The current folder.
    pub(crate) fn here(watch: Watch<'c>) -> Result<Site<'c>, Trouble> {
        let dot = Path::new(".");
        let root = fs::canonicalize(dot).map_err(|error| Trouble::system("open", dot, &error))?;
        Ok(Site { root, watch })
    }

    /// The folder, without links.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Something that exists below the folder, wherever links lead.
    pub(crate) fn existing(&self, word: &str) -> Result<PathBuf, Trouble> {
        let path = inner(word)?;
        let real = self.root.join(&path);
        let real =
            fs::canonicalize(real).map_err(|error| Trouble::system("open", &path, &error))?;
        if real.starts_with(&self.root) { Ok(real) } else { Err(outside(word)) }
    }

    /// Something that is to be made below the folder: a place in a folder that exists.
    pub(crate) fn free(&self, word: &str) -> Result<PathBuf, Trouble> {
        let path = inner(word)?;
        let place = self.root.join(&path);
        let parent = place.parent().unwrap_or(&self.root);
        let parent =
            fs::canonicalize(parent).map_err(|error| Trouble::system("create", &path, &error))?;
        let name = place.file_name().ok_or_else(|| outside(word))?;
        if parent.starts_with(&self.root) { Ok(parent.join(name)) } else { Err(outside(word)) }
    }
}

/// The last word of a prompt such as `create src/util/`, which names what it is about.
pub(crate) fn object(prompt: &str) -> Result<String, Trouble> {
    words(prompt)?.pop().ok_or_else(|| Trouble::Usage {
        target: prompt.to_owned(),
        message: "the prompt names nothing".to_owned(),
        hint: "end it with a path below the current folder".to_owned(),
    })
}

/// The words of a prompt; quotes hold one together.
pub(crate) fn words(text: &str) -> Result<Vec<String>, Trouble> {
    shlex::split(text).ok_or_else(|| Trouble::Usage {
        target: text.to_owned(),
        message: "a quote is not closed".to_owned(),
        hint: "close it, or put a backslash before it".to_owned(),
    })
}

/// A path that by its words alone stays below the folder.
fn inner(word: &str) -> Result<PathBuf, Trouble> {
    let path = Path::new(word);
    let stays = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if path.components().all(stays) { Ok(path.to_owned()) } else { Err(outside(word)) }
}

fn outside(word: &str) -> Trouble {
    Trouble::Policy {
        operation: "resolve_path",
        target: word.to_owned(),
        message: format!("'{word}' is not below the current folder"),
        hint: "name something below the current folder, without '..'".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_is_the_last_word() {
        assert_eq!(object("create src/util/").unwrap(), "src/util/");
        assert_eq!(object("'a folder'").unwrap(), "a folder");
        assert!(matches!(object("  "), Err(Trouble::Usage { .. })));
        assert!(matches!(object("create 'x"), Err(Trouble::Usage { .. })));
    }

    #[test]
    fn words_alone_cannot_lead_out() {
        for bad in ["/etc", "..", "a/../../b", "../x"] {
            assert!(matches!(inner(bad), Err(Trouble::Policy { .. })), "{bad}");
        }
        assert!(inner("a/./b").is_ok());
    }
}
