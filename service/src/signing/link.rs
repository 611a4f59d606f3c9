//! The link to the signing page, and `…/claims/{id}/signing/link`.

use crate::claim_changes::{self, ClaimAnswer, ClaimChange, LinkChange, settle};
use crate::extract::InPractice;
use crate::plan::statement::{Bind as _, Rows};
use crate::plan::work::change::ClaimEventKind;
use crate::plan::work::claim::StoredWorkClaim;
use crate::prelude::*;
use crate::request::secret::SigningToken;
use overturn_core::base::id::{ClaimId, SigningLinkId, UserId};
use overturn_core::base::instant::DAY_MS;

/// How long a link can be used: 30 days.
pub(super) const LINK_MS: i64 = 30 * DAY_MS;

/// A claim, and the link of it that stays.
pub(super) type Kept = (PracticeId, ClaimId, Option<SigningLinkId>);

/// A new link. `Debug` does not print its token.
#[derive(Debug)]
pub(super) struct NewLink {
    practice: PracticeId,
    claim: ClaimId,
    id: SigningLinkId,
    token: SigningToken,
    created_by: UserId,
}

impl NewLink {
    /// A link of a claim from 32 bytes of a cryptographic source, as the nth record of a request.
    pub(super) fn new(
        (practice, claim): (PracticeId, ClaimId),
        created_by: UserId,
        (random, n): ([u8; 32], usize),
        ctx: &Ctx,
    ) -> Self {
        let id = SigningLinkId(ctx.id(Purpose::Record, n));
        Self { practice, claim, id, token: SigningToken::mint(random), created_by }
    }
}

/// Writes links, each of another claim, and ends the earlier ones of these claims. The token has two forms: its hash, by
/// which the page finds it, and sealed, so that every status read can show it again.
pub(super) fn replaced(links: &[NewLink], now: Instant) -> [Write; 2] {
    let kept = links.iter().map(|link| (link.practice, link.claim, Some(link.id)));
    let rows = Rows::of(links, |link| {
        let &NewLink { practice, claim, id, ref token, created_by } = link;
        let place = SealedPlace::SigningLink { practice, claim, id };
        let sealed = Seal::new(place, token.expose().as_bytes());
        let [practice, claim, id] = [practice.bind(), claim.bind(), id.bind()];
        [practice, claim, id, token.hash().bind(), KeyOf(place).bind(), sealed.bind(), created_by.bind()]
    });
    let inserted = sql!(
        "INSERT INTO signing_links
           (practice_id, claim_id, id, hash, key_version, sealed, created_by, created_at, expires_at)
         SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5, j.value ->> 6,
           {now}, {until}
         FROM json_each({links}) j WHERE true ON CONFLICT (practice_id, claim_id, id) DO NOTHING";
        links = rows, now, until = now.plus(LINK_MS)
    );
    [ended(&kept.collect::<Vec<_>>(), now), inserted]
}

/// Ends the links of these claims, except those that stay.
pub(super) fn ended(claims: &[Kept], now: Instant) -> Write {
    sql!(
        "UPDATE signing_links SET revoked_at = {now}
         WHERE (practice_id, claim_id, id) IN (
           SELECT l.practice_id, l.claim_id, l.id FROM json_each({claims}) j CROSS JOIN signing_links l
           WHERE l.practice_id = j.value ->> 0 AND l.claim_id = j.value ->> 1 AND l.id <> ifnull(j.value ->> 2, '')
             AND l.revoked_at IS NULL AND l.used_at IS NULL)";
        claims = Json(claims), now
    )
}

/// True if a claim has a link that was neither revoked nor used.
pub(super) fn has_link(practice: PracticeId, claim: ClaimId) -> Query<bool> {
    select!(
        "signing.has_link",
        "SELECT iif(EXISTS (SELECT 1 FROM signing_links WHERE practice_id = {practice} AND claim_id = {claim}
           AND revoked_at IS NULL AND used_at IS NULL), 'true', 'false') AS json";
        practice, claim
    )
    .one()
}

/// `revokeSigningLink`: Revoke the link to the page on which the patient signs.
///
/// Staff only. The link stops working at once, even for a person who is about to sign. The decision stays. A new
/// `needed` makes a new link. If the claim has no link, nothing happens.
pub(crate) async fn revoke(
    InPractice(practice, id): InPractice<ClaimId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest,
) -> Result<Gives<ClaimAnswer>, AppError> {
    let load = (claim_changes::claim(practice, id), has_link(practice, id));
    let decide = request.change(load, |person, (stored, has_link), _| {
        let stored = StoredWorkClaim::seen(stored, seen)?;
        Ok::<_, RequestError>(revoked(practice, (&stored, has_link), person, request.ctx()))
    });
    decide.await
}

/// Ends the link of a claim and changes nothing else.
pub(super) fn revoked(
    practice: PracticeId,
    (stored, has_link): (&StoredWorkClaim, bool),
    person: &Person,
    ctx: &Ctx,
) -> Change {
    if !has_link {
        return Change::nothing(Answer::new(200, &ClaimAnswer::of(stored)));
    }
    let change = ClaimChange::of(practice, stored, ClaimEventKind::Signing).link(LinkChange::Revoked);
    let settled = settle(Event::SigningLinkRevoked, stored, change, person, ctx);
    settled.write(ended(&[(practice, stored.id, None)], ctx.now))
}
