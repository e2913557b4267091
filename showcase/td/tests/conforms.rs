//! The program passes its own check, with nothing declared and nothing waived.

#[test]
fn every_promise_that_can_be_decided_is_kept() {
    manila_check::assert_conforms!(env!("CARGO_BIN_EXE_showcase-td"));
}
