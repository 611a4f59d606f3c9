//! What a send writes: new claims, and corrections of claims that exist.

use crate::auth::key::Caller;
use crate::base::id::{AuditId, ClaimId, SubmissionId};
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
    /// The procedure code, where there is one.
    pub procedure: Option<String>,
}

/// The new claims of one send.
#[derive(Clone, Debug)]
pub struct NewClaims<'a> {
    /// Who sends them.
    pub caller: Caller,
    /// The submission they join. Its audit row has the same id.
    pub submission_id: SubmissionId,
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
