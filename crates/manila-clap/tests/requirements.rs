//! Owns: the requirements of `REQUIREMENTS.md` that no other test holds, and that the page has what its
//! sources say.
#![cfg(feature = "testing")]
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

#[path = "requirements/answers.rs"]
mod answers;
#[path = "requirements/page.rs"]
mod page;
#[cfg(unix)]
#[path = "requirements/process.rs"]
mod process;
#[path = "requirements/program.rs"]
mod program;
#[path = "requirements/surroundings.rs"]
mod surroundings;
