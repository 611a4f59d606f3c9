//! Changes of claims as billing systems send them.

use crate::plan::claims::fills::Fills;
use crate::plan::claims::mismatches::{Alarm, Mismatches};
use crate::plan::claims::writes::{Corrections, NewClaims};

/// One change of claims as billing systems send them.
#[derive(Clone, Debug)]
pub enum ClaimsWrite<'a> {
    /// New claims with their submission. A number that was taken in between keeps its claim, and the submission is
    /// written only if at least one number was still free.
    New(NewClaims<'a>),
    /// Resends that do not match the claim of their number.
    Mismatches(Mismatches),
    /// The notice to the owners, if the mismatches of this batch reach a limit.
    Alarm(Alarm),
    /// The fill-ins of existing claims, before their corrections.
    Fills(Fills<'a>),
    /// Corrected amounts and payer claim numbers of existing claims. A value that does not change gets no event.
    Corrections(Corrections<'a>),
}
