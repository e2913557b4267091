//! The commands for subjects, and the argument that names one.

pub(crate) mod create;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod status;

use crate::subject::{Id, Kind, SubjectError};
use clap::Args;

/// One subject, as callers name it.
#[derive(Args)]
pub(crate) struct Named {
    /// The kind of the subject; its id says the same
    #[arg(long)]
    kind: Option<Kind>,

    /// The id of the subject, such as task:TASK-001
    #[arg(long)]
    id: Id,
}

impl Named {
    /// The id, unless it contradicts the kind.
    fn id(&self) -> Result<&Id, SubjectError> {
        match self.kind {
            Some(kind) if kind != self.id.kind => {
                Err(SubjectError::AnotherKind { kind, id: self.id.clone() })
            }
            _ => Ok(&self.id),
        }
    }
}
