//! The program passes its own check, with nothing waived but what its document asks for.

use manila_check::Declaration;

#[test]
fn every_promise_that_can_be_decided_is_kept() {
    let declared = Declaration::parse(include_str!("../manila.toml")).unwrap();
    manila_check::assert_conforms!(env!("CARGO_BIN_EXE_showcase-i18nprune"), declared);
}
