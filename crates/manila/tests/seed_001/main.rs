//! Seed 001 (the response envelope), sentence by sentence, and the decision table row by row.
//!
//! Every test goes through the public interface with documents as bytes. The comment above a test
//! quotes the sentence it holds the crate to.

#[cfg(test)]
mod agent;
#[cfg(test)]
mod producer;
#[cfg(test)]
mod rows;
#[cfg(test)]
mod safety;
#[cfg(test)]
mod support;
