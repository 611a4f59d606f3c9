//! Calls of staff in the cell of a practice. The staff's accounts are in the directory, which authorizes every such call
//! first. Then the call goes on where the practice lives, beside a copy of the account and of the session, by which the
//! joins and the guards there hold. A copy is never a permission.

use super::authorize::standing::practice_standing;
use crate::auth::disclosure;
use crate::call::Call;
use crate::db::statements;
use crate::error::AppError;
use crate::extract::{Presented, bearer, named_practice};
use crate::pipeline::commit::{plan, run_and_read};
use crate::plan::{Actor, Write};
use crate::sql::{select, sql};
use crate::store::{Done, Queries, Query, Statement};
use overturn_core::base::cell::Cell;
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;
use overturn_core::base::param::Json;
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The call in the cell of the practice that it names, as far as this instance knows, if it is one of staff.
pub(crate) fn visiting(call: &Rc<Call>) -> Rc<Call> {
    let is_of_staff = call.app.host.cells.are_several() && call.ctx.cell == Cell::FIRST && bearer(call).is_none();
    match named_practice(call).filter(|_| is_of_staff) {
        Some(practice) => call.visiting(call.app.memory.places.of(&practice.to_string(), practice.cell())),
        None => Rc::clone(call),
    }
}

/// Where practices live that do not live in the cell that their ids name.
pub(super) fn moved(practices: &[PracticeId]) -> Query<Vec<(PracticeId, Cell)>> {
    select!(
        "pipeline.places",
        "SELECT json_group_array(json_array(p.practice_id, p.cell)) AS json
         FROM json_each({practices}) j CROSS JOIN places p ON p.practice_id = j.value";
        practices = Json(practices)
    )
    .one()
}

/// Where practices live. The directory says it of all.
pub(crate) async fn places(
    call: &Rc<Call>,
    practices: impl IntoIterator<Item = PracticeId>,
) -> Result<BTreeMap<PracticeId, Cell>, AppError> {
    let mut places: BTreeMap<_, _> = practices.into_iter().map(|practice| (practice, practice.cell())).collect();
    if call.app.host.cells.are_several() {
        let named: Vec<PracticeId> = places.keys().copied().collect();
        places.extend(call.at_home().db.read(&moved(&named)).await?);
    }
    Ok(places)
}

/// Checks that the practice of a call lives in its cell.
///
/// # Errors
///
/// [`AppError::Moved`] if it lives in another one.
pub(super) fn check_place(call: &Call, practice: PracticeId, moved: &[(PracticeId, Cell)]) -> Result<(), AppError> {
    let lives = moved.first().map_or(practice.cell(), |(_, cell)| *cell);
    let lives = call.app.host.cells.known(lives);
    // A practice that no row tells of may be made up.
    if !moved.is_empty() || lives == practice.cell() {
        call.app.memory.places.note(&practice.to_string(), practice.cell(), lives);
    }
    if lives == call.ctx.cell { Ok(()) } else { Err(AppError::Moved) }
}

/// Loads the rows of a call in the cell of a practice. The copies there become what the directory `said`.
pub(super) async fn load(
    call: &Call,
    presented: &Presented,
    said: Option<String>,
    load: Vec<Statement>,
) -> Result<Vec<Done>, AppError> {
    let who = (self::said(presented), presented.about.map(practice_standing));
    let mut all = statements(&who);
    let known = all.len();
    all.extend(load);
    let mut read = call.db.batch(&all).await?;
    let (mut copied, mut practice) = who.rows(&mut read.iter())?;
    if copied != said {
        let writes = copies(said.as_deref().unwrap_or_default(), call.ctx.real)?;
        let plan = plan(&call.ctx, Actor::Service, Vec::new(), writes);
        let rows = run_and_read(&call.db, &call.app, &plan, &all).await?;
        read = rows.into_iter().map(|json| Done { json, changes: 0 }).collect();
        (copied, practice) = who.rows(&mut read.iter())?;
        if copied != said {
            return Err(AppError::Unavailable("copy"));
        }
    }
    if let Some(practice) = practice.flatten() {
        disclosure::allowed(practice.state, practice.baa_signed)?;
    }
    Ok(read.split_off(known.min(read.len())))
}

/// What a cell says of the account and the session of a staff member, and of a colleague: the same text in each cell, if the
/// copies are those of the directory.
pub(super) fn said(presented: &Presented) -> Query<Option<String>> {
    const PERSON: &str = "u.id, u.role, u.state, u.email, u.name, u.epoch, u.version, u.created_at";
    select!(
        "pipeline.said_of_staff",
        "SELECT json_array(
           json((SELECT json_array({PERSON}, s.id, s.hash, s.kind, s.epoch, s.created_at, s.ends_at, s.revoked_at)
             FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.hash = {hash} AND u.practice_id IS NULL)),
           json((SELECT json_array({PERSON}) FROM users u WHERE u.id = {colleague} AND u.practice_id IS NULL))) AS json" [PERSON];
        hash = &presented.hash, colleague = presented.colleague
    )
    .read(|json| Ok(json.map(str::to_owned)))
}

/// Makes the copies as the directory says. They have no password, and no address by which anybody signs in: the addresses of
/// staff are the directory's. Copies of sessions that have ended go.
fn copies(said: &str, now: Instant) -> Result<Vec<Write>, AppError> {
    // The cause adds nothing.
    let [caller, colleague]: [Value; 2] =
        serde_json::from_str(said).map_err(|_| AppError::Internal("what the directory said"))?;
    let people = [&caller, &colleague].into_iter().filter(|person| !person.is_null()).map(copy);
    let session = Json(&caller);
    let user = caller.get(0).and_then(Value::as_str);
    let ended = sql!("DELETE FROM sessions WHERE user_id = {user} AND ends_at <= {now}"; user, now);
    let session = sql!(
        "INSERT INTO sessions (user_id, id, hash, kind, epoch, created_at, ends_at, seen_at, revoked_at, ip, agent)
         VALUES ({session} ->> 0, {session} ->> 8, {session} ->> 9, {session} ->> 10, {session} ->> 11, {session} ->> 12,
           {session} ->> 13, {session} ->> 12, {session} ->> 14, '', '')
         ON CONFLICT (user_id, id) DO UPDATE SET hash = excluded.hash, kind = excluded.kind, epoch = excluded.epoch,
           ends_at = excluded.ends_at, revoked_at = excluded.revoked_at";
        session
    );
    Ok(people.chain([ended, session]).collect())
}

/// One row, because SQLite would look at every record of a person behind several.
fn copy(person: &Value) -> Write {
    sql!(
        "INSERT INTO users (id, practice_id, role, state, email, email_key, name, epoch, version, created_at)
         VALUES ({person} ->> 0, NULL, {person} ->> 1, {person} ->> 2, {person} ->> 3, {person} ->> 0, {person} ->> 4,
           {person} ->> 5, {person} ->> 6, {person} ->> 7)
         ON CONFLICT (id) DO UPDATE SET role = excluded.role, state = excluded.state, email = excluded.email,
           name = excluded.name, epoch = excluded.epoch, version = excluded.version";
        person = Json(person)
    )
}
