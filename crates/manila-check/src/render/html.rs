//! One page that needs nothing else: no script, no file, no network; in light and dark, and on paper.
//! What is shown is chosen by boxes that the style sheet reads.

use super::shared::escape::markup;
use super::shared::{page, put};
use crate::report::{Judged, Outcome, Report, counted};
use crate::verdict::{Excerpt, Finding, Verdict};

const STYLE: &str = include_str!("html.css");
/// Whatever a program wrote, the page loads nothing and runs nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

pub(super) fn render(report: &Report) -> String {
    let name = report.name();
    let title = format!("{} {}", markup(&name), report.headline());
    let mut body = head(report, &name);
    body.push_str(FILTER);
    let broken = report.broken();
    if !broken.is_empty() {
        body.push_str("<h2>Broken</h2>\n");
        body.extend(broken.into_iter().map(rule));
    }
    undecided(&mut body, report);
    held(&mut body, report);
    remarks(&mut body, "Waivers to look at", &report.stale_waivers);
    remarks(&mut body, "Not found out", &report.gaps);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

/// Where a browser does not know `:has`, everything is shown.
const FILTER: &str = "<fieldset class=\"filter\"><legend>Show</legend>\
<label><input type=\"checkbox\" id=\"see-error\" checked> errors</label>\
<label><input type=\"checkbox\" id=\"see-warning\" checked> warnings</label>\
<label><input type=\"checkbox\" id=\"see-note\" checked> notes</label>\
<label><input type=\"checkbox\" id=\"see-undecided\" checked> what could not be told</label>\
<label><input type=\"checkbox\" id=\"see-holds\" checked> what holds</label></fieldset>\n";

fn head(report: &Report, name: &str) -> String {
    let score = report.score();
    let [holds, broken, undecided] = report.counts();
    let class = match report.outcome() {
        Outcome::Conforms => "good",
        Outcome::LittleTold => "little",
        Outcome::DoesNotConform => "bad",
    };
    let note = |it: &String| format!("<p class=\"first\">{}</p>\n", markup(it));
    let notes: String = report.notes.iter().map(note).collect();
    let mut head = format!(
        "<header>\n{notes}<h1>{} <span class=\"{class}\">{}</span></h1>\n<p class=\"faint\"><code>{}</code></p>\n<ul class=\"tiles\">\n",
        markup(name),
        report.headline(),
        markup(&report.subject_line()),
    );
    let tiles = [
        (score.held.to_string(), "of 100"),
        (format!("{} %", score.covered), "covered"),
        (broken.to_string(), "broken"),
        (undecided.to_string(), "not told"),
        (holds.to_string(), "holding"),
        (report.waived().to_string(), "waived"),
    ];
    for (number, what) in tiles {
        put(&mut head, format_args!("<li><b>{number}</b>{what}</li>\n"));
    }
    let sweep = &report.sweep;
    put(&mut head, format_args!("</ul>\n<p class=\"faint\">{}", markup(&sweep.told())));
    if !sweep.containment.is_empty() {
        put(&mut head, format_args!("; contained: {}", markup(&sweep.containment)));
    }
    head.push_str("</p>\n</header>\n");
    head
}

/// What could not be told, by the reason: one declaration often settles many rules.
fn undecided(body: &mut String, report: &Report) {
    let mut reasons: Vec<(String, Vec<&Judged>)> = Vec::new();
    for judged in &report.judged {
        let Verdict::Undecided { why, declare } = &judged.verdict else { continue };
        let declare =
            declare.map_or_else(String::new, |it| format!(" Declare <code>{}</code>.", markup(it)));
        let reason = format!("{}.{declare}", markup(why));
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, all)) => all.push(judged),
            None => reasons.push((reason, vec![judged])),
        }
    }
    if reasons.is_empty() {
        return;
    }
    body.push_str("<section class=\"undecided\">\n<h2>Could not be told</h2>\n");
    for (reason, all) in reasons {
        let rules: String = all.into_iter().map(line).collect();
        put(
            body,
            format_args!(
                "<div class=\"lines\">\n<p class=\"reason\">{reason}</p>\n{rules}</div>\n"
            ),
        );
    }
    body.push_str("</section>\n");
}

fn held(body: &mut String, report: &Report) {
    let holds = |judged: &&Judged| matches!(judged.verdict, Verdict::Holds { .. });
    let rules: String = report.judged.iter().filter(holds).map(line).collect();
    if !rules.is_empty() {
        put(
            body,
            format_args!(
                "<section class=\"holds\">\n<h2>Holds</h2>\n<div class=\"lines\">\n{rules}</div>\n</section>\n"
            ),
        );
    }
}

fn remarks(body: &mut String, title: &str, remarks: &[String]) {
    if !remarks.is_empty() {
        let mut items = String::new();
        for remark in remarks {
            put(&mut items, format_args!("<li>{}</li>\n", markup(remark)));
        }
        put(body, format_args!("<h2>{title}</h2>\n<ul>\n{items}</ul>\n"));
    }
}

/// A rule that nothing is wrong with, on a line that unfolds.
fn line(judged: &Judged) -> String {
    let rule = judged.rule;
    let runs = match &judged.verdict {
        Verdict::Holds { runs } => {
            format!(" <span class=\"faint\">{}</span>", counted(*runs, "run"))
        }
        _ => String::new(),
    };
    let waived: String = judged.waived.iter().map(waived).collect();
    format!(
        "<details id=\"{id}\"><summary><b>{id}</b>{runs}</summary>\n<p>{flaw}</p>\n{waived}{page}</details>\n",
        id = rule.id,
        flaw = markup(rule.flaw),
        page = page::html(rule.page),
    )
}

/// A rule that is broken.
fn rule(judged: &Judged) -> String {
    let rule = judged.rule;
    let word = judged.severity.word();
    let findings = match &judged.verdict {
        Verdict::Violated(findings) => all(judged, findings),
        _ => String::new(),
    };
    let waived: String = judged.waived.iter().map(waived).collect();
    format!(
        "<article class=\"rule {word}\" id=\"{id}\">\n<span class=\"badge\">{word}</span><h3>{id}</h3> <span class=\"faint\">{family}</span>\n<p>{flaw}</p>\n<p><b>Fix:</b> {fix}</p>\n{findings}{waived}<details class=\"page\"><summary>What it means and why it matters</summary>\n{page}</details>\n</article>\n",
        id = rule.id,
        family = rule.family.word(),
        flaw = markup(rule.flaw),
        fix = markup(rule.fix),
        page = page::html(rule.page),
    )
}

/// The first finding, and the others to unfold.
fn all(judged: &Judged, findings: &[Finding]) -> String {
    let Some((first, rest)) = findings.split_first() else { return String::new() };
    let mut text = finding(first);
    if let Some(more) = judged.more() {
        let rest: String = rest.iter().map(finding).collect();
        put(&mut text, format_args!("<details><summary>{more}</summary>\n{rest}</details>\n"));
    }
    text
}

fn finding(finding: &Finding) -> String {
    let bytes = finding.excerpt.as_ref().map_or_else(String::new, bytes);
    format!(
        "<div class=\"finding\">\n<p><code>{}</code>: {}</p>\n<pre><code>{}</code></pre>\n{bytes}</div>\n",
        markup(&finding.place()),
        markup(&finding.message),
        markup(&finding.reproduce),
    )
}

fn bytes(excerpt: &Excerpt) -> String {
    let Excerpt { stream, start, end, before, bytes, after } = excerpt;
    format!(
        "<p class=\"faint\">{stream}, bytes {start}..{end}</p>\n<pre><code>{}<mark>{}</mark>{}</code></pre>\n",
        markup(before),
        markup(bytes),
        markup(after),
    )
}

fn waived((finding, reason): &(Finding, String)) -> String {
    format!(
        "<p class=\"faint\">Waived in <code>{}</code>: {}</p>\n",
        markup(&finding.place()),
        markup(reason),
    )
}
