//! Paths into documents as `jq` writes them, and a shape as a list of paths.

use super::{Evidence, Format, Shape, Types, looks_like_data};
use crate::join::Join;
use crate::token;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A step from a value to one inside it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// The field of that name.
    Field(String),
    /// Any element of an array.
    Item,
    /// Any value of an object whose keys are data.
    Entry,
}

/// A path from the root of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path(pub Vec<Step>);

impl Path {
    /// One step further.
    #[must_use]
    pub fn then(&self, step: Step) -> Path {
        Path(self.0.iter().cloned().chain([step]).collect())
    }

    /// The path of a text such as `.data[].id`.
    pub fn parse(text: &str) -> Option<Path> {
        let mut rest = text.strip_prefix('.')?;
        let mut steps = Vec::new();
        // A root that is an array begins `.[]`.
        let mut expects_name = !rest.is_empty() && !rest.starts_with(['[', '{']);
        while !rest.is_empty() || expects_name {
            if expects_name {
                let (name, length) = token::leading_name(rest)?;
                steps.push(Step::Field(name));
                rest = &rest[length..];
                expects_name = false;
            } else if let Some(after) = rest.strip_prefix("[]") {
                steps.push(Step::Item);
                rest = after;
            } else if let Some(after) = rest.strip_prefix("{}") {
                steps.push(Step::Entry);
                rest = after;
            } else {
                rest = rest.strip_prefix('.')?;
                expects_name = true;
            }
        }
        Some(Path(steps))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !matches!(self.0.first(), Some(Step::Field(_))) {
            f.write_str(".")?;
        }
        for step in &self.0 {
            match step {
                Step::Field(name) => write!(f, ".{}", token::name(name))?,
                Step::Item => f.write_str("[]")?,
                Step::Entry => f.write_str("{}")?,
            }
        }
        Ok(())
    }
}

/// How often a field is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Presence {
    /// In every object that was met, and there were enough.
    Always,
    /// In every object that was met, and there were few.
    Thin,
    /// Not in every object.
    Sometimes,
}

/// What a lock says of one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The types.
    pub types: Types,
    /// How often, for a field.
    pub presence: Option<Presence>,
    /// What all strings have in common.
    pub formats: BTreeSet<Format>,
    /// Whether no array had elements.
    pub is_unfilled: bool,
    /// Whether equal calls differ.
    pub is_volatile: bool,
    /// Whether it is a credential.
    pub is_secret: bool,
    /// The only values, where they are declared.
    pub choices: Option<BTreeSet<String>>,
}

impl Node {
    /// The node of a text such as `string|null always date-time volatile`.
    pub fn parse(text: &str) -> Result<Node, String> {
        let mut words = text.split(' ');
        let first = words.next().unwrap_or_default();
        let types = Types::parse(first).ok_or_else(|| format!("{first:?} is no type of JSON"))?;
        let mut node = Node {
            types,
            presence: None,
            formats: BTreeSet::new(),
            is_unfilled: false,
            is_volatile: false,
            is_secret: false,
            choices: None,
        };
        for word in words {
            match word {
                "always" => node.presence = Some(Presence::Always),
                "always?" => node.presence = Some(Presence::Thin),
                "sometimes" => node.presence = Some(Presence::Sometimes),
                "empty" => node.is_unfilled = true,
                "volatile" => node.is_volatile = true,
                "secret" => node.is_secret = true,
                _ => match Format::ALL.into_iter().find(|format| format.word() == word) {
                    Some(format) => {
                        node.formats.insert(format);
                    }
                    None => return Err(format!("{word:?} is no mark of a value")),
                },
            }
        }
        Ok(node)
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.types)?;
        match self.presence {
            Some(Presence::Always) => f.write_str(" always")?,
            Some(Presence::Thin) => f.write_str(" always?")?,
            Some(Presence::Sometimes) => f.write_str(" sometimes")?,
            None => {}
        }
        for format in &self.formats {
            write!(f, " {}", format.word())?;
        }
        for (is, word) in [
            (self.is_unfilled, "empty"),
            (self.is_secret, "secret"),
            (self.is_volatile, "volatile"),
        ] {
            if is {
                write!(f, " {word}")?;
            }
        }
        Ok(())
    }
}

impl Shape {
    /// The shape as a list of paths, sorted, each with what stands there. Keys that are data are in no
    /// path: what they lead to is joined.
    pub fn nodes(&self) -> BTreeMap<Path, Node> {
        let mut nodes = BTreeMap::new();
        if !self.is_empty() {
            self.list(&Path::default(), None, &mut nodes);
        }
        nodes
    }

    fn list(&self, path: &Path, presence: Option<Presence>, nodes: &mut BTreeMap<Path, Node>) {
        let is_string = self.types.has(Types::STRING);
        let node = Node {
            types: self.types,
            presence,
            formats: self.formats.clone().filter(|_| is_string).unwrap_or_default(),
            is_unfilled: self.types.has(Types::ARRAY) && !self.is_filled,
            is_volatile: self.is_volatile,
            is_secret: self.is_secret,
            choices: self.choices.clone(),
        };
        nodes.insert(path.clone(), node);
        if let Some(items) = &self.items {
            items.list(&path.then(Step::Item), None, nodes);
        }
        let mut entries = self.entries.clone();
        for (key, field) in &self.fields {
            // A key that is data is in no lock, whatever stands beside it.
            if looks_like_data(key) {
                entries.join(&Some(Box::new(field.shape.clone())));
                continue;
            }
            let presence = match (field.is_optional, self.seen.is_enough()) {
                (true, _) => Presence::Sometimes,
                (false, true) => Presence::Always,
                (false, false) => Presence::Thin,
            };
            field.shape.list(&path.then(Step::Field(key.clone())), Some(presence), nodes);
        }
        if let Some(entries) = entries {
            entries.list(&path.then(Step::Entry), None, nodes);
        }
    }

    /// The shape of a list of paths.
    pub fn from_nodes(nodes: &BTreeMap<Path, Node>) -> Shape {
        let mut root = Shape::default();
        for (path, node) in nodes {
            let own = Shape {
                types: node.types,
                formats: node.types.has(Types::STRING).then(|| node.formats.clone()),
                is_filled: node.types.has(Types::ARRAY) && !node.is_unfilled,
                is_volatile: node.is_volatile,
                is_secret: node.is_secret,
                choices: node.choices.clone(),
                ..Shape::default()
            };
            root.place(&path.0, node.presence, own);
        }
        root
    }

    fn place(&mut self, path: &[Step], presence: Option<Presence>, own: Shape) {
        let Some((first, rest)) = path.split_first() else {
            let Shape { seen, fields, entries, items, .. } = std::mem::take(self);
            *self = Shape { seen, fields, entries, items, ..own };
            return;
        };
        let is_last = rest.is_empty();
        // What has fields is an object, although somebody may have removed the line that says so.
        self.types = self.types.and(match first {
            Step::Item => Types::ARRAY,
            Step::Field(_) | Step::Entry => Types::OBJECT,
        });
        let inner = match first {
            Step::Field(key) => {
                let field = self.fields.entry(key.clone()).or_default();
                if is_last {
                    field.is_optional = presence == Some(Presence::Sometimes);
                    if presence == Some(Presence::Always) {
                        self.seen.join(&Evidence::stated());
                    }
                }
                &mut field.shape
            }
            Step::Item => self.items.get_or_insert_default().as_mut(),
            Step::Entry => self.entries.get_or_insert_default().as_mut(),
        };
        inner.place(rest, presence, own);
    }

    /// Whether it describes data instead of being it: a JSON Schema stands at most two levels deep.
    pub fn is_description(&self) -> bool {
        let is_schema = |shape: &Shape| {
            ["$schema", "$defs", "definitions"].iter().any(|key| shape.fields.contains_key(*key))
        };
        let below =
            || self.fields.values().flat_map(|field| field.shape.fields.values().chain([field]));
        is_schema(self) || below().any(|field| is_schema(&field.shape))
    }

    /// Forgets what is deeper than so many steps.
    pub fn prune(&mut self, depth: usize) {
        if depth == 0 {
            self.fields.clear();
            (self.entries, self.items) = (None, None);
            return;
        }
        self.fields.values_mut().for_each(|field| field.shape.prune(depth - 1));
        let inner = [&mut self.entries, &mut self.items];
        inner.into_iter().flatten().for_each(|shape| shape.prune(depth - 1));
    }

    /// Turns the objects at this path into maps.
    pub fn make_map(&mut self, path: &[Step]) {
        let Some((first, rest)) = path.split_first() else {
            for (_, field) in std::mem::take(&mut self.fields) {
                self.entries.join(&Some(Box::new(field.shape)));
            }
            return;
        };
        match first {
            Step::Field(key) => {
                if let Some(field) = self.fields.get_mut(key) {
                    field.shape.make_map(rest);
                }
            }
            Step::Item => self.items.iter_mut().for_each(|items| items.make_map(rest)),
            Step::Entry => self.entries.iter_mut().for_each(|entries| entries.make_map(rest)),
        }
    }
}
