//! The warnings that the certificates of an identity provider end: 30 days before, and again 7 days before. A scheduled
//! job sends them.

use crate::jobs::Jobs;
use crate::pipeline;
use crate::plan::Actor;
use crate::plan::notice::{Notice, NoticeKind};
use crate::prelude::*;
use crate::store::error::{DatabaseError, FailedGuard};
use overturn_core::base::id::SsoProviderId;
use overturn_core::base::instant::DAY_MS;
use overturn_core::identity::saml::ProviderDescription;

/// How long before the last certificate ends the practice is warned first, in milliseconds: 30 days.
const WARNED_MS: i64 = 30 * DAY_MS;
/// How long before it ends the practice is warned again, in milliseconds: 7 days.
const WARNED_AGAIN_MS: i64 = 7 * DAY_MS;
/// How long a sweep runs, in milliseconds. The next sweep does the rest.
const LONGEST_MS: i64 = 10_000;
/// How many providers one read of [`ending`] gives at most.
const ENDING_MAX: usize = 20;

/// A provider whose last certificate ends soon.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct EndingProvider {
    pub(super) practice_id: PracticeId,
    pub(super) id: SsoProviderId,
    /// When its last certificate ends.
    pub(super) ends_at: Instant,
    /// Since when the practice is due to be warned.
    pub(super) since: Instant,
}

/// When the last certificate of a provider ends.
pub(super) fn end(of: &ProviderDescription) -> Option<Instant> {
    of.certificates.iter().map(|certificate| certificate.expires_at).max()
}

/// When a practice is warned first about certificates that end at `end`.
pub(super) const fn first_warning(end: Instant) -> Instant {
    end.plus(-WARNED_MS)
}

/// When a practice is warned again, after a warning at `now`.
pub(super) fn next_warning(end: Instant, now: Instant) -> Option<Instant> {
    let again = end.plus(-WARNED_AGAIN_MS);
    (now < again).then_some(again)
}

/// Some of the providers about whose certificates a practice is due to be warned.
pub(super) fn ending(now: Instant) -> Query<Vec<EndingProvider>> {
    select!(
        "settings.sso_ending",
        "SELECT json_group_array(json_object('practice_id', s.practice_id, 'id', s.id, 'ends_at', s.certificates_end,
           'since', s.warn_at)) AS json
         FROM (SELECT * FROM sso_providers WHERE warn_at <= CAST({now} AS INTEGER)
           AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = practice_id)
           ORDER BY warn_at LIMIT CAST({most} AS INTEGER)) s";
        now, most = ENDING_MAX
    )
    .one()
}

/// Warns each practice that is due to be warned. Usually none is, and this reads no row.
pub(crate) async fn sweep(jobs: &Jobs) {
    if let Err(fault) = jobs.do_due((ENDING_MAX, LONGEST_MS), ending, async |one| warn(jobs, one).await).await {
        jobs.db.failed("sso_sweep_failed", fault);
    }
}

async fn warn(jobs: &Jobs, ending: EndingProvider) -> Result<(), DatabaseError> {
    let ctx = jobs.db.ctx()?;
    let change = warned(ending, &ctx);
    let plan = pipeline::plan(&ctx, Actor::Service, change.guards, change.writes);
    match pipeline::run(&jobs.db, &jobs.app, &plan).await {
        // Another sweep has warned, or the provider has changed.
        Err(DatabaseError::Conflict(FailedGuard::Record)) => return Ok(()),
        done => done.map(drop)?,
    }
    log::info!(
        "{}",
        json!({
            "event": "provider_ending", "practice_id": ending.practice_id, "provider_id": ending.id,
            "ends_at": Time(ending.ends_at),
        })
    );
    Ok(())
}

/// Warns owners and admins by email. The guard fails if another sweep has warned, or the metadata is new.
pub(super) fn warned(ending: EndingProvider, ctx: &Ctx) -> Change {
    let EndingProvider { practice_id: practice, id, ends_at, since } = ending;
    let audit = Entry::new(ctx, 0, Some(practice), Event::ProviderEnding, id);
    let audit = audit.detail(json!({ "ends_at": Time(ends_at) }));
    let notice = Notice::new(practice, NoticeKind::ProviderEnding, ctx).about(id.0).due(ends_at);
    Change::new(audit, Answer::empty())
        .guard(abort_if!(
            Record,
            "NOT EXISTS (SELECT 1 FROM sso_providers
               WHERE practice_id = {practice} AND id = {id} AND warn_at = CAST({since} AS INTEGER))";
            practice, id, since
        ))
        .write(sql!(
            "UPDATE sso_providers SET warn_at = {next} WHERE practice_id = {practice} AND id = {id}";
            practice, id, next = next_warning(ends_at, ctx.now)
        ))
        .write(Write::Notice(notice))
}
