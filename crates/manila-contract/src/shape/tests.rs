//! The laws of joining shapes, and what a shape looks like as paths.

use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (0..9u8).prop_map(|it| Value::from(f64::from(it) + 0.5)),
        prop_oneof![
            Just("word".to_owned()),
            Just("2026-11-16".to_owned()),
            Just("/etc/x".to_owned()),
            Just("1.2.3".to_owned())
        ]
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let key = prop_oneof![Just("id"), Just("name"), Just("7"), Just("a b"), Just("x.org")];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(key.prop_map(str::to_owned), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn shapes() -> impl Strategy<Value = Shape> {
    proptest::collection::vec((value(), 0..4u64, 0..4u64), 0..4).prop_map(|samples| {
        let mut shape = Shape::default();
        for (value, input, sample) in samples {
            shape.join(&shape_of(&value, input, sample));
        }
        shape
    })
}

fn joined(shapes: &[&Shape]) -> Shape {
    let mut all = Shape::default();
    shapes.iter().for_each(|shape| all.join(shape));
    all
}

proptest! {
    #[test]
    fn joining_is_associative_commutative_and_idempotent(a in shapes(), b in shapes(), c in shapes()) {
        let left = joined(&[&joined(&[&a, &b]), &c]);
        let right = joined(&[&a, &joined(&[&b, &c])]);
        prop_assert_eq!(&left, &right);
        prop_assert_eq!(joined(&[&a, &b]), joined(&[&b, &a]));
        prop_assert_eq!(joined(&[&a, &a]), joined(&[&a]));
        prop_assert_eq!(joined(&[&left, &a]), left);
    }

    #[test]
    fn a_list_has_the_shape_of_its_elements_joined(elements in proptest::collection::vec(value(), 1..5)) {
        let list = shape_of(&Value::from(elements.clone()), 0, 0);
        let items = list.items.as_ref().map(|it| it.nodes()).unwrap_or_default();
        let each: Vec<Shape> = (0..).zip(&elements).map(|(at, it)| shape_of(it, 0, at)).collect();
        let each = joined(&each.iter().collect::<Vec<_>>());
        prop_assert_eq!(items, each.nodes());
        prop_assert_eq!(&list.items.as_ref().map(|it| it.values.clone()), &Some(each.values));
    }

    #[test]
    fn paths_say_what_the_shape_says(shape in shapes()) {
        let nodes = shape.nodes();
        let mut again = Shape::default();
        for (path, node) in &nodes {
            prop_assert_eq!(again.place(&path.to_string(), node.clone()), Some(()), "{}", path);
        }
        prop_assert_eq!(again.nodes(), nodes);
    }

    #[test]
    fn a_path_survives_writing(value in value()) {
        for (path, node) in shape_of(&value, 0, 0).nodes() {
            prop_assert_eq!(Path::parse(&path.to_string()), Some(path.clone()), "{}", path);
            let text = node.to_string();
            prop_assert_eq!(Node::parse(&text).map(|it| it.to_string()), Ok(text));
        }
    }
}

fn lines(samples: &[Value]) -> Vec<String> {
    let mut shape = Shape::default();
    for (number, sample) in (0..).zip(samples) {
        shape.join(&shape_of(sample, number, number));
    }
    shape.nodes().iter().map(|(path, node)| format!("{path} : {node}")).collect()
}

#[test]
fn always_needs_three_samples_from_two_inputs() {
    let sample = json!({"a": 1});
    assert_eq!(lines(&[sample.clone(), sample.clone()])[1], ".a : integer always?");
    assert_eq!(lines(&[sample.clone(), sample.clone(), sample])[1], ".a : integer always");
    let mut one_input = Shape::default();
    for sample in 0..9 {
        one_input.join(&shape_of(&json!({"a": 1}), 7, sample));
    }
    let node = &one_input.nodes()[&Path(vec![Step::Field("a".to_owned())])];
    assert_eq!(node.to_string(), "integer always?");
}

#[test]
fn what_samples_share_is_kept_and_nothing_else() {
    let samples = [
        json!({"at": "2026-11-16T09:30:00Z", "n": 1, "tags": [], "by": {"10.0.0.1": {"up": true}}}),
        json!({"at": "2026-11-17T09:30:00Z", "n": 1.5, "tags": ["a"], "by": {"example.org": {"up": null}}}),
        json!({"at": null, "n": 2, "tags": ["b"], "by": {}}),
    ];
    assert_eq!(
        lines(&samples),
        [
            ". : object",
            ".at : string|null always date-time",
            ".by : object always",
            ".by{} : object",
            ".by{}.up : boolean|null always?",
            ".n : number always",
            ".tags : array always",
            ".tags[] : string",
        ]
    );
}

#[test]
fn a_field_that_was_once_missed_stays_optional() {
    let (with, without) = (json!({"a": 1}), json!({}));
    let [one, other] =
        [[&with, &without, &with], [&without, &with, &with]].map(|it| lines(&it.map(Clone::clone)));
    assert_eq!(one[1], ".a : integer sometimes");
    assert_eq!(one, other);
}

#[test]
fn what_differs_between_equal_calls_is_volatile() {
    let (one, other) =
        (json!({"a": [{"t": 1, "b": 2}], "c": 3}), json!({"a": [{"t": 2, "b": 2}], "c": 3}));
    let mut paths = Volatile::new();
    differing(&one, &other, &mut paths);
    let mut shape = shape_of(&one, 0, 0);
    shape.mark_volatile(&paths);
    let marked: Vec<String> = shape
        .nodes()
        .iter()
        .filter(|(_, node)| node.is_volatile)
        .map(|(path, _)| path.to_string())
        .collect();
    assert_eq!(marked, [".a[].t"]);
}

#[test]
fn an_object_becomes_a_map_where_it_is_declared() {
    let mut shape = shape_of(&json!({"data": {"red": 1, "green": 2}}), 0, 0);
    shape.make_map(&[Step::Field("data".to_owned())]);
    assert!(shape.nodes().keys().any(|path| path.to_string() == ".data{}"));
}
