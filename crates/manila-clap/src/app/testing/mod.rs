//! Test mode: every answer is compared with its schema, its invariants and what the program
//! declared.
//!
//! In process, with no effect outside of memory:
//!
//! ```
//! use manila_clap::{App, Done, dialects};
//! use std::convert::Infallible;
//!
//! let app = || App::from_command(clap::Command::new("note"), dialects::TD_1);
//! let called = app().call(["--json"], |_, _| Ok::<_, Infallible>(Done::new("written")));
//! called.assert_contract();
//! assert_eq!(called.status, 0);
//! assert_eq!(called.data::<serde_json::Value>()["message"], "written");
//! ```
//!
//! As the process that callers start, see [`Program`]. And a program that was built with this
//! feature checks itself where the variable `MANILA_CHECK` is 1: an answer that breaks the contract
//! goes out as a failure, `CONTRACT_BROKEN`, whose message says how.
//!
//! # What is checked
//!
//! Of answers for programs, and of the last two for people:
//!
//! | check | asks |
//! |---|---|
//! | `one-document` | is there exactly one document, and nothing beside it |
//! | `frames` | are frames numbered without a gap, before the envelope, and as many as it says |
//! | `frame-data` | are the data of a frame what its kind declares |
//! | `no-escape` | is there no raw escape byte on either stream |
//! | `dialect` | is it an envelope of the program's dialect, without a guess |
//! | `stream` | does it stand on the stream that the dialect declares for its outcome |
//! | `plain-json` | is nothing odd: no duplicate keys, huge integers, control characters |
//! | `envelope-schema` | is it valid against the JSON Schema of the dialect |
//! | `ok-is-status` | do document and process agree on whether it succeeded |
//! | `status-of-class` | is the status the number of its class in the dialect's table |
//! | `something-said` | are there data or an error |
//! | `self-check` | did the program find no fault with itself |
//! | `code-declared` | is the error's code one that the program declares |
//! | `code-of-command` | is it one that the command lists, if it lists any |
//! | `class-of-code` | has it the exit class that is declared for it |
//! | `kind-declared` | is the kind of the data one that the program declares |
//! | `kind-of-command` | is it one that the command lists, if it lists any |
//! | `data-schema` | are the data what their kind declares |
//! | `redirect-command` | does a redirect say where to |
//! | `page-cursor` | does a page that is cut say where the next one begins |
//! | `no-colour` | is there no escape where colour is off |
//! | `failure-says-why` | does a failure say something on stderr |

mod called;
mod case;
mod checks;
mod finding;
mod program;
mod promise;
mod schemas;

pub use called::{Called, Violation};
pub use program::Program;

use crate::app::{App, List, work};
use crate::call::Call;
use crate::call::setup::Catalogue;
use crate::code::Code;
use crate::error::Outcome;
use crate::failure::Failure;
use crate::meta::meta;
use crate::mode::Environment;
use crate::output::Output;
use crate::panic as panics;
use crate::prepare::prepare;
use crate::reply::Reply;
use crate::respond::{complete, respond};
use crate::sink::Sink;
use crate::usage;
use called::{Known, Meant};
use promise::Contract;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// What makes a program check itself.
const VARIABLE: &str = "MANILA_CHECK";

/// How the message of an answer begins that took the place of one which broke the contract. A code
/// would not do: some dialects have only codes of their own.
const BROKEN: &str = "the answer breaks the contract of the program: ";

/// What a call that is made in process sees around it. By default: no terminal, no variables.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// Whether stdin, output and error are terminals. With the first and the last a
    /// handler that asks something reads the stdin of the test.
    pub terminals: [bool; 3],
    /// The variables of the environment.
    pub variables: Vec<(String, OsString)>,
}

impl Surroundings {
    /// The output is a terminal with colour; the input is not one.
    pub fn watched() -> Surroundings {
        Surroundings { terminals: [false, true, true], variables: Vec::new() }
            .variable("TERM", "xterm")
    }

    /// The same with a variable.
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<OsString>) -> Surroundings {
        self.variables.push((name.into(), value.into()));
        self
    }

    fn into_environment(self) -> Environment {
        let Surroundings { terminals, variables } = self;
        let variable = move |name: &str| {
            let found = variables.iter().rev().find(|(key, _)| key == name);
            found.map(|(_, value)| value.clone())
        };
        Environment {
            is_terminal: Box::new(move |stream| terminals[stream]),
            terminal_width: Box::new(|| None),
            variable: Box::new(variable),
        }
    }
}

impl<C, L: List> App<C, L> {
    /// Calls the program in process, as [`App::run`] would but with its output in memory: no
    /// signals, no time limit, nothing written. The arguments are those after the program's name.
    ///
    /// For an asynchronous handler, block on it: `app.call(words, |cli, call| block_on(run(cli, call)))`.
    pub fn call<R, F>(
        self,
        arguments: impl IntoIterator<Item = impl Into<OsString>>,
        handler: impl FnOnce(C, &'static Call) -> Result<R, F>,
    ) -> Called
    where
        R: Reply + 'static,
        F: Failure,
    {
        self.call_in(Surroundings::default(), arguments, handler)
    }

    /// The same in surroundings with terminals or variables.
    pub fn call_in<R, F>(
        self,
        surroundings: Surroundings,
        arguments: impl IntoIterator<Item = impl Into<OsString>>,
        handler: impl FnOnce(C, &'static Call) -> Result<R, F>,
    ) -> Called
    where
        R: Reply + 'static,
        F: Failure,
    {
        let read = self.read;
        let mut setup = self.declaring::<R, F>();
        // Here the answer is read, and not what clap would print beside it.
        setup.unified_errors = true;
        // Here every command lists what it can answer.
        setup.catalogue = Catalogue::new::<R, F>();
        let words: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
        let shown: Vec<String> =
            words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let sink = Arc::new(Sink::Memory(Mutex::default()));
        let environment = surroundings.into_environment();
        let (call, ready) = prepare(setup, environment, Arc::clone(&sink), words, Instant::now());
        let call: &'static Call = Box::leak(Box::new(call));
        let outcome = match ready {
            Err(outcome) => outcome,
            Ok(mut matches) => {
                let work = AssertUnwindSafe(|| work(read, &mut matches, call, handler));
                match catch_unwind(work) {
                    Ok(Ok(outcome)) => outcome,
                    Ok(Err(error)) => usage::answer(call, &error),
                    Err(payload) => Err(panics::caught(call, &*payload)),
                }
            }
        };
        let (output, meant) = responded(call, outcome);
        let before = match &*sink {
            Sink::Memory(memory) => {
                std::mem::take(&mut *memory.lock().unwrap_or_else(PoisonError::into_inner))
            }
            Sink::Process(_) => Vec::new(),
        };
        let stdout = [before, output.stdout].concat();
        let contract = Arc::new(Contract::new(call));
        Called::new(Output { stdout, ..output }, contract, Known::new(call, meant, &shown, 0))
    }
}

/// Responds to an outcome and, where the program is to check itself, holds it against the contract before
/// anything is written.
pub(crate) fn checked(call: &Call, outcome: Outcome) -> Output {
    responded(call, outcome).0
}

fn responded(call: &Call, outcome: Outcome) -> (Output, Meant) {
    let outcome = complete(call, outcome);
    let meant = Meant::new(&outcome);
    let is_relayed = outcome.as_ref().is_ok_and(|reply| reply.relayed().is_some());
    let output = respond(call, outcome);
    if is_relayed || call.environment.text(VARIABLE).is_none_or(|value| value != "1") {
        return (output, meant);
    }
    let contract = Arc::new(Contract::new(call));
    let known = Known::new(call, meant.clone(), &[], call.frames.count());
    let violations = Called::new(output.clone(), contract, known).violations();
    if violations.is_empty() {
        return (output, meant);
    }
    let list: Vec<String> = violations.iter().map(ToString::to_string).collect();
    let error = call
        .error(Code::ContractBroken, format!("{BROKEN}{}", list.join("; ")))
        .suggestion("this is a bug of the program; the work itself may be done");
    let outcome = Err(error);
    let meant = Meant::new(&outcome);
    // Responding takes what is about the answer, and this is another answer. It is not checked again:
    // it could only be replaced by itself.
    call.put_meta(meta(call));
    (respond(call, outcome), meant)
}
