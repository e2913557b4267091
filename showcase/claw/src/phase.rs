//! How far the migration from envelope 1.0 to 2.0 has come.

use crate::error::Error;
use manila_clap::Stage;
use std::str::FromStr;

/// The variable with which callers rehearse a later phase.
pub(crate) const VARIABLE: &str = "CLAW_ENVELOPE_PHASE";

/// A phase of the migration. A release moves the default by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Phase {
    /// 1.0 is the default, `--envelope-version=2.0` opts in.
    #[default]
    OptIn,
    /// 2.0 is the default, `--legacy-envelope` opts out.
    Default,
    /// The same, and 1.0 comes with a warning.
    Deprecation,
}

impl Phase {
    /// The phase of this release, or the one that the environment asks for.
    pub(crate) fn rehearsed() -> Result<Phase, Error> {
        match std::env::var_os(VARIABLE) {
            None => Ok(Phase::default()),
            Some(value) => value.to_string_lossy().parse(),
        }
    }

    /// What it is to the boundary.
    pub(crate) fn stage(self) -> Stage {
        match self {
            Phase::OptIn => Stage::OptIn,
            Phase::Default => Stage::Default,
            Phase::Deprecation => Stage::Deprecated,
        }
    }
}

impl FromStr for Phase {
    type Err = Error;

    fn from_str(number: &str) -> Result<Phase, Error> {
        match number {
            "" => Ok(Phase::default()),
            "1" => Ok(Phase::OptIn),
            "2" => Ok(Phase::Default),
            "3" => Ok(Phase::Deprecation),
            _ => Err(Error::Usage {
                target: VARIABLE.to_owned(),
                message: format!("invalid value '{number}' for the variable {VARIABLE}"),
                hint: "one of: 1, 2, 3".to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_three_phases_have_a_number() {
        let stage = |number: &str| number.parse().map(Phase::stage).ok();
        assert_eq!(stage("1"), Some(Stage::OptIn));
        assert_eq!(stage("2"), Some(Stage::Default));
        assert_eq!(stage("3"), Some(Stage::Deprecated));
        assert_eq!(stage(""), Some(Stage::OptIn));
        assert_eq!(["0", "4", "two", "1 "].map(stage), [None; 4]);
    }
}
