//! The terms for levels of an appeal and their outcomes.

use crate::base::names::names;
use crate::plan::claims::claim::PlanType;

names! {
    /// The kinds of level. Their order depends on the plan type: Medicare has redetermination, reconsideration,
    /// hearing, council review and judicial review; TRICARE has reconsideration, formal review and hearing; a
    /// commercial plan has internal appeals and an external review.
    LevelKind {
        /// The payer, or a contractor independent of it, reviews the claim again.
        Reconsideration = "reconsideration",
        /// The contractor that denied the claim reviews it again.
        Redetermination = "redetermination",
        /// The appeal within a health plan.
        InternalAppeal = "internal_appeal",
        /// The review after TRICARE's reconsideration.
        FormalReview = "formal_review",
        /// The second or independent bill review of workers' compensation.
        BillReview = "bill_review",
        /// A reviewer independent of the plan reviews its decision.
        ExternalReview = "external_review",
        /// A hearing before a judge or an officer of the program.
        Hearing = "hearing",
        /// The Medicare Appeals Council reviews the hearing's decision.
        CouncilReview = "council_review",
        /// A court reviews it.
        JudicialReview = "judicial_review",
    }
}

impl LevelKind {
    /// True if appeals of this kind of plan have the step. Only the steps that one program alone has are bound to its
    /// plans: contracts and states give the others.
    #[must_use]
    pub const fn is_of(self, plan: PlanType) -> bool {
        match self {
            Self::Redetermination | Self::CouncilReview => matches!(
                plan,
                PlanType::Medicare | PlanType::MedicareAdvantage | PlanType::Other
            ),
            Self::FormalReview => matches!(plan, PlanType::Tricare | PlanType::Other),
            Self::BillReview => matches!(plan, PlanType::WorkersComp | PlanType::Other),
            Self::Reconsideration
            | Self::InternalAppeal
            | Self::ExternalReview
            | Self::Hearing
            | Self::JudicialReview => true,
        }
    }

    /// True if it can follow the other step. An appeal that left the payer can be sent back to a reviewer, but it does not
    /// begin again with the payer.
    #[must_use]
    pub const fn can_follow(self, before: Self) -> bool {
        let begins = matches!(self, Self::Redetermination | Self::InternalAppeal);
        let is_outside = matches!(
            before,
            Self::ExternalReview | Self::Hearing | Self::CouncilReview | Self::JudicialReview
        );
        !(begins && is_outside)
    }
}

names! {
    /// The outcome of a level.
    LevelOutcome {
        /// The denial was overturned.
        Overturned = "overturned",
        /// The denial was overturned in part.
        PartlyOverturned = "partly_overturned",
        /// The denial was upheld.
        Upheld = "upheld",
        /// It was dismissed without a decision, for example as too late.
        Dismissed = "dismissed",
        /// It was withdrawn.
        Withdrawn = "withdrawn",
    }
}
