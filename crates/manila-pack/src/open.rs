//! Opens what a program wrote, in the dialect that its pack names where marks leave it open.

use crate::pack::Lookup;
use manila::{Confidence, Dialect, Error, Opened, Options, Transcript, open};

/// Opens the answer in a run. Where two dialects share the marks of a document, the pack of the program settles it,
/// unless the caller has.
pub fn open_run(
    transcript: &Transcript,
    options: &Options,
    packs: &dyn Lookup,
) -> Result<Opened, Error> {
    let opened = open(transcript, options);
    let is_settled = |opened: &Opened| opened.detection.confidence > Confidence::Possible;
    if options.dialect.is_some() || opened.as_ref().map_or(true, is_settled) {
        return opened;
    }
    let Some(dialect) = dialect(transcript, packs) else { return opened };
    open(transcript, &Options { dialect: Some(dialect), ..*options }).or(opened)
}

fn dialect(transcript: &Transcript, packs: &dyn Lookup) -> Option<&'static dyn Dialect> {
    let program = transcript.argv.first()?;
    let pack = packs.find(program.rsplit('/').next().unwrap_or(program))?;
    manila::dialect(pack.model().dialect.as_deref()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::BUILTIN;
    use manila::Status;

    #[test]
    fn a_pack_settles_what_marks_leave_open() {
        let answer = br#"{"error":{"code":"E404","message":"no","summary":"no"}}"#;
        let opened = |program: &str| {
            let argv = vec![program.to_owned(), "view".to_owned()];
            let run = Transcript { argv, ..Transcript::from_stdout(*answer, Status::Exited(1)) };
            open_run(&run, &Options::default(), &BUILTIN)
        };
        let of = |program: &str| opened(program).map(|it| it.detection.dialect.id()).ok();
        assert_eq!(of("npm"), Some("npm/11"));
        assert_eq!(of("vercel"), Some("vercel/1"));
    }
}
