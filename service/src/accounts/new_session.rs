//! Beginning a session, and what is known about the browser that it is for.

use crate::accounts::account::Account;
use crate::accounts::sessions;
use crate::accounts::signed_in::view;
use crate::auth::person::StoredPerson;
use crate::auth::session::{LONGEST_MS, SessionKind, StoredSession};
use crate::call::{Call, ClientOrigin};
use crate::extract::Presented;
use crate::pipeline;
use crate::plan::change::{LetterKind, PlannedLetter};
use crate::prelude::*;
use crate::request::email::EmailAddress;
use crate::request::secret::SessionToken;
use overturn_core::base::cell::Cell;
use overturn_core::base::id::{SessionId, SsoProviderId};
use std::rc::Rc;

/// How long ended sessions are kept for display.
const ENDED_KEPT_MS: i64 = 30 * LONGEST_MS;

/// What the service knows about the browser that signs in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Browser {
    /// True if it has completed a sign-in to this account before.
    pub(crate) is_known: bool,
    /// Its current session, of this account or another one.
    pub(crate) session: Option<EarlierSession>,
}

/// A session that a new one replaces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EarlierSession {
    pub(crate) user_id: UserId,
    /// The practice whose trail it belongs to; `None` for staff.
    pub(crate) practice_id: Option<PracticeId>,
    pub(crate) id: SessionId,
    /// Where it is stored.
    pub(crate) cell: Cell,
}

/// The circumstances of a sign-in, and the source of its secrets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SignInContext<'s> {
    pub(crate) browser: Browser,
    /// The client's origin.
    pub(crate) place: &'s ClientOrigin,
    /// 32 bytes of a cryptographic source.
    pub(crate) random: [u8; 32],
    /// The request.
    pub(crate) ctx: &'s Ctx,
}

/// A session that begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SessionToBegin {
    pub(crate) kind: SessionKind,
    /// The provider that it begins by, if the practice trusts it.
    pub(crate) sso: Option<SsoProviderId>,
    /// When its second factor was confirmed; `None` for one that has none or that a provider confirmed at an unknown time.
    pub(crate) verified_at: Option<Instant>,
}

/// Begins a session. It ends the browser's earlier session, and sends an email about an unknown device.
pub(crate) fn begin(
    account: &Account,
    SessionToBegin { kind, sso, verified_at }: SessionToBegin,
    entry: Entry,
    setting: SignInContext<'_>,
) -> Change {
    let SignInContext { browser, place, random, ctx } = setting;
    let token = SessionToken::mint(random);
    // The clock of a provider may be ahead.
    let verified_at = verified_at.map(|at| at.min(ctx.now));
    let id = SessionId(ctx.id(Purpose::Record, 0));
    let session = NewSession {
        id,
        user_id: account.user_id,
        hash: token.hash(),
        kind,
        sso,
        epoch: account.epoch,
        created_at: ctx.now,
        verified_at,
        place: place.clone(),
    };
    let standing = account.standing(StoredSession {
        id,
        kind,
        epoch: account.epoch,
        ends_at: session.ends_at(),
        seen_at: ctx.now,
        verified_at,
        revoked: false,
        sso: sso.is_some(),
    });
    let signed_in = view(account, &standing, ctx.now);
    let mut change = Change::new(entry.session(Some(id)), Answer::new(200, &signed_in))
        .write_all(session.writes())
        .after(After::SetSession(id, token));
    if let Some(earlier) = browser.session {
        change = replaced(change, earlier, account, ctx);
    }
    if !browser.is_known {
        let (ip, agent) = (place.ip.clone(), place.agent.clone());
        let at = Time(ctx.now);
        change = tell(change, account, LetterKind::NewDevice { at, ip, agent });
    }
    change
}

/// Ends the browser's earlier session, with an audit row in the trail of that session's practice. Another practice does
/// not learn who signs in.
fn replaced(change: Change, earlier: EarlierSession, account: &Account, ctx: &Ctx) -> Change {
    let entry = Entry::new(&ctx.in_cell(earlier.cell), 1, earlier.practice_id, Event::SignedOut, earlier.id);
    let entry = if earlier.practice_id == account.practice_id { entry } else { entry.by_service() };
    let ends = sessions::end(earlier.user_id, earlier.id, ctx.now);
    let writes = [ends, Write::Audit(entry.detail(json!({ "by": "sign_in" })))];
    if earlier.cell == ctx.cell {
        return change.write_all(writes);
    }
    Change { elsewhere: Some((earlier.cell, writes.into())), ..change }
}

/// Adds an email to the person of an account.
pub(crate) fn tell(change: Change, account: &Account, says: LetterKind) -> Change {
    match EmailAddress::parse(&account.email) {
        Some(to) => change.after(After::Mail(PlannedLetter { to, says })),
        None => change,
    }
}

/// The circumstances of a sign-in, with fresh randomness.
pub(crate) fn setting(call: &Call) -> Result<SignInContext<'_>, AppError> {
    Ok(SignInContext { browser: Browser::default(), place: &call.place, random: call.random()?, ctx: &call.ctx })
}

/// The session that a browser presents when it signs in. It may be of another cell than the account.
pub(crate) struct PresentedSession {
    hash: Option<String>,
    /// In the cell of the session.
    call: Rc<Call>,
}

impl PresentedSession {
    /// The session of a request, which is in the cell of the call.
    pub(crate) fn new(call: &Rc<Call>, presented: Option<&Presented>) -> Self {
        Self::of(Rc::clone(call), presented.map(|presented| presented.hash.clone()))
    }

    /// The session with this hash.
    pub(crate) const fn of(call: Rc<Call>, hash: Option<String>) -> Self {
        Self { hash, call }
    }

    /// The query of it, to be read beside the account if it is in the account's cell. `call` is in that cell.
    pub(crate) fn beside(&self, call: &Call) -> Option<Query<Option<StoredPerson>>> {
        let hash = self.hash.as_deref().filter(|_| self.call.ctx.cell == call.ctx.cell);
        hash.map(pipeline::session)
    }

    /// The stored facts about it, given what was read beside the account.
    pub(crate) async fn standing(
        &self,
        beside: Option<Option<StoredPerson>>,
    ) -> Result<Option<StoredPerson>, AppError> {
        match (beside, &self.hash) {
            (Some(read), _) => Ok(read),
            (None, Some(hash)) => Ok(self.call.db.read(&pipeline::session(hash)).await?),
            (None, None) => Ok(None),
        }
    }

    /// The facts about the browser: `is_known` for its device, and this session, if active.
    pub(crate) fn browser(&self, standing: Option<&StoredPerson>, is_known: bool) -> Browser {
        let session = standing.and_then(|standing| {
            Some(EarlierSession {
                user_id: standing.user_id,
                practice_id: standing.practice.as_ref().map(|practice| practice.id),
                id: standing.session_in_force(self.call.ctx.now)?,
                cell: self.call.ctx.cell,
            })
        });
        Browser { is_known, session }
    }
}

/// A new session. `Debug` prints nothing of its client.
#[derive(Clone, Debug)]
pub struct NewSession {
    pub id: SessionId,
    pub user_id: UserId,
    /// The hash of its token, see [`SessionToken::hash`].
    pub hash: String,
    pub kind: SessionKind,
    /// The provider that it began by, if the practice trusts it.
    pub sso: Option<SsoProviderId>,
    /// The epoch of the account when it was made.
    pub epoch: i64,
    /// When it was made; it ends [`LONGEST_MS`] later.
    pub created_at: Instant,
    /// When its second factor was confirmed.
    pub verified_at: Option<Instant>,
    /// The client.
    pub place: ClientOrigin,
}

impl NewSession {
    /// When it ends in any case.
    const fn ends_at(&self) -> Instant {
        self.created_at.plus(LONGEST_MS)
    }

    /// Inserts it, ends the earlier sessions if the practice allows only one, and deletes old ones.
    pub fn writes(&self) -> [Write; 3] {
        let (user, id, now) = (self.user_id, self.id, self.created_at);
        [
            sql!(
                "DELETE FROM sessions WHERE user_id = {user} AND ends_at <= {before}";
                user, before = now.plus(-ENDED_KEPT_MS)
            ),
            sql!(
                "INSERT INTO sessions (user_id, id, hash, kind, epoch, created_at, seen_at, ends_at, verified_at, ip,
                   agent, sso)
                 VALUES ({user}, {id}, {hash}, {kind}, {epoch}, {now}, {now}, {end}, {verified_at}, {ip}, {agent}, {sso})
                 ON CONFLICT (user_id, id) DO NOTHING";
                user, id, hash = &self.hash, kind = self.kind, epoch = self.epoch, now, end = self.ends_at(),
                verified_at = self.verified_at, ip = &self.place.ip, agent = &self.place.agent, sso = self.sso
            ),
            sql!(
                "UPDATE sessions SET revoked_at = {now}
                 WHERE user_id = {user} AND id <> {id} AND revoked_at IS NULL AND EXISTS (
                   SELECT 1 FROM users u JOIN practices p ON p.id = u.practice_id
                   WHERE u.id = {user} AND p.single_session = 1)";
                user, id, now
            ),
        ]
    }
}
