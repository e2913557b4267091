//! `sections` and `section add`.

use crate::book;
use crate::desk::Desk;
use crate::find::{self, same_name};
use crate::trouble::{Noun, Trouble};
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
    pub(crate) fn run(self, desk: &Desk) -> Result<SectionList, Trouble> {
        let book = desk.read()?;
        let project = self.project.map(|query| find::project(&book, &query)).transpose()?;
        let is_there = |section: &&book::Section| {
            project.is_none_or(|project| section.project_id == project.id)
        };
        let sections = book.sections.iter().filter(is_there);
        Ok(SectionList(sections.map(|section| SectionView::of(&book, section)).collect()))
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
    pub(crate) fn run(self, desk: &Desk) -> Result<SectionCreated, Trouble> {
        let name = String::from(self.name);
        desk.change(|book| {
            let project_id = find::project(book, &self.project)?.id.clone();
            let is_it =
                |it: &&book::Section| it.project_id == project_id && same_name(&it.name, &name);
            if let Some(known) = book.sections.iter().find(is_it) {
                if !self.idempotent {
                    return Err(Trouble::known(Noun::Section, &known.name, &known.id));
                }
                return Ok(SectionCreated {
                    section: SectionView::of(book, known),
                    created: false,
                });
            }
            let (id, order) = book.give_id();
            let section = book::Section { id, name, project_id, order };
            let view = SectionView::of(book, &section);
            book.sections.push(section);
            Ok(SectionCreated { section: view, created: true })
        })
    }
}
