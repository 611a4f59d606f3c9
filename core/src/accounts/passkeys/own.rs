//! Renaming and removing one's own passkeys.

use super::StoredPasskey;
use crate::accounts::account::{Account, SessionFacts};
use crate::accounts::new_session::{SignInContext, tell};
use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::secret::SessionToken;
use crate::plan::accounts::{SessionTurn, SessionsToEnd};
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{After, Answer, Change, LetterKind};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::Printable;
use crate::request::error::RequestError;
use crate::request::reason::Reason;
use serde::Deserialize;

const NO_PASSKEY: RequestError = RequestError::NotFound("no such passkey");
const LAST: RequestError = RequestError::Conflict(
    Reason::LastFactor,
    "this is your last second factor: enroll another one first, then remove it",
);

body! {
    NewName { name: Printable<100> }
}

/// A passkey of the person.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct OwnPasskey {
    pub passkey: StoredPasskey,
    /// True if the account has no other second factor.
    pub is_last: bool,
}

/// Renames a passkey. `stored` is the passkey if it belongs to the person.
///
/// # Errors
///
/// [`RequestError::NotFound`] for a passkey of another person.
pub fn rename(
    NewName { name }: NewName,
    stored: Option<OwnPasskey>,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let mut passkey = stored.ok_or(NO_PASSKEY)?.passkey;
    if passkey.name == name {
        return Ok(Change::nothing(Answer::new(200, &passkey.view())));
    }
    passkey.name = name;
    let entry = Entry::new(ctx, 0, person.practice_id, Event::PasskeyRenamed, passkey.id);
    let answer = Answer::new(200, &passkey.view());
    Ok(Change::new(entry, answer).write(Write::Accounts(AccountsWrite::PasskeyNamed {
        user: person.user_id,
        passkey: passkey.id,
        name: passkey.name,
    })))
}

/// Removes a passkey. All other sessions end, because one of them may have begun with it, and this one gets a new token.
///
/// # Errors
///
/// [`RequestError::NotFound`] for a passkey of another person, [`RequestError::Conflict`] for the last second factor.
pub fn remove(
    stored: Option<OwnPasskey>,
    (account, session): (&Account, &SessionFacts),
    person: &Person,
    setting: SignInContext<'_>,
) -> Result<Change, RequestError> {
    let OwnPasskey { passkey, is_last } = stored.ok_or(NO_PASSKEY)?;
    if is_last {
        return Err(LAST);
    }
    let says = LetterKind::PasskeyChanged { name: passkey.name, added: false };
    let (user, id, passkey) = (person.user_id, person.session()?, passkey.id);
    let epoch = person.epoch.saturating_add(1);
    let token = SessionToken::mint(setting.random);
    let turned = SessionTurn {
        user_id: user,
        id,
        hash: token.hash(),
        kind: session.kind,
        epoch,
        verified_at: session.verified_at.map(|at| at.0),
    };
    let event = Event::PasskeyRemoved;
    let entry = Entry::new(setting.ctx, 0, person.practice_id, event, passkey);
    let change = Change::new(entry, Answer::empty())
        .guard(Guard::Accounts(AccountsGuard::AnotherFactor { user, passkey }))
        .write(Write::Accounts(AccountsWrite::PasskeyRemoved { user, passkey }))
        .write(Write::Accounts(AccountsWrite::Epoch { user, epoch }))
        .write(Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::Others(user, id))))
        .write(Write::Accounts(AccountsWrite::SessionTurned(turned)))
        .after(After::SetSession(id, token));
    Ok(tell(change, account, says))
}
