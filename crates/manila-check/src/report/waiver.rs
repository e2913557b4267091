//! Which findings are waived, and which waivers are unused.

use crate::declaration::{Declaration, Waiver};
use crate::report::model::Judged;
use crate::rule::definition::Rule;
use crate::rule::verdict::{Finding, Verdict};
use crate::severity::Severity;
use jiff::civil::Date;

/// What the rules said without what is waived, and a sentence for each unused waiver.
pub(crate) fn waive(
    declaration: &Declaration,
    today: Option<Date>,
    verdicts: Vec<(&'static Rule, Severity, Verdict)>,
) -> (Vec<Judged>, Vec<String>) {
    let mut waivers = Waivers::new(&declaration.waivers, today);
    let judged = verdicts
        .into_iter()
        .map(|(rule, severity, verdict)| waivers.apply(rule, severity, verdict))
        .collect();
    (judged, waivers.stale())
}

/// The waivers, and which of them were of use.
struct Waivers<'w> {
    waivers: Vec<(&'w Waiver, bool)>,
    today: Option<Date>,
}

impl<'w> Waivers<'w> {
    fn new(waivers: &'w [Waiver], today: Option<Date>) -> Waivers<'w> {
        Waivers { waivers: waivers.iter().map(|waiver| (waiver, false)).collect(), today }
    }

    fn is_over(&self, waiver: &Waiver) -> bool {
        waiver.expires.zip(self.today).is_some_and(|(last, today)| last < today)
    }

    /// Takes out of a verdict what is waived.
    fn apply(&mut self, rule: &'static Rule, severity: Severity, verdict: Verdict) -> Judged {
        let Verdict::Failed(findings) = verdict else {
            return Judged { rule, severity, verdict, waived: Vec::new() };
        };
        let runs = findings.len();
        let (mut kept, mut waived) = (Vec::new(), Vec::new());
        for finding in findings {
            match self.reason(rule, &finding) {
                Some(reason) => waived.push((finding, reason)),
                None => kept.push(finding),
            }
        }
        let verdict =
            if kept.is_empty() { Verdict::Passed { runs } } else { Verdict::Failed(kept) };
        Judged { rule, severity, verdict, waived }
    }

    fn reason(&mut self, rule: &Rule, finding: &Finding) -> Option<String> {
        let command = finding.command.join(" ");
        let at = self.waivers.iter().position(|(waiver, _)| {
            waiver.rule == rule.id
                && waiver.command.as_ref().is_none_or(|of| *of == command)
                && !self.is_over(waiver)
        })?;
        self.waivers[at].1 = true;
        Some(self.waivers[at].0.reason.clone())
    }

    /// A sentence for each that waives nothing.
    fn stale(&self) -> Vec<String> {
        let unused = self.waivers.iter().filter(|(_, is_used)| !is_used);
        unused
            .map(|(waiver, _)| {
                let of = waiver.command.as_ref().map_or(String::new(), |of| format!(" of `{of}`"));
                match waiver.expires {
                    Some(last) if self.is_over(waiver) => {
                        format!("the waiver of {}{of} expired on {last}", waiver.rule)
                    }
                    _ => format!("the waiver of {}{of} waives nothing", waiver.rule),
                }
            })
            .collect()
    }
}
