//! Commands that a program can have for nothing, each asked for by name.
//!
//! Only the methods of [`App`] mention them, so that a program which does not ask does not carry
//! them.

#[cfg(feature = "schema")]
mod argument;
#[cfg(feature = "completions")]
mod completions;
mod exits;
#[cfg(feature = "man")]
mod man;
#[cfg(feature = "schema")]
mod manifest;
#[cfg(test)]
mod program;
#[cfg(feature = "schema")]
mod schema;
#[cfg(feature = "schema")]
mod tree;

use crate::app::{App, List, Listed};
#[cfg(feature = "schema")]
use crate::reply::Kind;
#[cfg(feature = "schema")]
use schemars::{Schema, generate::SchemaSettings};
#[cfg(feature = "schema")]
use serde_json::Value;

impl<C, L: List> App<C, L> {
    /// Adds `manifest`, and `--manifest`: every command with its arguments, what it may do, what it
    /// answers and how it fails, in one answer with a tag.
    #[cfg(feature = "schema")]
    #[must_use]
    pub fn manifest(self) -> App<C, Listed> {
        self.built_in(manifest::BUILT_IN).listed()
    }

    /// Adds `schema`, and `--schema`: the envelope, every type of answer and every error code.
    #[cfg(feature = "schema")]
    #[must_use]
    pub fn schema(self) -> App<C, Listed> {
        self.built_in(schema::BUILT_IN).listed()
    }

    /// Lists below the long help of each command the numbers that it may end with. The manifest, the
    /// schema and the manual page list them without this.
    #[must_use]
    pub fn exit_help(mut self) -> App<C, Listed> {
        self.setup.exit_help = Some(exits::describe);
        self.listed()
    }

    /// Adds `completions`: a completion script for a shell.
    #[cfg(feature = "completions")]
    #[must_use]
    pub fn completions(self) -> App<C, L> {
        self.built_in(completions::BUILT_IN)
    }

    /// Adds `completions`, and changes the command for the script alone: it may offer the values of an
    /// argument that takes others too.
    #[cfg(feature = "completions")]
    #[must_use]
    pub fn completions_with(mut self, complete: fn(clap::Command) -> clap::Command) -> App<C, L> {
        self.setup.complete = Some(complete);
        self.completions()
    }

    /// Adds `man`: the manual page of the program or of a command.
    #[cfg(feature = "man")]
    #[must_use]
    pub fn man(self) -> App<C, L> {
        self.built_in(man::BUILT_IN)
    }
}

/// The schema of a payload that is of one of these kinds: a document of its own, with everything
/// that it refers to. None if there are no kinds.
#[cfg(feature = "schema")]
pub(crate) fn schema_of(kinds: &[Kind]) -> Option<Schema> {
    // What is written, which is not always what could be read.
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schemas: Vec<Schema> = kinds.iter().map(|kind| (kind.schema)(&mut generator)).collect();
    let last = schemas.pop()?;
    let mut schema = if schemas.is_empty() {
        last
    } else {
        schemas.push(last);
        let mut any = Schema::default();
        any.insert("anyOf".to_owned(), schemas.into_iter().map(Value::from).collect());
        any
    };
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), definitions.into());
    }
    Some(schema)
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::JsonSchema;
    use serde::Serialize;

    #[derive(Serialize, JsonSchema)]
    struct Node {
        children: Vec<Node>,
        #[serde(skip_serializing_if = "Option::is_none")]
        label: Option<String>,
    }

    #[test]
    fn a_schema_carries_what_it_refers_to() {
        let schema = schema_of(&[Kind::new::<Node>("node")]).expect("a schema");
        assert_eq!(schema.get("$ref"), Some(&Value::from("#/$defs/Node")));
        let node = &schema.get("$defs").expect("definitions")["Node"];
        assert_eq!(node["required"], serde_json::json!(["children"]), "{node}");
    }

    #[test]
    fn several_kinds_are_a_choice_and_none_is_no_schema() {
        let kinds = [Kind::new::<Node>("node"), Kind::new::<u8>("number")];
        let schema = schema_of(&kinds).expect("a schema");
        assert_eq!(schema.get("anyOf").and_then(Value::as_array).map(Vec::len), Some(2));
        assert!(schema_of(&[]).is_none());
    }

    #[test]
    fn every_command_is_added_once_and_only_when_asked_for() {
        let plain = program::setup(&[]).whole_command();
        let all = program::setup(&program::ALL).whole_command();
        let added: Vec<&str> = all
            .get_subcommands()
            .map(clap::Command::get_name)
            .filter(|name| plain.find_subcommand(name).is_none())
            .collect();
        assert_eq!(added[..2], ["manifest", "schema"]);
        assert_eq!(added.len(), program::ALL.len());
    }
}
