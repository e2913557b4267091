//! What is said between a daemon and its callers: a word to ask, and a report or a word to answer.

use crate::subject::Status;
use jiff::{SignedDuration, Timestamp};
use manila_clap::{Reply, Screen};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a caller may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// How are you?
    Status,
    /// Please end.
    Stop,
}

impl Request {
    pub(crate) const ALL: [Request; 2] = [Request::Status, Request::Stop];
    /// None is longer.
    pub(crate) const LONGEST: usize = 16;

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Request::Status => "status",
            Request::Stop => "stop",
        }
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Request> {
        Request::ALL.into_iter().find(|request| request.as_str().as_bytes() == bytes)
    }
}

/// What a daemon answers when it is asked to end, before it does.
pub(crate) const STOPPING: &[u8] = b"stopping";

/// What a daemon reports to the process that started it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// It can be called now.
    Ready,
    /// There is another, so it ends.
    Taken,
}

impl Sign {
    pub(crate) const ALL: [Sign; 2] = [Sign::Ready, Sign::Taken];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Sign::Ready => "ready",
            Sign::Taken => "taken",
        }
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Sign> {
        Sign::ALL.into_iter().find(|sign| sign.as_str().as_bytes() == bytes)
    }
}

/// What a daemon reports about itself.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, Reply)]
#[reply(kind = "daemon", show = show)]
pub(crate) struct Report {
    pub(crate) status: Running,
    pub(crate) pid: u32,
    #[schemars(with = "String")]
    pub(crate) started_at: Timestamp,
    pub(crate) uptime_secs: u64,
    pub(crate) project_root: String,
    pub(crate) subjects: Count,
    /// Why the count is not of this moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
}

/// The word for a daemon that reports.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Running {
    Running,
}

/// How many subjects there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Count {
    pub(crate) total: usize,
    pub(crate) by_status: BTreeMap<Status, usize>,
}

fn show(report: &Report, screen: &mut Screen) {
    screen.heading("The daemon is running");
    if !screen.is_rich() {
        screen.field("status", "running");
    }
    screen.field("project", &report.project_root);
    screen.field("pid", report.pid);
    let uptime = i64::try_from(report.uptime_secs).unwrap_or(i64::MAX);
    screen.field("uptime", format_args!("{:#}", SignedDuration::from_secs(uptime)));
    screen.field("subjects", report.subjects.total);
    let indent = if screen.is_rich() { "  " } else { "" };
    for (status, count) in report.subjects.by_status.iter().filter(|(_, count)| **count > 0) {
        screen.field(&format!("{indent}{status}"), count);
    }
    if let Some(problem) = &report.problem {
        screen.field("problem", problem);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        for request in Request::ALL {
            assert_eq!(Request::from_bytes(request.as_str().as_bytes()), Some(request));
            assert!(request.as_str().len() <= Request::LONGEST);
        }
        for sign in Sign::ALL {
            assert_eq!(Sign::from_bytes(sign.as_str().as_bytes()), Some(sign));
        }
        assert_eq!(Request::from_bytes(b"status\n"), None);
        assert_eq!(Sign::from_bytes(b""), None);
    }
}
