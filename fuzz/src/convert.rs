//! The laws of writing what was opened in every dialect.

use super::input;
use manila::dialects::WRITTEN;
use manila::json::{Limits, Reader};
use manila::table::OutcomeFrom;
use manila::{
    Conversion, DIALECTS, Defaults, Dialect, Envelope, Opened, Options, Status, Stream, Transcript,
    Written,
};

const WIDE: Limits = Limits { bytes: usize::MAX, depth: usize::MAX };

/// Converts a transcript to every dialect.
///
/// # Panics
///
/// When a law is broken.
pub fn convert(bytes: &[u8]) {
    let transcript = input::transcript(bytes);
    for options in input::options(&transcript) {
        let Ok(opened) = manila::open(&transcript, &options) else { continue };
        // Those in the wild take turns: all of them at once would make a round four times as long.
        let (written, others) = DIALECTS.split_at(WRITTEN.len());
        let other = others.iter().cycle().skip(bytes.len() % others.len().max(1)).take(1);
        for dialect in written.iter().chain(other) {
            let conversion = opened.convert(*dialect, &Defaults::default()).unwrap();
            places_are_within(&conversion, transcript.stream(opened.detection.stream));
            in_dialect(&opened.envelope, *dialect);
        }
    }
}

fn in_dialect(envelope: &Envelope, dialect: &'static dyn Dialect) {
    let conversion = converted(envelope, dialect);
    let written = &conversion.written;
    Reader::new(WIDE).read(&written.document).unwrap();
    let said = reopened(written, dialect);
    let meant = stamped(envelope, dialect, written.status);
    assert_eq!(
        conversion.losses.is_empty(),
        said.envelope == meant,
        "{dialect:?}: {:?}\n{:#?}\n{meant:#?}",
        conversion.losses,
        said.envelope
    );
    let again = converted(&said.envelope, dialect);
    assert_eq!(again.losses, [], "{dialect:?} cannot say again what it has said");
    assert_eq!(
        again.written.document.escape_ascii().to_string(),
        written.document.escape_ascii().to_string()
    );
}

fn converted(envelope: &Envelope, dialect: &'static dyn Dialect) -> Conversion {
    let conversion = manila::convert(envelope, dialect, &Defaults::default());
    conversion.unwrap_or_else(|error| panic!("{dialect:?}: {error}"))
}

fn reopened(written: &Written, dialect: &'static dyn Dialect) -> Opened {
    let mut transcript =
        Transcript { status: Status::Exited(written.status), ..Transcript::default() };
    match written.stream {
        Stream::Stdout => transcript.stdout.clone_from(&written.document),
        Stream::Stderr => transcript.stderr.clone_from(&written.document),
    }
    // A success without an envelope is only known where the dialect is.
    if written.status != 0 || dialect.table().outcome != OutcomeFrom::Failure {
        let found = manila::detect(
            &transcript,
            &Options { limits: WIDE, dialect: None, ..Options::default() },
        );
        let found = found.unwrap_or_else(|error| panic!("{dialect:?}: {error}"));
        // Marks that dialects share make each of them possible.
        let mut ids = found.others.iter().map(|(id, _)| *id).chain([found.dialect.id()]);
        assert!(ids.any(|id| id == dialect.id()), "{dialect:?}: {found:?}");
        let is_written = WRITTEN.iter().any(|it| it.id() == dialect.id());
        assert!(!is_written || found.dialect.id() == dialect.id(), "{dialect:?}: {found:?}");
    }
    manila::open(
        &transcript,
        &Options { limits: WIDE, dialect: Some(dialect), ..Options::default() },
    )
    .unwrap()
}

/// The same envelope with the number and the version that the dialect writes.
fn stamped(envelope: &Envelope, dialect: &dyn Dialect, status: i32) -> Envelope {
    let (exit, mut content) = envelope.clone().into_parts();
    content.meta.schema_version = dialect.table().version.map(str::to_owned);
    Envelope::new(exit, content).unwrap().with_status(Some(status))
}

fn places_are_within(conversion: &Conversion, bytes: &[u8]) {
    for place in conversion.losses.iter().filter_map(|loss| loss.place.as_ref()) {
        assert!(place.start <= place.end && place.end <= bytes.len(), "{place:?}");
    }
}
