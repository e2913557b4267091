//! All that is kept: what is in the file, and what must be true of it.

mod id;

pub(crate) use id::{INBOX, Id};

use crate::due::Due;
use crate::priority::Priority;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

// A field that this program does not know would be lost with the next change, so it is refused.

/// Something to be done.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Task {
    pub(crate) id: Id,
    pub(crate) content: String,
    pub(crate) description: String,
    pub(crate) project_id: Id,
    pub(crate) section_id: Option<Id>,
    pub(crate) labels: Vec<String>,
    /// 4 is urgent, 1 is not
    pub(crate) priority: Priority,
    pub(crate) due: Option<Due>,
    /// Grows with every task that is added
    pub(crate) order: u32,
    #[schemars(with = "Option<String>")]
    pub(crate) completed_at: Option<Timestamp>,
    #[schemars(with = "String")]
    pub(crate) created_at: Timestamp,
    #[schemars(with = "String")]
    pub(crate) updated_at: Timestamp,
}

impl Task {
    pub(crate) fn is_open(&self) -> bool {
        self.completed_at.is_none()
    }
}

/// What tasks are part of, each of one.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Project {
    pub(crate) id: Id,
    pub(crate) name: String,
    pub(crate) order: u32,
    /// Null for the inbox, which was always there
    #[schemars(with = "Option<String>")]
    pub(crate) created_at: Option<Timestamp>,
}

impl Project {
    pub(crate) fn is_inbox(&self) -> bool {
        self.id.0 == INBOX
    }
}

/// A part of a project.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Section {
    pub(crate) id: Id,
    pub(crate) name: String,
    pub(crate) project_id: Id,
    pub(crate) order: u32,
}

/// What tasks of any project can have in common.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Label {
    pub(crate) id: Id,
    pub(crate) name: String,
    pub(crate) order: u32,
}

/// What somebody said about a task.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Comment {
    pub(crate) id: Id,
    pub(crate) content: String,
    #[schemars(with = "String")]
    pub(crate) posted_at: Timestamp,
    pub(crate) task_id: Id,
}

/// All that is kept, in the order in which it was added.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Book {
    /// How many ids were given.
    given: u32,
    pub(crate) projects: Vec<Project>,
    pub(crate) sections: Vec<Section>,
    pub(crate) labels: Vec<Label>,
    pub(crate) tasks: Vec<Task>,
    pub(crate) comments: Vec<Comment>,
}

impl Default for Book {
    fn default() -> Book {
        let inbox =
            Project { id: Id::inbox(), name: "Inbox".to_owned(), order: 0, created_at: None };
        Book {
            given: 0,
            projects: vec![inbox],
            sections: Vec::new(),
            labels: Vec::new(),
            tasks: Vec::new(),
            comments: Vec::new(),
        }
    }
}

impl Book {
    /// An id that nothing has or had, and its place in the row.
    pub(crate) fn give_id(&mut self) -> (Id, u32) {
        let taken: HashSet<&Id> = self.ids().collect();
        let mut number = self.given;
        let id = loop {
            number = number.wrapping_add(1);
            let id = Id::nth(number);
            if !taken.contains(&id) {
                break id;
            }
        };
        self.given = number;
        (id, number)
    }

    fn ids(&self) -> impl Iterator<Item = &Id> {
        let projects = self.projects.iter().map(|project| &project.id);
        let sections = self.sections.iter().map(|section| &section.id);
        let labels = self.labels.iter().map(|label| &label.id);
        let tasks = self.tasks.iter().map(|task| &task.id);
        let comments = self.comments.iter().map(|comment| &comment.id);
        projects.chain(sections).chain(labels).chain(tasks).chain(comments)
    }

    /// The name of a project that is there.
    pub(crate) fn project_name(&self, id: &Id) -> &str {
        let project = self.projects.iter().find(|project| project.id == *id);
        project.map(|project| project.name.as_str()).unwrap_or_default()
    }

    /// Deletes the tasks that fit, and their comments; how many they were.
    pub(crate) fn delete_tasks(&mut self, fits: impl Fn(&Task) -> bool) -> usize {
        let before = self.tasks.len();
        self.tasks.retain(|task| !fits(task));
        let left: HashSet<&Id> = self.tasks.iter().map(|task| &task.id).collect();
        self.comments.retain(|comment| left.contains(&comment.task_id));
        before - self.tasks.len()
    }

    /// What is wrong with it, if somebody else wrote it: everything else relies on this.
    pub(crate) fn flaw(&self) -> Option<String> {
        let mut ids = HashSet::new();
        if let Some(id) = self.ids().find(|id| !ids.insert(*id)) {
            return Some(format!("two things have the id '{id}'"));
        }
        let projects: HashSet<&Id> = self.projects.iter().map(|project| &project.id).collect();
        if !projects.contains(&Id::inbox()) {
            return Some("there is no inbox".to_owned());
        }
        let sections: HashSet<(&Id, &Id)> =
            self.sections.iter().map(|section| (&section.project_id, &section.id)).collect();
        if let Some((project, section)) = sections.iter().find(|(it, _)| !projects.contains(it)) {
            return Some(format!(
                "section '{section}' is in project '{project}', which is not there"
            ));
        }
        let labels: HashSet<&str> = self.labels.iter().map(|label| label.name.as_str()).collect();
        let is_astray = |task: &&Task| {
            let is_in = |section: &Id| sections.contains(&(&task.project_id, section));
            !projects.contains(&task.project_id)
                || task.section_id.as_ref().is_some_and(|section| !is_in(section))
                || task.labels.iter().any(|label| !labels.contains(label.as_str()))
        };
        if let Some(task) = self.tasks.iter().find(is_astray) {
            let id = &task.id;
            return Some(format!("task '{id}' has a project, section or label that is not there"));
        }
        let tasks: HashSet<&Id> = self.tasks.iter().map(|task| &task.id).collect();
        let lost = self.comments.iter().find(|comment| !tasks.contains(&comment.task_id))?;
        Some(format!("comment '{}' is on task '{}', which is not there", lost.id, lost.task_id))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A book with open tasks of these contents, in the inbox.
    pub(crate) fn book_of(contents: &[&str]) -> Book {
        let mut book = Book::default();
        for content in contents {
            let (id, order) = book.give_id();
            book.tasks.push(Task {
                id,
                content: (*content).to_owned(),
                description: String::new(),
                project_id: Id::inbox(),
                section_id: None,
                labels: Vec::new(),
                priority: Priority::default(),
                due: None,
                order,
                completed_at: None,
                created_at: Timestamp::UNIX_EPOCH,
                updated_at: Timestamp::UNIX_EPOCH,
            });
        }
        book
    }

    fn comment_on(task_id: Id, id: Id) -> Comment {
        Comment { id, content: "Yes".to_owned(), posted_at: Timestamp::UNIX_EPOCH, task_id }
    }

    #[test]
    fn ids_are_given_once_whatever_the_file_says() {
        let mut book = book_of(&["a", "b", "c"]);
        book.given = 0;
        let (id, order) = book.give_id();
        assert_eq!((id, order), (Id::nth(4), 4));
        book.given = u32::MAX;
        assert_eq!(book.give_id().0, Id::nth(0));
    }

    #[test]
    fn comments_go_with_their_task() {
        let mut book = book_of(&["a", "b"]);
        for task in 0..2 {
            let (id, _) = book.give_id();
            book.comments.push(comment_on(book.tasks[task].id.clone(), id));
        }
        let first = book.tasks[0].id.clone();
        assert_eq!(book.delete_tasks(|task| task.id == first), 1);
        assert_eq!((book.tasks.len(), book.comments.len()), (1, 1));
        assert_eq!(book.flaw(), None);
    }

    #[test]
    fn every_flaw_is_found() {
        type Break = fn(&mut Book);
        let breaks: [(Break, &str); 7] = [
            (|book| book.tasks[1].id = book.tasks[0].id.clone(), "two things have the id"),
            (|book| book.projects.clear(), "no inbox"),
            (|book| book.tasks[0].project_id = Id::nth(99), "is not there"),
            (|book| book.tasks[0].section_id = Some(Id::nth(99)), "is not there"),
            (|book| book.tasks[0].labels.push("x".to_owned()), "is not there"),
            (
                |book| {
                    let (id, order) = book.give_id();
                    let project_id = Id::nth(99);
                    book.sections.push(Section { id, name: String::new(), project_id, order });
                },
                "is not there",
            ),
            (|book| book.comments.push(comment_on(Id::nth(99), Id::nth(98))), "is not there"),
        ];
        assert_eq!(book_of(&["a", "b"]).flaw(), None);
        for (harm, told) in breaks {
            let mut book = book_of(&["a", "b"]);
            harm(&mut book);
            let flaw = book.flaw().unwrap_or_default();
            assert!(flaw.contains(told), "{flaw:?} should say {told:?}");
        }
    }
}
