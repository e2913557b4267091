//! The answer of another program, handed on: its outcome is ours, in the dialect that is asked for.

use crate::call::{Annotations, Call};
use crate::clock::now;
use crate::fit::{left_out, most_bytes, without_effect};
use crate::meta::{defaults, final_meta, lines, warnings};
use crate::output::Output;
use crate::reply::{Relayed, Reply};
use crate::safe_text::clean;
use crate::screen::Screen;
use crate::secret;
use manila::json::{Members, Raw};
use manila::{Defaults, Envelope, Meta, Stream, write_into};

/// Hands on the answer of another program.
pub(crate) fn relay(
    call: &Call,
    reply: &dyn Reply,
    relayed: Relayed<'_>,
    mut annotations: Annotations,
) -> Output {
    let dialect = relayed.dialect.unwrap_or(call.dialect);
    let exits = dialect.table().exits;
    let status = relayed.signal.map_or_else(
        || dialect.status(relayed.envelope.exit()),
        |signal| exits.interrupted(signal),
    );
    let output =
        |stdout: Vec<u8>, stderr: Vec<u8>, answer| Output { stdout, stderr, status, answer };
    let theirs = relayed.envelope.content().warnings.iter().map(|it| it.text().to_owned());
    if !call.mode.is_json() && relayed.dialect.is_none() {
        annotations.warnings.extend(theirs);
        let mut screen =
            Screen::new(call.mode.layout(), call.colour[1]).within(call.environment.width());
        reply.show(&mut screen);
        let stdout = secret::scrub_bytes(screen.into_bytes());
        let mut errors = Screen::new(call.mode.layout(), call.colour[2]);
        let error = relayed.envelope.error();
        if let Some(error) = error {
            errors.error(error);
        }
        let mut stderr = warnings(call, &annotations.warnings);
        stderr.extend(secret::scrub_bytes(errors.into_bytes()));
        let answer = if error.is_some() { Stream::Stderr } else { Stream::Stdout };
        return output(stdout, stderr, answer);
    }
    let mut envelope = relayed.envelope.clone();
    let data = envelope.content().data.as_ref();
    annotations.warnings.extend(data.and_then(|data| without_effect(call, dialect, data)));
    let most = data.and_then(|data| {
        most_bytes(call, dialect, data).filter(|most| data.as_str().len() > *most)
    });
    if let Some(most) = most {
        annotations.warnings.push(left_out(envelope.content().data.as_ref(), most));
        envelope = envelope.with_data(Raw::object([])).with_rest(Some(String::new()));
    }
    let has_meta = dialect.table().has_meta;
    let mut own = final_meta(call);
    if has_meta {
        // The answer is another program's: what concerns only us would be most of a small one.
        let ours = ["tool_version", "command"];
        let kept = own.extra.iter().filter(|(key, _)| !ours.contains(key));
        let extra = kept.fold(Members::default(), |mut kept, (key, value)| {
            kept.push(key.to_owned(), value.clone());
            kept
        });
        own = Meta { request_id: None, cwd: None, extra, ..own };
        let warnings_of_ours = std::mem::take(&mut annotations.warnings);
        envelope = warnings_of_ours.into_iter().map(clean).fold(envelope, Envelope::with_warning);
    } else {
        own.timestamp.get_or_insert_with(now);
        annotations.warnings.extend(theirs);
    }
    let defaults = Defaults { kind: call.path.clone().into(), ..defaults(call) };
    let envelope = envelope.with_own_meta(own);
    let written = write_into(Vec::new(), &envelope, dialect, &defaults, lines(call));
    match written.stream {
        Stream::Stdout => {
            output(written.document, warnings(call, &annotations.warnings), Stream::Stdout)
        }
        Stream::Stderr => output(Vec::new(), written.document, Stream::Stderr),
    }
}
