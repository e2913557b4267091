//! Starts a check from the arguments of `manila check`.

use super::Arguments;
use crate::checking::{gather, progress as count};
use crate::error::CliError;
use crate::progress;
use manila_check::observe::{Network, Unconfined};
use manila_check::{
    Declaration, Options, Progress, Report, RuleSelection, Subject, check, check_recorded, init,
    survey,
};
use manila_clap::Call;
use manila_pack::Packs;
use manila_run::{Cancel, reset_sigchld};
use std::path::Path;
use std::sync::Arc;

/// Makes the check.
pub(crate) fn report(arguments: &Arguments, call: &Call) -> Result<Report, CliError> {
    let declaration = arguments.declared()?;
    if !arguments.run.is_empty() {
        let mut runs = Vec::new();
        for dir in &arguments.run {
            gather(dir, &mut runs)?;
        }
        return Ok(check_recorded(runs, &declaration, &selection(arguments)));
    }
    let subject = subject(arguments, &declaration)?;
    let report = check(&subject, &declaration, &options(arguments, call)?);
    settled(call, report)
}

/// A declaration from what is found out, and from what was declared of the commands before.
pub(crate) fn declaration(arguments: &Arguments, call: &Call) -> Result<String, CliError> {
    let declaration = arguments.declared()?;
    let waivers = declaration.waivers.len();
    if waivers > 0 {
        let them = if waivers == 1 { "1 waiver is" } else { &format!("{waivers} waivers are") };
        call.warn(format!("{them} not taken over from {}", arguments.place().display()));
    }
    let subject = subject(arguments, &declaration)?;
    let survey = survey(&subject, &declaration, &options(arguments, call)?);
    let survey = settled(call, survey)?;
    for note in &survey.notes {
        call.warn(note);
    }
    Ok(init(&subject, &survey.surface))
}

/// The result of a check, unless a signal ended it: then a part would be reported as the whole.
fn settled<T>(call: &Call, made: Result<T, manila_check::Error>) -> Result<T, CliError> {
    progress::clear(call);
    call.check_cancelled()?;
    Ok(made?)
}

fn subject(arguments: &Arguments, declaration: &Declaration) -> Result<Subject, CliError> {
    let words = arguments.command.iter().map(|word| {
        word.clone().into_string().map_err(|word| CliError::InvalidValue {
            message: format!("{} is not UTF-8", word.display()),
            suggestion: "a program and its first arguments are named in UTF-8".to_owned(),
        })
    });
    let words: Vec<String> = words.collect::<Result<_, _>>()?;
    if words.is_empty() && declaration.program.is_empty() {
        return Err(CliError::NothingToCheck { place: arguments.place().display().to_string() });
    }
    Ok(Subject::resolve(&words, declaration, Path::new("."))?)
}

fn options(arguments: &Arguments, call: &Call) -> Result<Options, CliError> {
    reset_sigchld();
    Ok(Options {
        deadline: arguments.deadline(),
        limit: arguments.limit,
        jobs: arguments.jobs,
        network: if arguments.keep_network { Network::Host } else { Network::Cut },
        record: arguments.record.clone(),
        progress: call.shows_progress().then(|| Arc::new(count) as Progress),
        cancel: Cancel::when(call.cancellation()),
        unconfined: if arguments.unconfined { Unconfined::All } else { Unconfined::Help },
        packs: Packs::from_environment()?,
        rules: selection(arguments),
        command: arguments
            .only
            .as_ref()
            .map(|words| words.split_whitespace().map(str::to_owned).collect()),
        is_quick: arguments.quick,
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
