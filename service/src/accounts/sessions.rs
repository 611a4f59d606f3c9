//! `/api/v1/auth/sessions`: a person's sessions. The new token of a session after a change of its account.

use crate::auth::session::{IDLE_MS, SessionKind};
use crate::prelude::*;
use crate::request::secret::SessionToken;
use overturn_core::base::id::{SessionId, UserId};

/// An active session, as its person sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SessionView {
    pub(super) id: SessionId,
    created_at: Time,
    /// May be up to one minute old.
    last_seen_at: Time,
    /// When it ends, even if it is in use.
    ends_at: Time,
    /// The IP address that it began from.
    ip: String,
    /// The browser's user agent at that time.
    #[cfg_attr(feature = "schema", schemars(length(max = crate::call::ClientOrigin::AGENT_MAX)))]
    agent: String,
    /// Whether it is the session that makes the call.
    current: bool,
}

impl Item for SessionView {
    const LIST: &'static str = "sessions";
}

/// A session `s` that was not ended and not left idle.
pub(crate) const LASTS: &str = "s.revoked_at IS NULL AND s.ends_at > {now} AND s.seen_at > {idle}";

/// A page of the caller's active sessions. The calling session counts as active, whatever its row says.
pub(super) fn page(caller: &str, of: Page, now: Instant) -> Query<Option<Vec<SessionView>>> {
    select!(
        "accounts.sessions",
        "SELECT json_group_array(json_object('id', s.id, 'created_at', s.created_at, 'last_seen_at', s.seen_at,
           'ends_at', s.ends_at, 'ip', s.ip, 'agent', s.agent,
           'current', json(iif(s.hash = {caller}, 'true', 'false')))) AS json
         FROM (SELECT s.* FROM sessions s JOIN users u ON u.id = s.user_id
               WHERE s.user_id = {ACCOUNT_OF_CALLER} AND s.id < {after}
                 AND (s.hash = {caller} OR {LASTS} AND s.epoch = u.epoch)
               ORDER BY s.id DESC LIMIT CAST({most} AS INTEGER)) s" [LASTS];
        caller, after = after(of), most = of.reads(), now, idle = now.plus(-IDLE_MS)
    )
    .optional()
}

/// The stored state of a session to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct SessionToRevoke {
    id: SessionId,
    /// When it was ended before.
    revoked_at: Option<Instant>,
}

/// One of the caller's own sessions.
pub(super) fn own(caller: &str, id: SessionId) -> Query<Option<SessionToRevoke>> {
    select!(
        "accounts.own_session",
        "SELECT json_object('id', id, 'revoked_at', revoked_at) AS json FROM sessions
         WHERE user_id = {ACCOUNT_OF_CALLER} AND id = {id}";
        caller, id
    )
    .optional()
}

/// `listSessions`: List your sessions.
///
/// A page of the person's active sessions.
pub(crate) async fn list(request: ReadRequest<Page>) -> Result<Gives<Listed<SessionView>>, AppError> {
    let load = |of| page(request.credential(), of, request.ctx().now);
    let view = |of: Page, sessions| -> Listed<SessionView> { of.list(sessions, |session| session.id.0) };
    request.list(load, view).await
}

/// `revokeSession`: End one session.
///
/// The session ends at once. If you end the session that makes the call, you are signed out. It is not an error to
/// end a session again.
pub(crate) async fn revoke(PathId(id): PathId<SessionId>, request: WriteRequest) -> Result<Gives<(), 204>, AppError> {
    let load = own(request.credential(), id);
    let decide = request.change(load, |person, stored, _| revoked(stored, request.credential(), person, request.ctx()));
    decide.await
}

/// `revokeOtherSessions`: End all sessions except this one.
///
/// The sessions end at once.
pub(crate) async fn revoke_others(request: WriteRequest) -> Result<Gives<(), 204>, AppError> {
    let decide = request.change((), |person, (), _| others_revoked(person, request.ctx()));
    decide.await
}

/// `hash` is the hash of the request's own token. Ending a session again changes nothing and is not an error. Ending the
/// request's own session signs out.
fn revoked(stored: Option<SessionToRevoke>, hash: &str, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let SessionToRevoke { id, revoked_at } = stored.ok_or(RequestError::NotFound("no such session"))?;
    if revoked_at.is_some() {
        return Ok(Change::nothing(Answer::empty()));
    }
    let audit = Entry::new(ctx, 0, person.practice_id, Event::SessionsRevoked, id);
    // Of several parallel revocations, one is in the trail.
    let once = abort_if!(
        Secret,
        "EXISTS (SELECT 1 FROM sessions WHERE user_id = {user} AND id = {id} AND revoked_at IS NOT NULL)";
        user = person.user_id, id
    );
    let change = Change::new(audit, Answer::empty()).guard(once).write(end(person.user_id, id, ctx.now));
    Ok(if id == person.session()? { change.after(After::ClearSession(hash.into())) } else { change })
}

fn others_revoked(person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let (user, kept) = (person.user_id, person.session()?);
    let audit = Entry::new(ctx, 0, person.practice_id, Event::SessionsRevoked, user);
    let audit = audit.detail(json!({ "all_but": kept }));
    Ok(Change::new(audit, Answer::empty()).write(end_others(user, kept, ctx.now)))
}

/// Ends a session of an account.
pub(super) fn end(user: UserId, id: SessionId, now: Instant) -> Write {
    sql!(
        "UPDATE sessions SET revoked_at = {now} WHERE user_id = {user} AND id = {id} AND revoked_at IS NULL";
        user, id, now
    )
}

/// Ends all sessions of an account except one.
pub(crate) fn end_others(user: UserId, stays: SessionId, now: Instant) -> Write {
    end_all_but(user, Some(stays), now)
}

/// Ends all sessions of an account.
pub(crate) fn end_all(user: UserId, now: Instant) -> Write {
    end_all_but(user, None, now)
}

fn end_all_but(user: UserId, stays: Option<SessionId>, now: Instant) -> Write {
    // No session has the empty id.
    let stays = stays.map(|id| id.to_string()).unwrap_or_default();
    sql!(
        "UPDATE sessions SET revoked_at = {now} WHERE user_id = {user} AND id <> {stays} AND revoked_at IS NULL";
        user, stays, now
    )
}

/// What stays of a session that gets a new token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct SessionState {
    /// `full`, or `enrolment` for an account that may only enroll a second factor.
    pub(super) kind: SessionKind,
    /// When its second factor was last confirmed.
    pub(super) verified_at: Option<Instant>,
}

impl SessionState {
    /// The second factor is confirmed now.
    pub(crate) const fn verified(now: Instant) -> Self {
        Self { kind: SessionKind::Full, verified_at: Some(now) }
    }
}

/// The state of the calling session.
pub(crate) fn state(caller: &str) -> Query<Option<SessionState>> {
    select!(
        "accounts.session_state",
        "SELECT json_object('kind', kind, 'verified_at', verified_at) AS json FROM sessions WHERE hash = {caller}";
        caller
    )
    .optional()
}

/// Gives a session a new token under the account's epoch. Its earlier token ends.
pub(crate) fn renew_token(
    change: Change,
    (user, id, epoch): (UserId, SessionId, i64),
    SessionState { kind, verified_at }: SessionState,
    random: [u8; 32],
) -> Change {
    let token = SessionToken::mint(random);
    let write = sql!(
        "UPDATE sessions SET hash = {hash}, kind = {kind}, epoch = {epoch}, verified_at = {verified_at}
         WHERE user_id = {user} AND id = {id} AND revoked_at IS NULL";
        user, id, hash = token.hash(), kind, epoch, verified_at
    );
    change.write(write).after(After::SetSession(id, token))
}

#[cfg(test)]
mod tests;
