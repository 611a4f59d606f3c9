//! Authenticates a caller: the credential, its person, their rate limit and their second factor.

use crate::auth::disclosure;
use crate::auth::key::LAST_USED_LAG_MS;
use crate::auth::person::{self, Person, StoredCredential, StoredPerson, Via};
use crate::auth::rights::{Action, EndpointGroup};
use crate::auth::session::SEEN_LAG_MS;
use crate::call::Call;
use crate::config::Limits;
use crate::error::AppError;
use crate::extract::{Presented, PresentedKind, values};
use crate::kv::LastUse;
use crate::pipeline::after_commit;
use crate::pipeline::authorize::standing;
use crate::pipeline::commit::{log_not_recorded, plan, run};
use crate::pipeline::continuation::{CONTINUATION_MS, Continuation};
use crate::pipeline::visit;
use crate::plan::sandbox::Clock;
use crate::plan::{Actor, Write};
use crate::rate_limiter::Group as Counted;
use crate::request::error::RequestError;
use crate::request::limit::{RateLimit, Verdict};
use crate::request::secret::ContinuationToken;
use crate::sql::sql;
use crate::store::{Done, Queries, Statement};
use futures_util::future::join;
use overturn_core::base::id::{SessionId, UserId};
use overturn_core::base::instant::Instant;
use std::rc::Rc;

/// Authorizes the caller and loads the request's rows. One round trip, and one to the limiter if the request is to be
/// `counted`, which happens once.
pub(crate) async fn authorize(
    call: &Rc<Call>,
    presented: &Presented,
    action: Action,
    load: (Vec<Statement>, bool),
) -> Result<(Person, Vec<Done>), AppError> {
    let (person, _, rows) = authorize_standing(call, presented, action, load).await?;
    Ok((person, rows))
}

/// [`authorize`], also with the facts about the caller. A call of staff in the cell of a practice takes two round trips: the
/// directory authorizes it first. This request is the last use of the session in them, if it counts
/// as one.
pub(crate) async fn authorize_standing(
    call: &Rc<Call>,
    presented: &Presented,
    action: Action,
    (load, counted): (Vec<Statement>, bool),
) -> Result<(Person, StoredPerson, Vec<Done>), AppError> {
    let (here, call) = (call, &call.at_home());
    let visits = here.home.is_some();
    let standing = match presented.kind {
        PresentedKind::Session => standing::session(&presented.hash),
        PresentedKind::Token => standing::api_token(&presented.hash),
    };
    let about = presented.about.filter(|_| call.app.host.cells.are_several());
    let who = (
        standing,
        presented.about.filter(|_| !visits).map(standing::practice_standing),
        about.map(|practice| visit::moved(&[practice])),
        visits.then(|| visit::said(presented)),
    );
    let mut statements = Vec::new();
    who.add_to(&mut statements);
    let known = statements.len();
    let (beside, load) = if visits { (Vec::new(), load) } else { (load, Vec::new()) };
    statements.extend(beside);
    let (read, seen) = join(call.db.batch(&statements), seen(call, presented)).await;
    let mut read = read?;
    let (standing, practice, moved, said) = who.rows(&mut read.iter())?;
    let mut standing = presented.checked(standing);
    // Only the staff's calls begin at the directory, which knows.
    if let (Some(practice), Some(None)) = (about, standing.as_ref().map(|standing| &standing.practice)) {
        visit::check_place(here, practice, &moved.unwrap_or_default())?;
    }
    // A token of a sandbox goes by its clock.
    let practice_of = standing.as_ref().and_then(|standing| standing.practice.as_ref());
    let clock = practice_of.and_then(|of| Clock::of(of.id, of.clock_ms));
    if clock != call.clock {
        return Err(AppError::OtherClock(clock));
    }
    if let (Some(StoredCredential::Session(session)), Some(seen)) =
        (standing.as_mut().map(|standing| &mut standing.held), seen)
        && session.id == seen.id
    {
        session.seen(seen.seen_at, call.now());
    }
    let verdict = if counted { limit(call, standing.as_ref(), action).await? } else { None };
    let passed = person::authorise(standing.as_ref(), verdict, presented.proof, action, call.now());
    if let Some(standing) = &standing {
        call.trace.person(standing, verdict);
    }
    let (person, mut standing) = match (passed, standing) {
        (Ok(person), Some(standing)) => (person, standing),
        (Ok(_), None) => return Err(AppError::Internal("authorized without a credential")),
        (Err(RequestError::TwoFactorRequired(_)), Some(standing)) => {
            let StoredCredential::Session(session) = &standing.held else {
                return Err(AppError::Internal("a token shows no second factor"));
            };
            let session = (standing.user_id, standing.epoch, session.id);
            return Err(ask_again(call, session).await?);
        }
        (Err(denied), _) => return Err(denied.into()),
    };
    if person.touch && !presented.passive {
        touch(call, presented, &person);
        if let StoredCredential::Session(session) = &mut standing.held {
            session.seen(call.ctx.now, call.ctx.now);
        }
    }
    // Their own practice was looked at with them, and may be a sandbox.
    if let Some(practice) = practice.flatten().filter(|practice| person.practice_id != Some(practice.id)) {
        disclosure::allowed(practice.state, practice.baa_signed)?;
    }
    let rows = match said {
        Some(said) => visit::load(here, presented, said, load).await?,
        None => read.split_off(known.min(read.len())),
    };
    Ok((person, standing, rows))
}

/// When KV saw the session's last use. If KV does not answer, the database decides alone.
async fn seen(call: &Call, presented: &Presented) -> Option<LastUse> {
    if presented.kind == PresentedKind::Token {
        return None;
    }
    let seen = call.app.sessions.seen(&presented.hash).await;
    seen.unwrap_or_else(|_| {
        log::error!("{}", serde_json::json!({ "event": "session_not_read" }));
        None
    })
}

/// Calls the person's limiter. An unknown credential has none, and an expired one must not use up the person's limit.
async fn limit(call: &Call, standing: Option<&StoredPerson>, action: Action) -> Result<Option<Verdict>, AppError> {
    let Some(standing) = standing.filter(|standing| standing.is_in_force(call.now())) else {
        return Ok(None);
    };
    let group = match action.right().group {
        EndpointGroup::Exports if values(&call.url, "cursor").any(|cursor| !cursor.is_empty()) => EndpointGroup::Reads,
        group => group,
    };
    let (group, rule) = counts_as(&call.app.settings.limits, group);
    // The tokens of a sandbox share a limit, and leave that of their person alone.
    let principal = match call.clock {
        Some(clock) => format!("sandbox_tokens:{}", clock.sandbox),
        None => format!("user:{}", standing.user_id),
    };
    let verdict = call.app.limiters.ask(&call.counted, &principal, group, rule).await?;
    Ok(Some(verdict))
}

const fn counts_as(limits: &Limits, group: EndpointGroup) -> (Counted, RateLimit) {
    match group {
        EndpointGroup::Reads => (Counted::Reads, limits.person_reads),
        EndpointGroup::Writes => (Counted::Writes, limits.person_writes),
        EndpointGroup::Uploads => (Counted::Uploads, limits.uploads),
        EndpointGroup::Exports => (Counted::Exports, limits.exports),
        EndpointGroup::Factors => (Counted::Factors, limits.factors),
        EndpointGroup::Passkeys => (Counted::Passkeys, limits.passkeys),
        EndpointGroup::Auth => (Counted::Auth, limits.auth),
    }
}

/// Makes a continuation token for confirming the second factor, bound to the session.
pub(crate) async fn ask_again(
    call: &Rc<Call>,
    (user_id, epoch, session): (UserId, i64, SessionId),
) -> Result<AppError, AppError> {
    let token = ContinuationToken::mint(call.random()?);
    let now = call.ctx.now;
    let expires_at = now.plus(CONTINUATION_MS);
    let waits = Continuation { user_id, epoch, session_id: Some(session), sso: None, expires_at };
    let plan = plan(&call.ctx, Actor::User(user_id), Vec::new(), waits.begin(&token, now).into());
    run(&call.db, &call.app, &plan).await?;
    Ok(RequestError::TwoFactorRequired(Some(token)).into())
}

/// The last use of a credential. One that was stored a moment ago stays, so of several parallel requests one changes the
/// row.
fn used(person: &Person, now: Instant) -> Option<Write> {
    Some(match person.via {
        Via::Session(id) => sql!(
            "UPDATE sessions SET seen_at = {now} WHERE user_id = {user} AND id = {id} AND seen_at <= {before}";
            user = person.user_id, id, now, before = now.plus(-SEEN_LAG_MS)
        ),
        Via::Token(id) => sql!(
            "UPDATE api_tokens SET last_used_at = {now}
             WHERE practice_id = {practice} AND id = {id} AND coalesce(last_used_at, 0) <= {before}";
            practice = person.practice_id, id, now, before = now.plus(-LAST_USED_LAG_MS)
        ),
        Via::Sandbox => return None,
    })
}

/// Records the use of a credential after the answer, in the database and, for a session, in KV. Of several parallel
/// requests one does it, because KV takes one write per second.
fn touch(call: &Rc<Call>, presented: &Presented, person: &Person) {
    let hash = presented.hash.clone();
    let person = person.clone();
    call.after_answer(async move |call| {
        let plan = plan(&call.ctx, Actor::from(&person), Vec::new(), used(&person, call.ctx.now).into_iter().collect());
        let noted = run(&call.db, &call.app, &plan).await;
        let was_faster = |done: &[Done]| done.iter().all(|done| done.changes == 0);
        match (&noted, person.via) {
            (Ok(done), _) if was_faster(done) => return,
            (_, Via::Token(_) | Via::Sandbox) => {}
            // Also if the database write failed: that is the purpose of KV.
            (_, Via::Session(id)) => {
                let seen_at = call.ctx.now;
                after_commit::see(&call, hash, LastUse { id, seen_at });
            }
        }
        if let Err(fault) = noted {
            log_not_recorded(fault);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::role::Role;
    use crate::testing::Fixture;
    use crate::testing::decisions;
    use crate::testing::people::{OWNER, SESSION, session, user};
    use overturn_core::base::id::ApiTokenId;

    #[test]
    fn a_use_is_noted_once_its_last_note_is_as_old_as_may_be() {
        let mut f = Fixture::new();
        let practice = f.practice();
        let ctx = f.ctx();
        let people = vec![user(OWNER, practice, Role::Owner), session(SESSION, OWNER, "owner")];
        f.commit(&ctx, (Vec::new(), people)).unwrap();
        let token = ApiTokenId(SESSION.0);
        let insert =
            "INSERT INTO api_tokens (practice_id, id, user_id, name, hash, hint, scopes, created_at, expires_at)
                      VALUES (?1, ?2, ?3, 'x', 'x', 'x', '[]', 1, 2)";
        f.db.execute(insert, [practice.to_string(), token.to_string(), OWNER.to_string()]).unwrap();
        let me = decisions::person(Role::Owner, Action::ManageApiKeys);
        let me = Person { user_id: OWNER, practice_id: Some(practice), ..me };
        let mut notes = |via, at: Instant| {
            let (ctx, used) = (f.ctx(), used(&Person { via, ..me.clone() }, at));
            let done = f.commit(&ctx, (Vec::new(), used.into_iter().collect())).unwrap();
            done.iter().map(|done| done.changes).sum::<usize>()
        };
        assert_eq!(notes(Via::Token(token), ctx.now), 1, "its first use");
        for (via, lag) in [(Via::Session(SESSION), SEEN_LAG_MS), (Via::Token(token), LAST_USED_LAG_MS)] {
            assert_eq!([notes(via, ctx.now.plus(lag - 1)), notes(via, ctx.now.plus(lag))], [0, 1]);
        }
        assert_eq!(notes(Via::Sandbox, ctx.now.plus(SEEN_LAG_MS * 2)), 0);
    }
}
