//! The proof of a second factor: a code or an assertion of a passkey. How it is read, checked and spent.

use crate::accounts::continuation::StoredContinuation;
use crate::accounts::passkeys::Credential;
use crate::accounts::passkeys::assertion::{AcceptedAssertion, PasskeySignIn};
use crate::accounts::recovery::RecoveryCode;
use crate::base::id::{FactorId, UserId};
use crate::base::instant::Instant;
use crate::base::secret::ContinuationToken;
use crate::base::totp::TotpSecret;
use crate::plan::change::Change;
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
#[cfg(feature = "schema")]
use crate::request::declare::kinds::Text;
use crate::request::declare::kinds::{Inside, Token};
use crate::request::declare::{Body, Field, Key, Keys, Raw, RawObject, Shape, Terms};
use crate::request::field::{self, Problems};
use crate::request::problem::Rule;
use alloc::string::String;
#[cfg(feature = "schema")]
use serde_json::{Value, json};

/// The longest code that is read: a recovery code with its dashes, and room for spaces.
pub(crate) const CODE_MAX: usize = 64;

/// A presented second factor. `Debug` does not print the proof.
#[derive(Debug)]
pub struct PresentedFactor {
    /// The continuation token that asked for it.
    pub token: ContinuationToken,
    pub proof: FactorProof,
}

/// The proof of a second factor. `Debug` does not print it.
#[derive(Debug)]
pub enum FactorProof {
    Code(FactorCode),
    /// An assertion of a passkey.
    Passkey(Credential),
}

impl FactorProof {
    /// The assertion, if it is one.
    #[must_use]
    pub const fn passkey(&self) -> Option<&Credential> {
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
}

/// A code of an authenticator app or a recovery code. `Debug` does not print it.
pub struct FactorCode(pub(crate) String);

impl core::fmt::Debug for FactorCode {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
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
    fn schema() -> Value {
        Text::<CODE_MAX>::schema()
    }
}

impl Body for PresentedFactor {
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
    fn schema() -> Value {
        let one = |key: &str, proof: Value| {
            json!({
                "type": "object",
                "required": ["continuation_token", key],
                "properties": { "continuation_token": Token::<ContinuationToken>::schema(), key: proof },
            })
        };
        json!({ "oneOf": [one("code", Code::schema()), one("passkey", PasskeySignIn::schema())] })
    }
}

/// A proof that counts.
/// What the stored factors say of a proof.
#[derive(Clone, Debug, Default)]
pub struct OpenedFactors {
    /// The opened secret of the authenticator app.
    pub secret: Option<TotpSecret>,
    /// The assertion of a passkey, if it was accepted.
    pub passkey: Option<AcceptedAssertion>,
}

pub(super) enum Accepted {
    Step(FactorId, i64),
    Recovery(String),
    Passkey(AcceptedAssertion),
}

/// The proof, if it counts.
pub(super) fn accept(
    proof: &FactorProof,
    stored: &StoredContinuation,
    opened: OpenedFactors,
    now: Instant,
) -> Option<Accepted> {
    match proof {
        FactorProof::Code(code) => accept_code(code, stored, opened.secret.as_ref(), now),
        FactorProof::Passkey(_) => {
            opened.passkey.filter(|passkey| passkey.user_id() == stored.account.user_id).map(Accepted::Passkey)
        }
    }
}

fn accept_code(
    code: &FactorCode,
    stored: &StoredContinuation,
    secret: Option<&TotpSecret>,
    now: Instant,
) -> Option<Accepted> {
    let by_app = stored.factor.as_ref().zip(secret).and_then(|(factor, secret)| {
        let step = secret.accept(&code.0, now, factor.last_step)?;
        Some(Accepted::Step(factor.id, step))
    });
    by_app.or_else(|| {
        let code: RecoveryCode = code.0.parse().ok()?;
        let hash = code.hash(stored.account.user_id);
        let known = stored.recovery.contains(&hash);
        known.then_some(Accepted::Recovery(hash))
    })
}

impl Accepted {
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Step(..) => "totp",
            Self::Recovery(_) => "recovery_code",
            Self::Passkey(_) => "passkey",
        }
    }

    /// Marks the proof as used, so that it is never accepted again.
    pub(super) fn spend(self, user: UserId, change: Change) -> Change {
        match self {
            Self::Step(factor, step) => change
                .guard(Guard::Accounts(AccountsGuard::Step { user, factor, step }))
                .write(Write::Accounts(AccountsWrite::FactorStep { user, factor, step })),
            Self::Recovery(hash) => change
                .guard(Guard::Accounts(AccountsGuard::RecoveryCode { user, hash: hash.clone() }))
                .write(Write::Accounts(AccountsWrite::RecoveryCodeUsed { user, hash })),
            Self::Passkey(accepted) => accepted.spend(change),
        }
    }
}
