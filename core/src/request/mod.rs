//! Parsing a request: the JSON of its body, the rules of its fields, and their problems.

pub mod body;
pub mod field;
pub mod problem;
