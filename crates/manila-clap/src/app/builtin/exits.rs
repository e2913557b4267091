//! The numbers that a command may end with, and what a caller may conclude from each.

use crate::call::Call;
use crate::code::Code;
use crate::declared::Declared;
use crate::sys;
use manila::Exit;
use manila::exit::{Effects, Retry};
use manila::manifest::{ExitCode, ExitCodes};

/// The numbers for success and for these failures.
pub(super) fn exit_codes(call: &Call, declared: &[Declared]) -> ExitCodes {
    let table = call.dialect.table().exits;
    let mut codes = ExitCodes::new();
    for one in declared {
        let effects = table.conclude(class(call, one)).1;
        let again = is_retryable(call, one);
        for status in statuses(call, one) {
            let row = table.row(status).filter(|_| one.status.is_none());
            let name = match row {
                Some(row) => row.exit.name(),
                None if one.status.is_some() => class(call, one).name(),
                None => Code::Cancelled.name(),
            };
            let code = codes.entry(status).or_insert_with(|| ExitCode {
                name: name.to_owned(),
                retryable: again,
                effects,
                codes: Vec::new(),
            });
            code.codes.push(one.code.to_owned());
            code.retryable &= again;
            if code.effects != effects {
                code.effects = Effects::Unknown;
            }
        }
    }
    // A class may be worth another call and still have changed something; here that means: look
    // first.
    for code in codes.values_mut() {
        code.retryable &= code.effects == Effects::None;
    }
    codes.insert(
        table.status(Exit::Success),
        ExitCode {
            name: Exit::Success.name().to_owned(),
            retryable: false,
            effects: Effects::Complete,
            codes: Vec::new(),
        },
    );
    codes
}

/// What the error itself will say about calling again.
pub(super) fn is_retryable(call: &Call, one: &Declared) -> bool {
    let concluded = || call.dialect.table().exits.conclude(class(call, one)).0 == Retry::Yes;
    one.retryable.unwrap_or_else(concluded)
}

/// The class that it ends with in the dialect of the call.
pub(super) fn class(call: &Call, one: &Declared) -> Exit {
    if one.exit == Exit::Redirected { call.redirect_class() } else { one.exit }
}

/// The number that it ends with, or those: a run that a signal ended may say which.
fn statuses(call: &Call, one: &Declared) -> Vec<i32> {
    if let Some(own) = one.status {
        return vec![own.into()];
    }
    let table = call.dialect.table().exits;
    let names = [Code::Cancelled.name(), call.setup.name_of(Code::Cancelled)];
    if table.signals && names.contains(&one.code) && !sys::ENDING.is_empty() {
        return sys::ENDING.iter().map(|signal| table.interrupted(*signal)).collect();
    }
    vec![table.status(class(call, one))]
}

/// The exit status of a failure, unless a signal is behind it.
#[cfg(feature = "schema")]
pub(super) fn status(call: &Call, one: &Declared) -> i32 {
    one.status.map_or_else(|| call.dialect.status(class(call, one)), i32::from)
}

/// The failures that a command of the program may end with.
pub(super) fn declared_for(call: &Call, path: &str, all: &[Declared]) -> Vec<Declared> {
    let codes = call.setup.spec(path).and_then(|spec| spec.codes);
    let may_fail =
        |one: &&Declared| is_ours(call, one) || codes.is_none_or(|codes| codes.contains(&one.code));
    all.iter().filter(may_fail).copied().collect()
}

/// What each number of a command means: that of its class, or of the one failure that has it.
pub(crate) fn meanings(call: &Call, path: &str) -> Vec<(i32, String)> {
    let declared = declared_for(call, path, &call.setup.all_declared());
    let meaning = |(status, code): (i32, ExitCode)| {
        let mut own = declared.iter().filter(|one| one.status.map(i32::from) == Some(status));
        let text = match (own.next(), own.next()) {
            (Some(one), None) => one.meaning.to_owned(),
            (Some(_), Some(_)) => code.codes.join(", "),
            (None, _) => code.name.clone(),
        };
        (status, text)
    };
    exit_codes(call, &declared).into_iter().map(meaning).collect()
}

/// Adds the exit status of each command below its long help.
pub(crate) fn describe(call: &Call, command: clap::Command, path: &str) -> clap::Command {
    let numbers = meanings(call, path);
    let wide = numbers.iter().map(|(status, _)| status.to_string().len()).max().unwrap_or(1);
    let lines = numbers.iter().map(|(status, text)| format!("  {status:<wide$}  {text}"));
    let section = format!("Exit status:\n{}", lines.collect::<Vec<_>>().join("\n"));
    let before = command.get_after_long_help().or_else(|| command.get_after_help());
    let text = before.map_or_else(|| section.clone(), |before| format!("{before}\n\n{section}"));
    command.after_long_help(text).mut_subcommands(|below| {
        let path = format!("{path} {}", below.get_name());
        describe(call, below, path.trim_start())
    })
}

/// Whether the boundary itself reports it, so that any command may.
pub(super) fn is_ours(call: &Call, one: &Declared) -> bool {
    Code::ALL.iter().any(|code| call.setup.name_of(*code) == one.code)
}

#[cfg(test)]
mod tests {
    use super::super::program;
    use super::*;
    use manila::dialects::{self, WRITTEN};

    // proves: C-001
    #[test]
    fn every_dialect_has_success_and_every_code_once_or_by_signal() {
        for dialect in WRITTEN {
            let call = program::call_in(*dialect, "tool list");
            let declared = call.setup.all_declared();
            let codes = exit_codes(&call, &declared);
            assert!(codes[&0].codes.is_empty() && codes[&0].name == "SUCCESS", "{dialect:?}");
            for one in &declared {
                let times = codes
                    .values()
                    .flat_map(|code| &code.codes)
                    .filter(|code| *code == one.code)
                    .count();
                assert_eq!(times, statuses(&call, one).len(), "{dialect:?} {}", one.code);
            }
            for (status, code) in codes.iter().filter(|(_, code)| code.retryable) {
                assert_eq!(code.effects, Effects::None, "{dialect:?} {status}");
            }
        }
    }

    #[test]
    fn a_number_of_the_programs_own_has_the_class_of_its_failure() {
        let call = program::call_in(dialects::RESPONSE_ENVELOPE_1_0, "notes list");
        let codes = exit_codes(&call, &call.setup.all_declared());
        assert_eq!(codes[&100].name, "GENERAL_ERROR");
        assert_eq!(codes[&100].codes, ["TYPOS_FOUND"]);
        assert!(codes[&1].codes.iter().all(|code| code != "TYPOS_FOUND"));
        assert!(meanings(&call, "add").contains(&(100, "there are typos".to_owned())));
        assert!(meanings(&call, "list").iter().all(|(status, _)| *status != 100));
    }

    #[test]
    fn a_number_for_many_classes_promises_nothing() {
        let call = program::call_in(dialects::TD_1, "tool list");
        let codes = exit_codes(&call, &call.setup.all_declared());
        assert_eq!(codes.keys().collect::<Vec<_>>(), [&0, &1, &2, &100]);
        assert_eq!((codes[&1].retryable, codes[&1].effects), (false, Effects::Unknown));
    }

    #[test]
    fn a_redirect_is_a_wrong_argument_where_there_is_no_word_for_it() {
        let redirect = Code::CommandRenamed.declared(Code::CommandRenamed.name());
        let call = program::call_in(dialects::TD_1, "tool list");
        assert_eq!(class(&call, &redirect), Exit::ArgError);
        let call = program::call_in(dialects::RESPONSE_ENVELOPE_1_6, "tool list");
        assert_eq!(class(&call, &redirect), Exit::Redirected);
    }
}
