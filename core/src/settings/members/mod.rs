//! `/api/v1/settings/members`: the members of a practice and their roles.

mod invitation;
mod keys_left;
mod member;

pub use invitation::{Invitation, Inviter, invite};
pub use keys_left::KeysLeft;
pub use member::*;
