//! The changes of a decision, ready for one atomic batch.
//!
//! A plan may run twice. Every write states the final values, not differences. So a host that does not know whether a
//! batch was committed runs it again.
//!
//! Contexts meet here: each has one module with the records that other contexts read.

mod actor;
pub mod audit;
mod batch;
pub mod change;
pub mod documents;
mod guard;
pub mod message;
pub mod notice;
pub mod practice;
pub mod sandbox;
pub mod signing;
pub mod statement;
pub mod us_zone;
pub mod version;
pub mod words;
pub mod work;
mod write;

pub use actor::Actor;
pub use batch::Plan;
pub use guard::Guard;
pub use write::Write;
