//! What there is to call: this program's own commands and tools, and what the directory adds to them.

use crate::builtin::BUILTINS;
use crate::directory::{self, PLUGINS, SKILLS};
use crate::error::Error;
use crate::tool::TOOLS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// How much of a skill's first line is shown.
const SHOWN: usize = 120;

/// Everything that can be called by name.
#[derive(Debug, Default)]
pub(crate) struct Inventory {
    pub(crate) commands: Vec<Entry>,
    pub(crate) tools: Vec<Entry>,
    /// What could not be read, and why.
    pub(crate) unread: Vec<String>,
}

/// One command or tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) source_hint: String,
    pub(crate) responsibility: String,
    pub(crate) origin: Origin,
}

impl Entry {
    /// What to do with one that exists and is not run here.
    pub(crate) fn instead(&self) -> String {
        let name = &self.name;
        match self.origin {
            Origin::Skill => format!("a skill is read, not run: read {}", self.source_hint),
            Origin::Plugin => format!("its plugin runs '{name}', claw does not"),
            Origin::Cli | Origin::Builtin => format!("call 'claw {name}' itself"),
        }
    }
}

/// Where an entry comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A command of the command line.
    Cli,
    /// Code of this program.
    Builtin,
    /// A plugin; another program serves its tools.
    Plugin,
    /// A skill.
    Skill,
}

/// An entry as lists show it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Listing {
    /// Its name.
    pub(crate) name: String,
    /// Where it is defined.
    pub(crate) source_hint: String,
}

impl From<&Entry> for Listing {
    fn from(entry: &Entry) -> Listing {
        Listing { name: entry.name.clone(), source_hint: entry.source_hint.clone() }
    }
}

#[derive(Deserialize)]
struct Plugin {
    #[serde(default)]
    commands: Vec<Added>,
    #[serde(default)]
    tools: Vec<Added>,
}

#[derive(Deserialize)]
struct Added {
    name: String,
    #[serde(default)]
    responsibility: String,
}

impl Inventory {
    /// What this program has by itself: the commands of its command line, and those that are built in.
    fn builtin(own: &clap::Command) -> Inventory {
        let own = own.get_subcommands().map(|command| Entry {
            name: command.get_name().to_owned(),
            source_hint: format!("command/{}.rs", command.get_name().replace('-', "_")),
            responsibility: command.get_about().map(ToString::to_string).unwrap_or_default(),
            origin: Origin::Cli,
        });
        let builtins = BUILTINS.iter().map(|it| entry(it.name, it.source_hint, it.responsibility));
        let mut commands: Vec<Entry> = builtins.chain(own).collect();
        commands.sort_by(|one, other| one.name.cmp(&other.name));
        let tools = TOOLS.iter().map(|it| entry(it.name, it.source_hint, it.responsibility));
        Inventory { commands, tools: tools.collect(), unread: Vec::new() }
    }

    /// The same with what the current directory adds. A file that makes no sense is left out.
    pub(crate) fn read(own: &clap::Command) -> Result<Inventory, Error> {
        let mut inventory = Inventory::builtin(own);
        for name in directory::names(Path::new(PLUGINS), ".json")? {
            let path = Path::new(PLUGINS).join(format!("{name}.json"));
            inventory.add(&path, |inventory, hint, bytes| {
                let plugin: Plugin =
                    serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
                let entries = |added: Vec<Added>| added.into_iter().map(|it| it.entry(hint));
                inventory.commands.extend(entries(plugin.commands));
                inventory.tools.extend(entries(plugin.tools));
                Ok(())
            });
        }
        for name in directory::names(Path::new(SKILLS), ".md")? {
            let path = Path::new(SKILLS).join(format!("{name}.md"));
            inventory.add(&path, |inventory, hint, bytes| {
                let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
                let (responsibility, source_hint) = (first_line(text), hint.to_owned());
                let origin = Origin::Skill;
                inventory.commands.push(Entry { name, source_hint, responsibility, origin });
                Ok(())
            });
        }
        Ok(inventory)
    }

    fn add(
        &mut self,
        path: &Path,
        understand: impl FnOnce(&mut Inventory, &str, &[u8]) -> Result<(), String>,
    ) {
        let hint = path.display().to_string();
        let understood = match showcase_store::read(path) {
            Ok(bytes) => understand(self, &hint, &bytes.unwrap_or_default()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(reason) = understood {
            self.unread.push(format!("{hint} is left out of the inventory: {reason}"));
        }
    }

    /// The command of this name.
    pub(crate) fn command(&self, name: &str) -> Result<&Entry, Error> {
        let found = self.commands.iter().find(|entry| entry.name == name);
        found.ok_or_else(|| Error::CommandNotFound { name: name.to_owned() })
    }

    /// The tool of this name.
    pub(crate) fn tool(&self, name: &str) -> Result<&Entry, Error> {
        let found = self.tools.iter().find(|entry| entry.name == name);
        found.ok_or_else(|| Error::ToolNotFound { name: name.to_owned() })
    }
}

fn entry(name: &str, source_hint: &str, responsibility: &str) -> Entry {
    Entry {
        name: name.to_owned(),
        source_hint: source_hint.to_owned(),
        responsibility: responsibility.to_owned(),
        origin: Origin::Builtin,
    }
}

impl Added {
    fn entry(self, source_hint: &str) -> Entry {
        Entry {
            name: self.name,
            source_hint: source_hint.to_owned(),
            responsibility: self.responsibility,
            origin: Origin::Plugin,
        }
    }
}

/// The first line that says something, without the marks of a heading.
fn first_line(text: &str) -> String {
    let line = text.lines().map(|line| line.trim_start_matches('#').trim());
    line.filter(|line| !line.is_empty()).take(1).flat_map(|line| line.chars().take(SHOWN)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> clap::Command {
        <crate::cli::Cli as clap::CommandFactory>::command()
    }

    #[test]
    fn every_hint_of_our_own_is_a_file_of_this_program() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let Inventory { commands, tools, .. } = Inventory::builtin(&own());
        for entry in commands.iter().chain(&tools) {
            assert!(source.join(&entry.source_hint).is_file(), "{entry:?}");
            assert!(!entry.responsibility.is_empty(), "{entry:?}");
        }
    }

    #[test]
    fn no_two_have_the_same_name() {
        let Inventory { commands, tools, .. } = Inventory::builtin(&own());
        for list in [commands, tools] {
            let mut names: Vec<&str> = list.iter().map(|entry| entry.name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), list.len());
        }
    }

    #[test]
    fn a_skill_is_for_what_its_first_line_says() {
        assert_eq!(first_line("\n\n# Review a change\nmore"), "Review a change");
        assert_eq!(first_line(""), "");
        assert_eq!(first_line(&"x".repeat(500)).len(), SHOWN);
    }
}
