//! Passkeys: the ceremonies of Web Authentication Level 3.
//!
//! `webauthn_rp` checks the responses. This module translates between its types and the messages, and adds what it leaves
//! to its caller: a list of origins that is never empty, and a state that belongs to the account.

mod assertion;
mod refusal;
mod registration;
#[cfg(test)]
mod tests;

pub(crate) use assertion::{begin_assertion, check_assertion};
pub(crate) use registration::{begin_registration, check_registration};

use data_encoding::BASE64URL_NOPAD;
use overturn_core::base::id::UserId;
use overturn_core::identity::Refusal;
use overturn_core::identity::passkeys::{KnownCredential, RelyingParty};
use serde::Serialize;
use serde_json::Value;
use webauthn_rp::bin::Decode;
use webauthn_rp::request::register::UserHandle;
use webauthn_rp::request::{AsciiDomain, PublicKeyCredentialDescriptor, RpId};
use webauthn_rp::response::{AuthTransports, CredentialId};

/// The transports that the library knows. Browsers may send newer ones, which only help to find the authenticator.
const TRANSPORTS: [&str; 6] = ["ble", "hybrid", "internal", "nfc", "smart-card", "usb"];

fn rp_id(rp: &RelyingParty) -> Result<RpId, Refusal> {
    // Without origins, the library would derive one from the RP id.
    if rp.origins.is_empty() {
        return Err(Refusal::new(Refusal::CONFIGURATION, "there are no origins"));
    }
    AsciiDomain::try_from(rp.id.clone()).map(RpId::Domain).map_err(|error| Refusal::new(Refusal::CONFIGURATION, error))
}

fn user_handle(user: UserId) -> UserHandle<16> {
    match UserHandle::decode(*user.0.as_bytes()) {
        Ok(handle) => handle,
        Err(never) => match never {},
    }
}

fn descriptor(known: &KnownCredential) -> Result<PublicKeyCredentialDescriptor<Vec<u8>>, Refusal> {
    Ok(PublicKeyCredentialDescriptor {
        id: CredentialId::decode(stored(&known.id)?).map_err(|error| Refusal::new(Refusal::CREDENTIAL, error))?,
        transports: transports(&known.transports)?,
    })
}

fn transports(names: &[String]) -> Result<AuthTransports, Refusal> {
    let known = names.iter().map(String::as_str);
    serde_json::from_value(known.filter(|name| TRANSPORTS.contains(name)).collect()).map_err(|error| unreadable(&error))
}

/// Bytes that this module encoded and the service kept.
fn stored(text: &str) -> Result<Vec<u8>, Refusal> {
    BASE64URL_NOPAD.decode(text.as_bytes()).map_err(|_| Refusal::new(Refusal::CREDENTIAL, "it is not base64url"))
}

fn state(text: &str) -> Result<Vec<u8>, Refusal> {
    BASE64URL_NOPAD.decode(text.as_bytes()).map_err(|_| Refusal::new(Refusal::STATE, "it is not base64url"))
}

fn options(client: &impl Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(client).map_err(|_| Refusal::new(Refusal::CONFIGURATION, "the options cannot be written"))
}

/// The browser's response for the library. It has no extension results: they are not signed, the service asks for none, and
/// password managers send some that the library refuses. Unknown transports are left out.
fn response(credential: &Value) -> Result<Vec<u8>, Refusal> {
    let malformed = || Refusal::new(Refusal::MALFORMED, "the response is not an object");
    let mut credential = credential.clone();
    let fields = credential.as_object_mut().ok_or_else(malformed)?;
    fields.insert("clientExtensionResults".to_owned(), serde_json::json!({}));
    let named =
        fields.get_mut("response").and_then(|response| response.get_mut("transports")).and_then(Value::as_array_mut);
    if let Some(named) = named {
        named.retain(|name| name.as_str().is_none_or(|name| TRANSPORTS.contains(&name)));
    }
    serde_json::to_vec(&credential).map_err(|_| malformed())
}

/// What was wrong with JSON, without its values.
fn unreadable(error: &serde_json::Error) -> Refusal {
    let detail = format_args!("{:?} error in the JSON text", error.classify());
    Refusal::new(Refusal::MALFORMED, detail)
}
