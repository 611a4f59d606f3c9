//! `/api/v1/staff/practices/{practice}/cases`: claims of one patient and payer that are appealed together, level by
//! level.

pub(crate) mod all;
pub(super) mod case;
mod join;
pub(crate) mod list;
pub(crate) mod open;
mod standing;
pub(crate) mod view;

pub use case::stored_case;
pub(super) use case::{LAST_LEVEL, StoredCase, joins, raised, seen, unchanged};
pub(super) use join::{CaseToJoin, fitting, joining};
pub use open::{CaseRequest, candidates, opened};
pub use standing::CaseStanding;
pub(super) use view::{CASE_CLAIMS, CaseClaim, IN_APPEAL};
