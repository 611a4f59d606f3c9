//! Patients' signatures as statements.

use crate::json::json;
use crate::sealer::{SealError, Sealer, sealed};
use crate::signing::sql;
use crate::statement::{Param, Statement, text};
use overturn_core::base::id::{ClaimId, PracticeId, SigningLinkId, UserId};
use overturn_core::base::instant::Instant;
use overturn_core::base::sealed::{KeyVersion, SealedPlace};
use overturn_core::plan::Plan;
use overturn_core::plan::SigningWrite;
use overturn_core::plan::signing::NewSignature;
use overturn_core::plan::signing::link::NewSigningLink;
use serde::Serialize;

/// The statements of a change of the signature.
pub(crate) fn lower(
    write: &SigningWrite,
    plan: &Plan<'_>,
    sealer: &mut Sealer<'_>,
) -> Result<Vec<Statement>, SealError> {
    let now = plan.at;
    Ok(match write {
        SigningWrite::NewLinks(new) => links(new, now, sealer)?.into(),
        SigningWrite::LinksRevoked(claims) => {
            let claims = claims.iter().map(|(practice, claim)| (*practice, *claim, None));
            vec![revoked(claims, now)]
        }
        SigningWrite::Tried(hash) => vec![Statement::new(sql::COUNT_TRY, [text(hash)])],
        SigningWrite::TryReturned { practice, claim, link } => {
            vec![returned(*practice, *claim, *link)]
        }
        SigningWrite::NewSignature(new) => signature(new, now, sealer)?.into(),
    })
}

/// A link, in the form that the statement reads.
#[derive(Serialize)]
struct LinkRow {
    practice: PracticeId,
    claim: ClaimId,
    id: SigningLinkId,
    hash: String,
    key_version: KeyVersion,
    sealed: String,
    created_by: UserId,
    expires_at: Instant,
}

/// Inserts links, and ends the earlier ones of their claims.
pub(crate) fn links(
    new: &[NewSigningLink],
    now: Instant,
    sealer: &mut Sealer<'_>,
) -> Result<[Statement; 2], SealError> {
    let mut rows = Vec::with_capacity(new.len());
    for link in new {
        let place = SealedPlace::SigningLink { practice: link.practice_id, claim: link.claim_id, id: link.id };
        let (key_version, sealed) = sealer.seal(place, link.token.expose().as_bytes())?;
        rows.push(LinkRow {
            practice: link.practice_id,
            claim: link.claim_id,
            id: link.id,
            hash: link.token.hash(),
            key_version,
            sealed,
            created_by: link.created_by,
            expires_at: link.expires_at,
        });
    }
    let insert = [Param::Text(json(&rows)), Param::Int(now.0)];
    let of = new.iter().map(|link| (link.practice_id, link.claim_id, Some(link.id)));
    Ok([revoked(of, now), Statement::new(sql::INSERT_LINKS, insert)])
}

/// Ends the links of claims, except a new one.
pub(crate) fn revoked(
    of: impl Iterator<Item = (PracticeId, ClaimId, Option<SigningLinkId>)>,
    now: Instant,
) -> Statement {
    let rows: Vec<_> = of.collect();
    let params = [Param::Text(json(&rows)), Param::Int(now.0)];
    Statement::new(sql::REVOKE_OTHER_LINKS, params)
}

pub(crate) fn returned(practice: PracticeId, claim: ClaimId, link: SigningLinkId) -> Statement {
    Statement::new(sql::RETURN_TRY, [text(practice), text(claim), text(link)])
}

/// Inserts a signature, and marks its link as used.
pub(crate) fn signature(
    new: &NewSignature,
    now: Instant,
    sealer: &mut Sealer<'_>,
) -> Result<[Statement; 2], SealError> {
    let (practice, claim, link) = (text(new.practice_id), text(new.claim_id), text(new.link_id));
    let at = Param::Int(now.0);
    let place = SealedPlace::Signature { practice: new.practice_id, claim: new.claim_id, id: new.id };
    let [version, sealed] = sealed(sealer.seal(place, json(&new.secret).as_bytes())?);
    let insert = Statement::new(
        sql::INSERT_SIGNATURE,
        [practice.clone(), claim.clone(), text(new.id), link.clone(), at.clone(), version, sealed],
    );
    let used = Statement::new(sql::USE_LINK, [practice, claim, link, at]);
    Ok([insert, used])
}
