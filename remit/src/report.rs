//! What a run reports beside the claims: counts, held claims and warnings. No text here names a patient.

use crate::amount::Amount;
use crate::tokenizer::FileError;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

/// Why a claim payment or an amount is not written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Skip {
    /// Paid, with no denial beside it.
    Paid,
    /// Only the patient's share is left.
    PatientShare,
    /// Contractual adjustments only.
    Contractual,
    /// CO-45 for the whole charge. Some payers write a denial this way, so it has a count of its own.
    ContractualWhole,
    /// A prior payer's adjudication.
    PriorPayer,
    /// A duplicate of a claim that was adjudicated before.
    Duplicate,
    /// Not decided yet.
    Pending,
    /// Paid as part of something else.
    PaidElsewhere,
    /// Covered by capitation.
    Capitation,
    /// Unprocessable (MA130): it has no appeal rights, and must be corrected and billed again.
    Unprocessable,
    /// Forwarded to another payer (CLP02 is 23).
    Forwarded,
    /// A predetermination (CLP02 is 25).
    Predetermination,
    /// The reversal of an earlier adjudication (CLP02 is 22).
    Reversal,
    /// A denial that the payer reversed.
    Reversed,
    /// A denial that a later adjudication of the same payer replaced.
    Replaced,
    /// A denial that another payer's payment covers.
    Settled,
    /// A denial by a second payer. The primary payer's denial is written.
    PrimaryDenied,
    /// The last claim of a transaction that breaks off.
    BrokenOff,
    /// A part of a split claim. Its amount is in the claim that is written or held.
    Split,
    /// The same transaction again.
    Repeated,
    /// Nothing is denied: the denial adjustments add up to nothing.
    NothingDenied,
    /// Adjustments that the claim and its lines both state.
    StatedTwice,
    /// What the adjustments say beyond the difference of charge and payment.
    OutOfBalance,
}

/// Why a denial is held.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "reason")]
pub enum Hold {
    /// No claim file has the patient's date of birth.
    NoDateOfBirth,
    /// Claim files give different dates of birth.
    DatesOfBirthDisagree,
    /// The payer got no claim number, and no single claim of the claim files fits.
    NoClaimNumber,
    /// The payer cut the claim number, and several claims of the claim files fit.
    SeveralClaimNumbers,
    /// Denials of different patients or days have this claim number.
    SharedNumber,
    /// A later answer of the payer that is no denial has this claim number, but another name or no day of service.
    LaterAnswer,
    /// One transaction answers the claim twice, with the same claim number of the payer or without one.
    AnsweredTwice,
    /// Answers with different claim numbers of the payer, and nothing says whether they are parts of the claim.
    PartsUnclear,
    /// The parts of the claim do not add up to its total charge.
    SplitSum,
    /// The answers have different member ids.
    MemberIdsDiffer,
    /// More was billed or denied than the total charge of the claim.
    AboveCharge,
    /// Transactions with one header, or of one time, answer the claim differently.
    Contradiction,
    /// A transaction that answers the claim breaks off.
    CutOff,
    /// CLP03 is empty.
    NoCharge,
    /// CLP04 is empty.
    NoPayment,
    /// The payer gives no claim number of its own.
    NoPayerClaimNumber,
    /// An amount of the claim cannot be read, or it has more parts or text than are kept.
    Amount,
    /// The service would not accept the claim.
    Invalid {
        /// The service's messages.
        problems: Vec<String>,
    },
}

impl Hold {
    /// The reason for people.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::NoDateOfBirth => "no date of birth".into(),
            Self::DatesOfBirthDisagree => "claim files give different dates of birth".into(),
            Self::NoClaimNumber => "the payer got no claim number, and no single claim fits".into(),
            Self::SeveralClaimNumbers => "the payer cut the claim number, and several claims fit".into(),
            Self::SharedNumber => "denials of different patients or days of service share this claim number".into(),
            Self::LaterAnswer => {
                "a later answer of the payer has this claim number, but another name or no day of service".into()
            }
            Self::AnsweredTwice => {
                "one transaction answers this claim twice, with the same claim number of the payer or without one"
                    .into()
            }
            Self::PartsUnclear => {
                "the payer answers this claim under different numbers, and nothing says whether these are parts of it"
                    .into()
            }
            Self::SplitSum => "the parts of this claim do not add up to its total charge".into(),
            Self::MemberIdsDiffer => "the answers to this claim have different member ids".into(),
            Self::AboveCharge => "the amount is above the total charge of the claim in the claim file".into(),
            Self::Contradiction => {
                "two transactions answer this claim differently, and nothing says which is later".into()
            }
            Self::CutOff => "a transaction that answers this claim breaks off before its end (SE)".into(),
            Self::NoCharge => "the answer has no charge (CLP03)".into(),
            Self::NoPayment => "the answer does not say what was paid (CLP04)".into(),
            Self::NoPayerClaimNumber => "the payer gives no claim number of its own".into(),
            Self::Amount => "an amount cannot be read".into(),
            Self::Invalid { problems } => problems.join("; "),
        }
    }
}

/// Something that looks wrong in a file and changes no claim.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Warning {
    /// SVC02 less SVC03 is not the sum of the line's adjustments.
    LineBalance,
    /// CLP03 less CLP04 is not the sum of the adjustments.
    ClaimBalance,
    /// BPR02 is not the sum of CLP04 less PLB.
    PaymentBalance,
    /// SE01 is not the number of segments.
    SegmentCount,
    /// The control numbers of a header and its trailer differ.
    ControlNumbers,
    /// A count of transactions or groups is wrong.
    EnvelopeCount,
    /// A transaction of another kind than 835 and 837.
    OtherTransaction,
    /// A segment outside of a transaction, or one that does not belong there.
    StraySegment,
    /// A reversal of an adjudication that no file has.
    UnmatchedReversal,
    /// An amount that cannot be read.
    Amount,
}

/// A number of claim payments and an amount.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Tally {
    /// Claim payments.
    pub count: u64,
    /// The sum of their adjustments.
    pub amount: Amount,
}

impl Tally {
    pub(crate) fn add(&mut self, count: u64, amount: Amount) {
        self.count = self.count.saturating_add(count);
        self.amount.add(amount);
    }
}

/// What became of the claim payments of a file. The amounts of all tallies add up to `adjustments` and `unexplained`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Counts {
    /// Claim payments in remittances. Each is counted once below.
    pub claim_payments: u64,
    /// Claims in claim files.
    pub submitted_claims: u64,
    /// The sum of all adjustments, without repeated transactions.
    pub adjustments: Amount,
    /// The charges of claims that were not paid and have no adjustments.
    pub unexplained: Amount,
    /// Denials that are written, with what was denied.
    pub written: Tally,
    /// Denials that are held, with what was denied.
    pub held: Tally,
    /// Each reason why something is not written.
    #[serde(serialize_with = "crate::json::skipped")]
    pub skipped: BTreeMap<Skip, Tally>,
    /// Claim payments whose adjustments are not the difference of charge and payment.
    pub out_of_balance: u64,
}

impl Counts {
    pub(crate) fn skip(&mut self, reason: Skip, count: u64, amount: Amount) {
        if count > 0 || amount != Amount::ZERO {
            self.skipped.entry(reason).or_default().add(count, amount);
        }
    }

    /// Adds the counts of another file.
    pub fn add(&mut self, other: &Self) {
        self.claim_payments = self.claim_payments.saturating_add(other.claim_payments);
        self.submitted_claims = self.submitted_claims.saturating_add(other.submitted_claims);
        self.adjustments.add(other.adjustments);
        self.unexplained.add(other.unexplained);
        self.written.add(other.written.count, other.written.amount);
        self.held.add(other.held.count, other.held.amount);
        for (reason, tally) in &other.skipped {
            self.skip(*reason, tally.count, tally.amount);
        }
        self.out_of_balance = self.out_of_balance.saturating_add(other.out_of_balance);
    }
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FileReport {
    /// The name that the host gave.
    pub name: String,
    /// Bytes read.
    pub bytes: u64,
    /// Transactions of remittances (835).
    pub remittances: u64,
    /// Transactions of claims (837).
    pub submissions: u64,
    /// What became of its claims.
    pub counts: Counts,
    /// Warnings, with how often each occurred and the number of the first segment, counted from 1.
    pub warnings: BTreeMap<Warning, (u64, u64)>,
    /// True if the file ends inside an interchange.
    pub cut_off: bool,
    /// Why the rest of the file was not read.
    pub error: Option<FileError>,
}

/// How much of a file was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FileState {
    /// To its end.
    Whole,
    /// To where it is cut off or damaged. What came before counts.
    Partial,
    /// Nothing, though it may have remittances or claims.
    Unreadable,
    /// It has neither remittances nor claims.
    Other,
}

impl FileReport {
    /// How much of the file was read.
    #[must_use]
    pub const fn state(&self) -> FileState {
        let has_any = self.remittances > 0 || self.submissions > 0;
        match self.error {
            Some(_) if has_any => FileState::Partial,
            Some(error) if error.is_foreign() => FileState::Other,
            Some(_) => FileState::Unreadable,
            None if self.cut_off => FileState::Partial,
            None if has_any => FileState::Whole,
            None => FileState::Other,
        }
    }

    pub(crate) fn warn(&mut self, warning: Warning, segment: u64) {
        let (count, _) = self.warnings.entry(warning).or_insert((0, segment));
        *count = count.saturating_add(1);
    }
}
