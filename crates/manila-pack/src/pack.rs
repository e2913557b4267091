//! A pack at work: what is known about the programs of one name, and where packs are found.

use crate::compact::Entry;
use crate::model::{Cause, EffectRule, Model};
use std::borrow::Cow;
use std::sync::Arc;

/// Where a pack comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is built in.
    Builtin,
    /// It is a user's own, read from this file.
    File(std::path::PathBuf),
    /// It is built in and extended by a user's, read from this file.
    Extended(std::path::PathBuf),
}

/// What is known about a program. Of a built-in pack only what the call needs is read; the rest when it is asked for.
#[derive(Clone, Debug)]
pub struct Pack {
    /// Shared, because a call asks for its pack several times.
    model: Arc<Model<'static>>,
    /// Where the rest of a built-in pack is.
    pending: Option<Pending>,
    origin: Origin,
}

/// What is not read yet of a built-in pack.
#[derive(Clone, Copy, Debug)]
struct Pending {
    entry: &'static Entry,
    /// The called program, whose rules are the only ones that are read.
    program: Option<&'static str>,
}

/// Where packs are found: by the name of a program.
pub trait Lookup {
    /// The pack of the program of this name.
    fn find(&self, program: &str) -> Option<Pack>;
}

impl Pack {
    /// A pack that was read from a file.
    pub fn new(model: Model<'static>, origin: Origin) -> Pack {
        Pack { model: Arc::new(model), pending: None, origin }
    }

    /// A built-in pack, whole or for the program that is called.
    pub(crate) fn builtin(entry: &'static Entry, program: Option<&'static str>) -> Option<Pack> {
        let model = Arc::new(entry.calls.read(program)?);
        Some(Pack { model, pending: Some(Pending { entry, program }), origin: Origin::Builtin })
    }

    /// Whether a run that ended with 0 has to be read, because the program may fail so.
    pub(crate) fn reads_success(&self) -> bool {
        self.pending.is_some_and(|pending| pending.entry.reads_success)
            || self.model.error.iter().any(|rule| rule.status.contains(&0))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.model.name
    }

    /// Where it comes from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What it says about calls of the program that it was found for. Its statuses, errors and cause may be missing,
    /// and of the rules of its other programs all but their number: see [`Pack::whole`].
    pub fn model(&self) -> &Model<'static> {
        &self.model
    }

    /// All that it says.
    pub fn whole(&self) -> Cow<'_, Model<'static>> {
        match self.pending.and_then(|pending| pending.entry.whole()) {
            Some(whole) => Cow::Owned(whole),
            None => Cow::Borrowed(&self.model),
        }
    }

    /// Its statuses, errors and cause; whether there is more is left open.
    pub(crate) fn answers(&self) -> Cow<'_, Model<'static>> {
        let Some(Pending { entry, program }) = self.pending else {
            return Cow::Borrowed(&self.model);
        };
        match entry.answers.read::<Model<'static>>(program) {
            Some(answers) => Cow::Owned(Model { name: self.model.name.clone(), ..answers }),
            None => Cow::Borrowed(&self.model),
        }
    }

    /// This pack with a user's in front: the rules of the user's are tried first.
    #[must_use]
    pub(crate) fn extended_by(self, user: Model<'static>, file: std::path::PathBuf) -> Pack {
        if user.r#override {
            return Pack::new(user, Origin::File(file));
        }
        let built = self.whole().into_owned();
        let mut model = user;
        model.name = built.name;
        if model.title.is_empty() {
            model.title = built.title;
        }
        let missing: Vec<_> =
            built.programs.into_iter().filter(|name| !model.programs.contains(name)).collect();
        model.programs.extend(missing);
        model.versions.extend(built.versions);
        model.dialect = model.dialect.or(built.dialect);
        model.abbreviates |= built.abbreviates;
        model.single_dash_long |= built.single_dash_long;
        model.ignore_case |= built.ignore_case;
        model.dash_dash_is_a_word |= built.dash_dash_is_a_word;
        model.environment.set.0.extend(built.environment.set.0);
        model.environment.unset.extend(built.environment.unset);
        model.environment.harmless.extend(built.environment.harmless);
        model.options.values.extend(built.options.values);
        model.options.flags.extend(built.options.flags);
        model.options.anywhere |= built.options.anywhere;
        model.option.extend(built.option);
        model.status.extend(built.status);
        model.error.extend(built.error);
        model.effect.extend(built.effect);
        model.wraps.extend(built.wraps);
        if model.cause == Cause::default() {
            model.cause = built.cause;
        }
        model.json.extend(built.json);
        model.page.extend(built.page);
        model.refresh = model.refresh.or(built.refresh);
        Pack::new(model, Origin::Extended(file))
    }
}

impl Entry {
    fn whole(&self) -> Option<Model<'static>> {
        let Model { status, error, cause, .. } = self.answers.read(None)?;
        Some(Model { status, error, cause, ..self.calls.read(None)? })
    }
}

impl EffectRule<'_> {
    /// What it describes, in one line; nothing if that is any call.
    pub fn summary(&self) -> String {
        let mut text = self.program.join_with(", ");
        let mut add = |words: String| {
            if !words.is_empty() {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(&words);
            }
        };
        add(self.command.join_with(", "));
        if !self.flag.is_empty() {
            add(format!("with {}", self.flag.join_with(", ")));
        }
        if !self.flag_value.is_empty() {
            add(format!("of {}", self.flag_value.join_with(", ")));
        }
        if !self.flag_value_except.is_empty() {
            add(format!("other than {}", self.flag_value_except.join_with(", ")));
        }
        if !self.without.is_empty() {
            add(format!("without {}", self.without.join_with(", ")));
        }
        if let Some(count) = &self.arguments {
            add(format!("and {count} arguments"));
        }
        if !self.argument.is_empty() {
            add(format!("and an argument such as {}", self.argument.join_with(", ")));
        }
        text
    }
}

trait JoinWith {
    fn join_with(&self, separator: &str) -> String;
}

impl JoinWith for crate::text::Texts<'_> {
    fn join_with(&self, separator: &str) -> String {
        self.iter().map(|text| &**text).collect::<Vec<&str>>().join(separator)
    }
}
