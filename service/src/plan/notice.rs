//! Emails to the owners of a practice about its agreement, its data and its keys. They are rows in the batch of the
//! change, and a scheduled job sends them. So no email is lost with an answer, and operator commands can send emails as
//! well.

use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::{NoticeId, PracticeId};
use overturn_core::base::instant::Instant;
use overturn_core::names;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

names! {
    /// The subject of an email.
    NoticeKind {
        AgreementEnded = "agreement_ended",
        /// An owner exports all data of the practice.
        ReturnRequested = "return_requested",
        /// The data will be destroyed.
        DestructionRequested = "destruction_requested",
        /// The destruction of the data was canceled.
        DestructionCancelled = "destruction_cancelled",
        DataDestroyed = "data_destroyed",
        /// Too many resends of a day did not match their claims.
        ResendsStopped = "resends_stopped",
        /// A person turned required single sign-on on.
        SsoRequired = "sso_required",
        /// A person turned it off.
        SsoOptional = "sso_optional",
        /// A person added an identity provider.
        ProviderAdded = "provider_added",
        /// A person changed an identity provider.
        ProviderChanged = "provider_changed",
        /// A person removed an identity provider.
        ProviderRemoved = "provider_removed",
        /// The certificates of an identity provider end. Admins get it as well.
        ProviderEnding = "provider_ending",
        /// Keys or tokens were found in public, and are revoked.
        KeysLeaked = "keys_leaked",
        /// An API key ends soon.
        KeyExpiring = "key_expiring",
        /// An API token ends soon. Its person gets it as well.
        TokenExpiring = "token_expiring",
    }
}

names! {
    /// What a practice's programs and people use the interface with.
    KeyKind {
        ApiKey = "api_key",
        ApiToken = "api_token",
    }
}

/// The keys that an email names.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct NamedKeys {
    pub keys: Vec<NamedKey>,
    /// How many it does not name.
    pub more: usize,
}

/// A key or token that was found in public, or that ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NamedKey {
    /// What the practice calls it.
    pub name: String,
    /// Its first characters.
    pub prefix: String,
    /// Where it was found, if that is known.
    pub url: Option<String>,
}

impl NamedKeys {
    /// Adds a key, which is named if fewer than `most` are.
    pub fn add(&mut self, most: usize, key: impl FnOnce() -> NamedKey) {
        match self.keys.len() < most {
            true => self.keys.push(key()),
            false => self.more = self.more.saturating_add(1),
        }
    }
}

/// An email to every owner of a practice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Notice {
    pub practice_id: PracticeId,
    pub id: NoticeId,
    /// Its subject.
    pub kind: NoticeKind,
    /// When the requested action begins.
    pub due_at: Option<Instant>,
    /// The person who did it, or the identity provider. The email has the name.
    pub about: Option<Uuid>,
}

impl Notice {
    /// The only email of a request.
    #[must_use]
    pub fn new(practice_id: PracticeId, kind: NoticeKind, ctx: &Ctx) -> Self {
        Self { practice_id, id: NoticeId(ctx.id(Purpose::Record, 7)), kind, due_at: None, about: None }
    }

    /// The same with the id of a person or an identity provider.
    #[must_use]
    pub const fn about(self, id: Uuid) -> Self {
        Self { about: Some(id), ..self }
    }

    /// The same about something that begins later.
    #[must_use]
    pub const fn due(self, at: Instant) -> Self {
        Self { due_at: Some(at), ..self }
    }
}
