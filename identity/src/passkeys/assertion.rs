//! The use of a passkey.

use super::{descriptor, options, refusal, response, rp_id, state, stored, unreadable, user_handle};
use data_encoding::BASE64URL_NOPAD;
use overturn_core::identity::passkeys::{
    AssertedCredential, BeginAssertion, BegunCeremony, CheckAssertion, NewCredential,
};
use overturn_core::identity::{Refusal, Verdict};
use serde_json::Value;
use webauthn_rp::bin::{Decode, Encode};
use webauthn_rp::request::auth::{AllowedCredentials, AuthenticationVerificationOptions};
use webauthn_rp::request::register::UserHandle;
use webauthn_rp::request::{Credentials, UserVerificationRequirement};
use webauthn_rp::response::auth::ser_relaxed::{
    DiscoverableAuthenticationRelaxed, NonDiscoverableAuthenticationRelaxed,
};
use webauthn_rp::response::register::{CompressedPubKey, DynamicState, StaticState};
use webauthn_rp::response::{AuthenticatorAttachment, Backup, CredentialId};
use webauthn_rp::{
    AuthenticatedCredential, DiscoverableAuthenticationServerState, DiscoverableCredentialRequestOptions,
    NonDiscoverableAuthenticationServerState, NonDiscoverableCredentialRequestOptions,
};

type Key = CompressedPubKey<[u8; 32], [u8; 32], [u8; 48], Vec<u8>>;

pub(crate) fn begin_assertion(asked: &BeginAssertion) -> Verdict<BegunCeremony> {
    begin(asked).into()
}

fn begin(asked: &BeginAssertion) -> Result<BegunCeremony, Refusal> {
    let rp = rp_id(&asked.rp)?;
    let (options, state) = if asked.allow.is_empty() {
        let (server, client) = DiscoverableCredentialRequestOptions::passkey(&rp)
            .start_ceremony()
            .map_err(|error| Refusal::new(Refusal::CONFIGURATION, error))?;
        let state = server.encode().map_err(|error| Refusal::new(Refusal::CONFIGURATION, error))?;
        (options(&client)?, state)
    } else {
        let mut allowed = AllowedCredentials::with_capacity(asked.allow.len());
        for known in &asked.allow {
            allowed.push(descriptor(known)?.into());
        }
        let mut request = NonDiscoverableCredentialRequestOptions::second_factor(&rp, allowed)
            .map_err(|error| Refusal::new(Refusal::CONFIGURATION, error))?;
        request.options().user_verification = UserVerificationRequirement::Required;
        let (server, client) = request.start_ceremony().map_err(|error| Refusal::new(Refusal::CONFIGURATION, error))?;
        let state = server.encode().map_err(|error| Refusal::new(Refusal::CONFIGURATION, error))?;
        (options(&client)?, state)
    };
    Ok(BegunCeremony { options, state: BASE64URL_NOPAD.encode(&state) })
}

pub(crate) fn check_assertion(asked: &CheckAssertion) -> Verdict<AssertedCredential> {
    check(asked).into()
}

fn check(asked: &CheckAssertion) -> Result<AssertedCredential, Refusal> {
    let rp = rp_id(&asked.rp)?;
    let handle = user_handle(asked.user_id);
    let id = stored(&asked.stored.id)?;
    let mut passkey = passkey(&id, &handle, &asked.stored)?;
    let state = state(&asked.state)?;
    let sent = response(&asked.credential)?;
    let verification = AuthenticationVerificationOptions::<String, String> {
        allowed_origins: &asked.rp.origins,
        allowed_top_origins: None,
        // The stored passkey says whether it may be synced, and the response must say the same.
        backup_requirement: None,
        error_on_unsolicited_extensions: false,
        ..AuthenticationVerificationOptions::default()
    };
    if asked.named {
        let server = NonDiscoverableAuthenticationServerState::decode(&state)
            .map_err(|error| Refusal::new(Refusal::STATE, error))?;
        let sent: NonDiscoverableAuthenticationRelaxed<16> =
            serde_json::from_slice(&sent).map_err(|error| unreadable(&error))?;
        server.verify(&rp, &sent.0, &mut passkey, &verification)
    } else {
        let server = DiscoverableAuthenticationServerState::decode(&state)
            .map_err(|error| Refusal::new(Refusal::STATE, error))?;
        // The library panics without the user handle.
        let user = asked.credential.pointer("/response/userHandle");
        if !user.is_some_and(Value::is_string) {
            return Err(Refusal::new(Refusal::ACCOUNT, "the response names no account"));
        }
        let sent: DiscoverableAuthenticationRelaxed<16> =
            serde_json::from_slice(&sent).map_err(|error| unreadable(&error))?;
        server.verify(&rp, &sent.0, &mut passkey, &verification)
    }
    .map_err(|error| refusal::assertion(&error))?;
    let now = passkey.dynamic_state();
    Ok(AssertedCredential { sign_count: now.sign_count, backed_up: now.backup == Backup::Exists })
}

fn passkey<'a>(
    id: &'a [u8],
    handle: &'a UserHandle<16>,
    stored_passkey: &NewCredential,
) -> Result<AuthenticatedCredential<'a, 'a, 16, Key>, Refusal> {
    let unreadable = |detail: &dyn std::fmt::Display| Refusal::new(Refusal::CREDENTIAL, detail);
    let key = StaticState::<Key>::decode(&stored(&stored_passkey.public_key)?).map_err(|error| unreadable(&error))?;
    let state = DynamicState {
        user_verified: true,
        backup: match (stored_passkey.backup_eligible, stored_passkey.backed_up) {
            (false, _) => Backup::NotEligible,
            (true, false) => Backup::Eligible,
            (true, true) => Backup::Exists,
        },
        // The library accepts any counter after zero. The service judges the counter, because a counter that goes back is
        // recorded in the audit trail.
        sign_count: 0,
        authenticator_attachment: AuthenticatorAttachment::None,
    };
    let id = CredentialId::decode(id).map_err(|error| unreadable(&error))?;
    AuthenticatedCredential::new(id, handle, key, state).map_err(|error| unreadable(&error))
}
