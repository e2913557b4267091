//! The text of `manila.toml` as a declaration, or what is wrong with it and where.

use super::contract;
use super::words::{Words, bad, date, words};
use crate::declaration::{CommandDeclaration, Declaration, JsonPosition, Waiver};
use crate::error::{Error, ErrorKind};
use crate::profile::Profile;
use crate::rule::RULES;
use crate::rule::definition::Family;
use crate::severity::Severity;
use manila::did_you_mean;
use manila_pack::Effect;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

impl Declaration {
    /// Reads a file. What it names by relative paths lies beside it.
    pub fn read(path: &Path) -> Result<Declaration, Error> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            let message = format!("{} cannot be read: {error}", path.display());
            Error::new(ErrorKind::BadDeclaration, message)
                .suggest("`manila check --init` writes one")
        })?;
        let directory = path.parent().unwrap_or_else(|| Path::new(""));
        let mut declaration = Declaration::parse(&text).map_err(|error| error.of(path))?;
        declaration.fixture = declaration.fixture.map(|fixture| directory.join(fixture));
        for case in &mut declaration.cases {
            case.fixture = case.fixture.take().map(|fixture| directory.join(fixture));
        }
        Ok(declaration)
    }

    /// Reads the text of such a file.
    pub fn parse(text: &str) -> Result<Declaration, Error> {
        parse(text)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    program: Program,
    commands: BTreeMap<String, Command>,
    rules: Rules,
    waive: Vec<Waive>,
    case: Vec<contract::Case>,
    contract: contract::Contract,
    accept: Vec<contract::Accept>,
    /// The project's own packs, which `manila-pack` reads.
    #[serde(rename = "packs")]
    _packs: Vec<PathBuf>,
    /// The project's own dialects, which the program that checks makes known.
    #[serde(rename = "dialects")]
    _dialects: Dialects,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Dialects {
    #[serde(rename = "files")]
    _files: Vec<PathBuf>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Program {
    command: Option<Words>,
    json: Option<Words>,
    json_position: JsonPosition,
    profile: Option<Profile>,
    manifest: Option<Words>,
    fixture: Option<PathBuf>,
    env: BTreeMap<String, String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Command {
    effects: Option<Effect>,
    args: Option<Words>,
    missing: Option<Words>,
    empty: Option<Words>,
    slow: Option<Words>,
    lists: Option<bool>,
    streams: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Rules {
    select: Vec<String>,
    ignore: Vec<String>,
    severity: BTreeMap<String, Weight>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Waive {
    rule: String,
    command: Option<String>,
    reason: String,
    expires: Option<toml::Value>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Weight {
    Error,
    Warning,
    Note,
    Off,
}

fn parse(text: &str) -> Result<Declaration, Error> {
    let file = file(text)?;
    let mut declaration = Declaration {
        program: words(file.program.command)?.unwrap_or_default(),
        json: words(file.program.json)?,
        json_position: file.program.json_position,
        manifest: words(file.program.manifest)?,
        profile: file.program.profile,
        fixture: file.program.fixture,
        variables: file.program.env,
        select: file.rules.select,
        ignore: file.rules.ignore,
        ..Declaration::default()
    };
    for (name, value) in &declaration.variables {
        variable(name, value)?;
    }
    for (name, command) in file.commands {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        declaration.commands.insert(name, command.declaration()?);
    }
    for name in declaration.select.iter().chain(&declaration.ignore) {
        known(name, Names::RulesAndFamilies)?;
    }
    for (id, weight) in file.rules.severity {
        known(&id, Names::Rules)?;
        match weight.severity() {
            Some(severity) => {
                declaration.severities.insert(id, severity);
            }
            None => declaration.ignore.push(id),
        }
    }
    for waive in file.waive {
        declaration.waivers.push(waive.waiver()?);
    }
    declaration.cases = contract::cases(file.case)?;
    declaration.maps = file.contract.maps;
    declaration.accepted = contract::accepted(file.accept)?;
    Ok(declaration)
}

/// The file, without the tables `[program.NAME]`, which are for `manila run`.
fn file(text: &str) -> Result<File, Error> {
    let error = match toml::from_str(text) {
        Ok(file) => return Ok(file),
        Err(error) => error,
    };
    let mut table: toml::Table = toml::from_str(text).unwrap_or_default();
    if let Some(program) = table.get_mut("program").and_then(toml::Value::as_table_mut) {
        let before = program.len();
        program.retain(|key, value| key == "env" || !value.is_table());
        if program.len() < before {
            return table.try_into().map_err(|error| bad(error.to_string().trim_end()));
        }
    }
    Err(bad(error.to_string().trim_end()))
}

/// An error if the system cannot hand a program such a variable.
fn variable(name: &str, value: &str) -> Result<(), Error> {
    let why = if name.is_empty() {
        "a variable without a name".to_owned()
    } else if name.contains('=') {
        format!("a variable {name:?}, and no name has an equals sign")
    } else if name.contains('\0') {
        format!("a variable {name:?} with a NUL in its name")
    } else if value.contains('\0') {
        format!("a variable {name:?} with a NUL in its value")
    } else {
        return Ok(());
    };
    Err(bad(format!("`env` below `[program]` has {why}"))
        .suggest("write it as env = { NAME = \"value\" }"))
}

impl Command {
    fn declaration(self) -> Result<CommandDeclaration, Error> {
        Ok(CommandDeclaration {
            effects: self.effects,
            args: words(self.args)?,
            missing: words(self.missing)?,
            empty: words(self.empty)?,
            slow: words(self.slow)?,
            lists: self.lists,
            streams: self.streams,
        })
    }
}

impl Weight {
    /// None for a rule that is not asked.
    fn severity(self) -> Option<Severity> {
        match self {
            Weight::Error => Some(Severity::Error),
            Weight::Warning => Some(Severity::Warning),
            Weight::Note => Some(Severity::Note),
            Weight::Off => None,
        }
    }
}

impl Waive {
    fn waiver(self) -> Result<Waiver, Error> {
        known(&self.rule, Names::Rules)?;
        if self.reason.trim().is_empty() {
            return Err(bad(format!("the waiver of {} has no reason", self.rule))
                .suggest("say in `reason` why it is accepted"));
        }
        let expires = self.expires.map(|value| date(&value)).transpose()?;
        Ok(Waiver { rule: self.rule, command: self.command, reason: self.reason, expires })
    }
}

/// Which names are meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Rules,
    RulesAndFamilies,
}

/// An error if there is no such rule, with the likeliest that there is.
fn known(name: &str, which: Names) -> Result<(), Error> {
    let rules = RULES.iter().map(|rule| rule.id);
    let families =
        Family::ALL.iter().filter(|_| which == Names::RulesAndFamilies).map(|it| it.as_str());
    let names: Vec<&str> = rules.chain(families).collect();
    if names.contains(&name) {
        return Ok(());
    }
    let list = "`manila check --list` shows all rules";
    let suggestion = match did_you_mean(name, names) {
        Some(question) => format!("{question} {list}"),
        None => list.to_owned(),
    };
    Err(bad(format!("there is no rule {name:?}")).suggest(suggestion))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r#"
[program]
command = "cargo run -q --"
json = ["--output", "json"]
manifest = []
fixture = "tests/fixture"
env = { A = "b" }

[commands."task  list"]
effects = "none"
args = ["--all"]
empty = "--filter 'no one'"
lists = true

[rules]
select = ["document", "failure-with-exit-zero"]
ignore = ["status"]
severity = { "prose-on-stdout" = "off", "failure-with-exit-zero" = "note" }

[[waive]]
rule = "prose-on-stdout"
command = "task list"
reason = "soon"
expires = 2027-01-31
"#;

    #[test]
    fn all_of_it_is_read() {
        let read = parse(WHOLE).expect("a declaration");
        assert_eq!(read.program, ["cargo", "run", "-q", "--"]);
        assert_eq!(read.json.as_deref(), Some(&["--output".to_owned(), "json".to_owned()][..]));
        assert_eq!(read.manifest, Some(Vec::new()));
        let list = &read.commands["task list"];
        assert_eq!(list.effects, Some(Effect::None));
        assert_eq!(list.empty.as_deref(), Some(&["--filter".to_owned(), "no one".to_owned()][..]));
        assert_eq!(read.ignore, ["status", "prose-on-stdout"]);
        assert_eq!(read.severities["failure-with-exit-zero"], Severity::Note);
        assert_eq!(read.waivers[0].expires, Some(jiff::civil::date(2027, 1, 31)));
        assert_eq!(parse("").expect("nothing"), Declaration::default());
    }

    #[test]
    fn what_is_for_manila_run_is_left_to_it() {
        let text = "[program]\njson = [\"--json\"]\n[program.gh]\nreads = [\"pr view\"]\n";
        assert_eq!(parse(text).expect("a declaration").json, Some(vec!["--json".to_owned()]));
        let error = parse("[program]\njsn = []\n[program.gh]\nreads = []\n").expect_err("a typo");
        assert!(error.to_string().contains("`jsn`"), "{error}");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place_and_what_would_be_right() {
        for (text, expected) in [
            ("[program]\njsn = []\n", "line 2"),
            (
                "[program]\njsn = []\n",
                "expected one of `command`, `json`, `json_position`, `profile`, `manifest`, `fixture`, `env`",
            ),
            (
                "[commands.x]\neffects = \"some\"",
                "expected one of `none`, `idempotent`, `writes`, `unknown`, `destroys`",
            ),
            ("[commands.x]\nargs = 5", "a list of words, or one text"),
            ("[program]\ncommand = \"a 'b\"", "a quote that is not closed"),
            ("[rules]\nselect = [\"documents\"]", "there is no rule \"documents\""),
            ("[[waive]]\nrule = \"prose-on-stdout\"\nreason = \" \"", "has no reason"),
            ("[[waive]]\nrule = \"prose-on-stdout\"", "missing field `reason`"),
            (
                "[[waive]]\nrule = \"prose-on-stdout\"\nreason = \"x\"\nexpires = \"soon\"",
                "is not a date",
            ),
            (
                "[program]\nenv = { \"A=B\" = \"c\" }",
                "a variable \"A=B\", and no name has an equals",
            ),
            ("[program]\nenv = { \"\" = \"c\" }", "a variable without a name"),
            ("[program]\nenv = { A = \"\\u0000\" }", "a variable \"A\" with a NUL in its value"),
            ("[program", "line 1"),
        ] {
            let error = parse(text).expect_err(text);
            assert_eq!(error.kind(), ErrorKind::BadDeclaration);
            assert!(error.to_string().contains(expected), "{text}: {error}");
        }
        let error = parse("[rules]\nignore = [\"prose-on-stdot\"]").expect_err("no such rule");
        assert!(error.suggestion().is_some_and(|it| it.contains("prose-on-stdout")));
    }
}
