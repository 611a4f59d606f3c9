//! The messages to endpoints: an event and its record.
//!
//! ```text
//! {"type": "claim.status_changed", "timestamp": "2026-11-21T09:45:23.120Z",
//!  "data": {"claim": {"id": "01a1fc69-…", "claim_number": "A-1", "status": "in_appeal"}}}
//! ```
//!
//! A body has ids, states and dates, and where a leaked key was found. For a claim it also has the practice's claim number,
//! so that the receiver can find the claim in its own system. It has nothing else about a claim.

use crate::plan::signing::status::SigningStatus;
use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::date::Date;
use overturn_core::base::id::{ApiKeyId, ApiTokenId, ClaimId, MessageId, PracticeId, ReportId, WebhookId};
use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;
use overturn_core::claims::ClaimNumber;
use overturn_core::claims::ClaimStatus;
use overturn_core::names;
use serde::Serialize;

names! {
    MessageKind {
        ClaimStatusChanged = "claim.status_changed",
        /// The signing status of a claim changed, or its link was replaced or revoked.
        ClaimSigningChanged = "claim.signing_changed",
        /// The deadline of a claim's appeal changed.
        ClaimDeadlineChanged = "claim.deadline_changed",
        /// The recorded payment of the payer for a claim was corrected.
        ClaimAmountCorrected = "claim.amount_corrected",
        ReportDelivered = "report.delivered",
        /// An API key was found in public, and is revoked.
        ApiKeyLeaked = "api_key.leaked",
        /// The same of an API token.
        ApiTokenLeaked = "api_token.leaked",
        /// A person asked for it, to see whether an endpoint works. No endpoint subscribes to it.
        WebhookTest = "webhook.test",
    }
}

impl MessageKind {
    /// The kinds that an endpoint can subscribe to.
    pub const OF_EVENTS: [Self; 7] = [
        Self::ClaimStatusChanged,
        Self::ClaimSigningChanged,
        Self::ClaimDeadlineChanged,
        Self::ClaimAmountCorrected,
        Self::ReportDelivered,
        Self::ApiKeyLeaked,
        Self::ApiTokenLeaked,
    ];
}

/// The event and its record. It becomes `data` of the body.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Data {
    /// `{"claim": {"id", "claim_number", "status"}}`.
    #[serde(rename = "claim")]
    Status {
        id: ClaimId,
        claim_number: ClaimNumber,
        /// Its new status.
        status: ClaimStatus,
    },
    /// `{"claim": {"id", "claim_number", "signing_status"}}`.
    #[serde(rename = "claim")]
    Signing {
        id: ClaimId,
        claim_number: ClaimNumber,
        /// Its new signing status.
        signing_status: SigningStatus,
    },
    /// `{"claim": {"id", "claim_number", "deadline"}}`.
    #[serde(rename = "claim")]
    Deadline {
        id: ClaimId,
        claim_number: ClaimNumber,
        /// The deadline of the appeal; `null` if nothing has to be filed now.
        deadline: Option<Date>,
    },
    /// `{"claim": {"id", "claim_number"}}`. The amount is read with the claim.
    #[serde(rename = "claim")]
    Amount { id: ClaimId, claim_number: ClaimNumber },
    /// `{"report": {"id", "claims"}}`.
    Report {
        /// The report.
        id: ReportId,
        /// How many claims it has.
        claims: usize,
    },
    /// `{"api_key": {"id", "url"}}`.
    #[serde(rename = "api_key")]
    KeyLeaked {
        id: ApiKeyId,
        /// Where it was found, if that is known.
        url: Option<String>,
    },
    /// `{"api_token": {"id", "url"}}`.
    #[serde(rename = "api_token")]
    TokenLeaked {
        id: ApiTokenId,
        /// Where it was found, if that is known.
        url: Option<String>,
    },
    /// `{"webhook": {"id", "test": true}}`.
    #[serde(rename = "webhook")]
    Test {
        id: WebhookId,
        /// True.
        test: bool,
    },
}

/// A message to a practice's endpoints that subscribe to its kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    pub practice_id: PracticeId,
    /// Its id, the same in every attempt and for every endpoint. Receivers recognize repetitions by it.
    pub id: MessageId,
    /// The event.
    pub data: Data,
}

impl Message {
    /// The nth message of a request.
    #[must_use]
    pub fn new(ctx: &Ctx, n: usize, practice_id: PracticeId, data: Data) -> Self {
        Self { practice_id, id: MessageId(ctx.id(Purpose::Message, n)), data }
    }

    #[must_use]
    pub const fn kind(&self) -> MessageKind {
        match self.data {
            Data::Status { .. } => MessageKind::ClaimStatusChanged,
            Data::Signing { .. } => MessageKind::ClaimSigningChanged,
            Data::Deadline { .. } => MessageKind::ClaimDeadlineChanged,
            Data::Amount { .. } => MessageKind::ClaimAmountCorrected,
            Data::Report { .. } => MessageKind::ReportDelivered,
            Data::KeyLeaked { .. } => MessageKind::ApiKeyLeaked,
            Data::TokenLeaked { .. } => MessageKind::ApiTokenLeaked,
            Data::Test { .. } => MessageKind::WebhookTest,
        }
    }

    /// The body of an event at an instant. It is stored as text, so that every attempt sends the same bytes.
    #[must_use]
    pub fn body(&self, at: Instant) -> String {
        let body = MessageBody { kind: self.kind().name(), timestamp: Time(at), data: &self.data };
        // It has text for every key, so this cannot fail.
        serde_json::to_string(&body).unwrap_or_default()
    }
}

#[derive(Serialize)]
struct MessageBody<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    timestamp: Time,
    data: &'a Data,
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn body(data: Data) -> String {
        let ctx = Ctx::new(Instant(1_772_625_600_120), [1; 32]);
        Message::new(&ctx, 0, PracticeId(Uuid::from_u128(1)), data).body(ctx.now)
    }

    fn number() -> ClaimNumber {
        ClaimNumber("A \"1\"".into())
    }

    #[test]
    fn claim_numbers_in_messages_are_not_printed() {
        assert_eq!(format!("{:?}", number()), "ClaimNumber(…)");
    }

    #[test]
    fn the_bodies_are_pinned() {
        let id = Uuid::from_u128(7);
        assert_eq!(
            body(Data::Status { id: ClaimId(id), claim_number: number(), status: ClaimStatus::InAppeal }),
            r#"{"type":"claim.status_changed","timestamp":"2026-03-04T12:00:00.120Z","data":{"claim":{"id":"00000000-0000-0000-0000-000000000007","claim_number":"A \"1\"","status":"in_appeal"}}}"#
        );
        assert_eq!(
            body(Data::Signing { id: ClaimId(id), claim_number: number(), signing_status: SigningStatus::Signed }),
            r#"{"type":"claim.signing_changed","timestamp":"2026-03-04T12:00:00.120Z","data":{"claim":{"id":"00000000-0000-0000-0000-000000000007","claim_number":"A \"1\"","signing_status":"signed"}}}"#
        );
        for (deadline, said) in [(Date::parse("2026-07-04"), "\"2026-07-04\""), (None, "null")] {
            let expected = format!(
                r#"{{"type":"claim.deadline_changed","timestamp":"2026-03-04T12:00:00.120Z","data":{{"claim":{{"id":"00000000-0000-0000-0000-000000000007","claim_number":"A \"1\"","deadline":{said}}}}}}}"#
            );
            let told = Data::Deadline { id: ClaimId(id), claim_number: number(), deadline };
            assert_eq!(body(told), expected);
        }
        assert_eq!(
            body(Data::Report { id: ReportId(id), claims: 3 }),
            r#"{"type":"report.delivered","timestamp":"2026-03-04T12:00:00.120Z","data":{"report":{"id":"00000000-0000-0000-0000-000000000007","claims":3}}}"#
        );
        let url = Some("https://example.com/x".to_owned());
        assert_eq!(
            body(Data::KeyLeaked { id: ApiKeyId(id), url }),
            r#"{"type":"api_key.leaked","timestamp":"2026-03-04T12:00:00.120Z","data":{"api_key":{"id":"00000000-0000-0000-0000-000000000007","url":"https://example.com/x"}}}"#
        );
        assert_eq!(
            body(Data::TokenLeaked { id: ApiTokenId(id), url: None }),
            r#"{"type":"api_token.leaked","timestamp":"2026-03-04T12:00:00.120Z","data":{"api_token":{"id":"00000000-0000-0000-0000-000000000007","url":null}}}"#
        );
        assert_eq!(
            body(Data::Test { id: WebhookId(id), test: true }),
            r#"{"type":"webhook.test","timestamp":"2026-03-04T12:00:00.120Z","data":{"webhook":{"id":"00000000-0000-0000-0000-000000000007","test":true}}}"#
        );
    }

    #[test]
    fn an_endpoint_can_subscribe_to_every_kind_but_a_test() {
        let all = MessageKind::ALL.into_iter();
        let events = all.filter(|kind| *kind != MessageKind::WebhookTest);
        assert!(events.eq(MessageKind::OF_EVENTS));
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
        let data = Data::Report { id: ReportId(Uuid::from_u128(7)), claims: 1 };
        let message = |n| Message::new(&ctx, n, practice, data.clone());
        assert_eq!(message(0), message(0));
        assert_ne!(message(0).id, message(1).id);
        assert_ne!(message(0).id.0, ctx.id(Purpose::Record, 0));
    }
}
