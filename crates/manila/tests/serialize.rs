//! The serialiser writes what `serde_json` writes, byte for byte, and refuses what that refuses.

#![allow(clippy::zero_sized_map_values, reason = "maps of any shape are serialised")]
#![allow(clippy::expect_used, reason = "a test may stop at the first surprise")]

use manila::json::Raw;
use proptest::prelude::*;
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

fn same<T: Serialize + ?Sized>(value: &T) -> Result<(), TestCaseError> {
    let ours = Raw::from_serialize(value).map(|raw| raw.as_str().to_owned());
    let theirs = serde_json::to_string(value);
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours, theirs),
        (Err(ours), Err(theirs)) => prop_assert_eq!(ours.to_string(), theirs.to_string()),
        (ours, theirs) => prop_assert!(false, "{ours:?}, {theirs:?}"),
    }
    Ok(())
}

#[derive(Clone, Debug, Serialize)]
struct Unit;

#[derive(Clone, Debug, Serialize)]
struct Wrapped(String);

#[derive(Clone, Debug, Serialize, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    First,
    #[serde(rename = "se\"cond")]
    Second,
}

#[derive(Clone, Debug, Serialize)]
enum Shape {
    Unit,
    New(Box<Tree>),
    Tuple(i8, char),
    Struct { left: Box<Tree>, right: Option<u16> },
}

#[derive(Clone, Debug, Serialize)]
enum Tree {
    Nothing(Unit),
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Large(i128, u128),
    Single(f32),
    Double(f64),
    Text(String),
    Wrapped(Wrapped),
    Bytes(Vec<u8>),
    List(Vec<Tree>),
    Texts(BTreeMap<String, Tree>),
    Numbers(BTreeMap<i32, Tree>),
    Chars(BTreeMap<char, bool>),
    Bools(BTreeMap<bool, ()>),
    Names(BTreeMap<Name, u8>),
    Options(BTreeMap<Option<u8>, u8>),
    Lists(BTreeMap<Vec<u8>, u8>),
    Shape(Shape),
    Raw(Box<RawValue>),
    Value(serde_json::Value),
    #[serde(untagged)]
    Plain(Option<String>),
}

fn leaf() -> impl Strategy<Value = Tree> {
    prop_oneof![
        Just(Tree::Nothing(Unit)),
        any::<bool>().prop_map(Tree::Bool),
        any::<i64>().prop_map(Tree::Signed),
        any::<u64>().prop_map(Tree::Unsigned),
        any::<(i128, u128)>().prop_map(|(one, other)| Tree::Large(one, other)),
        any::<i16>().prop_map(|number| Tree::Single(f32::from(number) / 8.0)),
        any::<i32>().prop_map(|number| Tree::Double(f64::from(number) / 8.0)),
        // Numbers near the places where the exponent begins.
        (-12..12_i32, 1..2_000_000_i32)
            .prop_map(|(tens, digits)| format!("{digits}e{tens}").parse().map(Tree::Double))
            .prop_map(|parsed| parsed.expect("a number")),
        (-12..12_i32, 1..2_000_i16)
            .prop_map(|(tens, digits)| format!("{digits}e{tens}").parse().map(Tree::Single))
            .prop_map(|parsed| parsed.expect("a number")),
        any::<String>().prop_map(Tree::Text),
        "[\\x00-\\x7f]{0,12}".prop_map(|text| Tree::Wrapped(Wrapped(text))),
        any::<Vec<u8>>().prop_map(Tree::Bytes),
        any::<BTreeMap<char, bool>>().prop_map(Tree::Chars),
        any::<BTreeMap<bool, ()>>().prop_map(Tree::Bools),
        any::<bool>().prop_map(|it| {
            Tree::Names([(if it { Name::First } else { Name::Second }, 1)].into())
        }),
        any::<BTreeMap<Option<u8>, u8>>().prop_map(Tree::Options),
        any::<BTreeMap<Vec<u8>, u8>>().prop_map(Tree::Lists),
        any::<(i8, char)>().prop_map(|(one, other)| Tree::Shape(Shape::Tuple(one, other))),
        Just(Tree::Shape(Shape::Unit)),
        any::<Option<String>>().prop_map(Tree::Plain),
        Just(Tree::Raw(RawValue::from_string("{ \"a\" : 1.00 }".to_owned()).expect("JSON"))),
        any::<i16>().prop_map(|number| Tree::Value(
            serde_json::json!({ "n": [f64::from(number) / 4.0, null] })
        )),
    ]
}

fn tree() -> impl Strategy<Value = Tree> {
    leaf().prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Tree::List),
            prop::collection::btree_map(any::<String>(), inner.clone(), 0..5).prop_map(Tree::Texts),
            prop::collection::btree_map(any::<i32>(), inner.clone(), 0..5).prop_map(Tree::Numbers),
            inner.clone().prop_map(|it| Tree::Shape(Shape::New(Box::new(it)))),
            (inner, any::<Option<u16>>()).prop_map(|(left, right)| {
                Tree::Shape(Shape::Struct { left: Box::new(left), right })
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_value_is_written_as_serde_json_writes_it(tree in tree()) {
        same(&tree)?;
    }

    #[test]
    fn every_float_is_as_short_and_the_same_number(large in any::<u64>(), small in any::<u32>()) {
        let (large, small) = (f64::from_bits(large), f32::from_bits(small));
        // Of two equally short spellings that are equally near, either will do.
        let spelled = |ours: Raw, theirs: String| (ours.as_str().to_owned(), theirs);
        let (ours, theirs) = spelled(
            Raw::from_serialize(&large).expect("serialises"),
            serde_json::to_string(&large).expect("serialises"),
        );
        prop_assert_eq!(ours.len(), theirs.len(), "{} {}", ours, theirs);
        prop_assert!(!large.is_finite() || ours.parse() == Ok(large), "{ours}");
        let (ours, theirs) = spelled(
            Raw::from_serialize(&small).expect("serialises"),
            serde_json::to_string(&small).expect("serialises"),
        );
        prop_assert_eq!(ours.len(), theirs.len(), "{} {}", ours, theirs);
        prop_assert!(!small.is_finite() || ours.parse() == Ok(small), "{ours}");
    }
}

#[test]
fn a_raw_value_is_itself_in_both() {
    let raw = Raw::parse("{ \"a\" : [1.00, 1.00] }").expect("JSON");
    assert_eq!(serde_json::to_string(&[&raw]).expect("serialises"), "[{ \"a\" : [1.00, 1.00] }]");
    assert_eq!(
        Raw::from_serialize(&[&raw]).expect("serialises").as_str(),
        "[{ \"a\" : [1.00, 1.00] }]"
    );
}

#[test]
fn keys_that_are_not_text_are_refused() {
    let finite = BTreeMap::from([(1_u8, 1)]);
    assert_eq!(Raw::from_serialize(&finite).expect("serialises").as_str(), "{\"1\":1}");
    let list = BTreeMap::from([(vec![1_u8], 1)]);
    let error = Raw::from_serialize(&list).expect_err("a list is no key");
    assert_eq!(error.to_string(), "key must be a string");
}
