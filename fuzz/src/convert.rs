//! The laws of writing what was opened in every dialect.

use super::input;
use manila::json::{Limits, Reader};
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
        for dialect in DIALECTS {
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
    let found = manila::detect(&transcript, &Options { limits: WIDE, dialect: None });
    assert_eq!(found.map(|found| found.dialect.id()), Ok(dialect.id()));
    manila::open(&transcript, &Options { limits: WIDE, dialect: Some(dialect) }).unwrap()
}

/// The same envelope with the number and the version that the dialect writes.
fn stamped(envelope: &Envelope, dialect: &dyn Dialect, status: i32) -> Envelope {
    let (exit, mut content) = envelope.clone().into_parts();
    content.meta.schema_version = dialect.about().version.map(str::to_owned);
    Envelope::new(exit, content).unwrap().with_status(Some(status))
}

fn places_are_within(conversion: &Conversion, bytes: &[u8]) {
    for place in conversion.losses.iter().filter_map(|loss| loss.place.as_ref()) {
        assert!(place.start <= place.end && place.end <= bytes.len(), "{place:?}");
    }
}
