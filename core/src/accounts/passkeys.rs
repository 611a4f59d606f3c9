//! Passkeys of an account: enrolling, renaming and removing them, and what an assertion allows (Web Authentication
//! Level 3). The identity Worker checks signatures; its facts are judged here.

pub mod assertion;
pub mod enrolment;
pub mod own;

use crate::base::id::{PasskeyId, UserId};
use crate::base::time::Time;
use crate::identity::passkeys::{KnownCredential, NewCredential};
use crate::request::declare::{Field, Raw, Shape, Terms};
use crate::request::field::Problems;
use crate::request::problem::Rule;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Most passkeys of an account.
pub const PASSKEYS_MAX: u32 = 20;

/// The most bytes of credential ids that an assertion names. The cookie of the ceremony holds them, and one id has at most
/// 1,023 bytes.
const IDS_MAX: usize = 1800;

/// The longest body with a credential that is read, in bytes. Browsers send about one kilobyte.
const BODY_MAX: usize = 64 * 1024;

/// A passkey, as stored.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredPasskey {
    pub id: PasskeyId,
    pub user_id: UserId,
    /// What the person calls it.
    pub name: String,
    /// When it was enrolled.
    pub created_at: Time,
    /// When it was last used.
    pub last_used_at: Option<Time>,
    /// What the last assertion said of it.
    pub credential: NewCredential,
}

impl StoredPasskey {
    /// The passkey as its person sees it.
    #[must_use]
    pub fn view(&self) -> PasskeyView {
        PasskeyView {
            id: self.id,
            name: self.name.clone(),
            created_at: self.created_at,
            last_used_at: self.last_used_at,
            synced: self.credential.backed_up,
            transports: self.credential.transports.clone(),
        }
    }
}

/// A passkey, as its person sees it. Its key and its credential id are not shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PasskeyView {
    pub id: PasskeyId,
    /// What the person calls it.
    pub name: String,
    /// When it was enrolled.
    pub created_at: Time,
    /// When it was last used.
    pub last_used_at: Option<Time>,
    /// True if it is synced to other devices.
    pub synced: bool,
    /// How a browser reaches its authenticator, such as `internal`.
    pub transports: Vec<String>,
}

/// Every passkey of a person.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PasskeysView {
    /// The passkeys, the oldest first.
    pub passkeys: Vec<PasskeyView>,
}

/// Every passkey of a person. There are never more than [`PASSKEYS_MAX`], so the list has one page.
#[must_use]
pub fn list(stored: &[StoredPasskey]) -> PasskeysView {
    PasskeysView { passkeys: stored.iter().map(StoredPasskey::view).collect() }
}

/// A browser's response to a ceremony. `Debug` does not print it.
#[derive(Clone)]
pub struct Credential(Value);

impl Credential {
    /// The response for the identity Worker.
    #[must_use]
    pub fn expose(&self) -> Value {
        self.0.clone()
    }

    /// The credential id that the response names; empty if it names none.
    #[must_use]
    pub fn id(&self) -> &str {
        self.0.get("id").and_then(Value::as_str).unwrap_or_default()
    }
}

impl core::fmt::Debug for Credential {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Credential(…)")
    }
}

impl Field for Credential {
    type Value = Self;

    const SHAPE: Shape = Shape::AnyObject;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, terms: Terms<'_>) -> Option<Self> {
        let rule = match raw {
            Raw::AnyObject(_) if terms.length > BODY_MAX => Rule::Form("is too long"),
            Raw::AnyObject(fields) => return Some(Self(Value::Object(fields))),
            Raw::Absent | Raw::Null => Rule::Required,
            _ => Rule::Object,
        };
        p.add(name, rule);
        None
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        serde_json::json!({ "type": "object", "additionalProperties": true })
    }
}

/// The passkeys as the options of a ceremony name them.
fn known<'p>(stored: impl IntoIterator<Item = &'p StoredPasskey>) -> Vec<KnownCredential> {
    let known = stored.into_iter().map(|passkey| KnownCredential {
        id: passkey.credential.id.clone(),
        transports: passkey.credential.transports.clone(),
    });
    known.collect()
}

/// The passkeys that an assertion can name: the ones used last, as many as its cookie has room for.
fn recent(stored: &[StoredPasskey]) -> Vec<&StoredPasskey> {
    let mut recent: Vec<&StoredPasskey> = stored.iter().collect();
    recent.sort_by_key(|passkey| Reverse(passkey.last_used_at.unwrap_or(passkey.created_at).0));
    let mut room = IDS_MAX;
    recent.retain(|passkey| {
        // Base64url writes three bytes as four characters.
        let bytes = passkey.credential.id.len().saturating_mul(3) / 4;
        let left = room.checked_sub(bytes);
        room = left.unwrap_or(room);
        left.is_some()
    });
    recent
}

#[cfg(test)]
mod tests;
