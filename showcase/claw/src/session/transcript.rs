//! What is in the file of a session: a header, then a line for each message.

use super::turn::{StopReason, Turn};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A session as it was written down.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Transcript {
    pub(crate) header: Header,
    pub(crate) messages: Vec<Message>,
    /// How many bytes at the end belong to a line that was never finished.
    pub(crate) torn: usize,
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) session_id: String,
    pub(crate) created_at: String,
}

/// Every other line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Message {
    pub(crate) role: Role,
    pub(crate) text: String,
    pub(crate) tokens: u64,
    /// Why the turn ended; the assistant's messages have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stop_reason: Option<StopReason>,
}

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    User,
    Assistant,
}

/// A line that is not what it should be.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Corrupt {
    line: usize,
    column: usize,
    reason: String,
}

impl Corrupt {
    fn new(line: usize, reason: impl fmt::Display) -> Corrupt {
        Corrupt { line, column: 1, reason: reason.to_string() }
    }

    /// The parser sees one line, and counts from there.
    fn json(line: usize, error: &serde_json::Error) -> Corrupt {
        let text = error.to_string();
        let reason = text.split(" at line ").next().unwrap_or_default();
        Corrupt { line, column: error.column(), reason: reason.to_owned() }
    }
}

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} is corrupt: {}", self.line, self.column, self.reason)
    }
}

impl Header {
    /// The header of a session that begins now.
    pub(crate) fn now(session_id: &str) -> Header {
        Header { session_id: session_id.to_owned(), created_at: to_the_second(Timestamp::now()) }
    }
}

/// A moment as the answers write it.
pub(crate) fn to_the_second(moment: Timestamp) -> String {
    Timestamp::from_second(moment.as_second()).unwrap_or(moment).to_string()
}

impl Message {
    /// The two messages of a turn.
    pub(crate) fn of_turn(turn: &Turn) -> [Message; 2] {
        let message = |role, text: &str, stop_reason| Message {
            role,
            text: text.to_owned(),
            tokens: tokens(text),
            stop_reason,
        };
        [
            message(Role::User, &turn.prompt, None),
            message(Role::Assistant, &turn.output, Some(turn.stop_reason)),
        ]
    }
}

/// How many tokens a text has: the local engine counts words.
pub(crate) fn tokens(text: &str) -> u64 {
    text.split_whitespace().count() as u64
}

impl Transcript {
    /// Reads a file. Only its last line may be unfinished, and then it is left out.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Transcript, Corrupt> {
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let torn = bytes.len() - end;
        let (whole, _) = bytes.split_at(end.saturating_sub(1));
        let mut lines = whole.split(|byte| *byte == b'\n');
        let first = lines.next().unwrap_or_default();
        let header: Header =
            serde_json::from_slice(first).map_err(|error| Corrupt::json(1, &error))?;
        header.created_at.parse::<Timestamp>().map_err(|error| Corrupt::new(1, error))?;
        let messages = lines.zip(2..).map(|(line, number)| {
            serde_json::from_slice(line).map_err(|error| Corrupt::json(number, &error))
        });
        Ok(Transcript { header, messages: messages.collect::<Result<_, _>>()?, torn })
    }

    /// The whole file, every line finished.
    pub(crate) fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec(&self.header)?;
        bytes.push(b'\n');
        bytes.extend(lines(&self.messages)?);
        Ok(bytes)
    }

    /// How many prompts it has.
    pub(crate) fn prompts(&self) -> usize {
        self.messages.iter().filter(|message| message.role == Role::User).count()
    }

    /// How many tokens a side has used.
    pub(crate) fn tokens_of(&self, role: Role) -> u64 {
        let side = self.messages.iter().filter(|message| message.role == role);
        side.fold(0, |sum, message| sum.saturating_add(message.tokens))
    }

    /// Whether something other than the end of the work ended the last turn.
    pub(crate) fn is_stopped(&self) -> bool {
        let last = self.messages.iter().rev().find_map(|message| message.stop_reason);
        last.is_some_and(|reason| reason != StopReason::Completed)
    }
}

/// The lines of messages.
pub(crate) fn lines(messages: &[Message]) -> serde_json::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for message in messages {
        serde_json::to_writer(&mut bytes, message)?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcript() -> Transcript {
        let turn = |output: &str, stop_reason| Turn {
            prompt: "say\n\"hi\"".to_owned(),
            output: output.to_owned(),
            stop_reason,
            cancel_observed: false,
        };
        let header = Header {
            session_id: "sess_1".to_owned(),
            created_at: "2026-04-22T10:10:00Z".to_owned(),
        };
        let turns = [turn("hi there you", StopReason::Completed), turn("", StopReason::Timeout)];
        Transcript { header, messages: turns.iter().flat_map(Message::of_turn).collect(), torn: 0 }
    }

    #[test]
    fn what_is_written_is_read() {
        let written = transcript();
        let read = Transcript::parse(&written.to_bytes().unwrap()).unwrap();
        assert_eq!(read, written);
        assert_eq!(read.prompts(), 2);
        assert_eq!((read.tokens_of(Role::User), read.tokens_of(Role::Assistant)), (4, 3));
        assert!(read.is_stopped());
    }

    #[test]
    fn wherever_a_file_is_cut_its_whole_lines_are_read() {
        let whole = transcript().to_bytes().unwrap();
        let header = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        for cut in header..whole.len() {
            let read = Transcript::parse(&whole[..cut]).unwrap();
            let finished = whole[header..cut].split(|byte| *byte == b'\n').count() - 1;
            assert_eq!(read.messages.len(), finished, "cut at {cut}");
            assert_eq!(read.messages[..], transcript().messages[..finished]);
        }
        for cut in 0..header {
            assert_eq!(Transcript::parse(&whole[..cut]).unwrap_err().line, 1, "cut at {cut}");
        }
    }

    #[test]
    fn a_finished_line_that_is_no_message_is_corrupt() {
        let mut bytes = transcript().to_bytes().unwrap();
        bytes.extend(b"{\"role\":\"user\"}\n");
        assert_eq!(Transcript::parse(&bytes).unwrap_err().line, 6);
        let deep = "[".repeat(100_000) + "\n";
        assert_eq!(Transcript::parse(deep.as_bytes()).unwrap_err().line, 1);
        let timeless = b"{\"session_id\":\"x\",\"created_at\":\"yesterday\"}\n";
        assert_eq!(Transcript::parse(timeless).unwrap_err().line, 1);
        assert_eq!(Transcript::parse(b"\xff\xfe\n").unwrap_err().line, 1);
    }

    #[test]
    fn a_moment_has_no_fraction() {
        let moment: Timestamp = "2026-04-22T10:10:00.75Z".parse().unwrap();
        assert_eq!(to_the_second(moment), "2026-04-22T10:10:00Z");
    }
}
