//! Messages on stdin and stdout, one per line. Anything else is answered with the JSON-RPC error for it.

use crate::call::End;
use rmcp::model::{ErrorCode, JsonRpcMessage};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::thread;
use tokio::io::{AsyncWrite, AsyncWriteExt, Stdout};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinHandle;

/// The longest message, in bytes. The arguments of a call are far shorter.
const LONGEST: u64 = 4 << 20;
/// How many messages may wait.
const WAITING: usize = 64;

/// A line that a client sent.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    Whole(Vec<u8>),
    TooLong,
}

/// The two ends of the connection.
#[derive(Debug)]
pub(crate) struct Stdio<Out = Stdout> {
    lines: mpsc::Receiver<Line>,
    stdout: Arc<Mutex<Out>>,
    /// The error for a line that is no message, while it is written. The server may drop [`Transport::receive`] at
    /// any time to do something else; the answer must go out all the same.
    writing: Option<JoinHandle<io::Result<()>>>,
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
        Ok(Stdio::new(lines, tokio::io::stdout()))
    }
}

impl<Out> Stdio<Out> {
    fn new(lines: mpsc::Receiver<Line>, out: Out) -> Stdio<Out> {
        Stdio { lines, stdout: Arc::new(Mutex::new(out)), writing: None, has_begun: false }
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
fn parse(line: &Line) -> Result<RxJsonRpcMessage<RoleServer>, Value> {
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

async fn write(stdout: Arc<Mutex<impl AsyncWrite + Unpin>>, mut line: Vec<u8>) -> io::Result<()> {
    line.push(b'\n');
    let mut stdout = stdout.lock().await;
    stdout.write_all(&line).await?;
    stdout.flush().await
}

impl<Out: AsyncWrite + Send + Unpin + 'static> Transport<RoleServer> for Stdio<Out> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let stdout = Arc::clone(&self.stdout);
        async move { write(stdout, serde_json::to_vec(&message)?).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(writing) = &mut self.writing {
                let written = writing.await;
                self.writing = None;
                written.ok()?.ok()?;
            }
            match parse(&self.lines.recv().await?) {
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
        self.stdout.lock().await.flush().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncBufReadExt;

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

    #[tokio::test]
    async fn a_server_that_stops_receiving_still_answers_a_line_that_is_no_message() {
        let (send, lines) = mpsc::channel(WAITING);
        // A client that has not read yet: the answer does not fit.
        let (out, client) = tokio::io::duplex(1);
        let mut stdio = Stdio::new(lines, out);
        send.send(Line::Whole(b"nonsense".to_vec())).await.unwrap();
        // What rmcp does when an answer to another request is ready.
        let dropped = tokio::time::timeout(std::time::Duration::ZERO, stdio.receive()).await;
        assert!(dropped.is_err(), "nothing was received");
        let reading = tokio::spawn(async move {
            let mut line = String::new();
            tokio::io::BufReader::new(client).read_line(&mut line).await.map(|_| line)
        });
        send.send(Line::Whole(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.to_vec()))
            .await
            .unwrap();
        assert!(matches!(stdio.receive().await, Some(JsonRpcMessage::Request(_))));
        drop(stdio);
        let answer: Value = serde_json::from_str(&reading.await.unwrap().unwrap()).unwrap();
        assert_eq!(answer["error"]["code"], -32700);
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
