//! The messages to endpoints: an event and its record.
//!
//! ```text
//! {"type": "claim.status_changed", "timestamp": "2026-11-21T09:45:23.120Z",
//!  "data": {"claim": {"id": "01a1fc69-…", "claim_number": "A-1", "status": "in_appeal"}}}
//! ```
//!
//! A body has ids, states and dates, and where a leaked key was found; a made-up one also has `"test": true`. For a claim it also has the practice's claim number,
//! so that the receiver can find the claim in its own system. It has nothing else about a claim.

use crate::base::ctx::{Ctx, Purpose};
use crate::base::date::Date;
use crate::base::id::{ApiKeyId, ApiTokenId, ClaimId, ReportId, WebhookId};
use crate::base::instant::{DAY_MS, Instant};
use crate::base::names::names;
use crate::base::time::Time;
use crate::claims::{ClaimNumber, ClaimStatus, SigningStatus};
use alloc::string::String;
use serde::Serialize;

/// The claim number of a test message.
const SAMPLE_NUMBER: &str = "TEST-1";
/// How many days a deadline or an end is away in a test message.
const SAMPLE_DAYS: i64 = 7;

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
        /// An API key ends in 30, 7 or 1 days.
        ApiKeyExpiring = "api_key.expiring",
        /// The same of an API token.
        ApiTokenExpiring = "api_token.expiring",
        /// A person asked for it, to see whether an endpoint works. No endpoint subscribes to it.
        WebhookTest = "webhook.test",
    }
}

impl MessageKind {
    /// The kinds that an endpoint can subscribe to.
    pub const OF_EVENTS: [Self; 9] = [
        Self::ClaimStatusChanged,
        Self::ClaimSigningChanged,
        Self::ClaimDeadlineChanged,
        Self::ClaimAmountCorrected,
        Self::ReportDelivered,
        Self::ApiKeyLeaked,
        Self::ApiTokenLeaked,
        Self::ApiKeyExpiring,
        Self::ApiTokenExpiring,
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
    /// `{"api_key": {"id", "expires_at"}}`.
    #[serde(rename = "api_key")]
    KeyExpiring { id: ApiKeyId, expires_at: Time },
    /// `{"api_token": {"id", "expires_at"}}`.
    #[serde(rename = "api_token")]
    TokenExpiring { id: ApiTokenId, expires_at: Time },
    /// `{"webhook": {"id", "test": true}}`.
    #[serde(rename = "webhook")]
    Test {
        id: WebhookId,
        /// True.
        test: bool,
    },
}

impl Data {
    #[must_use]
    pub const fn kind(&self) -> MessageKind {
        match self {
            Self::Status { .. } => MessageKind::ClaimStatusChanged,
            Self::Signing { .. } => MessageKind::ClaimSigningChanged,
            Self::Deadline { .. } => MessageKind::ClaimDeadlineChanged,
            Self::Amount { .. } => MessageKind::ClaimAmountCorrected,
            Self::Report { .. } => MessageKind::ReportDelivered,
            Self::KeyLeaked { .. } => MessageKind::ApiKeyLeaked,
            Self::TokenLeaked { .. } => MessageKind::ApiTokenLeaked,
            Self::KeyExpiring { .. } => MessageKind::ApiKeyExpiring,
            Self::TokenExpiring { .. } => MessageKind::ApiTokenExpiring,
            Self::Test { .. } => MessageKind::WebhookTest,
        }
    }

    /// What a message of this kind can hold. Its ids are fresh, so they name no record, except that of the endpoint.
    #[must_use]
    pub fn sample(kind: MessageKind, webhook: WebhookId, ctx: &Ctx) -> Self {
        let id = ctx.id(Purpose::Record, 0);
        let claim_number = ClaimNumber(SAMPLE_NUMBER.into());
        let place = || Some(String::from("https://example.com/public/config.yml"));
        let expires_at = Time(ctx.now.plus(SAMPLE_DAYS * DAY_MS));
        match kind {
            MessageKind::ClaimStatusChanged => {
                Self::Status { id: ClaimId(id), claim_number, status: ClaimStatus::InAppeal }
            }
            MessageKind::ClaimSigningChanged => {
                Self::Signing { id: ClaimId(id), claim_number, signing_status: SigningStatus::Needed }
            }
            MessageKind::ClaimDeadlineChanged => {
                Self::Deadline { id: ClaimId(id), claim_number, deadline: Some(Date::of(expires_at.0)) }
            }
            MessageKind::ClaimAmountCorrected => Self::Amount { id: ClaimId(id), claim_number },
            MessageKind::ReportDelivered => Self::Report { id: ReportId(id), claims: 3 },
            MessageKind::ApiKeyLeaked => Self::KeyLeaked { id: ApiKeyId(id), url: place() },
            MessageKind::ApiTokenLeaked => Self::TokenLeaked { id: ApiTokenId(id), url: place() },
            MessageKind::ApiKeyExpiring => Self::KeyExpiring { id: ApiKeyId(id), expires_at },
            MessageKind::ApiTokenExpiring => Self::TokenExpiring { id: ApiTokenId(id), expires_at },
            MessageKind::WebhookTest => Self::Test { id: webhook, test: true },
        }
    }

    /// The body of an event at an instant. One that is made up says so.
    #[must_use]
    pub fn body(&self, at: Instant, test: bool) -> String {
        let body = MessageBody { kind: self.kind().name(), timestamp: Time(at), test, data: self };
        // It has text for every key, so this cannot fail.
        serde_json::to_string(&body).unwrap_or_default()
    }
}

#[derive(Serialize)]
struct MessageBody<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    timestamp: Time,
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    test: bool,
    data: &'a Data,
}

#[cfg(test)]
mod tests;
