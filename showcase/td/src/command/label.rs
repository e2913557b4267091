//! `labels` and `label add`.

use crate::context::Context;
use crate::error::{Error, Noun};
use crate::find::same_name;
use crate::store;
use crate::view::named::{LabelCreated, LabelList};
use crate::words::Words;
use clap::{Args, Subcommand};

pub(crate) fn list(context: &Context) -> Result<LabelList, Error> {
    Ok(LabelList(context.read()?.labels))
}

#[derive(Debug, Subcommand)]
pub(crate) enum Label {
    /// Add a label
    Add(Add),
}

#[derive(Debug, Args)]
pub(crate) struct Add {
    name: Words,
    /// Be content with a label of that name, if there is one
    #[arg(long)]
    idempotent: bool,
}

impl Add {
    pub(crate) fn run(self, context: &Context) -> Result<LabelCreated, Error> {
        let name = String::from(self.name);
        context.change(|store| {
            if let Some(known) = store.labels.iter().find(|it| same_name(&it.name, &name)) {
                if !self.idempotent {
                    return Err(Error::known(Noun::Label, &known.name, &known.id));
                }
                return Ok(LabelCreated { label: known.clone(), created: false });
            }
            let (id, order) = store.give_id();
            let label = store::Label { id, name, order };
            store.labels.push(label.clone());
            Ok(LabelCreated { label, created: true })
        })
    }
}
