//! Opens what a program wrote, in the dialect that its pack names where marks leave it open, and says what
//! contradicts a success.

use crate::asked::asks_for_json;
use crate::pack::Lookup;
use manila::ansi::strip;
use manila::{
    Confidence, Dialect, Error, Noise, Opened, Options, Status, Stream, Transcript, open,
};

/// Opens the answer in a run. Where two dialects share the marks of a document or nothing is known of it, the
/// dialect that the pack of the program names settles it, unless the caller has.
pub fn open_run(
    transcript: &Transcript,
    options: &Options,
    packs: &dyn Lookup,
) -> Result<Opened, Error> {
    let opened = open(transcript, options);
    let is_settled = |opened: &Opened| opened.detection.confidence > Confidence::Possible;
    if options.dialect.is_some() || opened.as_ref().is_ok_and(is_settled) {
        return opened;
    }
    let Some(dialect) = dialect(transcript, packs) else { return opened };
    let named = open(transcript, &Options { dialect: Some(dialect), ..*options });
    match (named, opened) {
        (Ok(named), Ok(_)) => Ok(named),
        (Ok(named), Err(_)) if !named.detection.is_only_named() => Ok(named),
        (Err(named), Err(_)) => Err(named),
        (_, opened) => opened,
    }
}

/// The dialect that the pack of a program names.
fn dialect(transcript: &Transcript, packs: &dyn Lookup) -> Option<&'static dyn Dialect> {
    let program = transcript.argv.first()?;
    let pack = packs.find(program.rsplit('/').next().unwrap_or(program))?;
    manila::dialect(pack.model().dialect.as_deref()?)
}

/// Whether an answer states outright that it failed although the process ended with 0: its only document, or the
/// last of several, whatever its dialect. A pack reads the exit status, and such an answer is never accepted.
pub fn denies_success(read: Result<&Opened, &Error>, transcript: &Transcript) -> bool {
    if transcript.status != Status::Exited(0) {
        return false;
    }
    let (stream, denies) = match read {
        Ok(opened) => (opened.detection.stream, states_failure(opened, transcript)),
        Err(error) => match error.stated_failure() {
            Some(stated) => (stated.stream, !stated.is_record),
            None => return false,
        },
    };
    denies && is_answer(transcript, stream)
}

/// Whether an envelope, or what follows it, states a failure.
fn states_failure(opened: &Opened, transcript: &Transcript) -> bool {
    let detection = &opened.detection;
    // Keys that two dialects share say nothing unless one of them is a mark that all of them share.
    let is_stated = detection.confidence > Confidence::Possible || detection.mark.is_some();
    let is_stream = !detection.dialect.table().lines.is_empty();
    let fails = !opened.envelope.ok() && is_stated && !detection.is_record;
    let denies = detection.denied || (fails && (is_stream || detection.is_last()));
    denies && (is_stream || !is_log(opened, transcript))
}

/// Whether several envelopes of one dialect stand one after another: a log that the program prints.
fn is_log(opened: &Opened, transcript: &Transcript) -> bool {
    let detection = &opened.detection;
    let bytes = transcript.stream(detection.stream);
    let is_envelope = |noise: &Noise| {
        let document = bytes.get(noise.span.clone()).unwrap_or_default();
        let alone = Transcript::from_stdout(document, Status::Exited(0));
        let opened = open(&alone, &Options::default());
        opened.is_ok_and(|Opened { detection: other, .. }| {
            other.confidence == Confidence::Certain && other.dialect.id() == detection.dialect.id()
        })
    };
    let mut others = detection.other_documents().peekable();
    detection.confidence == Confidence::Certain
        && others.peek().is_some()
        && others.all(is_envelope)
}

/// Whether an answer with exit status 0 is cut: it begins as a document, although it does not end as one, of a
/// program that was asked for JSON or whose dialect is known.
pub fn is_cut(
    read: Result<&Opened, &Error>,
    transcript: &Transcript,
    options: &Options,
    packs: &dyn Lookup,
) -> bool {
    let is_cut = transcript.status == Status::Exited(0)
        && read.is_err_and(Error::is_truncated)
        && is_answer(transcript, Stream::Stdout);
    is_cut
        && (options.dialect.is_some()
            || asks_for_json(&transcript.argv)
            || dialect(transcript, packs).is_some())
}

/// Whether what stands on a stream is an answer: it begins as a document, and if it is on stderr there is nothing
/// on stdout.
pub fn is_answer(transcript: &Transcript, stream: Stream) -> bool {
    let is_alone = stream == Stream::Stdout || transcript.stdout.trim_ascii().is_empty();
    let begin = transcript.stream(stream);
    let stripped = strip(&begin[..begin.len().min(BEGIN)]);
    let bytes = stripped.bytes();
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    is_alone && matches!(bytes.first(), Some(b'{' | b'['))
}

/// How many bytes are looked at for the beginning of a document.
const BEGIN: usize = 4 << 10;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::pack::{Origin, Pack};
    use manila::Status;

    /// One pack, of a program that names its dialect.
    struct Ours(&'static str);

    impl Lookup for Ours {
        fn find(&self, program: &str) -> Option<Pack> {
            let text = format!("name = \"ours\"\ndialect = \"{}\"", self.0);
            let model = Model::from_toml(&text).expect("a pack");
            (program == "ours").then(|| Pack::new(model, Origin::File("ours.toml".into())))
        }
    }

    #[test]
    fn a_pack_settles_what_marks_leave_open() {
        let answer = br#"{"ok":false,"error":{"code":"X","message":"m"}}"#;
        let opened = |program: &str, dialect| {
            let argv = vec![format!("/usr/bin/{program}"), "view".to_owned()];
            let run = Transcript { argv, ..Transcript::from_stdout(*answer, Status::Exited(1)) };
            let opened = open_run(&run, &Options::default(), &Ours(dialect)).expect("an envelope");
            opened.detection.dialect.id()
        };
        assert_eq!(opened("ours", "td/1"), "td/1");
        assert_eq!(opened("ours", "response-envelope/1.6"), "response-envelope/1.6");
        assert_eq!(opened("other", "td/1"), opened("other", "response-envelope/1.6"));
    }
}
