//! `/api/v1/settings/members`: who belongs to a practice, and as what.

mod invitation;
mod legacy;
mod member;

pub use invitation::{Invitation, Inviter, invite, parse};
pub use legacy::Legacy;
pub use member::*;
