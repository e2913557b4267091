//! What code is generated from: a dialect and, if there is one, a program's manifest, without a language.

use crate::error::{Error, ErrorKind};
use crate::manifest::Manifest;
use crate::name::pascal;
use crate::schema::reduce;
use crate::types::{Definition, Definitions, Type};
use manila::dialects::WRITTEN;
use manila::exit::{Effects, Grain, Retry};
use manila::table::CodeSet;
use manila::visible::is_unseen;
use manila::{Dialect, Exit, Table};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Everything that the files of one call say.
#[derive(Debug)]
pub(crate) struct Contract {
    pub table: &'static Table,
    pub dialect: &'static dyn Dialect,
    /// What it was made from, for the header.
    pub origin: String,
    /// The numbers, in order.
    pub exits: Vec<ExitRow>,
    /// What a caller may conclude from each class.
    pub classes: Vec<ClassRow>,
    /// The error codes, each with its number.
    pub codes: Vec<CodeRow>,
    pub commands: Vec<Command>,
    pub definitions: Vec<Definition>,
    /// The reduced JSON Schema of the envelope.
    pub envelope_schema: Value,
    /// The reduced schema of each definition.
    pub schemas: Map<String, Value>,
}

#[derive(Debug)]
pub(crate) struct ExitRow {
    pub status: i32,
    pub exit: Exit,
}

#[derive(Debug)]
pub(crate) struct ClassRow {
    pub exit: Exit,
    pub retry: Retry,
    pub effects: Effects,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CodeRow {
    pub code: String,
    pub status: i32,
    pub exit: Exit,
}

/// One command of the program.
#[derive(Debug)]
pub(crate) struct Command {
    pub path: String,
    /// The stem of its type names.
    pub name: String,
    pub about: String,
    pub kinds: Vec<String>,
    pub data: Type,
    /// The reduced schema of its payload, if it is known.
    pub schema: Option<Value>,
    pub codes: Vec<String>,
}

impl Contract {
    /// The contract of a dialect, or of a program that uses it.
    pub(crate) fn new(
        dialect: &'static dyn Dialect,
        manifest: Option<&Manifest>,
    ) -> Result<Contract, Error> {
        let table = dialect.table();
        if !WRITTEN.iter().any(|known| known.id() == table.id) {
            let known: Vec<_> = WRITTEN.iter().map(|known| known.id()).collect();
            return Err(Error::new(
                ErrorKind::ForeignDialect,
                format!("{} is read and not written: no code is generated for it", table.id),
                format!("one of: {}", known.join(", ")),
            ));
        }
        let mut definitions = Definitions::default();
        let mut commands = Vec::new();
        for (path, entry) in manifest.iter().flat_map(|manifest| &manifest.commands) {
            commands.push(Command::new(path, entry, &mut definitions)?);
        }
        check_names(&commands, &definitions)?;
        let codes = match manifest {
            Some(manifest) => codes_of_manifest(manifest, table)?,
            None => Vec::new(),
        };
        // A manifest that names no code says nothing about them.
        let codes = if codes.is_empty() { codes_of_dialect(table) } else { codes };
        let mut exits: Vec<ExitRow> = table
            .exits
            .rows
            .iter()
            .map(|row| ExitRow { status: row.status, exit: row.exit })
            .collect();
        let stated = manifest.iter().flat_map(|manifest| &manifest.commands);
        for entry in stated.flat_map(|(_, entry)| &entry.exits) {
            if exits.iter().all(|row| row.status != entry.status) {
                exits.push(ExitRow { status: entry.status, exit: entry.exit });
            }
        }
        exits.sort_by_key(|row| row.status);
        let schemas =
            definitions.schemas.iter().map(|(name, schema)| (name.clone(), reduce(schema)));
        Ok(Contract {
            table,
            dialect,
            origin: origin(table.id, manifest),
            exits,
            classes: classes(table),
            codes,
            commands,
            schemas: schemas.collect(),
            definitions: definitions.all,
            envelope_schema: envelope_schema(table),
        })
    }

    /// The numbers that stand for their class, and not for one code.
    pub(crate) fn own_exits(&self) -> impl Iterator<Item = &ExitRow> {
        self.exits.iter().filter(|row| row.status == self.table.exits.status(row.exit))
    }

    /// Whether the numbers of the dialect say less than its codes.
    pub(crate) fn is_coarse(&self) -> bool {
        self.table.exits.grain == Grain::Coarse
    }

    /// Whether the payload of any command is described.
    pub(crate) fn has_schemas(&self) -> bool {
        self.commands.iter().any(|command| command.schema.is_some())
    }

    /// The code that stands for a class in examples.
    pub(crate) fn code_of(&self, exit: Exit) -> Option<&CodeRow> {
        self.codes.iter().find(|row| row.exit == exit)
    }

    /// A code for examples of failures: one of a class that changes nothing, or any.
    pub(crate) fn any_code(&self) -> &CodeRow {
        static FALLBACK: std::sync::OnceLock<CodeRow> = std::sync::OnceLock::new();
        self.code_of(Exit::NotFound)
            .or_else(|| self.code_of(Exit::ArgError))
            .or(self.codes.first())
            .unwrap_or_else(|| {
                FALLBACK.get_or_init(|| CodeRow {
                    code: Exit::General.name().to_owned(),
                    status: 1,
                    exit: Exit::General,
                })
            })
    }
}

impl Command {
    fn new(
        path: &str,
        entry: &crate::manifest::Entry,
        definitions: &mut Definitions,
    ) -> Result<Command, Error> {
        let name = pascal(path);
        let (data, schema) = match &entry.schema {
            Some(schema) => {
                let (data, schema) = definitions.add(path, &format!("{name}Data"), schema)?;
                (data, Some(reduce(&schema)))
            }
            None => (Type::Json, None),
        };
        let mut codes: Vec<String> =
            entry.exits.iter().flat_map(|exit| exit.codes.iter().cloned()).collect();
        codes.sort();
        codes.dedup();
        Ok(Command {
            path: path.to_owned(),
            name,
            about: entry.about.clone(),
            kinds: entry.kinds.clone(),
            data,
            schema,
            codes,
        })
    }
}

fn origin(id: &str, manifest: Option<&Manifest>) -> String {
    let Some(Manifest { source, tool, version, .. }) = manifest else { return id.to_owned() };
    let version = version.as_ref().map_or_else(String::new, |it| format!(" {}", plain(it)));
    format!("{id} and {source} of {}{version}", plain(tool))
}

/// Text from a manifest that is safe in a comment.
pub(crate) fn plain(text: &str) -> String {
    let text: String = text.chars().map(|it| if is_unseen(it) { ' ' } else { it }).collect();
    let text = text.replace("*/", "* /").replace("\"\"\"", "'''").replace('\\', "/");
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    match words.first().filter(|it| DIRECTIVES.iter().any(|known| it.starts_with(known))) {
        Some(first) => text.replacen(first, &format!("`{first}`"), 1),
        None => text,
    }
}

/// How comments begin that a compiler or a linter obeys.
const DIRECTIVES: &[&str] = &[
    "+build",
    "@ts-",
    "biome-ignore",
    "eslint-",
    "flake8:",
    "fmt:",
    "isort:",
    "mypy:",
    "nolint",
    "noqa",
    "prettier-ignore",
    "pylint:",
    "pyre-",
    "pyright:",
    "ruff:",
    "tslint:",
    "type:",
    "yapf:",
];

/// Refuses names that become one in code.
fn check_names(commands: &[Command], definitions: &Definitions) -> Result<(), Error> {
    let mut met: BTreeMap<String, &str> = BTreeMap::new();
    for command in commands {
        if let Some(other) = met.insert(command.name.to_lowercase(), &command.path) {
            let path = &command.path;
            return Err(Error::new(
                ErrorKind::Collision,
                format!(
                    "the commands {other:?} and {path:?} would both be called {}",
                    command.name
                ),
                "rename one of them in the manifest",
            ));
        }
    }
    for definition in &definitions.all {
        let is_answer = commands.iter().any(|command| {
            [format!("{}Answer", command.name), format!("{}ErrorCode", command.name)]
                .contains(&definition.name)
        });
        if is_answer {
            return Err(Error::new(
                ErrorKind::Collision,
                format!("a type of the manifest is called {}, as a generated one", definition.name),
                "rename it in the manifest",
            ));
        }
    }
    Ok(())
}

fn classes(table: &Table) -> Vec<ClassRow> {
    let class = |exit: &Exit| {
        let (retry, effects) = table.exits.conclude(*exit);
        ClassRow { exit: *exit, retry, effects }
    };
    Exit::ALL.iter().map(class).collect()
}

/// The codes that a dialect names, and the names of the classes that have none.
fn codes_of_dialect(table: &Table) -> Vec<CodeRow> {
    let row = |code: &str, exit| CodeRow {
        code: code.to_owned(),
        status: table.exits.status(exit),
        exit,
    };
    // A missing entity has a form of its own in claw/2.0, which generated code does not write.
    let is_written = |exit: Exit| table.id != "claw/2.0" || exit != Exit::NotFound;
    let known = table.codes.iter().filter(|(_, exit)| is_written(*exit));
    let mut codes: Vec<CodeRow> = known.map(|(code, exit)| row(code, *exit)).collect();
    // Where each class has a number, its name is a code too.
    if table.code_set == CodeSet::Open && table.exits.grain == Grain::Fine {
        for class in table.exits.rows.iter().filter(|class| !class.exit.is_success()) {
            if codes.iter().all(|known| known.code != class.exit.name()) {
                codes.push(row(class.exit.name(), class.exit));
            }
        }
    }
    codes.sort_by(|a, b| a.code.cmp(&b.code));
    codes
}

/// The codes that a program names, in all of its commands.
fn codes_of_manifest(manifest: &Manifest, table: &Table) -> Result<Vec<CodeRow>, Error> {
    let mut codes: BTreeMap<&str, (i32, Exit)> = BTreeMap::new();
    for (path, entry) in &manifest.commands {
        for exit in &entry.exits {
            // One number may cover many classes, which the code distinguishes.
            for code in &exit.codes {
                let class = table.class_of_code(code).filter(|_| exit.exit == Exit::General);
                let class = class.unwrap_or(exit.exit);
                let known = codes.entry(code).or_insert((exit.status, class));
                if known.0 != exit.status && exit.status <= 128 {
                    let (one, two) = (known.0, exit.status);
                    return Err(Error::manifest(format!(
                        "command {path:?} in the manifest: {code:?} has the exit code {two}, elsewhere {one}"
                    )));
                }
            }
        }
    }
    let row = |(code, (status, exit)): (&str, (i32, Exit))| CodeRow {
        code: code.to_owned(),
        status,
        exit,
    };
    Ok(codes.into_iter().map(row).collect())
}

/// The schema of a dialect's documents, reduced. A revision is stated exactly.
fn envelope_schema(table: &Table) -> Value {
    let mut schema = reachable(&reduce(&table.json_schema()));
    if let (Some(revision), Some(version)) = (table.revision, table.version) {
        let mut place = Some(&mut schema);
        for name in revision.path.split('.') {
            place = place
                .and_then(|schema| schema.get_mut("properties"))
                .and_then(|properties| properties.get_mut(name));
        }
        if let Some(place) = place {
            *place = json!({ "const": version });
        }
    }
    schema
}

/// A schema with only those definitions that it leads to.
fn reachable(schema: &Value) -> Value {
    let mut schema = schema.clone();
    let Some(Value::Object(all)) = schema.as_object_mut().and_then(|it| it.remove("$defs")) else {
        return schema;
    };
    let mut kept = Map::new();
    let mut pending = vec![schema.clone()];
    while let Some(value) = pending.pop() {
        match value {
            Value::Object(members) => {
                let target = members.get("$ref").and_then(Value::as_str);
                let name = target.and_then(|target| target.strip_prefix("#/$defs/"));
                if let Some((name, found)) = name.and_then(|name| Some((name, all.get(name)?)))
                    && !kept.contains_key(name)
                {
                    kept.insert(name.to_owned(), found.clone());
                    pending.push(found.clone());
                }
                pending.extend(members.into_iter().map(|(_, member)| member));
            }
            Value::Array(elements) => pending.extend(elements),
            _ => {}
        }
    }
    kept.sort_keys();
    if let (Value::Object(members), false) = (&mut schema, kept.is_empty()) {
        members.insert("$defs".to_owned(), Value::Object(kept));
    }
    schema
}
