//! `/api/v1/staff/practices/{practice}/cases`: claims of one patient and payer that are appealed together, level by
//! level.

mod all;
pub(super) mod case;
mod join;
mod list;
mod open;
mod standing;
mod view;

pub use all::{CaseOfAll, CasesQuery, ListedOfAll, list_all};
pub use case::{ChangedCase, Elsewhere, StoredCase, UNKNOWN, seen};
pub use join::{CaseToJoin, fitting};
pub use list::CasesOfPractice;
pub use open::{Candidate, CaseRequest, open};
pub use standing::CaseStanding;
pub use view::{Appealed, CaseClaim, CaseItem, CaseView, LevelView, ListedCase, ShownCase, StoredCaseView, list, show};
