//! Starts a check from the arguments of `manila check`.

use super::Arguments;
use crate::checking::{self, recorded, settled};
use crate::error::CliError;
use manila_check::{
    Declaration, Options, Report, RuleSelection, Subject, check, check_recorded, init, survey,
};
use manila_clap::Call;

/// Makes the check.
pub(crate) fn report(arguments: &Arguments, call: &Call) -> Result<Report, CliError> {
    let declaration = arguments.declarations.read()?;
    if !arguments.run.is_empty() {
        let runs = recorded(&arguments.run)?;
        return Ok(check_recorded(runs, &declaration, &selection(arguments)));
    }
    let subject = subject(arguments, &declaration)?;
    let report = check(&subject, &declaration, &options(arguments, call)?);
    settled(call, report)
}

/// A declaration from what is found out, and from what was declared of the commands before.
pub(crate) fn declaration(arguments: &Arguments, call: &Call) -> Result<String, CliError> {
    let declaration = arguments.declarations.read()?;
    let waivers = declaration.waivers.len();
    if waivers > 0 {
        let them = if waivers == 1 { "1 waiver is" } else { &format!("{waivers} waivers are") };
        call.warn(format!(
            "{them} not taken over from {}",
            arguments.declarations.path().display()
        ));
    }
    let subject = subject(arguments, &declaration)?;
    let survey = survey(&subject, &declaration, &options(arguments, call)?);
    let survey = settled(call, survey)?;
    for note in &survey.notes {
        call.warn(note);
    }
    Ok(init(&subject, &survey.surface))
}

fn subject(arguments: &Arguments, declaration: &Declaration) -> Result<Subject, CliError> {
    let place = || arguments.declarations.path().display().to_string();
    let none = || CliError::NothingToCheck { place: place() };
    checking::subject(&arguments.command, declaration, none)
}

fn options(arguments: &Arguments, call: &Call) -> Result<Options, CliError> {
    Ok(Options {
        record: arguments.record.clone(),
        rules: selection(arguments),
        command: arguments
            .only
            .as_ref()
            .map(|words| words.split_whitespace().map(str::to_owned).collect()),
        is_quick: arguments.quick,
        slow_deadline: arguments.slow_deadline(),
        ..arguments.limits.options(arguments.deadline(), call)?
    })
}

fn selection(arguments: &Arguments) -> RuleSelection {
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    RuleSelection {
        select: arguments.select.clone(),
        ignore: arguments.ignore.clone(),
        profile: arguments.profile(),
        today: Some(today),
        threshold: arguments.threshold(),
    }
}
