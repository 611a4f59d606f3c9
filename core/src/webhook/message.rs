//! What endpoints are told: that something happened, and to which record.
//!
//! ```text
//! {"type": "claim.status_changed", "timestamp": "2026-11-21T09:45:23.120Z",
//!  "data": {"claim": {"id": "01a1fc69-…", "status": "in_appeal"}}}
//! ```
//!
//! A body has ids and states and nothing else. A claim number is the caller's own text and may name a patient, so whoever
//! wants more asks for it with a credential.

use crate::claim::ClaimStatus;
use crate::ctx::{Ctx, Instant, Purpose};
use crate::id::{ClaimId, MessageId, PracticeId, ReportId};
use crate::names::names;
use crate::signing::SigningStatus;
use crate::time::Time;
use alloc::string::String;
use serde::Serialize;

names! {
    /// What can be told of.
    MessageKind {
        /// A claim stands elsewhere than before.
        ClaimStatusChanged = "claim.status_changed",
        /// A claim's signature stands elsewhere than before, or its link is another or revoked.
        ClaimSigningChanged = "claim.signing_changed",
        /// A report was delivered.
        ReportDelivered = "report.delivered",
    }
}

/// What happened, and to which record. It is `data` of the body as it stands here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Data {
    /// `{"claim": {"id", "status"}}`.
    #[serde(rename = "claim")]
    Status {
        /// The claim.
        id: ClaimId,
        /// Where it stands now.
        status: ClaimStatus,
    },
    /// `{"claim": {"id", "signing_status"}}`.
    #[serde(rename = "claim")]
    Signing {
        /// The claim.
        id: ClaimId,
        /// Where its signature stands now.
        signing_status: SigningStatus,
    },
    /// `{"report": {"id", "claims"}}`.
    Report {
        /// The report.
        id: ReportId,
        /// How many claims it was delivered with.
        claims: usize,
    },
}

/// Something that a practice's endpoints are told, each that wants its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Message {
    /// Whose endpoints.
    pub practice_id: PracticeId,
    /// Its id, the same however often and to however many endpoints it is told. Receivers know repeats by it.
    pub id: MessageId,
    /// What happened.
    pub data: Data,
}

impl Message {
    /// The n-th message of a request.
    #[must_use]
    pub fn new(ctx: &Ctx, n: usize, practice_id: PracticeId, data: Data) -> Self {
        Self {
            practice_id,
            id: MessageId(ctx.id(Purpose::Message, n)),
            data,
        }
    }

    /// What it tells of.
    #[must_use]
    pub const fn kind(&self) -> MessageKind {
        match self.data {
            Data::Status { .. } => MessageKind::ClaimStatusChanged,
            Data::Signing { .. } => MessageKind::ClaimSigningChanged,
            Data::Report { .. } => MessageKind::ReportDelivered,
        }
    }

    /// The body of what happened at an instant. It is stored as it is, so that every attempt sends the same bytes.
    #[must_use]
    pub fn body(&self, at: Instant) -> String {
        let body = Body {
            kind: self.kind().name(),
            timestamp: Time(at),
            data: &self.data,
        };
        // It has text for every key.
        serde_json::to_string(&body).unwrap_or_default()
    }
}

#[derive(Serialize)]
struct Body<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    timestamp: Time,
    data: &'a Data,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;
    use uuid::Uuid;

    fn body(data: Data) -> String {
        let ctx = Ctx::new(Instant(1_772_625_600_120), [1; 32]);
        Message::new(&ctx, 0, PracticeId(Uuid::from_u128(1)), data).body(ctx.now)
    }

    #[test]
    fn the_bodies_are_pinned() {
        let id = Uuid::from_u128(7);
        assert_eq!(
            body(Data::Status {
                id: ClaimId(id),
                status: ClaimStatus::InAppeal,
            }),
            r#"{"type":"claim.status_changed","timestamp":"2026-03-04T12:00:00.120Z","data":{"claim":{"id":"00000000-0000-0000-0000-000000000007","status":"in_appeal"}}}"#
        );
        assert_eq!(
            body(Data::Signing {
                id: ClaimId(id),
                signing_status: SigningStatus::Signed,
            }),
            r#"{"type":"claim.signing_changed","timestamp":"2026-03-04T12:00:00.120Z","data":{"claim":{"id":"00000000-0000-0000-0000-000000000007","signing_status":"signed"}}}"#
        );
        assert_eq!(
            body(Data::Report {
                id: ReportId(id),
                claims: 3,
            }),
            r#"{"type":"report.delivered","timestamp":"2026-03-04T12:00:00.120Z","data":{"report":{"id":"00000000-0000-0000-0000-000000000007","claims":3}}}"#
        );
    }

    #[test]
    fn a_kind_is_known_by_its_name_and_by_no_other() {
        for kind in MessageKind::ALL {
            assert_eq!(MessageKind::parse(kind.name()), Some(kind));
        }
        assert_eq!(MessageKind::parse("claim.created"), None);
    }

    #[test]
    fn the_messages_of_a_request_have_ids_of_their_own() {
        let ctx = Ctx::new(Instant(1_772_625_600_120), [1; 32]);
        let practice = PracticeId(Uuid::from_u128(1));
        let data = Data::Report {
            id: ReportId(Uuid::from_u128(7)),
            claims: 1,
        };
        let message = |n| Message::new(&ctx, n, practice, data);
        assert_eq!(message(0), message(0));
        assert_ne!(message(0).id, message(1).id);
        assert_ne!(message(0).id.0, ctx.id(Purpose::Record, 0));
    }
}
