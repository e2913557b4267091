//! Every example of the five seed documents opens to its golden normal form.

mod support;

use manila::{Options, open};
use std::path::Path;

#[test]
fn every_example_of_the_seeds_opens_to_its_golden_normal_form() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds");
    let runs = support::recorded_runs(&dir);
    assert_eq!(runs.len(), 39);
    for (name, transcript) in runs {
        let opened = open(&transcript, &Options::default());
        let opened = opened.unwrap_or_else(|error| panic!("{name}: {error}"));
        let golden = serde_json::to_string_pretty(&opened).unwrap() + "\n";
        showcase_test_support::assert_golden(&dir.join(name).join("opened.json"), &golden);
    }
}
