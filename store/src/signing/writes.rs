//! Patients' signatures as statements.

use crate::json::json;
use crate::sealer::{SealError, Sealer, sealed};
use crate::signing::sql;
use crate::statement::{Param, Statement, text};
use overturn_core::base::id::{ClaimId, PracticeId, SigningLinkId};
use overturn_core::base::instant::Instant;
use overturn_core::base::sealed::SealedPlace;
use overturn_core::plan::Plan;
use overturn_core::plan::SigningWrite;
use overturn_core::plan::signing::NewSignature;
use overturn_core::plan::signing::link::NewSigningLink;

/// The statements of a change of the signature.
pub(crate) fn lower(
    write: &SigningWrite,
    plan: &Plan<'_>,
    sealer: &mut Sealer<'_>,
) -> Result<Vec<Statement>, SealError> {
    let now = plan.at;
    Ok(match write {
        SigningWrite::NewLink(new) => link(new, now, sealer)?.into(),
        SigningWrite::LinksRevoked { practice, claim } => {
            vec![revoked(*practice, *claim, now)]
        }
        SigningWrite::Tried(hash) => vec![Statement::new(sql::COUNT_TRY, [text(hash)])],
        SigningWrite::TryReturned {
            practice,
            claim,
            link,
        } => {
            vec![returned(*practice, *claim, *link)]
        }
        SigningWrite::NewSignature(new) => signature(new, now, sealer)?.into(),
    })
}

/// Inserts a link, and ends the claim's earlier ones.
pub(crate) fn link(
    new: &NewSigningLink,
    now: Instant,
    sealer: &mut Sealer<'_>,
) -> Result<[Statement; 2], SealError> {
    let (practice, claim, id) = (text(new.practice_id), text(new.claim_id), text(new.id));
    let at = Param::Int(now.0);
    let place = SealedPlace::SigningLink {
        practice: new.practice_id,
        claim: new.claim_id,
        id: new.id,
    };
    let [version, sealed] = sealed(sealer.seal(place, new.token.expose().as_bytes())?);
    let insert = Statement::new(
        sql::INSERT_LINK,
        [
            practice.clone(),
            claim.clone(),
            id.clone(),
            text(new.token.hash()),
            version,
            sealed,
            at.clone(),
            text(new.created_by),
            Param::Int(new.expires_at.0),
        ],
    );
    let revoke = Statement::new(sql::REVOKE_OTHER_LINKS, [practice, claim, id, at]);
    Ok([revoke, insert])
}

/// Ends every link of a claim.
pub(crate) fn revoked(practice: PracticeId, claim: ClaimId, now: Instant) -> Statement {
    // No link has the nil id.
    let params = [text(practice), text(claim), text(""), Param::Int(now.0)];
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
    let place = SealedPlace::Signature {
        practice: new.practice_id,
        claim: new.claim_id,
        id: new.id,
    };
    let [version, sealed] = sealed(sealer.seal(place, json(&new.secret).as_bytes())?);
    let insert = Statement::new(
        sql::INSERT_SIGNATURE,
        [
            practice.clone(),
            claim.clone(),
            text(new.id),
            link.clone(),
            at.clone(),
            version,
            sealed,
        ],
    );
    let used = Statement::new(sql::USE_LINK, [practice, claim, link, at]);
    Ok([insert, used])
}
