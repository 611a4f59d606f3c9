//! The one rule for patient data of a practice: it may be read or changed only while the practice is active and its business
//! associate agreement is in force.
//!
//! API keys, API tokens, the practice's people, the staff, the page on which a patient signs, and messages to endpoints all ask
//! [`allowed`]. The store has the same rule as a condition and as a guard (`readable!` in `store/src/claims/sql.rs`), so that an
//! agreement that ends while a request is under way stops that request as well. The return of all data to an owner is the only
//! exception, see [`crate::settings::data_jobs`].

use crate::request::denied::Denied;

/// Whether patient data of a practice may be read or changed.
///
/// # Errors
///
/// [`Denied::PracticeInactive`], then [`Denied::BaaRequired`].
pub fn allowed(state: PracticeState, agreement_in_force: bool) -> Result<(), Denied> {
    if state != PracticeState::Active {
        return Err(Denied::PracticeInactive);
    }
    if !agreement_in_force {
        return Err(Denied::BaaRequired);
    }
    Ok(())
}

/// Whether a practice may use the claims interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PracticeState {
    /// It may.
    Active,
    /// It may not: its calls are answered with `403`.
    Inactive,
}

impl PracticeState {
    /// The state as it is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Inactive => "inactive",
        }
    }

    /// The state of a stored name. Any other name is not active.
    #[must_use]
    pub fn parse(name: &str) -> Self {
        if name == Self::Active.name() {
            Self::Active
        } else {
            Self::Inactive
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;

    #[test]
    fn data_is_open_only_while_the_practice_is_active_and_its_agreement_in_force() {
        assert_eq!(allowed(PracticeState::Active, true), Ok(()));
        assert_eq!(
            allowed(PracticeState::Active, false),
            Err(Denied::BaaRequired)
        );
        for signed in [true, false] {
            let refused = allowed(PracticeState::Inactive, signed);
            assert_eq!(refused, Err(Denied::PracticeInactive));
        }
    }
}
