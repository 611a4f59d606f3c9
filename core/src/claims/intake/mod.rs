//! `POST /api/v1/claims` and `POST /api/v1/denials`: the decision on a send request (interface: rules 1 to 6).
//!
//! [`decide()`] looks at the stored claims and either answers or says what to write. After the write, [`settle()`] passes in
//! the stored state and calls it again, until there is nothing left to write. So an answer always shows what is stored:
//!
//! * **Two senders of one number.** Both want to create the claim; the store lets the first one. The second gets the
//!   first one's row and decides again, as for any resend.
//! * **An answer lost between commit and host.** The batch runs again and changes nothing. The claims have the ids that
//!   this request gave them, which show that it created them.
//! * **It ends.** Numbers are never freed, so a second round creates nothing; and a correction is read back in the
//!   batch that makes it. Creations, corrections and mismatches take at most two rounds of writing. A fill-in takes
//!   another round for each change of its claim in between, so hosts give up at some point.

mod answer;
mod changes;
mod counts;
mod decide;
mod fill;
mod mismatches;
mod recent_sends;
mod send;
mod settle;
mod snapshot;
mod stored;

pub use crate::claims::envelope::ITEMS_MAX;
pub use crate::request::body::NOT_JSON;
pub use answer::{ResultItem, SendResponse};
pub use changes::{Changes, Compared, Correction, Fill, NewClaim};
pub use counts::{Bound, Bounds, MismatchCounts, MismatchRow};
pub use decide::{Decision, MAX_DECISIONS, MAX_ROUNDS, decide};
pub use fill::{ClaimToOpen, OpenedClaim};
pub use mismatches::{STOPPED, Stopped, stopped_items, stopped_message};
pub use recent_sends::{Mark, RecentSends, marks};
pub use send::{BODY_MAX, BODY_TOO_LARGE, ValidSend, parse, parse_value};
pub use settle::{Admitted, Course, Written, at_once, settle};
pub use snapshot::{ClaimsMissingError, CommitResult, Snapshot};
pub use stored::StoredClaim;
