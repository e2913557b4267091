//! Paths into documents as `jq` writes them, and a shape as a list of paths.

use super::{Evidence, Field, Format, Shape, Types, looks_like_data};
use crate::join::Join;
use crate::token;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A step from a value to one inside it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Step {
    /// The field of that name.
    Field(String),
    /// Any element of an array.
    Item,
    /// Any value of an object whose keys are data.
    Entry,
}

/// A path from the root of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Path(pub Vec<Step>);

impl Path {
    /// One step further.
    #[must_use]
    pub(crate) fn then(&self, step: Step) -> Path {
        Path(self.0.iter().cloned().chain([step]).collect())
    }

    /// Parses a text such as `.data[].id`.
    pub(crate) fn parse(text: &str) -> Option<Path> {
        let steps = Segments::new(text)?.map(|segment| {
            Some(match segment? {
                Segment::Field(name) => Step::Field(name.into_owned()),
                Segment::Item => Step::Item,
                Segment::Entry => Step::Entry,
            })
        });
        steps.collect::<Option<Vec<Step>>>().map(Path)
    }
}

/// A step as a text writes it.
enum Segment<'t> {
    Field(Cow<'t, str>),
    Item,
    Entry,
}

/// Splits the text of a path into its steps; `None` in place of a step that is malformed.
struct Segments<'t> {
    rest: &'t str,
    expects_name: bool,
}

impl<'t> Segments<'t> {
    fn new(text: &'t str) -> Option<Segments<'t>> {
        let rest = text.strip_prefix('.')?;
        // A root that is an array begins `.[]`.
        Some(Segments { rest, expects_name: !rest.is_empty() && !rest.starts_with(['[', '{']) })
    }

    fn is_done(&self) -> bool {
        self.rest.is_empty() && !self.expects_name
    }

    fn step(&mut self) -> Option<Segment<'t>> {
        if !self.expects_name {
            if let Some(rest) = self.rest.strip_prefix("[]") {
                self.rest = rest;
                return Some(Segment::Item);
            }
            if let Some(rest) = self.rest.strip_prefix("{}") {
                self.rest = rest;
                return Some(Segment::Entry);
            }
            self.rest = self.rest.strip_prefix('.')?;
        }
        let (name, length) = token::leading_name(self.rest)?;
        self.rest = &self.rest[length..];
        self.expects_name = false;
        Some(Segment::Field(name))
    }
}

impl<'t> Iterator for Segments<'t> {
    type Item = Option<Segment<'t>>;

    fn next(&mut self) -> Option<Option<Segment<'t>>> {
        if self.is_done() {
            return None;
        }
        let step = self.step();
        if step.is_none() {
            (self.rest, self.expects_name) = ("", false);
        }
        Some(step)
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
pub(crate) enum Presence {
    /// In every object that was met, and there were enough.
    Always,
    /// In every object that was met, and there were few.
    Thin,
    /// Not in every object.
    Sometimes,
}

/// What a lock says of one path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Node {
    /// The types.
    pub(crate) types: Types,
    /// How often, for a field.
    pub(crate) presence: Option<Presence>,
    /// What all strings have in common.
    pub(crate) formats: BTreeSet<Format>,
    /// Whether no array had elements.
    pub(crate) is_unfilled: bool,
    /// Whether equal calls differ.
    pub(crate) is_volatile: bool,
    /// Whether it is a credential.
    pub(crate) is_secret: bool,
    /// The only values, where they are declared.
    pub(crate) choices: Option<BTreeSet<String>>,
}

impl Node {
    /// The node of a text such as `string|null always date-time volatile`.
    pub(crate) fn parse(text: &str) -> Result<Node, String> {
        let mut words = text.split(' ');
        let first = words.next().unwrap_or_default();
        let types = Types::parse(first).ok_or_else(|| format!("{first:?} is not a JSON type"))?;
        let mut node = Node { types, ..Node::default() };
        for word in words {
            match word {
                "always" => node.presence = Some(Presence::Always),
                "always?" => node.presence = Some(Presence::Thin),
                "sometimes" => node.presence = Some(Presence::Sometimes),
                "empty" => node.is_unfilled = true,
                "volatile" => node.is_volatile = true,
                "secret" => node.is_secret = true,
                _ => match Format::ALL.into_iter().find(|format| format.as_str() == word) {
                    Some(format) => {
                        node.formats.insert(format);
                    }
                    None => return Err(format!("{word:?} is not a mark of a value")),
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
            write!(f, " {}", format.as_str())?;
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
    pub(crate) fn nodes(&self) -> BTreeMap<Path, Node> {
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
                entries.join(&Some(field.shape.clone()));
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

    /// Records what a lock says of the path that is written as `path`; `None` if that is not a path.
    /// A node comes before those inside it, as in a sorted lock.
    pub(crate) fn place(&mut self, path: &str, node: Node) -> Option<()> {
        let mut segments = Segments::new(path)?;
        let mut shape = self;
        while let Some(segment) = segments.next() {
            let segment = segment?;
            // What has fields is an object, although the line that says so may have been removed.
            shape.types = shape.types.and(match segment {
                Segment::Item => Types::ARRAY,
                Segment::Field(_) | Segment::Entry => Types::OBJECT,
            });
            shape = match segment {
                Segment::Field(key) => {
                    if segments.is_done() && node.presence == Some(Presence::Always) {
                        shape.seen.join(&Evidence::stated());
                    }
                    if !shape.fields.contains_key(key.as_ref()) {
                        shape.fields.insert(key.clone().into_owned(), Field::default());
                    }
                    let field = shape.fields.get_mut(key.as_ref())?;
                    if segments.is_done() {
                        field.is_optional = node.presence == Some(Presence::Sometimes);
                    }
                    &mut field.shape
                }
                Segment::Item => shape.items.get_or_insert_default(),
                Segment::Entry => shape.entries.get_or_insert_default(),
            };
        }
        shape.types = node.types;
        shape.formats = node.types.has(Types::STRING).then_some(node.formats);
        shape.is_filled = node.types.has(Types::ARRAY) && !node.is_unfilled;
        shape.is_volatile = node.is_volatile;
        shape.is_secret = node.is_secret;
        shape.choices = node.choices;
        Some(())
    }

    /// Whether it describes data instead of being it: a JSON Schema stands at most two levels deep.
    pub(crate) fn is_description(&self) -> bool {
        let is_schema = |shape: &Shape| {
            ["$schema", "$defs", "definitions"].iter().any(|key| shape.fields.contains_key(*key))
        };
        let below =
            || self.fields.values().flat_map(|field| field.shape.fields.values().chain([field]));
        is_schema(self) || below().any(|field| is_schema(&field.shape))
    }

    /// Forgets what is deeper than so many steps.
    pub(crate) fn prune(&mut self, depth: usize) {
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
    pub(crate) fn make_map(&mut self, path: &[Step]) {
        let Some((first, rest)) = path.split_first() else {
            for (_, field) in std::mem::take(&mut self.fields) {
                self.entries.join(&Some(field.shape));
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
