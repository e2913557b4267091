//! Messages on stdin and stdout, one per line. Anything else is answered with the JSON-RPC error for it.

use crate::call::End;
use crate::traffic::Traffic;
use rmcp::model::{ErrorCode, JsonRpcMessage};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufRead, Read, Write};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::thread;
use tokio::sync::{Mutex, mpsc};
use tokio::task::{JoinHandle, spawn_blocking};

/// The longest message, in bytes. The arguments of a call are far shorter.
const LONGEST: u64 = 1 << 20;
/// How many messages may wait.
const WAITING: usize = 8;

/// A line that a client sent.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    Whole(Vec<u8>),
    TooLong,
}

impl Line {
    fn length(&self) -> usize {
        match self {
            Line::Whole(line) => line.len(),
            Line::TooLong => 0,
        }
    }
}

type ToServer = RxJsonRpcMessage<RoleServer>;

/// The two ends of the connection.
#[derive(Debug)]
pub(crate) struct Stdio<Out = File> {
    lines: mpsc::Receiver<Line>,
    stdout: Arc<Mutex<Out>>,
    /// The error for a line that is no message, while it is written. The server may drop [`Transport::receive`] at
    /// any time to do something else; the answer must go out all the same.
    writing: Option<JoinHandle<io::Result<()>>>,
    traffic: Arc<Traffic>,
    /// Whether a request has come. Before the first one, other messages are ignored.
    has_begun: bool,
}

impl Stdio {
    /// Reads stdin in a thread: a read cannot be interrupted, and the end must not wait for it.
    pub(crate) fn open(end: Arc<End>) -> io::Result<Stdio> {
        let (send, lines) = mpsc::channel(WAITING);
        thread::Builder::new().spawn(move || {
            let mut stdin = io::stdin().lock();
            while let Ok(Some(line)) = read_line(&mut stdin) {
                if send.blocking_send(line).is_err() {
                    break;
                }
            }
            end.silence();
        })?;
        // A client that does not read keeps the writer. The handle of the standard library, which the end of the
        // process needs, must not be among what is kept.
        let stdout = io::stdout().as_fd().try_clone_to_owned()?;
        Ok(Stdio::new(lines, File::from(stdout)))
    }
}

impl<Out> Stdio<Out> {
    fn new(lines: mpsc::Receiver<Line>, out: Out) -> Stdio<Out> {
        let (stdout, traffic) = (Arc::new(Mutex::new(out)), Arc::default());
        Stdio { lines, stdout, writing: None, traffic, has_begun: false }
    }

    /// The message, or the error that answers it if it is one too many.
    fn admit(&self, message: ToServer, bytes: usize) -> Result<ToServer, Value> {
        let refused = self.traffic.receive(&message, bytes);
        refused.map_err(|(code, why)| {
            let id = match &message {
                JsonRpcMessage::Request(request) => json!(request.id),
                _ => Value::Null,
            };
            error(code, why, id)
        })?;
        Ok(message)
    }
}

/// The next line that is not empty, or the end. A line that is too long is dropped.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if !line.ends_with(b"\n") && line.len() as u64 == LONGEST {
            return skip_line(input).map(|()| Some(Line::TooLong));
        }
        if !line.trim_ascii().is_empty() {
            return Ok(Some(Line::Whole(line)));
        }
    }
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let (length, is_over) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(length);
        if is_over {
            return Ok(());
        }
    }
}

/// The message in a line, or the error that answers it.
fn parse(line: &Line) -> Result<ToServer, Value> {
    let line = match line {
        Line::Whole(line) => line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line),
        Line::TooLong => {
            let message = format!("the message is longer than {LONGEST} bytes");
            return Err(error(ErrorCode::INVALID_REQUEST, &message, Value::Null));
        }
    };
    let value: Value = serde_json::from_slice(line)
        .map_err(|_| error(ErrorCode::PARSE_ERROR, "Parse error", Value::Null))?;
    let is_id = |id: &&Value| id.is_string() || id.is_i64();
    let id = value.get("id").filter(is_id).cloned().unwrap_or_default();
    // A request with an invalid id would pass for a notification and never be answered.
    let has_bad_id = id.is_null() && value.get("id").is_some() && value.get("method").is_some();
    let is_message = value.get("jsonrpc").is_some_and(|version| version == "2.0") && !has_bad_id;
    let invalid = || error(ErrorCode::INVALID_REQUEST, "Invalid request", id);
    if !is_message {
        return Err(invalid());
    }
    serde_json::from_value(value).map_err(|_| invalid())
}

fn error(code: ErrorCode, message: &str, id: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code.0, "message": message}})
}

/// Writes in a thread of its own: a write cannot be interrupted, and the end must not wait for it.
async fn write(out: Arc<Mutex<impl Write + Send + 'static>>, mut line: Vec<u8>) -> io::Result<()> {
    line.push(b'\n');
    let mut out = out.lock_owned().await;
    let written = spawn_blocking(move || out.write_all(&line).and_then(|()| out.flush()));
    written.await.map_err(io::Error::other)?
}

impl<Out: Write + Send + 'static> Transport<RoleServer> for Stdio<Out> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let stdout = Arc::clone(&self.stdout);
        let line = serde_json::to_vec(&message);
        let unwritten = self.traffic.send(&message, line.as_ref().map_or(0, Vec::len));
        async move {
            let written = write(stdout, line?).await;
            drop(unwritten);
            written
        }
    }

    async fn receive(&mut self) -> Option<ToServer> {
        loop {
            if let Some(writing) = &mut self.writing {
                let written = writing.await;
                self.writing = None;
                written.ok()?.ok()?;
            }
            self.traffic.can_read().await;
            let Some(line) = self.lines.recv().await else {
                self.traffic.is_settled().await;
                return None;
            };
            match parse(&line).and_then(|message| self.admit(message, line.length())) {
                Ok(message) => {
                    self.has_begun |= matches!(message, JsonRpcMessage::Request(_));
                    if self.has_begun {
                        return Some(message);
                    }
                }
                Err(answer) => {
                    let answer = answer.to_string().into_bytes();
                    self.writing = Some(tokio::spawn(write(Arc::clone(&self.stdout), answer)));
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(line: &str) -> Option<Value> {
        parse(&Line::Whole(line.as_bytes().to_vec())).err()
    }

    #[test]
    fn what_is_no_message_gets_the_error_of_json_rpc() {
        for line in ["{", "nonsense", "{\"jsonrpc\":\"2.0\",", "\u{fffd}"] {
            assert_eq!(answered(line).unwrap()["error"]["code"], -32700, "{line}");
        }
        for line in [
            "[]",
            "1",
            "null",
            "{}",
            "[{}]",
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0"}"#,
            r#"{"jsonrpc":"2.0","id":99999999999999999999999,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":5.0,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#,
        ] {
            let answer = answered(line).unwrap();
            assert_eq!(answer["error"]["code"], -32600, "{line}: {answer}");
        }
        let answer = answered(r#"{"jsonrpc":"2.0","id":7,"method":5}"#).unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(7), &json!(-32600)));
        assert_eq!(answered(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#), None);
        assert_eq!(answered("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"x/y\"}"), None);
    }

    /// A client that reads a line when it is let.
    struct Reader(std::sync::mpsc::Receiver<()>, std::sync::mpsc::Sender<Vec<u8>>);

    impl Write for Reader {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.recv().map_err(io::Error::other)?;
            self.1.send(bytes.to_vec()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn a_server_that_stops_receiving_still_answers_a_line_that_is_no_message() {
        let (send, lines) = mpsc::channel(WAITING);
        let (let_read, may_read) = std::sync::mpsc::channel();
        let (has_read, read) = std::sync::mpsc::channel();
        let mut stdio = Stdio::new(lines, Reader(may_read, has_read));
        send.send(Line::Whole(b"nonsense".to_vec())).await.unwrap();
        // What rmcp does when an answer to another request is ready.
        let dropped = tokio::time::timeout(std::time::Duration::ZERO, stdio.receive()).await;
        assert!(dropped.is_err(), "nothing was received");
        let_read.send(()).unwrap();
        send.send(Line::Whole(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.to_vec()))
            .await
            .unwrap();
        assert!(matches!(stdio.receive().await, Some(JsonRpcMessage::Request(_))));
        let answer: Value = serde_json::from_slice(&read.recv().unwrap()).unwrap();
        assert_eq!(answer["error"]["code"], -32700);
    }

    #[tokio::test]
    async fn input_ends_when_the_last_request_is_answered() {
        let (send, lines) = mpsc::channel(WAITING);
        let mut stdio = Stdio::new(lines, Vec::new());
        send.send(Line::Whole(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.to_vec()))
            .await
            .unwrap();
        drop(send);
        assert!(matches!(stdio.receive().await, Some(JsonRpcMessage::Request(_))));
        let early = tokio::time::timeout(std::time::Duration::ZERO, stdio.receive()).await;
        assert!(early.is_err(), "the answer is not written");
        let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {}});
        stdio.send(serde_json::from_value(answer).unwrap()).await.unwrap();
        assert!(stdio.receive().await.is_none());
    }

    #[test]
    fn lines_are_cut_and_long_ones_dropped() {
        let mut input = b"\n \n{}\r\n".to_vec();
        input.extend(vec![b'x'; usize::try_from(LONGEST).unwrap() + 5]);
        input.extend(b"\nlast");
        let mut input = &input[..];
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!(next(), Some(Line::Whole(b"{}\r\n".to_vec())));
        assert_eq!(next(), Some(Line::TooLong));
        assert_eq!(next(), Some(Line::Whole(b"last".to_vec())));
        assert_eq!(next(), None);
    }
}
