//! The claims that a practice sends: sends and status reads (`handlers`), and the practice's own view (`denials`).

pub(crate) mod denials;
pub(crate) mod handlers;
mod link;
mod load;
mod settle;
