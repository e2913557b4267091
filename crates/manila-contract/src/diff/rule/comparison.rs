//! The rules about the comparison itself: what it covers, and which version governs the change.

use super::{Family, Impact, Rule, rows};

rows! {
    Family::Comparison;
    COVERAGE_LOST = "coverage-lost", "coverage-gained", [Human, Human, Human], "A call that the old contract rests on was not made.", "Declare the call as `[[case]]` in manila.toml, or find out why it cannot be made.";
    COVERAGE_GAINED = "coverage-gained", "coverage-lost", [Compatible, Compatible, Compatible], "A call was made that the old contract does not know.", "Nothing to do.";
    EVIDENCE_THINNED = "evidence-thinned", "evidence-grown", [Compatible, Compatible, Compatible], "A promise rests on fewer samples than before.", "Declare more cases.";
    EVIDENCE_GROWN = "evidence-grown", "evidence-thinned", [Compatible, Compatible, Compatible], "A promise rests on more samples than before.", "Nothing to do.";
    BREAKING_WITHOUT_BUMP = "breaking-without-bump", "bump-without-breaking", [Breaking, Breaking, Human], "Something breaks, and the version that answers state is the same.", "Raise the version, or undo the change.";
    BUMP_WITHOUT_BREAKING = "bump-without-breaking", "breaking-without-bump", [Compatible, Compatible, Compatible], "The version that answers state is higher, and nothing breaks.", "Keep the version until something breaks.";
    RELEASE_TOO_SMALL = "release-too-small", "release-too-large", [Breaking, Breaking, Human], "Something breaks, and the program's version says that nothing does.", "Release a version that says so.";
    RELEASE_TOO_LARGE = "release-too-large", "release-too-small", [Compatible, Compatible, Compatible], "The program's version says that something breaks, and nothing does.", "Nothing to do.";
}
