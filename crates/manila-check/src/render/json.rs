//! The report as one JSON document, with its name and version first.

use crate::report::cause::Cause;
use crate::report::model::{Judged, Outcome, Report};
use crate::rule::definition::Family;
use crate::rule::verdict::{Excerpt, Verdict};
use crate::severity::Severity;
use manila::Stream;
use schemars::JsonSchema;
use serde::Serialize;

/// The name and the version of the document that `--format json` writes.
pub const SCHEMA: &str = "manila-report/1";

pub(super) fn render(report: &Report) -> String {
    document(&Document::from(report))
}

/// A document as text, with a line end.
pub fn document(document: &impl Serialize) -> String {
    // Nothing here has a key that is not a string, which is all that could fail.
    serde_json::to_string_pretty(document).map(|text| text + "\n").unwrap_or_default()
}

/// The JSON Schema of the document.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Document<'static>).to_value()
}

/// What a check found, as data.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Report")]
pub struct Document<'r> {
    /// The name and the version of this document.
    schema: &'static str,
    /// What must be known first, such as that the program was not confined.
    notes: &'r [String],
    subject: &'r [String],
    version: Option<&'r str>,
    /// `plain`, `json` or `envelope`: what the program is judged as; `undecided` if the deadline passed before that was
    /// seen.
    profile: &'static str,
    /// How many of the rules do not apply to a program of that profile.
    not_applicable: usize,
    conforms: bool,
    /// `conforms`, `does-not-conform`, or `inconclusive`: no rule failed, but most are undecided.
    #[schemars(with = "String")]
    outcome: Outcome,
    score: Score,
    counts: Counts,
    rules: Vec<RuleDocument<'r>>,
    summary: RunSummaryDocument<'r>,
    gaps: &'r [String],
    stale_waivers: &'r [String],
}

#[derive(Debug, Serialize, JsonSchema)]
struct Score {
    /// The weighted share of what was decided that passed, in percent: a rule that failed counts once for each
    /// cause. Nothing where less than half of the rules could be decided.
    held: Option<u32>,
    /// Of all rules, the weighted share that was decided, in percent.
    covered: u32,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Counts {
    passed: usize,
    failed: usize,
    undecided: usize,
    waived: usize,
}

/// A rule and its verdict.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "JudgedRule")]
struct RuleDocument<'r> {
    id: &'r str,
    #[schemars(with = "String")]
    family: Family,
    #[schemars(with = "String")]
    severity: Severity,
    verdict: &'static str,
    /// How many runs could have shown the flaw, where none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    runs: Option<usize>,
    /// Why it is undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'r str>,
    /// What to declare in manila.toml to decide it.
    #[serde(skip_serializing_if = "Option::is_none")]
    declare: Option<&'r str>,
    flaw: &'r str,
    fix: &'r str,
    modes: &'r [u8],
    requirements: &'r [&'r str],
    findings: Vec<FindingDocument<'r>>,
    waived: Vec<FindingDocument<'r>>,
}

/// A finding: one cause, and the first call that shows it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Finding")]
struct FindingDocument<'r> {
    /// A name of the cause that is the same in every run.
    fingerprint: String,
    command: &'r [String],
    message: &'r str,
    reproduce: &'r str,
    /// The commands that show it, the first one among them.
    commands: Vec<&'r [String]>,
    /// How many calls show it.
    calls: usize,
    excerpt: Option<ExcerptDocument<'r>>,
    /// Why it is waived.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'r str>,
}

/// Bytes of a stream, with some of what is around them.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Excerpt")]
struct ExcerptDocument<'r> {
    #[schemars(with = "String")]
    stream: Stream,
    start: usize,
    end: usize,
    before: &'r str,
    bytes: &'r str,
    after: &'r str,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "RunSummary")]
struct RunSummaryDocument<'r> {
    commands: usize,
    run: usize,
    /// How many commands are not called because nothing says that they only read.
    withheld: usize,
    probes: usize,
    skipped: usize,
    duration_ms: u64,
    peak_memory_bytes: u64,
    containment: &'r str,
}

impl<'r> From<&'r Report> for Document<'r> {
    fn from(report: &'r Report) -> Document<'r> {
        let (score, summary) = (report.score(), &report.summary);
        let [passed, failed, undecided] = report.counts();
        Document {
            schema: SCHEMA,
            notes: &report.notes,
            subject: &report.subject,
            version: report.version.as_deref(),
            profile: report.profile_name(),
            not_applicable: report.not_applicable,
            conforms: report.conforms(),
            outcome: report.outcome(),
            score: Score { held: report.grade(), covered: score.covered },
            counts: Counts { passed, failed, undecided, waived: report.waived() },
            rules: report.judged.iter().map(rule).collect(),
            summary: RunSummaryDocument {
                commands: summary.commands,
                run: summary.run,
                withheld: summary.withheld,
                probes: summary.probes,
                skipped: summary.skipped,
                duration_ms: u64::try_from(summary.time.as_millis()).unwrap_or(u64::MAX),
                peak_memory_bytes: summary.peak_memory,
                containment: &summary.containment,
            },
            gaps: &report.gaps,
            stale_waivers: &report.stale_waivers,
        }
    }
}

fn rule(judged: &Judged) -> RuleDocument<'_> {
    let rule = judged.rule;
    let (runs, why, declare) = match judged.verdict {
        Verdict::Passed { runs } => (Some(runs), None, None),
        Verdict::Failed(_) => (None, None, None),
        Verdict::Undecided { why, declare } => (None, Some(why), declare),
    };
    RuleDocument {
        id: rule.id,
        family: rule.family,
        severity: judged.severity,
        verdict: judged.verdict.as_str(),
        runs,
        why,
        declare,
        flaw: rule.flaw,
        fix: rule.fix,
        modes: rule.modes,
        requirements: rule.requirements,
        findings: judged.causes().iter().map(|cause| finding(judged, cause, None)).collect(),
        waived: judged
            .waived
            .iter()
            .map(|(it, reason)| {
                let cause = Cause { first: it, findings: vec![it] };
                finding(judged, &cause, Some(reason.as_str()))
            })
            .collect(),
    }
}

fn finding<'r>(judged: &Judged, cause: &Cause<'r>, reason: Option<&'r str>) -> FindingDocument<'r> {
    let finding = cause.first;
    FindingDocument {
        fingerprint: judged.fingerprint(finding),
        commands: cause.commands(),
        calls: cause.calls(),
        command: &finding.command,
        message: &finding.message,
        reproduce: &finding.reproduce,
        excerpt: finding.excerpt.as_ref().map(excerpt),
        reason,
    }
}

fn excerpt(excerpt: &Excerpt) -> ExcerptDocument<'_> {
    let Excerpt { stream, start, end, before, bytes, after } = excerpt;
    ExcerptDocument { stream: *stream, start: *start, end: *end, before, bytes, after }
}
