//! `/api/v1/staff/practices/{practice}/cases`: claims of one patient and payer that are appealed together, level by
//! level.

pub(super) mod case;
mod join;
mod open;
mod view;

pub use case::{ChangedCase, Elsewhere, StoredCase, UNKNOWN, seen};
pub use join::{CaseToJoin, fitting};
pub use open::{Candidate, CaseRequest, open, parse};
pub use view::{CaseClaim, CaseItem, CaseView, LevelView, list, show};
