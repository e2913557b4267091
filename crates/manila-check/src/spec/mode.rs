//! The 74 failure modes of the CLI Agent Spec: number, severity, title, and how much of each a probe
//! sees. Numbers 36, 39 and 48 were merged into others and are not given again.

use Reach::{Declared, Part, Whole};
use Weight::{Critical, High, Medium};
use schemars::JsonSchema;
use serde::Serialize;

/// A way in which programs fail the agents that call them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Its number.
    pub number: u8,
    /// How much it matters, in the specification's own words.
    pub weight: Weight,
    /// Its title.
    pub title: &'static str,
    /// How much of it a probe sees.
    pub reach: Reach,
}

/// How much a failure mode matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    /// Some.
    Medium,
    /// Much.
    High,
    /// Everything.
    Critical,
}

impl Weight {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Weight::Medium => "medium",
            Weight::High => "high",
            Weight::Critical => "critical",
        }
    }
}

/// How much of a failure mode a probe sees of a program that nothing is declared about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    /// All of it.
    Whole,
    /// Some of it.
    Part,
    /// None: a call that shows it must be declared.
    Declared,
}

const fn mode(number: u8, weight: Weight, title: &'static str, reach: Reach) -> Mode {
    Mode { number, weight, title, reach }
}

/// All of them, by number.
pub(crate) static MODES: &[Mode] = &[
    mode(1, Critical, "Exit Codes & Status Signaling", Whole),
    mode(2, Critical, "Output Format & Parseability", Whole),
    mode(3, High, "Stderr vs Stdout Discipline", Whole),
    mode(4, Medium, "Verbosity & Token Cost", Whole),
    mode(5, High, "Pagination & Large Output", Declared),
    mode(6, Medium, "Command Composition & Piping", Declared),
    mode(7, Medium, "Output Non-Determinism", Declared),
    mode(8, High, "ANSI & Color Code Leakage", Whole),
    mode(9, High, "Binary & Encoding Safety", Whole),
    mode(10, Critical, "Interactivity & TTY Requirements", Whole),
    mode(11, Critical, "Timeouts & Hanging Processes", Declared),
    mode(12, Critical, "Idempotency & Safe Retries", Declared),
    mode(13, Critical, "Partial Failure & Atomicity", Declared),
    mode(14, High, "Argument Validation Before Side Effects", Whole),
    mode(15, High, "Race Conditions & Concurrency", Declared),
    mode(16, High, "Signal Handling & Graceful Cancellation", Part),
    mode(17, Medium, "Child Process Leakage", Declared),
    mode(18, High, "Error Message Quality", Whole),
    mode(19, High, "Retry Hints in Error Responses", Part),
    mode(20, Medium, "Environment & Dependency Discovery", Whole),
    mode(21, Medium, "Schema & Help Discoverability", Whole),
    mode(22, High, "Schema Versioning & Output Stability", Whole),
    mode(23, Critical, "Side Effects & Destructive Operations", Part),
    mode(24, Critical, "Authentication & Secret Handling", Whole),
    mode(25, Critical, "Prompt Injection via Output", Declared),
    mode(26, High, "Stateful Commands & Session Management", Part),
    mode(27, Medium, "Platform & Shell Portability", Part),
    mode(28, High, "Config File Shadowing & Precedence", Whole),
    mode(29, Medium, "Working Directory Sensitivity", Part),
    mode(30, Medium, "Undeclared Filesystem Side Effects", Whole),
    mode(31, High, "Network Proxy Unawareness", Declared),
    mode(32, High, "Self-Update & Auto-Upgrade Behavior", Whole),
    mode(33, Medium, "Observability & Audit Trail", Whole),
    mode(34, Critical, "Shell Injection via Agent-Constructed Commands", Whole),
    mode(35, High, "Agent Hallucination Input Patterns", Part),
    mode(37, Critical, "REPL / Interactive Mode Accidental Triggering", Whole),
    mode(38, High, "Runtime Dependency Version Mismatch", Part),
    mode(40, High, "`parse()` vs `parseAsync()` Silent Race Condition", Whole),
    mode(41, High, "Update Notifier Side-Channel Output Pollution", Whole),
    mode(42, Critical, "Debug / Trace Mode Secret Leakage", Whole),
    mode(43, Critical, "Tool Output Result Size Unboundedness", Declared),
    mode(44, Medium, "Agent Knowledge Packaging Absence", Part),
    mode(45, Critical, "Headless Authentication / OAuth Browser Flow Blocking", Declared),
    mode(46, High, "API Schema to CLI Flag Translation Loss", Declared),
    mode(47, High, "MCP Wrapper Schema Staleness", Declared),
    mode(49, High, "Async Job / Polling Protocol Absence", Declared),
    mode(50, Critical, "Stdin Consumption Deadlock", Whole),
    mode(51, High, "Shell Word Splitting and Glob Expansion Interference", Part),
    mode(52, Medium, "Recursive Command Tree Discovery Cost", Whole),
    mode(53, Critical, "Credential Expiry Mid-Session", Declared),
    mode(54, High, "Conditional / Dependent Argument Requirements", Declared),
    mode(55, High, "Silent Data Truncation", Declared),
    mode(56, High, "Exit Code Masking in Shell Pipelines", Whole),
    mode(57, Medium, "Locale-Dependent Error Messages", Whole),
    mode(58, High, "Multi-Agent Concurrent Invocation Conflict", Declared),
    mode(59, High, "High-Entropy String Token Poisoning", Declared),
    mode(60, Critical, "OS Output Buffer Deadlock", Declared),
    mode(61, Critical, "Bidirectional Pipe Payload Deadlock", Declared),
    mode(62, Critical, "$EDITOR and $VISUAL Trap", Part),
    mode(63, Medium, "Terminal Column Width Output Corruption", Whole),
    mode(64, Critical, "Headless Display and GUI Launch Blocking", Part),
    mode(65, High, "Global Configuration State Contamination", Declared),
    mode(66, High, "Symlink Loop and Recursive Traversal Exhaustion", Declared),
    mode(67, High, "Agent-Generated Input Syntax Rejection", Declared),
    mode(68, High, "Third-Party Library Stdout Pollution", Part),
    mode(69, High, "Argument Order Ambiguity", Whole),
    mode(70, High, "Single-Argument Arity Forcing Agent Loop Overhead", Declared),
    mode(71, Critical, "Non-Interactive Installation Absence", Declared),
    mode(72, High, "Integration Artifact Version Drift", Declared),
    mode(73, High, "Documentation Accuracy Drift", Declared),
    mode(74, Critical, "Credential Scope Declaration Absence", Part),
    mode(75, Critical, "Safe-Default Execution Mode Absent", Declared),
    mode(76, High, "Streaming-Default JSONL Incompatibility", Whole),
    mode(77, High, "No Batch Command Dispatch", Whole),
];

/// The mode of that number.
pub fn mode_of(number: u8) -> Option<&'static Mode> {
    MODES.iter().find(|mode| mode.number == number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_74_in_their_order() {
        assert_eq!(MODES.len(), 74);
        assert!(MODES.windows(2).all(|pair| pair[0].number < pair[1].number));
        assert!([36, 39, 48].iter().all(|number| mode_of(*number).is_none()));
        let of = |reach| MODES.iter().filter(|mode| mode.reach == reach).count();
        assert_eq!((of(Whole), of(Part), of(Declared)), (30, 14, 30));
    }
}
