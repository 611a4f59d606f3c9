//! `/api/v1/settings/practice`: its name, its appeal button, how many sessions a member may have, and its details.

use crate::accounts::sessions::LASTS;
use crate::auth::disclosure::PracticeState;
use crate::auth::rights::Action;
use crate::auth::session::IDLE_MS;
use crate::plan::practice::{PracticeDetails, TaxId};
use crate::plan::us_zone::UsZone;
use crate::prelude::*;
use crate::request::declare::kinds::{Changed, Clearable, Flag, Inside, Printable};
use crate::request::declare::{Field, Raw, Terms};
use crate::settings::details::{self, EmployerId, GivenAddress, Npi, Phone};
use overturn_core::base::id::SessionId;
use overturn_core::request::field::Problems;
use overturn_core::request::problem::Rule;
use serde::Serializer;
use serde_json::Value;

/// The value of `concurrent_sessions` without a limit.
const UNLIMITED: &str = "unlimited";

body! {
    /// At least one setting. Unknown keys are refused.
    #[derive(Clone, Default)]
    edit PracticeEdit {
        name: Changed<Printable<200>>,
        /// Whether status reads return the link with which a patient signs.
        appeal_button: Changed<Flag>,
        /// How many sessions each person of the practice may have at a time.
        concurrent_sessions: Changed<SingleSession>,
        address: Clearable<Inside<GivenAddress>>,
        /// The National Provider Identifier of the practice, as on its claims. Its last digit is checked.
        npi: Clearable<Npi>,
        /// The employer identification number of the practice, with its hyphen. We take no social security number: an
        /// employer identification number costs nothing, also for a practice of one person.
        tax_id: Clearable<EmployerId>,
        /// A phone number of the United States, in any usual form and without an extension.
        phone: Clearable<Phone>,
        /// The zone in which a patient's signature says when it was made, beside UTC.
        time_zone: Clearable<UsZone>,
    }
}

/// True for `1`, false for `unlimited`.
pub struct SingleSession;

impl Field for SingleSession {
    type Value = bool;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<bool> {
        match raw {
            Raw::Whole(1) => return Some(true),
            Raw::Text(text) if text == UNLIMITED => return Some(false),
            _ => p.add(name, Rule::MustBe("unlimited or the number 1".into())),
        }
        None
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "enum": [1, UNLIMITED] })
    }
}

/// A practice with its settings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PracticeView {
    pub id: PracticeId,
    // The edits of single sign-on are among its edits.
    pub version: i64,
    pub name: String,
    #[cfg_attr(feature = "schema", schemars(with = "PracticeState"))]
    pub state: String,
    pub appeal_button: bool,
    #[cfg_attr(feature = "schema", schemars(with = "ConcurrentSessions"))]
    #[serde(rename(serialize = "concurrent_sessions"), serialize_with = "concurrent_sessions")]
    pub single_session: bool,
    /// Whether an agreement is in force. Without one, we accept no claims.
    pub baa_signed: bool,
    /// Whether an API key works, with which a billing system sends claims.
    pub has_api_key: bool,
    #[serde(flatten)]
    pub details: PracticeDetails,
}

/// The values in an answer. Generators of clients need a type for each.
#[cfg(feature = "schema")]
enum ConcurrentSessions {}

#[cfg(feature = "schema")]
overturn_core::described! {
    ConcurrentSessions = { "oneOf": [{ "type": "integer", "enum": [1] }, { "type": "string", "enum": [UNLIMITED] }] }
}

fn concurrent_sessions<S: Serializer>(single: &bool, to: S) -> Result<S::Ok, S::Error> {
    if *single { to.serialize_u8(1) } else { to.serialize_str(UNLIMITED) }
}

/// A practice, as it begins.
pub struct NewPractice {
    pub id: PracticeId,
    pub name: String,
    pub state: PracticeState,
    pub created_at: Instant,
}

impl NewPractice {
    pub fn insert(&self) -> Write {
        sql!(
            "INSERT INTO practices (id, name, state, appeal_button, created_at) VALUES ({id}, {name}, {state}, 0, {created_at})
             ON CONFLICT (id) DO NOTHING";
            id = self.id, name = &self.name, state = self.state, created_at = self.created_at
        )
    }
}

/// The caller's practice. No row for staff.
pub(super) fn practice(caller: &str, now: Instant) -> Query<Option<PracticeView>> {
    const DETAILS: &str = practice_details!();
    select!(
        "settings.practice",
        "SELECT json_object('id', p.id, 'version', p.version, 'name', p.name, 'state', p.state,
           'appeal_button', json(iif(p.appeal_button = 1, 'true', 'false')),
           'single_session', json(iif(p.single_session = 1, 'true', 'false')),
           'baa_signed', json(iif(EXISTS (SELECT 1 FROM agreements a
             WHERE a.practice_id = p.id AND a.kind = 'baa' AND a.ended_at IS NULL), 'true', 'false')),
           'has_api_key', json(iif(EXISTS (SELECT 1 FROM api_keys k
             WHERE k.practice_id = p.id AND k.revoked_at IS NULL AND k.expires_at > {now}), 'true', 'false')),
           {DETAILS}) AS json
         FROM practices p WHERE p.id = {OF_CALLER}" [DETAILS];
        caller, now
    )
    .optional()
}

/// `showPractice`: Read the practice's settings.
///
/// For everyone in the practice.
pub(crate) async fn show(request: ReadRequest) -> Result<Gives<PracticeView>, AppError> {
    let load = practice(request.credential(), request.ctx().now);
    let view = request.show_versioned(load, |_, stored| {
        let body = known(stored)?;
        Ok(Versioned { version: body.version, body })
    });
    view.await
}

/// `editPractice`: Change the practice's settings.
///
/// Owners and admins only. A setting that you leave out stays as it is. `null` removes `address`, `npi`, `tax_id`,
/// `phone` and `time_zone`, which an appeal needs and our staff see. The audit trail says which of these changed,
/// and not their values. A change of `concurrent_sessions` is sensitive. If you set it to `1`, each member keeps
/// only the newest session. The person who makes the change keeps only the session that makes it.
pub(crate) async fn edit(
    IfMatch(seen): IfMatch,
    request: WriteRequest<PracticeEdit>,
) -> Result<Gives<PracticeView>, AppError> {
    let load = practice(request.credential(), request.ctx().now);
    let action = action(request.body().ok().as_ref());
    let request = request.needing(action);
    let decide = |person: &Person, stored, edit| edited(edit, (stored, seen), person, request.ctx());
    request.change(load, decide).await
}

fn known(stored: Option<PracticeView>) -> Result<PracticeView, RequestError> {
    stored.ok_or(RequestError::NotFound("no such practice"))
}

impl PracticeEdit {
    /// The details after the edit.
    pub(super) fn details(&self, stored: &PracticeDetails) -> PracticeDetails {
        fn after<T: Clone, G: Clone + Into<T>>(given: &Option<Option<G>>, stored: &Option<T>) -> Option<T> {
            given.clone().map_or_else(|| stored.clone(), |given| given.map(Into::into))
        }
        PracticeDetails {
            address: after(&self.address, &stored.address),
            npi: after(&self.npi, &stored.npi),
            tax_id: after(&self.tax_id, &stored.tax_id),
            phone: after(&self.phone, &stored.phone),
            time_zone: after(&self.time_zone, &stored.time_zone),
        }
    }
}

/// The action that a body requests. A body that cannot be read counts as not sensitive.
const fn action(body: Option<&PracticeEdit>) -> Action {
    match body {
        Some(edit) if edit.concurrent_sessions.is_some() => Action::EditSessionPolicy,
        _ => Action::EditPractice,
    }
}

/// If only one session is allowed from now on, each member keeps the latest one, and the caller keeps the current one.
pub(super) fn edited(
    asked: PracticeEdit,
    (stored, seen): (Option<PracticeView>, Seen),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    let stored = known(stored)?;
    seen.is(stored.version)?;
    let read = RecordVersion { record: EditedRecord::Practice(practice), version: stored.version };
    let mut view = PracticeView {
        name: asked.name.clone().unwrap_or_else(|| stored.name.clone()),
        appeal_button: asked.appeal_button.unwrap_or(stored.appeal_button),
        single_session: asked.concurrent_sessions.unwrap_or(stored.single_session),
        details: asked.details(&stored.details),
        ..stored.clone()
    };
    if view == stored {
        return Ok(Change::nothing(Answer::new(200, &view)));
    }
    view.version = read.next().version;
    let audit = Entry::new(ctx, 0, Some(practice), Event::PracticeChanged, practice);
    let audit = audit.detail(changed(&asked, (&stored, &view)));
    let PracticeDetails { address, npi, tax_id, phone, time_zone } = &view.details;
    let change = Change::new(audit, Answer::new(200, &view))
        .write(sql!(
            "UPDATE practices SET name = {name}, appeal_button = {appeal_button}, single_session = {single_session},
               address = {address}, npi = {npi}, tax_id = {tax_id}, phone = {phone}, time_zone = {time_zone}
             WHERE id = {practice}";
            practice, name = &view.name, appeal_button = i64::from(view.appeal_button),
            single_session = i64::from(view.single_session), address = address.as_ref().map(Json),
            npi = npi.as_deref(), tax_id = tax_id.as_ref().map(TaxId::digits), phone = phone.as_deref(),
            time_zone = *time_zone
        ))
        .edits(read);
    Ok(if asked.concurrent_sessions == Some(true) {
        change.write(surplus_ended(practice, (person.user_id, person.session()?), ctx.now))
    } else {
        change
    })
}

/// Ends every session of the practice except this session of its person, and the latest active one of every other member.
fn surplus_ended(practice: PracticeId, (user, stays): (UserId, SessionId), now: Instant) -> Write {
    sql!(
        "UPDATE sessions SET revoked_at = {now}
         WHERE revoked_at IS NULL AND user_id IN (SELECT id FROM users WHERE practice_id = {practice})
           AND iif(user_id = {user}, id <> {stays}, EXISTS (
             SELECT 1 FROM sessions s WHERE s.user_id = sessions.user_id AND s.id > sessions.id AND {LASTS}
               AND s.epoch = sessions.epoch))" [LASTS];
        practice, user, stays, now, idle = now.plus(-IDLE_MS)
    )
}

/// The settings after an edit, as shown, and what happened to the details.
fn changed(asked: &PracticeEdit, (stored, view): (&PracticeView, &PracticeView)) -> Value {
    let given = [
        ("name", asked.name.is_some()),
        ("appeal_button", asked.appeal_button.is_some()),
        ("concurrent_sessions", asked.concurrent_sessions.is_some()),
    ];
    let shown = serde_json::to_value(view).unwrap_or_default();
    let given = given.into_iter().filter(|(_, given)| *given);
    let changed = given.filter_map(|(name, _)| Some((name.into(), shown.get(name)?.clone())));
    let mut said = details::changed(&stored.details, &view.details);
    said.extend(changed);
    Value::Object(said)
}

#[cfg(test)]
mod tests;
