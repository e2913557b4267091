//! `init`: makes a directory a project.

use crate::code::Code;
use crate::config::{FILE, FUNCTIONS};
use crate::finding::{Finding, Outcome};
use crate::project::{current_dir, write_failed};
use clap::{Args, ValueEnum};
use manila_clap::{Call, Effect, Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;
use showcase_store::Lock;
use std::path::Path;

/// Where locales usually are.
const DIRECTORIES: &[&str] =
    &["locales", "src/locales", "public/locales", "src/i18n", "messages", "lang"];

/// What to propose.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The framework of the project, for the names of its translation functions
    #[arg(long, value_enum, default_value_t)]
    preset: Preset,

    /// Show what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// A framework.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Preset {
    /// Any of them
    #[default]
    Generic,
    /// react-i18next
    React,
    /// vue-i18n
    Vue,
    /// svelte-i18n
    Svelte,
}

impl Preset {
    fn functions(self) -> &'static [&'static str] {
        match self {
            Preset::Generic => FUNCTIONS,
            Preset::React => &["t", "i18n.t", "i18next.t"],
            Preset::Vue => &["t", "$t", "i18n.t"],
            Preset::Svelte => &["$t", "$_", "$i18n.t"],
        }
    }
}

/// What was written.
#[derive(Debug, Default, Serialize, JsonSchema, Reply)]
#[reply(kind = "init", show = show)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Initialised {
    /// The version of the configuration's shape.
    schema_version: u32,
    /// Whether there was a configuration already, which was kept.
    skipped_existing_config: bool,
    preset: Preset,
    /// The text of the configuration.
    proposed_config_source: String,
    /// The name of its file.
    proposed_config_file_name: &'static str,
    #[serde(skip)]
    is_dry_run: bool,
}

#[derive(Serialize)]
struct Proposal {
    locales: ProposedLocales,
    src: &'static str,
    functions: &'static [&'static str],
    exclude: &'static [&'static str],
}

#[derive(Serialize)]
struct ProposedLocales {
    source: &'static str,
    directory: &'static str,
}

/// Writes the configuration, unless there is one.
pub(crate) fn run(arguments: &InitArgs, call: &Call) -> Result<Outcome<Initialised>, Finding> {
    let directory = current_dir()?;
    let path = directory.join(FILE);
    let source = proposal(&directory, arguments.preset);
    let lock = Lock::on(&directory).map_err(|error| write_failed(&error))?;
    // Whatever has the name is kept, even a link that leads nowhere.
    let exists = path.symlink_metadata().is_ok();
    let mut findings = Vec::new();
    if exists {
        findings.push(Finding::new(Code::ConfigKept, "it was there already and is kept").at(&path));
    } else if !arguments.dry_run {
        lock.replace(&path, source.as_bytes()).map_err(|error| write_failed(&error))?;
    }
    let writes = !exists && !arguments.dry_run;
    call.effect(if writes { Effect::Created } else { Effect::Noop });
    let data = Initialised {
        schema_version: 1,
        skipped_existing_config: exists,
        preset: arguments.preset,
        proposed_config_source: source,
        proposed_config_file_name: FILE,
        is_dry_run: arguments.dry_run,
    };
    Ok(Outcome::new(data, findings))
}

/// The text of a configuration for a directory as it is.
fn proposal(root: &Path, preset: Preset) -> String {
    let exists = |directory: &&&str| root.join(directory).is_dir();
    let directory = DIRECTORIES.iter().find(exists).copied().unwrap_or("locales");
    let proposal = Proposal {
        locales: ProposedLocales { source: "en", directory },
        src: "src",
        functions: preset.functions(),
        exclude: &["**/*.test.*", "**/*.spec.*"],
    };
    let mut text = serde_json::to_string_pretty(&proposal).unwrap_or_default();
    text.push('\n');
    text
}

fn show(initialised: &Initialised, screen: &mut Screen) {
    let name = initialised.proposed_config_file_name;
    if initialised.skipped_existing_config {
        return screen.line(format_args!("Kept the {name} that is there."));
    }
    let words = if initialised.is_dry_run { "Would write" } else { "Wrote" };
    screen.heading(format_args!("{words} {name}"));
    screen.line(initialised.proposed_config_source.trim_end());
    if screen.is_rich() && !initialised.is_dry_run {
        screen.line("\nNext: `i18nprune doctor` looks whether everything is in its place.");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn what_is_proposed_is_a_configuration() {
        for preset in [Preset::Generic, Preset::React, Preset::Vue, Preset::Svelte] {
            let text = proposal(Path::new("/nowhere"), preset);
            assert_eq!(Config::parse(text.as_bytes()).unwrap().functions, preset.functions());
        }
    }
}
