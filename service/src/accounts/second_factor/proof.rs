//! The proof of a second factor: a code or an assertion of a passkey. How it is read, checked and used up.

use crate::accounts::continuation::{StoredContinuation, use_up_step};
use crate::accounts::passkeys::Credential;
use crate::accounts::passkeys::assertion::{AcceptedAssertion, PasskeySignIn};
use crate::accounts::recovery::RecoveryCode;
use crate::auth::totp::TotpSecret;
use crate::extract::NamesCell;
use crate::prelude::*;
use crate::request::declare::kinds::{Inside, Token};
use crate::request::declare::{Body, Field, Key, Keys, Raw, RawObject, Shape, Terms};
use crate::request::secret::ContinuationToken;
use overturn_core::base::cell::Cell;
use overturn_core::base::id::{FactorId, UserId};
use overturn_core::request::field::{self, Problems};
use overturn_core::request::problem::Rule;
use std::fmt;

/// The longest code that is read: a recovery code with its dashes, and room for spaces.
pub(crate) const CODE_MAX: usize = 64;

/// A presented second factor. `Debug` does not print the proof.
#[derive(Debug)]
pub struct PresentedFactor {
    /// The continuation token that asked for it.
    pub(super) token: Result<ContinuationToken, RequestError>,
    pub(super) proof: FactorProof,
}

/// The proof of a second factor. `Debug` does not print it.
#[derive(Debug)]
pub(super) enum FactorProof {
    Code(FactorCode),
    /// An assertion of a passkey.
    Passkey(Credential),
}

impl PresentedFactor {
    /// The hash that its continuation is stored under.
    pub(super) fn hash(&self) -> Result<String, RequestError> {
        self.token.as_ref().map(ContinuationToken::hash).map_err(RequestError::clone)
    }
}

impl NamesCell for PresentedFactor {
    fn handed_out(&self) -> Option<(String, Cell)> {
        self.token.as_ref().ok().map(ContinuationToken::handed_out)
    }
}

/// A code of an authenticator app or a recovery code. `Debug` does not print it.
pub struct FactorCode(pub(crate) String);

impl fmt::Debug for FactorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FactorCode(…)")
    }
}

/// A code of an authenticator app or a recovery code.
pub struct Code;

impl Field for Code {
    type Value = FactorCode;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<FactorCode> {
        field::required(p, name, raw.text(), CODE_MAX).map(|code| FactorCode(code.into()))
    }

    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value {
        use crate::request::declare::{kinds::Text, schema};
        let about = "Six digits from the authenticator app, or a recovery code.";
        schema::described(Text::<CODE_MAX>::schema(), &[about])
    }
}

impl Body for PresentedFactor {
    #[cfg(feature = "schema")]
    const NAME: &'static str = "PresentedFactor";

    const KEYS: &'static [Key] =
        &[("continuation_token", Shape::One), ("code", Shape::One), ("passkey", Shape::Object(PasskeySignIn::KEYS))];

    /// Exactly one of the code and the assertion must be given.
    fn read(p: &mut Problems, mut raw: RawObject<'_>, terms: Terms<'_>) -> Option<Self> {
        raw.open(p, Keys::Any);
        let token = Token::read(p, "continuation_token", raw.take("continuation_token"), terms);
        let (code, passkey) = (raw.take("code"), raw.take("passkey"));
        let proof = match (code.is_missing(Shape::One), passkey.is_absent()) {
            (true, true) => {
                p.add("code", Rule::OrRequired("passkey"));
                None
            }
            (false, true) => Code::read(p, "code", code, terms).map(FactorProof::Code),
            (false, false) => {
                p.add("code", Rule::NotWith("passkey"));
                None
            }
            (true, false) => {
                let signed = Inside::<PasskeySignIn>::read(p, "passkey", passkey, terms);
                signed.map(|signed| FactorProof::Passkey(signed.credential))
            }
        };
        Some(Self { token: token?, proof: proof? })
    }

    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value {
        let one = |key: &str, proof: serde_json::Value| {
            json!({
                "type": "object",
                "required": ["continuation_token", key],
                "properties": { "continuation_token": Token::<ContinuationToken>::schema(), key: proof },
            })
        };
        let about = "Exactly one of `code` and `passkey`.";
        // Named, because a generator of clients makes one type of it.
        let passkey = json!({ "$ref": "#/components/schemas/PasskeySignIn" });
        json!({ "description": about, "oneOf": [one("code", Code::schema()), one("passkey", passkey)] })
    }
}

/// What the stored factors say of a proof.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenedFactors {
    /// The opened secret of the authenticator app.
    pub(super) secret: Option<TotpSecret>,
    /// The assertion of a passkey, if it was accepted.
    pub(super) passkey: Option<AcceptedAssertion>,
}

/// A proof that counts.
pub(super) enum Accepted {
    /// A code of an authenticator app, by its time step.
    Step(FactorId, i64),
    /// A recovery code, by its hash.
    Recovery(String),
    Passkey(AcceptedAssertion),
}

impl FactorProof {
    /// The assertion, if it is one.
    pub(super) const fn passkey(&self) -> Option<&Credential> {
        match self {
            Self::Passkey(credential) => Some(credential),
            Self::Code(_) => None,
        }
    }

    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Code(_) => "code",
            Self::Passkey(_) => "passkey",
        }
    }

    /// The proof, if it counts.
    pub(super) fn accept(&self, stored: &StoredContinuation, opened: OpenedFactors, now: Instant) -> Option<Accepted> {
        match self {
            Self::Code(code) => code.accept(stored, opened.secret.as_ref(), now),
            Self::Passkey(_) => {
                opened.passkey.filter(|passkey| passkey.user_id() == stored.account.user_id).map(Accepted::Passkey)
            }
        }
    }
}

impl FactorCode {
    fn accept(&self, stored: &StoredContinuation, secret: Option<&TotpSecret>, now: Instant) -> Option<Accepted> {
        let by_app = stored.factor.as_ref().zip(secret).and_then(|(factor, secret)| {
            let step = secret.accept(&self.0, now, factor.last_step)?;
            Some(Accepted::Step(factor.id, step))
        });
        by_app.or_else(|| {
            let code: RecoveryCode = self.0.parse().ok()?;
            let hash = code.hash(stored.account.user_id);
            stored.recovery.contains(&hash).then_some(Accepted::Recovery(hash))
        })
    }
}

impl Accepted {
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Step(..) => "totp",
            Self::Recovery(_) => "recovery_code",
            Self::Passkey(_) => "passkey",
        }
    }

    /// The same change, with the proof used up: it is never accepted again.
    pub(super) fn use_up(self, user: UserId, change: Change, now: Instant) -> Change {
        match self {
            Self::Step(factor, step) => use_up_step(change, user, factor, step),
            Self::Recovery(hash) => change
                .guard(abort_if!(
                    Secret,
                    "NOT EXISTS (SELECT 1 FROM recovery_codes
                       WHERE user_id = {user} AND hash = {hash} AND used_at IS NULL)";
                    user, hash = &hash
                ))
                .write(sql!(
                    "UPDATE recovery_codes SET used_at = {now}
                     WHERE user_id = {user} AND hash = {hash} AND used_at IS NULL";
                    user, hash = &hash, now
                )),
            Self::Passkey(accepted) => accepted.use_up(change, now),
        }
    }
}
