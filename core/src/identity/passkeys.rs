//! Questions about passkeys (Web Authentication Level 3).

use super::Question;
use crate::base::id::UserId;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The service as the relying party of passkeys.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RelyingParty {
    /// The RP id: a host name, such as `overturn.example`.
    pub id: String,
    /// The origins whose pages may use its passkeys, such as `https://overturn.example`.
    pub origins: Vec<String>,
}

/// Begins the registration of a passkey.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BeginRegistration {
    pub rp: RelyingParty,
    /// The account. The 16 bytes of its id are the user handle.
    pub user_id: UserId,
    /// What the authenticator calls the account: its address.
    pub name: String,
    /// The name of the person.
    pub display_name: String,
    /// The passkeys that the account has.
    pub exclude: Vec<KnownCredential>,
}

/// A passkey by its id, for the options of a ceremony.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KnownCredential {
    /// The credential id, in base64url.
    pub id: String,
    /// How the browser reaches its authenticator, such as `internal`.
    pub transports: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BegunCeremony {
    /// The options for the browser, as `PublicKeyCredential.parse…OptionsFromJSON` reads them.
    pub options: Value,
    /// The state to check the response against: challenge and end, in base64url.
    pub state: String,
}

impl Question for BeginRegistration {
    const PATH: &'static str = "/passkeys/begin_registration";
    type Answer = BegunCeremony;
}

/// Checks the response to a registration.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckRegistration {
    pub rp: RelyingParty,
    pub user_id: UserId,
    /// The state of the ceremony.
    pub state: String,
    /// The browser's response: `RegistrationResponseJSON`.
    pub credential: Value,
}

/// A new passkey.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NewCredential {
    /// The credential id, in base64url.
    pub id: String,
    /// The public key and what never changes, in base64url.
    pub public_key: String,
    /// The signature counter.
    pub sign_count: u32,
    /// Whether the passkey may be synced to other devices.
    pub backup_eligible: bool,
    /// Whether it is synced.
    pub backed_up: bool,
    /// How the browser reaches its authenticator.
    pub transports: Vec<String>,
}

impl Question for CheckRegistration {
    const PATH: &'static str = "/passkeys/check_registration";
    type Answer = NewCredential;
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BeginAssertion {
    pub rp: RelyingParty,
    /// The passkeys that may answer. If there are none, the authenticator names the account.
    pub allow: Vec<KnownCredential>,
}

impl Question for BeginAssertion {
    const PATH: &'static str = "/passkeys/begin_assertion";
    type Answer = BegunCeremony;
}

/// Checks the response to an assertion.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckAssertion {
    pub rp: RelyingParty,
    /// The account of the stored passkey.
    pub user_id: UserId,
    /// The state of the ceremony.
    pub state: String,
    /// The browser's response: `AuthenticationResponseJSON`.
    pub credential: Value,
    /// The stored passkey.
    pub stored: NewCredential,
    /// Whether the ceremony named the passkeys that may answer.
    pub named: bool,
}

/// What an assertion says of its passkey now. Whether the counter may be so is decided by the service.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AssertedCredential {
    /// The signature counter.
    pub sign_count: u32,
    /// Whether the passkey is synced.
    pub backed_up: bool,
}

impl Question for CheckAssertion {
    const PATH: &'static str = "/passkeys/check_assertion";
    type Answer = AssertedCredential;
}
