//! `GET /api/v1/claims/status`: the status of one claim.

#[cfg(test)]
mod tests;

use super::link;
use crate::app::App;
use crate::auth::key::{self, Caller, Credential};
use crate::auth::scope::Scope;
use crate::call::Call;
use crate::extract::{KeyRequest, PresentedKey, values};
use crate::pipeline;
use crate::pipeline::key::{self as authorize, CREDENTIAL};
use crate::plan::Actor;
use crate::plan::signing::link::StoredSigningLink;
use crate::plan::signing::{Signing, SigningStatus, Url, is_asked};
use crate::prelude::*;
use crate::rate_limiter::Group;
use crate::request::limit::Verdict;
use crate::response;
use crate::store::error::{DatabaseError, FailedGuard};
use http::StatusCode;
use overturn_core::base::id::{ClaimId, SigningLinkId};
use overturn_core::claims::ClaimStatus;
use overturn_core::claims::query::{self, StatusQuery};
use std::fmt;
use std::rc::Rc;

/// How many times a status read with a signing link is decided if the caller's rights keep changing.
const STATUS_ROUNDS: usize = 3;

/// `GET /api/v1/claims/status`.
///
/// 1. The key has a valid form, or `401`.
/// 2. Load the caller and the claim, in parallel with the limiter.
/// 3. May the caller read? `401`, `429`, `403`. Is the query valid? `422`. Does the claim exist? `404`.
/// 4. `200`. If the answer shows a signing link, its audit row is committed first.
pub(crate) async fn show(KeyRequest { call, key }: KeyRequest) -> Result<Response, AppError> {
    authorize::by_clock(&call, &key, async |call| shown(&call, &key).await).await
}

async fn shown(call: &Rc<Call>, key: &PresentedKey) -> Result<Response, AppError> {
    let query = query::parse(values(&call.url, "claim_number")).map_err(RequestError::Invalid);
    let (mut snapshot, verdict) = load_and_record(call, key, query.as_ref().ok()).await?;
    for _ in 0..STATUS_ROUNDS {
        let open = |place, link: &StoredSigningLink| link::address(call, place, link);
        let (caller, answer) = decide(query.as_ref(), &snapshot, verdict, &call.ctx, open)?;
        match hand_out(call, caller, &snapshot, &answer).await {
            // The rights of the caller have changed: the next round reads them again.
            Err(DatabaseError::Conflict(FailedGuard::Credential)) => {}
            noted => return Ok(noted.map(|()| response::json(StatusCode::OK, &answer))?),
        }
        snapshot = load(call, key, query.as_ref().ok()).await?;
    }
    Err(AppError::Unavailable("rounds"))
}

/// The status of a claim `c`, as [`StoredStatus`] reads it. Its link and the data key are read only if a signature is needed.
pub(super) const STATUS_OF_CLAIM: &str =
    "json_array(c.id, c.status, c.signing_status, json(CASE WHEN c.signing_status = 'needed' THEN (
       SELECT json_array(l.id, l.key_version, l.sealed, l.expires_at, l.attempts, l.hash, {DATA_KEY})
       FROM signing_links l
       WHERE l.practice_id = c.practice_id AND l.claim_id = c.id AND l.revoked_at IS NULL AND l.used_at IS NULL
       ORDER BY l.id DESC LIMIT 1) END))";
pub(super) const DATA_KEY: &str = data_key!("l.practice_id");

/// The credential and the claim with this number, none if the practice has not used the number.
pub(super) fn of_key(hash: &str, claim_number: &str) -> Query<(Option<Credential>, Option<StoredStatus>)> {
    select!(
        "claims.status",
        "SELECT json_array({CREDENTIAL}, json((SELECT {STATUS_OF_CLAIM}
     FROM claims c WHERE c.practice_id = k.practice_id AND c.claim_number = {claim_number}))) AS json
     FROM api_keys k JOIN practices p ON p.id = k.practice_id WHERE k.hash = {hash}"
         [CREDENTIAL, STATUS_OF_CLAIM, DATA_KEY];
        hash, claim_number
    )
    .or_default()
}

/// Loads the caller and, for a valid query, the claim. One round trip.
async fn load(call: &Call, key: &PresentedKey, query: Option<&StatusQuery<'_>>) -> Result<Snapshot, AppError> {
    let db = &call.db;
    let (credential, claim) = match query {
        Some(query) => db.read(&of_key(key.hash(), &query.claim_number)).await?,
        None => (db.read(&authorize::credential(key.hash())).await?, None),
    };
    Ok(Snapshot { credential: authorize::timed(call, key, credential)?, claim })
}

/// Loads the claim of a status read, in parallel with the limiter, and records the use of the key.
async fn load_and_record(
    call: &Rc<Call>,
    key: &PresentedKey,
    query: Option<&StatusQuery<'_>>,
) -> Result<(Snapshot, Option<Verdict>), AppError> {
    let load = load(call, key, query);
    let App { limiters, settings, memory, .. } = call.app.as_ref();
    let reads = (Group::Reads, authorize::limit(call, settings.limits.reads));
    let ask = async {
        match authorize::ahead(call, key, reads.1, |known| &mut known.reads) {
            Some((ahead, _)) => Ok(ahead),
            None => limiters.ask(&call.counted, &authorize::principal(call, key), reads.0, reads.1).await,
        }
    };
    let of = |snapshot: &Snapshot| authorize::is_in_force(snapshot.credential.as_ref(), call);
    let (snapshot, verdict) = authorize::load_and_count((&memory.keys, key), ask, load, of).await?;
    let credential = snapshot.credential.as_ref();
    let used = authorize::authorize(call, credential, verdict, Scope::ClaimsRead);
    authorize::record_use(call, used);
    authorize::count_ahead(call, key, reads, |known| &mut known.reads);
    Ok((snapshot, verdict))
}

/// Records in the trail that the answer has a patient's link, if it has one and the caller may still read it.
async fn hand_out(
    call: &Call,
    caller: Caller,
    snapshot: &Snapshot,
    answer: &StatusResponse<'_>,
) -> Result<(), DatabaseError> {
    let claim = snapshot.claim.as_ref();
    let shown = claim.filter(|_| answer.claim.signing.link.is_some());
    let shown = shown.and_then(|claim| Some((claim.id, claim.link.as_ref()?.id)));
    let Some((claim, link)) = shown else {
        return Ok(());
    };
    let entry = handed_out(caller.practice_id, claim, link, &call.ctx);
    let actor = Actor::ApiKey(caller.api_key_id);
    let guards = vec![Guard::Key(caller)];
    let plan = pipeline::plan_of_call(call, actor, guards, vec![Write::Audit(entry)]);
    pipeline::run(&call.db, &call.app, &plan).await.map(drop)
}

/// The parts of a stored claim that a status read shows.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct StoredStatus {
    pub(crate) id: ClaimId,
    pub(crate) status: ClaimStatus,
    pub(crate) signing_status: SigningStatus,
    /// The signing link, if a signature is needed and there is a link.
    pub(crate) link: Option<StoredSigningLink>,
}

impl StoredStatus {
    /// Where the token of its link is sealed.
    #[must_use]
    pub(crate) const fn place(&self, practice: PracticeId, link: &StoredSigningLink) -> SealedPlace {
        SealedPlace::SigningLink { practice, claim: self.id, id: link.id }
    }
}

/// The stored state for a status read.
#[derive(Debug)]
pub(crate) struct Snapshot {
    /// The presented key, if it is known.
    pub(crate) credential: Option<Credential>,
    /// The claim with this number in the key's practice.
    pub(crate) claim: Option<StoredStatus>,
}

/// The status response body.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct StatusResponse<'a> {
    pub(crate) claim: ClaimStatusView<'a>,
}

/// What a status read shows of a claim. `Debug` does not print the claim number.
#[derive(PartialEq, Eq, Serialize)]
pub(crate) struct ClaimStatusView<'a> {
    pub(crate) claim_number: &'a str,
    pub(crate) id: ClaimId,
    pub(crate) status: ClaimStatus,
    /// Its signature.
    pub(crate) signing: Signing,
}

impl fmt::Debug for ClaimStatusView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClaimStatusView")
            .field("id", &self.id)
            .field("status", &self.status)
            .field("signing", &self.signing)
            .finish_non_exhaustive()
    }
}

/// The audit row of a shown signing link. A link is shown only together with this row.
#[must_use]
pub(crate) fn handed_out(practice: PracticeId, claim: ClaimId, link: SigningLinkId, ctx: &Ctx) -> Entry {
    let entry = Entry::new(ctx, 0, Some(practice), Event::SigningLinkShown, claim);
    entry.detail(json!({ "link_id": link }))
}

/// Decides a status read. `open` builds the URL of a link, `None` if its token cannot be opened.
///
/// # Errors
///
/// The refusals of [`key::authorise`], then [`RequestError::Invalid`], then [`RequestError::ClaimNotFound`], also for a claim of
/// another practice.
pub(crate) fn decide<'a>(
    query: Result<&'a StatusQuery<'_>, &RequestError>,
    snapshot: &Snapshot,
    limit: Option<Verdict>,
    ctx: &Ctx,
    open: impl FnOnce(SealedPlace, &StoredSigningLink) -> Option<Url>,
) -> Result<(Caller, StatusResponse<'a>), RequestError> {
    let caller = key::authorise(snapshot.credential.as_ref(), limit, Scope::ClaimsRead, ctx.now)?;
    let query = query.map_err(RequestError::clone)?;
    let stored = snapshot.claim.as_ref().ok_or(RequestError::ClaimNotFound)?;
    let asked = caller.appeal_button && is_asked(stored.status, stored.signing_status);
    let link = stored.link.as_ref();
    let link = link.filter(|link| asked && link.holds(ctx.now));
    let claim = ClaimStatusView {
        claim_number: &query.claim_number,
        id: stored.id,
        status: stored.status,
        signing: Signing {
            status: stored.signing_status,
            appeal_button: caller.appeal_button,
            link: link.and_then(|link| open(stored.place(caller.practice_id, link), link)),
        },
    };
    Ok((caller, StatusResponse { claim }))
}
