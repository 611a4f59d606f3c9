//! What a confirmed identity allows.

use super::identities::{has_identity, used};
use super::newcomer;
use super::refusal::SsoRefusal;
use super::shown::{AddressUse, DomainOwner, JoinedIdentity, ShownIdentity, StoredSso};
use super::spent::spend;
use super::waiting::WaitingIdentity;
use crate::accounts::new_session::SignInContext;
use crate::accounts::sign_in::{self, Passed};
use crate::auth::role::Role;
use crate::request::email::EmailAddress;

/// What a confirmed identity allows.
#[derive(Debug)]
pub(super) enum Decision {
    /// A sign-in: the identity is joined to an account, or its person is a new member.
    SignsIn {
        /// The steps.
        passed: Passed,
        /// True if it completes the sign-in: the provider's context stands for the second factor as well.
        is_complete: bool,
    },
    /// The identity waits to be joined by the person who is signed in to the account.
    Waits(WaitingIdentity),
}

/// Decides on an identity that a provider confirmed.
///
/// 1. An identity that is joined to an account signs in to it.
/// 2. A person whose address belongs to a verified domain of a practice that trusts the provider becomes a member, if no
///    account has the address, and if the provider speaks for the domain.
/// 3. Any other identity with a verified address waits. Equal addresses alone never join it.
pub(super) fn decide(
    shown: &ShownIdentity,
    stored: &StoredSso,
    setting: SignInContext<'_>,
) -> Result<Decision, SsoRefusal> {
    if let Some(joined) = &stored.joined {
        return signed_in(joined, shown, stored.owner.as_ref(), setting);
    }
    let owner = stored.owner.as_ref();
    let email = verified(shown, owner).ok_or(SsoRefusal::Address)?;
    let trusts = |owner: &&DomainOwner| {
        owner.active && owner.trusted.is_some() && shown.speaks_for(owner.practice_id, Some(owner))
    };
    match (owner.filter(trusts), stored.address) {
        (Some(_), Some(AddressUse::Removed)) => Err(SsoRefusal::Removed),
        (Some(owner), None) => {
            let joined = newcomer::join(shown, owner, email, setting);
            let (passed, is_complete) = joined.ok_or(SsoRefusal::Practice)?;
            Ok(Decision::SignsIn { passed, is_complete })
        }
        _ => Ok(Decision::Waits(WaitingIdentity {
            provider: shown.provider.clone(),
            saml: shown.saml,
            provider_name: shown.provider_name.clone(),
            issuer: shown.issuer.clone(),
            subject: shown.subject.clone(),
            email: email.as_str().into(),
        })),
    }
}

/// The address, if it is verified. The provider of a practice verifies the addresses in the practice's verified domains.
fn verified<'s>(shown: &'s ShownIdentity, owner: Option<&DomainOwner>) -> Option<&'s EmailAddress> {
    let is_verified = match shown.saml {
        None => shown.verified,
        Some(of) => owner.is_some_and(|owner| owner.practice_id == of.practice_id && owner.active),
    };
    shown.email.as_ref().filter(|_| is_verified)
}

/// The steps after an identity that is joined to an account.
fn signed_in(
    joined: &JoinedIdentity,
    shown: &ShownIdentity,
    owner: Option<&DomainOwner>,
    setting: SignInContext<'_>,
) -> Result<Decision, SsoRefusal> {
    let account = &joined.account;
    let practice = account.practice_id;
    let speaks = practice.is_some_and(|practice| shown.speaks_for(practice, owner));
    let trusted = joined.trusted.as_ref();
    let trusted = trusted.filter(|_| joined.active && speaks);
    if shown.saml.is_some_and(|of| account.practice_id != Some(of.practice_id)) {
        return Err(SsoRefusal::OtherPractice);
    }
    // Without trust, a provider only replaces the password of an account with a factor of its own. It must not be enough to
    // enroll one.
    if trusted.is_none() && (shown.saml.is_some() || !account.enrolled) {
        return Err(SsoRefusal::Practice);
    }
    // An admin can change what the practice trusts. So an owner always shows a factor of their own.
    let proves_second_factor =
        account.role != Role::Owner && trusted.is_some_and(|trusted| trusted.replaces_factor(&shown.contexts));
    let factor = shown.factor(trusted.map(|trusted| trusted.id), proves_second_factor);
    let mut passed = sign_in::passed(account, factor, setting);
    let mut change = spend(passed.change, &shown.spent, setting.ctx.now)
        .guard(has_identity(account.user_id, joined.id))
        .write(used(account.user_id, joined.id, setting.ctx.now));
    if let Some((trusted, practice)) = trusted.zip(account.practice_id) {
        change = change.guard(shown.trusted_at(practice, trusted).is_unchanged());
    }
    passed.change = change;
    Ok(Decision::SignsIn { passed, is_complete: factor.proves_second_factor })
}

#[cfg(test)]
mod tests;
