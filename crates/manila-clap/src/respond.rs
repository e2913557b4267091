//! From an outcome to the bytes of both streams and the status: the verdict, before anything is
//! written.

use crate::call::{Annotations, Call, is_blank};
use crate::code::Code;
use crate::contract::Stage;
use crate::error::{Error, Outcome, Parts};
use crate::fit::{cut, left_out, most_bytes, without_effect};
use crate::flag::Flag;
use crate::hint;
use crate::meta::{defaults, final_meta, lines, warnings};
use crate::output::Output;
use crate::reply::{Reply, Shape};
use crate::safe_text::clean;
use crate::screen::Screen;
use crate::secret;
use manila::exit::Retry;
use manila::json::{Members, Raw, SerializeError};
use manila::{
    Content, Defaults, Envelope, Exit, Fix, Issue, KindNames, Phase, Severity, Stream, Warning,
    write_into,
};
use serde::Serialize;

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

/// Fills in what every failure must say and its author left out: no code and no message is empty,
/// and where the dialect has no redirects the call to make instead is a suggestion.
pub(crate) fn complete(call: &Call, outcome: Outcome) -> Outcome {
    outcome.map_err(|mut error| {
        error.classify(&call.setup.classes);
        let Parts { exit, failure, .. } = &mut *error.parts;
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
        error
    })
}

/// The class of a failure: success is none.
fn failing(exit: Exit) -> Exit {
    if exit.is_success() { Exit::General } else { exit }
}

/// The response to an outcome.
pub(crate) fn respond(call: &Call, outcome: Outcome) -> Output {
    let outcome = complete(call, outcome);
    let mut annotations = std::mem::take(&mut *call.annotations());
    let outcome = match annotations.lost.take() {
        Some(why) => {
            let message = format!("a part of the answer could not be written: {why}");
            outcome.and_then(|_| Err(call.error(Code::OutputFailed, message)))
        }
        None => outcome,
    };
    own_warnings(call, &mut annotations);
    if let Ok(reply) = &outcome
        && let Some(relay) = call.setup.optional.relay
        && let Some(relayed) = reply.relayed()
    {
        return relay(call, reply.as_ref(), relayed, annotations);
    }
    if call.mode.is_json() {
        document(call, outcome, annotations)
    } else {
        page(call, outcome, &annotations)
    }
}

/// What the boundary has to warn about itself.
fn own_warnings(call: &Call, annotations: &mut Annotations) {
    if let Some(deprecation) = call.spec().and_then(|spec| spec.deprecated) {
        let command = call.command().to_owned();
        let (since, instead) = (deprecation.since, deprecation.instead);
        annotations.warnings.push(format!(
            "`{command}` is deprecated since {since} and will be removed: call `{instead}` instead"
        ));
        annotations.push_meta("deprecations", &[Deprecated { command, since, instead }]);
    }
    if let Some(migration) = call.setup.migration
        && migration.stage == Stage::Deprecated
        && call.shape == Shape::Legacy
        && call.mode.is_json()
    {
        let (old, new) = (migration.old.0, migration.new.0);
        annotations.warnings.push(format!(
            "envelope version {old} is deprecated and will be removed: read version {new}"
        ));
    }
}

#[derive(Serialize)]
struct Deprecated {
    command: String,
    since: &'static str,
    instead: &'static str,
}

impl Annotations {
    #[inline(never)]
    fn push_meta(&mut self, key: &'static str, value: &(impl Serialize + ?Sized)) {
        if let Ok(value) = Raw::from_serialize(value) {
            self.meta.push(key, value);
        }
    }
}

/// For programs: one document.
fn document(call: &Call, outcome: Outcome, annotations: Annotations) -> Output {
    let own = outcome.as_ref().err().and_then(|error| error.parts.status).map(i32::from);
    let (envelope, signal, unsaid) = envelope(call, outcome, annotations);
    let payload = envelope.content().data.as_ref().map_or(0, |data| data.as_str().len());
    let memory = Vec::with_capacity(payload + 512);
    let defaults = Defaults { status: own, ..defaults(call) };
    let written = write_into(memory, &envelope, call.dialect, &defaults, lines(call));
    // The process ends here, and with it what the envelope holds.
    std::mem::forget(envelope);
    let (stdout, stderr) = (Vec::new(), Vec::new());
    let mut output = Output { stdout, stderr, status: written.status, answer: written.stream };
    if let Some(signal) = signal {
        output.status = call.dialect.table().exits.interrupted(signal);
    }
    let document = written.document;
    match written.stream {
        Stream::Stdout => {
            output.stdout = document;
            output.stderr = warnings(call, &unsaid);
        }
        Stream::Stderr => output.stderr = document,
    }
    output
}

/// The name of a reply's kind, unless the dialect wants the command's.
fn kind(call: &Call, reply: &dyn Reply) -> Option<String> {
    (call.dialect.table().kind == KindNames::Type).then(|| reply.kind().to_owned())
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

/// The envelope of an outcome, the signal behind it, and the warnings that its dialect has no place
/// for.
fn envelope(
    call: &Call,
    outcome: Outcome,
    annotations: Annotations,
) -> (Envelope, Option<i32>, Vec<String>) {
    let has_meta = call.dialect.table().has_meta;
    let mut annotations = annotations;
    let mut content = Content { meta: final_meta(call), ..Content::default() };
    let outcome =
        outcome.and_then(|reply| data(call, reply.as_ref(), &mut content, &mut annotations));
    let mut unsaid = Vec::new();
    content.issues = annotations.issues.into_iter().map(clean_issue).collect();
    let warnings = annotations.warnings.into_iter().map(clean);
    if has_meta {
        content.warnings = warnings.map(Warning::Text).collect();
        content.meta.extra.extend(annotations.meta);
        for (key, value) in annotations.notes.iter() {
            // A handler does not overwrite what the boundary says.
            if !OWN_META.contains(&key) && content.meta.extra.get(key).is_none() {
                content.meta.extra.push(key.to_owned(), secret::scrub_payload(value.clone()));
            }
        }
    } else {
        unsaid.extend(warnings);
        if let Some(cursor) = &content.meta.cursor {
            unsaid.push(format!("there are more; continue with --cursor {cursor}"));
        }
    }
    match outcome {
        Ok(()) => match Envelope::new(Exit::Success, content) {
            Ok(envelope) => (envelope, None, unsaid),
            Err(_) => unreachable!("a success has data, unless they are not modified"),
        },
        Err(error) => {
            let signal = error.parts.signal;
            (failed(call, error, content, &unsaid), signal, unsaid)
        }
    }
}

/// Puts a reply's payload into the envelope: its page, its tag, as much of it as is wanted.
fn data(
    call: &Call,
    reply: &dyn Reply,
    content: &mut Content,
    annotations: &mut Annotations,
) -> Result<(), Error> {
    let failed = |error: SerializeError| {
        let message = format!("the answer has no JSON form: {error}");
        call.error(Code::SerializationFailed, message)
            .suggestion("this is a bug of the program; the work itself is done")
    };
    let mut data = secret::scrub_payload(reply.data(call.shape).map_err(failed)?);
    content.kind = kind(call, reply);
    if let Some(page) = reply.page() {
        let cut = cut(call, page, &mut data).map_err(failed)?;
        let returned = cut.as_ref().map_or_else(|| page.returned(), |(kept, _)| *kept);
        let next = cut.map_or_else(|| page.next(), |(_, cursor)| Some(cursor));
        content.meta.truncated = next.is_some();
        annotations.push_meta("returned", &(returned as u64));
        if let Some(total) = page.total() {
            annotations.push_meta("total", &(total as u64));
        }
        annotations.push_meta("has_more", &next.is_some());
        content.meta.cursor = next;
        let most = most_bytes(call, call.dialect, &data).unwrap_or(call.setup.max_bytes);
        if data.as_str().len() > most && call.dialect.table().has_meta {
            let bytes = data.as_str().len();
            let text =
                format!("the page has {bytes} bytes, {most} are allowed, and it cannot be cut");
            annotations.warnings.push(text);
        }
    } else if let Some(most) =
        most_bytes(call, call.dialect, &data).filter(|most| data.as_str().len() > *most)
    {
        content.meta.truncated = true;
        annotations.push_meta("total_bytes", &(data.as_str().len() as u64));
        annotations.warnings.push(left_out(Some(&data), most));
        data = Raw::object([]);
    }
    annotations.warnings.extend(without_effect(call, call.dialect, &data));
    if call.flags.has(Flag::ValidateOnly) {
        annotations.push_meta("validation_only", &true);
    }
    let tag = annotations.tag.take();
    let is_wanted = call.flags.has(Flag::Etag) || call.spec().is_some_and(|spec| spec.cacheable);
    if tag.is_some() || is_wanted {
        let tag = tag.unwrap_or_else(|| etag(data.as_str()));
        // A dialect that has no word for it would answer with nothing and not say why.
        content.meta.not_modified = call.dialect.table().has_meta
            && call.flags.value(Flag::Etag).is_some_and(|known| *known == *tag);
        annotations.push_meta("etag", tag.as_str());
    }
    content.data = (!content.meta.not_modified).then_some(data);
    Ok(())
}

/// A tag that changes whenever the data do. It need not withstand an attack: the caller that sends a tag is the
/// only one whom a wrong one would harm.
pub(crate) fn etag(data: &str) -> String {
    format!("{:032x}", manila::fingerprint(data.as_bytes()))
}

/// An error, and what a failure has to say beside it: data, the name of what is missing, issues.
type Rest = (manila::ErrorObject, Option<Box<dyn Reply>>, Option<String>, Vec<Issue>);

/// The envelope of a failure.
fn failed(call: &Call, error: Error, content: Content, unsaid: &[String]) -> Envelope {
    let exit = failing(error.parts.exit);
    let (mut failure, data, missing, issues) = failure(call, error);
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
pub(crate) fn failure(call: &Call, error: Error) -> Rest {
    let Parts { exit, mut failure, data, missing, issues, .. } = error.into_parts();
    rename(call, &mut failure);
    failure.message = clean(failure.message);
    let manila::ErrorObject { detail, suggestion, operation, target, fix, .. } = &mut failure;
    let Fix { required, command } = fix;
    for text in [detail, suggestion, operation, target, required, command] {
        *text = text.take().map(clean);
    }
    if let Some(redirect) = &mut failure.redirect {
        redirect.command = secret::scrub(std::mem::take(&mut redirect.command));
    }
    failure.details = failure.details.map(secret::scrub_payload);
    let missing = missing.map(clean);
    failure.retryable.get_or_insert(call.dialect.table().exits.conclude(exit).0 == Retry::Yes);
    (failure, data, missing, issues)
}

/// A failure of the boundary has the name that the program gave it, also when a handler passed it on.
fn rename(call: &Call, failure: &mut manila::ErrorObject) {
    if let Some((_, name)) = call.setup.names.iter().find(|(code, _)| code.name() == failure.code) {
        (*name).clone_into(&mut failure.code);
    }
}

/// For people: the page on stdout, warnings and errors on stderr.
fn page(call: &Call, outcome: Outcome, annotations: &Annotations) -> Output {
    let mut screen =
        Screen::new(call.mode.layout(), call.colour[1]).within(call.environment.width());
    let mut errors = Screen::new(call.mode.layout(), call.colour[2]);
    let mut stderr = warnings(call, &annotations.warnings);
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
                errors.note(&format!("there are more; continue with --cursor {next}"));
            }
        }
        Err(error) => {
            let table = call.dialect.table().exits;
            let Parts { exit, mut failure, data, signal, status: own, shown: words, .. } =
                error.into_parts();
            let of_class = || own.map_or_else(|| table.status(failing(exit)), i32::from);
            status = signal.map_or_else(of_class, |signal| table.interrupted(signal));
            if let Some(data) = &data {
                data.show(&mut screen);
            }
            rename(call, &mut failure);
            match words.as_deref().map(str::trim_end) {
                None => errors.error(&failure),
                Some("") => {}
                Some(words) => errors.verbatim(&format!("{words}\n")),
            }
            shown = Some(failure);
            answer = Stream::Stderr;
        }
    }
    let is_wanted = |issue: &&Issue| !call.is_quiet() || issue.severity == Severity::Error;
    // A failure may be an issue too, for dialects that have no error beside them.
    let is_shown = |issue: &Issue| {
        shown.as_ref().is_some_and(|error| {
            (&error.code, Some(&error.message)) == (&issue.code, issue.message.as_ref())
        })
    };
    for issue in annotations.issues.iter().filter(is_wanted).filter(|issue| !is_shown(issue)) {
        errors.issue(issue);
    }
    stderr.extend(secret::scrub_bytes(errors.into_bytes()));
    let stdout = secret::scrub_bytes(screen.into_bytes());
    Output { stdout, stderr, status, answer }
}
