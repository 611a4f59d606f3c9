//! Proofs that are accepted once: states of sign-ins, assertions, and waiting identities.

use crate::prelude::*;
use overturn_core::plan::accounts::SpentProof;
use overturn_core::plan::{AccountsGuard, AccountsWrite};

/// The change with the proofs spent: none of them is accepted again.
pub(super) fn spend(mut change: Change, spent: &[SpentProof]) -> Change {
    let (guards, writes) = spending(spent);
    change.guards.extend(guards);
    change.writes.extend(writes);
    change
}

/// The guards and writes that spend proofs. For an identity that waits, nothing else is written. No account is concerned
/// yet, so there is no audit row.
pub(super) fn spending(spent: &[SpentProof]) -> (Vec<Guard>, Vec<Write<'static>>) {
    let guards = spent.iter().map(|spent| Guard::Accounts(AccountsGuard::ProofUnspent(spent.hash.clone())));
    let writes = spent.iter().map(|spent| Write::Accounts(AccountsWrite::ProofSpent(spent.clone())));
    (guards.collect(), writes.collect())
}
