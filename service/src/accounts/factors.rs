//! `/api/v1/auth/2fa`: enrolling or replacing an authenticator app, and recovery codes.

use crate::accounts::account::{Account, account_of_caller, passkeys_removed, set_epoch};
use crate::accounts::continuation::{StoredFactor, use_up_step, waiting_factor};
use crate::accounts::new_session::{SignInContext, setting, tell};
use crate::accounts::recovery::{CODES, RecoveryCode, RecoveryCodes};
use crate::accounts::second_factor::proof::{CODE_MAX, Code};
use crate::accounts::sessions::{self, SessionState, renew_token};
use crate::auth::totp::TotpSecret;
use crate::call::Call;
use crate::extract::{AnyBody, DeviceCookie};
use crate::pipeline::{after_commit, tampered};
use crate::plan::change::LetterKind;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::{Field, Raw, Terms};
use overturn_core::base::id::{FactorId, UserId};
use overturn_core::request::field::{self, Problems};
use overturn_core::request::problem::Rule;

/// The service name that the authenticator app shows.
const ISSUER: &str = "Overturn";

const NO_FACTOR: RequestError = RequestError::NotFound("no such factor to confirm");

body! {
    Confirmed {
        /// The `factor_id` from the answer that started the enrollment.
        factor_id: ConfirmedId,
        /// A code of the app.
        code: Code,
    }
}

/// The id of a factor, `None` for text that is not a UUID.
pub struct ConfirmedId;

impl Field for ConfirmedId {
    type Value = Option<FactorId>;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<Self::Value> {
        let id = field::required(p, name, raw.text(), CODE_MAX)?.parse();
        Some(id.map(FactorId).ok())
    }

    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value {
        crate::request::declare::kinds::Text::<CODE_MAX>::schema()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct RecoveryCodesLeft {
    /// How many recovery codes of the account can still be used.
    #[cfg_attr(feature = "schema", schemars(range(max = CODES)))]
    left: usize,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct BegunFactor {
    factor_id: FactorId,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Totp {
    /// For a person who cannot scan the QR code.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[A-Z2-7]{32}$")))]
    secret: String,
    /// The content of the QR code.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "uri")))]
    otpauth_uri: String,
}

impl ShownOnce for Totp {
    const KEY: &'static str = "totp";
}

/// An answer with nothing but recovery codes.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Renewed {}

/// How many recovery codes the caller has left.
pub(super) fn codes_left(caller: &str) -> Query<RecoveryCodesLeft> {
    select!(
        "accounts.recovery_codes_left",
        "SELECT json_object('left', count(*)) AS json FROM recovery_codes
         WHERE user_id = {ACCOUNT_OF_CALLER} AND used_at IS NULL";
        caller
    )
    .one()
}

/// `beginFactor`: Start to enroll an authenticator app.
///
/// The secret is only in this answer. Nothing changes until you confirm a code. A person without a second factor
/// may make this call at once. A person who has one must show it first.
pub(crate) async fn begin(request: WriteRequest<AnyBody>) -> Result<Gives<WithOnce<BegunFactor, Totp>, 201>, AppError> {
    let secret = TotpSecret::new(request.call.app.host.bytes()?);
    let load = account_of_caller(request.credential());
    let decide = request.change(load, |person, account, _| {
        let email = account.ok_or(RequestError::NotSignedIn)?.email;
        Ok::<_, RequestError>(begun(person, &email, secret.clone(), request.ctx()))
    });
    decide.await
}

/// `confirmFactor`: Confirm the authenticator app with its first code.
///
/// The new app replaces the old one. The ten recovery codes are only in this answer. Every other session ends. This
/// session continues as a full session under a new token. The person gets an email.
pub(crate) async fn confirm(
    DeviceCookie(device): DeviceCookie,
    request: WriteRequest<Confirmed>,
) -> Result<Gives<WithOnce<Renewed, RecoveryCodes>>, AppError> {
    let asked = request.body().ok();
    let factor = asked.and_then(|asked| asked.factor_id).map(|id| waiting_factor(request.credential(), id));
    let load = (account_of_caller(request.credential()), factor);
    let (codes, setting) = (fresh_codes(&request.call)?, setting(&request.call)?);
    let mut enrolled = None;
    let decide = |person: &Person, (account, factor): (Option<Account>, Option<_>), confirmed| {
        let account = account.ok_or(RequestError::NotSignedIn)?;
        let opened = opened(&request, person, factor.flatten())?;
        enrolled = Some(account.email_key());
        confirmed_by(&confirmed, opened, (&account, &codes), person, setting)
    };
    let response = request.change(load, decide).await?;
    know_device(&request.call, enrolled, device.as_deref(), response).map(Gives::from)
}

/// A factor with its secret.
type OpenedFactor = (StoredFactor, TotpSecret);

/// The factor that waits for its first code.
fn opened(
    request: &WriteRequest<Confirmed>,
    person: &Person,
    factor: Option<StoredFactor>,
) -> Result<Option<OpenedFactor>, RequestError> {
    let keys = &request.call.app.keys;
    let opened = factor.map(|factor| factor.secret(person.user_id, keys).map(|secret| (factor, secret)));
    tampered::reported(&request.call, opened.transpose())
}

/// Both factors were shown here, so the device is known at the next sign-in.
fn know_device(
    call: &Call,
    enrolled: Option<String>,
    device: Option<&str>,
    mut response: Response,
) -> Result<Response, AppError> {
    if let Some(email_key) = enrolled {
        after_commit::know_device(call, &email_key, device, &mut response)?;
    }
    Ok(response)
}

/// `countRecoveryCodes`: Read how many recovery codes are left.
///
/// Those of the own account only.
pub(crate) async fn count_codes(request: ReadRequest) -> Result<Gives<RecoveryCodesLeft>, AppError> {
    let load = codes_left(request.credential());
    let view = request.show(load, |_, left| Ok::<_, AppError>(left));
    view.await
}

/// `renewRecoveryCodes`: Make new recovery codes.
///
/// Makes ten codes, shown only in this answer. The old codes stop working. The person gets an email.
pub(crate) async fn renew_codes(
    request: WriteRequest<AnyBody>,
) -> Result<Gives<WithOnce<Renewed, RecoveryCodes>, 201>, AppError> {
    let codes = fresh_codes(&request.call)?;
    let load = account_of_caller(request.credential());
    let decide = request.change(load, |person, account, _| {
        let account = account.ok_or(RequestError::NotSignedIn)?;
        Ok::<_, RequestError>(codes_renewed(person, &account, &codes, request.ctx()))
    });
    decide.await
}

/// Fresh recovery codes.
pub(super) fn fresh_codes(call: &Call) -> Result<Vec<RecoveryCode>, AppError> {
    let drawn = (0..CODES).map(|_| call.app.host.bytes().map(RecoveryCode::mint));
    Ok(drawn.collect::<Result<_, _>>()?)
}

/// Nothing changes until the person confirms a code of the app.
fn begun(person: &Person, email: &str, secret: TotpSecret, ctx: &Ctx) -> Change {
    let id = FactorId(ctx.id(Purpose::Record, 0));
    let shown = Totp { secret: secret.expose_base32(), otpauth_uri: secret.otpauth_uri(ISSUER, email) };
    let answer = Answer::new(201, &BegunFactor { factor_id: id }).once(Totp::KEY, json!(shown));
    let entry = Entry::new(ctx, 0, person.practice_id, Event::FactorBegun, person.user_id);
    Change::new(entry, answer).write_all(new_factor(person.user_id, id, &secret, ctx.now))
}

/// The factor replaces the earlier one and all recovery codes.
fn confirmed_by(
    confirmed: &Confirmed,
    opened: Option<OpenedFactor>,
    (account, codes): (&Account, &[RecoveryCode]),
    person: &Person,
    setting: SignInContext<'_>,
) -> Result<Change, RequestError> {
    let (user, now) = (person.user_id, setting.ctx.now);
    let (factor, secret) = opened.ok_or(NO_FACTOR)?;
    let step = secret.accept(&confirmed.code.0, now, factor.last_step);
    let step = step.ok_or_else(|| RequestError::invalid("code", Rule::NotRight))?;
    let entry = Entry::new(setting.ctx, 0, person.practice_id, Event::FactorEnrolled, user);
    let change = Change::new(entry, shown_codes(200, codes)).write_all(factor_confirmed(user, factor.id, now));
    let change = begin_anew(use_up_step(change, user, factor.id, step), codes, person, setting)?;
    Ok(tell(change, account, LetterKind::FactorChanged))
}

/// What another second factor of an account changes besides: new recovery codes replace the earlier ones, all other
/// sessions end, and this one gets a new token.
pub(super) fn begin_anew(
    change: Change,
    codes: &[RecoveryCode],
    person: &Person,
    setting: SignInContext<'_>,
) -> Result<Change, RequestError> {
    let (user, session) = (person.user_id, person.session()?);
    let epoch = person.epoch.saturating_add(1);
    let change = change
        .write_all(replace_codes(user, codes))
        .write(set_epoch(user, epoch))
        .write(sessions::end_others(user, session, setting.ctx.now));
    let state = SessionState::verified(setting.ctx.now);
    Ok(renew_token(change, (user, session, epoch), state, setting.random))
}

fn codes_renewed(person: &Person, account: &Account, codes: &[RecoveryCode], ctx: &Ctx) -> Change {
    let user = person.user_id;
    let entry = Entry::new(ctx, 0, person.practice_id, Event::RecoveryCodesMade, user);
    let change = Change::new(entry, shown_codes(201, codes)).write_all(replace_codes(user, codes));
    tell(change, account, LetterKind::FactorChanged)
}

fn shown_codes(status: u16, codes: &[RecoveryCode]) -> Answer {
    let codes: Vec<&str> = codes.iter().map(RecoveryCode::expose).collect();
    Answer::new(status, &Renewed {}).once(RecoveryCodes::KEY, codes)
}

/// A second factor that is not confirmed yet. It replaces every other unconfirmed one.
pub fn new_factor(user: UserId, id: FactorId, secret: &TotpSecret, now: Instant) -> [Write; 2] {
    let place = SealedPlace::Factor { user, id };
    [
        sql!("DELETE FROM factors WHERE user_id = {user} AND confirmed_at IS NULL"; user),
        sql!(
            "INSERT INTO factors (user_id, id, key_version, sealed, created_at)
             VALUES ({user}, {id}, {key_version}, {sealed}, {now}) ON CONFLICT (user_id, id) DO NOTHING";
            user, id, key_version = KeyOf(place), sealed = Seal::new(place, secret.as_bytes()), now
        ),
    ]
}

/// Confirms a second factor, which replaces the earlier one.
pub fn factor_confirmed(user: UserId, id: FactorId, now: Instant) -> [Write; 2] {
    [
        delete_factors_but(user, Some(id)),
        sql!(
            "UPDATE factors SET confirmed_at = {now} WHERE user_id = {user} AND id = {id} AND confirmed_at IS NULL";
            user, id, now
        ),
    ]
}

/// Removes every second factor of an account, and its recovery codes.
pub(crate) fn factors_removed(user: UserId) -> [Write; 3] {
    [delete_factors_but(user, None), delete_codes_but(user, &[]), passkeys_removed(user)]
}

fn delete_factors_but(user: UserId, stays: Option<FactorId>) -> Write {
    // No factor has the empty id.
    let stays = stays.map(|id| id.to_string()).unwrap_or_default();
    sql!("DELETE FROM factors WHERE user_id = {user} AND id <> {stays}"; user, stays)
}

/// Recovery codes, which replace earlier ones.
pub fn replace_codes(user: UserId, codes: &[RecoveryCode]) -> [Write; 2] {
    let hashes: Vec<String> = codes.iter().map(|code| code.hash(user)).collect();
    let insert = sql!(
        "INSERT INTO recovery_codes (user_id, hash) SELECT {user}, value FROM json_each({hashes}) WHERE true
         ON CONFLICT (user_id, hash) DO NOTHING";
        user, hashes = Json(&hashes)
    );
    [delete_codes_but(user, &hashes), insert]
}

fn delete_codes_but(user: UserId, stay: &[String]) -> Write {
    sql!(
        "DELETE FROM recovery_codes WHERE user_id = {user} AND hash NOT IN (SELECT value FROM json_each({stay}))";
        user, stay = Json(stay)
    )
}

#[cfg(test)]
mod tests;
