//! Whether a person agrees to a call that destroys something, or may.
//!
//! Clients of the revision 2026-07-28 are not sent requests: they get a question as the result and repeat the call
//! with the answer. Older clients are sent the question.

use rmcp::model::{
    CallToolRequestParams, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationSchema, InputRequest, InputRequests, InputRequiredResult,
    ProtocolVersion, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext, RoleServer};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// How long a person may take.
const PATIENCE: Duration = Duration::from_secs(600);
/// How many questions may be open at a time.
const MOST: usize = 64;
/// The name of the question, and of the answer in it.
const QUESTION: &str = "confirm";

/// What came of a question.
#[derive(Debug)]
pub(crate) enum Consent {
    /// A person agreed.
    Given,
    /// A person did not agree.
    Refused,
    /// The client cannot ask.
    CannotAsk,
    /// The client has to ask, and to repeat the call with the answer.
    Ask(Box<InputRequiredResult>),
}

/// The questions that are open: an answer counts once, and only for the call that it was asked about.
#[derive(Debug, Default)]
pub(crate) struct Questions(Mutex<HashMap<String, (Vec<String>, Instant)>>);

impl Questions {
    /// Whether a person agrees to this call.
    pub(crate) async fn ask(
        &self,
        call: &[String],
        message: &str,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Consent {
        let can_ask =
            context.client_capabilities().and_then(|it| it.elicitation).is_some_and(|it| {
                // Clients before the modes of elicitation offer forms only.
                it.form.is_some() || it.url.is_none()
            });
        if !can_ask {
            return Consent::CannotAsk;
        }
        let is_stateless =
            context.protocol_version().is_some_and(|it| it >= ProtocolVersion::V_2026_07_28);
        if is_stateless {
            self.ask_by_result(call, message, request)
        } else {
            ask_by_request(message, context).await
        }
    }

    fn ask_by_result(
        &self,
        call: &[String],
        message: &str,
        request: &CallToolRequestParams,
    ) -> Consent {
        if let (Some(state), Some(answers)) = (&request.request_state, &request.input_responses) {
            let is_open = self.take(state).is_some_and(|asked| asked == call);
            let answer = answers.get(QUESTION).cloned();
            let answer = answer.and_then(|it| serde_json::from_value::<ElicitResult>(it).ok());
            return match answer {
                Some(answer) if is_open => consent(&answer),
                _ => Consent::Refused,
            };
        }
        let question = InputRequest::Elicitation(ElicitRequest::new(params(message)));
        let questions = InputRequests::from([(QUESTION.to_owned(), question)]);
        let state = self.open(call.to_vec());
        Consent::Ask(Box::new(InputRequiredResult::new(Some(questions), Some(state))))
    }

    /// Opens a question. Its handle says nothing about it and cannot be guessed.
    fn open(&self, call: Vec<String>) -> String {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, (_, since)| since.elapsed() < PATIENCE);
        if open.len() >= MOST
            && let Some(oldest) =
                open.iter().min_by_key(|(_, (_, since))| *since).map(|(it, _)| it.clone())
        {
            open.remove(&oldest);
        }
        let handle = Uuid::new_v4().to_string();
        open.insert(handle.clone(), (call, Instant::now()));
        handle
    }

    fn take(&self, handle: &str) -> Option<Vec<String>> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (call, since) = open.remove(handle)?;
        (since.elapsed() < PATIENCE).then_some(call)
    }
}

async fn ask_by_request(message: &str, context: &RequestContext<RoleServer>) -> Consent {
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(params(message)));
    let options = PeerRequestOptions::with_timeout(PATIENCE);
    let sent = context.peer.send_request_with_option(request, options).await;
    let Ok(handle) = sent else { return Consent::CannotAsk };
    let answer = tokio::select! {
        answer = handle.await_response() => answer,
        () = context.ct.cancelled() => return Consent::Refused,
    };
    match answer {
        Ok(ClientResult::ElicitResult(answer)) => consent(&answer),
        _ => Consent::Refused,
    }
}

fn consent(answer: &ElicitResult) -> Consent {
    let confirmed = answer.content.as_ref().and_then(|content| content.get(QUESTION));
    let is_confirmed = confirmed.and_then(serde_json::Value::as_bool) == Some(true);
    if answer.action == ElicitationAction::Accept && is_confirmed {
        Consent::Given
    } else {
        Consent::Refused
    }
}

fn params(message: &str) -> ElicitRequestParams {
    let schema = ElicitationSchema::builder()
        .required_bool_with(QUESTION, |answer| answer.title("Run it"))
        .build();
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message.to_owned(),
        requested_schema: schema.unwrap_or_else(|_| ElicitationSchema::new(BTreeMap::new())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    fn asked(questions: &Questions, line: &str) -> String {
        let request = CallToolRequestParams::new("act");
        match questions.ask_by_result(&call(line), "really?", &request) {
            Consent::Ask(question) => question.request_state.unwrap(),
            other => panic!("{other:?}"),
        }
    }

    fn is_given(questions: &Questions, line: &str, state: &str, answer: serde_json::Value) -> bool {
        let answers = [(QUESTION.to_owned(), answer)].into_iter().collect();
        let request = CallToolRequestParams::new("act")
            .with_input_responses(answers)
            .with_request_state(state);
        matches!(questions.ask_by_result(&call(line), "really?", &request), Consent::Given)
    }

    #[test]
    fn an_answer_counts_once_and_for_its_call_alone() {
        let questions = Questions::default();
        let yes = || json!({"action": "accept", "content": {"confirm": true}});
        let state = asked(&questions, "git reset --hard");
        assert!(is_given(&questions, "git reset --hard", &state, yes()));
        assert!(!is_given(&questions, "git reset --hard", &state, yes()), "a second time");
        let state = asked(&questions, "git reset --hard");
        assert!(!is_given(&questions, "git clean -fdx", &state, yes()), "another call");
        assert!(!is_given(&questions, "git reset --hard", "made-up", yes()), "a made up state");
    }

    #[test]
    fn anything_but_a_yes_is_a_no() {
        let questions = Questions::default();
        for answer in [
            json!({"action": "decline"}),
            json!({"action": "cancel"}),
            json!({"action": "accept"}),
            json!("yes"),
            json!({"action": "accept", "content": {"confirm": false}}),
            json!({"action": "decline", "content": {"confirm": true}}),
            json!({"action": "accept", "content": {"confirm": "true"}}),
            json!(null),
        ] {
            let state = asked(&questions, "git reset --hard");
            assert!(!is_given(&questions, "git reset --hard", &state, answer.clone()), "{answer}");
        }
    }

    #[test]
    fn open_questions_are_bounded() {
        let questions = Questions::default();
        let first = asked(&questions, "a");
        for _ in 0..MOST {
            asked(&questions, "b");
        }
        assert!(questions.take(&first).is_none());
        assert_eq!(questions.0.lock().unwrap().len(), MOST);
    }
}
