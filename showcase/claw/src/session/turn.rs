//! One exchange of a session, and why it ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One exchange.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Turn {
    /// What the user said.
    pub(crate) prompt: String,
    /// What the assistant answered.
    pub(crate) output: String,
    /// Why the turn ended.
    pub(crate) stop_reason: StopReason,
    /// Whether a cancellation was signalled and observed.
    pub(crate) cancel_observed: bool,
}

/// Why a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StopReason {
    Completed,
    Timeout,
    Cancelled,
    MaxBudgetReached,
    MaxTurnsReached,
}

impl StopReason {
    /// Its name.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            StopReason::Completed => "completed",
            StopReason::Timeout => "timeout",
            StopReason::Cancelled => "cancelled",
            StopReason::MaxBudgetReached => "max_budget_reached",
            StopReason::MaxTurnsReached => "max_turns_reached",
        }
    }
}
