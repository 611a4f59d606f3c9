//! The terms of the field for what an appeal goes through, and for how it ends.

use crate::base::names::names;

names! {
    /// The kinds of level. Which come in which order, the plan type says: Medicare has redetermination, reconsideration, hearing,
    /// council review and judicial review, TRICARE reconsideration, formal review and hearing, a commercial plan internal
    /// appeals and an external review.
    LevelKind {
        /// The payer, or a contractor independent of it, looks again.
        Reconsideration = "reconsideration",
        /// The contractor that denied looks again.
        Redetermination = "redetermination",
        /// The appeal within a health plan.
        InternalAppeal = "internal_appeal",
        /// The review behind TRICARE's reconsideration.
        FormalReview = "formal_review",
        /// The second or independent bill review of workers' compensation.
        BillReview = "bill_review",
        /// Somebody independent of the plan reviews its decision.
        ExternalReview = "external_review",
        /// A hearing before a judge or an officer of the programme.
        Hearing = "hearing",
        /// The Medicare Appeals Council reviews the hearing's decision.
        CouncilReview = "council_review",
        /// A court reviews it.
        JudicialReview = "judicial_review",
    }
}

names! {
    /// What came of a level.
    LevelOutcome {
        /// The denial does not stand.
        Overturned = "overturned",
        /// The denial stands in part.
        PartlyOverturned = "partly_overturned",
        /// The denial stands.
        Upheld = "upheld",
        /// It was not heard, such as for being late.
        Dismissed = "dismissed",
        /// It was taken back.
        Withdrawn = "withdrawn",
    }
}
