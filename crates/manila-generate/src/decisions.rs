//! What generated callers must decide: answers as manila writes them, and what manila decides about them.

use crate::contract::Contract;
use crate::example;
use manila::json::Raw;
use manila::{
    Action, Answer, Attempt, Change, Content, Defaults, Envelope, ErrorObject, Exit, Fix, History,
    Meta, Phase, Policy, Redirect, Redirects, Status, Strategy, Stream, Transcript, decide, open,
    write,
};
use serde_json::{Map, Value, json};

/// One case: what a call left behind, what happened before, and what is allowed.
#[derive(Clone)]
pub(crate) struct Case {
    pub stdout: String,
    pub stderr: String,
    pub exit_code: i32,
    pub history: History,
    pub policy: Policy,
    pub argv: Vec<String>,
}

/// The cases of a dialect as JSON, one each.
pub(crate) fn cases(contract: &Contract) -> Vec<Value> {
    let mut all = Vec::new();
    failures(contract, &mut all);
    special(contract, &mut all);
    let mut met: Vec<String> = Vec::new();
    let mut out = Vec::new();
    for case in &all {
        let Some(value) = case.to_json(contract) else { continue };
        let text = value.to_string();
        if !met.contains(&text) {
            met.push(text);
            out.push(value);
        }
    }
    out
}

/// Every class, with everything that an error may say about calling again.
fn failures(contract: &Contract, all: &mut Vec<Case>) {
    for &exit in Exit::ALL.iter().filter(|exit| !exit.is_success()) {
        for retryable in [None, Some(true), Some(false)] {
            for variant in 0..4 {
                let mut error = failure(contract, exit);
                error.retryable = retryable;
                let mut policy = Policy::default();
                match variant {
                    1 => error.wait_ms = Some(30_000),
                    2 => error.phase = Some(Phase::Validation),
                    3 => policy.idempotent = true,
                    _ => {}
                }
                all.push(Case { policy, ..Case::of(contract, exit, error) });
            }
        }
    }
}

/// A wait without a word about calling again, which only programs write that manila did not help with.
fn waits(contract: &Contract, all: &mut Vec<Case>) {
    for exit in [Exit::RateLimited, Exit::General, Exit::NotFound, Exit::Conflict] {
        let mut error = failure(contract, exit);
        (error.retryable, error.wait_ms) = (Some(true), Some(30_000));
        let case = Case::of(contract, exit, error);
        let strip = |text: &str| text.replacen("\"retryable\":true,", "", 1);
        let (stdout, stderr) = (strip(&case.stdout), strip(&case.stderr));
        let document = format!("{stdout}{stderr}");
        let schema = &contract.envelope_schema;
        let is_valid = serde_json::from_str(&document)
            .is_ok_and(|document| crate::schema::is_valid(schema, &document, schema));
        for idempotent in [false, true] {
            if is_valid {
                let policy = Policy { idempotent, ..Policy::default() };
                let (stdout, stderr) = (stdout.clone(), stderr.clone());
                all.push(Case { stdout, stderr, policy, ..case.clone() });
            }
        }
    }
}

/// A failure of a class, with a code that stands for it.
pub(crate) fn failure(contract: &Contract, exit: Exit) -> ErrorObject {
    let code = contract.code_of(exit).map_or(exit.name(), |row| row.code.as_str());
    ErrorObject::new(code, "it failed")
}

fn special(contract: &Contract, all: &mut Vec<Case>) {
    let attempts = |code: &str, count| History {
        attempts: vec![Attempt { code: code.to_owned() }; count],
        ..History::default()
    };
    let limited = Case::of(contract, Exit::RateLimited, {
        let mut error = failure(contract, Exit::RateLimited);
        error.retryable = Some(true);
        error
    });
    let code = failure(contract, Exit::RateLimited).code;
    all.push(Case { history: attempts(&code, 2), ..limited.clone() });
    all.push(Case { history: attempts(&code, 3), ..limited.clone() });
    let short = Policy { remaining_ms: Some(59_999), ..Policy::default() };
    all.push(Case { policy: short, ..limited.clone() });
    let enough = Policy { remaining_ms: Some(60_000), ..Policy::default() };
    all.push(Case { policy: enough, ..limited });
    // What is not called again needs no budget.
    let missing = failure(contract, Exit::NotFound);
    let history = attempts(&missing.code, 3);
    all.push(Case { history, ..Case::of(contract, Exit::NotFound, missing) });
    for strategy in [Strategy::Immediate, Strategy::Linear, Strategy::Exponential] {
        let mut error = failure(contract, Exit::General);
        (error.retryable, error.strategy) = (Some(true), Some(strategy));
        let history = attempts(&error.code, 2);
        let jitter = Policy { jitter: 0.5, ..Policy::default() };
        let case = Case::of(contract, Exit::General, error);
        all.push(Case { history, policy: jitter, ..case });
    }
    let mut away = failure(contract, Exit::Unavailable);
    away.retryable = Some(true);
    let patient = Policy { retries: 20, jitter: 1.0, ..Policy::default() };
    let history = attempts(&away.code, 12);
    all.push(Case { history, policy: patient, ..Case::of(contract, Exit::Unavailable, away) });
    waits(contract, all);
    redirects(contract, all);
    credentials(contract, all);
    fixes(contract, all);
    successes(contract, all);
    statuses(contract, all);
}

fn redirects(contract: &Contract, all: &mut Vec<Case>) {
    let moved = |command: &str, permanent| {
        let mut error = failure(contract, Exit::Redirected);
        error.retryable = Some(true);
        error.redirect =
            Some(Redirect { command: command.to_owned(), permanent, ..Redirect::default() });
        Case::of(contract, Exit::Redirected, error)
    };
    for command in [
        "tool users add --name 'a; b' \"c d\" e\\ f",
        "other users add",
        "tool; rm -rf /",
        "tool \"$HOME\"",
        "tool 'x",
        "tool ~/x",
        "tool #5",
        "A=1 tool",
        "",
        "tool old",
        "old new",
        "'' new",
        "tool '' x",
        "tool \"\" x",
        "tool \"a\\x\\\"b\" a#b c~",
        "tool \"a 'b' ; c\" 'd \"e\" $f'",
        "tool a\"b c\"d'e'",
        "tool\tx  y ",
        "tool \"x",
        "tool x\\",
        "tool \"`x`\"",
        "tool \"a\\$b\"",
        "tool {a}",
        "tool x\ny",
        "A=1",
    ] {
        all.push(moved(command, true));
    }
    let plain = moved("tool new", false);
    all.push(plain.clone());
    for redirects in [Redirects::Never, Redirects::Any] {
        for command in ["other x", "tool new", "A=1 tool", "'' new", " tool new"] {
            let policy = Policy { redirects, ..Policy::default() };
            all.push(Case { policy, ..moved(command, true) });
        }
    }
    let followed = |commands: &[&str]| History {
        redirects: commands.iter().map(|one| (*one).to_owned()).collect(),
        ..History::default()
    };
    all.push(Case { history: followed(&["tool new"]), ..plain.clone() });
    all.push(Case { history: followed(&["tool other", "tool next"]), ..plain.clone() });
    all.push(Case { history: followed(&["1", "2", "3", "4", "5"]), ..plain.clone() });
    all.push(Case { argv: vec!["/usr/bin/tool".to_owned(), "old".to_owned()], ..plain.clone() });
    all.push(Case { argv: vec![], ..plain });
    let argv = vec!["/usr/bin/tool".to_owned(), "old".to_owned()];
    all.push(Case { argv, ..moved("/usr/bin/tool new", true) });
    // Anywhere else a redirect is ignored.
    let mut error = failure(contract, Exit::NotFound);
    error.redirect =
        Some(Redirect { command: "tool new".to_owned(), permanent: true, ..Redirect::default() });
    all.push(Case::of(contract, Exit::NotFound, error));
}

fn credentials(contract: &Contract, all: &mut Vec<Case>) {
    for code in ["TOKEN_EXPIRED", "TOKEN_INVALID", "TOKEN_MISSING"] {
        if contract.codes.iter().all(|row| row.code != code) {
            continue;
        }
        let case = Case::of(contract, Exit::AuthRequired, ErrorObject::new(code, "it failed"));
        all.push(case.clone());
        let again = History { refreshed: true, ..History::default() };
        all.push(Case { history: again, ..case.clone() });
        let tried = vec![Attempt { code: code.to_owned() }];
        all.push(Case { history: History { attempts: tried, ..History::default() }, ..case });
        // A caller that refreshes by itself needs no stated fix.
        for (required, command) in [(None, Some("tool login")), (Some("be logged in"), None)] {
            let mut error = ErrorObject::new(code, "it failed");
            let text = |text: &str| text.to_owned();
            error.fix = Fix { required: required.map(text), command: command.map(text) };
            let case = Case::of(contract, Exit::AuthRequired, error);
            for refresh in [false, true] {
                let policy = Policy { refresh, fixes: true, ..Policy::default() };
                all.push(Case { policy, ..case.clone() });
            }
        }
    }
}

fn fixes(contract: &Contract, all: &mut Vec<Case>) {
    for (exit, required, command) in [
        (Exit::Precondition, None, Some("tool login")),
        (Exit::Precondition, None, Some("other login")),
        (Exit::Precondition, None, Some("tool | sh")),
        (Exit::PartialFailure, None, Some("tool login")),
        (Exit::Precondition, Some("be logged in"), None),
        (Exit::ArgError, Some("name an environment"), None),
    ] {
        let mut error = failure(contract, exit);
        let text = |text: &str| text.to_owned();
        error.fix = Fix { required: required.map(text), command: command.map(text) };
        let case = Case::of(contract, exit, error);
        all.push(case.clone());
        let allowed = Policy { fixes: true, ..Policy::default() };
        all.push(Case { policy: allowed.clone(), ..case.clone() });
        let fixed = History { fixed: true, ..History::default() };
        all.push(Case { history: fixed, policy: allowed.clone(), ..case.clone() });
        all.push(Case { policy: Policy { refresh: true, ..allowed }, ..case });
    }
}

fn successes(contract: &Contract, all: &mut Vec<Case>) {
    let whole = Case::success(contract, Meta::default(), &["it is deprecated".to_owned()]);
    all.push(whole.clone());
    let cut = |cursor: Option<&str>| Meta {
        truncated: true,
        cursor: cursor.map(str::to_owned),
        ..Meta::default()
    };
    all.push(Case::success(contract, cut(None), &[]));
    let next = Case::success(contract, cut(Some("c1")), &[]);
    let seen = History { cursors: vec!["c1".to_owned()], ..History::default() };
    all.push(Case { history: seen, ..next.clone() });
    let others = History { cursors: vec!["c0".to_owned()], ..History::default() };
    all.push(Case { history: others, ..next.clone() });
    all.push(next);
    let held = Case::success(contract, Meta { not_modified: true, ..Meta::default() }, &[]);
    all.push(Case { policy: Policy { cached: true, ..Policy::default() }, ..held.clone() });
    let reissued = History { reissued: true, ..History::default() };
    all.push(Case { history: reissued, ..held.clone() });
    all.push(Case { policy: Policy { retries: 1, ..Policy::default() }, ..held.clone() });
    all.push(held);
    nothing(contract, &whole, all);
    // The document and the process disagree.
    let failed = Case::of(contract, Exit::General, failure(contract, Exit::General));
    let text = format!("{}{}", failed.stdout, failed.stderr);
    all.push(Case { exit_code: 0, stdout: text, stderr: String::new(), ..failed });
    let lost = Case { exit_code: 1, stdout: String::new(), stderr: String::new(), ..whole.clone() };
    let place = match contract.table.failure.stream {
        Stream::Stdout => Case { stdout: whole.stdout, ..lost },
        Stream::Stderr => Case { stderr: whole.stdout, ..lost },
    };
    all.push(place);
}

/// Answers that say nothing, with each reason that there may be for it, where a dialect asks for one.
fn nothing(contract: &Contract, whole: &Case, all: &mut Vec<Case>) {
    let mut add = |change: &dyn Fn(&mut Map<String, Value>)| {
        let Ok(Value::Object(mut members)) = serde_json::from_str(&whole.stdout) else { return };
        change(&mut members);
        let stdout = format!("{}\n", Value::Object(members));
        all.push(Case { stdout, ..whole.clone() });
    };
    let names = ["ok", "data", "error", "meta"];
    let is_closed = serde_json::from_str::<Value>(&whole.stdout)
        .is_ok_and(|document| names.iter().all(|name| document.get(name).is_some()));
    if !is_closed || contract.table.no_data.is_empty() {
        return;
    }
    add(&|members| drop(members.remove("error")));
    add(&|members| drop(members.insert("data".to_owned(), Value::Null)));
    for reason in contract.table.no_data {
        for value in [json!(true), json!(false)] {
            add(&|members| {
                members.insert("data".to_owned(), Value::Null);
                if let Some(Value::Object(meta)) = members.get_mut("meta") {
                    meta.insert((*reason).to_owned(), value.clone());
                }
            });
        }
    }
}

/// Numbers outside the table, with an envelope and without.
fn statuses(contract: &Contract, all: &mut Vec<Case>) {
    let general = Case::of(contract, Exit::General, failure(contract, Exit::General));
    for exit_code in
        [14, 63, 64, 65, 77, 78, 79, 100, 101, 102, 123, 124, 125, 126, 127, 128, 137, -9]
    {
        all.push(Case { exit_code, ..general.clone() });
        let (stdout, stderr) = (String::new(), String::new());
        all.push(Case { stdout, stderr, exit_code, ..general.clone() });
    }
    for exit_code in [0, 1, 13] {
        for text in ["", "all is well\n"] {
            let (stdout, stderr) = (text.to_owned(), text.to_owned());
            all.push(Case { stdout, stderr, exit_code, ..general.clone() });
        }
    }
}

impl Case {
    fn written(contract: &Contract, envelope: Envelope) -> Case {
        let kind = contract.commands.first().and_then(|command| command.kinds.first());
        let meta = Meta { duration_ms: Some(5), ..Meta::default() };
        let kind = kind.map_or("sample", String::as_str).to_owned();
        let envelope = envelope.with_own_meta(meta);
        let has_kind = crate::layout::Layout::new(contract.table).kind.is_some();
        let envelope = envelope.with_kind(has_kind.then_some(kind));
        let written = write(&envelope, contract.dialect, &Defaults::default());
        let text = String::from_utf8_lossy(&written.document).into_owned();
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        let text = format!("{value}\n");
        let (stdout, stderr) = match written.stream {
            Stream::Stdout => (text, String::new()),
            Stream::Stderr => (String::new(), text),
        };
        let argv = vec!["tool".to_owned(), "old".to_owned()];
        let (history, policy) = (History::default(), Policy::default());
        Case { stdout, stderr, exit_code: written.status, history, policy, argv }
    }

    pub(crate) fn of(contract: &Contract, exit: Exit, error: ErrorObject) -> Case {
        Case::written(contract, Envelope::failure(exit, error))
    }

    pub(crate) fn success(contract: &Contract, meta: Meta, warnings: &[String]) -> Case {
        let data = (!meta.not_modified).then(|| data(contract));
        Case::with_data(contract, data.as_ref(), meta, warnings)
    }

    pub(crate) fn with_data(
        contract: &Contract,
        data: Option<&Value>,
        meta: Meta,
        warnings: &[String],
    ) -> Case {
        let data = data.and_then(|data| Raw::from_serialize(data).ok());
        let content = Content { data, meta, ..Content::default() };
        let envelope = Envelope::new(Exit::Success, content)
            .unwrap_or_else(|_| Envelope::success(Raw::null()));
        let envelope = warnings.iter().fold(envelope, |it, text| it.with_warning(text.clone()));
        Case::written(contract, envelope)
    }

    /// What the call wrote.
    pub(crate) fn document(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }

    fn transcript(&self) -> Transcript {
        let status = match self.exit_code {
            code if code < 0 => Status::Signaled(-code),
            code => Status::Exited(code),
        };
        Transcript {
            argv: self.argv.clone(),
            stdout: self.stdout.clone().into_bytes(),
            stderr: self.stderr.clone().into_bytes(),
            status,
            duration_ms: None,
        }
    }

    /// What manila reads in it.
    pub(crate) fn opened(&self, contract: &Contract) -> Option<Envelope> {
        Some(open(&self.transcript(), &options(contract)).ok()?.envelope)
    }

    /// The case with what manila decides, unless its answer is one that generated readers refuse
    /// although manila reads it.
    fn to_json(&self, contract: &Contract) -> Option<Value> {
        let transcript = self.transcript();
        let opened = open(&transcript, &options(contract));
        let answer = Answer::new(&transcript, opened.as_ref());
        let decision = decide(&answer, &self.history, &self.policy);
        let mut expect = json!({ "row": decision.row.id, "action": decision.action.name() });
        let members = expect.as_object_mut()?;
        match &decision.action {
            Action::Retry { wait_ms, change } => {
                members.insert("wait_ms".to_owned(), json!(wait_ms));
                if *change == Some(Change::WithoutEtag) {
                    members.insert("change".to_owned(), json!("without-etag"));
                }
            }
            Action::CorrectArguments { wait_ms } => {
                members.insert("wait_ms".to_owned(), json!(wait_ms));
            }
            Action::NextPage { cursor } => {
                members.insert("cursor".to_owned(), json!(cursor));
            }
            Action::Redirect { argv, remember, .. } => {
                members.insert("argv".to_owned(), json!(argv));
                members.insert("remember".to_owned(), json!(remember));
            }
            Action::ApplyFix { argv, .. } => {
                members.insert("argv".to_owned(), json!(argv));
            }
            _ => {}
        }
        let mut case = Map::new();
        case.insert("stdout".to_owned(), json!(self.stdout));
        case.insert("stderr".to_owned(), json!(self.stderr));
        case.insert("exit_code".to_owned(), json!(self.exit_code));
        case.insert("argv".to_owned(), json!(self.argv));
        case.insert("history".to_owned(), history(&self.history));
        case.insert("policy".to_owned(), policy(&self.policy));
        case.insert("expect".to_owned(), expect);
        Some(Value::Object(case))
    }
}

/// How answers in a contract's dialect are opened.
fn options(contract: &Contract) -> manila::Options {
    manila::Options { dialect: Some(contract.dialect), ..manila::Options::default() }
}

/// A payload that the first command may answer with.
fn data(contract: &Contract) -> Value {
    let schema = contract.commands.first().and_then(|command| command.schema.as_ref());
    let root = json!({ "$defs": contract.schemas });
    schema.and_then(|schema| example::of(schema, &root)).unwrap_or_else(crate::cases::data)
}

/// What differs from no history.
fn history(history: &History) -> Value {
    let attempts: Vec<&str> = history.attempts.iter().map(|one| one.code.as_str()).collect();
    let all = [
        ("attempts", json!(attempts), json!([])),
        ("cursors", json!(history.cursors), json!([])),
        ("redirects", json!(history.redirects), json!([])),
        ("refreshed", json!(history.refreshed), json!(false)),
        ("fixed", json!(history.fixed), json!(false)),
        ("reissued", json!(history.reissued), json!(false)),
    ];
    different(all)
}

/// What differs from the default policy.
fn policy(policy: &Policy) -> Value {
    let redirects = match policy.redirects {
        Redirects::Never => "never",
        Redirects::SameProgram => "same-program",
        Redirects::Any => "any",
    };
    let default = Policy::default();
    let all = [
        ("retries", json!(policy.retries), json!(default.retries)),
        ("hops", json!(policy.hops), json!(default.hops)),
        ("jitter", json!(policy.jitter), json!(default.jitter)),
        ("remaining_ms", json!(policy.remaining_ms), json!(null)),
        ("idempotent", json!(policy.idempotent), json!(false)),
        ("cached", json!(policy.cached), json!(false)),
        ("fixes", json!(policy.fixes), json!(false)),
        ("refresh", json!(policy.refresh), json!(false)),
        ("redirects", json!(redirects), json!("same-program")),
    ];
    different(all)
}

fn different<const N: usize>(all: [(&str, Value, Value); N]) -> Value {
    let changed = all.into_iter().filter(|(_, value, default)| value != default);
    Value::Object(changed.map(|(name, value, _)| (name.to_owned(), value)).collect())
}

/// The codes of a dialect whose class neither their own name nor their family says.
pub(crate) fn code_classes(contract: &Contract) -> Vec<(&'static str, Exit)> {
    let is_own = |(code, exit): &&(&'static str, Exit)| {
        let lower = code.to_lowercase();
        let family = if lower.ends_with("not_found") {
            Exit::NotFound
        } else if lower.starts_with("token_") {
            Exit::AuthRequired
        } else {
            Exit::General
        };
        *exit != Exit::from_name(code).unwrap_or(family)
    };
    contract.table.codes.iter().filter(is_own).copied().collect()
}
