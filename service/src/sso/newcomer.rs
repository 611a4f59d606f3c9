//! People who become members of a practice by signing in at a provider that it trusts.

use super::shown::{DomainOwner, ShownIdentity};
use super::spent::spend;
use super::waiting::{ProviderIdentity, is_free, joined};
use crate::accounts::account::{Account, NAME_MAX, NewUser, UserState};
use crate::accounts::new_session::SignInContext;
use crate::accounts::sign_in::{self, Passed};
use crate::auth::role::Role;
use crate::prelude::*;
use crate::request::email::EmailAddress;
use overturn_core::base::id::{IdentityId, UserId};
use overturn_core::base::text::is_printable;

/// The audit row of the new member. The sign-in has the first rows of the request.
const JOINED_ROW: usize = 2;

/// Makes an account with the role of member and no password, joins the identity to it, and signs in. `None` if the
/// practice does not trust the provider. True beside it if the provider's context stands for the second factor as well.
pub(super) fn join(
    shown: &ShownIdentity,
    owner: &DomainOwner,
    email: &EmailAddress,
    setting: SignInContext<'_>,
) -> Option<(Passed, bool)> {
    let trusted = owner.trusted.as_ref()?;
    let ctx = setting.ctx;
    let practice = owner.practice_id;
    // The session has the first id.
    let user_id = UserId(ctx.id(Purpose::Record, 1));
    let account = Account {
        user_id,
        practice_id: Some(practice),
        practice_name: Some(owner.practice_name.clone()),
        role: Role::Member,
        epoch: 1,
        name: name(shown, email),
        email: email.as_str().into(),
        password_hash: None,
        enrolled: false,
        // The answer is a page, which does not show it.
        practice: None,
    };
    let factor = shown.factor(Some(trusted.id), trusted.replaces_factor(&shown.contexts));
    let mut passed = sign_in::passed(&account, factor, setting);
    let entry = Entry::new(ctx, JOINED_ROW, Some(practice), Event::MemberJoined, user_id);
    let entry = entry.detail(json!({
        "by": "sso", "role": account.role, "provider": shown.provider, "ip": setting.place.ip,
    }));
    let user = NewUser {
        id: user_id,
        practice_id: Some(practice),
        role: account.role,
        state: UserState::Active,
        email: account.email.clone(),
        email_key: email.key(),
        name: account.name.clone(),
        password_hash: None,
        created_at: ctx.now,
    };
    let identity = ProviderIdentity { provider: &shown.provider, issuer: &shown.issuer, subject: &shown.subject };
    let mut change = passed.change;
    // The account does not exist before this batch, so it cannot be guarded. It comes before its session.
    change.guards.clear();
    let joins = joined(identity, IdentityId(ctx.id(Purpose::Record, 2)), (user_id, &account.email), ctx.now);
    change.writes.splice(0..0, [user.write()].into_iter().chain(joins));
    passed.change = spend(change, &shown.spent, ctx.now)
        .guard(shown.trusted_at(practice, trusted).is_unchanged())
        .guard(abort_if!(
            Record,
            "NOT EXISTS (SELECT 1 FROM practice_domains
               WHERE practice_id = {practice} AND domain = {domain} AND verified_at IS NOT NULL)";
            practice, domain = shown.domain()
        ))
        // No account of any practice is in use for the address, and none of this practice is invited.
        .guard(abort_if!(
            Record,
            "EXISTS (SELECT 1 FROM users
               WHERE email_key = {key} AND (state = 'active' OR state = 'invited' AND practice_id = {practice}))";
            practice, key = email.key()
        ))
        .guard(is_free(identity))
        .write(Write::Audit(entry));
    Some((passed, factor.proves_second_factor))
}

/// The person's name at the provider. An unusable one is replaced by the address.
fn name(shown: &ShownIdentity, email: &EmailAddress) -> String {
    let name = shown.name.as_deref().unwrap_or_default().trim();
    let fits = !name.is_empty() && name.chars().count() <= NAME_MAX && name.chars().all(is_printable);
    if fits { name } else { email.as_str() }.into()
}
