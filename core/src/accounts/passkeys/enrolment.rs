//! Enrolling a passkey.

use super::{Credential, PASSKEYS_MAX, StoredPasskey, known};
use crate::accounts::account::Account;
use crate::accounts::ceremony::OpenedCeremony;
use crate::accounts::enrolment::recovery_codes;
use crate::accounts::new_session::{SignInContext, tell};
use crate::accounts::recovery::RecoveryCode;
use crate::accounts::second_factor::turn;
use crate::auth::person::Person;
use crate::base::ctx::Purpose;
use crate::base::id::{PasskeyId, UserId};
use crate::base::time::Time;
use crate::identity::passkeys::{BeginRegistration, CheckRegistration, NewCredential, RelyingParty};
use crate::plan::accounts::{NewPasskey, SessionsToEnd, SpentProof};
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change, LetterKind};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::Printable;
use crate::request::error::RequestError;
use crate::request::problem::Rule;
use crate::request::reason::Reason;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

const TOO_MANY: RequestError =
    RequestError::Conflict(Reason::LimitReached, "the account has 20 passkeys: remove one first");
const BEGIN_AGAIN: RequestError = RequestError::Conflict(
    Reason::RegistrationEnded,
    "the registration has ended, was used, or began in another browser: begin again",
);

body! {
    #[derive(Clone)]
    RequestedPasskey { name: Printable<100>, credential: Credential }
}

/// A ceremony that the browser's cookie holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Registration {
    /// The account that the passkey is for.
    pub user_id: UserId,
    /// The identity Worker's state: the challenge and its end.
    pub state: String,
}

/// Begins the enrollment of a passkey. Authenticators that have one of the account's passkeys are excluded.
///
/// # Errors
///
/// [`RequestError::Conflict`] if the account has [`PASSKEYS_MAX`] passkeys.
pub fn begin(
    account: &Account,
    passkeys: &[StoredPasskey],
    rp: RelyingParty,
) -> Result<BeginRegistration, RequestError> {
    room(passkeys)?;
    Ok(BeginRegistration {
        rp,
        user_id: account.user_id,
        name: account.email.clone(),
        display_name: account.name.clone(),
        exclude: known(passkeys),
    })
}

fn room(passkeys: &[StoredPasskey]) -> Result<(), RequestError> {
    let below = passkeys.len() < PASSKEYS_MAX as usize;
    below.then_some(()).ok_or(TOO_MANY)
}

/// The question whether the browser's response answers the registration that the person began, and the mark of the registration.
///
/// # Errors
///
/// [`RequestError::Conflict`] without a registration of this account.
pub fn question(
    ceremony: Option<&OpenedCeremony<Registration>>,
    asked: &RequestedPasskey,
    person: &Person,
    rp: RelyingParty,
) -> Result<(CheckRegistration, SpentProof), RequestError> {
    let OpenedCeremony { content, spent } =
        ceremony.filter(|ceremony| ceremony.content.user_id == person.user_id).ok_or(BEGIN_AGAIN)?;
    let question = CheckRegistration {
        rp,
        user_id: person.user_id,
        state: content.state.clone(),
        credential: asked.credential.expose(),
    };
    Ok((question, spent.clone()))
}

/// A response that the identity Worker has answered for.
#[derive(Clone, Debug)]
pub struct CheckedRegistration {
    /// What it says of the passkey; `None` if it refused the response.
    pub credential: Option<NewCredential>,
    /// The mark of the registration.
    pub spent: SpentProof,
}

/// The stored facts about the account of a new passkey.
#[derive(Clone, Copy, Debug)]
pub struct Enrolling<'e> {
    pub account: &'e Account,
    pub passkeys: &'e [StoredPasskey],
    /// True if the registration was used.
    pub is_spent: bool,
    /// Ten fresh recovery codes.
    pub codes: &'e [RecoveryCode],
}

/// Enrolls a passkey. If it is the first second factor of the account, this shows recovery codes, ends all other sessions, and
/// turns this one into a full session.
///
/// # Errors
///
/// [`RequestError::Conflict`] for a registration that was used, or if the account has too many passkeys;
/// [`RequestError::Invalid`] for a refused response.
pub fn enrol(
    asked: RequestedPasskey,
    checked: CheckedRegistration,
    of: Enrolling<'_>,
    person: &Person,
    setting: SignInContext<'_>,
) -> Result<Change, RequestError> {
    if of.is_spent {
        return Err(BEGIN_AGAIN);
    }
    room(of.passkeys)?;
    let refused = || RequestError::invalid("credential", Rule::NotRight);
    let credential = checked.credential.ok_or_else(refused)?;
    let (user, ctx) = (person.user_id, setting.ctx);
    let stored = StoredPasskey {
        id: PasskeyId(ctx.id(Purpose::Record, 0)),
        user_id: user,
        name: asked.name,
        created_at: Time(ctx.now),
        last_used_at: None,
        credential,
    };
    let entry = Entry::new(ctx, 0, person.practice_id, Event::PasskeyEnrolled, stored.id);
    let mut answer = Answer::new(201, &stored.view());
    if !person.enrolled {
        let codes: Vec<&str> = of.codes.iter().map(RecoveryCode::expose).collect();
        answer = answer.once("recovery_codes", codes);
    }
    let says = LetterKind::PasskeyChanged { name: stored.name.clone(), added: true };
    let change = Change::new(entry, answer)
        .guard(Guard::Accounts(AccountsGuard::ProofUnspent(checked.spent.hash.clone())))
        .guard(Guard::Accounts(AccountsGuard::CredentialFree(stored.credential.id.clone())))
        .guard(Guard::Accounts(AccountsGuard::PasskeysBelow { user, bound: PASSKEYS_MAX }))
        .write(Write::Accounts(AccountsWrite::ProofSpent(checked.spent)))
        .write(Write::Accounts(AccountsWrite::NewPasskey(NewPasskey {
            id: stored.id,
            user_id: user,
            name: stored.name,
            credential: stored.credential,
        })));
    let change = if person.enrolled { change } else { first_factor(change, of.codes, person, setting)? };
    Ok(tell(change, of.account, says))
}

/// What the first second factor of an account changes besides.
fn first_factor(
    change: Change,
    codes: &[RecoveryCode],
    person: &Person,
    setting: SignInContext<'_>,
) -> Result<Change, RequestError> {
    let (user, session) = (person.user_id, person.session()?);
    let epoch = person.epoch.saturating_add(1);
    let change = change
        .write(recovery_codes(user, codes))
        .write(Write::Accounts(AccountsWrite::Epoch { user, epoch }))
        .write(Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::Others(user, session))));
    Ok(turn(change, user, session, epoch, setting))
}
