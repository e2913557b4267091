//! A report on the scale of the CLI Agent Spec: its failure modes and requirements, their scores, and how
//! they are shown.

mod mode;
mod requirement;
mod score;
mod show;

pub use mode::{Mode, Reach, Weight, mode_of};
pub use requirement::requirement;
pub use score::{ModeScore, RequirementVerdicts, SpecReport, spec};
pub use show::{lines, markdown};
