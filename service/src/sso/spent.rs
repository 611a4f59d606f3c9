//! Proofs that are accepted once: states of sign-ins, assertions, and waiting identities.

use crate::accounts::passkeys::ceremony;
use crate::cookies::ceremony::SpentProof;
use crate::prelude::*;

/// The change with the proofs spent: none of them is accepted again.
pub(super) fn spend(mut change: Change, spent: &[SpentProof], now: Instant) -> Change {
    let (guards, writes) = spending(spent, now);
    change.guards.extend(guards);
    change.writes.extend(writes);
    change
}

/// The guards and writes that spend proofs. For an identity that waits, nothing else is written. No account is concerned
/// yet, so there is no audit row.
pub(super) fn spending(spent: &[SpentProof], now: Instant) -> (Vec<Guard>, Vec<Write>) {
    let guards = spent.iter().map(ceremony::unspent);
    let writes = spent.iter().flat_map(|spent| ceremony::spend(spent, now));
    (guards.collect(), writes.collect())
}
