//! A report on the scale of the CLI Agent Spec: its failure modes and requirements, their scores, and how
//! they are shown.

mod mode;
mod requirement;
mod score;
mod show;

pub use mode::{MODES, Mode, Reach, Weight, mode_of};
pub use requirement::{REQUIREMENTS, requirement};
pub use score::{BEST, ModeScore, RequirementVerdicts, SpecReport, spec};
pub use show::{lines, markdown};
