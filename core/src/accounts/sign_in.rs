//! Signing in: the first factor, and the steps after it (interface: Session endpoints).

use crate::accounts::password::{Check, Password};
use crate::auth::role::Role;
use crate::auth::session::SessionKind;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::email::EmailAddress;
use crate::base::id::{PracticeId, SessionId, UserId};
use crate::base::names::names;
use crate::base::secret::{ContinuationToken, SessionToken};
use crate::base::time::Time;
use crate::plan::accounts::{
    CONTINUATION_MS, ClientOrigin, NewContinuation, NewSession, SessionsToEnd,
};
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{After, Answer, Change, Letter, LetterKind};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use crate::request::body::{Text, object};
use crate::request::error::RequestError;
use crate::request::field::{self, Problems};
use alloc::string::String;
use serde::{Deserialize, Serialize};
use serde_json::json;

object! {
    /// The body of a sign-in, unchecked.
    RawSignIn { email: Text<'a>, password: Text<'a>, }
}

/// The longest password that is read. No account has a longer one.
const PASSWORD_READ_MAX: usize = 10_000;

/// An address and a password.
#[derive(Debug)]
pub struct SignIn {
    /// The address.
    pub email: EmailAddress,
    /// The password.
    pub password: Password,
}

/// The stored facts about an active account, found by address, link or continuation. `Debug` prints only its ids and
/// role.
#[derive(Clone, Deserialize)]
pub struct Account {
    /// Its id.
    pub user_id: UserId,
    /// The practice it belongs to; `None` for staff.
    pub practice_id: Option<PracticeId>,
    /// The practice's name.
    pub practice_name: Option<String>,
    /// The person's role.
    pub role: Role,
    /// The number of changes of its rights.
    pub epoch: i64,
    /// The person's name.
    pub name: String,
    /// The address, as typed.
    pub email: String,
    /// The hash of its password, if it has one.
    pub password_hash: Option<String>,
    /// Whether it has a second factor.
    pub enrolled: bool,
}

impl Account {
    /// The key that its address is compared by.
    #[must_use]
    pub fn email_key(&self) -> String {
        EmailAddress::parse(&self.email).map_or_else(String::new, |email| email.key())
    }
}

impl core::fmt::Debug for Account {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Account")
            .field("user_id", &self.user_id)
            .field("practice_id", &self.practice_id)
            .field("role", &self.role)
            .finish_non_exhaustive()
    }
}

/// The signed-in person and the session.
#[derive(Debug, Serialize)]
pub struct SessionView {
    /// The person.
    pub user: UserView,
    /// Their practice; `null` for staff.
    pub practice: Option<PracticeView>,
    /// The session; `null` for an API token.
    pub session: Option<SessionFacts>,
}

/// A person, as they see themselves.
#[derive(Debug, Serialize, Deserialize)]
pub struct UserView {
    /// Their account.
    pub id: UserId,
    /// Their name.
    pub name: String,
    /// Their address.
    pub email: String,
    /// Their role.
    pub role: Role,
    /// Whether they have a second factor.
    pub two_factor: bool,
}

/// A practice, as its people see it.
#[derive(Debug, Serialize, Deserialize)]
pub struct PracticeView {
    /// Its id.
    pub id: PracticeId,
    /// Its name.
    pub name: String,
}

/// Facts about a session that its person sees.
#[derive(Debug, Serialize, Deserialize)]
pub struct SessionFacts {
    /// Its id.
    pub id: SessionId,
    /// `full`, or `enrolment` for an account that may only enroll a second factor.
    pub kind: SessionKind,
    /// When it began.
    pub created_at: Time,
    /// When it ends in any case.
    pub ends_at: Time,
    /// When its second factor was last confirmed.
    pub verified_at: Option<Time>,
}

names! {
    /// The kind of the first factor.
    FirstFactor {
        /// A password.
        Password = "password",
        /// A mailed link.
        MagicLink = "magic_link",
    }
}

/// A correct first factor.
#[derive(Debug)]
pub struct Passed {
    /// The account.
    pub user_id: UserId,
    /// The writes, and the answer if no second factor is needed.
    pub change: Change,
    /// The token for the second factor. The answer is then a `402` with it.
    pub ask: Option<ContinuationToken>,
}

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
    /// Its account.
    pub user_id: UserId,
    /// The practice whose trail it belongs to; `None` for staff.
    pub practice_id: Option<PracticeId>,
    /// The session.
    pub id: SessionId,
}

/// The circumstances of a sign-in, and the source of its secrets.
#[derive(Clone, Copy, Debug)]
pub struct SignInContext<'s> {
    /// The browser.
    pub browser: Browser,
    /// The client's origin.
    pub place: &'s ClientOrigin,
    /// 32 bytes of a cryptographic source.
    pub random: [u8; 32],
    /// The request.
    pub ctx: &'s Ctx,
}

/// Reads `{email, password}`.
///
/// # Errors
///
/// [`RequestError::Malformed`] or [`RequestError::Invalid`] with every problem.
pub fn parse(body: &[u8]) -> Result<SignIn, RequestError> {
    let raw: RawSignIn<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    let email = field::email(&mut p, "email", raw.email);
    let password = password(&mut p, "password", raw.password);
    p.settle(
        email
            .zip(password)
            .map(|(email, password)| SignIn { email, password }),
    )
}

/// A password typed for a check.
pub(crate) fn password(p: &mut Problems, name: &'static str, value: Text<'_>) -> Option<Password> {
    let text = field::required(p, name, value, PASSWORD_READ_MAX)?;
    Some(Password::given(&text))
}

/// Signs in with a password if the earlier attempts `allow` it. `fresh` is the hash of the password under today's
/// parameters, for an account whose hash has other ones.
///
/// # Errors
///
/// [`RequestError::SignInFailed`] for an unknown address, a wrong password and a closed password alike.
pub fn by_password(
    account: Option<&Account>,
    allow: bool,
    check: Check,
    fresh: Option<String>,
    setting: SignInContext<'_>,
) -> Result<Passed, RequestError> {
    let account = account
        .filter(|_| allow && matches!(check, Check::Right { .. }))
        .ok_or(RequestError::SignInFailed)?;
    let mut passed = passed(account, FirstFactor::Password, setting);
    let fresh = fresh.map(|hash| {
        Write::Accounts(AccountsWrite::Password {
            user: account.user_id,
            hash,
        })
    });
    passed.change.writes.extend(fresh);
    Ok(passed)
}

/// The steps after a correct first factor. The count of attempts at the password restarts. The second factor is
/// requested; if the account has none, a session begins that can only enroll one.
#[must_use]
pub fn passed(account: &Account, first: FirstFactor, setting: SignInContext<'_>) -> Passed {
    let SignInContext {
        place, random, ctx, ..
    } = setting;
    let entry = |event| {
        let entry = Entry::new(ctx, 0, account.practice_id, event, account.user_id);
        entry.detail(json!({ "by": first.name(), "ip": place.ip }))
    };
    let guard = Guard::Accounts(AccountsGuard::InUse {
        user: account.user_id,
        epoch: account.epoch,
    });
    let opened = Write::Accounts(AccountsWrite::PasswordOpened(account.user_id));
    if !account.enrolled {
        let change = begin(
            account,
            SessionKind::Enrolment,
            entry(Event::SignedIn),
            setting,
        );
        return Passed {
            user_id: account.user_id,
            change: change.guard(guard).write(opened),
            ask: None,
        };
    }
    let token = ContinuationToken::mint(random);
    let continuation = NewContinuation {
        hash: token.hash(),
        user_id: account.user_id,
        epoch: account.epoch,
        session_id: None,
        expires_at: ctx.now.plus(CONTINUATION_MS),
    };
    let change = Change::new(entry(Event::SignInBegun), Answer::empty());
    Passed {
        user_id: account.user_id,
        change: change
            .guard(guard)
            .write(Write::Accounts(AccountsWrite::NewContinuation(
                continuation,
            )))
            .write(opened),
        ask: Some(token),
    }
}

/// Begins a session. It ends the browser's earlier session, and sends an email about an unknown device.
pub(crate) fn begin(
    account: &Account,
    kind: SessionKind,
    entry: Entry,
    setting: SignInContext<'_>,
) -> Change {
    let SignInContext {
        browser,
        place,
        random,
        ctx,
    } = setting;
    let token = SessionToken::mint(random);
    let verified_at = (kind == SessionKind::Full).then_some(ctx.now);
    let session = NewSession {
        id: SessionId(ctx.id(Purpose::Record, 0)),
        user_id: account.user_id,
        hash: token.hash(),
        kind,
        epoch: account.epoch,
        created_at: ctx.now,
        verified_at,
        place: place.clone(),
    };
    let facts = SessionFacts {
        id: session.id,
        kind,
        created_at: Time(ctx.now),
        ends_at: Time(session.ends_at()),
        verified_at: verified_at.map(Time),
    };
    let id = session.id;
    let mut change = Change::new(entry, Answer::new(200, &view(account, Some(facts))))
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
        .write(Write::Accounts(AccountsWrite::SessionsEnded(
            SessionsToEnd::One(earlier.user_id, earlier.id),
        )))
        .write(Write::Audit(entry.detail(json!({ "by": "sign_in" }))))
}

/// Adds an email to the person of an account.
pub(crate) fn tell(change: Change, account: &Account, says: LetterKind) -> Change {
    match EmailAddress::parse(&account.email) {
        Some(to) => change.after(After::Mail(Letter { to, says })),
        None => change,
    }
}

/// The signed-in person.
#[must_use]
pub fn view(account: &Account, session: Option<SessionFacts>) -> SessionView {
    let name = account.practice_name.clone().unwrap_or_default();
    SessionView {
        user: UserView {
            id: account.user_id,
            name: account.name.clone(),
            email: account.email.clone(),
            role: account.role,
            two_factor: account.enrolled,
        },
        practice: account.practice_id.map(|id| PracticeView { id, name }),
        session,
    }
}

/// The audit row of a failed sign-in, for an account whose first factor was wrong.
#[must_use]
pub fn failure(account: &Account, place: &ClientOrigin, ctx: &Ctx) -> Entry {
    let event = Event::SignInFailed;
    let entry = Entry::new(ctx, 0, account.practice_id, event, account.user_id);
    entry.detail(json!({ "ip": place.ip }))
}
