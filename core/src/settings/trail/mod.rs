//! The chain of an audit trail: each row holds the digest of the row before it.
//!
//! ```text
//! digest = SHA-256(encoding of the row, which ends with the digest of the row before)
//! ```
//!
//! The digests are a function of the rows in their order and of nothing else. So they are filled in behind the commits, by whoever
//! comes first: two who do it at once write the same. [`link`] fills them in, [`verify`] checks them. The last row of a chain is
//! written down with a MAC ([`Head`]), because somebody who can write to the database could make a whole chain anew. Each row has a
//! MAC of its own from the moment it is written ([`TrailKeys::row_mac`]), which says that the service wrote it.
//!
//! [`Row::encode`] is the encoding, which `docs/TRAIL.md` describes for practices that check an export themselves.

mod chain;
pub mod events;
mod export;
mod key;
mod row;
mod view;

pub use crate::plan::settings::trail::{Head, Trail};
pub use chain::{Broken, Checked, Linked, Why, finish, link, renew, verify};
pub use export::{Export, LIMIT_MAX as EXPORT_MAX, line};
pub use key::{Proof, TrailKeys};
pub use row::{ChainPlace, Content, GENESIS, Row};
pub use view::{Start, VerifyView, view};
