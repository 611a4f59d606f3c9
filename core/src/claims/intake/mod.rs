//! `POST /api/v1/claims`: what a send request means (interface: rules 1 to 6).
//!
//! [`decide()`] looks at what the store holds and either answers or says what to write. After a write the host hands
//! back what the store holds now and asks again, until there is nothing left to write. An answer is therefore always
//! made of what is in the store, never of what was hoped for:
//!
//! * **Two senders of one number.** Both plan to create it; the store lets the first. The second is handed the first
//!   one's row, and decides again as for any resend.
//! * **An answer lost between commit and host.** The plan is carried out again, changes nothing, and the claims carry
//!   the ids this request gave them: they are recognised as created by it.
//! * **It ends.** Numbers are never freed, so a second round creates nothing; and a correction is read back in the batch
//!   that makes it. Two rounds of writing are the most that creations, corrections and mismatches can take. A part that is
//!   filled in takes another round for each change of its claim that came between, so hosts give up at some point.

mod answer;
mod counts;
mod decide;
mod fill;
mod mismatches;
mod send;
mod snapshot;
mod stored;
mod volley;

pub use crate::claims::envelope::ITEMS_MAX;
pub use crate::request::body::NOT_JSON;
pub use answer::{ResultItem, SendResponse};
pub use counts::{Counts, Row as MismatchRow};
pub use decide::{Decision, MAX_DECISIONS, MAX_ROUNDS, admit, decide};
pub use fill::{ClaimToOpen, OpenedClaim};
pub use mismatches::{STOPPED, Stopped, stopped_items, stopped_message};
pub use send::{BODY_MAX, BODY_TOO_LARGE, Send, parse, parse_value};
pub use snapshot::{ClaimsMissing, CommitResult, Snapshot};
pub use stored::StoredClaim;
pub use volley::{Mark, Volleys, marks};
