//! Why a claim payment is not written, and why a denial is held. No text here names a patient.

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

impl Skip {
    /// The reason for people.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::PatientShare => "the patient's share",
            Self::Contractual => "contractual",
            Self::ContractualWhole => "CO-45 for the whole charge",
            Self::PriorPayer => "a prior payer's adjudication",
            Self::Duplicate => "duplicate",
            Self::Pending => "pending",
            Self::PaidElsewhere => "paid elsewhere",
            Self::Capitation => "capitation",
            Self::Unprocessable => "unprocessable (MA130): correct it and bill it again",
            Self::Forwarded => "forwarded to another payer",
            Self::Predetermination => "a predetermination",
            Self::Reversal => "a reversal",
            Self::Reversed => "reversed by the payer",
            Self::Replaced => "replaced by a later adjudication",
            Self::Settled => "settled by another payer",
            Self::PrimaryDenied => "the primary payer's denial is written",
            Self::BrokenOff => "not complete: the transaction breaks off",
            Self::Split => "part of a split claim",
            Self::Repeated => "the same transaction again",
            Self::NothingDenied => "nothing denied",
            Self::StatedTwice => "stated for the claim and its lines",
            Self::OutOfBalance => "beyond charge less payment",
        }
    }
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
