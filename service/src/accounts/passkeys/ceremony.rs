//! Ceremonies of passkeys with the browser: how one begins, where it is kept, and that it is used once.

use crate::call::Call;
use crate::cookies::PASSKEY;
use crate::cookies::ceremony::{self, CeremonyPurpose, OpenedCeremony, SpentProof};
use crate::pipeline::{after_commit, log_refused};
use crate::prelude::*;
use overturn_core::identity::passkeys::{BegunCeremony, RelyingParty};
use overturn_core::identity::{Question, Verdict};
use serde::de::DeserializeOwned;

/// The name of the proof in the log.
const PROOF: &str = "passkey";

/// Logs why a response of the browser was refused. The person gets no reason.
pub(crate) fn log(call: &Call, reason: &str, detail: &str) {
    log_refused(call, PROOF, reason, detail);
}

/// The relying party for the page of a request.
pub(super) fn relying_party(call: &Call) -> RelyingParty {
    let settings = &call.app.settings;
    settings.identity.passkeys.relying_party(&settings.origin(&call.url))
}

/// Asks the identity Worker. `None` if it refuses; the reason is in the log.
pub(super) async fn ask<Q: Question>(call: &Call, question: &Q) -> Result<Option<Q::Answer>, AppError> {
    Ok(match call.app.identity.ask(question).await? {
        Verdict::Accepted(answer) => Some(answer),
        Verdict::Refused(refusal) => {
            log(call, &refusal.reason, &refusal.detail);
            None
        }
    })
}

/// Begins a ceremony: the answer has its options, and sets its cookie. `content` makes the content of the cookie from the
/// state.
pub(super) async fn begin<Q: Question<Answer = BegunCeremony>, C: Serialize>(
    call: &Call,
    question: &Q,
    purpose: CeremonyPurpose,
    content: impl FnOnce(String) -> C,
) -> Result<Response, AppError> {
    let begun = ask(call, question).await?.ok_or(AppError::Internal("a ceremony did not begin"))?;
    let at = (call.ctx.now, call.app.host.bytes()?);
    let cookie = ceremony::seal(&call.app.keys.ceremonies, purpose, &content(begun.state), at);
    if !ceremony::is_kept(PASSKEY.0, &cookie) {
        return Err(AppError::Internal("the cookie of a ceremony is too long"));
    }
    let mut response = after_commit::answer(200, &json!({ "options": begun.options }));
    after_commit::set_cookies(&mut response, [PASSKEY.begin(&cookie)])?;
    Ok(response)
}

/// Removes the cookie of a ceremony that was used.
pub(crate) fn end(response: &mut Response) -> Result<(), AppError> {
    after_commit::set_cookies(response, [PASSKEY.end()])
}

/// The ceremony in the browser's cookie, if it was begun for the purpose and has not ended.
pub(super) fn open<T: DeserializeOwned>(
    call: &Call,
    purpose: CeremonyPurpose,
    cookie: Option<&str>,
) -> Option<OpenedCeremony<T>> {
    ceremony::open(&call.app.keys.ceremonies, purpose, cookie?, call.ctx.now)
}

/// Whether the challenge of a ceremony was used.
pub(crate) fn is_spent<T>(ceremony: Option<&OpenedCeremony<T>>) -> Option<Query<bool>> {
    ceremony.map(|ceremony| proof_is_spent(&ceremony.spent.hash))
}

/// Whether a proof was used, by its hash.
pub(crate) fn proof_is_spent(hash: &str) -> Query<bool> {
    select!(
        "accounts.proof_is_spent",
        "SELECT iif(EXISTS (SELECT 1 FROM spent_proofs WHERE hash = {hash}), 'true', 'false') AS json";
        hash
    )
    .one()
}

/// The guard of a proof that must not have been used.
pub(crate) fn unspent(proof: &SpentProof) -> Guard {
    abort_if!(Secret, "EXISTS (SELECT 1 FROM spent_proofs WHERE hash = {hash})"; hash = &proof.hash)
}

/// Marks a proof as used, so that it is never accepted again, and deletes a few that could not be accepted any more.
pub(crate) fn spend(proof: &SpentProof, now: Instant) -> [Write; 2] {
    [
        // At most ten, so that a sign-in stays quick.
        sql!(
            "DELETE FROM spent_proofs
             WHERE hash IN (SELECT hash FROM spent_proofs WHERE expires_at <= {now} LIMIT 10)";
            now
        ),
        sql!(
            "INSERT INTO spent_proofs (hash, expires_at) VALUES ({hash}, {end}) ON CONFLICT (hash) DO NOTHING";
            hash = &proof.hash, end = proof.expires_at
        ),
    ]
}
