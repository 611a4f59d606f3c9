//! Queries for a practice's own claims.

use crate::claims::sql::denials as sql;
use crate::json::json;
use crate::query::Query;
use crate::statement::after;
use crate::statement::{Param, count, instant, optional, text};
use overturn_core::base::id::ClaimId;
use overturn_core::claims::denials::{self, ClaimLink, EVENTS_MAX, FoundDenials, PageStart};

/// A page of the practice's claims.
#[must_use]
pub fn denials(caller: &str, query: &denials::DenialsQuery) -> Query<Option<FoundDenials>> {
    let filter = &query.filter;
    let is_one = filter.claim_number.is_some();
    let (sql, after) = match query.position {
        PageStart::List(id) => (if is_one { sql::DENIALS_OF_NUMBER } else { sql::DENIALS }, after(id)),
        PageStart::Due(after) => {
            let after = after.map_or_else(|| text(""), |place| text(place.due_key()));
            let sql = if is_one { sql::DENIALS_DUE_OF_NUMBER } else { sql::DENIALS_DUE };
            (sql, after)
        }
        PageStart::Changes(after) => {
            let after = after.map_or(0, |cursor| cursor.changed);
            let sql = if is_one { sql::DENIALS_CHANGED_OF_NUMBER } else { sql::DENIALS_CHANGED };
            (sql, Param::Int(after))
        }
    };
    let statuses: Vec<&str> = filter.statuses.iter().map(|status| status.name()).collect();
    let statuses = (!statuses.is_empty()).then(|| json(&statuses));
    let signing: Vec<&str> = filter.signing.iter().map(|status| status.name()).collect();
    let signing = (!signing.is_empty()).then(|| json(&signing));
    let mut params = vec![
        text(caller),
        after,
        count(query.reads()),
        count(query.scans()),
        optional(statuses),
        optional(filter.payer_name.as_ref()),
        optional(filter.denied_from),
        optional(filter.denied_to),
        instant(filter.received_from),
        instant(filter.received_before),
        instant(filter.updated_since),
        optional(filter.report_id),
        optional(filter.due_from),
        optional(filter.due_to),
        optional(signing),
        optional(filter.denial_code.as_ref()),
    ];
    match query.position {
        PageStart::Due(after) => params
            .extend([optional(filter.claim_number.as_ref()), after.map_or_else(|| text(""), |place| text(place.id))]),
        PageStart::List(_) | PageStart::Changes(_) => {
            params.extend(filter.claim_number.as_ref().map(text));
        }
    }
    Query::optional("claims.denials", sql, params)
}

/// One claim of the practice, with its history.
#[must_use]
pub fn denial(caller: &str, id: ClaimId) -> Query<Option<denials::One>> {
    Query::optional("claims.denial", sql::DENIAL, [text(caller), text(id), count(EVENTS_MAX)])
}

/// One claim of the practice with its signing link.
#[must_use]
pub fn signing_link(caller: &str, id: ClaimId) -> Query<Option<ClaimLink>> {
    Query::optional("claims.signing_link", sql::SIGNING_LINK, [text(caller), text(id)])
}
