//! `comments` and `comment`.

use crate::context::Context;
use crate::error::Error;
use crate::find::{self, Among, quote};
use crate::store::{self, Id};
use crate::view::comment::{CommentCreated, CommentList};
use crate::words::Words;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Comments {
    /// An id, its beginning, or a part of the content
    task: Words,
}

impl Comments {
    pub(crate) fn run(self, context: &Context) -> Result<CommentList, Error> {
        let mut store = context.read()?;
        let call = |id: &Id| format!("td comments {id}");
        let at = find::task(&store, &self.task, Among::Open, call)?;
        let task = &store.tasks[at].id;
        store.comments.retain(|comment| comment.task_id == *task);
        Ok(CommentList(store.comments))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Comment {
    /// An id, its beginning, or a part of the content
    task: Words,
    text: Words,
}

impl Comment {
    pub(crate) fn run(self, context: &Context) -> Result<CommentCreated, Error> {
        let content = String::from(self.text);
        context.change(|store| {
            let call = |id: &Id| format!("td comment {id} {}", quote(&content));
            let at = find::task(store, &self.task, Among::Open, call)?;
            let (id, _) = store.give_id();
            let task = &store.tasks[at];
            let (task_id, task) = (task.id.clone(), task.content.clone());
            let comment = store::Comment { id, content, posted_at: context.now, task_id };
            store.comments.push(comment.clone());
            Ok(CommentCreated { comment, created: true, task })
        })
    }
}
