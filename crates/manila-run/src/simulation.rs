//! Calls on a simulated runtime: programs are scripts of answers, the clock is a number, and what each
//! run really did is known.

mod branch;
mod cache;
mod law;
mod mark;
mod page;
mod pitfall;
mod runtime;
mod script;
