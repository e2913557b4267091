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
