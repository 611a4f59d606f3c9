//! Where a case stands: what has to be done next for it.

use crate::prelude::*;
use overturn_core::claims::appeal::level::Level;

names! {
    /// Where a case stands.
    CaseStanding {
        /// Its last level has still to be filed.
        ToFile = "to_file",
        /// Its last level was filed, and the payer has to decide.
        AwaitingDecision = "awaiting_decision",
        /// Its last level is decided, and claims in it have no result: they get one, or the next level begins.
        ResultsMissing = "results_missing",
        /// Every claim has its result, and the outcome of the filed level has still to be recorded.
        OutcomeMissing = "outcome_missing",
        /// Every claim has its result, and nothing is left to record.
        Over = "over",
    }
}

impl CaseStanding {
    /// Where a case with this last level stands. `in_appeal` says whether a claim is in appeal in it.
    pub fn of(last: Option<&Level>, in_appeal: bool) -> Self {
        let awaits = last.is_some_and(Level::awaits_decision);
        let waits = last.is_none_or(Level::waits);
        match (in_appeal, awaits) {
            (true, _) if waits => Self::ToFile,
            (true, true) => Self::AwaitingDecision,
            (true, false) => Self::ResultsMissing,
            (false, true) => Self::OutcomeMissing,
            (false, false) => Self::Over,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::levels::LevelRequest;
    use overturn_core::base::date::Date;
    use overturn_core::claims::appeal::level_names::{LevelKind, LevelOutcome};

    #[test]
    fn a_case_stands_where_its_last_level_and_its_claims_say() {
        use CaseStanding::{AwaitingDecision, OutcomeMissing, Over, ResultsMissing, ToFile};
        let new = LevelRequest { kind: LevelKind::Hearing, due_on: None };
        let day = Date::parse("2026-03-01");
        let begun = new.level(1);
        let filed = Level { filed_on: day, ..begun };
        let decided = Level { decided_on: day, outcome: Some(LevelOutcome::Upheld), ..filed };
        let withdrawn = Level { filed_on: None, ..decided };
        for (level, open, ended) in [
            (None, ToFile, Over),
            (Some(begun), ToFile, Over),
            (Some(filed), AwaitingDecision, OutcomeMissing),
            (Some(decided), ResultsMissing, Over),
            (Some(withdrawn), ResultsMissing, Over),
        ] {
            let at = |in_appeal| CaseStanding::of(level.as_ref(), in_appeal);
            assert_eq!((at(true), at(false)), (open, ended), "{level:?}");
        }
    }
}
