//! `/api/v1/auth/password_reset` and `/api/v1/auth/password`: a new password, chosen through a link or in place of the
//! current one.
//!
//! In both cases every earlier session, link and continuation token ends, and an email reports the change. The second
//! factor stays.

use crate::accounts::account::{Account, account_of_caller, in_use, set_epoch};
use crate::accounts::link::{self, Accepted, LinkAsked, LinkKind, LinkPressed, OpenedLink, RequestedLink};
use crate::accounts::new_session::{SignInContext, setting, tell};
use crate::accounts::password_attempts::{self, Attempts};
use crate::accounts::sessions::{self, SessionState, renew_token};
use crate::call::Call;
use crate::extract::{NamesCell, SignInRequest};
use crate::hashing::{self, For};
use crate::password::{Check, Password};
use crate::pipeline;
use crate::plan::Actor;
use crate::plan::change::LetterKind;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::Token;
use crate::request::declare::{Field, Raw, Terms};
use crate::request::secret::LinkToken;
use crate::sign_in_limits;
use overturn_core::base::cell::Cell;
use overturn_core::base::id::UserId;
use overturn_core::request::field::{self, Problems};
use overturn_core::request::problem::Rule;
use std::rc::Rc;

body! {
    Reset { token: Token<LinkToken>, password: NewPassword }
}

impl NamesCell for Reset {
    fn handed_out(&self) -> Option<(String, Cell)> {
        self.token.as_ref().ok().map(LinkToken::handed_out)
    }
}

body! {
    Renewal { current_password: TypedPassword, new_password: NewPassword }
}

/// The longest password that is read. No account has a longer one.
const PASSWORD_READ_MAX: usize = 10_000;

/// A password typed for a check.
pub struct TypedPassword;

impl Field for TypedPassword {
    type Value = Password;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<Password> {
        field::required(p, name, raw.text(), PASSWORD_READ_MAX).map(|text| Password::given(&text))
    }

    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value {
        use crate::request::declare::{kinds::Text, schema};
        schema::described(Text::<PASSWORD_READ_MAX>::schema(), &["The person's password."])
    }
}

/// The longest password that can be chosen.
const PASSWORD_MAX: usize = 1_000;

/// A newly chosen password.
pub struct NewPassword;

impl Field for NewPassword {
    type Value = Password;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<Password> {
        let text = field::required(p, name, raw.text(), PASSWORD_MAX)?;
        Password::choose(&text).map_err(|unfit| p.add(name, Rule::Form(unfit.message()))).ok()
    }

    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value {
        use crate::password::LEAST;
        use crate::request::declare::{kinds::Text, schema};
        let about = "At least twelve characters, and not a common password. It must not be made of the person's address, \
            name or practice.";
        schema::described(schema::with(Text::<PASSWORD_MAX>::schema(), "minLength", LEAST), &[about])
    }
}

/// A reset link, as its person sees it before choosing a password.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ResetPreview {
    /// The address of the account.
    email: String,
}

/// `sendPasswordReset`: Request a link to set a new password.
///
/// The answer is the same for every address, whether it has an account or not. The link works once, for ten
/// minutes.
pub(crate) async fn send(request: SignInRequest<LinkAsked>) -> Result<Gives<Accepted, 202>, AppError> {
    link::ask(request, RequestedLink::PasswordReset).await
}

/// `previewPasswordReset`: Read whose password a link resets.
///
/// Ask this before the person chooses a password. The link stays usable, also if a mail scanner opens it. A link
/// that cannot be used any more gets `401`.
pub(crate) async fn preview(request: SignInRequest<LinkPressed>) -> Result<Gives<ResetPreview>, AppError> {
    let view = |opened: &OpenedLink<'_>| ResetPreview { email: opened.account.email.clone() };
    link::preview(request, LinkKind::PasswordReset, view).await
}

/// `resetPassword`: Set a new password with a link.
///
/// Every session of the account ends. The call does not sign the person in. The second factor stays as it is.
pub(crate) async fn reset(request: SignInRequest<Reset>) -> Result<Gives<(), 204>, AppError> {
    let SignInRequest { call, body, .. } = request;
    sign_in_limits::link(&call).await?;
    let (asked, call) = body.parse_in_cell(&call)?;
    let token = asked.token?;
    let stored = call.db.read(&link::stored(&token)).await?;
    let opened = link::open_or_record(&call, &token, stored.as_ref(), LinkKind::PasswordReset)?;
    let account = opened.account;
    suits(&asked.password, "password", account, &account.name)?;
    let hash = hash(&call, &asked.password).await?;
    let change = set_by_link(&opened, hash, setting(&call)?);
    pipeline::commit_signing_in(&call, Actor::User(account.user_id), change).await.map(Gives::from)
}

/// The loaded facts about the person.
type AccountAndSession = (Option<Account>, Option<SessionState>);

/// `changePassword`: Change your password.
///
/// Needs the current password. Every other session ends, and this session continues under a new token. Open links
/// and continuation tokens stop working. The person gets an email.
pub(crate) async fn change(request: WriteRequest<Renewal>) -> Result<Gives<(), 204>, AppError> {
    let setting = setting(&request.call)?;
    let load = (account_of_caller(request.credential()), sessions::state(request.credential()));
    let decide = |person: &Person, (rows, attempts): (AccountAndSession, _), renewal| {
        check_and_change(&request.call, person, (rows, attempts), &renewal, setting)
    };
    request.change_counted(load, attempt, decide).await
}

/// Counts an attempt at the current password before it is compared. A new password that does not suit costs none.
fn attempt(person: &Person, (account, _): &AccountAndSession, renewal: Renewal) -> Option<(Write, Query<Attempts>)> {
    suited(account.as_ref(), &renewal).ok()?;
    let user = person.user_id;
    Some((password_attempts::count(user), password_attempts::of_account(user)))
}

fn check_and_change(
    call: &Rc<Call>,
    person: &Person,
    ((account, session), attempts): (AccountAndSession, Option<Attempts>),
    renewal: &Renewal,
    setting: SignInContext<'_>,
) -> Result<Change, AppError> {
    let account = suited(account.as_ref(), renewal)?;
    let session = session.ok_or(RequestError::NotSignedIn)?;
    // A decision cannot wait for its turn. It takes the turn at once, and later hashes wait longer.
    let turn = hashing::turn(call, 2, For::Known)?;
    let check = turn.check(call, &renewal.current_password, account.password_hash.as_deref());
    let attempts = attempts.ok_or(AppError::Internal("attempt not counted"))?;
    let allowed = attempts.allowed(call.app.settings.password_failures);
    if !allowed || check == Check::Wrong {
        let entry = vec![Write::Audit(failure(person, setting))];
        pipeline::record_in_background(call, Actor::from(person), entry);
        password_attempts::close(call, account, attempts, setting);
        return Err(RequestError::invalid("current_password", Rule::NotRight).into());
    }
    let hash = turn.hash(call, &renewal.new_password)?;
    Ok(changed(account, session, hash, person, setting)?)
}

/// The acting account, if it may have the new password.
fn suited<'a>(account: Option<&'a Account>, renewal: &Renewal) -> Result<&'a Account, RequestError> {
    let account = account.ok_or(RequestError::NotSignedIn)?;
    suits(&renewal.new_password, "new_password", account, &account.name)?;
    Ok(account)
}

/// Checks that a password may be chosen for an account of a person called `name`.
///
/// # Errors
///
/// [`RequestError::Invalid`] for `field` if the password consists mostly of public facts about the person.
pub(super) fn suits(
    password: &Password,
    field: &'static str,
    account: &Account,
    name: &str,
) -> Result<(), RequestError> {
    let practice = account.practice_name.as_deref().unwrap_or_default();
    let suits = password.suits(&[&account.email, name, practice]);
    suits.map_err(|unfit| RequestError::invalid(field, Rule::Form(unfit.message())))
}

/// The hash of a new password. It is computed between two batches and never during one, because the time limit of the
/// batch would pass.
pub(super) async fn hash(call: &Call, password: &Password) -> Result<String, AppError> {
    let turn = hashing::turn(call, 1, For::Known)?;
    turn.come(call).await;
    turn.hash(call, password)
}

/// Stores the hash of a password. The same password under newer parameters changes no rights.
pub(super) fn store(user: UserId, hash: String) -> Write {
    sql!("UPDATE users SET password_hash = {hash} WHERE id = {user} AND state = 'active'"; user, hash)
}

fn set_by_link(opened: &OpenedLink<'_>, hash: String, setting: SignInContext<'_>) -> Change {
    let account = opened.account;
    let (user, epoch) = (account.user_id, account.epoch);
    let change = Change::new(entry(account, "password_reset", setting), Answer::empty())
        .guard(in_use(user, epoch))
        .write(sessions::end_all(user, setting.ctx.now));
    set(opened.use_up(change), account, epoch.saturating_add(1), hash)
}

/// All other sessions end, and the person's session gets a new token.
fn changed(
    account: &Account,
    session: SessionState,
    hash: String,
    person: &Person,
    setting: SignInContext<'_>,
) -> Result<Change, RequestError> {
    let (user, id) = (person.user_id, person.session()?);
    let epoch = person.epoch.saturating_add(1);
    let change = Change::new(entry(account, "current_password", setting), Answer::empty()).write(sessions::end_others(
        user,
        id,
        setting.ctx.now,
    ));
    let change = renew_token(change, (user, id, epoch), session, setting.random);
    Ok(set(change, account, epoch, hash))
}

/// The audit row of a wrong current password.
fn failure(person: &Person, setting: SignInContext<'_>) -> Entry {
    let entry = Entry::new(setting.ctx, 0, person.practice_id, Event::VerificationFailed, person.user_id);
    entry.detail(json!({ "by": "password", "ip": setting.place.ip }))
}

fn entry(account: &Account, by: &str, setting: SignInContext<'_>) -> Entry {
    let entry = Entry::new(setting.ctx, 0, account.practice_id, Event::PasswordChanged, account.user_id);
    entry.detail(json!({ "by": by, "ip": setting.place.ip }))
}

/// Sets the password, ends everything made under the earlier one, and sends an email.
fn set(change: Change, account: &Account, epoch: i64, hash: String) -> Change {
    let user = account.user_id;
    let change = change.write(store(user, hash)).write(password_attempts::restart(user)).write(set_epoch(user, epoch));
    tell(change, account, LetterKind::PasswordChanged)
}

#[cfg(test)]
mod tests;
