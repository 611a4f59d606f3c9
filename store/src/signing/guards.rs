//! What must hold of the patient's signature when a batch runs.

use crate::statement::{Param, Statement, text};
use overturn_core::plan::signing::link::TRIES_MAX;
use overturn_core::plan::{Plan, SigningGuard};

/// `?1` the practice, `?2` the claim, `?3` the link, `?4` now, `?5` the maximum of attempts.
const LINK_USABLE: &str = "INSERT INTO guards (failed) SELECT 'secret' WHERE NOT EXISTS (
       SELECT 1 FROM signing_links WHERE practice_id = ?1 AND claim_id = ?2 AND id = ?3 AND revoked_at IS NULL
         AND used_at IS NULL AND expires_at > ?4 AND attempts < ?5)";

/// The statement of a guard.
pub(crate) fn lower(guard: &SigningGuard, plan: &Plan<'_>) -> Statement {
    let at = Param::Int(plan.at.0);
    match guard {
        SigningGuard::LinkUsable { practice, claim, link: id } => {
            Statement::new(LINK_USABLE, vec![text(practice), text(claim), text(id), at, Param::Int(TRIES_MAX)])
        }
    }
}
