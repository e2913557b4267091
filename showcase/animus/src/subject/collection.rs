//! All subjects of a project, and what may be done to them.

use super::{Id, Key, Kind, Priority, Status, Subject, TransitionError};
use jiff::Timestamp;
use manila_clap::{Effect, Failure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// All subjects, in the order in which they were created.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Subjects {
    subjects: Vec<Subject>,
}

/// A subject that is not yet one.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) kind: Kind,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) priority: Priority,
}

/// Whether two subjects of a kind may have the same title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Duplicates {
    Refused,
    Allowed,
}

/// Why a subject cannot be found or created.
#[derive(Debug, Failure)]
pub(crate) enum SubjectError {
    /// Resource does not exist
    #[failure(
        exit = NotFound,
        code = "not_found",
        message = "{kind} not found: {key}",
        suggestion = format!("`animus subject list --kind {kind}` has those that exist"),
        missing = key.as_str()
    )]
    NotFound { kind: Kind, key: String },

    /// Bad arguments or values
    #[failure(
        exit = ArgError,
        code = "invalid_input",
        message = "--kind {kind} contradicts --id {id}",
        suggestion = format!("leave out --kind, or say --kind {}", id.kind)
    )]
    AnotherKind { kind: Kind, id: Id },

    /// State conflict
    #[failure(
        exit = Conflict,
        code = "conflict",
        message = "{existing} has the title {title:?} already",
        suggestion = format!(
            "see `animus subject get --id {}:{existing}`, or pass --allow-duplicate",
            existing.kind
        ),
        details = BTreeMap::from([("id", existing)])
    )]
    Duplicate { existing: Key, title: String },

    /// Unclassified or unexpected error
    #[failure(
        exit = General,
        code = "internal",
        message = "{last} has the last number there is",
        suggestion = "give the subjects lower numbers in the file"
    )]
    NoNumberLeft { last: Key },

    #[failure(transparent)]
    Transition(#[from] TransitionError),
}

impl Subjects {
    /// Them, in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Subject> {
        self.subjects.iter()
    }

    /// The subject that is meant.
    pub(crate) fn get(&self, id: &Id) -> Result<&Subject, SubjectError> {
        self.subjects.iter().find(|subject| is_meant(id, subject.id)).ok_or_else(|| missing(id))
    }

    /// Adds a subject under the next name of its kind.
    pub(crate) fn create(
        &mut self,
        draft: Draft,
        duplicates: Duplicates,
        now: Timestamp,
    ) -> Result<Subject, SubjectError> {
        let Draft { kind, title, description, priority } = draft;
        let alike = self.subjects.iter().filter(|subject| subject.id.kind == kind);
        if duplicates == Duplicates::Refused
            && let Some(twin) = alike.clone().find(|subject| subject.title == title)
        {
            return Err(SubjectError::Duplicate { existing: twin.id, title });
        }
        let last = alike.map(|subject| subject.id).max_by_key(|id| id.number);
        let number = match last {
            None => 1,
            Some(last) => last.number.checked_add(1).ok_or(SubjectError::NoNumberLeft { last })?,
        };
        let subject = Subject {
            id: Key { kind, number },
            title,
            status: Status::Backlog,
            priority,
            description,
            created_at: now,
            updated_at: now,
        };
        self.subjects.push(subject.clone());
        Ok(subject)
    }

    /// Moves a subject to a status; what that changed.
    pub(crate) fn set_status(
        &mut self,
        id: &Id,
        to: Status,
        now: Timestamp,
    ) -> Result<Effect, SubjectError> {
        let subject = self.subjects.iter_mut().find(|subject| is_meant(id, subject.id));
        let subject = subject.ok_or_else(|| missing(id))?;
        if subject.status == to {
            return Ok(Effect::Noop);
        }
        subject.status.check_move(to, subject.id)?;
        subject.status = to;
        subject.updated_at = now;
        Ok(Effect::Updated)
    }
}

fn is_meant(id: &Id, key: Key) -> bool {
    key.kind == id.kind && key.to_string() == id.key
}

fn missing(id: &Id) -> SubjectError {
    SubjectError::NotFound { kind: id.kind, key: id.key.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(kind: Kind, title: &str) -> Draft {
        let (title, description) = (title.to_owned(), String::new());
        Draft { kind, title, description, priority: Priority::Medium }
    }

    fn create(subjects: &mut Subjects, kind: Kind, title: &str) -> Result<String, SubjectError> {
        let created =
            subjects.create(draft(kind, title), Duplicates::Refused, Timestamp::UNIX_EPOCH);
        created.map(|subject| subject.id.to_string())
    }

    #[test]
    fn each_kind_counts_for_itself() {
        let mut subjects = Subjects::default();
        assert_eq!(create(&mut subjects, Kind::Task, "a").unwrap(), "TASK-001");
        assert_eq!(create(&mut subjects, Kind::Requirement, "a").unwrap(), "REQ-001");
        assert_eq!(create(&mut subjects, Kind::Task, "b").unwrap(), "TASK-002");
    }

    #[test]
    fn a_number_is_never_used_again() {
        let mut subjects = Subjects::default();
        for title in ["a", "b", "c"] {
            create(&mut subjects, Kind::Task, title).unwrap();
        }
        subjects.subjects.swap(0, 2);
        subjects.subjects.remove(1);
        assert_eq!(create(&mut subjects, Kind::Task, "d").unwrap(), "TASK-004");
    }

    #[test]
    fn the_last_number_has_no_next() {
        let mut subjects = Subjects::default();
        create(&mut subjects, Kind::Task, "a").unwrap();
        subjects.subjects[0].id.number = u32::MAX;
        let error = create(&mut subjects, Kind::Task, "b").unwrap_err();
        assert!(matches!(error, SubjectError::NoNumberLeft { .. }));
    }

    #[test]
    fn a_title_is_taken_once_unless_it_need_not_be() {
        let mut subjects = Subjects::default();
        create(&mut subjects, Kind::Task, "a").unwrap();
        let error = create(&mut subjects, Kind::Task, "a").unwrap_err();
        assert_eq!(error.to_string(), "TASK-001 has the title \"a\" already");
        let again = draft(Kind::Task, "a");
        let now = Timestamp::UNIX_EPOCH;
        assert!(subjects.create(again, Duplicates::Allowed, now).is_ok());
    }

    #[test]
    fn a_key_of_another_kind_is_not_found() {
        let mut subjects = Subjects::default();
        create(&mut subjects, Kind::Requirement, "a").unwrap();
        assert!(subjects.get(&"requirement:REQ-001".parse().unwrap()).is_ok());
        assert!(subjects.get(&"task:REQ-001".parse().unwrap()).is_err());
    }

    #[test]
    fn a_move_that_is_refused_changes_nothing() {
        let mut subjects = Subjects::default();
        create(&mut subjects, Kind::Task, "a").unwrap();
        let id: Id = "task:TASK-001".parse().unwrap();
        let later = Timestamp::MAX;
        assert!(subjects.set_status(&id, Status::Done, later).is_err());
        assert_eq!(subjects.set_status(&id, Status::Backlog, later).unwrap(), Effect::Noop);
        let subject = subjects.get(&id).unwrap();
        assert_eq!((subject.status, subject.updated_at), (Status::Backlog, Timestamp::UNIX_EPOCH));
        assert_eq!(subjects.set_status(&id, Status::InProgress, later).unwrap(), Effect::Updated);
        assert_eq!(subjects.get(&id).unwrap().updated_at, later);
    }
}
