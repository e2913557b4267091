//! One call of a program and what it leaves behind: the probe, the lab that runs it, the run, and the
//! reading of its bytes. Nothing here knows about commands or rules.

pub(crate) mod defect;
pub(crate) mod fold;
pub(crate) mod lab;
pub(crate) mod placeholder;
pub(crate) mod probe;
pub(crate) mod reading;
pub(crate) mod reproduce;
pub(crate) mod run;
pub(crate) mod sample_input;
mod sample_repository;
pub(crate) mod text_kind;
pub(crate) mod volatile;
