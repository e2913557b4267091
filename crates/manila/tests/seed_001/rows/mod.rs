//! The 25 rows of the decision table, each for what its column "Ours" says.

mod answers;
mod calls_again;

use manila::ROWS;

#[test]
fn the_ids_in_the_names_of_these_tests_are_the_rows_own() {
    let mut ids: Vec<_> = ROWS.iter().map(|row| (row.number, row.id)).collect();
    ids.sort_unstable();
    #[rustfmt::skip]
    let expected = [
        (0, "success"), (1, "no-envelope"), (2, "ok-false-exit-zero"), (3, "ok-true-exit-nonzero"),
        (4, "error-key-absent"), (5, "data-and-error-null"), (6, "warnings-absent"),
        (7, "not-modified"), (8, "truncated"), (9, "redirected"), (10, "fix-command"),
        (11, "fix-required"), (12, "not-retryable"), (13, "token-expired"),
        (14, "credentials-needed"), (15, "wait-stated"), (16, "rate-limited"), (17, "unavailable"),
        (18, "retryable"), (19, "retryable-absent"), (20, "error-says-no"), (21, "error-says-yes"),
        (22, "timeout"), (23, "nothing-else"), (24, "outside-the-table"), (25, "budget"),
    ];
    assert_eq!(ids, expected);
}
