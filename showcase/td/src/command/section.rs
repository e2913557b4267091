//! `sections` and `section add`.

use crate::context::Context;
use crate::error::{Error, Noun};
use crate::find::{self, same_name};
use crate::store;
use crate::view::named::{SectionCreated, SectionList, SectionView};
use crate::words::Words;
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct Sections {
    /// Only of this project
    #[arg(short, long)]
    project: Option<Words>,
}

impl Sections {
    pub(crate) fn run(self, context: &Context) -> Result<SectionList, Error> {
        let store = context.read()?;
        let project = self.project.map(|query| find::project(&store, &query)).transpose()?;
        let is_there = |section: &&store::Section| {
            project.is_none_or(|project| section.project_id == project.id)
        };
        let sections = store.sections.iter().filter(is_there);
        Ok(SectionList(sections.map(|section| SectionView::of(&store, section)).collect()))
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Section {
    /// Add a section to a project
    Add(Add),
}

#[derive(Debug, Args)]
pub(crate) struct Add {
    name: Words,
    /// The project to add it to
    #[arg(short, long)]
    project: Words,
    /// Be content with a section of that name in that project, if there is one
    #[arg(long)]
    idempotent: bool,
}

impl Add {
    pub(crate) fn run(self, context: &Context) -> Result<SectionCreated, Error> {
        let name = String::from(self.name);
        context.change(|store| {
            let project_id = find::project(store, &self.project)?.id.clone();
            let is_it =
                |it: &&store::Section| it.project_id == project_id && same_name(&it.name, &name);
            if let Some(known) = store.sections.iter().find(is_it) {
                if !self.idempotent {
                    return Err(Error::known(Noun::Section, &known.name, &known.id));
                }
                return Ok(SectionCreated {
                    section: SectionView::of(store, known),
                    created: false,
                });
            }
            let (id, order) = store.give_id();
            let section = store::Section { id, name, project_id, order };
            let view = SectionView::of(store, &section);
            store.sections.push(section);
            Ok(SectionCreated { section: view, created: true })
        })
    }
}
