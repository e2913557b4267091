//! The laws of packs: what holds for every line of a shell, every run and every text of a pack.

use manila::exit::Effects;
use manila::{Confidence, Exit, Status, Transcript};
use manila_pack::{
    BUILTIN, Effect, Lookup, Model, effects_of_line, lint, mask, read_any, read_call,
};

/// The longest message of a reading, in bytes.
const LONGEST_MESSAGE: usize = 300;

/// A line of a shell: a redirect to a file is never a read, and more commands are never better.
///
/// # Panics
///
/// When a law is broken.
pub fn line(bytes: &[u8]) {
    let line = String::from_utf8_lossy(bytes);
    let alone = effects_of_line(&line, &BUILTIN);
    assert_eq!(alone, effects_of_line(&line, &BUILTIN), "the same line, the same answer");
    assert!(!alone.rule.is_empty() && (alone.pack.is_none() || !alone.why.is_empty()));
    let redirected = effects_of_line(&format!("{line}\n> file\n"), &BUILTIN);
    assert!(redirected.effect >= Effect::Writes, "{redirected:?}");
    // A line that is not plain may become plain when a quote in it closes.
    if alone.rule != "shell" {
        for more in ["ls", "git push", "rm x", "no-such-program"] {
            let both = effects_of_line(&format!("{line}\n{more}"), &BUILTIN);
            let other = effects_of_line(more, &BUILTIN);
            assert!(
                both.effect >= alone.effect.max(other.effect),
                "{both:?} of {alone:?} and {more}"
            );
        }
    }
}

/// A run: a byte for the program, one for the status, stdout, NUL, stderr.
///
/// # Panics
///
/// When a law is broken.
pub fn run(bytes: &[u8]) {
    let [program, status, streams @ ..] = bytes else { return };
    let calls: &[&[&str]] = &[
        &["git", "fetch"],
        &["git", "diff", "--exit-code"],
        &["ls", "x"],
        &["timeout", "5", "git", "push"],
        &["sh", "-c", "cd x && git pull"],
        &["find", "."],
        &["no-such-program"],
        &[],
    ];
    let call = calls[usize::from(*program) % calls.len()];
    let mut streams = streams.splitn(2, |byte| *byte == 0);
    let mut stream = || streams.next().unwrap_or_default().to_vec();
    let transcript = Transcript {
        argv: call.iter().map(|word| (*word).to_owned()).collect(),
        stdout: stream(),
        stderr: stream(),
        status: match status {
            0..192 => Status::Exited(i32::from(*status)),
            192..224 => Status::Signaled(i32::from(*status) - 191),
            _ => Status::Unknown,
        },
        duration_ms: None,
    };
    for reading in [read_call(&transcript, &BUILTIN), read_any(&transcript)] {
        assert!(reading.message.as_ref().is_none_or(|message| message.len() <= LONGEST_MESSAGE));
        assert!(!(reading.quota && reading.retry), "a quota is not waited for: {reading:?}");
        let is_generic = reading.rule.starts_with("generic/");
        if is_generic {
            assert!(reading.confidence < Confidence::Certain, "{reading:?}");
            assert_eq!(reading.effects, Effects::Unknown, "{reading:?}");
        }
        if transcript.status == Status::Exited(0) {
            assert_eq!(
                reading.class,
                Some(Exit::Success),
                "these packs believe an exit status of 0"
            );
        }
        if matches!(transcript.status, Status::Signaled(_)) {
            assert_eq!(reading.class, None, "a death by signal has no class");
        }
        assert!(reading.class.is_some() || reading.why.is_some(), "unknown says why");
    }
    assert_eq!(read_call(&transcript, &BUILTIN), read_call(&transcript, &BUILTIN));
    let masked = mask(&String::from_utf8_lossy(&transcript.stderr), Some("/home/x"));
    assert_eq!(mask(&masked, Some("/home/x")), masked, "what is masked stays as it is");
}

/// A text that may be a pack: it is read or refused with a place, and survives its compact form.
///
/// # Panics
///
/// When a law is broken.
pub fn pack(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (model, findings) = lint(&text);
    let lines = text.lines().count().max(1) + 1;
    assert!(
        findings.iter().all(|finding| finding.line.is_none_or(|line| (1..=lines).contains(&line)))
    );
    let Some(model) = model else {
        assert_eq!(findings.len(), 1, "what cannot be read is one mistake");
        return;
    };
    let compact = serde_json::to_string(&model).unwrap_or_default();
    let again: Model<'_> = serde_json::from_str(&compact).unwrap_or_default();
    assert_eq!(again, model);
    assert!(BUILTIN.find("git").is_some());
}
