//! `GET …/cases`: the cases of one practice, newest first.

use super::case::LAST_LEVEL;
use super::view::{CaseItem, IN_APPEAL, LISTED, ListedCase, OPENED_BY};
use crate::extract::PathPractice;
use crate::prelude::*;
use crate::request::declare::kinds::Id;
use crate::request::declare::query::kinds::{Cursor, Limit, TextOf};
use crate::request::declare::query::query;
use crate::work::sql::LEVEL;
use overturn_core::base::id::ClaimId;
use uuid::Uuid;

query! {
    /// The query of the list.
    pub(crate) CasesOfPractice {
        limit: Limit,
        cursor: Cursor<Uuid>,
        /// Only cases of this payer, as the case names it. Upper and lower case of ASCII letters does not matter.
        payer_name: TextOf<200>,
        /// Only cases that this claim is in, or was in before.
        claim_id: Id<ClaimId>,
    }
}

impl CasesOfPractice {
    const fn page(&self) -> Page {
        Page { limit: self.limit, cursor: self.cursor }
    }
}

/// The cases `k` that a query finds, with the parts of [`LISTED`].
macro_rules! listed {
    ($found:literal) => {
        concat!(
            "SELECT json_group_array(json_object({LISTED})) AS json FROM (",
            $found,
            " LIMIT CAST({most} AS INTEGER)) k"
        )
    };
}
const ALL: &str = listed!("SELECT * FROM cases WHERE practice_id = {practice} AND id < {after} ORDER BY id DESC");
const OF_PAYER: &str = listed!(
    "SELECT * FROM cases INDEXED BY cases_of_payer
     WHERE practice_id = {practice} AND payer_name = {payer} COLLATE NOCASE AND id < {after} ORDER BY id DESC"
);
/// Of the payer only unless it is NULL.
const OF_CLAIM: &str = listed!(
    "SELECT o.* FROM case_claims m INDEXED BY case_claims_of_claim CROSS JOIN cases o
     WHERE m.practice_id = {practice} AND m.claim_id = {claim} AND m.case_id < {after}
       AND o.practice_id = m.practice_id AND o.id = m.case_id
       AND ({payer} IS NULL OR o.payer_name = {payer} COLLATE NOCASE)
     ORDER BY m.case_id DESC"
);

pub(in crate::work) fn of_practice(practice: PracticeId, query: &CasesOfPractice) -> Query<Option<Vec<CaseItem>>> {
    let (after, most) = (after(query.page()), query.page().reads());
    let found = match (query.claim_id, query.payer_name.as_ref()) {
        (None, None) => select!(
            "work.cases", "{ALL}" [ALL, LISTED, OPENED_BY, IN_APPEAL, LAST_LEVEL, LEVEL]; practice, after, most
        ),
        (None, Some(payer)) => select!(
            "work.cases", "{OF_PAYER}" [OF_PAYER, LISTED, OPENED_BY, IN_APPEAL, LAST_LEVEL, LEVEL];
            practice, after, most, payer
        ),
        (Some(claim), payer) => select!(
            "work.cases", "{OF_CLAIM}" [OF_CLAIM, LISTED, OPENED_BY, IN_APPEAL, LAST_LEVEL, LEVEL];
            practice, after, most, payer, claim
        ),
    };
    found.optional()
}

/// `listCases`: List the practice's cases.
///
/// Staff only. The newest comes first. The list does not name a patient.
pub(crate) async fn list(
    PathPractice(practice): PathPractice,
    request: ReadRequest<CasesOfPractice>,
) -> Result<Gives<Listed<ListedCase>>, AppError> {
    let view = |query: CasesOfPractice, cases: Vec<CaseItem>| -> Listed<ListedCase> {
        let cases = cases.into_iter().map(|item| ListedCase { standing: item.standing(), item });
        query.page().list(cases.collect(), |case| case.item.id.0)
    };
    request.list(|query| of_practice(practice, &query), view).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::decisions::parsed;

    #[test]
    fn a_query_is_read_and_everything_wrong_with_it_is_reported() {
        let parse = parsed::<CasesOfPractice>;
        let plain = parse(&[("payer_name", " "), ("claim_id", "")]).unwrap();
        assert_eq!((plain.payer_name, plain.claim_id), (None, None));
        let payer = parse(&[("payer_name", "\u{c9}clair Health"), ("limit", "3")]).unwrap();
        assert_eq!(payer.payer_name.as_deref(), Some("\u{c9}clair Health"));
        assert_eq!(payer.limit, 3);
        let wrong = parse(&[("claim_id", "A-1"), ("payer", "x"), ("cursor", "x")]);
        assert_eq!(
            wrong.unwrap_err(),
            [
                "payer is not a known parameter; known are limit, cursor, payer_name, claim_id",
                "cursor must be one that a page gave",
                "claim_id must be an id",
            ]
        );
    }
}
