//! What is in a folder that anybody may put files in.

use showcase_store::{Error, Operation};
use std::fs;
use std::io;
use std::path::Path;

/// The names in a folder that end like this, in their order; none if there is no such folder. Hidden
/// ones are left out: they are somebody's work in progress.
pub(crate) fn names(folder: &Path, ending: &str) -> Result<Vec<String>, Error> {
    let failed = |error| Error::new(Operation::Read, folder, error);
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(failed)?.file_name();
        names.extend(
            name.to_str()
                .filter(|name| !name.starts_with('.'))
                .and_then(|name| name.strip_suffix(ending))
                .map(str::to_owned),
        );
    }
    names.sort_unstable();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_hidden_ones_left_out() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.md", "a.md", ".c.md", "d.txt"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(names(folder.path(), ".md").unwrap(), ["a", "b"]);
        assert_eq!(names(&folder.path().join("none"), ".md").unwrap(), Vec::<String>::new());
    }
}
