//! The error type: code, exit class and suggestion of each failure.

use crate::store::Id;
use manila_clap::Failure;
use serde::Serialize;
use showcase_store::{Error as StoreError, Operation};
use std::fmt;
use std::io::ErrorKind;

#[derive(Debug, Failure)]
pub(crate) enum Error {
    /// What was named does not exist.
    #[failure(
        exit = NotFound,
        code = "not_found",
        message = "there is no {noun} '{query}'",
        suggestion = suggestion.as_str(),
        missing = query.as_str(),
        details = Asked { query }
    )]
    NotFound { noun: Noun, query: String, suggestion: String },

    /// What was named could be one of several.
    #[failure(
        exit = ArgError,
        code = "ambiguous_match",
        message = "'{query}' could be {candidates}",
        suggestion = format!("choose one of the ids {}: `{call}`", candidates.ids()),
        details = Ambiguity { query, matches: candidates.0.len(), candidates: candidates.first() }
    )]
    AmbiguousMatch { query: String, candidates: Candidates, call: String },

    /// What was passed cannot be used.
    #[failure(
        exit = ArgError,
        code = "invalid_input",
        message = message.as_str(),
        suggestion = suggestion.as_str()
    )]
    InvalidInput { message: String, suggestion: String },

    /// There is one of that name already.
    #[failure(
        exit = Conflict,
        code = "already_exists",
        message = "there is a {noun} '{name}' already: {id}",
        suggestion = "use it, or pass --idempotent to be content with it"
    )]
    AlreadyExists { noun: Noun, name: String, id: Id },

    /// The file with the tasks cannot be used.
    #[failure(
        exit = General,
        code = "storage_error",
        message = "{0}",
        suggestion = advice(_0),
        operation = _0.operation().as_str(),
        target = _0.path().display().to_string(),
        details = Place::of(_0)
    )]
    Storage(#[from] StoreError),

    /// Nothing says where the tasks are kept.
    #[failure(
        exit = Precondition,
        code = "no_data_directory",
        message = "neither TD_FILE nor XDG_DATA_HOME nor HOME says where the tasks are kept",
        suggestion = "set TD_FILE to the file to keep them in"
    )]
    NoDataDirectory,
}

impl Error {
    pub(crate) fn known(noun: Noun, name: &str, id: &Id) -> Error {
        Error::AlreadyExists { noun, name: name.to_owned(), id: id.clone() }
    }

    pub(crate) fn invalid(message: impl Into<String>, suggestion: impl Into<String>) -> Error {
        Error::InvalidInput { message: message.into(), suggestion: suggestion.into() }
    }
}

/// What sort of thing was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Noun {
    OpenTask,
    CompletedTask,
    Project,
    Section,
    Label,
}

impl fmt::Display for Noun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Noun::OpenTask => "open task",
            Noun::CompletedTask => "completed task",
            Noun::Project => "project",
            Noun::Section => "section",
            Noun::Label => "label",
        })
    }
}

/// One of several things that a name could mean.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Candidate {
    pub(crate) id: Id,
    pub(crate) content: String,
}

/// All of them. Only the first are listed, because there may be thousands.
#[derive(Debug)]
pub(crate) struct Candidates(pub(crate) Vec<Candidate>);

impl Candidates {
    const LISTED: usize = 10;

    fn first(&self) -> &[Candidate] {
        &self.0[..self.0.len().min(Candidates::LISTED)]
    }

    /// The ids of the first. None of them is recommended: the call may destroy what it names.
    fn ids(&self) -> String {
        self.first().iter().map(|one| one.id.to_string()).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Candidates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, Candidate { id, content }) in self.first().iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}'{content}' ({id})")?;
        }
        match self.0.len().saturating_sub(Candidates::LISTED) {
            0 => Ok(()),
            more => write!(f, " or one of {more} more"),
        }
    }
}

#[derive(Serialize)]
struct Asked<'t> {
    query: &'t str,
}

#[derive(Serialize)]
struct Ambiguity<'t> {
    query: &'t str,
    matches: usize,
    candidates: &'t [Candidate],
}

#[derive(Serialize)]
struct Place {
    operation: &'static str,
    path: String,
}

impl Place {
    fn of(error: &StoreError) -> Place {
        let path = error.path().display().to_string();
        Place { operation: error.operation().as_str(), path }
    }
}

fn advice(error: &StoreError) -> &'static str {
    match (error.operation(), error.kind()) {
        (Operation::Parse, _) => "repair the file or move it away; nothing was changed",
        (_, ErrorKind::FileTooLarge) => "move the file away; nothing was changed",
        (_, ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => {
            "make room on the disk and call again; nothing was changed"
        }
        (_, ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
            "get the right to use it, or set TD_FILE to another file"
        }
        _ => "set TD_FILE to a file that can be read and written",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_candidates_are_reported_in_part() {
        let candidate =
            |number| Candidate { id: Id(format!("{number}")), content: format!("task {number}") };
        let few = Candidates((1..=2).map(candidate).collect());
        assert_eq!(few.to_string(), "'task 1' (1), 'task 2' (2)");
        let many = Candidates((1..=5000).map(candidate).collect());
        assert!(many.to_string().ends_with("'task 10' (10) or one of 4990 more"), "{many}");
        assert_eq!(many.first().len(), 10);
    }
}
