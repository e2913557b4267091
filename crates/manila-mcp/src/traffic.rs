//! What is on its way between the client and the server: requests that have no answer yet, and messages that
//! stdout has not taken. Both have limits, so that no client can fill the memory.

use rmcp::model::{
    ClientNotification, ErrorCode, JsonRpcMessage, JsonRpcNotification, NumberOrString,
};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// How many requests may be open, and how many bytes they may have together.
const MOST_OPEN: usize = 1024;
const MOST_OPEN_BYTES: usize = 32 << 20;
/// The error of a request beyond that. The numbers from here on are the server's own.
const TOO_MANY: ErrorCode = ErrorCode(-32000);
/// How many messages may wait for stdout before no further one is read, and how many bytes.
const MOST_UNWRITTEN: usize = 64;
const MOST_UNWRITTEN_BYTES: usize = 4 << 20;

/// The requests and messages on their way.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    /// The requests of the client without an answer, and how long they are.
    open: HashMap<NumberOrString, usize>,
    open_bytes: usize,
    /// The requests of the server without one.
    asked: HashSet<NumberOrString>,
    unwritten: usize,
    unwritten_bytes: usize,
}

impl State {
    fn close(&mut self, id: &NumberOrString) {
        self.open_bytes -= self.open.remove(id).unwrap_or_default();
    }
}

/// A message that stdout has not taken yet.
#[derive(Debug)]
pub(crate) struct Unwritten {
    traffic: Arc<Traffic>,
    bytes: usize,
    answers: Option<NumberOrString>,
}

impl Drop for Unwritten {
    fn drop(&mut self) {
        let mut state = self.traffic.state();
        state.unwritten -= 1;
        state.unwritten_bytes -= self.bytes;
        if let Some(id) = &self.answers {
            state.close(id);
        }
        drop(state);
        self.traffic.changed.notify_one();
    }
}

impl Traffic {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of a message of the client, or says with which error it is refused.
    pub(crate) fn receive(
        &self,
        message: &RxJsonRpcMessage<RoleServer>,
        bytes: usize,
    ) -> Result<(), (ErrorCode, &'static str)> {
        let mut state = self.state();
        match message {
            JsonRpcMessage::Request(request) => {
                if state.open.contains_key(&request.id) {
                    return Err((
                        ErrorCode::INVALID_REQUEST,
                        "another request with this id is open",
                    ));
                }
                if state.open.len() >= MOST_OPEN || state.open_bytes + bytes > MOST_OPEN_BYTES {
                    return Err((TOO_MANY, "too many requests are open"));
                }
                state.open.insert(request.id.clone(), bytes);
                state.open_bytes += bytes;
            }
            // The server does not answer what was cancelled.
            JsonRpcMessage::Notification(JsonRpcNotification {
                notification: ClientNotification::CancelledNotification(cancelled),
                ..
            }) => {
                if let Some(id) = &cancelled.params.request_id {
                    state.close(id);
                }
            }
            JsonRpcMessage::Response(response) => {
                state.asked.remove(&response.id);
            }
            JsonRpcMessage::Error(error) => {
                error.id.as_ref().map(|id| state.asked.remove(id));
            }
            JsonRpcMessage::Notification(_) => {}
        }
        Ok(())
    }

    /// Takes note of a message for the client, until the result is dropped.
    pub(crate) fn send(
        self: &Arc<Self>,
        message: &TxJsonRpcMessage<RoleServer>,
        bytes: usize,
    ) -> Unwritten {
        let mut state = self.state();
        state.unwritten += 1;
        state.unwritten_bytes += bytes;
        let answers = match message {
            JsonRpcMessage::Response(response) => Some(response.id.clone()),
            JsonRpcMessage::Error(error) => error.id.clone(),
            JsonRpcMessage::Request(request) => {
                state.asked.insert(request.id.clone());
                None
            }
            JsonRpcMessage::Notification(_) => None,
        };
        Unwritten { traffic: Arc::clone(self), bytes, answers }
    }

    /// Waits until stdout has taken enough for a further message to be read.
    pub(crate) async fn can_read(&self) {
        let is_full = |state: &State| {
            state.unwritten >= MOST_UNWRITTEN || state.unwritten_bytes >= MOST_UNWRITTEN_BYTES
        };
        while is_full(&self.state()) {
            self.changed.notified().await;
        }
    }

    /// Waits until every request of the client is answered, unless an answer needs a client that sends nothing more.
    pub(crate) async fn is_settled(&self) {
        let is_settled = |state: &State| state.open.is_empty() || !state.asked.is_empty();
        while !is_settled(&self.state()) {
            self.changed.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, from_value, json};
    use std::time::Duration;
    use tokio::time::timeout;

    fn request(id: usize) -> Value {
        json!({"jsonrpc": "2.0", "id": id, "method": "ping"})
    }

    fn received(
        traffic: &Traffic,
        message: Value,
        bytes: usize,
    ) -> Result<(), (ErrorCode, &'static str)> {
        traffic.receive(&from_value(message).unwrap(), bytes)
    }

    fn sent(traffic: &Arc<Traffic>, message: Value, bytes: usize) -> Unwritten {
        traffic.send(&from_value(message).unwrap(), bytes)
    }

    fn answered(traffic: &Arc<Traffic>, id: usize) -> Unwritten {
        sent(traffic, json!({"jsonrpc": "2.0", "id": id, "result": {}}), 36)
    }

    async fn is_pending(wait: impl Future<Output = ()>) -> bool {
        timeout(Duration::ZERO, wait).await.is_err()
    }

    #[test]
    fn a_request_is_open_until_its_answer_is_written() {
        let traffic = Arc::<Traffic>::default();
        assert_eq!(received(&traffic, request(1), 40), Ok(()));
        assert_eq!(received(&traffic, request(1), 40).unwrap_err().0, ErrorCode::INVALID_REQUEST);
        let answer = answered(&traffic, 1);
        assert!(received(&traffic, request(1), 40).is_err(), "it is not written");
        drop(answer);
        assert_eq!(received(&traffic, request(1), 40), Ok(()));
    }

    #[test]
    fn requests_that_are_one_too_many_are_refused_until_others_end() {
        let traffic = Arc::<Traffic>::default();
        for id in 0..MOST_OPEN {
            assert_eq!(received(&traffic, request(id), 1), Ok(()), "{id}");
        }
        let more = || received(&traffic, request(MOST_OPEN), 1);
        assert_eq!(more().unwrap_err().0, TOO_MANY);
        let cancelled = json!({"requestId": 5});
        let cancelled =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled});
        assert_eq!(received(&traffic, cancelled, 1), Ok(()));
        assert_eq!(more(), Ok(()));
        let traffic = Arc::<Traffic>::default();
        assert_eq!(received(&traffic, request(1), MOST_OPEN_BYTES), Ok(()));
        assert_eq!(received(&traffic, request(2), 1).unwrap_err().0, TOO_MANY);
        drop(answered(&traffic, 1));
        assert_eq!(received(&traffic, request(2), 1), Ok(()));
    }

    #[tokio::test]
    async fn nothing_is_read_while_too_much_waits_for_stdout() {
        let traffic = Arc::<Traffic>::default();
        let mut waiting: Vec<_> = (1..MOST_UNWRITTEN).map(|id| answered(&traffic, id)).collect();
        assert!(!is_pending(traffic.can_read()).await);
        waiting.push(answered(&traffic, MOST_UNWRITTEN));
        assert!(is_pending(traffic.can_read()).await);
        waiting.pop();
        assert!(!is_pending(traffic.can_read()).await);
        waiting.clear();
        let long = sent(&traffic, request(1), MOST_UNWRITTEN_BYTES);
        assert!(is_pending(traffic.can_read()).await);
        drop(long);
        assert!(!is_pending(traffic.can_read()).await);
    }

    #[tokio::test]
    async fn the_end_of_input_waits_for_answers_that_need_no_more_of_it() {
        let traffic = Arc::<Traffic>::default();
        assert!(!is_pending(traffic.is_settled()).await);
        received(&traffic, request(1), 40).unwrap();
        assert!(is_pending(traffic.is_settled()).await);
        // A question to the client, and what it says.
        drop(sent(&traffic, request(7), 40));
        assert!(!is_pending(traffic.is_settled()).await);
        received(&traffic, json!({"jsonrpc": "2.0", "id": 7, "result": {}}), 40).unwrap();
        assert!(is_pending(traffic.is_settled()).await);
        drop(answered(&traffic, 1));
        assert!(!is_pending(traffic.is_settled()).await);
    }
}
