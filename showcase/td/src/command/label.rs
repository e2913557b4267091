//! `labels` and `label add`.

use crate::book;
use crate::desk::Desk;
use crate::find::same_name;
use crate::trouble::{Noun, Trouble};
use crate::view::named::{LabelCreated, LabelList};
use crate::words::Words;
use clap::{Args, Subcommand};

pub(crate) fn list(desk: &Desk) -> Result<LabelList, Trouble> {
    Ok(LabelList(desk.read()?.labels))
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
    pub(crate) fn run(self, desk: &Desk) -> Result<LabelCreated, Trouble> {
        let name = String::from(self.name);
        desk.change(|book| {
            if let Some(known) = book.labels.iter().find(|it| same_name(&it.name, &name)) {
                if !self.idempotent {
                    return Err(Trouble::known(Noun::Label, &known.name, &known.id));
                }
                return Ok(LabelCreated { label: known.clone(), created: false });
            }
            let (id, order) = book.give_id();
            let label = book::Label { id, name, order };
            book.labels.push(label.clone());
            Ok(LabelCreated { label, created: true })
        })
    }
}
