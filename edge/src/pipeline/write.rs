//! Writes: core decides on the loaded rows, and one batch commits the change together with the answer for a repeated
//! request.

use super::authorize::person::authorize;
use super::commit::{commit, count_and_read, guards, keep, refused};
use crate::call::Call;
use crate::db::statements;
use crate::error::AppError;
use crate::extract::{Once, ParseBody, Presented, WriteRequest};
use crate::pipeline::after_commit;
use crate::pipeline::tampered;
use crate::sign_in_limits;
use axum::response::Response;
use overturn_core::auth::person::Person;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::PracticeId;
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::plan::change::{After, Change, LetterKind};
use overturn_core::plan::{Actor, Write};
use overturn_core::request::error::RequestError;
use overturn_core::request::idempotency;
use overturn_core::request::reason::Reason;
use overturn_store::accounts::queries;
use overturn_store::error::{DatabaseError, FailedGuard};
use overturn_store::settings::data_keys;
use overturn_store::{Done, Queries, Query, RowError, Statement};
use std::cell::RefCell;
use std::pin::Pin;
use std::sync::Arc;

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
    fn key(&self, credential: &str) -> Query<Option<StoredDataKey>> {
        match self {
            Self::Of(practice) => data_keys::of_practice(*practice),
            Self::OfCaller => data_keys::of_caller(credential),
        }
    }
}

impl WriteRequest {
    /// Authorizes the caller of a write whose body is received outside of the pipeline, and counts the request.
    pub(crate) async fn authorize(&self, action: Action) -> Result<Person, AppError> {
        let load = (Vec::new(), true);
        let (person, _) = authorize(&self.call, &self.presented, action, load).await?;
        Ok(person)
    }

    /// Authorizes the caller for records of a practice, which must be readable. Does not count the request again.
    pub(crate) async fn authorize_about(
        &self,
        action: Action,
        practice: PracticeId,
    ) -> Result<(), AppError> {
        let presented = self.presented.about(practice);
        let known = queries::practice_standing(practice);
        let load = (statements(&known), false);
        let (_, done) = authorize(&self.call, &presented, action, load).await?;
        match known.rows(&mut done.iter())? {
            Some(_) => Ok(()),
            None => Err(RequestError::NotFound("no such practice").into()),
        }
    }

    /// Commits the decision on what [`authorize`](Self::authorize) let the caller send for a practice. A repeated request is
    /// recognized by its `fingerprint`. The caller is authorized again, because much can happen while a body arrives.
    pub(crate) async fn change_received<Q: Queries>(
        &self,
        action: Action,
        (practice, fingerprint): (PracticeId, Vec<u8>),
        load: Q,
        mut decide: impl FnMut(&Person, Q::Rows) -> Result<Change, AppError>,
    ) -> Result<Response, AppError> {
        let presented = self.presented.about(practice);
        let asked = (&self.call, &presented, &self.once, &Ok(fingerprint));
        let mut decide = |person: &Person, (done, _): (&[Done], Option<&str>)| {
            decide(person, load.rows(&mut done.iter())?)
        };
        let load = Load {
            statements: statements(&load),
            sealing: Some(Sealing::Of(practice)),
            attempt: None,
            ask: None,
            counted: false,
            several: None,
        };
        commit_once(asked, action, load, &mut decide).await
    }
}

impl<B: ParseBody> WriteRequest<B> {
    fn asked(&self) -> UntypedWrite<'_> {
        (&self.call, &self.presented, &self.once, &self.bytes)
    }

    /// Authorizes the caller, counts the request, and loads rows for work that comes before the decision.
    pub(crate) async fn load<Q: Queries>(
        &self,
        action: Action,
        load: Q,
    ) -> Result<(Person, Q::Rows), AppError> {
        self.load_again(action, load, true).await
    }

    /// [`load`](Self::load), which counts the request only if it is `counted`.
    pub(crate) async fn load_again<Q: Queries>(
        &self,
        action: Action,
        load: Q,
        counted: bool,
    ) -> Result<(Person, Q::Rows), AppError> {
        let statements = (statements(&load), counted);
        let (person, done) = authorize(&self.call, &self.presented, action, statements).await?;
        Ok((person, load.rows(&mut done.iter())?))
    }

    /// [`change`](Self::change) after [`load`](Self::load), which counted the request. The caller is authorized again, because much
    /// can happen in between.
    pub(crate) async fn change_counted_before<Q: Queries>(
        &self,
        action: Action,
        load: Q,
        mut decide: impl FnMut(&Person, Q::Rows, B) -> Result<Change, AppError>,
    ) -> Result<Response, AppError> {
        let mut decide = |person: &Person, (done, _): (&[Done], Option<&str>)| {
            decide(person, load.rows(&mut done.iter())?, self.body()?)
        };
        let load = Load {
            counted: false,
            ..Load::of(&load)
        };
        commit_once(self.asked(), action, load, &mut decide).await
    }

    /// Commits the decision of `decide` on the rows and the body. A request that is repeated with its idempotency key
    /// gets the first answer.
    pub(crate) async fn change<Q: Queries, E: Into<AppError>>(
        &self,
        action: Action,
        load: Q,
        mut decide: impl FnMut(&Person, Q::Rows, B) -> Result<Change, E>,
    ) -> Result<Response, AppError> {
        let mut decide = |person: &Person, (done, _): (&[Done], Option<&str>)| {
            let rows = load.rows(&mut done.iter())?;
            decide(person, rows, self.body()?).map_err(Into::into)
        };
        let load = Load::of(&load);
        commit_once(self.asked(), action, load, &mut decide).await
    }

    /// [`change`](Self::change) that compares a secret. `attempt` gives the write that counts the attempt and the query that reads
    /// the count, which are committed after the caller is authorized and before the decision. It gives `None` if nothing is tried.
    pub(crate) async fn change_counted<Q: Queries, C>(
        &self,
        action: Action,
        load: Q,
        attempt: impl Fn(&Person, &Q::Rows, B) -> Option<(Write<'static>, Query<C>)>,
        mut decide: impl FnMut(&Person, (Q::Rows, Option<C>), B) -> Result<Change, AppError>,
    ) -> Result<Response, AppError> {
        let attempt = |person: &Person, rows: &Q::Rows| attempt(person, rows, self.body().ok()?);
        let count = |person: &Person, done: &[Done]| {
            let rows = load.rows(&mut done.iter())?;
            Ok(attempt(person, &rows).map(|(count, read)| (count, read.into())))
        };
        let mut decide = |person: &Person, (done, counted): (&[Done], Option<&str>)| {
            let rows = load.rows(&mut done.iter())?;
            let counted = attempt(person, &rows).map(|(_, read)| read.row(counted));
            let counted = counted.transpose()?;
            decide(person, (rows, counted), self.body()?)
        };
        let load = Load {
            attempt: Some(&count as Attempt<'_>),
            ..Load::of(&load)
        };
        commit_once(self.asked(), action, load, &mut decide).await
    }

    /// [`change`](Self::change) whose decision needs the answer of another service. `ask` runs once, after the caller is
    /// authorized, and not for a request that is repeated with its idempotency key. The guards of the batch notice what
    /// has changed until the answer came.
    pub(crate) async fn change_asking<Q: Queries, A: Clone, E: Into<AppError>>(
        &self,
        action: Action,
        load: Q,
        ask: impl AsyncFnOnce(Q::Rows, B) -> Result<A, AppError>,
        mut decide: impl FnMut(&Person, (Q::Rows, A), B) -> Result<Change, E>,
    ) -> Result<Response, AppError> {
        let answer = RefCell::new(None);
        let (rows, kept) = (&load, &answer);
        let ask = move |done: Vec<Done>| -> Asked<'_> {
            Box::pin(async move {
                let rows = rows.rows(&mut done.iter())?;
                let answer = ask(rows, self.body()?).await?;
                kept.replace(Some(answer));
                Ok(())
            })
        };
        let mut decide = |person: &Person, (done, _): (&[Done], Option<&str>)| {
            let rows = load.rows(&mut done.iter())?;
            let answer = answer.borrow().clone();
            let answer = answer.ok_or(AppError::Internal("not asked"))?;
            decide(person, (rows, answer), self.body()?).map_err(Into::into)
        };
        let load = Load {
            ask: Some(Box::new(ask)),
            ..Load::of(&load)
        };
        commit_once(self.asked(), action, load, &mut decide).await
    }

    /// [`change`](Self::change) that seals a value. The newest data key of the practice is loaded after the rows.
    pub(crate) async fn change_sealed<Q: Queries, E: Into<AppError>>(
        &self,
        action: Action,
        (load, sealing): (Q, Sealing),
        mut decide: impl FnMut(&Person, (Q::Rows, Option<StoredDataKey>), B) -> Result<Change, E>,
    ) -> Result<Response, AppError> {
        let sealing_key = sealing.key(self.credential());
        let mut decide = |person: &Person, (done, _): (&[Done], Option<&str>)| {
            let mut done = done.iter();
            let rows = load.rows(&mut done)?;
            let key = sealing_key.rows(&mut done)?;
            decide(person, (rows, key), self.body()?).map_err(Into::into)
        };
        let load = Load {
            sealing: Some(sealing),
            ..Load::of(&load)
        };
        commit_once(self.asked(), action, load, &mut decide).await
    }

    /// [`change`](Self::change) that decides about several records, each alone. If somebody else changes one of them before
    /// the commit, all are read and decided again, so that the others are changed all the same. The data keys of the
    /// practices of `seals` seal values.
    pub(crate) async fn change_several<Q: Queries>(
        &self,
        action: Action,
        (load, seals): (Q, Vec<PracticeId>),
        mut decide: impl FnMut(&Person, Q::Rows, B) -> Change,
    ) -> Result<Response, AppError> {
        let mut decide = |person: &Person, (done, _): (&[Done], Option<&str>)| {
            let rows = load.rows(&mut done.iter())?;
            Ok(decide(person, rows, self.body()?))
        };
        let load = Load {
            several: Some(seals),
            ..Load::of(&load)
        };
        commit_once(self.asked(), action, load, &mut decide).await
    }
}

/// What a write loads, besides its caller.
struct Load<'a> {
    statements: Vec<Statement>,
    /// Whose data key is loaded after the rows.
    sealing: Option<Sealing>,
    attempt: Option<Attempt<'a>>,
    /// Asks another service, given what was read.
    ask: Option<Box<dyn FnOnce(Vec<Done>) -> Asked<'a> + 'a>>,
    /// False if the request was counted before.
    counted: bool,
    /// For a change of several records: the practices whose data keys seal values.
    several: Option<Vec<PracticeId>>,
}

impl Load<'_> {
    fn of(load: &impl Queries) -> Self {
        Self {
            statements: statements(load),
            sealing: None,
            attempt: None,
            ask: None,
            counted: true,
            several: None,
        }
    }
}

/// A write without the type of its body.
type UntypedWrite<'a> = (
    &'a Arc<Call>,
    &'a Presented,
    &'a Once,
    &'a Result<Vec<u8>, RequestError>,
);

/// Another service is asked. Its answer stays with the caller.
type Asked<'a> = Pin<Box<dyn Future<Output = Result<(), AppError>> + 'a>>;

/// The write that counts an attempt and the statement that reads the count, given the caller and what the batch read. `None` if
/// nothing is tried.
type Attempt<'a> = &'a dyn Fn(&Person, &[Done]) -> Result<Option<Counted>, RowError>;
type Counted = (Write<'static>, Statement);

/// The change of a write, given the caller and what was read and counted.
type Decide<'d> = dyn FnMut(&Person, (&[Done], Option<&str>)) -> Result<Change, AppError> + 'd;

/// Every write of a person. It is not generic, so the Worker holds it once.
async fn commit_once(
    (call, presented, once, body): UntypedWrite<'_>,
    action: Action,
    load: Load<'_>,
    decide: &mut Decide<'_>,
) -> Result<Response, AppError> {
    let Load {
        statements: load,
        sealing,
        attempt,
        mut ask,
        counted,
        several,
    } = load;
    let body = body.as_ref().map_err(RequestError::clone);
    let request = body.clone().and_then(|body| once.of(body));
    let loaded = load.len();
    let data_key = sealing.as_ref().map(|sealing| sealing.key(&presented.hash));
    let kept = request.as_ref().ok().and_then(Option::as_ref);
    let kept = kept.map(|request| queries::kept(&presented.hash, request));
    let seals = several.as_deref().filter(|seals| !seals.is_empty());
    let behind = (data_key, seals.map(data_keys::of_practices), kept);
    let mut statements = load;
    behind.add_to(&mut statements);
    let rounds = if several.is_some() {
        ROUNDS_OF_SEVERAL
    } else {
        ROUNDS
    };
    for round in 0..rounds {
        let load = (statements.clone(), counted && round == 0);
        let (person, read) = authorize(call, presented, action, load).await?;
        let request = request.clone()?;
        let (data_key, data_keys, kept) =
            behind.rows(&mut read.get(loaded..).unwrap_or_default().iter())?;
        if let Some(request) = &request {
            let kept = kept.flatten();
            if let Some(kept) = idempotency::recall(request, kept.as_ref(), call.ctx.now)? {
                return Ok(after_commit::repeated(kept));
            }
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
        let kept = request.map(|request| keep(&person, request, &change.answer));
        change.writes.extend(kept);
        let practice = match &sealing {
            None => None,
            Some(Sealing::Of(practice)) => Some(*practice),
            Some(Sealing::OfCaller) => Some(person.practice()?),
        };
        let keys = practice.map(|practice| {
            let stored = data_key.as_ref().and_then(Option::as_ref);
            tampered::keys_to_seal(call, practice, stored)
        });
        let mut keys: Vec<_> = keys.transpose()?.into_iter().collect();
        let stored = data_keys.unwrap_or_default().into_iter();
        for (n, (practice, stored)) in seals.unwrap_or_default().iter().zip(stored).enumerate() {
            keys.push(tampered::nth_keys_to_seal(
                call,
                n,
                *practice,
                stored.as_ref(),
            )?);
        }
        match commit(call, Actor::from(&person), &change, &keys).await {
            // The rights, the code, the practice or its data key have changed: the next round reads them again.
            Err(DatabaseError::Conflict(
                FailedGuard::Rights
                | FailedGuard::Secret
                | FailedGuard::Credential
                | FailedGuard::DataKey,
            )) => {}
            Err(DatabaseError::Conflict(FailedGuard::Record)) if several.is_some() => {}
            done => {
                done.map_err(refused)?;
                return after_commit::first(call, change);
            }
        }
    }
    Err(if several.is_some() {
        RequestError::Conflict(
            Reason::VersionConflict,
            "the records keep changing, try again",
        )
    } else {
        RequestError::Conflict(Reason::RightsChanged, "your rights have changed, try again")
    }
    .into())
}

/// Counts the emails of a change that have a link. Notices are always sent.
async fn limit_letters(call: &Call, person: &Person, change: &Change) -> Result<(), AppError> {
    for after in &change.after {
        if let After::Mail(letter) = after
            && letter.says.has_link()
        {
            sign_in_limits::mail(call, &letter.to.key()).await?;
            if let (LetterKind::Invitation { .. }, Some(practice)) =
                (&letter.says, person.practice_id)
            {
                sign_in_limits::invitation(call, practice).await?;
            }
        }
    }
    Ok(())
}
