//! What a decision changes: everything a host needs for one atomic batch, and no choices left.
//!
//! A plan may be carried out twice. Every write says what must be true afterwards, not what to add, so a host that
//! does not know whether a batch was committed runs it again.

use crate::access::Caller;
use crate::amount::Cents;
use crate::claim::Item;
use crate::ctx::Instant;
use crate::id::{ApiKeyId, AuditId, ClaimId, RequestId, SubmissionId};
use crate::identity::Tags;
use crate::practice::{Agreement, ApiKeyRecord, Practice};
use alloc::vec::Vec;
use core::fmt;

/// Who makes a change, as the history and the audit trail name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Actor {
    /// A billing system, by its key.
    ApiKey(ApiKeyId),
    /// The service's operator, from the command line.
    Operator,
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ApiKey(id) => write!(f, "api_key:{id}"),
            Self::Operator => f.write_str("operator"),
        }
    }
}

/// One atomic batch.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The caller whose rights must still hold when the batch runs. `None` only for the operator.
    pub guard: Option<Caller>,
    /// Who makes the changes.
    pub actor: Actor,
    /// The instant of the request.
    pub at: Instant,
    /// The request.
    pub request_id: RequestId,
    /// What to change, in this order.
    pub writes: Vec<Write<'a>>,
}

/// One change.
#[derive(Clone, Debug)]
pub enum Write<'a> {
    /// Claims whose numbers were free, with their submission. A number that was taken meanwhile keeps its claim, and
    /// the submission is written only if at least one number was still free.
    Claims(NewClaims<'a>),
    /// Corrected amounts and payer claim numbers of claims that exist. What already is as it should be gets no event.
    Corrections(Corrections<'a>),
    /// A key was used.
    Touch(Caller),
    /// A practice.
    Practice(Practice, AuditId),
    /// A signed agreement.
    Agreement(Agreement, AuditId),
    /// An API key.
    ApiKey(ApiKeyRecord, AuditId),
}

/// The new claims of one send.
#[derive(Clone, Debug)]
pub struct NewClaims<'a> {
    /// Who sends them.
    pub caller: Caller,
    /// The submission they join.
    pub submission_id: SubmissionId,
    /// The audit row of the submission.
    pub audit_id: AuditId,
    /// The claims.
    pub claims: Vec<NewClaim<'a>>,
}

/// A claim to be created.
#[derive(Clone, Debug)]
pub struct NewClaim<'a> {
    /// The place of its item in the request, counted from 0.
    pub place: usize,
    /// Its id.
    pub id: ClaimId,
    /// What was sent.
    pub item: &'a Item<'a>,
    /// Its fingerprints.
    pub tags: Tags,
}

/// The corrections of one send.
#[derive(Clone, Debug)]
pub struct Corrections<'a> {
    /// Who sends them.
    pub caller: Caller,
    /// The audit row of the corrections.
    pub audit_id: AuditId,
    /// The corrections.
    pub claims: Vec<Correction<'a>>,
}

/// What a resend corrects. An amount that is left out stays as it was. `Debug` prints the claim's id only.
#[derive(Clone)]
pub struct Correction<'a> {
    /// The claim.
    pub id: ClaimId,
    /// Its number, by which the claim is read back.
    pub claim_number: &'a str,
    /// The payer claim number from now on.
    pub payer_claim_number: &'a str,
    /// The billed amount from now on.
    pub billed: Option<Cents>,
    /// The denied amount from now on.
    pub denied: Option<Cents>,
}

impl fmt::Debug for Correction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Correction")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
