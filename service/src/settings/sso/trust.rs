//! What a practice's trust in a provider allows, and what ends with it.

use super::overview::{Installation, SsoSettings};
use crate::accounts::account::ENROLLED;
use crate::prelude::*;
use overturn_core::base::id::SsoProviderId;

pub(super) const LAST: RequestError = RequestError::Conflict(
    Reason::LastProvider,
    "the practice requires single sign-on, and this is the last way to sign in by it that works",
);

/// True if people can sign in by a provider of the practice. One of the installation speaks only for verified domains.
const LETS_IN: &str = "EXISTS (SELECT 1 FROM sso_providers s WHERE s.practice_id = {practice} AND s.id <> {gone}
       AND iif(s.kind = 'saml', CAST({saml} AS INTEGER) = 1,
         s.configured IN (SELECT value FROM json_each({configured})) AND EXISTS (SELECT 1 FROM practice_domains d
           WHERE d.practice_id = {practice} AND d.id <> {gone} AND d.verified_at IS NOT NULL)))";

impl SsoSettings {
    /// The same as [`LETS_IN`], of what was read.
    pub(super) fn lets_in(&self, installation: &Installation) -> bool {
        let verified = self.domains.iter().any(|domain| domain.verified_at.is_some());
        let served = |provider| installation.serves(provider);
        self.providers.iter().any(|provider| served(provider) && (provider.configured.is_none() || verified))
    }
}

/// The guard that people can sign in by a provider.
pub(super) fn lets_in(practice: PracticeId, installation: &Installation) -> Guard {
    let (saml, configured) = installation.served();
    abort_if!(Record, "NOT {LETS_IN}" [LETS_IN]; practice, saml, configured, gone = "")
}

/// The guard that people can still sign in by a provider if they must, without a provider or a domain.
pub(super) fn lets_in_without(gone: impl ToString, practice: PracticeId, installation: &Installation) -> Guard {
    let (saml, configured) = installation.served();
    abort_if!(
        Record,
        "EXISTS (SELECT 1 FROM practices WHERE id = {practice} AND sso_required = 1) AND NOT {LETS_IN}" [LETS_IN];
        practice, saml, configured, gone = gone.to_string()
    )
}

/// Sessions and waiting sign-ins that began by a provider no longer count as single sign-on, and what it said of a second
/// factor no longer counts. The sessions of people without a factor of their own rest on its word alone, and end.
pub(super) fn ended(practice: PracticeId, id: SsoProviderId, now: Instant) -> [Write; 3] {
    [
        sql!(
            "UPDATE sessions SET revoked_at = {now} WHERE sso = {id} AND revoked_at IS NULL
               AND user_id IN (SELECT u.id FROM users u WHERE u.practice_id = {practice} AND NOT {ENROLLED})"
            [ENROLLED]; practice, id, now
        ),
        sql!(
            "UPDATE sessions SET sso = NULL, verified_at = NULL
             WHERE sso = {id} AND user_id IN (SELECT id FROM users WHERE practice_id = {practice})";
            practice, id
        ),
        sql!(
            "UPDATE continuations SET sso = NULL
             WHERE sso = {id} AND user_id IN (SELECT id FROM users WHERE practice_id = {practice})";
            practice, id
        ),
    ]
}
