//! Changes of claims as billing systems send them.

use crate::base::date::Date;
use crate::base::id::PracticeId;
use crate::plan::claims::fills::Fills;
use crate::plan::claims::mismatches::{Alarm, Bound, Mismatches};
use crate::plan::claims::writes::{Corrections, NewClaims};

/// One change of claims as billing systems send them.
#[derive(Clone, Debug)]
pub enum ClaimsWrite<'a> {
    /// Claims whose numbers were free, with their submission. A number that was taken meanwhile keeps its claim, and
    /// the submission is written only if at least one number was still free.
    New(NewClaims<'a>),
    /// Resends that were not for the claim of their number.
    Mismatches(Mismatches),
    /// What tells the owners where the mismatches of this batch reach a bound.
    Alarm(Alarm),
    /// The owners of a practice are told that a bound was reached on a day.
    OwnersAlerted {
        /// The practice.
        practice: PracticeId,
        /// The day.
        day: Date,
        /// The bound.
        bound: Bound,
    },
    /// What resends fill in of claims that exist, before they are corrected.
    Fills(Fills<'a>),
    /// The mismatches of the days before this one are counted no longer.
    MismatchesForgotten(Date),
    /// Some of the claims without a change number get one.
    ChangesNumbered,
    /// Corrected amounts and payer claim numbers of claims that exist. What already is as it should be gets no event.
    Corrections(Corrections<'a>),
}
