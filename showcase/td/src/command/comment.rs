//! `comments` and `comment`.

use crate::book::{self, Id};
use crate::desk::Desk;
use crate::find::{self, Among, quote};
use crate::trouble::Trouble;
use crate::view::comment::{CommentCreated, CommentList};
use crate::words::Words;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Comments {
    /// An id, its beginning, or a part of the content
    task: Words,
}

impl Comments {
    pub(crate) fn run(self, desk: &Desk) -> Result<CommentList, Trouble> {
        let mut book = desk.read()?;
        let call = |id: &Id| format!("td comments {id}");
        let at = find::task(&book, &self.task, Among::Open, call)?;
        let task = &book.tasks[at].id;
        book.comments.retain(|comment| comment.task_id == *task);
        Ok(CommentList(book.comments))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Comment {
    /// An id, its beginning, or a part of the content
    task: Words,
    text: Words,
}

impl Comment {
    pub(crate) fn run(self, desk: &Desk) -> Result<CommentCreated, Trouble> {
        let content = String::from(self.text);
        desk.change(|book| {
            let call = |id: &Id| format!("td comment {id} {}", quote(&content));
            let at = find::task(book, &self.task, Among::Open, call)?;
            let (id, _) = book.give_id();
            let task = &book.tasks[at];
            let (task_id, task) = (task.id.clone(), task.content.clone());
            let comment = book::Comment { id, content, posted_at: desk.now, task_id };
            book.comments.push(comment.clone());
            Ok(CommentCreated { comment, created: true, task })
        })
    }
}
