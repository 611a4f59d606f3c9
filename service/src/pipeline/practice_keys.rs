//! The data keys of a practice in a request.

use crate::call::Call;
use crate::error::AppError;
use crate::pipeline::tampered::{report, reported};
use crate::store::keyring::practice::{Fresh, PracticeKeys};
use overturn_core::base::id::PracticeId;
use overturn_core::base::open::{Open, Unopened};
use overturn_core::base::sealed::{KeyVersion, SealedPlace, StoredDataKey};
use std::rc::Rc;

/// The keys of a practice. They report values that do not open.
pub(crate) struct ReportingKeys<'c> {
    call: &'c Rc<Call>,
    keys: PracticeKeys<'c>,
}

impl Open for ReportingKeys<'_> {
    fn open(&self, place: SealedPlace, version: KeyVersion, sealed: &str) -> Result<Vec<u8>, Unopened> {
        self.keys.open(place, version, sealed).map_err(|why| match why {
            Unopened::Tampered(place) => self.tampered(place),
            Unopened::KeyUnavailable => why,
        })
    }

    fn tampered(&self, place: SealedPlace) -> Unopened {
        report(self.call, place);
        Unopened::Tampered(place)
    }
}

/// The keys that open the sealed values of a practice with this newest data key.
pub(crate) fn to_open<'c>(
    call: &'c Rc<Call>,
    practice: PracticeId,
    stored: Option<&StoredDataKey>,
) -> ReportingKeys<'c> {
    let keys = call.app.keys.of_practice(practice, stored);
    ReportingKeys { call, keys }
}

/// The keys for sealing values of a practice. If it has no data key, they have a new one, which the sealing batch
/// stores.
pub(crate) fn to_seal<'c>(
    call: &'c Rc<Call>,
    practice: PracticeId,
    stored: Option<&StoredDataKey>,
) -> Result<PracticeKeys<'c>, AppError> {
    nth_to_seal(call, 0, practice, stored)
}

/// [`to_seal`] for the nth practice of a request.
pub(crate) fn nth_to_seal<'c>(
    call: &'c Rc<Call>,
    n: usize,
    practice: PracticeId,
    stored: Option<&StoredDataKey>,
) -> Result<PracticeKeys<'c>, AppError> {
    let fresh = Fresh::new(&call.ctx, n, call.app.host.bytes()?, call.app.host.bytes()?);
    let keys = call.app.keys.of_practice(practice, stored);
    Ok(reported(call, keys.or_new(fresh))?)
}
