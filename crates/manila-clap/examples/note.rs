//! A small program that answers in an envelope: the one of the documentation, with a list and an end.

use clap::Parser;
use manila_clap::{
    App, Call, Danger, Done, Effect, Failure, Mode, Page, PageArgs, Reply, Screen, Spec, dialects,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::process::ExitCode;

/// Keeps notes, three of them
#[derive(Parser)]
#[command(name = "note", version)]
enum Cli {
    /// Show one note
    Show { id: u32 },
    /// List the notes
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Delete one note
    Delete { id: u32 },
}

#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "note", show = show_note)]
struct Note {
    id: u32,
    text: &'static str,
}

fn show_note(note: &Note, screen: &mut Screen) {
    screen.line(format_args!("{}: {}", note.id, note.text));
}

#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "note_list", show = show_notes, page)]
struct Notes(Page<Note>);

fn show_notes(notes: &Notes, screen: &mut Screen) {
    let rows = notes.0.items.iter().map(|note| [note.id.to_string(), note.text.to_owned()]);
    screen.table(["ID", "TEXT"], rows);
}

#[derive(Reply)]
enum Answer {
    Note(Note),
    Notes(Notes),
    Done(Done),
}

#[derive(Debug, Failure)]
enum NoteError {
    #[failure(exit = NotFound, message = "there is no note {id}", suggestion = "`note list` has them")]
    NoSuchNote { id: u32 },
}

fn notes() -> Vec<Note> {
    let texts = ["buy milk", "read the contract", "sleep"];
    (1..).zip(texts).map(|(id, text)| Note { id, text }).collect()
}

fn find(id: u32) -> Result<Note, NoteError> {
    notes().into_iter().find(|note| note.id == id).ok_or(NoteError::NoSuchNote { id })
}

fn run(cli: Cli, call: &Call) -> Result<Answer, NoteError> {
    match cli {
        Cli::Show { id } => Ok(Answer::Note(find(id)?)),
        Cli::List { page } => Ok(Answer::Notes(Notes(page.paginate(notes())))),
        Cli::Delete { id } => {
            let note = find(id)?;
            call.effect(Effect::Deleted);
            Ok(Answer::Done(Done::new(format!("deleted note {}", note.id))))
        }
    }
}

fn main() -> ExitCode {
    App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0)
        .all_flags()
        .piped(Mode::Json)
        .command("show", Spec::new().reply::<Note>().example("note show 1", "the first note"))
        .command("list", Spec::new().reply::<Notes>().cacheable())
        .command("delete", Spec::new().reply::<Done>().danger(Danger::Destructive))
        .moved("rm", "delete")
        .schema()
        .manifest()
        .run(run)
}
