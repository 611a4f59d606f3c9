//! `/api/v1/settings/members`: the members of a practice.

mod invitation;
mod member;

pub use invitation::Invitation;
pub(crate) use invitation::invite;
pub use member::{MemberAction, RoleChange};
pub(crate) use member::{edit, list, remove, revoke_sessions};
