//! `subject list`: every subject, or those of a kind or a status.

use crate::error::Error;
use crate::project::Project;
use crate::subject::{Kind, Priority, Status, Subject, moment};
use clap::Args;
use manila_clap::{Danger, Reply, Screen, Spec};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Only the subjects of this kind
    #[arg(long)]
    kind: Option<Kind>,

    /// Only the subjects in this status
    #[arg(long)]
    status: Option<Status>,

    /// Only the subjects of this priority
    #[arg(long)]
    priority: Option<Priority>,
}

/// Subjects in the order in which they were created. All of them: the envelope has no place to say
/// that there are more.
#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "subject_list", show = show)]
pub(crate) struct Listed(Vec<Subject>);

fn show(Listed(subjects): &Listed, screen: &mut Screen) {
    if subjects.is_empty() && screen.is_rich() {
        screen.line("No subjects found.");
        screen.line("`animus subject create --kind task --title \"Fix login bug\"` makes one.");
        return;
    }
    let rows = subjects.iter().map(|subject| {
        [
            subject.id.to_string(),
            subject.status.to_string(),
            subject.priority.to_string(),
            moment(subject.updated_at).to_string(),
            subject.title.clone(),
        ]
    });
    screen.table(["ID", "STATUS", "PRIORITY", "UPDATED", "TITLE"], rows);
}

pub(crate) fn spec() -> Spec {
    Spec::new()
        .reply::<Listed>()
        .fails(&["internal", "invalid_input", "not_found"])
        .danger(Danger::Safe)
        .example("animus subject list --status in-progress", "what is being worked on")
}

pub(crate) fn run(arguments: &Arguments, project: &Project) -> Result<Listed, Error> {
    let Arguments { kind, status, priority } = arguments;
    let subjects = project.subjects().read()?;
    let listed = subjects.iter().filter(|subject| {
        kind.is_none_or(|kind| subject.id.kind == kind)
            && status.is_none_or(|status| subject.status == status)
            && priority.is_none_or(|priority| subject.priority == priority)
    });
    Ok(Listed(listed.cloned().collect()))
}
