//! `/api/v1/settings/members`: the members of a practice and their roles.

mod invitation;
mod legacy;
mod member;

pub use invitation::{Invitation, Inviter, invite};
pub use legacy::Legacy;
pub use member::*;
