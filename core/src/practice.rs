//! Practices, their agreements and their API keys, and how each is made.

use crate::ctx::{Ctx, Instant, Purpose};
use crate::id::{AgreementId, ApiKeyId, PracticeId};
use crate::scope::Scopes;
use crate::token::{ApiKey, Realm};
use alloc::string::String;

/// A key lives for one year from its creation (interface: Limits).
pub const API_KEY_LIFETIME_MS: i64 = 365 * 86_400_000;

/// Whether a practice may use the claims interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// It may.
    Active,
    /// It may not: its calls are answered with `403`.
    Inactive,
}

impl State {
    /// The state as it is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Inactive => "inactive",
        }
    }

    /// The state of a stored name. Any other name is not active.
    #[must_use]
    pub fn parse(name: &str) -> Self {
        if name == Self::Active.name() {
            Self::Active
        } else {
            Self::Inactive
        }
    }
}

/// A practice: the tenant.
#[derive(Clone, Debug)]
pub struct Practice {
    /// Its id.
    pub id: PracticeId,
    /// Its name, as people know it.
    pub name: String,
    /// Whether it is active.
    pub state: State,
    /// Whether the appeal button is switched on.
    pub appeal_button: bool,
    /// When it was made.
    pub created_at: Instant,
}

/// A signed business associate agreement.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// Its id.
    pub id: AgreementId,
    /// The practice that signed.
    pub practice_id: PracticeId,
    /// The version of the text that was signed.
    pub version: String,
    /// Who signed.
    pub signer_name: String,
    /// In what function.
    pub signer_title: String,
    /// When.
    pub signed_at: Instant,
}

/// An API key as it is stored: everything but the key itself.
#[derive(Clone, Debug)]
pub struct ApiKeyRecord {
    /// Its id.
    pub id: ApiKeyId,
    /// The practice it acts for.
    pub practice_id: PracticeId,
    /// What the practice calls it.
    pub name: String,
    /// What is looked up, see [`ApiKey::hash`].
    pub hash: String,
    /// What is shown of it, see [`ApiKey::hint`].
    pub hint: String,
    /// What it may do.
    pub scopes: Scopes,
    /// When it was made.
    pub created_at: Instant,
    /// When it ends.
    pub expires_at: Instant,
    /// When it was revoked.
    pub revoked_at: Option<Instant>,
}

/// What makes a key: the caller's choices and 24 bytes of a cryptographic source.
#[derive(Clone, Debug)]
pub struct NewApiKey {
    /// The practice it will act for.
    pub practice_id: PracticeId,
    /// What the practice calls it.
    pub name: String,
    /// What it may do.
    pub scopes: Scopes,
    /// Which environment mints it.
    pub realm: Realm,
}

/// Mints a key: its text, to be shown once, and the record to store. `n` is the number of the record within the
/// command.
#[must_use]
pub fn mint_api_key(
    new: NewApiKey,
    random: [u8; 24],
    n: usize,
    ctx: &Ctx,
) -> (ApiKey, ApiKeyRecord) {
    let key = ApiKey::mint(new.realm, random);
    let record = ApiKeyRecord {
        id: ApiKeyId(ctx.id(Purpose::Record, n)),
        practice_id: new.practice_id,
        name: new.name,
        hash: key.hash(),
        hint: key.hint().into(),
        scopes: new.scopes,
        created_at: ctx.now,
        expires_at: ctx.now.plus(API_KEY_LIFETIME_MS),
        revoked_at: None,
    };
    (key, record)
}
