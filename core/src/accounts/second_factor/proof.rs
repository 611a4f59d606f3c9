//! The proof of a second factor: a code or an assertion of a passkey. How it is read, checked and spent.

use crate::accounts::continuation::StoredContinuation;
use crate::accounts::passkeys::assertion::AcceptedAssertion;
use crate::accounts::passkeys::{Credential, RawCredential, credential};
use crate::accounts::recovery::RecoveryCode;
use crate::base::id::{FactorId, UserId};
use crate::base::instant::Instant;
use crate::base::secret::{ContinuationToken, SecretError};
use crate::base::totp::TotpSecret;
use crate::plan::change::Change;
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use crate::request::body::{Object, Text, object};
use crate::request::error::RequestError;
use crate::request::field::{self, Problems};
use crate::request::problem::Rule;
use alloc::string::String;

/// The longest code that is read: a recovery code with its dashes, and room for spaces.
pub(crate) const CODE_MAX: usize = 64;

object! {
    /// The body with a second factor, unchecked.
    RawShown { continuation_token: Text<'a>, code: Text<'a>, passkey: Object<RawPasskey<'a>>, }
}

object! {
    /// An assertion of a passkey, unchecked.
    RawPasskey { credential: RawCredential, }
}

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

/// Reads `{continuation_token, code}` or `{continuation_token, passkey: {credential}}`. Text that cannot be a continuation token
/// counts as an unknown one.
///
/// # Errors
///
/// [`RequestError::Malformed`], [`RequestError::Invalid`] with every problem, [`RequestError::SignInFailed`].
pub fn parse(body: &[u8]) -> Result<PresentedFactor, RequestError> {
    let raw: RawShown<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    let token = field::required(&mut p, "continuation_token", raw.continuation_token, CODE_MAX.saturating_mul(2));
    let proof = proof(&mut p, raw.code, raw.passkey, body.len());
    let (token, proof) = p.settle(token.zip(proof))?;
    Ok(PresentedFactor { token: token.parse().map_err(|SecretError| RequestError::SignInFailed)?, proof })
}

/// The code or the assertion. Exactly one of them must be given.
fn proof(p: &mut Problems, code: Text<'_>, passkey: Object<RawPasskey<'_>>, length: usize) -> Option<FactorProof> {
    let no_code = field::is_missing(&code);
    match passkey {
        Object::Absent if no_code => {
            p.add("code", Rule::OrRequired("passkey"));
            None
        }
        Object::Absent => {
            let code = field::required(p, "code", code, CODE_MAX)?;
            Some(FactorProof::Code(FactorCode(code.into_owned())))
        }
        Object::Given(_) | Object::Wrong if !no_code => {
            p.add("code", Rule::NotWith("passkey"));
            None
        }
        Object::Given(raw) => {
            field::repeated(p, "passkey.", &raw.repeated);
            let credential = credential(p, "passkey.credential", raw.credential, length);
            credential.map(FactorProof::Passkey)
        }
        Object::Wrong => {
            p.add("passkey", Rule::Object);
            None
        }
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
