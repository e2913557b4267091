//! A program that answers from a table, and its surface as a page to look at.

use manila::{Status, Transcript};
use manila_check::internal::{Probe, Run, discover};
use manila_check::surface::{Command, Flag, Json, Surface};
use manila_check::{Declaration, Subject};
use std::fmt::Write;

/// A program that is not a process: what it answers to which arguments.
pub(crate) struct Scripted {
    name: String,
    answers: Vec<(String, Vec<u8>, i32)>,
}

impl Scripted {
    /// What it answers with success to these arguments; everything else it refuses.
    pub(crate) fn new(name: &str, answers: &[(&str, &str)]) -> Scripted {
        let answers =
            answers.iter().map(|(args, text)| ((*args).to_owned(), text.as_bytes().to_vec(), 0));
        Scripted { name: name.to_owned(), answers: answers.collect() }
    }

    /// From a text in which each call comes after `$ `, and its answer below it.
    pub(crate) fn recorded(text: &str) -> Scripted {
        let mut program = Scripted { name: String::new(), answers: Vec::new() };
        for line in text.lines() {
            // Two signs come before a call that does not ask for help.
            let call = line.strip_prefix("$ ").filter(|call| is_help(call));
            if let Some(call) = call.or_else(|| line.strip_prefix("$$ ")) {
                let (name, args) = call.split_once(' ').unwrap_or((call, ""));
                name.clone_into(&mut program.name);
                program.answers.push((args.to_owned(), Vec::new(), 0));
            } else if let Some((_, answer, _)) = program.answers.last_mut() {
                answer.extend_from_slice(line.as_bytes());
                answer.push(b'\n');
            }
        }
        program
    }

    fn run(&self, probe: &Probe) -> Run {
        let words: Vec<_> = probe.args.iter().map(|word| word.to_string_lossy()).collect();
        let args = words.join(" ");
        let answer = self.answers.iter().find(|(known, ..)| *known == args);
        let transcript = match answer {
            Some((_, stdout, status)) => {
                Transcript::from_stdout(stdout.clone(), Status::Exited(*status))
            }
            None => Transcript::from_stdout(b"what?\n".to_vec(), Status::Exited(2)),
        };
        Run::recorded(probe.clone(), transcript)
    }

    /// What discovery finds out about it.
    pub(crate) fn discover(&self, declaration: &Declaration) -> Surface {
        let shown = vec![self.name.clone()];
        let subject = Subject {
            argv: vec![(&self.name).into()],
            shown,
            variables: Vec::new(),
            fixture: None,
        };
        let lab = |probes: &[Probe]| probes.iter().map(|probe| Some(self.run(probe))).collect();
        discover(&lab, &subject, declaration, &manila_pack::Packs::default())
    }
}

fn is_help(call: &str) -> bool {
    call.ends_with(" --help") || call.ends_with(" -h")
}

/// A surface as a page: a paragraph for each command.
pub(crate) fn page(surface: &Surface) -> String {
    let json = match &surface.json {
        Json::Arguments(words) => words.join(" "),
        Json::ArgumentsFirst(words) => format!("{} before the command", words.join(" ")),
        Json::Always => "always".to_owned(),
        Json::Unknown => "unknown".to_owned(),
    };
    let mut page = format!("program {} · json {json}\n", surface.name);
    if let Some(manifest) = &surface.manifest {
        let _ = writeln!(page, "manifest {} · {}", manifest.format, manifest.args.join(" "));
    }
    for gap in &surface.gaps {
        let _ = writeln!(page, "gap {gap}");
    }
    for command in &surface.commands {
        paragraph(&mut page, command);
    }
    page
}

fn paragraph(page: &mut String, command: &Command) {
    let name = if command.is_root() { "(root)".to_owned() } else { command.name() };
    let group = if command.is_group { " · group" } else { "" };
    let from = [(command.known_from.help, " · help"), (command.known_from.manifest, " · manifest")];
    let from: String = from.into_iter().filter(|(is, _)| *is).map(|(_, word)| word).collect();
    let effects = command.effects;
    let _ = writeln!(page, "\n{name}{group}{from}\n  {}", command.about.trim());
    let _ = writeln!(page, "  effects {effects}: {}", command.effects_because);
    list(page, "aliases", command.aliases.iter().cloned());
    let positionals = command.positionals.iter().map(|it| {
        let marks =
            [(it.is_required, "!"), (it.is_many, "*")].map(|(is, mark)| if is { mark } else { "" });
        format!("{}{}{}", it.name, marks.concat(), choices(&it.choices))
    });
    list(page, "takes", positionals);
    list(page, "flags", command.flags.iter().map(flag));
    let calls = [
        ("sample", &command.sample),
        ("missing", &command.missing),
        ("empty", &command.empty),
        ("slow", &command.slow),
    ];
    for (word, args) in calls {
        if let Some(args) = args {
            let _ = writeln!(page, "  {word} {args:?}");
        }
    }
    for (word, is) in [
        ("lists", command.lists == Some(true)),
        ("streams", command.streams),
        ("text only", command.is_text_only),
    ] {
        if is {
            let _ = writeln!(page, "  {word}");
        }
    }
    list(page, "exits", command.exit_codes.iter().flatten().map(ToString::to_string));
    list(page, "errors", command.error_codes.iter().flatten().cloned());
    if let Some(schema) = &command.output_schema {
        let _ = writeln!(page, "  schema {schema}");
    }
}

fn flag(flag: &Flag) -> String {
    let short = flag
        .short
        .filter(|_| flag.long.is_some())
        .map(|short| format!("-{short}/"))
        .unwrap_or_default();
    let value = flag.value.as_ref().map(|value| format!("={value}")).unwrap_or_default();
    let marks = [(flag.is_number, "#"), (flag.is_required, "!")]
        .map(|(is, mark)| if is { mark } else { "" });
    format!("{short}{}{value}{}{}", flag.spelling(), marks.concat(), choices(&flag.choices))
}

fn choices(choices: &[String]) -> String {
    if choices.is_empty() { String::new() } else { format!("({})", choices.join("|")) }
}

fn list(page: &mut String, word: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.collect();
    if !items.is_empty() {
        let _ = writeln!(page, "  {word} {}", items.join(" "));
    }
}
