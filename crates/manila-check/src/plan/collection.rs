//! The probes that a check asks for, each once.

use crate::observe::probe::{Form, Probe, Purpose, Setting};
use crate::surface::model::{Command, Json};
use std::ffi::OsString;

impl Probe {
    /// A call of a command for a purpose: its words, then the arguments, then the words that ask for
    /// JSON if that is the form.
    pub fn new(
        command: &Command,
        purpose: Purpose,
        form: Form,
        args: impl IntoIterator<Item = impl Into<OsString>>,
        json: &Json,
    ) -> Probe {
        let mut words: Vec<OsString> = command.path.iter().map(OsString::from).collect();
        words.extend(args.into_iter().map(Into::into));
        if form == Form::Json {
            words = json.added_to(words);
        }
        Probe {
            command: command.path.clone(),
            args: words,
            purpose,
            form,
            setting: Setting::default(),
        }
    }
}

/// The probes that rules have asked for, each once, in the order in which they were asked for.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    probes: Vec<Probe>,
    last: Vec<Probe>,
    seen: std::collections::BTreeSet<Probe>,
}

impl Plan {
    /// Adds a probe, unless it is there already.
    pub(crate) fn ask(&mut self, probe: Probe) {
        if self.seen.insert(probe.clone()) {
            self.probes.push(probe);
        }
    }

    /// Adds all of these.
    pub(crate) fn ask_each(&mut self, probes: impl IntoIterator<Item = Probe>) {
        for probe in probes {
            self.ask(probe);
        }
    }

    /// Adds all of these to the end: nothing is run after them.
    pub(crate) fn ask_last(&mut self, probes: impl IntoIterator<Item = Probe>) {
        for probe in probes {
            if self.seen.insert(probe.clone()) {
                self.last.push(probe);
            }
        }
    }

    /// How many there are, without the last.
    pub(crate) fn count(&self) -> usize {
        self.probes.len()
    }

    /// All of them, and those that are run last.
    pub(crate) fn into_parts(self) -> (Vec<Probe>, Vec<Probe>) {
        (self.probes, self.last)
    }
}
