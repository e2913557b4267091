//! A made-up report for the tests of what is made of one.

use crate::profile::{Profile, Scope};
use crate::report::model::{Judged, Report, RunSummary};
use crate::rule::definition::{Family, Rule};
use crate::rule::verdict::{Excerpt, Finding, Verdict};
use crate::severity::{Severity, Threshold};
use manila::Stream;
use std::ops::Range;
use std::time::Duration;

/// Rules that exist for the tests of reports alone.
static RULES: [Rule; 5] = [
    fixture("text-beside", Family::Document, Severity::Error, "Text stands beside the document."),
    fixture("one-document", Family::Document, Severity::Error, "There is more than one document."),
    fixture(
        "loud-stderr",
        Family::Streams,
        Severity::Warning,
        "It writes text although --quiet was given.",
    ),
    fixture("signal-unheard", Family::Behaviour, Severity::Warning, "It does not heed SIGTERM."),
    fixture(
        "secret-as-argument",
        Family::Secrets,
        Severity::Note,
        "A secret is taken as an argument.",
    ),
];

const fn fixture(id: &'static str, family: Family, severity: Severity, flaw: &'static str) -> Rule {
    Rule {
        id,
        family,
        severity,
        scope: Scope::PLAIN,
        flaw,
        fix: "Write \"less\" & mind the <rest>.",
        page: "# made-up\n\nWhat `it` means: `a < b`.\n\n## Why it matters\n\nBecause\nit does.\n\n```toml\n[[waive]]\nrule = \"made-up\"\n```\n",
        modes: &[2, 3],
        requirements: &["F-006"],
        plan: crate::rule::definition::no_probes,
        judge: |_| Verdict::Undecided { why: "nothing was observed", declare: None },
    }
}

/// A report that has one of everything, with bytes in it that no format may take for its own.
pub(crate) fn report() -> Report {
    let finding =
        |command: &[&str], message: &str, stdout: Option<(&[u8], Range<usize>)>| Finding {
            command: command.iter().map(|word| (*word).to_owned()).collect(),
            message: message.to_owned(),
            reproduce: format!("./notes {} --json", command.join(" ")),
            excerpt: stdout.map(|(bytes, span)| Excerpt::of(bytes, Stream::Stdout, span)),
            cause: String::new(),
        };
    let adversarial = b"ok\n\x1b[31m</script>]]>%0A::error::\xe2\x80\xaegnp\xff{\"ok\":true}\nend";
    let judged = |at: usize, verdict, waived| {
        let rule = &RULES[at];
        Judged { rule, severity: rule.severity, verdict, waived }
    };
    let text = [
        finding(
            &["list"],
            "text `x|y` stands before <b>the</b> document",
            Some((adversarial, 3..35)),
        ),
        finding(&["show"], "\u{1b}]0;title\u{7}\u{202e}@everyone ]]> --> %0A\r\n::error::", None),
        finding(&["日本", "列"], "wide", Some(("日本{}".as_bytes(), 0..6))).because_of("日|本"),
    ];
    let loud = [finding(&[], "it talks", None), finding(&[], "it talks", Some((b"", 0..0)))];
    let known = (
        finding(&["list"], "it takes --token", None).because_of("--token"),
        "until <3.0> & no longer".to_owned(),
    );
    let why = "no call takes long enough";
    let declare = Some("commands.\"…\".slow: a call that takes long");
    Report {
        subject: vec!["./notes".to_owned(), "a b".to_owned()],
        version: Some("notes 1.2.0".to_owned()),
        profile: Some(Profile::Json),
        not_applicable: 3,
        notes: vec!["it is <not> confined: 100 % of `it` | --> \u{1b}[31m".to_owned()],
        judged: vec![
            judged(0, Verdict::Failed(text.into()), Vec::new()),
            judged(1, Verdict::Passed { runs: 31 }, Vec::new()),
            judged(2, Verdict::Failed(loud.into()), Vec::new()),
            judged(3, Verdict::Undecided { why, declare }, Vec::new()),
            judged(
                4,
                Verdict::Failed(vec![
                    finding(&["add"], "it takes --key", None).because_of("--key"),
                ]),
                vec![known],
            ),
        ],
        summary: RunSummary {
            commands: 12,
            run: 9,
            withheld: 2,
            probes: 412,
            skipped: 1,
            time: Duration::from_millis(1834),
            peak_memory: 34_000_000,
            containment: "no network, own processes".to_owned(),
        },
        gaps: vec!["the help of `remote` says nothing".to_owned()],
        stale_waivers: vec!["the waiver of one-document expired on 2026-01-01".to_owned()],
        threshold: Threshold::default(),
    }
}
