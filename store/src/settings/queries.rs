//! The queries of a practice's settings. `caller` is the hash of the credential, and every query finds the practice by
//! it.

use super::sql;
use crate::query::Query;
use crate::statement::{Param, page, text};
use overturn_core::base::email::EmailAddress;
use overturn_core::base::id::UserId;
use overturn_core::base::instant::Instant;
use overturn_core::request::page::Page;
use overturn_core::settings::members::{self, Inviter, KeysLeft, MemberView};

/// A page of the practice's members.
#[must_use]
pub fn members(caller: &str, of: Page) -> Query<Option<Vec<MemberView>>> {
    Query::optional("settings.members", sql::MEMBERS, page(caller, of))
}

/// One member of the practice.
#[must_use]
pub fn member(caller: &str, id: UserId) -> Query<Option<members::StoredMember>> {
    Query::optional("settings.member", sql::MEMBER, [text(caller), text(id)])
}

/// The keys of a member that would keep working after a removal, and the owners to notify.
#[must_use]
pub fn keys_left(caller: &str, id: UserId, now: Instant) -> Query<Option<KeysLeft>> {
    let params = [text(caller), text(id), Param::Int(now.0)];
    Query::optional("settings.keys_left", sql::KEYS_LEFT, params)
}

/// The practice's member with this address, and the texts for the invitation email.
#[must_use]
pub fn invitation(caller: &str, to: &EmailAddress) -> (Query<Option<members::StoredMember>>, Query<Option<Inviter>>) {
    let address = [text(caller), text(to.key())];
    (
        Query::optional("settings.member_of_address", sql::MEMBER_OF_ADDRESS, address),
        Query::optional("settings.inviter", sql::INVITER, [text(caller)]),
    )
}
