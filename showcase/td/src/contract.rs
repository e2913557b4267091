//! What the program declares about its commands, and how it spells the codes of the boundary.

use crate::cli::Cli;
use crate::view::comment::{CommentCreated, CommentList};
use crate::view::named::{
    LabelCreated, LabelList, ProjectCreated, ProjectDeleted, ProjectList, SectionCreated,
    SectionList,
};
use crate::view::task::{
    TaskCreated, TaskDeleted, TaskDone, TaskList, TaskMoved, TaskReopened, TaskView, TasksDone,
};
use manila_clap::{App, Code, Danger, Reply, Spec};

/// Codes are in lower case here. A value that the boundary refuses is one that a command would.
const NAMES: [(Code, &str); 18] = [
    (Code::UnknownArgument, "unknown_argument"),
    (Code::UnknownCommand, "unknown_command"),
    (Code::MissingArgument, "missing_argument"),
    (Code::InvalidValue, "invalid_input"),
    (Code::ConflictingArguments, "conflicting_arguments"),
    (Code::ConfirmationRequired, "confirmation_required"),
    (Code::InputRequired, "input_required"),
    (Code::CommandRenamed, "command_renamed"),
    (Code::CommandRestructured, "command_restructured"),
    (Code::CommandDeprecated, "command_deprecated"),
    (Code::TypoCorrected, "typo_corrected"),
    (Code::Timeout, "timeout"),
    (Code::Cancelled, "cancelled"),
    (Code::Panicked, "panicked"),
    (Code::Exited, "exited"),
    (Code::SerializationFailed, "serialization_failed"),
    (Code::OutputFailed, "output_failed"),
    (Code::ContractBroken, "contract_broken"),
];

/// How every command can fail.
macro_rules! codes {
    ($($more:literal),*) => {
        &["storage_error", "no_data_directory", $($more),*]
    };
}

/// The program with all that it declares.
pub(crate) fn declare(app: App<Cli>) -> App<Cli> {
    let app = NAMES.into_iter().fold(app, |app, (code, name)| app.rename(code, name));
    comments(labels(sections(projects(tasks(lists(app))))))
}

fn reads<R: Reply>() -> Spec {
    Spec::new().reply::<R>().danger(Danger::Safe)
}

fn changes<R: Reply>() -> Spec {
    Spec::new().reply::<R>().danger(Danger::Mutating)
}

fn destroys<R: Reply>() -> Spec {
    Spec::new().reply::<R>().danger(Danger::Destructive)
}

fn lists(app: App<Cli>) -> App<Cli> {
    let ls = reads::<TaskList>()
        .fails(codes!["not_found", "ambiguous_match"])
        .example("td ls --label urgent", "the open tasks with that label");
    let search = reads::<TaskList>()
        .fails(codes![])
        .example("td search milk", "the open tasks that speak of milk");
    app.command("ls", ls).command("search", search)
}

fn tasks(app: App<Cli>) -> App<Cli> {
    let add = changes::<TaskCreated>()
        .fails(codes!["not_found", "ambiguous_match", "invalid_input"])
        .example("td add 'Buy milk' --due tomorrow --priority p1", "an urgent task in the inbox");
    let show = reads::<TaskView>()
        .fails(codes!["not_found", "ambiguous_match"])
        .example("td show milk", "the open task that speaks of milk");
    let edit = changes::<TaskView>()
        .fails(codes!["not_found", "ambiguous_match", "invalid_input"])
        .example("td edit milk --content 'Buy oat milk' --no-due", "another text, no date");
    let done = changes::<TaskDone>()
        .reply::<TasksDone>()
        .fails(codes!["not_found", "ambiguous_match"])
        .example("td done milk bread", "completes both, or neither if one is not found");
    let undo = changes::<TaskReopened>()
        .fails(codes!["not_found", "ambiguous_match"])
        .example("td undo plan", "opens a completed task again");
    let to = changes::<TaskMoved>()
        .fails(codes!["not_found", "ambiguous_match"])
        .example("td move milk -p Work -s Later", "moves it to a section of a project");
    let delete = destroys::<TaskDeleted>()
        .fails(codes!["not_found", "ambiguous_match"])
        .example("td delete milk --yes", "deletes it for good");
    app.command("add", add)
        .command("show", show)
        .command("edit", edit)
        .command("done", done)
        .command("undo", undo)
        .command("move", to)
        .command("delete", delete)
}

fn projects(app: App<Cli>) -> App<Cli> {
    let list = reads::<ProjectList>()
        .fails(codes![])
        .example("td projects", "all projects, with how much there is to do");
    let add = changes::<ProjectCreated>()
        .fails(codes!["already_exists"])
        .example("td project add Garden", "a new project");
    let delete = destroys::<ProjectDeleted>()
        .fails(codes!["not_found", "ambiguous_match", "invalid_input"])
        .example("td project delete Work --yes", "deletes it with all that is in it");
    app.command("projects", list).command("project add", add).command("project delete", delete)
}

fn sections(app: App<Cli>) -> App<Cli> {
    let list = reads::<SectionList>()
        .fails(codes!["not_found", "ambiguous_match"])
        .example("td sections -p Work", "the sections of a project");
    let add = changes::<SectionCreated>()
        .fails(codes!["not_found", "ambiguous_match", "already_exists"])
        .example("td section add Sooner -p Work", "a new section of a project");
    app.command("sections", list).command("section add", add)
}

fn labels(app: App<Cli>) -> App<Cli> {
    let list = reads::<LabelList>().fails(codes![]).example("td labels", "all labels");
    let add = changes::<LabelCreated>()
        .fails(codes!["already_exists"])
        .example("td label add waiting", "a new label");
    app.command("labels", list).command("label add", add)
}

fn comments(app: App<Cli>) -> App<Cli> {
    let list = reads::<CommentList>()
        .fails(codes!["not_found", "ambiguous_match"])
        .example("td comments milk", "what was said about it");
    let add = changes::<CommentCreated>()
        .fails(codes!["not_found", "ambiguous_match"])
        .example("td comment milk 'only oat'", "says something about it");
    app.command("comments", list).command("comment", add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_the_boundary_has_a_name_in_lower_case() {
        for code in Code::ALL {
            let (_, name) = NAMES.iter().find(|(of, _)| of == code).expect("a name");
            let usual = code.name().to_lowercase();
            assert!(*name == usual || *code == Code::InvalidValue, "{name} for {usual}");
        }
    }
}
