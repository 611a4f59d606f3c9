//! Signatures of services that publish their keys.

#[cfg(test)]
mod tests;

use data_encoding::{BASE64, HEXLOWER};
use overturn_core::identity::signatures::CheckSignature;
use overturn_core::identity::{Refusal, Verdict};
use p256::ecdsa::signature::hazmat::PrehashVerifier as _;
use p256::ecdsa::{Signature, VerifyingKey};
use p256::pkcs8::DecodePublicKey as _;

pub(crate) fn check(asked: &CheckSignature) -> Verdict<()> {
    verified(asked).into()
}

fn verified(asked: &CheckSignature) -> Result<(), Refusal> {
    let key = VerifyingKey::from_public_key_pem(&asked.key);
    let key = key.map_err(|_| Refusal::new(Refusal::KEY, "the key is no key of the curve P-256"))?;
    let unreadable = || Refusal::new(Refusal::MALFORMED, "the signature cannot be read");
    let signature = BASE64.decode(asked.signature.as_bytes()).map_err(|_| unreadable())?;
    let signature = Signature::from_der(&signature).map_err(|_| unreadable())?;
    let digest = HEXLOWER.decode(asked.digest.as_bytes());
    let digest = digest.map_err(|_| Refusal::new(Refusal::MALFORMED, "the digest cannot be read"))?;
    key.verify_prehash(&digest, &signature)
        .map_err(|_| Refusal::new(Refusal::SIGNATURE, "the signature does not fit the key"))
}
