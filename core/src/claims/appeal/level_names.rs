//! The terms for levels of an appeal and their outcomes.

use crate::base::names::names;
use crate::claims::claim::PlanType;

names! {
    /// The kinds of level. Their order depends on the plan type: Medicare has redetermination, reconsideration,
    /// hearing, council review and judicial review; TRICARE has reconsideration, formal review and hearing; a
    /// commercial plan has internal appeals and an external review. Redetermination and council review are only for
    /// Medicare and Medicare Advantage, formal review for TRICARE, and bill review for workers' compensation. A claim with
    /// another plan type refuses them with `422`; an unknown one, or `other`, does not. After an external review, a
    /// hearing, a council review or a judicial review, no redetermination or internal appeal can follow.
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
            Self::Redetermination | Self::CouncilReview => {
                matches!(plan, PlanType::Medicare | PlanType::MedicareAdvantage | PlanType::Other)
            }
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
        let is_outside =
            matches!(before, Self::ExternalReview | Self::Hearing | Self::CouncilReview | Self::JudicialReview);
        !(begins && is_outside)
    }
}

names! {
    /// The source of a rule that says by when a level must be decided.
    // `plan::work::payer_clock` has the rules.
    DecisionSource {
        /// Claims after the service. A plan with two appeals has half of the time for each.
        ErisaAppeal = "29 CFR 2560.503-1(i)(2)(iii)(A)",
        /// The reviewers of states and of plans that are under no state's law have the same time.
        ErisaExternal = "29 CFR 2590.715-2719(c)(2)(xii), (d)(2)(iii)(B)(6)",
        /// The time of ERISA's plans.
        AcaAppeal = "45 CFR 147.136(b)(3)(i), 29 CFR 2560.503-1(i)(2)(iii)(A)",
        /// The least that a state must ask of a reviewer.
        AcaExternal = "45 CFR 147.136(c)(2)(xii)",
        /// The contractor.
        MedicareRedetermination = "42 CFR 405.950(a)",
        /// The qualified independent contractor.
        MedicareReconsideration = "42 CFR 405.970(a)",
        /// The administrative law judge.
        MedicareHearing = "42 CFR 405.1016(a)",
        /// The Medicare Appeals Council.
        MedicareCouncil = "42 CFR 405.1100(c)",
        /// Requests for payment.
        AdvantageReconsideration = "42 CFR 422.590(b)",
        /// The plan's own appeal.
        ManagedAppeal = "42 CFR 438.408(b)(2)",
        /// The state's fair hearing.
        ManagedHearing = "42 CFR 431.244(f)(1)",
        /// 15 days to acknowledge it, and 30 more to decide it without professional peer review.
        MediCalGrievance = "22 CCR 51015(b), (c)(1)",
        /// The contractor.
        TricareReconsideration = "32 CFR 199.10(b)",
        /// The Defense Health Agency.
        TricareFormalReview = "32 CFR 199.10(c)",
    }
}

names! {
    LevelOutcome {
        /// The denial was overturned.
        Overturned = "overturned",
        /// The denial was overturned in part.
        PartlyOverturned = "partly_overturned",
        /// The denial was upheld.
        Upheld = "upheld",
        /// It was dismissed without a decision, for example as too late.
        Dismissed = "dismissed",
        Withdrawn = "withdrawn",
    }
}
