//! What was stored and does not open although its key is at hand: somebody changed or moved it. The log says where, by ids and
//! names of the program's own, and the practice's audit trail has a row.

use crate::app::App;
use crate::call::Call;
use crate::db::Db;
use crate::error::Refusal;
use crate::pipeline::commit::{plan, record_in_background, run};
use crate::platform;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::PracticeId;
use overturn_core::base::sealed::{KeyVersion, Place, StoredDataKey};
use overturn_core::plan::audit::{Entry, Event};
use overturn_core::plan::{Actor, Write};
use overturn_core::request::denied::Denied;
use overturn_core::request::open::Open;
use overturn_store::fault::Fault;
use overturn_store::keyring::practice::{Fresh, PracticeKeys};
use serde_json::json;
use std::sync::Arc;

/// Writes the event into the log.
fn log(place: Place) {
    let column = place.column();
    let said = json!({
        "event": "tampered",
        "table": column.table,
        "column": column.name,
        "owner_id": place.owner(),
        "claim_id": place.claim(),
        "record_id": place.record(),
    });
    worker::console_error!("{said}");
}

/// Writes the event into the log, and hands out its row of the trail where the instance has not written one.
fn found(app: &App, ctx: &Ctx, place: Place) -> Option<Write<'static>> {
    log(place);
    let practice = place.trail()?;
    let row = app.tampered.row(place)?;
    let column = place.column();
    let said = json!({ "table": column.table, "column": column.name });
    let entry = Entry::new(ctx, row, Some(practice), Event::Tampered, place.record());
    Some(Write::Audit(entry.detail(said)))
}

/// Reports what was found in a request: in the log, and behind the answer in the trail.
pub(crate) fn report(call: &Arc<Call>, place: Place) {
    if let Some(row) = found(&call.app, &call.ctx, place) {
        record_in_background(call, Actor::Service, vec![row]);
    }
}

/// Reports what was found outside a request.
///
/// # Errors
///
/// Where the row of the trail cannot be written.
pub(crate) async fn report_outside(app: &App, db: &Db, place: Place) -> Result<(), Fault> {
    let ctx = platform::ctx()?;
    let Some(row) = found(app, &ctx, place) else {
        return Ok(());
    };
    let plan = plan(&ctx, Actor::Service, Vec::new(), vec![row]);
    run(db, app, &plan).await.map(drop)
}

/// What came of opening something, reported where it was tampered with.
pub(crate) fn noted<T>(call: &Arc<Call>, opened: Result<T, Denied>) -> Result<T, Denied> {
    opened.inspect_err(|denied| {
        if let Denied::Tampered(place) = denied {
            report(call, *place);
        }
    })
}

/// The keys of a practice, which report what does not open.
pub(crate) struct ReportingKeys<'c> {
    call: &'c Arc<Call>,
    keys: PracticeKeys<'c>,
}

impl Open for ReportingKeys<'_> {
    fn open(&self, place: Place, version: KeyVersion, sealed: &str) -> Result<Vec<u8>, Denied> {
        noted(self.call, self.keys.open(place, version, sealed))
    }

    fn tampered(&self, place: Place) -> Denied {
        report(self.call, place);
        Denied::Tampered(place)
    }
}

/// The keys that open what is sealed of a practice, whose newest data key is stored like this.
pub(crate) fn keys<'c>(
    call: &'c Arc<Call>,
    practice: PracticeId,
    stored: Option<&StoredDataKey>,
) -> ReportingKeys<'c> {
    let keys = call.app.keys.of_practice(practice, stored);
    ReportingKeys { call, keys }
}

/// The keys to seal something of a practice under. Where it has no data key, they hold a new one, which the batch that seals
/// under it stores.
pub(crate) fn keys_to_seal<'c>(
    call: &'c Arc<Call>,
    practice: PracticeId,
    stored: Option<&StoredDataKey>,
) -> Result<PracticeKeys<'c>, Refusal> {
    let fresh = Fresh::new(&call.ctx, 0, platform::bytes()?, platform::bytes()?);
    let keys = call.app.keys.of_practice(practice, stored);
    Ok(noted(call, keys.or_new(fresh))?)
}
