//! The service's answers, and what to do when an answer is not valid.

use crate::call::Answer;
use crate::error::Error;
use crate::retry_after;
use crate::text::shown;
use overturn_core::base::token::{ApiKey, Realm};
use overturn_core::claims::advice::Advice;
use overturn_core::claims::intake;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The fields of the send response that we read.
#[derive(Debug, Deserialize)]
pub struct Sent {
    /// One result per claim, in the order sent.
    pub claims: Vec<ResultItem>,
    /// Only in a sandbox.
    #[serde(default)]
    pub(crate) advice: Vec<SandboxAdvice>,
}

/// Advice of a sandbox on the item of this index.
#[derive(Debug, Deserialize)]
pub(crate) struct SandboxAdvice {
    pub(crate) index: usize,
    #[serde(flatten)]
    pub(crate) advice: ItemAdvice,
}

/// A possible mistake, which refuses nothing.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub struct ItemAdvice {
    pub code: String,
    /// The field to look at, if it is one.
    pub field: Option<String>,
    /// For people.
    pub message: String,
}

/// The result of one claim. It came over the network, so show it only through [`shown`].
#[derive(Default, Debug, Deserialize)]
pub struct ResultItem {
    pub claim_number: String,
    pub created: bool,
    pub id: Option<String>,
    pub status: Option<String>,
    pub error: Option<String>,
    #[serde(skip)]
    pub advice: Vec<ItemAdvice>,
}

impl From<&Advice> for ItemAdvice {
    fn from(advice: &Advice) -> Self {
        let code = json!(advice.code).as_str().unwrap_or_default().to_owned();
        Self { code, field: Some(advice.field.into()), message: advice.message.into() }
    }
}

/// The status response body.
#[derive(Debug, Deserialize)]
pub struct Status {
    pub claim: ClaimView,
}

/// The status of a claim.
#[derive(Debug, Deserialize)]
pub struct ClaimView {
    pub claim_number: String,
    pub id: String,
    pub status: String,
    /// `status`, `appeal_button` and the other signing fields.
    pub signing: Value,
}

#[derive(Deserialize)]
struct Refused {
    error: Option<String>,
    code: Option<String>,
    #[serde(default)]
    errors: Vec<String>,
    /// Any type: if it cannot be read, the other fields are still used.
    #[serde(default)]
    retry_after: Value,
}

/// The body of a refusal, if it has the shape that the claims interface uses.
fn refused(body: &[u8]) -> Option<Refused> {
    serde_json::from_slice(body).ok()
}

/// Reads the body of a success.
///
/// # Errors
///
/// [`Error::Service`] when the body does not have the service's shape.
pub fn read<'a, T: Deserialize<'a>>(answer: &'a Answer) -> Result<T, Error> {
    // The cause stays out: its text could repeat a value of the answer.
    serde_json::from_slice(&answer.body).map_err(|_| not_the_service())
}

/// The failure for a server that does not answer as the service does.
pub fn not_the_service() -> Error {
    Error::Service("what answers there is not this service. Check the address".into())
}

/// The seconds that the body of a `429` asks to wait.
pub fn retry_after(body: &[u8]) -> Option<u64> {
    retry_after::of_number(refused(body)?.retry_after.as_number()?)
}

/// The items of a batch that cannot be sent again today, and the reason, if a `429` names them. The other items can be
/// sent at once.
pub fn stopped(answer: &Answer) -> Option<(Vec<usize>, &'static str)> {
    let said = refused(&answer.body)?.error?;
    let items = intake::stopped_items(&said).filter(|_| answer.status == 429)?;
    Some((items, intake::STOPPED))
}

/// The problems of a `422`.
pub fn problems(body: &[u8]) -> Vec<String> {
    refused(body).map(|body| body.errors).unwrap_or_default()
}

/// True if the `404` comes from the service itself, which means that it does not know the claim.
pub fn is_unknown_claim(answer: &Answer) -> bool {
    answer.status == 404 && refused(&answer.body).is_some_and(|body| body.error.is_some())
}

/// The failure for an answer that is not a success. It says what to do.
pub fn explain(answer: &Answer, key: &ApiKey) -> Error {
    let body = refused(&answer.body);
    let code = body.as_ref().and_then(|body| body.code.as_deref());
    let said = body.as_ref().and_then(|body| body.error.as_deref());
    let mut said = said.map_or_else(|| format!("status {}", answer.status), shown);
    let problems = body.as_ref().map(|body| body.errors.join("; "));
    if let Some(problems) = problems.filter(|problems| !problems.is_empty()) {
        said = format!("{said}: {}", shown(&problems));
    }
    let kind = match key.realm() {
        Realm::Live => "a live key, which only production takes",
        Realm::Test => "a test key, which production does not take",
    };
    Error::Service(match (answer.status, code) {
        (300..=399, _) => "the address answers with a redirect, and the key is not sent on. Use the address that the redirect leads to".into(),
        (401, _) => format!(
            "the service does not know the key ({said}): it was revoked, has expired, or belongs to another service; this is {kind}. An owner or admin creates a new one in the practice settings under API keys"
        ),
        (403, Some("baa_required")) => format!(
            "{said}. An owner or admin signs it in the practice settings under Agreements; then run this again"
        ),
        (403, _) => format!(
            "{said}. What a key may do is set in the practice settings under API keys. Ask the operator whether the practice is active"
        ),
        (404 | 405, _) => "there is no claims interface at this address. Check the address".into(),
        (413, _) => format!("a proxy or the service finds the request too large ({said}). Ask its operator to allow 2 MiB"),
        _ => format!("the service refuses the call ({said}). It will do so again; ask its operator"),
    })
}
