//! Calls in a simulated world: programs are scripts of answers, the clock is a number, and what each
//! run really did is known.

mod branch;
mod cache;
mod law;
mod mark;
mod page;
mod pitfall;
mod script;
mod world;
