//! Every write of a person: the caller is authorized, the rows are read and decided on, and one batch commits all of it once.

use crate::auth::person::Person;
use crate::auth::rights::Action;
use crate::call::Call;
use crate::db::statements;
use crate::error::AppError;
use crate::extract::{Once, Presented};
use crate::pipeline::after_commit;
use crate::pipeline::authorize::person::authorize;
use crate::pipeline::commit::{commit, count_and_read, guards, keep, plan_of_call, refused, run};
use crate::pipeline::practice_keys;
use crate::plan::change::{After, Answer, Change, LetterKind};
use crate::plan::{Actor, Guard, Write};
use crate::request::error::RequestError;
use crate::request::idempotency::{self, Repeatable};
use crate::request::reason::Reason;
use crate::response::Response;
use crate::sign_in_limits;
use crate::sql::sql;
use crate::store::answers;
use crate::store::data_keys;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::store::{Done, Queries, Query, RowError, Statement};
use overturn_core::base::id::PracticeId;
use overturn_core::base::param::Json;
use overturn_core::base::sealed::StoredDataKey;
use std::pin::Pin;
use std::rc::Rc;

/// How many times a change is decided if the caller's rights keep changing.
const ROUNDS: usize = 3;
/// How many times a change of several claims is decided if other people keep changing them. Each round that fails means
/// that another change was made.
const ROUNDS_OF_SEVERAL: usize = 8;

/// The practice whose data key seals a part of a change.
pub(crate) enum Sealing {
    /// The practice that the path names.
    Of(PracticeId),
    /// The caller's practice.
    OfCaller,
}

impl Sealing {
    /// The newest data key of the practice. `credential` is the hash of the caller's credential.
    pub(super) fn key(&self, credential: &str) -> Query<Option<StoredDataKey>> {
        match self {
            Self::Of(practice) => data_keys::of_practice(*practice),
            Self::OfCaller => data_keys::of_caller(credential),
        }
    }

    /// The practice, once the caller is known.
    fn practice(&self, person: &Person) -> Result<PracticeId, RequestError> {
        match self {
            Self::Of(practice) => Ok(*practice),
            Self::OfCaller => person.practice(),
        }
    }
}

/// What a write loads, besides its caller.
pub(super) struct Load<'a> {
    pub(super) statements: Vec<Statement>,
    /// Whose data key is loaded after the rows.
    pub(super) sealing: Option<Sealing>,
    pub(super) attempt: Option<Attempt<'a>>,
    /// Asks another service, given what was read.
    pub(super) ask: Option<Box<dyn FnOnce(Vec<Done>) -> Asked<'a> + 'a>>,
    /// False if the request was counted before.
    pub(super) counted: bool,
    /// For a change of several records: the practices whose data keys seal values.
    pub(super) several: Option<Vec<PracticeId>>,
    /// The practices that the records of a change of several are of.
    pub(super) about: Vec<PracticeId>,
    /// True if only the body says of which practice the records are, so that the same request can go to any cell.
    pub(super) of_any_cell: bool,
}

impl Load<'_> {
    pub(super) fn of(load: &impl Queries) -> Self {
        Self {
            statements: statements(load),
            sealing: None,
            attempt: None,
            ask: None,
            counted: true,
            several: None,
            about: Vec::new(),
            of_any_cell: false,
        }
    }
}

/// A write without the type of its body.
pub(super) type UntypedWrite<'a> = (&'a Rc<Call>, &'a Presented, Action, &'a Once, &'a Result<Vec<u8>, RequestError>);

/// Another service is asked. Its answer stays with the caller.
pub(super) type Asked<'a> = Pin<Box<dyn Future<Output = Result<(), AppError>> + 'a>>;

/// The write that counts an attempt and the statement that reads the count, given the caller and what the batch read. `None` if
/// nothing is tried.
pub(super) type Attempt<'a> = &'a dyn Fn(&Person, &[Done]) -> Result<Option<Counted>, RowError>;
pub(super) type Counted = (Write, Statement);

/// The change of a write, given the caller and what was read and counted.
pub(super) type Decide<'d> = dyn FnMut(&Person, (&[Done], Option<&str>)) -> Result<Change, AppError> + 'd;

/// A write to practices that changes nothing. With it, an answer of staff that is kept without a change waits for the switch of a
/// move, and is not left behind: no other statement writes to a row of the practice.
fn touched(practices: &[PracticeId]) -> Write {
    sql!(
        "UPDATE practices SET counted = counted WHERE id IN (SELECT j.value FROM json_each({practices}) j)";
        practices = Json(practices)
    )
}

/// Every write of a person. It is not generic, so the Worker holds it once.
pub(super) async fn commit_once(
    (call, presented, action, once, body): UntypedWrite<'_>,
    load: Load<'_>,
    decide: &mut Decide<'_>,
) -> Result<Response, AppError> {
    let Load { statements: load, sealing, attempt, mut ask, counted, several, about, of_any_cell } = load;
    let body = body.as_ref().map_err(RequestError::clone);
    let request = body.clone().and_then(|body| once.of(body));
    let loaded = load.len();
    let data_key = sealing.as_ref().map(|sealing| sealing.key(&presented.hash));
    let kept = request.as_ref().ok().and_then(Option::as_ref);
    let kept = kept.map(|request| answers::kept(&presented.hash, request));
    let seals = several.as_deref().filter(|seals| !seals.is_empty());
    let behind = (data_key, seals.map(data_keys::of_practices), kept);
    let mut statements = load;
    behind.add_to(&mut statements);
    let rounds = if several.is_some() { ROUNDS_OF_SEVERAL } else { ROUNDS };
    // A client that gave up repeats its request, and the first one may be committed while this one is decided. So the next round
    // looks for its answer. Without one, what was asked or counted is not decided on again.
    let decides_once = attempt.is_some() || ask.is_some();
    let mut conflict = None;
    for round in 0..rounds {
        let load = (statements.clone(), counted && round == 0);
        let (person, read) = authorize(call, presented, action, load).await?;
        let request = request.clone()?;
        let (data_key, data_keys, kept) = behind.rows(&mut read.get(loaded..).unwrap_or_default().iter())?;
        if let Some(request) = &request {
            let kept = kept.flatten();
            if let Some(kept) = idempotency::recall(request, kept.as_ref(), call.ctx.real)? {
                return Ok(after_commit::repeated(kept));
            }
        }
        if let Some(conflict) = conflict.filter(|_| decides_once) {
            return Err(refused(conflict));
        }
        body.clone()?;
        if let Some(ask) = ask.take() {
            ask(read.clone()).await?;
        }
        let count = attempt.map(|attempt| attempt(&person, &read));
        let tried = match count.transpose()?.flatten() {
            Some((count, read)) => count_and_read(call, count, &read).await?,
            None => None,
        };
        let mut change = decide(&person, (&read, tried.as_deref()))?;
        if round == 0 {
            limit_letters(call, &person, &change).await?;
        }
        change.guards.splice(0..0, guards(&person, presented));
        let is_of_staff = person.practice_id.is_none() && call.app.host.cells.are_several();
        let in_all = if of_any_cell && is_of_staff { once.in_all_cells(body.clone()?)? } else { None };
        let kept = request.map(|request| keep(&person, request, &change.answer, call.ctx.real));
        if is_of_staff && kept.is_some() {
            let unchanged = presented.about.filter(|_| change.writes.is_empty());
            let about: Vec<_> = about.iter().copied().chain(unchanged).collect();
            change.writes.extend((!about.is_empty()).then(|| touched(&about)));
        }
        change.writes.extend(kept);
        let stored = data_key.as_ref().and_then(Option::as_ref);
        let mut keys = Vec::new();
        if let Some(sealing) = &sealing {
            let practice = sealing.practice(&person)?;
            keys.push(practice_keys::to_seal(call, practice, stored)?);
        }
        let stored = data_keys.unwrap_or_default();
        let seals = seals.unwrap_or_default().iter().zip(&stored);
        for (n, (practice, stored)) in seals.enumerate() {
            let keys_of = practice_keys::nth_to_seal(call, n, *practice, stored.as_ref());
            keys.push(keys_of?);
        }
        let committed = match confirm(call, presented, (&person, &change.guards), in_all.as_ref()).await? {
            Ok(()) => commit(call, Actor::from(&person), &change, &keys).await,
            Err(fault) => Err(fault),
        };
        match committed {
            // The rights, the code, the practice or its data key have changed: the next round reads them again.
            Err(DatabaseError::Conflict(
                FailedGuard::Rights | FailedGuard::Secret | FailedGuard::Credential | FailedGuard::DataKey,
            )) => {}
            Err(DatabaseError::Conflict(FailedGuard::Record)) if several.is_some() => {}
            Err(fault @ DatabaseError::Conflict(_)) if behind.2.is_some() && conflict.is_none() => {
                conflict = Some(fault)
            }
            done => {
                done.map_err(refused)?;
                return after_commit::first(call, change);
            }
        }
    }
    Err(kept_changing(several.is_some()).into())
}

/// What the directory has to say right before the batch: in the cell of a practice, whether a member of staff still may make a
/// change, and a colleague get what it gives, because the guards there look at copies; and whether the key of a request that can
/// go to any cell came with another body, because another cell may have its answer.
async fn confirm(
    call: &Call,
    presented: &Presented,
    (person, guards): (&Person, &[Guard]),
    in_all: Option<&Repeatable>,
) -> Result<Result<(), DatabaseError>, AppError> {
    let home = call.home.as_deref().unwrap_or(call);
    let of_staff = guards.iter().filter(|guard| matches!(guard, Guard::Person(_) | Guard::OfStaff(_)));
    let guards: Vec<Guard> = if call.home.is_some() { of_staff.cloned().collect() } else { Vec::new() };
    let note = in_all.map(|request| keep(person, request.clone(), &Answer::empty(), home.ctx.real));
    if guards.is_empty() && note.is_none() {
        return Ok(Ok(()));
    }
    let plan = plan_of_call(home, Actor::from(person), guards, note.into_iter().collect());
    match (run(&home.db, &home.app, &plan).await, in_all) {
        (Err(DatabaseError::Conflict(FailedGuard::Request)), Some(request)) => {
            let kept = home.db.read(&answers::kept(&presented.hash, request)).await?;
            idempotency::recall(request, kept.as_ref(), home.ctx.real)?;
            Ok(Ok(()))
        }
        (done, _) => Ok(done.map(drop)),
    }
}

/// The error of the last round.
const fn kept_changing(several: bool) -> RequestError {
    if several {
        RequestError::Conflict(Reason::VersionConflict, "the records keep changing, try again")
    } else {
        RequestError::Conflict(Reason::RightsChanged, "your rights have changed, try again")
    }
}

/// Counts the emails of a change that have a link. Notices are always sent.
async fn limit_letters(call: &Call, person: &Person, change: &Change) -> Result<(), AppError> {
    for after in &change.after {
        if let After::Mail(letter) = after
            && letter.says.has_link()
        {
            sign_in_limits::mail(call, &letter.to.key()).await?;
            if let (LetterKind::Invitation { .. }, Some(practice)) = (&letter.says, person.practice_id) {
                sign_in_limits::invitation(call, practice).await?;
            }
        }
    }
    Ok(())
}
