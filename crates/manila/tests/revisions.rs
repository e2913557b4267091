//! Owns: a document that states a revision which is not known is read, and never acted on.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use manila::json::FactKind;
use manila::{
    Action, Answer, Confidence, DIALECTS, Decision, Defaults, Fate, History, Opened, Options,
    Policy, Status, Transcript, decide, open,
};

/// A success of each dialect that states its revision, with the revision left open.
const STATED: [(&str, &str, &str); 5] = [
    (
        "claw/2.0",
        r#"{"timestamp":"2026-04-22T10:10:00Z","command":"list-sessions","exit_code":0,"output_format":"json","schema_version":"REVISION","sessions":[]}"#,
        "3.0",
    ),
    (
        "response-envelope/1.0",
        r#"{"ok":true,"data":{"n":1},"error":null,"warnings":[],"meta":{"duration_ms":1,"schema_version":"REVISION"}}"#,
        "9.0",
    ),
    (
        "i18nprune/1",
        r#"{"ok":true,"kind":"validate","data":{"n":1},"issues":[],"meta":{"apiVersion":"REVISION","cwd":"/"}}"#,
        "2",
    ),
    ("animus/1", r#"{"schema":"REVISION","ok":true,"data":{"n":1}}"#, "animus.cli.v2"),
    ("claw/1.0", r#"{"kind":"list","schema_version":"REVISION","type":"success"}"#, "3.0"),
];

fn opened(document: &str, status: Status) -> Opened {
    open(&Transcript::from_stdout(document, status), &Options::default()).unwrap()
}

fn decided(document: &str, status: Status, policy: &Policy) -> Decision {
    let transcript = Transcript::from_stdout(document, status);
    let opened = open(&transcript, &Options::default());
    decide(&Answer::new(&transcript, opened.as_ref()), &History::default(), policy)
}

#[test]
fn an_unknown_revision_is_a_fact_and_at_most_possible() {
    for (id, document, revision) in STATED {
        let document = document.replace("REVISION", revision);
        let opened = opened(&document, Status::Exited(0));
        assert_eq!(opened.detection.dialect.id(), id, "{document}");
        assert_eq!(opened.detection.confidence, Confidence::Possible, "{document}");
        let fact = opened.facts.iter().find(|fact| fact.kind == FactKind::UnknownRevision).unwrap();
        assert_eq!(fact.subject.as_deref(), Some(revision));
        assert_eq!(&document[fact.span.clone()], format!("{revision:?}"));
    }
}

#[test]
fn an_unknown_revision_is_never_an_accepted_success() {
    for (_, document, revision) in STATED {
        for status in [Status::Exited(0), Status::Unknown] {
            let document = document.replace("REVISION", revision);
            let decision = decided(&document, status, &Policy::default());
            assert_eq!((decision.row.number, decision.action), (1, Action::Escalate), "{document}");
            assert!(decision.reason.contains(revision), "{}", decision.reason);
        }
    }
}

#[test]
fn a_dialect_that_the_caller_names_does_not_make_its_revision_known() {
    for (id, document, revision) in STATED {
        let document = document.replace("REVISION", revision);
        let transcript = Transcript::from_stdout(document, Status::Exited(0));
        let options = Options { dialect: manila::dialect(id), ..Options::default() };
        let opened = open(&transcript, &options);
        let answer = Answer::new(&transcript, opened.as_ref());
        let decision = decide(&answer, &History::default(), &Policy::default());
        assert_eq!(decision.action, Action::Escalate, "{id}");
    }
}

#[test]
fn nothing_is_called_again_because_of_an_unknown_revision() {
    let failed = |version: &str, more: &str| {
        format!(
            r#"{{"ok":false,"data":null,"error":{{"code":"X","message":"m"{more}}},"warnings":[],"meta":{{"duration_ms":1,"schema_version":"{version}"}}}}"#
        )
    };
    let policy = Policy { idempotent: true, fixes: true, ..Policy::default() };
    for (more, status, known) in [
        (r#","retryable":true,"retry_after":3"#, 11, "retry"),
        (r#","redirect":{"command":"tool b","permanent":true}"#, 13, "redirect"),
        (r#","fix_command":"tool b""#, 4, "apply-fix"),
        ("", 3, "correct-arguments"),
        ("", 5, "give-up"),
    ] {
        let now = decided(&failed("1.0", more), Status::Exited(status), &policy);
        assert_eq!(now.action.name(), known, "{more}");
        let later = decided(&failed("9.0", more), Status::Exited(status), &policy);
        let expected = if known == "give-up" { "give-up" } else { "escalate" };
        // An unmarked 3 may be partial work, which is looked at.
        let expected = if status == 3 { "inspect-state" } else { expected };
        assert_eq!(later.action.name(), expected, "{more}: {}", later.reason);
    }
}

#[test]
fn an_unknown_revision_is_a_loss_in_every_dialect() {
    for (_, document, revision) in STATED {
        let document = document.replace("REVISION", revision);
        let opened = opened(&document, Status::Exited(0));
        for dialect in DIALECTS {
            let conversion = opened.convert(*dialect, &Defaults::default()).unwrap();
            let lost: Vec<_> = conversion
                .losses
                .iter()
                .filter(|loss| loss.value.as_str() == format!("{revision:?}"))
                .collect();
            let [loss] = lost[..] else { panic!("{document} as {dialect:?}: {lost:?}") };
            assert_eq!(loss.field, "meta.schema_version");
            assert_eq!(&document[loss.place.clone().unwrap()], format!("{revision:?}"));
            let states_one = dialect.table().version.is_some();
            assert_eq!(matches!(loss.fate, Fate::Changed(_)), states_one, "{dialect:?}");
        }
    }
}

#[test]
fn known_revisions_and_their_patches_are_certain() {
    for (at, revision, id) in [
        (0, "1.0", "claw/2.0"),
        (0, "2.0", "claw/2.0"),
        (1, "1.0", "response-envelope/1.0"),
        (1, "1.0.7", "response-envelope/1.0"),
        (1, "1.6", "response-envelope/1.6"),
        (1, "1.6.12", "response-envelope/1.6"),
        (2, "1", "i18nprune/1"),
        (3, "animus.cli.v1", "animus/1"),
        (3, "ao.cli.v1", "animus/1"),
        (4, "1.0", "claw/1.0"),
    ] {
        let document = STATED[at].1.replace("REVISION", revision);
        let opened = opened(&document, Status::Exited(0));
        assert_eq!(opened.detection.dialect.id(), id);
        assert_eq!(opened.detection.confidence, Confidence::Certain, "{document}");
        assert!(!opened.facts.has(FactKind::UnknownRevision), "{document}");
        let decision = decided(&document, Status::Exited(0), &Policy::default());
        assert_eq!(decision.action, Action::Accept, "{document}");
    }
    for near in ["1.60", "1.0.", "1.0.x", "1.1", "1", "v1.0"] {
        let document = STATED[1].1.replace("REVISION", near);
        assert!(
            opened(&document, Status::Exited(0)).facts.has(FactKind::UnknownRevision),
            "{near}"
        );
    }
}

#[test]
fn a_revision_that_is_no_text_is_compared_as_it_is_spelled() {
    for (spelled, is_unknown) in [("3.0", true), ("2.0", false), ("{}", true), ("null", false)] {
        let document = STATED[0].1.replace("\"REVISION\"", spelled);
        let opened = opened(&document, Status::Exited(0));
        assert_eq!(opened.facts.has(FactKind::UnknownRevision), is_unknown, "{spelled}");
    }
}
