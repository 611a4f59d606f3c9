//! Enrolling a passkey.

use crate::accounts::account::{Account, account_of_caller};
use crate::accounts::factors::{begin_anew, fresh_codes};
use crate::accounts::new_session::{SignInContext, setting, tell};
use crate::accounts::passkeys::ceremony::{self, RegistrationOptions, relying_party, spend, unspent};
use crate::accounts::passkeys::{Credential, PASSKEYS_MAX, PasskeyView, StoredPasskey, of_caller};
use crate::accounts::recovery::{RecoveryCode, RecoveryCodes};
use crate::cookies::ceremony::{CeremonyPurpose, OpenedCeremony, SpentProof};
use crate::extract::{DeviceCookie, PasskeyCookie};
use crate::pipeline::after_commit;
use crate::plan::change::LetterKind;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::Printable;
use crate::shown_once::OrOnce;
use overturn_core::base::id::{PasskeyId, UserId};
use overturn_core::identity::passkeys::{BeginRegistration, CheckRegistration, NewCredential, RelyingParty};
use overturn_core::request::problem::Rule;

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
struct Registration {
    /// The account that the passkey is for.
    user_id: UserId,
    /// The identity Worker's state: the challenge and its end.
    state: String,
}

/// `beginPasskey`: Start to enroll a passkey.
///
/// A person without a second factor may make this call at once. A person who has one must show it first. `409` if
/// the account has 20 passkeys.
pub(crate) async fn begin(request: WriteRequest) -> Result<Gives<RegistrationOptions>, AppError> {
    let load = (account_of_caller(request.credential()), of_caller(request.credential()));
    let (person, (account, stored)) = request.load(load).await?;
    let account = account.ok_or(RequestError::NotSignedIn)?;
    let question = options(&account, &stored, relying_party(&request.call))?;
    let user_id = person.user_id;
    let content = |state| Registration { user_id, state };
    ceremony::begin(&request.call, &question, CeremonyPurpose::Registration, content).await.map(Gives::from)
}

/// `enrolPasskey`: Enroll a passkey.
///
/// Needs the cookie from the call for the options. `409` if that call was made in another browser or more than five
/// minutes ago, if its options were used, if the passkey is enrolled already, or if the account has 20 passkeys.
///
/// If this is the first second factor of the account, ten recovery codes are in this answer only, every other
/// session ends, and this session continues as a full session under a new token. The person gets an email.
pub(crate) async fn enrol(
    PasskeyCookie(cookie): PasskeyCookie,
    DeviceCookie(device): DeviceCookie,
    request: WriteRequest<RequestedPasskey>,
) -> Result<Gives<OrOnce<PasskeyView, RecoveryCodes>, 201>, AppError> {
    check_and_enrol(&request, cookie.as_deref(), device.as_deref()).await.map(Gives::from)
}

/// 1. May the person enroll one? `401`, `402`, `403`, `429`.
/// 2. Ask the identity Worker about the response. It only knows what the cookie and the body say.
/// 3. Was the registration begun here, and is it unused? `409`. Is the response right? `422`.
/// 4. Write the passkey, and mark the registration as used in the same batch.
async fn check_and_enrol(
    request: &WriteRequest<RequestedPasskey>,
    cookie: Option<&str>,
    device: Option<&str>,
) -> Result<Response, AppError> {
    let call = &request.call;
    let ceremony = ceremony::open::<Registration>(call, CeremonyPurpose::Registration, cookie);
    let (person, ()) = request.load(()).await?;
    let checked = check(request, ceremony.as_ref(), &person).await;
    let caller = request.credential();
    let load = (account_of_caller(caller), of_caller(caller), ceremony::is_spent(ceremony.as_ref()));
    let (codes, setting) = (fresh_codes(call)?, setting(call)?);
    let mut enrolled = None;
    let decide = |person: &Person, (account, passkeys, spent): EnrolmentRows, asked| {
        let account: Account = account.ok_or(RequestError::NotSignedIn)?;
        let of =
            Enrolling { account: &account, passkeys: &passkeys, is_spent: spent.unwrap_or_default(), codes: &codes };
        let change = self::enrolled(asked, checked.clone()?, of, person, setting)?;
        enrolled = Some(account.email_key());
        Ok::<_, AppError>(change)
    };
    let changed = request.change_counted_before(load, decide);
    let mut response = changed.await?;
    if let Some(email_key) = enrolled {
        after_commit::know_device(call, &email_key, device, &mut response)?;
        ceremony::end(&mut response)?;
    }
    Ok(response)
}

/// The loaded account, its passkeys, and whether the registration was used.
type EnrolmentRows = (Option<Account>, Vec<StoredPasskey>, Option<bool>);

/// Asks the identity Worker about the response to a registration.
async fn check(
    request: &WriteRequest<RequestedPasskey>,
    ceremony: Option<&OpenedCeremony<Registration>>,
    person: &Person,
) -> Result<CheckedRegistration, AppError> {
    let call = &request.call;
    let (question, spent) = question(ceremony, &request.body()?, person, relying_party(call))?;
    Ok(CheckedRegistration { credential: ceremony::ask(call, &question).await?, spent })
}

/// Authenticators that have one of the account's passkeys are excluded.
fn options(account: &Account, passkeys: &[StoredPasskey], rp: RelyingParty) -> Result<BeginRegistration, RequestError> {
    has_room(passkeys)?;
    Ok(BeginRegistration {
        rp,
        user_id: account.user_id,
        name: account.email.clone(),
        display_name: account.name.clone(),
        exclude: passkeys.iter().map(StoredPasskey::known).collect(),
    })
}

fn has_room(passkeys: &[StoredPasskey]) -> Result<(), RequestError> {
    let below = passkeys.len() < PASSKEYS_MAX as usize;
    below.then_some(()).ok_or(TOO_MANY)
}

/// The question whether the browser's response answers the registration that the person began, and the mark of the
/// registration.
fn question(
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
struct CheckedRegistration {
    /// What it says of the passkey; `None` if it refused the response.
    credential: Option<NewCredential>,
    /// The mark of the registration.
    spent: SpentProof,
}

/// The stored facts about the account of a new passkey.
#[derive(Clone, Copy, Debug)]
struct Enrolling<'e> {
    account: &'e Account,
    passkeys: &'e [StoredPasskey],
    /// True if the registration was used.
    is_spent: bool,
    /// Ten fresh recovery codes.
    codes: &'e [RecoveryCode],
}

/// If the passkey is the first second factor of the account, this shows recovery codes, ends all other sessions, and turns
/// this one into a full session.
fn enrolled(
    asked: RequestedPasskey,
    checked: CheckedRegistration,
    of: Enrolling<'_>,
    person: &Person,
    setting: SignInContext<'_>,
) -> Result<Change, RequestError> {
    if of.is_spent {
        return Err(BEGIN_AGAIN);
    }
    has_room(of.passkeys)?;
    let credential = checked.credential.ok_or_else(|| RequestError::invalid("credential", Rule::NotRight))?;
    let ctx = setting.ctx;
    let passkey = StoredPasskey {
        id: PasskeyId(ctx.id(Purpose::Record, 0)),
        user_id: person.user_id,
        name: asked.name,
        created_at: Time(ctx.now),
        last_used_at: None,
        credential,
    };
    let entry = Entry::new(ctx, 0, person.practice_id, Event::PasskeyEnrolled, passkey.id);
    let mut answer = Answer::new(201, &passkey.view());
    if !person.enrolled {
        let codes: Vec<&str> = of.codes.iter().map(RecoveryCode::expose).collect();
        answer = answer.once(RecoveryCodes::KEY, codes);
    }
    let change = Change::new(entry, answer)
        .guard(unspent(&checked.spent))
        .guard(abort_if!(
            Record,
            "EXISTS (SELECT 1 FROM passkeys WHERE credential_id = {credential_id})";
            credential_id = &passkey.credential.id
        ))
        .guard(abort_if!(
            Record,
            "(SELECT count(*) FROM passkeys WHERE user_id = {user}) >= {most}";
            user = person.user_id, most = i64::from(PASSKEYS_MAX)
        ))
        .write_all(spend(&checked.spent, ctx.now))
        .write(insert(&passkey));
    let change = if person.enrolled { change } else { begin_anew(change, of.codes, person, setting)? };
    Ok(tell(change, of.account, LetterKind::PasskeyChanged { name: passkey.name, added: true }))
}

pub(crate) fn insert(passkey: &StoredPasskey) -> Write {
    let NewCredential { id, public_key, sign_count, backup_eligible, backed_up, transports } = &passkey.credential;
    sql!(
        "INSERT INTO passkeys (user_id, id, credential_id, public_key, sign_count, backup_eligible, backed_up,
           transports, name, created_at)
         VALUES ({user}, {id}, {credential_id}, {public_key}, {sign_count}, {backup_eligible}, {backed_up},
           {transports}, {name}, {now}) ON CONFLICT (user_id, id) DO NOTHING";
        user = passkey.user_id, id = passkey.id, credential_id = id, public_key, sign_count = i64::from(*sign_count),
        backup_eligible = i64::from(*backup_eligible), backed_up = i64::from(*backed_up), transports = Json(transports),
        name = &passkey.name, now = passkey.created_at
    )
}

#[cfg(test)]
mod tests;
