//! Records whose edits are counted. `If-Match` compares the count with the one that a person has seen.

use overturn_core::base::id::{PracticeId, SsoProviderId, UserId, WebhookId};

/// A record that several people may edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EditedRecord {
    /// The settings of a practice, and whether it requires single sign-on.
    Practice(PracticeId),
    /// How long a practice keeps documents.
    DocumentSettings(PracticeId),
    Member(PracticeId, UserId),
    /// An identity provider of a practice.
    Provider(PracticeId, SsoProviderId),
    /// An endpoint of a practice.
    Webhook(PracticeId, WebhookId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordVersion {
    pub record: EditedRecord,
    /// The version. The first one is 1.
    pub version: i64,
}

impl RecordVersion {
    /// The version after an edit.
    #[must_use]
    pub const fn next(self) -> Self {
        Self { version: self.version.saturating_add(1), ..self }
    }
}
