//! The query of the cases of one practice.

use crate::base::id::ClaimId;
use crate::request::accept::ListForm;
use crate::request::page::Page;
use crate::request::problem::Problem;
use crate::request::query::{ListQuery, QueryReader};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// Most characters of a payer's name.
const PAYER_MAX: usize = 200;

/// The query of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CasesOfPractice {
    pub page: Page,
    /// Only of this payer. The case of ASCII letters does not matter.
    pub payer_name: Option<String>,
    /// Only those that this claim is in, or was in before.
    pub claim_id: Option<ClaimId>,
}

impl ListQuery for CasesOfPractice {
    fn parse<'a>(query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>) -> Result<Self, Vec<Problem>> {
        let names = ["limit", "cursor", "payer_name", "claim_id"];
        let mut query = QueryReader::new(query, &names);
        let limit = query.limit(ListForm::Json);
        let after = query.cursor(|text| text.parse().ok());
        let payer_name = query.text("payer_name", PAYER_MAX);
        let claim_id = query.id("claim_id");
        query.settle(Self { page: Page { limit, after }, payer_name, claim_id })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{parsed, test};

    #[test]
    fn a_query_is_read_and_everything_wrong_with_it_is_reported() {
        let parse = parsed::<CasesOfPractice>;
        let plain = parse(&[("payer_name", " "), ("claim_id", "")]).unwrap();
        assert_eq!((plain.payer_name, plain.claim_id), (None, None));
        let payer = parse(&[("payer_name", "\u{c9}clair Health"), ("limit", "3")]).unwrap();
        assert_eq!(payer.payer_name.as_deref(), Some("\u{c9}clair Health"));
        assert_eq!(payer.page.limit, 3);
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
