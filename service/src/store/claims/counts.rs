//! Counts new claims and notes their payers, as statements.

use crate::store::claims::sql::counts as sql;
use crate::store::json::json;
use crate::store::statement::{Param, Statement, text};
use overturn_core::plan::claims::{NewClaims, deadline};
use std::collections::BTreeSet;

/// Counts the claims of a send that are new. Runs before the claims are inserted.
pub(crate) fn count(new: &NewClaims<'_>) -> Statement {
    let claims = new.claims.iter().map(|new| {
        let claim = &new.item.claim;
        let due = deadline::of(claim.plan_type, claim.denial_date).map(|due| due.on);
        let number = &*claim.claim_number;
        (number, due, claim.billed_amount, claim.denied_amount)
    });
    let rows = json(&claims.collect::<Vec<_>>());
    let practice = text(new.practice_id);
    Statement::new(sql::COUNT, [practice, Param::Text(rows)])
}

/// Notes the payers of a send's new claims.
pub(crate) fn payers(new: &NewClaims<'_>) -> Statement {
    let claims = new.claims.iter();
    let names: BTreeSet<&str> = claims.map(|new| &*new.item.claim.payer_name).collect();
    let practice = text(new.practice_id);
    Statement::new(sql::INSERT_PAYERS, [practice, Param::Text(json(&names))])
}
