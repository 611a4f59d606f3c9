//! The way into the wider service: who is calling, may they, and what a read or a write of theirs comes to.
//!
//! Every handler goes through [`read`] or [`change`]: one batch loads the caller and what the call is about, core decides,
//! one batch writes.

use crate::ambient;
use crate::app::{Call, Limits};
use crate::error::Refusal;
use crate::extract::{IfNoneMatch, Once, PageOf, Presented, PresentedKind};
use crate::gate;
use crate::kv::Seen;
use crate::limiter::Group as Counted;
use crate::outcome;
use crate::store::d1::Db;
use crate::store::fault::{Fault, Guard as Failed};
use crate::store::lower::{self, Means};
use crate::store::{Done, Statement, load, rows};
use axum::http::header::{ETAG, LINK};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::future::join;
use overturn_core::account::{CONTINUATION_MS, NewContinuation};
use overturn_core::change::{After, Answer, Change};
use overturn_core::ctx::Ctx;
use overturn_core::denied::Denied;
use overturn_core::idempotency::{self, Repeatable, StoredAnswer};
use overturn_core::limit::{Rule, Verdict};
use overturn_core::page::{Listed, Page};
use overturn_core::person::{self, Held, Person, Standing, Via};
use overturn_core::plan::{Actor, Guard, Plan, Write};
use overturn_core::rights::{Action, Group};
use overturn_core::secret::ContinuationToken;
use overturn_core::token::hex;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// Times a change is decided when the caller's rights change meanwhile.
const ROUNDS: usize = 3;

/// What a handler gets of the store: one JSON text a statement that it asked for, in order.
pub(crate) struct Read(Vec<Done>);

impl Read {
    /// The JSON of the n-th statement, `None` where it gave no row.
    pub(crate) fn json(&self, n: usize) -> Option<&str> {
        self.0.get(n)?.json.as_deref()
    }
}

/// Answers a read with what `view` makes of the rows, and with `304` where the caller has that already.
pub(crate) async fn read<T: Serialize>(
    call: &Arc<Call>,
    (presented, known): (&Presented, &IfNoneMatch),
    action: Action,
    load: Vec<Statement>,
    view: impl FnOnce(&Person, &Read) -> Result<T, Refusal>,
) -> Result<Response, Refusal> {
    let mut view = Some(view);
    let mut text = |person: &Person, read: &Read| {
        let view = view.take().ok_or(Refusal::Internal("shown twice"))?;
        // What is shown has text for every key.
        Ok(serde_json::to_string(&view(person, read)?).unwrap_or_default())
    };
    show(call, (presented, known), action, load, &mut text).await
}

/// [`read`] of the text of a body. Not generic: every read of the service is this one.
async fn show(
    call: &Arc<Call>,
    (presented, known): (&Presented, &IfNoneMatch),
    action: Action,
    load: Vec<Statement>,
    text: &mut dyn FnMut(&Person, &Read) -> Result<String, Refusal>,
) -> Result<Response, Refusal> {
    let (person, read) = enter(call, presented, action, load).await?;
    Ok(tagged(known, text(&person, &read)?))
}

/// A body with its `ETag`, and `304` in its place where the caller has it already.
pub(crate) fn tagged(known: &IfNoneMatch, body: String) -> Response {
    let digest = Sha256::digest(&body);
    let tag = format!("\"{}\"", hex(digest.get(..16).unwrap_or_default()));
    let known = known.0.as_deref().unwrap_or_default();
    let same = known.split(',').any(|known| {
        let known = known.trim();
        known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag
    });
    let tagged = [(ETAG, tag)];
    if same {
        (StatusCode::NOT_MODIFIED, tagged).into_response()
    } else {
        (tagged, super::handlers::text(StatusCode::OK, body)).into_response()
    }
}

/// Answers a read of a list with a page of it, and says where the next one is.
pub(crate) async fn list<S: DeserializeOwned, T: Serialize>(
    call: &Arc<Call>,
    asked: (&Presented, &IfNoneMatch),
    action: Action,
    of: PageOf,
    (load, view): (
        impl FnOnce(Page) -> Statement,
        impl FnOnce(Page, Vec<S>) -> Listed<T>,
    ),
) -> Result<Response, Refusal> {
    let load = of.page.as_ref().map(|page| load(*page));
    let mut next = None;
    let mut response = read(
        call,
        asked,
        action,
        load.into_iter().collect(),
        |_, read| {
            let page = of.page.clone()?;
            let listed = view(page, rows::one(read.json(0))?.unwrap_or_default());
            next = listed.next_cursor().map(|cursor| of.next(page, cursor));
            Ok(listed)
        },
    )
    .await?;
    if let Some(next) = next {
        let next = HeaderValue::try_from(next).map_err(|_| Refusal::Internal("link"))?;
        response.headers_mut().insert(LINK, next);
    }
    Ok(response)
}

/// Answers a write with what `decide` makes of it, once; a request that comes again under its idempotency key gets the
/// first answer.
pub(crate) async fn change(
    call: &Arc<Call>,
    (presented, once, body): (&Presented, &Once, &Result<Vec<u8>, Denied>),
    action: Action,
    load: Vec<Statement>,
    mut decide: impl FnMut(&Person, &Read, &[u8]) -> Result<Change, Refusal>,
) -> Result<Response, Refusal> {
    settle(call, (presented, once, body), action, load, &mut decide).await
}

/// What a write comes to, given who is calling, what was read, and the body.
type Decide<'d> = dyn FnMut(&Person, &Read, &[u8]) -> Result<Change, Refusal> + 'd;

/// [`change`], not generic: every write of the service is this one.
async fn settle(
    call: &Arc<Call>,
    (presented, once, body): (&Presented, &Once, &Result<Vec<u8>, Denied>),
    action: Action,
    load: Vec<Statement>,
    decide: &mut Decide<'_>,
) -> Result<Response, Refusal> {
    let body = body.as_ref().map_err(Denied::clone);
    let request = body.clone().and_then(|body| once.of(body));
    let at = load.len();
    let mut statements = load;
    if let Ok(Some(request)) = &request {
        statements.push(load::kept(&presented.hash, request));
    }
    let mut asked = false;
    for _ in 0..ROUNDS {
        let (person, read) = enter(call, presented, action, statements.clone()).await?;
        let request = request.clone()?;
        if let Some(request) = &request {
            let kept = rows::kept(read.json(at))?;
            if let Some(kept) = idempotency::recall(request, kept.as_ref(), call.ctx.now)? {
                return Ok(outcome::repeated(kept));
            }
        }
        let mut change = decide(&person, &read, body.clone()?)?;
        if !std::mem::replace(&mut asked, true) {
            letters_limit(call, &change).await?;
        }
        change.guards.insert(0, Guard::Person(person.clone()));
        let kept = request.map(|request| keep(&person, request, &change.answer));
        change.writes.extend(kept);
        match commit(call, Actor::from(&person), &change).await {
            // Read again who is calling: that says what has become of them.
            Err(Fault::Conflict(Failed::Rights)) => {}
            done => {
                done.map_err(refused)?;
                return outcome::first(call, change);
            }
        }
    }
    Err(Denied::Conflict("your rights changed meanwhile, try again").into())
}

/// Asks for the letters of a change that invite an answer. One that tells of what was done always goes out.
async fn letters_limit(call: &Call, change: &Change) -> Result<(), Refusal> {
    for after in &change.after {
        if let After::Mail(letter) = after
            && letter.says.has_link()
        {
            gate::mail(call, &letter.to.key()).await?;
        }
    }
    Ok(())
}

/// Carries out a change of somebody who is not signed in yet.
pub(crate) async fn admit(
    call: &Arc<Call>,
    actor: Actor,
    change: Change,
) -> Result<Response, Refusal> {
    let done = commit(call, actor, &change).await;
    done.map_err(|fault| match fault {
        // Of an account that changed meanwhile, as of any that does not let its person in.
        Fault::Conflict(Failed::Rights) => Denied::SignInFailed.into(),
        other => refused(other),
    })?;
    outcome::first(call, change)
}

/// Writes down something behind the answer. What could not be written is in the log.
pub(crate) fn note(call: &Arc<Call>, actor: Actor, writes: Vec<Write<'static>>) {
    let call = Arc::clone(call);
    call.clone().context.wait_until(async move {
        let plan = plan(&call.ctx, actor, Vec::new(), writes);
        if let Err(fault) = run(&call.db, &call, &plan).await {
            not_noted(fault);
        }
    });
}

/// Who is calling, that they may, and what the call is about. One round trip, and one to the limiter.
async fn enter(
    call: &Arc<Call>,
    presented: &Presented,
    action: Action,
    load: Vec<Statement>,
) -> Result<(Person, Read), Refusal> {
    let standing = match presented.kind {
        PresentedKind::Session => load::session(&presented.hash),
        PresentedKind::Token => load::api_token(&presented.hash),
    };
    let statements = [vec![standing], load].concat();
    let (read, seen) = join(call.db.batch(&statements), seen(call, presented)).await;
    let mut read = read?;
    let standing = read.first().and_then(|done| done.json.as_deref());
    let mut standing = rows::standing(standing)?;
    if let (Some(Held::Session(session)), Some(seen)) =
        (standing.as_mut().map(|standing| &mut standing.held), seen)
        && session.id == seen.id
    {
        session.seen(seen.seen_at, call.ctx.now);
    }
    let verdict = limit(call, standing.as_ref(), action).await?;
    let passed = person::authorise(
        standing.as_ref(),
        verdict,
        presented.proof,
        action,
        call.ctx.now,
    );
    if let Some(standing) = &standing {
        call.trace.person(standing, verdict);
    }
    let person = match (passed, &standing) {
        (Ok(person), _) => person,
        (Err(Denied::TwoFactorRequired(_)), Some(standing)) => {
            return Err(ask_again(call, standing).await?);
        }
        (Err(denied), _) => return Err(denied.into()),
    };
    if person.touch {
        touch(call, presented, &person);
    }
    read.remove(0);
    Ok((person, Read(read)))
}

/// When the session was last used, as far as KV knows. Where it does not answer, the database alone says so.
async fn seen(call: &Call, presented: &Presented) -> Option<Seen> {
    if presented.kind == PresentedKind::Token {
        return None;
    }
    let seen = call.app.sessions.seen(&presented.hash).await;
    seen.unwrap_or_else(|_| {
        worker::console_error!("{}", serde_json::json!({ "event": "session_not_read" }));
        None
    })
}

/// Asks the person's limiter, unless limits are switched off. A credential that does not exist has none, and one that
/// ended must not use up the limit of its person.
async fn limit(
    call: &Call,
    standing: Option<&Standing>,
    action: Action,
) -> Result<Option<Verdict>, Refusal> {
    let (Some(limits), Some(standing)) = (&call.app.settings.limits, standing) else {
        return Ok(None);
    };
    if !standing.is_in_force(call.ctx.now) {
        return Ok(None);
    }
    let (group, rule) = counted(limits, action.right().group);
    let principal = format!("user:{}", standing.user_id);
    let verdict = call.app.limiters.ask(&principal, group, rule).await?;
    Ok(Some(verdict))
}

const fn counted(limits: &Limits, group: Group) -> (Counted, Rule) {
    match group {
        Group::Reads => (Counted::Reads, limits.person_reads),
        Group::Writes => (Counted::Writes, limits.person_writes),
        Group::Factors => (Counted::Factors, limits.factors),
        Group::Auth => (Counted::Auth, limits.auth),
    }
}

/// Hands out a token to show a second factor again with, bound to the session.
async fn ask_again(call: &Arc<Call>, standing: &Standing) -> Result<Refusal, Refusal> {
    let Held::Session(session) = &standing.held else {
        return Err(Refusal::Internal("a token shows no second factor"));
    };
    let token = ContinuationToken::mint(ambient::bytes()?);
    let continuation = NewContinuation {
        hash: token.hash(),
        user_id: standing.user_id,
        epoch: standing.epoch,
        session_id: Some(session.id),
        expires_at: call.ctx.now.plus(CONTINUATION_MS),
    };
    let writes = vec![Write::Continuation(continuation)];
    let plan = plan(&call.ctx, Actor::User(standing.user_id), Vec::new(), writes);
    run(&call.db, call, &plan).await?;
    Ok(Denied::TwoFactorRequired(Some(token)).into())
}

/// Notes the use of a credential behind the answer, in the database and, of a session, in KV. Of the requests that come at
/// once one does: KV takes one write a second.
fn touch(call: &Arc<Call>, presented: &Presented, person: &Person) {
    let hash = presented.hash.clone();
    let (call, person) = (Arc::clone(call), person.clone());
    call.clone().context.wait_until(async move {
        let writes = vec![Write::Seen(person.clone())];
        let plan = plan(&call.ctx, Actor::from(&person), Vec::new(), writes);
        let noted = run(&call.db, &call, &plan).await;
        let was_faster = |done: &[Done]| done.iter().all(|done| done.changes == 0);
        match (&noted, person.via) {
            (Ok(done), _) if was_faster(done) => return,
            (_, Via::Token(_)) => {}
            // Also where the database could not be told of it: that is what KV is for.
            (_, Via::Session(id)) => {
                let seen_at = call.ctx.now;
                outcome::see(&call, hash, Seen { id, seen_at });
            }
        }
        if let Err(fault) = noted {
            not_noted(fault);
        }
    });
}

fn not_noted(fault: Fault) {
    let reason = fault.kind();
    worker::console_error!(
        "{}",
        serde_json::json!({ "event": "not_noted", "reason": reason })
    );
}

fn keep(person: &Person, request: Repeatable, answer: &Answer) -> Write<'static> {
    Write::Answer(StoredAnswer {
        caller: person.user_id,
        request,
        status: answer.status,
        body: answer.kept(),
    })
}

fn plan(ctx: &Ctx, actor: Actor, guards: Vec<Guard>, writes: Vec<Write<'static>>) -> Plan<'static> {
    Plan {
        guards,
        actor,
        at: ctx.now,
        request_id: ctx.request_id,
        writes,
    }
}

async fn commit(call: &Call, actor: Actor, change: &Change) -> Result<(), Fault> {
    let plan = plan(
        &call.ctx,
        actor,
        change.guards.clone(),
        change.writes.clone(),
    );
    run(&call.db, call, &plan).await.map(|_| ())
}

async fn run(db: &Db, call: &Call, plan: &Plan<'static>) -> Result<Vec<Done>, Fault> {
    // One second factor is sealed at most.
    let mut nonce = ambient::nonces(1).map_err(|_| Fault::Broken("no entropy"))?;
    let mut means = Means {
        keys: &call.app.keys,
        nonce: &mut nonce,
    };
    let batch =
        lower::lower(plan, &mut means).map_err(|_| Fault::Broken("plan cannot be lowered"))?;
    db.batch(&batch.statements).await
}

/// What a precondition that no longer held means to the caller.
fn refused(fault: Fault) -> Refusal {
    let denied = match fault {
        Fault::Conflict(Failed::Secret) => Denied::SignInFailed,
        Fault::Conflict(Failed::Rights) => Denied::NotSignedIn,
        Fault::Conflict(Failed::Owner) => Denied::Conflict("the practice must keep an owner"),
        Fault::Conflict(Failed::Record) => {
            Denied::Conflict("the record changed meanwhile, read it again")
        }
        Fault::Conflict(Failed::Request) => {
            Denied::Conflict("a request with this Idempotency-Key is under way")
        }
        Fault::Conflict(Failed::Address) => Denied::Conflict("the address has an account here"),
        other => return other.into(),
    };
    denied.into()
}
