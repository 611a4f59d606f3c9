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

/// The people of a practice; if a domain is named, those whom a provider knows by an address of it.
const PEOPLE: &str = "SELECT u.id FROM users u WHERE u.practice_id = {practice} AND ({domain} IS NULL OR EXISTS (
             SELECT 1 FROM identities i WHERE i.user_id = u.id
               AND substr(lower(i.email), -length({domain}) - 1) = '@' || {domain}))";

/// Sessions and waiting sign-ins that began by these providers, for people of this domain if one is named, no longer count as
/// single sign-on, and what they said of a second factor no longer counts. The sessions of people without a factor of their own
/// rest on their word alone, and end.
pub(super) fn ended(
    practice: PracticeId,
    (providers, domain): (&[SsoProviderId], Option<&str>),
    now: Instant,
) -> [Write; 3] {
    const BEGUN: &str = "sso IN (SELECT value FROM json_each({providers}))";
    [
        sql!(
            "UPDATE sessions SET revoked_at = {now}
             WHERE {BEGUN} AND revoked_at IS NULL AND user_id IN ({PEOPLE} AND NOT {ENROLLED})"
            [BEGUN, PEOPLE, ENROLLED]; practice, providers = Json(providers), domain, now
        ),
        sql!(
            "UPDATE sessions SET sso = NULL, verified_at = NULL WHERE {BEGUN} AND user_id IN ({PEOPLE})"
            [BEGUN, PEOPLE]; practice, providers = Json(providers), domain
        ),
        sql!(
            "UPDATE continuations SET sso = NULL WHERE {BEGUN} AND user_id IN ({PEOPLE})"
            [BEGUN, PEOPLE]; practice, providers = Json(providers), domain
        ),
    ]
}
