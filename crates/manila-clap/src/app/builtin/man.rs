//! `man`: the manual page of the program or of a command.

use super::exits::meanings;
use crate::call::Call;
use crate::call::setup::BuiltIn;
use crate::code::Code;
use crate::error::Error;
use crate::reply::{Kind, Reply};
use crate::text::Text;
use clap::{Arg, ArgAction, ArgMatches, Command};
use manila::did_you_mean;
use roff::{Roff, bold, roman};

pub(super) const BUILT_IN: BuiltIn = BuiltIn {
    command: || {
        let name = Arg::new(COMMAND).value_name("COMMAND").num_args(0..).action(ArgAction::Append);
        Command::new("man")
            .about("Print the manual page")
            .arg(name.help("The command, with those that lead to it; nothing for the program"))
    },
    run,
    flag: None,
    text: true,
    kinds: |kinds| kinds.push(Kind::new::<Text>("man")),
};

/// The id of the argument.
const COMMAND: &str = "command";

fn run(call: &Call, matches: &ArgMatches) -> Result<Box<dyn Reply>, Error> {
    let names = matches.try_get_many::<String>(COMMAND).ok().flatten().unwrap_or_default();
    let mut root = call.setup.named_command(&call.program.name);
    root.build();
    let mut page = &root;
    for name in names {
        page = page.find_subcommand(name).ok_or_else(|| unknown(call, page, name))?;
    }
    let mut roff = Vec::new();
    let path = page.get_bin_name().unwrap_or_default();
    let path = path.strip_prefix(call.program.name.as_str()).unwrap_or_default().trim_start();
    let rendered = clap_mangen::Man::new(page.clone()).render(&mut roff);
    rendered.and_then(|()| exit_status(call, path).to_writer(&mut roff)).map_err(|error| {
        let message = format!("the page cannot be made: {error}");
        call.error(Code::SerializationFailed, message)
    })?;
    Ok(Box::new(Text::new("man", String::from_utf8_lossy(&roff))))
}

/// The section that a manual page has for the numbers a command ends with.
fn exit_status(call: &Call, path: &str) -> Roff {
    let mut section = Roff::default();
    section.control("SH", ["EXIT STATUS"]);
    for (status, text) in meanings(call, path) {
        section.control("TP", []);
        section.text([bold(status.to_string())]);
        section.text([roman(text)]);
    }
    section
}

fn unknown(call: &Call, command: &Command, name: &str) -> Error {
    let below = command.get_subcommands().filter(|below| !below.is_hide_set());
    let names: Vec<&str> = below.map(Command::get_name).collect();
    let under = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let suggestion = match did_you_mean(name, names.iter().copied()) {
        Some(question) => question,
        None if names.is_empty() => format!("`{under}` has no commands"),
        None => format!("one of: {}", names.join(", ")),
    };
    let message = format!("`{under}` has no command '{name}'");
    call.error(Code::InvalidValue, message).suggestion(suggestion)
}

#[cfg(test)]
mod tests {
    use super::super::program;

    fn page(words: &str) -> String {
        String::from_utf8(program::answer(words).stdout).expect("UTF-8")
    }

    #[test]
    fn the_program_and_each_command_have_a_page() {
        let whole = page("notes man");
        assert!(whole.contains(".TH notes 1"), "{whole}");
        assert!(whole.contains("max\\-bytes") && whole.contains("notes\\-tag(1)"), "{whole}");
        assert!(whole.contains("\\fB100\\fR\nthere are typos\n"), "{whole}");
        let one = page("notes man tag drop");
        assert!(one.contains(".TH notes-tag-drop 1"), "{one}");
        assert!(one.contains(".SH \"EXIT STATUS\"") && !one.contains("fB100"), "{one}");
        assert_eq!(page("notes man ls"), page("notes man list"));
    }

    #[test]
    fn an_unknown_command_is_refused_with_the_closest() {
        let error = |words: &str| {
            let envelope: serde_json::Value = serde_json::from_str(&page(words)).expect("JSON");
            assert_eq!(envelope["error"]["code"], "INVALID_VALUE");
            envelope["error"]["suggestion"].as_str().expect("a suggestion").to_owned()
        };
        assert_eq!(error("notes man lisst --json"), "did you mean list?");
        assert!(error("notes man zzz --json").starts_with("one of: list, add, tag"));
        assert_eq!(error("notes man edit zzz --json"), "`notes edit` has no commands");
    }
}
