//! The registration of a passkey.

use super::{descriptor, options, refusal, response, rp_id, state, unreadable, user_handle};
use data_encoding::BASE64URL_NOPAD;
use overturn_core::identity::passkeys::{BeginRegistration, BegunCeremony, CheckRegistration, NewCredential};
use overturn_core::identity::{Refusal, Verdict};
use serde_json::Value;
use webauthn_rp::bin::{Decode, Encode};
use webauthn_rp::request::ExtensionInfo;
use webauthn_rp::request::register::{CredProtect, PublicKeyCredentialUserEntity, RegistrationVerificationOptions};
use webauthn_rp::response::Backup;
use webauthn_rp::response::register::ser_relaxed::RegistrationRelaxed;
use webauthn_rp::{PublicKeyCredentialCreationOptions, RegisteredCredential, RegistrationServerState};

pub(crate) fn begin_registration(asked: &BeginRegistration) -> Verdict<BegunCeremony> {
    begin(asked).into()
}

fn begin(asked: &BeginRegistration) -> Result<BegunCeremony, Refusal> {
    let rp = rp_id(&asked.rp)?;
    let handle = user_handle(asked.user_id);
    let exclude: Result<_, _> = asked.exclude.iter().map(descriptor).collect();
    let user = PublicKeyCredentialUserEntity::from(&handle);
    let mut request = PublicKeyCredentialCreationOptions::passkey(&rp, user, exclude?);
    // Each assertion requires user verification anyway. Enforcement here would shut out authenticators without this extension.
    request.extensions.cred_protect = CredProtect::UserVerificationRequired(ExtensionInfo::AllowDontEnforceValue);
    let (server, client) = request.start_ceremony().map_err(|error| Refusal::new(Refusal::CONFIGURATION, error))?;
    let mut options = options(&client)?;
    // The library refuses names outside of its profiles. Authenticators only show these two.
    if let Some(user) = options.get_mut("user").and_then(Value::as_object_mut) {
        user.insert("name".to_owned(), asked.name.clone().into());
        user.insert("displayName".to_owned(), asked.display_name.clone().into());
    }
    let state = server.encode().map_err(|error| Refusal::new(Refusal::CONFIGURATION, error))?;
    Ok(BegunCeremony { options, state: BASE64URL_NOPAD.encode(&state) })
}

pub(crate) fn check_registration(asked: &CheckRegistration) -> Verdict<NewCredential> {
    check(asked).into()
}

fn check(asked: &CheckRegistration) -> Result<NewCredential, Refusal> {
    let rp = rp_id(&asked.rp)?;
    let server = RegistrationServerState::<16>::decode(&state(&asked.state)?)
        .map_err(|error| Refusal::new(Refusal::STATE, error))?;
    let sent = response(&asked.credential)?;
    let RegistrationRelaxed(sent) = serde_json::from_slice(&sent).map_err(|error| unreadable(&error))?;
    let verification = RegistrationVerificationOptions::<String, String> {
        allowed_origins: &asked.rp.origins,
        allowed_top_origins: None,
        error_on_unsolicited_extensions: false,
        ..RegistrationVerificationOptions::default()
    };
    let new = server.verify(&rp, &sent, &verification).map_err(|error| refusal::registration(&error))?;
    if *new.user_id() != user_handle(asked.user_id) {
        return Err(Refusal::new(Refusal::STATE, "the ceremony belongs to another account"));
    }
    facts(&new)
}

fn facts(new: &RegisteredCredential<'_, 16>) -> Result<NewCredential, Refusal> {
    let unwritable = |_| Refusal::new(Refusal::MALFORMED, "the passkey cannot be written");
    let transports = serde_json::to_value(new.transports()).and_then(serde_json::from_value);
    let state = match new.static_state().encode() {
        Ok(state) => state,
        Err(never) => match never {},
    };
    Ok(NewCredential {
        id: BASE64URL_NOPAD.encode(new.id().as_ref()),
        public_key: BASE64URL_NOPAD.encode(&state),
        sign_count: new.dynamic_state().sign_count,
        backup_eligible: new.dynamic_state().backup != Backup::NotEligible,
        backed_up: new.dynamic_state().backup == Backup::Exists,
        transports: transports.map_err(unwritable)?,
    })
}
