//! Ids of records. Each kind of record has its own type, so that ids cannot be mixed up.

use crate::base::cell::Cell;
use crate::base::param::{Param, Plain};
use alloc::string::ToString;
use core::fmt;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// The cell that made it.
            #[must_use]
            pub const fn cell(self) -> Cell {
                Cell::of(self.0.as_bytes())
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }

        impl Plain for $name {
            fn param(self) -> Param {
                Param::Text(self.to_string())
            }
        }

        #[cfg(feature = "schema")]
        crate::base::described::described! { $name = { "type": "string", "format": "uuid" } }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

ids! {
    /// A practice: the tenant that everything else belongs to.
    PracticeId
    /// An API key of a practice.
    ApiKeyId
    /// A signed agreement of a practice.
    AgreementId
    /// The service's id for a claim, `id` in a result item.
    ClaimId
    /// The send that new claims came with, `submission_id` in a send response.
    SubmissionId
    /// A row of the audit trail.
    AuditId
    /// An account: a person of a practice or of the staff.
    UserId
    /// A session of an account.
    SessionId
    /// A scoped API token of an account.
    ApiTokenId
    /// A second factor of an account.
    FactorId
    /// A passkey of an account.
    PasskeyId
    /// An account's identity at an external provider.
    IdentityId
    /// A provider that a practice signs in by.
    SsoProviderId
    /// A mail domain of a practice.
    DomainId
    /// A link to the signing page.
    SigningLinkId
    /// A patient's signature.
    SignatureId
    /// A report that was delivered to a practice.
    ReportId
    /// An endpoint of a practice.
    WebhookId
    /// A message to endpoints, `webhook-id` in its deliveries.
    MessageId
    /// An attempt to send a message to an endpoint.
    AttemptId
    /// A case: the appeal of one or more claims of one patient and payer.
    CaseId
    /// A document of a practice, and its object in the bucket.
    DocumentId
    /// A filter of the queue that a staff member has saved.
    QueueFilterId
    /// A staff note about a claim.
    NoteId
    /// The return or the destruction of a practice's data.
    DataJobId
    /// An email to the owners of a practice.
    NoticeId
    /// A data key of a practice.
    DataKeyId
    /// A move of a practice to another cell.
    MoveId
    /// One request, `X-Request-Id` in its response.
    RequestId
}
