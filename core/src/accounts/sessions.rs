//! `/api/v1/auth/sessions`: a person's sessions.

use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::SessionId;
use crate::base::instant::Instant;
use crate::base::time::Time;
use crate::plan::accounts::SessionsToEnd;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{After, Answer, Change};
use crate::plan::{AccountsWrite, Write};
use crate::request::error::RequestError;
use crate::request::page::{Listed, Page};
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// An active session, as its person sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SessionView {
    pub id: SessionId,
    /// When its person signed in.
    pub created_at: Time,
    /// When it was last used. The stored time may be up to a minute old.
    pub last_seen_at: Time,
    /// When it ends, regardless of use.
    pub ends_at: Time,
    /// The IP address that it began from.
    pub ip: String,
    /// The browser's user agent at that time.
    pub agent: String,
    /// True if it is the session of this request.
    pub current: bool,
}

/// A page of sessions, newest first.
#[must_use]
pub fn list(page: Page, sessions: Vec<SessionView>) -> Listed<SessionView> {
    page.list("sessions", sessions, |session| session.id.0)
}

/// The stored state of a session to revoke.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct SessionToRevoke {
    pub id: SessionId,
    /// When it was ended before.
    pub revoked_at: Option<Instant>,
}

/// Signs out: ends the session and clears the browser's cookies.
///
/// # Errors
///
/// [`RequestError::NotAuthorized`] for an API token.
pub fn sign_out(person: &Person, hash: &str, ctx: &Ctx) -> Result<Change, RequestError> {
    let session = person.session()?;
    let entry = Entry::new(ctx, 0, person.practice_id, Event::SignedOut, session);
    Ok(Change::new(entry, Answer::empty())
        .write(Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::One(person.user_id, session))))
        .after(After::ClearSession(hash.into())))
}

/// Ends one of the person's sessions at once. `stored` is the session if it belongs to the person, `hash` is the hash
/// of the request's own token. Ending it again changes nothing and is not an error. Ending the request's own session
/// signs out.
///
/// # Errors
///
/// [`RequestError::NotFound`] for a session of another person.
pub fn revoke(stored: Option<SessionToRevoke>, hash: &str, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let SessionToRevoke { id, revoked_at } = stored.ok_or(RequestError::NotFound("no such session"))?;
    if revoked_at.is_some() {
        return Ok(Change::nothing(Answer::empty()));
    }
    let audit = Entry::new(ctx, 0, person.practice_id, Event::SessionsRevoked, id);
    let ended = Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::One(person.user_id, id)));
    let change = Change::new(audit, Answer::empty()).write(ended);
    Ok(if id == person.session()? { change.after(After::ClearSession(hash.into())) } else { change })
}

/// Ends all of the person's sessions except the request's own.
///
/// # Errors
///
/// [`RequestError::NotAuthorized`] without a session.
pub fn revoke_others(person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let (user, kept) = (person.user_id, person.session()?);
    let audit = Entry::new(ctx, 0, person.practice_id, Event::SessionsRevoked, user);
    let audit = audit.detail(serde_json::json!({ "all_but": kept }));
    let ended = Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::Others(user, kept)));
    Ok(Change::new(audit, Answer::empty()).write(ended))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::person::Via;
    use crate::auth::rights::Action;
    use crate::auth::role::Role;
    use crate::base::id::UserId;
    use crate::testing::test;
    use uuid::Uuid;

    const THIS: SessionId = SessionId(Uuid::from_u128(7));
    const OTHER: SessionId = SessionId(Uuid::from_u128(8));

    fn person() -> Person {
        Person {
            user_id: UserId(Uuid::from_u128(1)),
            practice_id: None,
            role: Role::Staff,
            epoch: 1,
            via: Via::Session(THIS),
            action: Action::RevokeSessions,
            enrolled: true,
            touch: false,
            sso: false,
        }
    }

    fn stored(id: SessionId, revoked_at: Option<Instant>) -> Option<SessionToRevoke> {
        Some(SessionToRevoke { id, revoked_at })
    }

    fn ctx() -> Ctx {
        Ctx::new(Instant(1_800_000_000_000), [1; 32])
    }

    #[test]
    fn only_the_session_that_ends_itself_is_signed_out() {
        let signs_out = |id| {
            let change = revoke(stored(id, None), "hash", &person(), &ctx()).unwrap();
            matches!(&change.after[..], [After::ClearSession(hash)] if hash == "hash")
        };
        assert!(signs_out(THIS));
        assert!(!signs_out(OTHER));
    }

    #[test]
    fn ending_what_has_ended_changes_nothing() {
        let again = revoke(stored(OTHER, Some(ctx().now)), "hash", &person(), &ctx());
        assert!(again.unwrap().writes.is_empty());
    }

    #[test]
    fn another_persons_session_is_not_found() {
        let refused = revoke(None, "hash", &person(), &ctx());
        assert_eq!(refused.unwrap_err(), RequestError::NotFound("no such session"));
    }

    #[test]
    fn the_session_that_ends_the_others_stays() {
        let change = revoke_others(&person(), &ctx()).unwrap();
        let ended = change.writes.iter().find_map(|write| match write {
            Write::Accounts(AccountsWrite::SessionsEnded(which)) => Some(*which),
            _ => None,
        });
        assert_eq!(ended, Some(SessionsToEnd::Others(person().user_id, THIS)));
        assert!(change.after.is_empty());
    }
}
