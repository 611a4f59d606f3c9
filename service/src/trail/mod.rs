//! The chain of an audit trail: each row holds the digest of the row before it.
//!
//! ```text
//! digest = SHA-256(encoding of the row, which ends with the digest of the row before)
//! ```
//!
//! The digests depend only on the rows and their order. So any request can fill them in after its commit: two parallel
//! ones write the same. [`link`] fills them in, [`verify`] checks them. A writer of the database could build a whole
//! new chain, so the last row of a chain is stored with a MAC ([`ChainHead`]). Each row gets its own MAC when it is
//! written ([`TrailKeys::row_mac`]), which shows that the service wrote it.
//!
//! [`TrailRow::encode`] is the encoding, which `docs/TRAIL.md` describes for practices that check an export themselves.

mod chain;
mod key;
mod row;
mod whole;
mod whose;

pub use chain::{Broken, Checked, Linked, Why, finish, link, renew, verify};
pub use key::{Proof, TrailKeys};
pub use row::{ChainPlace, Content, GENESIS, TrailRow};
pub use whole::{PAGE_MAX, Whole, verify_whole};
pub use whose::{ChainHead, Trail};
