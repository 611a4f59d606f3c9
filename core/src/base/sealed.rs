//! Where sealed values are stored, and what a host needs to open them.
//!
//! A [`SealedPlace`] names one sealed value: its column, its owner and its record. The host binds the ciphertext to it,
//! so a value that was moved to another column, claim, record or practice does not open.

use crate::base::id::{
    AttemptId, ClaimId, DataKeyId, DocumentId, FactorId, NoteId, PracticeId, SignatureId, SigningLinkId, UserId,
    WebhookId,
};
use alloc::string::String;
use core::fmt;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A sealed column, as the schema names it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Column {
    pub table: &'static str,
    /// The column.
    pub name: &'static str,
}

/// Defines the places from one list, so that no function can miss one.
macro_rules! places {
    ($($(#[$doc:meta])* $name:ident $([$claim:ident])? ($owner:ident: $owner_type:ty, $record:ident: $record_type:ty)
        = $table:literal, $column:literal;)+) => {
        /// The place of one sealed value.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum SealedPlace {
            $($(#[$doc])* $name {
                /// Its owner.
                $owner: $owner_type,
                $(
                    /// Its claim.
                    $claim: ClaimId,
                )?
                /// Its record.
                $record: $record_type,
            },)+
        }

        impl SealedPlace {
            /// Every sealed column.
            pub const COLUMNS: &'static [Column] = &[$(Column { table: $table, name: $column },)+];

            /// The column that the value is in.
            #[must_use]
            pub const fn column(self) -> Column {
                match self {
                    $(Self::$name { .. } => Column { table: $table, name: $column },)+
                }
            }

            /// The practice or the account that it belongs to.
            #[must_use]
            pub const fn owner(self) -> Uuid {
                match self {
                    $(Self::$name { $owner, .. } => $owner.0,)+
                }
            }

            #[must_use]
            pub const fn record(self) -> Uuid {
                match self {
                    $(Self::$name { $record, .. } => $record.0,)+
                }
            }

            /// Its claim, if it has one.
            #[must_use]
            pub const fn claim(self) -> Option<ClaimId> {
                match self {
                    $(Self::$name { $($claim,)? .. } => places!(@claim $($claim)?),)+
                }
            }
        }
    };
    (@claim) => { None };
    (@claim $claim:ident) => { Some($claim) };
}

places! {
    /// The patient, the codes and the free text of a claim.
    Claim(practice: PracticeId, id: ClaimId) = "claims", "sealed";
    /// A staff note about a claim.
    Note[claim](practice: PracticeId, id: NoteId) = "claim_notes", "sealed";
    /// The token of a signing link.
    SigningLink[claim](practice: PracticeId, id: SigningLinkId) = "signing_links", "sealed";
    /// A patient's signature.
    Signature[claim](practice: PracticeId, id: SignatureId) = "signatures", "sealed";
    /// The signing secret of an endpoint.
    WebhookSecret(practice: PracticeId, id: WebhookId) = "webhooks", "sealed";
    /// The secret before the last rotation.
    OldWebhookSecret(practice: PracticeId, id: WebhookId) = "webhooks", "old_sealed";
    /// The beginning of an endpoint's answer.
    EndpointAnswer(practice: PracticeId, id: AttemptId) = "attempts", "sealed";
    /// The name of a document's file and the key of its object.
    Document(practice: PracticeId, id: DocumentId) = "documents", "sealed";
    DataKey(practice: PracticeId, id: DataKeyId) = "practice_keys", "wrapped";
    /// The secret of an authenticator app.
    Factor(user: UserId, id: FactorId) = "factors", "sealed";
}

impl SealedPlace {
    /// The practice whose data key seals it; `None` if a key of the service seals it.
    #[must_use]
    pub const fn practice(self) -> Option<PracticeId> {
        match self {
            Self::Claim { practice, .. }
            | Self::Note { practice, .. }
            | Self::SigningLink { practice, .. }
            | Self::Signature { practice, .. }
            | Self::WebhookSecret { practice, .. }
            | Self::OldWebhookSecret { practice, .. }
            | Self::EndpointAnswer { practice, .. }
            | Self::Document { practice, .. } => Some(practice),
            Self::DataKey { .. } | Self::Factor { .. } => None,
        }
    }

    /// The practice whose audit trail gets events about the value.
    #[must_use]
    pub const fn trail(self) -> Option<PracticeId> {
        match self {
            Self::DataKey { practice, .. } => Some(practice),
            other => other.practice(),
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.table, self.name)
    }
}

/// The newest stored data key of a practice. `Debug` prints only its id.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct StoredDataKey {
    /// The number of the data key within the practice, from 1.
    pub version: u32,
    pub id: DataKeyId,
    /// The service's key that wraps it.
    pub key_version: KeyVersion,
    /// The wrapped key; `None` after its destruction.
    pub wrapped: Option<String>,
}

impl fmt::Debug for StoredDataKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoredDataKey({})", self.id)
    }
}

/// The version of the key that made a tag or a ciphertext: of the practice's data key for its records, of the service's
/// key for everything else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyVersion(pub i64);

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;

    #[test]
    fn no_two_places_share_a_column() {
        let columns: BTreeSet<Column> = SealedPlace::COLUMNS.iter().copied().collect();
        assert_eq!(columns.len(), SealedPlace::COLUMNS.len());
    }

    #[test]
    fn a_place_names_its_column_owner_claim_and_record() {
        let [practice, claim, id] = [1, 2, 3].map(Uuid::from_u128);
        let note = SealedPlace::Note { practice: PracticeId(practice), claim: ClaimId(claim), id: NoteId(id) };
        assert_eq!(alloc::format!("{}", note.column()), "claim_notes.sealed");
        assert_eq!((note.owner(), note.record()), (practice, id));
        assert_eq!(note.claim(), Some(ClaimId(claim)));
        let factor = SealedPlace::Factor { user: UserId(practice), id: FactorId(id) };
        assert_eq!(factor.claim(), None);
        assert_eq!((factor.practice(), factor.trail()), (None, None));
    }
}
