//! The store: the content of the file, and its invariants.

mod id;

pub(crate) use id::{INBOX, Id};

use crate::due::Due;
use crate::priority::Priority;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

// A field that this program does not know would be lost with the next change, so it is refused.

/// A task.
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

/// A project; each task belongs to one.
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

/// A label for tasks of any project.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Label {
    pub(crate) id: Id,
    pub(crate) name: String,
    pub(crate) order: u32,
}

/// A remark on a task.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Comment {
    pub(crate) id: Id,
    pub(crate) content: String,
    #[schemars(with = "String")]
    pub(crate) posted_at: Timestamp,
    pub(crate) task_id: Id,
}

/// The content of the file, in the order in which it was added.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Store {
    /// How many ids were given.
    given: u32,
    pub(crate) projects: Vec<Project>,
    pub(crate) sections: Vec<Section>,
    pub(crate) labels: Vec<Label>,
    pub(crate) tasks: Vec<Task>,
    pub(crate) comments: Vec<Comment>,
}

impl Default for Store {
    fn default() -> Store {
        let inbox =
            Project { id: Id::inbox(), name: "Inbox".to_owned(), order: 0, created_at: None };
        Store {
            given: 0,
            projects: vec![inbox],
            sections: Vec::new(),
            labels: Vec::new(),
            tasks: Vec::new(),
            comments: Vec::new(),
        }
    }
}

impl Store {
    /// A fresh id and its position.
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

    /// What is wrong with a store that another program wrote; all other code relies on this check.
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

    /// A store with open tasks of these contents, in the inbox.
    pub(crate) fn store_of(contents: &[&str]) -> Store {
        let mut store = Store::default();
        for content in contents {
            let (id, order) = store.give_id();
            store.tasks.push(Task {
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
        store
    }

    fn comment_on(task_id: Id, id: Id) -> Comment {
        Comment { id, content: "Yes".to_owned(), posted_at: Timestamp::UNIX_EPOCH, task_id }
    }

    #[test]
    fn ids_are_given_once_whatever_the_file_says() {
        let mut store = store_of(&["a", "b", "c"]);
        store.given = 0;
        let (id, order) = store.give_id();
        assert_eq!((id, order), (Id::nth(4), 4));
        store.given = u32::MAX;
        assert_eq!(store.give_id().0, Id::nth(0));
    }

    #[test]
    fn comments_go_with_their_task() {
        let mut store = store_of(&["a", "b"]);
        for task in 0..2 {
            let (id, _) = store.give_id();
            store.comments.push(comment_on(store.tasks[task].id.clone(), id));
        }
        let first = store.tasks[0].id.clone();
        assert_eq!(store.delete_tasks(|task| task.id == first), 1);
        assert_eq!((store.tasks.len(), store.comments.len()), (1, 1));
        assert_eq!(store.flaw(), None);
    }

    #[test]
    fn every_flaw_is_found() {
        type Break = fn(&mut Store);
        let breaks: [(Break, &str); 7] = [
            (|store| store.tasks[1].id = store.tasks[0].id.clone(), "two things have the id"),
            (|store| store.projects.clear(), "no inbox"),
            (|store| store.tasks[0].project_id = Id::nth(99), "is not there"),
            (|store| store.tasks[0].section_id = Some(Id::nth(99)), "is not there"),
            (|store| store.tasks[0].labels.push("x".to_owned()), "is not there"),
            (
                |store| {
                    let (id, order) = store.give_id();
                    let project_id = Id::nth(99);
                    store.sections.push(Section { id, name: String::new(), project_id, order });
                },
                "is not there",
            ),
            (|store| store.comments.push(comment_on(Id::nth(99), Id::nth(98))), "is not there"),
        ];
        assert_eq!(store_of(&["a", "b"]).flaw(), None);
        for (harm, expected) in breaks {
            let mut store = store_of(&["a", "b"]);
            harm(&mut store);
            let flaw = store.flaw().unwrap_or_default();
            assert!(flaw.contains(expected), "{flaw:?} should say {expected:?}");
        }
    }
}
