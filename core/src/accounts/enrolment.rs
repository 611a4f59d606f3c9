//! Enrolling or replacing an authenticator app, and making new recovery codes.

use crate::accounts::continuation::StoredFactor;
use crate::accounts::new_session::SignInContext;
use crate::accounts::recovery::RecoveryCode;
use crate::accounts::second_factor::{CODE_MAX, Code, turn};
use crate::auth::person::Person;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::email::EmailAddress;
use crate::base::id::{FactorId, UserId};
use crate::base::totp::TotpSecret;
use crate::plan::accounts::{NewFactor, RecoveryCodes, SessionsToEnd};
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{After, Answer, Change, LetterKind, PlannedLetter};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
#[cfg(feature = "schema")]
use crate::request::declare::kinds::Text;
use crate::request::declare::{Field, Raw, Terms, body};
use crate::request::error::RequestError;
use crate::request::field::{self, Problems};
use crate::request::problem::Rule;
use alloc::vec::Vec;
use serde_json::json;

/// The service name that the authenticator app shows.
const ISSUER: &str = "Overturn";

body! {
    Confirmed {
        factor_id: ConfirmedId,
        /// A code of the app.
        code: Code,
    }
}

/// The id of a factor. Text that is not a UUID is the id of no factor.
pub struct ConfirmedId;

impl Field for ConfirmedId {
    type Value = FactorId;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<FactorId> {
        let id = field::required(p, name, raw.text(), CODE_MAX)?.parse();
        id.map(FactorId).map_err(|_| p.refuse(NO_FACTOR)).ok()
    }

    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value {
        Text::<CODE_MAX>::schema()
    }
}

/// Begins the enrollment of an authenticator app: only this answer shows the secret. Nothing changes until the person
/// confirms a code of the app.
#[must_use]
pub fn begin(person: &Person, email: &str, secret: TotpSecret, ctx: &Ctx) -> Change {
    let id = FactorId(ctx.id(Purpose::Record, 0));
    let shown = json!({
        "secret": secret.expose_base32(),
        "otpauth_uri": secret.otpauth_uri(ISSUER, email),
    });
    let answer = Answer::new(201, &json!({ "factor_id": id })).once("totp", shown);
    let event = Event::FactorBegun;
    let entry = Entry::new(ctx, 0, person.practice_id, event, person.user_id);
    let factor = NewFactor { id, user_id: person.user_id, secret };
    Change::new(entry, answer).write(Write::Accounts(AccountsWrite::NewFactor(factor)))
}

const NO_FACTOR: RequestError = RequestError::NotFound("no such factor to confirm");

/// The parts that turn an enrollment into a factor.
#[derive(Debug)]
pub struct Enrolment<'e> {
    /// The factor that is not confirmed yet.
    pub factor: Option<StoredFactor>,
    /// Its opened secret.
    pub secret: Option<TotpSecret>,
    /// The address of the person.
    pub email: &'e str,
    /// Ten fresh recovery codes.
    pub codes: Vec<RecoveryCode>,
}

/// Confirms a factor with its first code. It replaces the earlier factor and all recovery codes. All other sessions
/// end, and this one gets a new token.
///
/// # Errors
///
/// [`RequestError::NotFound`] if no such factor waits for confirmation, [`RequestError::Invalid`] for a wrong code.
pub fn confirm(
    confirmed: &Confirmed,
    enrolment: &Enrolment<'_>,
    person: &Person,
    setting: SignInContext<'_>,
) -> Result<Change, RequestError> {
    let ctx = setting.ctx;
    let (user, session) = (person.user_id, person.session()?);
    let factor = enrolment.factor.as_ref().ok_or(NO_FACTOR)?;
    let secret = enrolment.secret.as_ref().ok_or(RequestError::KeyUnavailable)?;
    let step = secret
        .accept(&confirmed.code.0, ctx.now, factor.last_step)
        .ok_or_else(|| RequestError::invalid("code", Rule::NotRight))?;
    let epoch = person.epoch.saturating_add(1);
    let entry = Entry::new(ctx, 0, person.practice_id, Event::FactorEnrolled, user);
    let change = Change::new(entry, shown_codes(200, &enrolment.codes))
        .guard(Guard::Accounts(AccountsGuard::Step { user, factor: factor.id, step }))
        .write(Write::Accounts(AccountsWrite::FactorConfirmed { user, factor: factor.id }))
        .write(Write::Accounts(AccountsWrite::FactorStep { user, factor: factor.id, step }))
        .write(recovery_codes(user, &enrolment.codes))
        .write(Write::Accounts(AccountsWrite::Epoch { user, epoch }))
        .write(Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::Others(user, session))));
    let change = turn(change, user, session, epoch, setting);
    Ok(tell(change, enrolment.email))
}

/// Makes new recovery codes, which replace the earlier ones.
#[must_use]
pub fn renew_codes(person: &Person, email: &str, codes: &[RecoveryCode], ctx: &Ctx) -> Change {
    let user = person.user_id;
    let event = Event::RecoveryCodesMade;
    let entry = Entry::new(ctx, 0, person.practice_id, event, user);
    let change = Change::new(entry, shown_codes(201, codes)).write(recovery_codes(user, codes));
    tell(change, email)
}

fn shown_codes(status: u16, codes: &[RecoveryCode]) -> Answer {
    let codes: Vec<&str> = codes.iter().map(RecoveryCode::expose).collect();
    Answer::new(status, &json!({})).once("recovery_codes", codes)
}

pub(crate) fn recovery_codes(user_id: UserId, codes: &[RecoveryCode]) -> Write<'static> {
    let hashes = codes.iter().map(|code| code.hash(user_id)).collect();
    Write::Accounts(AccountsWrite::RecoveryCodes(RecoveryCodes { user_id, hashes }))
}

/// Adds an email about a change of the second factor.
fn tell(change: Change, email: &str) -> Change {
    match EmailAddress::parse(email) {
        Some(to) => change.after(After::Mail(PlannedLetter { to, says: LetterKind::FactorChanged })),
        None => change,
    }
}
