//! The claims of a token whose signature fits.

use chrono::{DateTime, Duration, Utc};
use overturn_core::base::instant::Instant;
use overturn_core::identity::Refusal;
use overturn_core::identity::oidc::{OidcClaims, OidcClient};
use serde_json::Value;

/// OpenID Connect Core 1.0, section 2: a subject has at most 255 characters.
const MAX_SUBJECT: usize = 255;
/// Microsoft's claim that the address is of a domain whose owner was verified.
const MICROSOFT: &str = "xms_edov";

pub(super) struct Claims<'a> {
    pub(super) client: &'a OidcClient,
    pub(super) payload: &'a Value,
}

impl<'a> Claims<'a> {
    /// Checks what the library leaves to its caller.
    pub(super) fn check(&self, now: DateTime<Utc>, skew: Duration) -> Result<(), Refusal> {
        let own = |value: &Value| value.as_str() == Some(&self.client.client_id);
        if self.payload.get("azp").is_some_and(|azp| !own(azp)) {
            return Err(Refusal::new(Refusal::AUDIENCE, "the token was made for another party"));
        }
        for name in ["exp", "iat"] {
            if !self.payload.get(name).is_some_and(Value::is_number) {
                return Err(Refusal::new(Refusal::MALFORMED, format_args!("{name} is not a number")));
            }
        }
        self.check_start(now, skew)?;
        let subject = self.text("sub").unwrap_or_default();
        if subject.trim().is_empty() || subject.len() > MAX_SUBJECT {
            return Err(Refusal::new(Refusal::SUBJECT, "the subject is empty or too long"));
        }
        Ok(())
    }

    fn check_start(&self, now: DateTime<Utc>, skew: Duration) -> Result<(), Refusal> {
        let Some(start) = self.payload.get("nbf") else {
            return Ok(());
        };
        let latest = now.checked_add_signed(skew).unwrap_or(now).timestamp();
        let begun = match (start.as_i64(), start.as_f64()) {
            (Some(start), _) => start <= latest,
            (None, Some(start)) => start <= latest as f64,
            (None, None) => false,
        };
        if begun { Ok(()) } else { Err(Refusal::new(Refusal::NOT_YET, "the token may not be used yet")) }
    }

    pub(super) fn facts(&self, expires_at: Instant) -> OidcClaims {
        let methods = self.payload.get("amr").and_then(Value::as_array);
        let methods = methods.into_iter().flatten().filter_map(Value::as_str);
        OidcClaims {
            subject: self.text("sub").unwrap_or_default().to_owned(),
            email: self.text("email").map(str::to_owned),
            email_verified: self.email_verified(),
            owns_domain: self.owns_domain(),
            name: self.text("name").map(str::to_owned),
            contexts: methods.chain(self.text("acr")).map(str::to_owned).collect(),
            authenticated_at: self.authenticated_at(),
            expires_at,
        }
    }

    /// Microsoft sends `xms_edov` as `true`, `"true"`, `1` or `"1"`. All other claims must be `true`.
    fn email_verified(&self) -> bool {
        let microsoft = self.is_microsoft();
        match self.payload.get(&self.client.verified_claim) {
            Some(Value::Bool(verified)) => *verified,
            Some(Value::String(text)) => microsoft && (text == "true" || text == "1"),
            Some(Value::Number(number)) => microsoft && number.as_u64() == Some(1),
            _ => false,
        }
    }

    /// Whether the owner of the address's domain manages the account. `xms_edov` says that the domain belongs to the
    /// tenant, so it needs no further claim.
    fn owns_domain(&self) -> bool {
        let named = self.client.domain_claim.as_deref();
        let named = named.and_then(|claim| self.text(claim));
        let address = self.text("email").and_then(|email| email.rsplit_once('@'));
        let is_named = match (named, address) {
            (Some(named), Some((_, domain))) => named.eq_ignore_ascii_case(domain),
            _ => false,
        };
        is_named || (self.is_microsoft() && self.email_verified())
    }

    fn is_microsoft(&self) -> bool {
        self.client.verified_claim == MICROSOFT
    }

    /// `auth_time`: whole seconds since 1970.
    fn authenticated_at(&self) -> Option<Instant> {
        let seconds = self.payload.get("auth_time")?.as_i64()?;
        let ms = seconds.checked_mul(1000).filter(|ms| *ms > 0)?;
        Some(Instant(ms))
    }

    /// The text of a claim, unless it is blank.
    fn text(&self, name: &str) -> Option<&'a str> {
        let text = self.payload.get(name).and_then(Value::as_str);
        text.filter(|text| !text.trim().is_empty())
    }
}
