//! Beginning a session, and what is known about the browser that it is for.

use crate::accounts::account::{Account, view};
use crate::auth::session::{SessionKind, StoredSession};
use crate::base::ctx::{Ctx, Purpose};
use crate::base::email::EmailAddress;
use crate::base::id::{PracticeId, SessionId, UserId};
use crate::base::instant::Instant;
use crate::base::secret::SessionToken;
use crate::base::time::Time;
use crate::plan::accounts::{ClientOrigin, NewSession, SessionsToEnd};
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{After, Answer, Change, LetterKind, PlannedLetter};
use crate::plan::{AccountsWrite, Write};
use serde_json::json;

/// What the service knows about the browser that signs in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Browser {
    /// True if it has completed a sign-in to this account before.
    pub is_known: bool,
    /// Its current session, of this account or another one.
    pub session: Option<EarlierSession>,
}

/// A session that a new one replaces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EarlierSession {
    pub user_id: UserId,
    /// The practice whose trail it belongs to; `None` for staff.
    pub practice_id: Option<PracticeId>,
    pub id: SessionId,
}

/// The circumstances of a sign-in, and the source of its secrets.
#[derive(Clone, Copy, Debug)]
pub struct SignInContext<'s> {
    pub browser: Browser,
    /// The client's origin.
    pub place: &'s ClientOrigin,
    /// 32 bytes of a cryptographic source.
    pub random: [u8; 32],
    /// The request.
    pub ctx: &'s Ctx,
}

/// A session that begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionToBegin {
    pub kind: SessionKind,
    /// Whether it begins by a provider that the practice trusts.
    pub sso: bool,
    /// When its second factor was confirmed; `None` for one that has none or that a provider confirmed at an unknown time.
    pub verified_at: Option<Instant>,
}

/// Begins a session. It ends the browser's earlier session, and sends an email about an unknown device.
#[must_use]
pub fn begin(
    account: &Account,
    SessionToBegin { kind, sso, verified_at }: SessionToBegin,
    entry: Entry,
    setting: SignInContext<'_>,
) -> Change {
    let SignInContext { browser, place, random, ctx } = setting;
    let token = SessionToken::mint(random);
    // The clock of a provider may be ahead.
    let verified_at = verified_at.map(|at| at.min(ctx.now));
    let session = NewSession {
        id: SessionId(ctx.id(Purpose::Record, 0)),
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
        id: session.id,
        kind,
        epoch: account.epoch,
        ends_at: session.ends_at(),
        seen_at: ctx.now,
        verified_at,
        revoked: false,
        sso,
    });
    let id = session.id;
    let signed_in = view(account, &standing, ctx.now);
    let mut change = Change::new(entry, Answer::new(200, &signed_in))
        .write(Write::Accounts(AccountsWrite::NewSession(session)))
        .after(After::SetSession(id, token));
    if let Some(earlier) = browser.session {
        change = replaced(change, earlier, ctx);
    }
    if !browser.is_known {
        let (ip, agent) = (place.ip.clone(), place.agent.clone());
        let at = Time(ctx.now);
        change = tell(change, account, LetterKind::NewDevice { at, ip, agent });
    }
    change
}

/// Ends the browser's earlier session, with an audit row in the trail of that session's practice.
fn replaced(change: Change, earlier: EarlierSession, ctx: &Ctx) -> Change {
    let event = Event::SignedOut;
    let entry = Entry::new(ctx, 1, earlier.practice_id, event, earlier.id);
    change
        .write(Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::One(earlier.user_id, earlier.id))))
        .write(Write::Audit(entry.detail(json!({ "by": "sign_in" }))))
}

/// Adds an email to the person of an account.
#[must_use]
pub fn tell(change: Change, account: &Account, says: LetterKind) -> Change {
    match EmailAddress::parse(&account.email) {
        Some(to) => change.after(After::Mail(PlannedLetter { to, says })),
        None => change,
    }
}
