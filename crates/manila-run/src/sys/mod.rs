//! What is asked of the operating system beyond the standard library, and nothing else; a system that
//! is not Unix needs a module of its own here.

mod unix;

pub(crate) use unix::{
    Exited, Reaped, Target, enlarge, is_gone, read_some, reap, signal, start, unblock, wait_for,
};
