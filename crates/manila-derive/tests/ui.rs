//! What the compiler says when an author forgets a derive. `TRYBUILD=overwrite` rewrites the files.

#[test]
fn the_compiler_names_the_derive_that_is_missing() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
