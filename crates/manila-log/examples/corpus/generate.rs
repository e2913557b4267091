//! The corpus: envelopes of five dialects as programs write them into logs, from a seed.
//!
//! Sizes are log-normal (median about 650 bytes, mean about 1000), one in ten is a failure, text has
//! unicode and escapes, one in a thousand records is malformed in one of seven ways, and two in a
//! thousand break the contract.

#[path = "random.rs"]
mod random;

pub(crate) use random::Random;
use std::fmt::Write as _;

/// The weights of the dialects in percent.
const WEIGHTS: [(Dialect, u64); 5] = [
    (Dialect::Response, 50),
    (Dialect::Animus, 15),
    (Dialect::Claw, 13),
    (Dialect::Td, 12),
    (Dialect::I18nprune, 10),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Response,
    Animus,
    Claw,
    Td,
    I18nprune,
}

const WORDS: &[&str] = &[
    "deploy",
    "release",
    "build",
    "task",
    "session",
    "worker",
    "queue",
    "retry",
    "cache",
    "index",
    "the",
    "file",
    "was",
    "not",
    "found",
    "in",
    "project",
    "and",
    "will",
    "be",
    "created",
    "configuration",
    "environment",
    "production",
    "staging",
    "completed",
    "without",
    "warnings",
];
const ODD: &[&str] = &[
    "caf\u{e9}",
    "\u{fc}ber",
    "\u{65e5}\u{672c}\u{8a9e}",
    "\u{1f680}",
    "\\\"quoted\\\"",
    "a\\nb",
    "C:\\\\tmp",
    "\\u00e9t\\u00e9",
    "tab\\there",
    "\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}",
    "\\ud83d\\ude00",
    "na\u{ef}ve",
];
const KEYS: &[&str] = &[
    "id",
    "name",
    "status",
    "created_at",
    "updated_at",
    "count",
    "size",
    "path",
    "owner",
    "labels",
    "enabled",
    "score",
    "parent",
    "children",
    "url",
    "version",
    "message",
    "level",
    "tags",
    "total",
    "description",
    "priority",
    "retries",
    "checksum",
    "region",
    "host",
    "duration",
    "attempt",
];
const CODES: &[&str] = &[
    "NOT_FOUND",
    "RATE_LIMIT_EXCEEDED",
    "TOKEN_EXPIRED",
    "CONFLICT",
    "TIMEOUT",
    "UNAVAILABLE",
    "TASK_NOT_FOUND",
    "VALIDATION_FAILED",
    "DISK_FULL",
    "UPSTREAM_502",
    "LOCK_HELD",
    "BAD_STATE",
];
const COMMANDS: &[&str] = &[
    "list-sessions",
    "show-tool",
    "load-session",
    "bootstrap",
    "exec-tool",
    "flush",
    "prompt",
    "turn-loop",
    "deploy",
    "sync",
    "status",
    "validate",
];

/// Writes one record after the other.
pub(crate) struct Corpus {
    random: Random,
    seconds: u64,
}

impl Corpus {
    pub(crate) fn new(seed: u64) -> Self {
        Corpus { random: Random::new(seed), seconds: 0 }
    }

    /// Appends one record and the newline that ends it.
    pub(crate) fn record(&mut self, out: &mut Vec<u8>) {
        let start = out.len();
        let text = self.good();
        out.extend_from_slice(text.as_bytes());
        if self.random.one_in(1000) {
            self.damage(out, start);
        }
        out.push(b'\n');
    }

    /// A record that is JSON; two in a thousand break their contract.
    pub(crate) fn good(&mut self) -> String {
        self.seconds += self.random.below(3);
        let mut choice = self.random.below(100);
        let mut dialect = Dialect::Response;
        for (one, weight) in WEIGHTS {
            dialect = one;
            if choice < weight {
                break;
            }
            choice -= weight;
        }
        let failed = self.random.one_in(10);
        let mut text = String::with_capacity(2048);
        match (dialect, failed) {
            (Dialect::Response, _) => self.response(failed, &mut text),
            (Dialect::Animus, _) => self.animus(failed, &mut text),
            (Dialect::Claw, _) => self.claw(failed, &mut text),
            (Dialect::Td, _) => self.td(failed, &mut text),
            (Dialect::I18nprune, _) => self.i18nprune(failed, &mut text),
        }
        if self.random.one_in(500) { self.break_contract(&text) } else { text }
    }

    fn response(&mut self, failed: bool, out: &mut String) {
        if failed {
            let code = self.random.pick(CODES);
            let _ = write!(
                out,
                "{{\"ok\":false,\"data\":null,\"error\":{{\"code\":\"{code}\",\"message\":"
            );
            self.text(8, out);
            let retryable = self.random.one_in(3);
            let _ = write!(out, ",\"retryable\":{retryable}");
            if retryable {
                let _ = write!(out, ",\"retry_after\":{}", self.random.below(120));
            }
            if self.random.one_in(2) {
                out.push_str(",\"phase\":\"execution\",\"suggestion\":");
                self.text(6, out);
            }
            out.push('}');
        } else {
            out.push_str("{\"ok\":true,\"data\":");
            self.payload(out);
            out.push_str(",\"error\":null");
        }
        out.push_str(",\"warnings\":[");
        if self.random.one_in(20) {
            self.text(5, out);
        }
        let duration = self.random.below(30_000);
        let id = self.random.next();
        let _ = write!(
            out,
            "],\"meta\":{{\"duration_ms\":{duration},\"request_id\":\"req-{id:016x}\",\"schema_version\":\"1.0\""
        );
        if self.random.one_in(2) {
            let command = self.random.pick(COMMANDS);
            let stamp = self.stamp();
            let _ = write!(out, ",\"timestamp\":\"{stamp}\",\"kind\":\"{command}\"");
        }
        out.push_str("}}");
    }

    fn animus(&mut self, failed: bool, out: &mut String) {
        out.push_str("{\"schema\":\"animus.cli.v1\",\"ok\":");
        if failed {
            let at = self.random.below(5);
            let codes = ["internal", "invalid_input", "not_found", "conflict", "unavailable"];
            let code = codes[usize::try_from(at).unwrap_or(0)];
            let _ = write!(out, "false,\"error\":{{\"code\":\"{code}\",\"message\":");
            self.text(8, out);
            let _ = write!(out, ",\"exit_code\":{}}}}}", at + 1);
        } else {
            out.push_str("true,\"data\":");
            self.payload(out);
            out.push('}');
        }
    }

    /// With a space after each comma and colon, and in ASCII, as its program spells it.
    fn claw(&mut self, failed: bool, out: &mut String) {
        let (stamp, command) = (self.stamp(), self.random.pick(COMMANDS));
        let status = i32::from(failed);
        let _ = write!(
            out,
            "{{\"timestamp\": \"{stamp}\", \"command\": \"{command}\", \"exit_code\": {status}, \
             \"output_format\": \"json\", \"schema_version\": \"2.0\""
        );
        if failed {
            let kind =
                self.random.pick(&["filesystem", "auth", "session", "runtime", "mcp", "usage"]);
            let _ = write!(
                out,
                ", \"error\": {{\"kind\": \"{kind}\", \"operation\": \"write\", \"target\": \"/tmp/{}\", \"retryable\": {}, \"message\": \"no space left on device\"}}}}",
                self.random.below(40),
                self.random.one_in(2)
            );
            return;
        }
        let size = self.random.size();
        for (number, key) in KEYS.iter().enumerate().take(3 + size / 200) {
            let _ = write!(out, ", \"{key}\": ");
            if number % 3 == 0 && out.len() < size {
                let mut inner = String::new();
                self.value(&mut inner, size.saturating_sub(out.len()) / 2, 1);
                out.push_str(&inner.replace("\":", "\": "));
            } else {
                self.scalar(out);
            }
        }
        out.push('}');
    }

    fn td(&mut self, failed: bool, out: &mut String) {
        if failed {
            let code = self.random.pick(&[
                "TASK_NOT_FOUND",
                "API_RATE_LIMIT",
                "AUTH_MISSING",
                "API_ERROR",
            ]);
            let _ = write!(out, "{{\"ok\":false,\"error\":{{\"code\":\"{code}\",\"message\":");
            self.text(7, out);
            out.push_str(",\"suggestion\":");
            self.text(4, out);
            out.push_str(",\"details\":{}}}");
        } else {
            let kind = self.random.pick(&["task_list", "task", "project_list", "label_list"]);
            let _ = write!(out, "{{\"ok\":true,\"type\":\"{kind}\",\"data\":");
            self.payload(out);
            out.push('}');
        }
    }

    fn i18nprune(&mut self, failed: bool, out: &mut String) {
        let kind = self.random.pick(&["validate", "languages", "sync", "report"]);
        let _ = write!(out, "{{\"ok\":{},\"kind\":\"{kind}\",\"data\":", !failed);
        if failed {
            out.push_str("{},\"issues\":[{\"severity\":\"error\",\"code\":\"i18nprune.io.read_failed\",\"message\":");
            self.text(6, out);
            out.push_str(",\"path\":\"locales/en.json\"}]");
        } else {
            self.payload(out);
            out.push_str(",\"issues\":[]");
        }
        out.push_str(",\"meta\":{\"apiVersion\":\"1\",\"cwd\":\"/srv/app\"}}");
    }

    fn stamp(&self) -> String {
        let (day, second) = (self.seconds / 86_400, self.seconds % 86_400);
        format!(
            "2026-{:02}-{:02}T{:02}:{:02}:{:02}Z",
            1 + day / 28 % 12,
            1 + day % 28,
            second / 3600,
            second / 60 % 60,
            second % 60
        )
    }

    /// A payload of about a log-normal size: an object or an array.
    fn payload(&mut self, out: &mut String) {
        let size = self.random.size();
        let end = out.len() + size;
        if self.random.one_in(3) {
            out.push('[');
            while out.len() < end {
                self.object(out, end, 2);
                out.push(',');
            }
            if out.ends_with(',') {
                out.pop();
            }
            out.push(']');
        } else {
            self.object(out, end, 1);
        }
    }

    fn object(&mut self, out: &mut String, end: usize, depth: u64) {
        out.push('{');
        let members = 3 + self.random.below(9);
        let first = self.random.below(KEYS.len() as u64);
        for number in 0..members {
            let key = KEYS[usize::try_from((first + number) % KEYS.len() as u64).unwrap_or(0)];
            let _ = write!(out, "\"{key}\":");
            let room =
                end.saturating_sub(out.len()) / usize::try_from(members - number).unwrap_or(1);
            self.value(out, room, depth);
            out.push(',');
        }
        out.pop();
        out.push('}');
    }

    /// Any value of about that many bytes.
    fn value(&mut self, out: &mut String, room: usize, depth: u64) {
        if room > 60 && depth < 8 {
            let end = out.len() + room;
            if self.random.one_in(2) {
                return self.object(out, end, depth + 1);
            }
            out.push('[');
            while out.len() < end {
                if room > 200 && self.random.one_in(2) {
                    self.object(out, end.min(out.len() + 120), depth + 1);
                } else {
                    self.scalar(out);
                }
                out.push(',');
            }
            if out.ends_with(',') {
                out.pop();
            }
            out.push(']');
            return;
        }
        self.scalar(out);
    }

    fn scalar(&mut self, out: &mut String) {
        match self.random.below(20) {
            0 | 1 => out.push_str("true"),
            2 => out.push_str("false"),
            3 => out.push_str("null"),
            4..=7 => {
                let _ = write!(out, "{}", self.random.below(100_000));
            }
            8 => {
                let _ = write!(out, "-{}", 1 + self.random.below(1000));
            }
            9 | 10 => {
                let _ = write!(out, "{}.{}", self.random.below(1000), self.random.below(1_000_000));
            }
            11 if self.random.one_in(4) => out.push_str("1.5e-7"),
            12 | 13 => {
                let id = self.random.next();
                let _ = write!(out, "\"{id:016x}\"");
            }
            _ => {
                let words = 1 + self.random.below(6);
                self.text(words, out);
            }
        }
    }

    fn text(&mut self, words: u64, out: &mut String) {
        out.push('"');
        for number in 0..words {
            if number > 0 {
                out.push(' ');
            }
            let odd = self.random.one_in(25);
            out.push_str(self.random.pick(if odd { ODD } else { WORDS }));
        }
        out.push('"');
    }

    /// Damages the record that begins at `start` in one of seven ways.
    fn damage(&mut self, out: &mut Vec<u8>, start: usize) {
        let length = out.len() - start;
        let middle =
            start + length / 4 + usize::try_from(self.random.below(length as u64 / 2)).unwrap_or(0);
        match self.random.below(7) {
            0 => out.truncate(middle),
            1 => {
                out.pop();
                out.extend_from_slice(b",}");
            }
            2 => put_in_string(out, start, 0xff),
            3 => put_in_string(out, start, 0x01),
            4 => {
                out.pop();
                out.extend_from_slice(b",\"x\":tru}");
            }
            5 => out.extend_from_slice(b" trailing"),
            _ => {
                out.truncate(start);
                out.extend_from_slice(b"Error: connection reset by peer (os error 104)");
            }
        }
    }

    /// The record without one of its keys, with null where a value must be, or with the other outcome.
    fn break_contract(&mut self, text: &str) -> String {
        let (from, to) = match self.random.below(5) {
            0 => ("\"ok\":true", "\"ok\":\"yes\""),
            1 => ("\"warnings\":[", "\"warnings_\":["),
            2 => ("\"ok\":true", "\"ok\":false"),
            3 => ("\"meta\":{", "\"ok\":true,\"meta\":{"),
            _ => ("\"duration_ms\":", "\"duration_ms\":null,\"ms\":"),
        };
        text.replacen(from, to, 1)
    }
}

/// Replaces a byte in the middle of the last string of the record.
fn put_in_string(out: &mut [u8], start: usize, byte: u8) {
    let quotes: Vec<usize> = (start..out.len()).filter(|at| out[*at] == b'"').collect();
    if let [.., open, close] = quotes[..]
        && close > open + 1
    {
        out[open + 1] = byte;
    }
}
