//! The claims that a practice sends: sends and status reads (`handlers`), and what the practice sees of them (`denials`).

pub(crate) mod denials;
pub(crate) mod handlers;
pub(crate) mod load;
mod settle;
