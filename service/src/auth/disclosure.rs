//! The one rule for patient data of a practice: it may be read or changed only while the practice is active and its
//! business associate agreement is in force.
//!
//! API keys, API tokens, members, staff, the signing page and webhook messages all use [`allowed`]. The store has the
//! same rule as a condition and as a guard (`readable!` in `service/src/store/fragments.rs`), so that an agreement that ends
//! during a request stops that request as well. The only exception is the return of all data to an owner, see
//! `service/src/settings/data_jobs.rs`.

use crate::request::error::RequestError;
use overturn_core::names;

/// Whether patient data of a practice may be read or changed.
///
/// # Errors
///
/// [`RequestError::PracticeInactive`], then [`RequestError::BaaRequired`].
pub fn allowed(state: PracticeState, agreement_in_force: bool) -> Result<(), RequestError> {
    if state != PracticeState::Active {
        return Err(RequestError::PracticeInactive);
    }
    if !agreement_in_force {
        return Err(RequestError::BaaRequired);
    }
    Ok(())
}

names! {
    /// The state of a practice, which decides whether it may use the claims interface.
    PracticeState {
        /// It may use it.
        Active = "active",
        /// It may not: its calls get `403`.
        Inactive = "inactive",
    }
}

impl PracticeState {
    /// The state of a stored name. Any other name is not active.
    #[must_use]
    pub fn stored(name: &str) -> Self {
        Self::parse(name).unwrap_or(Self::Inactive)
    }
}

names! {
    /// Whether a practice has signed the agreement.
    AgreementState {
        /// An agreement is in force.
        InForce = "in_force",
        /// The practice never signed one.
        Missing = "missing",
        /// The last one ended.
        Ended = "ended",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_open_only_while_the_practice_is_active_and_its_agreement_in_force() {
        assert_eq!(allowed(PracticeState::Active, true), Ok(()));
        assert_eq!(allowed(PracticeState::Active, false), Err(RequestError::BaaRequired));
        for signed in [true, false] {
            let refused = allowed(PracticeState::Inactive, signed);
            assert_eq!(refused, Err(RequestError::PracticeInactive));
        }
    }

    #[test]
    fn only_the_name_of_the_active_state_is_active() {
        assert_eq!(PracticeState::stored(PracticeState::Active.name()), PracticeState::Active);
        for name in [PracticeState::Inactive.name(), "", "Active", "suspended"] {
            assert_eq!(PracticeState::stored(name), PracticeState::Inactive, "{name}");
        }
    }
}
