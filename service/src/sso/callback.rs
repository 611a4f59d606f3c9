//! A sign-in by an OpenID Connect provider, and the provider's answer, which comes in the query of the callback (RFC 6749, 4.1.2; RFC 9207).

use super::refusal::SsoRefusal;
use crate::extract::BeginningBrowser;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use subtle::ConstantTimeEq;

/// The longest parameter that is read. Codes have some hundred characters.
const PARAMETER_MAX: usize = 4096;

/// A sign-in by an OpenID Connect provider.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BegunByOidc {
    /// The provider's id in the configuration.
    pub(super) provider: String,
    /// The value that the provider's answer must repeat.
    pub(super) state: String,
    /// The value that the ID token must repeat.
    pub(super) nonce: String,
    /// The PKCE verifier.
    pub(super) verifier: String,
    pub(super) browser: BeginningBrowser,
}

impl fmt::Debug for BegunByOidc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BegunByOidc(…)")
    }
}

/// The parameters of an answer. `Debug` prints none.
#[derive(Default)]
pub(super) struct ProviderAnswer {
    code: Option<String>,
    state: Option<String>,
    issuer: Option<String>,
    is_error: bool,
    is_malformed: bool,
}

impl fmt::Debug for ProviderAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProviderAnswer(…)")
    }
}

impl ProviderAnswer {
    /// Reads the parameters of a query. Unknown ones are ignored.
    pub(super) fn read<'q>(query: impl Iterator<Item = (Cow<'q, str>, Cow<'q, str>)>) -> Self {
        let mut answer = Self::default();
        for (name, value) in query {
            let field = match &*name {
                "code" => &mut answer.code,
                "state" => &mut answer.state,
                "iss" => &mut answer.issuer,
                "error" => {
                    answer.is_error = true;
                    continue;
                }
                _ => continue,
            };
            // A parameter must not come twice (RFC 6749, 3.1).
            answer.is_malformed |= field.is_some() || value.len() > PARAMETER_MAX;
            *field = Some(value.into_owned());
        }
        answer
    }

    /// Checks that the answer belongs to the sign-in that the browser began. `provider` is the one that the path names.
    pub(super) fn belongs_to(&self, begun: &BegunByOidc, provider: &str) -> Result<(), SsoRefusal> {
        if begun.provider != provider {
            return Err(SsoRefusal::MixedUp);
        }
        if self.is_malformed {
            return Err(SsoRefusal::Malformed);
        }
        let state = self.state.as_deref().unwrap_or_default();
        let is_same: bool = state.as_bytes().ct_eq(begun.state.as_bytes()).into();
        if begun.state.is_empty() || !is_same {
            return Err(SsoRefusal::State);
        }
        Ok(())
    }

    /// The code, if the answer comes from `issuer`. `always_named` is true if the provider says that its answers name
    /// their issuer.
    pub(super) fn code(&self, issuer: &str, always_named: bool) -> Result<&str, SsoRefusal> {
        match &self.issuer {
            Some(named) if named != issuer => return Err(SsoRefusal::Issuer),
            None if always_named => return Err(SsoRefusal::Issuer),
            _ => {}
        }
        if self.is_error {
            return Err(SsoRefusal::Denied);
        }
        let code = self.code.as_deref().filter(|code| !code.is_empty());
        code.ok_or(SsoRefusal::Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISSUER: &str = "https://provider.example";

    fn begun() -> BegunByOidc {
        BegunByOidc {
            provider: "google".into(),
            state: "s1".into(),
            nonce: "n1".into(),
            verifier: "v1".into(),
            browser: BeginningBrowser::default(),
        }
    }

    fn answer(query: &[(&'static str, &'static str)]) -> ProviderAnswer {
        let pairs: Vec<_> = query.iter().map(|(n, v)| ((*n).into(), (*v).into())).collect();
        ProviderAnswer::read(pairs.into_iter())
    }

    fn code(query: &[(&'static str, &'static str)], always_named: bool) -> Result<String, SsoRefusal> {
        let answer = answer(query);
        answer.belongs_to(&begun(), "google")?;
        answer.code(ISSUER, always_named).map(Into::into)
    }

    #[test]
    fn an_answer_with_the_state_and_the_issuer_gives_its_code() {
        let plain = [("code", "c1"), ("state", "s1")];
        assert_eq!(code(&plain, false).as_deref(), Ok("c1"));
        let named = [("code", "c1"), ("state", "s1"), ("iss", ISSUER), ("x", "y")];
        assert_eq!(code(&named, false).as_deref(), Ok("c1"));
        assert_eq!(code(&named, true).as_deref(), Ok("c1"));
    }

    #[test]
    fn every_other_answer_is_refused() {
        let other = "https://provider.example/";
        for (query, always_named, refusal) in [
            (&[("code", "c1")][..], false, SsoRefusal::State),
            (&[("code", "c1"), ("state", "s2")], false, SsoRefusal::State),
            (&[("code", "c1"), ("state", "")], false, SsoRefusal::State),
            (&[("error", "access_denied")], false, SsoRefusal::State),
            (&[("code", "c1"), ("state", "s1"), ("state", "s1")], false, SsoRefusal::Malformed),
            (&[("code", "c1"), ("code", "c2"), ("state", "s1")], false, SsoRefusal::Malformed),
            (&[("state", "s1")], false, SsoRefusal::Malformed),
            (&[("state", "s1"), ("code", "")], false, SsoRefusal::Malformed),
            (&[("state", "s1"), ("error", "access_denied")], false, SsoRefusal::Denied),
            (&[("state", "s1"), ("code", "c1"), ("error", "x")], false, SsoRefusal::Denied),
            (&[("state", "s1"), ("code", "c1")], true, SsoRefusal::Issuer),
            (&[("state", "s1"), ("error", "x")], true, SsoRefusal::Issuer),
            (&[("state", "s1"), ("code", "c1"), ("iss", other)], false, SsoRefusal::Issuer),
        ] {
            assert_eq!(code(query, always_named), Err(refusal), "{query:?}");
        }
    }

    #[test]
    fn an_answer_of_another_provider_is_refused_before_anything_else() {
        let answer = answer(&[("code", "c1"), ("state", "s1")]);
        assert_eq!(answer.belongs_to(&begun(), "microsoft"), Err(SsoRefusal::MixedUp));
        let empty = BegunByOidc { state: String::new(), ..begun() };
        let none = ProviderAnswer::default();
        assert_eq!(none.belongs_to(&empty, "google"), Err(SsoRefusal::State));
    }

    #[test]
    fn a_parameter_of_any_length_is_not_kept() {
        let long: String = std::iter::repeat_n('x', PARAMETER_MAX + 1).collect();
        let query = [("code".into(), long.into()), ("state".into(), "s1".into())];
        let answer = ProviderAnswer::read(query.into_iter());
        assert_eq!(answer.belongs_to(&begun(), "google"), Err(SsoRefusal::Malformed));
    }
}
