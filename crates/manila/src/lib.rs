//! json
pub mod json;
