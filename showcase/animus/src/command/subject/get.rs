//! `subject get`: one subject, with all there is to know about it.

use super::Named;
use crate::error::Error;
use crate::project::Project;
use crate::subject::Subject;
use manila_clap::{Danger, Spec};

pub(crate) fn spec() -> Spec {
    Spec::new()
        .reply::<Subject>()
        .fails(&["internal", "invalid_input", "not_found"])
        .danger(Danger::Safe)
        .example("animus subject get --kind task --id task:TASK-001", "the first task")
}

pub(crate) fn run(named: &Named, project: &Project) -> Result<Subject, Error> {
    let subjects = project.subjects().read()?;
    Ok(subjects.get(named.id()?)?.clone())
}
