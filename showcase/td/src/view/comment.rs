//! Comments as callers see them.

use crate::store::Comment;
use manila_clap::{Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;

/// The comments of a task, the oldest first.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "comment_list", show = show_comments)]
pub(crate) struct CommentList(pub(crate) Vec<Comment>);

fn show_comments(list: &CommentList, screen: &mut Screen) {
    if list.0.is_empty() && screen.is_rich() {
        return screen.line("No comments. `td comment TASK TEXT` adds one.");
    }
    let row = |one: &Comment| [one.id.to_string(), one.posted_at.to_string(), one.content.clone()];
    screen.table(["ID", "POSTED", "COMMENT"], list.0.iter().map(row));
}

/// A new comment.
#[derive(Debug, Serialize, JsonSchema, Reply)]
#[reply(kind = "comment_created", show = show_created)]
pub(crate) struct CommentCreated {
    #[serde(flatten)]
    pub(crate) comment: Comment,
    /// Always true: the same words twice are two comments
    pub(crate) created: bool,
    #[serde(skip)]
    pub(crate) task: String,
}

fn show_created(reply: &CommentCreated, screen: &mut Screen) {
    screen.line(format_args!("Commented on '{}' ({})", reply.task, reply.comment.task_id));
}
