//! The way into the wider service: who is calling, may they, and what a read or a write of theirs comes to.
//!
//! Every handler goes through [`read`] or [`change`]: one batch loads the caller and what the call is about, core decides,
//! one batch writes.

mod caller;
mod commit;
mod etag;
mod patient_limit;

use crate::after_commit;
use crate::app::Call;
use crate::error::Refusal;
use crate::extract::{IfNoneMatch, Once, PageOf, Presented};
use crate::sign_in_limits;
use crate::tampered;
use axum::http::HeaderValue;
use axum::http::header::LINK;
use axum::response::Response;
use caller::authorize;
use commit::{commit, keep, refused};
pub(crate) use commit::{log_not_recorded, plan, run};
use overturn_core::auth::person::Person;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::{ClaimId, PracticeId, SigningLinkId};
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::plan::audit::Entry;
use overturn_core::plan::change::{After, Answer, Change, LetterKind};
use overturn_core::plan::{Actor, Guard, Write};
use overturn_core::request::denied::Denied;
use overturn_core::request::idempotency;
use overturn_core::request::page::Listed;
use overturn_store::accounts::queries;
use overturn_store::fault::{Fault, Guard as Failed};
use overturn_store::keyring::practice::PracticeKeys;
use overturn_store::settings::data_keys as practice_keys;
use overturn_store::{Done, Queries, Query, RowError, Statement};
use serde::Serialize;
use std::sync::Arc;

pub(crate) use etag::{tagged, tagged_lines};

/// Times a change is decided when the caller's rights change meanwhile.
const ROUNDS: usize = 3;

/// Answers a read with what `view` makes of the rows, and with `304` where the caller has that already.
pub(crate) async fn read<Q: Queries, T: Serialize>(
    call: &Arc<Call>,
    asked: (&Presented, &IfNoneMatch),
    action: Action,
    load: Q,
    view: impl FnOnce(&Person, Q::Rows) -> Result<T, Refusal>,
) -> Result<Response, Refusal> {
    let view = |person: &Person, rows| Ok((None, view(person, rows)?));
    show(
        call,
        asked,
        action,
        statements(&load),
        &mut text_of(&load, view),
    )
    .await
}

/// A body, and the version that its `ETag` begins with.
pub(crate) struct Versioned<T> {
    pub(crate) body: T,
    pub(crate) version: i64,
}

/// [`read`] of a record that is changed with `If-Match`.
pub(crate) async fn read_versioned<Q: Queries, T: Serialize>(
    call: &Arc<Call>,
    asked: (&Presented, &IfNoneMatch),
    action: Action,
    load: Q,
    view: impl FnOnce(&Person, Q::Rows) -> Result<Versioned<T>, Refusal>,
) -> Result<Response, Refusal> {
    let view = |person: &Person, rows| {
        let Versioned { body, version } = view(person, rows)?;
        Ok((Some(version), body))
    };
    show(
        call,
        asked,
        action,
        statements(&load),
        &mut text_of(&load, view),
    )
    .await
}

/// The statements of queries.
fn statements(queries: &impl Queries) -> Vec<Statement> {
    let mut statements = Vec::new();
    queries.add_to(&mut statements);
    statements
}

/// The text of a body, and its version where it has one.
type Text = (Option<i64>, String);

/// What makes the text of a body out of what a batch read.
type View<'v> = dyn FnMut(&Person, &[Done]) -> Result<Text, Refusal> + 'v;

fn text_of<Q: Queries, T: Serialize>(
    load: &Q,
    view: impl FnOnce(&Person, Q::Rows) -> Result<(Option<i64>, T), Refusal>,
) -> impl FnMut(&Person, &[Done]) -> Result<Text, Refusal> {
    let mut view = Some(view);
    move |person, done| {
        let view = view.take().ok_or(Refusal::Internal("shown twice"))?;
        let (version, body) = view(person, load.rows(&mut done.iter())?)?;
        // What is shown has text for every key.
        Ok((version, serde_json::to_string(&body).unwrap_or_default()))
    }
}

/// [`read`] of the text of a body. Not generic: every read of the service is this one.
async fn show(
    call: &Arc<Call>,
    (presented, known): (&Presented, &IfNoneMatch),
    action: Action,
    load: Vec<Statement>,
    text: &mut View<'_>,
) -> Result<Response, Refusal> {
    let (person, done) = authorize(call, presented, action, (load, true)).await?;
    let (version, body) = text(&person, &done)?;
    Ok(match version {
        Some(version) => etag::versioned(known, version, body),
        None => tagged(known, body),
    })
}

/// What a read discloses: its body, the version that its `ETag` begins with, and the row of the audit trail without which
/// nobody sees it.
pub(crate) struct Disclosed<T> {
    pub(crate) body: T,
    pub(crate) version: i64,
    pub(crate) audit: Entry,
    /// The claim whose patient is seen.
    pub(crate) patient: (PracticeId, ClaimId),
}

/// Answers a read of a patient's data. That it was read is in the audit trail before anybody sees it.
pub(crate) async fn disclose<Q: Queries, T: Serialize>(
    call: &Arc<Call>,
    (presented, known): (&Presented, &IfNoneMatch),
    action: Action,
    load: Q,
    view: impl FnOnce(&Person, Q::Rows) -> Result<Disclosed<T>, Refusal>,
) -> Result<Response, Refusal> {
    let (person, done) = authorize(call, presented, action, (statements(&load), true)).await?;
    let Disclosed {
        body,
        version,
        audit,
        patient,
    } = view(&person, load.rows(&mut done.iter())?)?;
    let mut change = Change::new(audit, Answer::empty());
    change.guards = guards(&person, presented);
    match patient_limit::open(call, &person, change, patient).await? {
        // What no longer holds, a second look says.
        Err(Fault::Conflict(Failed::Credential)) => {
            authorize(call, presented, action, (Vec::new(), false)).await?;
            return Err(Denied::Conflict("the practice has changed, try again").into());
        }
        noted => noted.map_err(refused)?,
    }
    // What is shown has text for every key.
    let body = serde_json::to_string(&body).unwrap_or_default();
    Ok(etag::versioned(known, version, body))
}

/// Answers a read that is not one batch: `make` reads what it needs, and the change that notes the read is committed before the
/// first byte of its response.
pub(crate) async fn export<Q: Queries>(
    call: &Arc<Call>,
    presented: &Presented,
    action: Action,
    load: Q,
    make: impl AsyncFnOnce(Q::Rows) -> Result<(Change, Response), Refusal>,
) -> Result<Response, Refusal> {
    let (person, done) = authorize(call, presented, action, (statements(&load), true)).await?;
    let (mut change, response) = make(load.rows(&mut done.iter())?).await?;
    change.guards.splice(0..0, guards(&person, presented));
    let noted = commit(call, Actor::from(&person), &change, None).await;
    noted.map_err(refused)?;
    Ok(response)
}

/// Who calls, where nothing else is read together with that.
pub(crate) async fn caller(
    call: &Arc<Call>,
    presented: &Presented,
    action: Action,
) -> Result<Person, Refusal> {
    let (person, _) = authorize(call, presented, action, (Vec::new(), true)).await?;
    Ok(person)
}

/// Answers a search like [`list`]. What `audit` says of it is in the audit trail before anybody sees what was found.
pub(crate) async fn search<P: Clone, S, T: Serialize>(
    call: &Arc<Call>,
    (presented, known): (&Presented, &IfNoneMatch),
    action: Action,
    of: PageOf<P>,
    (load, view): (
        impl FnOnce(P) -> Query<Option<Vec<S>>>,
        impl FnOnce(P, Vec<S>) -> Listed<T>,
    ),
    audit: impl FnOnce(&P, &[S], &Person) -> Option<Entry>,
) -> Result<Response, Refusal> {
    let load = of.page.as_ref().map(|page| load(page.clone()));
    let load = load.ok();
    let (person, done) = authorize(call, presented, action, (statements(&load), true)).await?;
    let page = of.page.clone()?;
    let items = load.rows(&mut done.iter())?.flatten().unwrap_or_default();
    if let Some(entry) = audit(&page, &items, &person) {
        let change = Change::new(entry, Answer::empty()).guard(Guard::Person(person.clone()));
        let noted = commit(call, Actor::from(&person), &change, None).await;
        noted.map_err(refused)?;
    }
    let listed = view(page, items);
    let next = listed.next_cursor().map(|cursor| of.next(cursor));
    // What is shown has text for every key.
    let body = serde_json::to_string(&listed).unwrap_or_default();
    linked(tagged(known, body), next)
}

/// What must hold of a person when a batch runs: their rights, and those to the practice whose claims the call is about.
fn guards(person: &Person, presented: &Presented) -> Vec<Guard> {
    let own = person
        .practice_id
        .filter(|_| person.action.right().agreement);
    let readable = presented.about.or(own).map(Guard::Readable);
    let person = Guard::Person(person.clone());
    [person].into_iter().chain(readable).collect()
}

/// Answers a read of a list with a page of it, and says where the next one is.
pub(crate) async fn list<P: Clone, S, T: Serialize>(
    call: &Arc<Call>,
    asked: (&Presented, &IfNoneMatch),
    action: Action,
    of: PageOf<P>,
    (load, view): (
        impl FnOnce(P) -> Query<Option<Vec<S>>>,
        impl FnOnce(P, Vec<S>) -> Listed<T>,
    ),
) -> Result<Response, Refusal> {
    let load = of.page.as_ref().map(|page| load(page.clone()));
    let mut next = None;
    let response = read(call, asked, action, load.ok(), |_, items| {
        let page = of.page.clone()?;
        // A list gives a row, empty as it may be, unless what it is a list of is not there.
        let items = items.flatten().ok_or(Denied::NotFound("no such record"))?;
        let listed = view(page, items);
        next = listed.next_cursor().map(|cursor| of.next(cursor));
        Ok(listed)
    })
    .await?;
    linked(response, next)
}

/// A response that says where the next page is, where there is one.
pub(crate) fn linked(mut response: Response, next: Option<String>) -> Result<Response, Refusal> {
    if let Some(next) = next {
        let next = HeaderValue::try_from(next).map_err(|_| Refusal::Internal("link"))?;
        response.headers_mut().insert(LINK, next);
    }
    Ok(response)
}

/// Answers a write with what `decide` makes of it, once; a request that comes again under its idempotency key gets the
/// first answer.
pub(crate) async fn change<Q: Queries>(
    call: &Arc<Call>,
    (presented, once, body): (&Presented, &Once, &Result<Vec<u8>, Denied>),
    action: Action,
    load: Q,
    mut decide: impl FnMut(&Person, Q::Rows, &[u8]) -> Result<Change, Refusal>,
) -> Result<Response, Refusal> {
    let asked = (presented, once, body);
    let mut decide = |person: &Person, (done, _): (&[Done], &[Done]), body: &[u8]| {
        decide(person, load.rows(&mut done.iter())?, body)
    };
    let load = (statements(&load), None, None);
    commit_once(call, asked, action, load, &mut decide).await
}

/// The statement that counts an attempt, given who is calling, what the batch read, and the body. `None` where nothing is tried.
type Attempt<'a> = &'a dyn Fn(&Person, &[Done], &[u8]) -> Result<Option<Statement>, RowError>;

/// [`change`] that compares a secret. The attempt is counted, once the caller is admitted and before it is decided.
pub(crate) async fn change_counted<Q: Queries, C>(
    call: &Arc<Call>,
    asked: (&Presented, &Once, &Result<Vec<u8>, Denied>),
    action: Action,
    (load, attempt): (Q, impl Fn(&Person, &Q::Rows, &[u8]) -> Option<Query<C>>),
    mut decide: impl FnMut(&Person, (Q::Rows, Option<C>), &[u8]) -> Result<Change, Refusal>,
) -> Result<Response, Refusal> {
    let count = |person: &Person, done: &[Done], body: &[u8]| {
        let rows = load.rows(&mut done.iter())?;
        Ok(attempt(person, &rows, body).map(|count| count.statement().clone()))
    };
    let mut decide = |person: &Person, (done, counted): (&[Done], &[Done]), body: &[u8]| {
        let rows = load.rows(&mut done.iter())?;
        let counted = attempt(person, &rows, body).rows(&mut counted.iter())?;
        decide(person, (rows, counted), body)
    };
    let load = (statements(&load), None, Some(&count as Attempt<'_>));
    commit_once(call, asked, action, load, &mut decide).await
}

/// Whose data key a change seals under.
pub(crate) enum Sealing {
    /// That of the practice that the path names.
    Of(PracticeId),
    /// That of the caller's practice.
    OfCaller,
}

impl Sealing {
    /// The newest data key of the practice. `caller` is the hash of what the caller presented.
    fn key(&self, caller: &str) -> Query<Option<StoredDataKey>> {
        match self {
            Self::Of(practice) => practice_keys::of_practice(*practice),
            Self::OfCaller => practice_keys::of_caller(caller),
        }
    }
}

/// [`change`] of a practice in which something may be sealed. Its newest data key is read behind what the handler loads.
pub(crate) async fn change_sealed<Q: Queries>(
    call: &Arc<Call>,
    asked: (&Presented, &Once, &Result<Vec<u8>, Denied>),
    action: Action,
    (load, sealing): (Q, Sealing),
    mut decide: impl FnMut(&Person, (Q::Rows, Option<StoredDataKey>), &[u8]) -> Result<Change, Refusal>,
) -> Result<Response, Refusal> {
    let sealing_key = sealing.key(&asked.0.hash);
    let mut decide = |person: &Person, (done, _): (&[Done], &[Done]), body: &[u8]| {
        let mut done = done.iter();
        let rows = load.rows(&mut done)?;
        let key = sealing_key.rows(&mut done)?;
        decide(person, (rows, key), body)
    };
    let load = (statements(&load), Some(sealing), None);
    commit_once(call, asked, action, load, &mut decide).await
}

/// What a write comes to, given who is calling, what was read and counted, and the body.
type Decide<'d> = dyn FnMut(&Person, (&[Done], &[Done]), &[u8]) -> Result<Change, Refusal> + 'd;

/// [`change`], not generic: every write of the service is this one.
async fn commit_once(
    call: &Arc<Call>,
    (presented, once, body): (&Presented, &Once, &Result<Vec<u8>, Denied>),
    action: Action,
    (load, sealing, attempt): (Vec<Statement>, Option<Sealing>, Option<Attempt<'_>>),
    decide: &mut Decide<'_>,
) -> Result<Response, Refusal> {
    let body = body.as_ref().map_err(Denied::clone);
    let request = body.clone().and_then(|body| once.of(body));
    let loaded = load.len();
    let data_key = sealing.as_ref().map(|sealing| sealing.key(&presented.hash));
    let kept = request.as_ref().ok().and_then(Option::as_ref);
    let kept = kept.map(|request| queries::kept(&presented.hash, request));
    let behind = (data_key, kept);
    let mut statements = load;
    behind.add_to(&mut statements);
    for round in 0..ROUNDS {
        let load = (statements.clone(), round == 0);
        let (person, read) = authorize(call, presented, action, load).await?;
        let request = request.clone()?;
        let (data_key, kept) = behind.rows(&mut read.get(loaded..).unwrap_or_default().iter())?;
        if let Some(request) = &request {
            let kept = kept.flatten();
            if let Some(kept) = idempotency::recall(request, kept.as_ref(), call.ctx.now)? {
                return Ok(after_commit::repeated(kept));
            }
        }
        let body = body.clone()?;
        let count = attempt.map(|attempt| attempt(&person, &read, body));
        let counted = match count.transpose()?.flatten() {
            Some(count) => call.db.batch(&[count]).await?,
            None => Vec::new(),
        };
        let mut change = decide(&person, (&read, &counted), body)?;
        if round == 0 {
            letters_limit(call, &person, &change).await?;
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
        let keys = keys.transpose()?;
        match commit(call, Actor::from(&person), &change, keys.as_ref()).await {
            // Read again who is calling, and what their code is for, and about which practice: that says what has become of
            // them. Or read the data key that somebody else made first.
            Err(Fault::Conflict(
                Failed::Rights | Failed::Secret | Failed::Credential | Failed::DataKey,
            )) => {}
            done => {
                done.map_err(refused)?;
                return after_commit::first(call, change);
            }
        }
    }
    Err(Denied::Conflict("your rights have changed, try again").into())
}

/// Asks for the letters of a change that invite an answer. One that tells of what was done always goes out.
async fn letters_limit(call: &Call, person: &Person, change: &Change) -> Result<(), Refusal> {
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

/// Carries out a change of somebody who is not signed in yet.
pub(crate) async fn commit_signing_in(
    call: &Arc<Call>,
    actor: Actor,
    change: Change,
) -> Result<Response, Refusal> {
    let done = commit(call, actor, &change, None).await;
    done.map_err(|fault| match fault {
        // Of an account that changed meanwhile, as of any that does not let its person in.
        Fault::Conflict(Failed::Rights) => Denied::SignInFailed.into(),
        other => refused(other),
    })?;
    after_commit::first(call, change)
}

/// Carries out a change of a patient, who is known by a link. `keys` are those of the practice where something is sealed.
pub(crate) async fn commit_by_link(
    call: &Call,
    link: SigningLinkId,
    change: &Change,
    keys: Option<&PracticeKeys<'_>>,
) -> Result<(), Fault> {
    commit(call, Actor::SigningLink(link), change, keys)
        .await
        .map(|_| ())
}

/// Carries out a change behind the answer, with its letters. One that is not wanted any more is none.
pub(crate) fn commit_in_background(call: &Arc<Call>, actor: Actor, change: Change) {
    let call = Arc::clone(call);
    call.clone().context.wait_until(async move {
        match commit(&call, actor, &change, None).await {
            Ok(_) => {
                let _nobody_waits = after_commit::first(&call, change);
            }
            Err(Fault::Conflict(_)) => {}
            Err(fault) => log_not_recorded(fault),
        }
    });
}

/// Writes down something behind the answer. What could not be written is in the log.
pub(crate) fn record_in_background(call: &Arc<Call>, actor: Actor, writes: Vec<Write<'static>>) {
    let call = Arc::clone(call);
    call.clone().context.wait_until(async move {
        let plan = plan(&call.ctx, actor, Vec::new(), writes);
        if let Err(fault) = run(&call.db, &call.app, &plan).await {
            log_not_recorded(fault);
        }
    });
}
