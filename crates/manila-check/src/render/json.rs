//! Our envelope: the report as data, and what a caller may branch on.

use crate::report::{Judged, Outcome, Report};
use crate::rule::{Family, Severity};
use crate::verdict::{Excerpt, Finding, Verdict};
use manila::json::{Members, Raw};
use manila::{Content, Defaults, Envelope, Exit, Failure, Lines, Meta, Stream, dialects};
use schemars::JsonSchema;
use serde::Serialize;

/// The code of the failure of a check whose program does not conform.
pub const DOES_NOT_CONFORM: &str = "DOES_NOT_CONFORM";

pub(super) fn render(report: &Report) -> String {
    enveloped(&Document::of(report), report)
}

/// Data about a check in our own envelope. A failure has no data in it, so there they are in `meta`,
/// under `report`.
pub fn enveloped(data: &impl Serialize, report: &Report) -> String {
    let data = Raw::of(data).unwrap_or_else(|_| Raw::null());
    let duration_ms = u64::try_from(report.sweep.time.as_millis()).ok();
    let meta = Meta { duration_ms, ..Meta::default() };
    let mut content = Content { kind: Some("check".to_owned()), meta, ..Content::default() };
    let exit = if report.conforms() {
        content.data = Some(data);
        Exit::Success
    } else {
        let mut extra = Members::default();
        extra.push("report", data);
        content.meta.extra = extra;
        content.error = Some(Failure::new(DOES_NOT_CONFORM, complaint(report)));
        Exit::General
    };
    let Ok(envelope) = Envelope::new(exit, content) else { return String::new() };
    let (dialect, defaults) = (dialects::RESPONSE_ENVELOPE_1_0, Defaults::default());
    let written = manila::write_into(Vec::new(), &envelope, dialect, &defaults, Lines::AsUsual);
    String::from_utf8_lossy(&written.document).into_owned()
}

/// Why a program does not conform, in one sentence.
pub fn complaint(report: &Report) -> String {
    let ids: Vec<&str> = report.failing().map(|judged| judged.rule.id).collect();
    let verb = if ids.len() == 1 { "keeps" } else { "keep" };
    format!(
        "{} {verb} it from conforming: {}",
        crate::report::counted(ids.len(), "rule"),
        ids.join(", ")
    )
}

/// What a check found, as data.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Report")]
pub struct Document<'r> {
    /// What must be known first, such as that the program was not confined.
    notes: &'r [String],
    subject: &'r [String],
    version: Option<&'r str>,
    conforms: bool,
    /// `conforms`, `does-not-conform`, or `little-told`: it conforms, but most rules could not be told.
    #[schemars(with = "String")]
    outcome: Outcome,
    score: Score,
    counts: Counts,
    rules: Vec<RuleTold<'r>>,
    sweep: SweepTold<'r>,
    gaps: &'r [String],
    stale_waivers: &'r [String],
}

#[derive(Debug, Serialize, JsonSchema)]
struct Score {
    /// Of what could be told, how much holds, in hundredths.
    held: u32,
    /// Of all rules, how much could be told, in hundredths.
    covered: u32,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Counts {
    holds: usize,
    violated: usize,
    undecided: usize,
    waived: usize,
}

/// A rule and its verdict.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "JudgedRule")]
struct RuleTold<'r> {
    id: &'r str,
    #[schemars(with = "String")]
    family: Family,
    #[schemars(with = "String")]
    severity: Severity,
    verdict: &'static str,
    /// How many runs could have shown the flaw, where none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    runs: Option<usize>,
    /// Why it could not be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'r str>,
    /// What to declare in manila.toml so that it can be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    declare: Option<&'r str>,
    flaw: &'r str,
    fix: &'r str,
    modes: &'r [u8],
    requirements: &'r [&'r str],
    findings: Vec<FindingTold<'r>>,
    waived: Vec<FindingTold<'r>>,
}

/// A finding.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Finding")]
struct FindingTold<'r> {
    fingerprint: String,
    command: &'r [String],
    message: &'r str,
    reproduce: &'r str,
    excerpt: Option<ExcerptTold<'r>>,
    /// Why it is waived.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'r str>,
}

/// Bytes of a stream, with some of what is around them.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Excerpt")]
struct ExcerptTold<'r> {
    #[schemars(with = "String")]
    stream: Stream,
    start: usize,
    end: usize,
    before: &'r str,
    bytes: &'r str,
    after: &'r str,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Sweep")]
struct SweepTold<'r> {
    commands: usize,
    run: usize,
    probes: usize,
    skipped: usize,
    duration_ms: u64,
    peak_memory_bytes: u64,
    containment: &'r str,
}

impl Document<'_> {
    /// The data of a report.
    pub fn of(report: &Report) -> Document<'_> {
        let (score, sweep) = (report.score(), &report.sweep);
        let [holds, violated, undecided] = report.counts();
        Document {
            notes: &report.notes,
            subject: &report.subject,
            version: report.version.as_deref(),
            conforms: report.conforms(),
            outcome: report.outcome(),
            score: Score { held: score.held, covered: score.covered },
            counts: Counts { holds, violated, undecided, waived: report.waived() },
            rules: report.judged.iter().map(rule).collect(),
            sweep: SweepTold {
                commands: sweep.commands,
                run: sweep.run,
                probes: sweep.probes,
                skipped: sweep.skipped,
                duration_ms: u64::try_from(sweep.time.as_millis()).unwrap_or(u64::MAX),
                peak_memory_bytes: sweep.peak_memory,
                containment: &sweep.containment,
            },
            gaps: &report.gaps,
            stale_waivers: &report.stale_waivers,
        }
    }
}

fn rule(judged: &Judged) -> RuleTold<'_> {
    let rule = judged.rule;
    let (runs, why, declare) = match judged.verdict {
        Verdict::Holds { runs } => (Some(runs), None, None),
        Verdict::Violated(_) => (None, None, None),
        Verdict::Undecided { why, declare } => (None, Some(why), declare),
    };
    let mut names = judged.fingerprints().into_iter();
    let mut finding =
        |finding, reason| self::finding(names.next().unwrap_or_default(), finding, reason);
    RuleTold {
        id: rule.id,
        family: rule.family,
        severity: judged.severity,
        verdict: judged.verdict.word(),
        runs,
        why,
        declare,
        flaw: rule.flaw,
        fix: rule.fix,
        modes: rule.modes,
        requirements: rule.requirements,
        findings: judged.findings().iter().map(|it| finding(it, None)).collect(),
        waived: judged
            .waived
            .iter()
            .map(|(it, reason)| finding(it, Some(reason.as_str())))
            .collect(),
    }
}

fn finding<'r>(
    fingerprint: String,
    finding: &'r Finding,
    reason: Option<&'r str>,
) -> FindingTold<'r> {
    FindingTold {
        fingerprint,
        command: &finding.command,
        message: &finding.message,
        reproduce: &finding.reproduce,
        excerpt: finding.excerpt.as_ref().map(excerpt),
        reason,
    }
}

fn excerpt(excerpt: &Excerpt) -> ExcerptTold<'_> {
    let Excerpt { stream, start, end, before, bytes, after } = excerpt;
    ExcerptTold { stream: *stream, start: *start, end: *end, before, bytes, after }
}
