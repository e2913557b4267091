//! The numbers that a command may end with, and what a caller may conclude from each.

use crate::call::Call;
use crate::code::Code;
use crate::failure::Declared;
use crate::sys;
use manila::Exit;
use manila::exit::{Effects, Retry};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// One number.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ExitCode {
    /// The class that the number stands for.
    name: &'static str,
    /// Whether the same call may work, whichever of the codes it was, and can do no harm.
    retryable: bool,
    /// What may have changed: complete, none, partial or unknown.
    #[schemars(with = "String")]
    effects: Effects,
    /// The error codes that end with this number.
    codes: Vec<&'static str>,
}

/// By number, so that the order is that of the numbers.
pub(super) type ExitCodes = BTreeMap<i32, ExitCode>;

/// The numbers for success and for these failures.
pub(super) fn exit_codes(call: &Call, declared: &[Declared]) -> ExitCodes {
    let table = call.dialect.about().exits;
    let mut codes = ExitCodes::new();
    for one in declared {
        let effects = table.conclude(class(call, one)).1;
        let again = is_retryable(call, one);
        for status in statuses(call, one) {
            let name =
                table.row(status).map_or_else(|| Code::Cancelled.name(), |row| row.exit.name());
            let code = codes.entry(status).or_insert_with(|| ExitCode {
                name,
                retryable: again,
                effects,
                codes: Vec::new(),
            });
            code.codes.push(one.code);
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
            name: Exit::Success.name(),
            retryable: false,
            effects: Effects::Complete,
            codes: Vec::new(),
        },
    );
    codes
}

/// What the error itself will say about calling again.
pub(super) fn is_retryable(call: &Call, one: &Declared) -> bool {
    let concluded = || call.dialect.about().exits.conclude(class(call, one)).0 == Retry::Yes;
    one.retryable.unwrap_or_else(concluded)
}

/// The class that it ends with in the dialect of the call.
pub(super) fn class(call: &Call, one: &Declared) -> Exit {
    if one.exit == Exit::Redirected { call.redirect_class() } else { one.exit }
}

/// The number that it ends with, or those: a run that a signal ended may say which.
fn statuses(call: &Call, one: &Declared) -> Vec<i32> {
    let table = call.dialect.about().exits;
    let names = [Code::Cancelled.name(), call.setup.name_of(Code::Cancelled)];
    if table.signals && names.contains(&one.code) && !sys::ENDING.is_empty() {
        return sys::ENDING.iter().map(|signal| table.interrupted(*signal)).collect();
    }
    vec![table.status(class(call, one))]
}

/// Whether the boundary itself reports it, so that any command may.
pub(super) fn is_ours(call: &Call, one: &Declared) -> bool {
    Code::ALL.iter().any(|code| call.setup.name_of(*code) == one.code)
}

#[cfg(test)]
mod tests {
    use super::super::program;
    use super::*;
    use manila::{DIALECTS, dialects};

    #[test]
    fn every_dialect_has_success_and_every_code_once_or_by_signal() {
        for dialect in DIALECTS {
            let call = program::call_in(*dialect, "tool list");
            let declared = call.setup.all_declared();
            let codes = exit_codes(&call, &declared);
            assert!(codes[&0].codes.is_empty() && codes[&0].name == "SUCCESS", "{dialect:?}");
            for one in &declared {
                let times = codes.values().filter(|code| code.codes.contains(&one.code)).count();
                assert_eq!(times, statuses(&call, one).len(), "{dialect:?} {}", one.code);
            }
            for (status, code) in codes.iter().filter(|(_, code)| code.retryable) {
                assert_eq!(code.effects, Effects::None, "{dialect:?} {status}");
            }
        }
    }

    #[test]
    fn a_number_for_many_classes_promises_nothing() {
        let call = program::call_in(dialects::TD_1, "tool list");
        let codes = exit_codes(&call, &call.setup.all_declared());
        assert_eq!(codes.keys().collect::<Vec<_>>(), [&0, &1, &2]);
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
