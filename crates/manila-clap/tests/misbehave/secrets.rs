//! A secret is in no answer.

use crate::on_terminal;
use crate::support::{Ran, Run, misbehave, shows, speaking};
use manila::dialects::WRITTEN;

/// Secrets, each with pieces that nothing else has, the digits of ids included.
const SECRETS: &[(&str, &[&str])] = &[
    ("hunter2-0815-long-enough", &["hunter2", "long-enough"]),
    ("it's \"so\" $hid4711 \\den815", &["hid4711", "den815"]),
    ("-----BEGIN-----\nMIIEpAIB\nQ2FwdGFp\n-----END-----", &["MIIEpAIB", "Q2FwdGFp"]),
    ("p\u{e4}ssw\u{f6}rd4711", &["rd4711", "p\u{e4}ssw"]),
    ("tab\tand\u{7f}bell\u{7}ring4711", &["tab\\t", "bell\\", "ring4711"]),
];

const SLIPS: [&str; 14] = [
    "message",
    "suggestion",
    "target",
    "details",
    "panic",
    "thread",
    "data",
    "key",
    "field",
    "item",
    "progress",
    "warning",
    "issue",
    "note",
];

/// Every place where a piece of a secret was found.
#[derive(Default)]
struct Leaks(Vec<String>);

impl Leaks {
    fn look(&mut self, place: &str, bytes: &[u8], pieces: &[&str]) {
        let found = pieces.iter().filter(|piece| shows(bytes, piece));
        self.0.extend(found.map(|piece| format!("{place}: {piece:?}")));
    }

    fn look_at(&mut self, place: &str, ran: &Ran, pieces: &[&str]) {
        self.look(&format!("{place} on stdout"), &ran.stdout, pieces);
        self.look(&format!("{place} on stderr"), &ran.stderr, pieces);
    }

    #[track_caller]
    fn assert_none(self) {
        assert!(self.0.is_empty(), "{} leaks:\n{}", self.0.len(), self.0.join("\n"));
    }
}

// proves: F-034, F-051
#[test]
fn a_secret_that_slips_is_in_no_document() {
    let (mut leaks, mut documents) = (Leaks::default(), Vec::new());
    for (secret, pieces) in SECRETS {
        for slip in SLIPS.into_iter().chain(["nowhere"]) {
            for dialect in WRITTEN {
                for mode in ["json", "jsonl"] {
                    let run = speaking(*dialect, &format!("secret {slip} --output {mode}"));
                    let ran = run.arg(["--token=", secret].concat()).run();
                    leaks.look_at(&format!("{slip} in {mode} of {dialect:?}"), &ran, pieces);
                    documents.extend(Some(ran).filter(|_| mode == "json"));
                }
            }
        }
    }
    leaks.assert_none();
    for ran in documents {
        ran.opened();
    }
}

// proves: F-051
#[test]
fn a_secret_that_slips_is_never_shown() {
    let mut leaks = Leaks::default();
    for (secret, pieces) in SECRETS {
        let token = ["--token=", secret].concat();
        for slip in SLIPS {
            for mode in ["plain", "rich"] {
                let run = misbehave(&format!("secret {slip} --output {mode}"));
                leaks.look_at(&format!("{slip} in {mode}"), &run.arg(&token).run(), pieces);
            }
            let run = misbehave(&format!("secret {slip}")).env("TERM", "xterm");
            let (shown, _) = on_terminal(run.arg(&token));
            leaks.look(&format!("{slip} on a terminal"), &shown, pieces);
        }
    }
    leaks.assert_none();
}

#[test]
fn a_secret_from_the_environment_is_hidden_too() {
    let mut leaks = Leaks::default();
    for (secret, pieces) in SECRETS {
        for mode in ["json", "plain", "rich"] {
            let run = misbehave("secret data --key env:HIDDEN --output").arg(mode);
            leaks.look_at(mode, &run.env("HIDDEN", secret).run(), pieces);
        }
    }
    leaks.assert_none();
}

// proves: F-034
#[test]
fn a_secret_in_mistaken_arguments_is_in_no_answer() {
    let mut leaks = Leaks::default();
    for (secret, pieces) in SECRETS {
        let (long, short) = (["--token=", secret].concat(), ["-t", secret].concat());
        let calls: [&[&str]; 15] = [
            &["secret", "data", "--token", secret, "--count", "x"],
            &["secret", "data", "--token", secret, "extra"],
            &["secret", "data", "--key", secret],
            &["secret", "data", "--what", "--token", secret],
            &["secret", "data", &long, "--what"],
            &["secret", "data", &short, "--what"],
            &["leak", "data", "--token", secret],
            &["leak", "data", "-t", secret],
            &["leak", "data", "--pat", secret],
            &["leak", "data", &long],
            &["leak", "data", &short],
            &["sign-in", secret],
            &["logni", secret],
            &["login", secret, secret],
            &["secrte", "data", "--token", secret],
        ];
        for mode in ["json", "plain"] {
            for words in calls {
                let run = words.iter().fold(misbehave("--output").arg(mode), Run::arg);
                let shown = words.join(" ").replace(secret, "…");
                leaks.look_at(&format!("{shown} in {mode}"), &run.run(), pieces);
            }
        }
    }
    leaks.assert_none();
}

#[test]
fn a_secret_that_is_a_word_of_the_envelope_does_not_tear_it() {
    for secret in ["true", "null", "data", "error", "meta", "code", "kind", "warnings", "schema"] {
        for dialect in WRITTEN {
            let run = speaking(*dialect, "secret nowhere --token");
            run.arg(secret).run().succeeds();
        }
    }
}
