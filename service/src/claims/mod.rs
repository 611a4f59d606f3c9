//! The claims that a practice sends: sends, status reads, and the practice's own view (`denials`).

pub(crate) mod denials;
mod link;
pub(crate) mod send;
pub(crate) mod status;
#[cfg(test)]
mod tests;
