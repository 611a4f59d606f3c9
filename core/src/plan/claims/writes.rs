//! The writes of a send: new claims, and corrections of existing claims.

use crate::base::id::{AuditId, ClaimId, PracticeId, SubmissionId};
use crate::base::money::Cents;
use crate::base::sealed::KeyVersion;
use crate::plan::claims::claim::Item;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The fingerprints of an item under one key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tags {
    /// The key that made them.
    pub key_version: KeyVersion,
    /// Name and date of birth.
    pub patient: String,
    /// The procedure code, if there is one.
    pub procedure: Option<String>,
}

/// The new claims of one send.
#[derive(Clone, Debug)]
pub struct NewClaims<'a> {
    pub practice_id: PracticeId,
    /// The submission they join. Its audit row has the same id.
    pub submission_id: SubmissionId,
    pub claims: Vec<NewClaim<'a>>,
}

#[derive(Clone, Debug)]
pub struct NewClaim<'a> {
    /// The index of its item in the request.
    pub place: usize,
    pub id: ClaimId,
    /// The sent item.
    pub item: &'a Item<'a>,
    /// Its fingerprints.
    pub tags: Tags,
}

/// The corrections of one send.
#[derive(Clone, Debug)]
pub struct Corrections<'a> {
    pub practice_id: PracticeId,
    /// The audit row of the corrections.
    pub audit_id: AuditId,
    /// The corrections.
    pub claims: Vec<Correction<'a>>,
}

/// The correction of a claim by a resend. An amount that is absent stays. `Debug` prints only the claim's id.
#[derive(Clone)]
pub struct Correction<'a> {
    pub id: ClaimId,
    /// Its number, for reading it back.
    pub claim_number: &'a str,
    /// The new payer claim number.
    pub payer_claim_number: &'a str,
    /// The new billed amount.
    pub billed: Option<Cents>,
    /// The new denied amount.
    pub denied: Option<Cents>,
}

impl fmt::Debug for Correction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Correction").field("id", &self.id).finish_non_exhaustive()
    }
}
