//! `completions`: a completion script for a shell.

use crate::call::Call;
use crate::call::setup::BuiltIn;
use crate::error::Error;
use crate::reply::{Kind, Reply};
use crate::text::Text;
use clap::{Arg, ArgMatches, Command, value_parser};
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
    let mut script = Vec::new();
    let command = call.setup.named_command(&call.program.name);
    let mut command = match call.setup.complete {
        Some(complete) => complete(command),
        None => command,
    };
    clap_complete::generate(shell, &mut command, &call.program.name, &mut script);
    Ok(Box::new(Text::new("completions", String::from_utf8_lossy(&script))))
}

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
