//! The claims that a practice sends: sends, status reads, and the practice's own view (`denials`).

pub(crate) mod denials;
mod link;
mod load;
pub(crate) mod send;
mod settle;
pub(crate) mod status;
#[cfg(test)]
mod tests;
