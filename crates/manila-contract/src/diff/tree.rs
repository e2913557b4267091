//! Aligns two payloads: brings wrapped and unwrapped payloads to the same paths, and pairs fields that were
//! renamed or moved.

use super::rename::{is_alike, matched, similarity};
use crate::shape::{Node, Path, Shape, Sketch, Step, Types};
use std::collections::BTreeMap;

/// One payload: the path at which each value is compared, the path at which it is, and its node.
pub(super) type Side = BTreeMap<Path, (Path, Node)>;

/// The names of payloads, the likeliest first.
const PAYLOADS: &[&str] = &["data", "result", "results", "payload", "items", "response"];
/// Those that envelopes have; the others name lists, which are fields like any other.
const IN_ENVELOPES: &[&str] = &["data", "result", "payload"];

/// A payload that stands one level deeper on one side: where it is on the side without the wrapping, and on the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wrapping {
    /// The new side wraps what the old one has here.
    Wrapped(Path, Path),
    /// The old side wraps what the new one has there.
    Unwrapped(Path, Path),
}

pub(super) fn side(shape: &Shape) -> Side {
    shape.nodes().into_iter().map(|(path, node)| (path.clone(), (path, node))).collect()
}

/// Takes one document per line for a list of them, if the other side has a list to compare them with: at its root or in
/// a field of it.
pub(super) fn listed(lines: &mut Side, document: &mut Side) -> bool {
    let root = Path::default();
    let within = |path: &Path| Path([&[Step::Item][..], &path.0].concat());
    let list = Node { types: Types::ARRAY, ..Node::default() };
    let mut list: Side = Side::from([(root.clone(), (root.clone(), list))]);
    list.extend(lines.iter().map(|(path, entry)| (within(path), entry.clone())));
    let is_list = types(document, &root).has(Types::ARRAY);
    let turns = is_list || wraps(&list, document, &root).is_some();
    if turns {
        *lines = list;
    }
    turns
}

/// Brings a payload that was wrapped or unwrapped to the same paths on both sides. It may be the whole document, or what
/// stands in the payload of an envelope.
pub(super) fn align(old: &mut Side, new: &mut Side) -> Option<Wrapping> {
    let root = Path::default();
    let inner = IN_ENVELOPES.iter().map(|name| root.then(Step::Field((*name).to_owned())));
    let inner = inner.filter(|at| old.contains_key(at) && new.contains_key(at));
    let places: Vec<Path> = std::iter::once(root.clone()).chain(inner).collect();
    places.into_iter().find_map(|at| {
        if let Some(to) = wraps(old, new, &at) {
            wrap(old, new, &at, &to);
            return Some(Wrapping::Wrapped(at, to));
        }
        let to = wraps(new, old, &at)?;
        wrap(new, old, &at, &to);
        Some(Wrapping::Unwrapped(to, at))
    })
}

fn types(side: &Side, path: &Path) -> Types {
    side.get(path).map(|(_, node)| node.types).unwrap_or_default()
}

/// The fields of the object at a path.
fn fields<'s>(side: &'s Side, at: &'s Path) -> impl Iterator<Item = (&'s str, Types)> {
    let own = side.range(at.clone()..).take_while(|(path, _)| path.0.starts_with(&at.0));
    own.filter_map(|(path, (_, node))| match path.0.get(at.0.len()..)? {
        [Step::Field(key)] => Some((key.as_str(), node.types)),
        _ => None,
    })
}

/// The place in the outer payload that has what the inner one has at a path, if there is one.
fn wraps(inner: &Side, outer: &Side, at: &Path) -> Option<Path> {
    let (inside, outside) = (types(inner, at), types(outer, at));
    if !outside.has(Types::OBJECT) || outside.has(Types::ARRAY) || inside.is_empty() {
        return None;
    }
    let below = |key: &str| at.then(Step::Field(key.to_owned()));
    let fitting: Vec<String> = if inside.has(Types::ARRAY) && !inside.has(Types::OBJECT) {
        let arrays = fields(outer, at).filter(|(_, types)| types.has(Types::ARRAY));
        let arrays = arrays.filter(|(key, _)| has_alike_items(inner, outer, at, &below(key)));
        arrays.map(|(key, _)| key.to_owned()).collect()
    } else if inside.has(Types::OBJECT) {
        let gone: Vec<(&str, Types)> =
            fields(inner, at).filter(|(key, _)| !outer.contains_key(&below(key))).collect();
        let holds = |key: &str| {
            let is_enough = gone.len() > 1 || (gone.len() == 1 && PAYLOADS.contains(&key));
            is_enough
                && gone.iter().all(|(name, types)| {
                    let there = below(key).then(Step::Field((*name).to_owned()));
                    self::types(outer, &there).without(Types::NULL) == types.without(Types::NULL)
                })
        };
        let is_new = |key: &str| !inner.contains_key(&below(key));
        let objects =
            fields(outer, at).filter(|(key, types)| types.has(Types::OBJECT) && is_new(key));
        objects.filter(|(key, _)| holds(key)).map(|(key, _)| key.to_owned()).collect()
    } else {
        return None;
    };
    let usual = PAYLOADS.iter().find(|name| fitting.iter().any(|it| it == *name));
    match (usual, fitting.as_slice()) {
        (Some(name), _) => Some(below(name)),
        (None, [only]) => Some(below(only)),
        _ => None,
    }
}

/// The path below `at` as it is below `to`.
fn moved(path: &Path, at: &Path, to: &Path) -> Path {
    Path(to.0.iter().chain(&path.0[at.0.len()..]).cloned().collect())
}

/// Whether the elements of a list at a path have most of their paths below the other place as well.
fn has_alike_items(inner: &Side, outer: &Side, at: &Path, to: &Path) -> bool {
    let is_below = |path: &&Path| path.0.len() > at.0.len() && path.0.starts_with(&at.0);
    let paths: Vec<&Path> = inner.keys().filter(is_below).collect();
    let found = paths.iter().filter(|path| outer.contains_key(&moved(path, at, to)));
    paths.is_empty() || found.count() * 2 > paths.len()
}

/// Moves what stands in the inner payload at a path to where the outer one has it.
fn wrap(inner: &mut Side, outer: &Side, at: &Path, to: &Path) {
    let is_list = !types(inner, at).has(Types::OBJECT);
    let is_moved = |path: &&Path| {
        path.0.starts_with(&at.0)
            && match path.0.get(at.0.len()) {
                None => is_list,
                Some(first) => is_list || !outer.contains_key(&at.then(first.clone())),
            }
    };
    let all: Vec<Path> = inner.keys().filter(is_moved).cloned().collect();
    for path in all {
        if let Some(entry) = inner.remove(&path) {
            inner.insert(moved(&path, at, to), entry);
        }
    }
    // The object around it is new, and is reported as the wrapping.
    for path in [at, to] {
        if let Some((_, node)) = outer.get(path) {
            inner.entry(path.clone()).or_insert_with(|| (path.clone(), node.clone()));
        }
    }
}

/// A field that is on one side only.
pub(super) struct Lone {
    pub(super) path: Path,
    /// Whether it is a change of its own. Where the other side has another type around it, that is reported
    /// instead, unless the field came from elsewhere.
    pub(super) is_own: bool,
    shape: Vec<(Vec<Step>, Types)>,
    values: Sketch<4>,
}

/// The topmost fields of a payload that the other has not, where both have the object around them.
pub(super) fn lone(
    own: &Side,
    other: &Side,
    body: &Shape,
    is_reported: impl Fn(&Path) -> bool,
) -> Vec<Lone> {
    let is_lone = |path: &&Path| {
        let Some((Step::Field(_), parent)) = path.0.split_last() else { return false };
        let parent = Path(parent.to_vec());
        let is_object = types(own, &parent).has(Types::OBJECT);
        !other.contains_key(*path)
            && is_object
            && other.contains_key(&parent)
            && !is_reported(&parent)
    };
    let one = |path: &Path| {
        let below = own.range(path.clone()..).take_while(|(it, _)| it.0.starts_with(&path.0));
        let shape = below.map(|(it, (_, node))| {
            (it.0[path.0.len()..].to_vec(), node.types.without(Types::NULL))
        });
        let values = own.get(path).and_then(|(at, _)| body.at(&at.0)).map(|it| it.values.clone());
        let parent = Path(path.0[..path.0.len() - 1].to_vec());
        let is_own = types(other, &parent).has(Types::OBJECT);
        Lone {
            path: path.clone(),
            is_own,
            shape: shape.collect(),
            values: values.unwrap_or_default(),
        }
    };
    own.keys().filter(is_lone).map(one).collect()
}

/// Pairs of fields that are the same under another name or in another object.
pub(super) fn paired(removed: &[Lone], added: &[Lone]) -> Vec<(usize, usize)> {
    // Among many fields none is recognisable, and comparing all pairs would be slow.
    const MOST: usize = 256;
    if removed.len().max(added.len()) > MOST {
        return Vec::new();
    }
    matched(removed, added, |was, is| {
        if !(was.is_own || is.is_own)
            || was.shape != is.shape
            || was.shape.first().is_none_or(|(_, types)| types.is_empty())
        {
            return None;
        }
        let has_same_values = !was.values.is_empty() && was.values == is.values;
        let has_fields = was.shape.len() > 1;
        let (Some((Step::Field(old), around_old)), Some((Step::Field(new), around_new))) =
            (was.path.0.split_last(), is.path.0.split_last())
        else {
            return None;
        };
        let is_recognised = if around_old == around_new {
            has_same_values || has_fields || is_alike(old, new)
        } else {
            old == new || (has_same_values && is_alike(old, new))
        };
        let extra = if has_same_values { 2.0 } else { 0.0 }
            + if around_old == around_new { 1.0 } else { 0.0 };
        is_recognised.then(|| similarity(old, new) + extra)
    })
}
