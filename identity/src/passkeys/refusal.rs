//! The library's errors as reasons.

use super::unreadable;
use overturn_core::identity::Refusal;
use webauthn_rp::response::auth::error::{AuthCeremonyErr, AuthenticatorDataErr};
use webauthn_rp::response::register::error::RegCeremonyErr;

pub(super) fn registration(error: &RegCeremonyErr) -> Refusal {
    use RegCeremonyErr as E;
    let reason = match error {
        // The message of a JSON error may hold a value of the text.
        E::CollectedClientDataRelaxed(error) => return unreadable(error),
        E::Timeout => Refusal::EXPIRED,
        E::AttestationSignature => Refusal::SIGNATURE,
        E::OriginMismatch | E::CrossOrigin | E::TopOriginMismatch => Refusal::ORIGIN,
        E::ChallengeMismatch => Refusal::CHALLENGE,
        E::RpIdHashMismatch => Refusal::RELYING_PARTY,
        E::UserNotPresent | E::UserNotVerified => Refusal::NOT_VERIFIED,
        E::BackupEligible | E::BackupNotEligible | E::BackupDoesNotExist => Refusal::BACKUP,
        E::PublicKeyAlgorithmMismatch => Refusal::ALGORITHM,
        E::CollectedClientData(_)
        | E::AttestationObject(_)
        | E::PubKey(_)
        | E::MissingAuthenticatorAttachment
        | E::AuthenticatorAttachmentMismatch
        | E::Extension(_)
        | E::Credential(_) => Refusal::MALFORMED,
    };
    Refusal::new(reason, error)
}

pub(super) fn assertion(error: &AuthCeremonyErr) -> Refusal {
    use AuthCeremonyErr as E;
    let reason = match error {
        E::CollectedClientDataRelaxed(error) => return unreadable(error),
        E::Timeout => Refusal::EXPIRED,
        E::AssertionSignature => Refusal::SIGNATURE,
        E::OriginMismatch | E::CrossOrigin | E::TopOriginMismatch => Refusal::ORIGIN,
        E::ChallengeMismatch => Refusal::CHALLENGE,
        E::RpIdHashMismatch => Refusal::RELYING_PARTY,
        E::UserNotVerified | E::AuthenticatorData(AuthenticatorDataErr::UserNotPresent) => Refusal::NOT_VERIFIED,
        E::BackupEligible | E::BackupNotEligible | E::BackupDoesNotExist => Refusal::BACKUP,
        E::CredentialIdMismatch | E::NoMatchingAllowedCredential | E::PubKey(_) => Refusal::CREDENTIAL,
        E::UserHandleMismatch | E::MissingUserHandle => Refusal::ACCOUNT,
        E::CollectedClientData(_)
        | E::AuthenticatorData(_)
        | E::MissingAuthenticatorAttachment
        | E::AuthenticatorAttachmentMismatch
        | E::Extension(_)
        | E::SignatureCounter
        | E::Credential(_) => Refusal::MALFORMED,
    };
    Refusal::new(reason, error)
}
