//! `completions`: a completion script for a shell.

use crate::call::Call;
use crate::call::setup::BuiltIn;
use crate::error::Error;
use crate::flag::{self, Flag};
use crate::reply::{Kind, Reply};
use crate::text::Text;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use clap_complete::Shell;

pub(super) const BUILT_IN: BuiltIn = BuiltIn {
    command: || {
        let shell = Arg::new(SHELL).value_name("SHELL").required(true).help("The shell");
        Command::new("completions")
            .about("Print a completion script for a shell")
            .arg(shell.value_parser(value_parser!(Shell)))
    },
    run,
    flag: None,
    text: true,
    kinds: |kinds| kinds.push(Kind::new::<Text>("completions")),
};

/// The id of the argument.
const SHELL: &str = "shell";

fn run(call: &Call, matches: &ArgMatches) -> Result<Box<dyn Reply>, Error> {
    let shell = matches.try_get_one::<Shell>(SHELL).ok().flatten().copied();
    let Some(shell) = shell else {
        return Err(call.error(crate::Code::MissingArgument, "the shell is missing"));
    };
    let command = call.setup.named_command(&call.program.name);
    let command = match call.setup.complete {
        Some(complete) => complete(command),
        None => command,
    };
    let mut command = with_values(command);
    Ok(Box::new(Text::new("completions", script(shell, &mut command, &call.program.name))))
}

/// The same with the values of our flags, which help says in words.
fn with_values(command: Command) -> Command {
    let offer = |argument: Arg| {
        let id = argument.get_id().as_str().strip_prefix(flag::ID);
        let ours = [Flag::Output, Flag::Color].map(Flag::spec);
        match ours
            .iter()
            .find(|ours| id.is_some_and(|id| id == ours.long || Some(id) == ours.alias))
        {
            Some(ours) => {
                let values: Vec<_> = ours.name.allowed().split(", ").collect();
                argument.value_parser(PossibleValuesParser::new(values))
            }
            None => argument,
        }
    };
    command.mut_args(offer).mut_subcommands(with_values)
}

fn script(shell: Shell, command: &mut Command, name: &str) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, command, name, &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    match shell {
        Shell::Bash if takes_program(command) => {
            let register = "complete -F ";
            let Some((_, function)) = script.rsplit_once(register) else { return script };
            let function = function.split(' ').next().unwrap_or_default().to_owned();
            let ours = format!("_{function}_program");
            let after = BASH.replace("OURS", &ours).replace("FUNCTION", &function);
            after
                + &script.replace(&format!("{register}{function} "), &format!("{register}{ours} "))
        }
        Shell::Fish => {
            let program = if takes_program(command) { FISH } else { "" };
            let function = name.replace('-', "_");
            let program = program.replace("FUNCTION", &function).replace("NAME", name);
            script + &values(command, name, &function) + &program
        }
        // What is generated for zsh knows such arguments.
        _ => script,
    }
}

/// The values of arguments without a name, which the script for fish would leave out: those of the commands,
/// and of theirs below them.
fn values(command: &Command, name: &str, function: &str) -> String {
    let mut lines = String::new();
    for subcommand in command.get_subcommands() {
        let condition = format!("__fish_{function}_using_subcommand {}", subcommand.get_name());
        lines.push_str(&line_of_values(subcommand, name, &condition));
        for below in subcommand.get_subcommands() {
            let condition =
                format!("{condition}; and __fish_seen_subcommand_from {}", below.get_name());
            lines.push_str(&line_of_values(below, name, &condition));
        }
    }
    lines
}

fn line_of_values(command: &Command, name: &str, condition: &str) -> String {
    let values = command.get_positionals().flat_map(Arg::get_possible_values);
    let is_plain =
        |value: &String| value.chars().all(|it| it.is_ascii_alphanumeric() || "-_./:".contains(it));
    let values: Vec<_> = values.map(|it| it.get_name().to_owned()).filter(is_plain).collect();
    if values.is_empty() {
        return String::new();
    }
    format!("complete -c {name} -n \"{condition}\" -f -a \"{}\"\n", values.join(" "))
}

/// Whether another program and its arguments can follow `--`.
fn takes_program(command: &Command) -> bool {
    let is_program = |argument: &Arg| {
        matches!(
            argument.get_value_hint(),
            ValueHint::CommandName | ValueHint::CommandWithArguments
        )
    };
    command.get_positionals().any(is_program) || command.get_subcommands().any(takes_program)
}

/// After `--` it is the other program's turn: its own completion where bash-completion is loaded, else its name.
const BASH: &str = r#"OURS() {
    local i
    for ((i = 1; i < COMP_CWORD; i++)); do
        [[ "${COMP_WORDS[i]}" == -- ]] || continue
        COMPREPLY=()
        if declare -F _comp_command_offset >/dev/null; then
            _comp_command_offset $((i + 1))
        elif declare -F _command_offset >/dev/null; then
            _command_offset $((i + 1))
        elif ((i + 1 == COMP_CWORD)); then
            COMPREPLY=($(compgen -c -- "${COMP_WORDS[COMP_CWORD]}"))
        fi
        return 0
    done
    FUNCTION "$@"
}

"#;

const FISH: &str = r#"
function __fish_FUNCTION_program
    set -l words (commandline -opc)
    set -l at (contains -i -- -- $words); or return
    set -e words[1..$at]
    complete -C (string join ' ' -- (string escape -- $words) (commandline -ct))
end

complete -c NAME -n "contains -- -- (commandline -opc)" -x -a "(__fish_FUNCTION_program)"
"#;

#[cfg(test)]
mod tests {
    use super::super::program;

    #[test]
    fn every_shell_gets_a_script_with_our_flags_as_it_is() {
        for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
            let output = program::answer(&format!("notes completions {shell}"));
            let script = String::from_utf8(output.stdout).expect("UTF-8");
            assert_eq!(output.status, 0, "{shell}");
            assert!(script.contains("manifest") && script.contains("max-bytes"), "{script}");
            assert!(!script.starts_with('{'), "{script}");
        }
    }

    #[test]
    fn values_that_only_the_script_offers_are_in_it_alone() {
        let mut setup = program::setup(&program::ALL);
        setup.complete = Some(|command| {
            command.mut_subcommand("add", |add| {
                add.mut_arg("text", |text| text.value_parser(["milk", "bread"]))
            })
        });
        let script = program::called(setup, "notes completions bash").1.stdout;
        let script = String::from_utf8(script).expect("UTF-8");
        assert!(script.contains("milk bread"), "{script}");
        let output = program::answer("notes completions bash").stdout;
        assert!(!String::from_utf8_lossy(&output).contains("milk"));
    }

    #[test]
    fn after_two_dashes_another_program_is_completed_where_one_is_expected() {
        for (shell, mark) in [("bash", "-F __notes_program "), ("fish", "(__fish_notes_program)")] {
            let mut setup = program::setup(&program::ALL);
            setup.complete = Some(|command| {
                command.mut_subcommand("add", |add| {
                    add.mut_arg("text", |text| text.value_hint(clap::ValueHint::CommandName))
                })
            });
            let words = format!("notes completions {shell}");
            let script = program::called(setup, &words).1.stdout;
            assert!(String::from_utf8_lossy(&script).contains(mark), "{shell}");
            let usual = program::answer(&words).stdout;
            let usual = String::from_utf8_lossy(&usual);
            assert!(!usual.contains(mark), "{shell}");
            assert!(usual.contains("zsh"), "{shell}: the values of an argument without a name");
        }
    }

    #[test]
    fn in_an_envelope_it_is_a_text() {
        let script = program::answer("notes completions bash").stdout;
        let envelope = program::answer("notes completions bash --json").stdout;
        let envelope: serde_json::Value = serde_json::from_slice(&envelope).expect("JSON");
        assert_eq!(envelope["data"]["text"], *String::from_utf8_lossy(&script));
    }

    #[test]
    fn an_unknown_shell_is_refused() {
        let output = program::answer("notes completions cmd --json");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains("INVALID_VALUE") && text.contains("powershell"), "{text}");
    }
}
