//! From an outcome to the bytes of both streams and the status: the verdict, before anything is
//! written.

use crate::call::{Call, Said, is_blank};
use crate::code::Code;
use crate::contract::Stage;
use crate::failure::{Parts, Problem};
use crate::fit::{cut, left_out, most_bytes, without_effect};
use crate::flag::Name;
use crate::hint;
use crate::mode::Mode;
use crate::relay::relay;
use crate::reply::{Reply, Shape};
use crate::screen::{Screen, steers, visible};
use crate::secret;
use crate::sys::Stray;
use manila::exit::Retry;
use manila::json::{Members, Raw};
use manila::{
    Content, Defaults, Envelope, Exit, Fix, Issue, KindNames, Lines, Meta, Phase, Severity, Stream,
    Warning, write_into,
};
use serde::Serialize;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::time::SystemTime;

/// What only the boundary says about an answer.
const OWN_META: &[&str] = &[
    "tool_version",
    "command",
    "trace_id",
    "timeout_ms",
    "frames",
    "returned",
    "total",
    "total_bytes",
    "has_more",
    "etag",
    "deprecations",
    "validation_only",
];

/// What a handler came to.
pub(crate) type Outcome = Result<Box<dyn Reply>, Problem>;

/// What goes out: everything is known before the first byte is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Emission {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) status: i32,
    /// The stream that the answer is on; what is on the other stands beside it.
    pub(crate) answer: Stream,
}

/// Fills in what every failure must say and its author left out: no code and no message is empty,
/// and where the dialect has no redirects the call to make instead is a suggestion.
pub(crate) fn complete(call: &Call, outcome: Outcome) -> Outcome {
    outcome.map_err(|mut problem| {
        let Parts { exit, failure, .. } = &mut *problem.parts;
        if *exit == Exit::Redirected {
            *exit = call.redirect_class();
            if let (None, Some(redirect)) = (&failure.suggestion, &failure.redirect) {
                failure.suggestion = Some(format!("call `{}`", redirect.command));
            }
        }
        let class = failing(*exit);
        if is_blank(&failure.code) {
            class.name().clone_into(&mut failure.code);
        }
        if is_blank(&failure.message) {
            // Without its full stop it is a message like any other, and not what a reader makes of
            // a document that says nothing.
            class.meaning().trim_end_matches('.').clone_into(&mut failure.message);
        }
        failure.phase.get_or_insert(Phase::Execution);
        problem
    })
}

/// The class of a failure: success is none.
fn failing(exit: Exit) -> Exit {
    if exit.is_success() { Exit::General } else { exit }
}

/// Seals an outcome.
pub(crate) fn seal(call: &Call, outcome: Outcome, stray: &Stray) -> Emission {
    let outcome = complete(call, outcome);
    let mut said = std::mem::take(&mut *call.said());
    let outcome = match said.lost.take() {
        Some(why) => {
            let message = format!("a part of the answer could not be written: {why}");
            outcome.and_then(|_| Err(call.problem(Code::OutputFailed, message)))
        }
        None => outcome,
    };
    own_warnings(call, stray, &mut said);
    if let Ok(reply) = &outcome
        && let Some(relayed) = reply.relayed()
    {
        return relay(call, reply.as_ref(), relayed, said);
    }
    if call.mode.is_json() { document(call, outcome, said) } else { page(call, outcome, &said) }
}

/// What the boundary has to warn about itself.
fn own_warnings(call: &Call, stray: &Stray, said: &mut Said) {
    if let Some(deprecation) = call.spec().and_then(|spec| spec.deprecated) {
        let command = call.command().to_owned();
        let (since, instead) = (deprecation.since, deprecation.instead);
        said.warnings.push(format!(
            "`{command}` is deprecated since {since} and will be removed: call `{instead}` instead"
        ));
        said.push_meta("deprecations", &[Deprecated { command, since, instead }]);
    }
    if let Some(migration) = call.setup.migration
        && migration.stage == Stage::Deprecated
        && call.shape == Shape::Legacy
        && call.mode.is_json()
    {
        let (old, new) = (migration.old.0, migration.new.0);
        said.warnings.push(format!(
            "envelope version {old} is deprecated and will be removed: read version {new}"
        ));
    }
    if stray.total > 0 {
        let text = String::from_utf8_lossy(&stray.beginning);
        let is_cut = stray.total > stray.beginning.len() as u64;
        let (text, more) = if is_cut { (secret::without_cut(&text), "…") } else { (&*text, "") };
        said.warnings.push(format!(
            "THIRD_PARTY_STDOUT: {} bytes on standard output belong to no answer: {}{more}",
            stray.total,
            text.trim_end()
        ));
    }
}

#[derive(Serialize)]
struct Deprecated {
    command: String,
    since: &'static str,
    instead: &'static str,
}

impl Said {
    #[inline(never)]
    fn push_meta(&mut self, key: &'static str, value: &(impl Serialize + ?Sized)) {
        if let Ok(value) = Raw::of(value) {
            self.meta.push(key, value);
        }
    }
}

/// For programs: one document.
fn document(call: &Call, outcome: Outcome, said: Said) -> Emission {
    let (envelope, signal, unsaid) = envelope(call, outcome, said);
    let payload = envelope.content().data.as_ref().map_or(0, |data| data.as_str().len());
    let memory = Vec::with_capacity(payload + 512);
    let written = write_into(memory, &envelope, call.dialect, &defaults(call), lines(call));
    // The process ends here, and with it what the envelope holds.
    std::mem::forget(envelope);
    let (stdout, stderr) = (Vec::new(), Vec::new());
    let mut emission = Emission { stdout, stderr, status: written.status, answer: written.stream };
    if let Some(signal) = signal {
        emission.status = call.dialect.about().exits.interrupted(signal);
    }
    let document = written.document;
    match written.stream {
        Stream::Stdout => {
            emission.stdout = document;
            emission.stderr = warnings(call, &unsaid);
        }
        Stream::Stderr => emission.stderr = document,
    }
    emission
}

/// The name of a reply's kind, unless the dialect wants the command's.
fn kind(call: &Call, reply: &dyn Reply) -> Option<String> {
    (call.dialect.about().kind == KindNames::Type).then(|| reply.kind().to_owned())
}

pub(crate) fn defaults(call: &Call) -> Defaults {
    let mut defaults = Defaults::default();
    if !call.dialect.about().roomy {
        let path = if call.path.is_empty() { &call.program.name } else { &call.path };
        let typed = call.typed.as_ref().map(|typed| clean(typed.clone()));
        defaults.kind = typed.as_ref().unwrap_or(path).replace(' ', "-").into();
    }
    defaults
}

/// Words without secrets, and without anything that would steer the terminal of whoever reads them.
pub(crate) fn clean(text: String) -> String {
    let text = secret::scrub(text);
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let steers = |text: &str| text.chars().any(|it| steers(it) && it != '\n');
    if !is_plain && steers(&text) { visible(&text) } else { text }
}

fn clean_issue(issue: Issue) -> Issue {
    let Issue { code, severity, message, path, link, extra } = issue;
    let mut clean_extra = Members::default();
    for (key, value) in extra.iter() {
        clean_extra.push(key.to_owned(), secret::scrub_payload(value.clone()));
    }
    let (message, path, link) = (message.map(clean), path.map(clean), link.map(clean));
    Issue { code, severity, message, path, link, extra: clean_extra }
}

/// In a stream the envelope is the last line, so it is one.
pub(crate) fn lines(call: &Call) -> Lines {
    if call.mode == Mode::Jsonl { Lines::One } else { Lines::AsUsual }
}

/// The envelope of an outcome, the signal behind it, and the warnings that its dialect has no place
/// for.
fn envelope(call: &Call, outcome: Outcome, said: Said) -> (Envelope, Option<i32>, Vec<String>) {
    let is_roomy = call.dialect.about().roomy;
    let mut said = said;
    let mut content = Content { meta: final_meta(call), ..Content::default() };
    let outcome = outcome.and_then(|reply| data(call, reply.as_ref(), &mut content, &mut said));
    let mut unsaid = Vec::new();
    content.issues = said.issues.into_iter().map(clean_issue).collect();
    let warnings = said.warnings.into_iter().map(clean);
    if is_roomy {
        content.warnings = warnings.map(Warning::Text).collect();
        content.meta.extra.extend(said.meta);
        for (key, value) in said.notes.iter() {
            // What the boundary says about an answer nobody else does.
            if !OWN_META.contains(&key) && content.meta.extra.get(key).is_none() {
                content.meta.extra.push(key.to_owned(), secret::scrub_payload(value.clone()));
            }
        }
    } else {
        unsaid.extend(warnings);
        if let Some(cursor) = &content.meta.cursor {
            unsaid.push(format!("there are more; go on with --cursor {cursor}"));
        }
    }
    match outcome {
        Ok(()) => match Envelope::new(Exit::Success, content) {
            Ok(envelope) => (envelope, None, unsaid),
            Err(_) => unreachable!("a success has data, unless they are not modified"),
        },
        Err(problem) => {
            let signal = problem.parts.signal;
            (failed(call, problem, content, &unsaid), signal, unsaid)
        }
    }
}

/// Puts a reply's payload into the envelope: its page, its tag, as much of it as is wanted.
fn data(
    call: &Call,
    reply: &dyn Reply,
    content: &mut Content,
    said: &mut Said,
) -> Result<(), Problem> {
    let failed = |error: serde_json::Error| {
        let message = format!("the answer has no JSON form: {error}");
        call.problem(Code::SerializationFailed, message)
            .suggestion("this is a bug of the program; the work itself is done")
    };
    let mut data = secret::scrub_payload(reply.data(call.shape).map_err(failed)?);
    content.kind = kind(call, reply);
    if let Some(page) = reply.page() {
        let cut = cut(call, page, &mut data).map_err(failed)?;
        let returned = cut.as_ref().map_or_else(|| page.returned(), |(kept, _)| *kept);
        let next = cut.map_or_else(|| page.next(), |(_, cursor)| Some(cursor));
        content.meta.truncated = next.is_some();
        said.push_meta("returned", &(returned as u64));
        if let Some(total) = page.total() {
            said.push_meta("total", &(total as u64));
        }
        said.push_meta("has_more", &next.is_some());
        content.meta.cursor = next;
        let most = most_bytes(call, call.dialect, &data).unwrap_or(call.setup.max_bytes);
        if data.as_str().len() > most && call.dialect.about().roomy {
            let bytes = data.as_str().len();
            let text =
                format!("the page has {bytes} bytes, {most} are allowed, and it cannot be cut");
            said.warnings.push(text);
        }
    } else if let Some(most) =
        most_bytes(call, call.dialect, &data).filter(|most| data.as_str().len() > *most)
    {
        content.meta.truncated = true;
        said.push_meta("total_bytes", &(data.as_str().len() as u64));
        said.warnings.push(left_out(Some(&data), most));
        data = Raw::object([]);
    }
    said.warnings.extend(without_effect(call, call.dialect, &data));
    if call.asked.has(Name::ValidateOnly) {
        said.push_meta("validation_only", &true);
    }
    let tag = said.tag.take();
    let is_wanted = call.asked.has(Name::Etag) || call.spec().is_some_and(|spec| spec.cacheable);
    if tag.is_some() || is_wanted {
        let tag = tag.unwrap_or_else(|| etag(data.as_str()));
        // A dialect that has no word for it would answer with nothing and not say why.
        content.meta.not_modified = call.dialect.about().roomy
            && call.asked.value(Name::Etag).is_some_and(|known| *known == *tag);
        said.push_meta("etag", tag.as_str());
    }
    content.data = (!content.meta.not_modified).then_some(data);
    Ok(())
}

/// A tag that changes whenever the data do. It need not withstand anybody: whoever sends a tag is the
/// only one whom a wrong one would harm.
pub(crate) fn etag(data: &str) -> String {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, data).hash(&mut hasher);
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(0), half(1))
}

/// An error, and what a failure has to say beside it: data, the name of what is missing, issues.
type Rest = (manila::Failure, Option<Box<dyn Reply>>, Option<String>, Vec<Issue>);

/// The envelope of a failure.
fn failed(call: &Call, problem: Problem, content: Content, unsaid: &[String]) -> Envelope {
    let exit = failing(problem.parts.exit);
    let (mut failure, data, missing, issues) = failure(call, problem);
    let data = data.and_then(|data| {
        let kind = kind(call, data.as_ref());
        data.data(call.shape).ok().map(|data| (kind, secret::scrub_payload(data)))
    });
    let (kind, mut data) = data.unzip();
    let kind = kind.flatten();
    hint::keep(call, exit, &mut failure, &mut data, unsaid);
    let issues = content.issues.into_iter().chain(issues.into_iter().map(clean_issue)).collect();
    let content = Content { kind, data, missing, issues, error: Some(failure), ..content };
    match Envelope::new(exit, content) {
        Ok(envelope) => envelope,
        Err(_) => unreachable!("a failure with an error is always an envelope"),
    }
}

/// The error of a failure, without the secrets that found their way into its words, and the rest of
/// what it has to say.
pub(crate) fn failure(call: &Call, problem: Problem) -> Rest {
    let Parts { exit, mut failure, data, missing, issues, signal: _ } = problem.into_parts();
    rename(call, &mut failure);
    failure.message = clean(failure.message);
    let manila::Failure { detail, suggestion, operation, target, fix, .. } = &mut failure;
    let Fix { required, command } = fix;
    for text in [detail, suggestion, operation, target, required, command] {
        *text = text.take().map(clean);
    }
    if let Some(redirect) = &mut failure.redirect {
        redirect.command = secret::scrub(std::mem::take(&mut redirect.command));
    }
    failure.details = failure.details.map(secret::scrub_payload);
    let missing = missing.map(clean);
    failure.retryable.get_or_insert(call.dialect.about().exits.conclude(exit).0 == Retry::Yes);
    (failure, data, missing, issues)
}

/// A failure of the boundary has the name that the program gave it, also when a handler passed it on.
fn rename(call: &Call, failure: &mut manila::Failure) {
    if let Some((_, name)) = call.setup.names.iter().find(|(code, _)| code.name() == failure.code) {
        (*name).clone_into(&mut failure.code);
    }
}

/// What is known about the answer before there is one.
pub(crate) fn meta(call: &Call) -> Meta {
    let mut extra = Members::default();
    let mut add = |key: &'static str, value: serde_json::Result<Raw>| {
        if let Ok(value) = value {
            extra.push(key, value);
        }
    };
    if call.dialect.about().roomy {
        if let Some(version) = &call.program.version {
            add("tool_version", Ok(Raw::text(version)));
        }
        if !call.path.is_empty() {
            add("command", Ok(Raw::text(&call.path)));
        }
        if let Some(trace) = &call.trace_id {
            add("trace_id", Ok(Raw::text(trace)));
        }
        if let Some(limit) = call.limit {
            add("timeout_ms", Raw::of(&u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)));
        }
    }
    let cwd = std::env::current_dir().ok().map(PathBuf::into_os_string);
    let cwd =
        cwd.map(|cwd| cwd.into_string().unwrap_or_else(|cwd| cwd.to_string_lossy().into_owned()));
    Meta { request_id: Some(call.request_id.clone()), cwd, extra, ..Meta::default() }
}

/// The same at the end, with what only the end tells.
pub(crate) fn final_meta(call: &Call) -> Meta {
    let mut meta = call.take_meta();
    meta.duration_ms = Some(call.elapsed());
    meta.timestamp = (!call.dialect.about().roomy).then(now);
    if call.mode == Mode::Jsonl && call.dialect.about().roomy {
        meta.extra.extend(frames(call));
    }
    meta
}

pub(crate) fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

fn frames(call: &Call) -> Members {
    let mut frames = Members::default();
    if let Ok(count) = Raw::of(&call.frames.count()) {
        frames.push("frames", count);
    }
    frames
}

pub(crate) fn warnings(call: &Call, warnings: &[String]) -> Vec<u8> {
    let mut screen = Screen::new(Mode::Plain.layout(), call.colour[2]);
    for warning in warnings.iter().filter(|_| !call.is_quiet()) {
        screen.warning(&secret::scrub(warning.clone()));
    }
    screen.into_text().into_bytes()
}

/// For people: the page on standard output, warnings and errors on standard error.
fn page(call: &Call, outcome: Outcome, said: &Said) -> Emission {
    let mut screen = Screen::new(call.mode.layout(), call.colour[1]);
    let mut errors = Screen::new(call.mode.layout(), call.colour[2]);
    let mut stderr = warnings(call, &said.warnings);
    let mut status = 0;
    let mut answer = Stream::Stdout;
    let mut shown = None;
    match outcome {
        Ok(reply) => {
            reply.show(&mut screen);
            if let Some(page) = reply.page()
                && let Some(next) = page.next()
                && !call.is_quiet()
            {
                errors.note(&format!("there are more; go on with --cursor {next}"));
            }
        }
        Err(problem) => {
            let table = call.dialect.about().exits;
            let Parts { exit, mut failure, data, signal, .. } = problem.into_parts();
            let of_class = || table.status(failing(exit));
            status = signal.map_or_else(of_class, |signal| table.interrupted(signal));
            if let Some(data) = &data {
                data.show(&mut screen);
            }
            rename(call, &mut failure);
            errors.error(&failure);
            shown = Some(failure);
            answer = Stream::Stderr;
        }
    }
    let is_told = |issue: &&Issue| !call.is_quiet() || issue.severity == Severity::Error;
    // A failure may be told as an issue too, for dialects that have no error beside them.
    let is_shown = |issue: &Issue| {
        shown.as_ref().is_some_and(|error| {
            (&error.code, Some(&error.message)) == (&issue.code, issue.message.as_ref())
        })
    };
    for issue in said.issues.iter().filter(is_told).filter(|issue| !is_shown(issue)) {
        errors.issue(issue);
    }
    stderr.extend(secret::scrub(errors.into_text()).into_bytes());
    let stdout = secret::scrub(screen.into_text()).into_bytes();
    Emission { stdout, stderr, status, answer }
}
