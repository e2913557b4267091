//! Annotations of a GitHub job: a workflow command for each broken rule, and a line at the end.

use super::human::drawn;
use super::shared::escape::visible;
use super::shared::put;
use super::shared::wording::counted;
use crate::report::model::{Judged, Report};
use crate::severity::Severity;

pub(super) fn render(report: &Report) -> String {
    let note = |it: &String| format!("::notice title=manila check::{}\n", data(&visible(it)));
    let mut text: String = report.notes.iter().map(note).collect();
    text.extend(report.broken().into_iter().map(annotation));
    // A line that begins with a colon would be a command; this one begins with a word of ours.
    let line = format!("manila check: {} {}", report.subject_line(), report.headline());
    let (profile, tally) = (report.profile_name(), report.tally());
    put(&mut text, format_args!("{} ({profile}): {tally}\n", visible(&line)));
    text
}

/// GitHub shows ten of a kind for a step, so a rule gets one however often it is broken.
fn annotation(judged: &Judged) -> String {
    let command = match judged.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let causes = judged.causes();
    let Some(first) = causes.first() else { return String::new() };
    let finding = first.first;
    let mut lines = vec![visible(&finding.message), visible(&finding.reproduce)];
    if let Some(excerpt) = &finding.excerpt {
        let (bytes, marks) = drawn(excerpt);
        lines.extend([bytes, marks]);
    }
    lines.push(format!("fix: {}", judged.rule.fix));
    lines.extend(first.more());
    if let Some(others @ 1..) = causes.len().checked_sub(1) {
        lines.push(format!("and {}", counted(others, "more finding")));
    }
    let title = format!("{} ({})", judged.rule.id, finding.place());
    format!("::{command} title={}::{}\n", property(&visible(&title)), data(&lines.join("\n")))
}

/// The text of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of one.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixtures::report;

    #[test]
    fn no_word_of_the_program_is_a_command() {
        let text = render(&report());
        let commands: Vec<&str> = text.lines().filter(|line| line.starts_with("::")).collect();
        assert_eq!(commands.len(), report().broken().len() + report().notes.len());
        assert_eq!(text.lines().count(), commands.len() + 1);
        let mut escaped = 0;
        for command in commands {
            // What follows each per cent sign is what the runner takes back.
            for rest in command.split('%').skip(1) {
                assert!(["25", "0A", "0D", "3A", "2C"].contains(&&rest[..2]), "{command}");
                escaped += 1;
            }
        }
        assert!(escaped > 0, "nothing was escaped: {text}");
    }
}
