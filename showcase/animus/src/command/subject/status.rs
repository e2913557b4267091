//! `subject status`: moves a subject to another status.

use super::Named;
use crate::error::Error;
use crate::project::Project;
use crate::subject::{Id, Status};
use clap::Args;
use jiff::Timestamp;
use manila_clap::{Call, Danger, Done, Effect, Spec};

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    named: Named,

    /// The status that it shall have
    #[arg(long, value_name = "STATUS")]
    set: Status,
}

pub(crate) fn spec() -> Spec {
    Spec::new()
        .reply::<Done>()
        .fails(&["internal", "invalid_input", "not_found", "conflict"])
        .danger(Danger::Mutating)
        .example(
            "animus subject status --kind task --id task:TASK-001 --set in-progress",
            "someone works on it now",
        )
}

pub(crate) fn run(arguments: &Arguments, project: &Project, call: &Call) -> Result<Done, Error> {
    let Arguments { named, set } = arguments;
    let id @ Id { kind, key } = named.id()?;
    let store = project.subjects();
    // Without the lock, whose directory would be made: what does not exist needs neither.
    store.read()?.get(id)?;
    let effect = store
        .change(|subjects| subjects.set_status(id, *set, Timestamp::now()).map_err(Error::from))?;
    call.effect(effect);
    Ok(Done::new(match effect {
        Effect::Noop => format!("{kind} {key} status is {set} already"),
        _ => format!("{kind} {key} status updated to {set}"),
    }))
}
