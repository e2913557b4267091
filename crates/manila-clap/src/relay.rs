//! The answer of another program, handed on: its outcome is ours, in the dialect that is asked for.

use crate::call::{Call, Said};
use crate::fit::{left_out, most_bytes, without_effect};
use crate::reply::{Relayed, Reply};
use crate::screen::Screen;
use crate::seal::{Emission, clean, defaults, final_meta, lines, now, warnings};
use crate::secret;
use manila::json::Raw;
use manila::{Defaults, Envelope, Stream, write_into};

/// Hands on the answer of another program.
pub(crate) fn relay(
    call: &Call,
    reply: &dyn Reply,
    relayed: Relayed<'_>,
    mut said: Said,
) -> Emission {
    let dialect = relayed.dialect.unwrap_or(call.dialect);
    let exits = dialect.about().exits;
    let status = relayed.signal.map_or_else(
        || dialect.status(relayed.envelope.exit()),
        |signal| exits.interrupted(signal),
    );
    let emission =
        |stdout: Vec<u8>, stderr: Vec<u8>, answer| Emission { stdout, stderr, status, answer };
    let theirs = relayed.envelope.content().warnings.iter().map(|it| it.text().to_owned());
    if !call.mode.is_json() && relayed.dialect.is_none() {
        said.warnings.extend(theirs);
        let mut screen = Screen::new(call.mode.layout(), call.colour[1]);
        reply.show(&mut screen);
        let stdout = secret::scrub(screen.into_text()).into_bytes();
        let mut errors = Screen::new(call.mode.layout(), call.colour[2]);
        let error = relayed.envelope.error();
        if let Some(error) = error {
            errors.error(error);
        }
        let mut stderr = warnings(call, &said.warnings);
        stderr.extend(secret::scrub(errors.into_text()).into_bytes());
        let answer = if error.is_some() { Stream::Stderr } else { Stream::Stdout };
        return emission(stdout, stderr, answer);
    }
    let mut envelope = relayed.envelope.clone();
    let data = envelope.content().data.as_ref();
    said.warnings.extend(data.and_then(|data| without_effect(call, dialect, data)));
    let most = data.and_then(|data| {
        most_bytes(call, dialect, data).filter(|most| data.as_str().len() > *most)
    });
    if let Some(most) = most {
        said.warnings.push(left_out(envelope.content().data.as_ref(), most));
        envelope = envelope.with_data(Raw::object([])).with_rest(Some(String::new()));
    }
    let is_roomy = dialect.about().roomy;
    let mut own = final_meta(call);
    if is_roomy {
        let told = std::mem::take(&mut said.warnings);
        envelope = told.into_iter().map(clean).fold(envelope, Envelope::with_warning);
    } else {
        own.timestamp.get_or_insert_with(now);
        said.warnings.extend(theirs);
    }
    let defaults = Defaults { kind: call.path.clone().into(), ..defaults(call) };
    let envelope = envelope.with_own_meta(own);
    let written = write_into(Vec::new(), &envelope, dialect, &defaults, lines(call));
    match written.stream {
        Stream::Stdout => {
            emission(written.document, warnings(call, &said.warnings), Stream::Stdout)
        }
        Stream::Stderr => emission(Vec::new(), written.document, Stream::Stderr),
    }
}
