//! A run on its way to become a test of a pack: masked, and written beside it.
#![expect(clippy::disallowed_methods, reason = "recording owns the files of runs")]

use crate::action::first_action;
use crate::effect::effects;
use crate::lint::Expectation;
use crate::mask::{mask, mask_argv};
use crate::pack::{Lookup, Pack};
use crate::read::read;
use manila::Transcript;
use manila::record::{NoMore, RUN_FILE, Recording, STDERR_FILE, STDOUT_FILE};
use std::io;
use std::path::{Path, PathBuf};

/// What is recorded beside the streams.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The version of the program.
    pub version: Option<String>,
    /// The home directory, which is masked.
    pub home: Option<String>,
}

/// A run without secrets. What is not UTF-8 in it becomes U+FFFD, because a secret could hide there.
pub fn masked(transcript: &Transcript, about: &About) -> Transcript {
    let home = about.home.as_deref();
    let stream = |bytes: &[u8]| mask(&String::from_utf8_lossy(bytes), home).into_bytes();
    Transcript {
        argv: mask_argv(&transcript.argv, home),
        stdout: stream(&transcript.stdout),
        stderr: stream(&transcript.stderr),
        ..*transcript
    }
}

/// What a run is read as now, as its expectation.
pub fn expectation(transcript: &Transcript, pack: &Pack, packs: &dyn Lookup) -> Expectation {
    let reading = read(transcript, pack);
    let effect = effects(&transcript.argv, packs).effect;
    let action = first_action(&reading, transcript.status, effect, pack);
    Expectation {
        class: reading.class_name().to_owned(),
        action: Some(action.name().to_owned()),
        code: reading.code,
        message: reading.message,
        wait_ms: reading.wait_ms,
        note: None,
    }
}

/// Writes a masked run with its expectation into a new directory.
pub fn write(
    directory: &Path,
    transcript: &Transcript,
    expected: &Expectation,
    about: &About,
) -> io::Result<Vec<PathBuf>> {
    if directory.exists() {
        let message = format!("{} exists", directory.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
    }
    let version = about.version.as_deref().unwrap_or("unknown").to_owned();
    let run = Recording {
        program_version: Some(version),
        ..Recording::new(transcript, NoMore::default())
    };
    let mut expect = serde_json::to_vec(expected)?;
    expect.push(b'\n');
    let files = [
        (STDOUT_FILE, transcript.stdout.clone()),
        (STDERR_FILE, transcript.stderr.clone()),
        ("expect.json", expect),
        (RUN_FILE, run.to_json()?),
    ];
    std::fs::create_dir_all(directory)?;
    files
        .into_iter()
        .map(|(name, bytes)| {
            let file = directory.join(name);
            std::fs::write(&file, bytes)?;
            Ok(file)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::BUILTIN;
    use crate::lint::check_file;
    use manila::Status;

    #[test]
    fn a_recorded_run_is_masked_and_passes_as_a_test() {
        let directory = tempfile::tempdir().expect("a directory");
        let pack_file = directory.path().join("git/pack.toml");
        std::fs::create_dir_all(pack_file.parent().expect("a parent")).expect("a directory");
        std::fs::write(&pack_file, include_str!("../packs/git/pack.toml")).expect("a pack");
        let transcript = Transcript {
            argv: ["git", "clone", "https://a:secret12@x/y"].map(str::to_owned).to_vec(),
            stderr: b"fatal: could not read Username for 'https://a:secret12@x': no tty\n".to_vec(),
            status: Status::Exited(128),
            ..Transcript::default()
        };
        let about = About { version: Some("2.47".to_owned()), home: None };
        let pack = BUILTIN.find("git").expect("the pack of git");
        let transcript = masked(&transcript, &about);
        let expected = expectation(&transcript, &pack, &BUILTIN);
        assert_eq!(expected.class, "AUTH_REQUIRED");
        let case = directory.path().join("git/runs/x");
        let files = write(&case, &transcript, &expected, &about).expect("it is written");
        for file in files {
            let text = std::fs::read_to_string(file).expect("a file");
            assert!(!text.contains("secret12"), "{text}");
        }
        let checked = check_file(&pack_file, &BUILTIN).expect("a check");
        assert_eq!(checked.runs, 1);
        assert!(checked.findings.iter().all(|finding| finding.run.is_none()), "{checked:?}");
        assert!(write(&case, &transcript, &expected, &about).is_err());
    }
}
