//! Reports stored values that do not open although their key is here, because they were changed or moved. The log names
//! the place with ids and names from this program, and the practice's audit trail gets a row.

use crate::app::App;
use crate::call::Call;
use crate::db::Db;
use crate::pipeline::commit::{plan, record_in_background, run};
use crate::plan::audit::{Entry, Event};
use crate::plan::{Actor, Write};
use crate::request::error::RequestError;
use crate::store::error::DatabaseError;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::sealed::SealedPlace;
use serde_json::json;
use std::rc::Rc;

/// Logs the event.
fn log(place: SealedPlace) {
    let column = place.column();
    let said = json!({
        "event": "tampered",
        "table": column.table,
        "column": column.name,
        "owner_id": place.owner(),
        "claim_id": place.claim(),
        "record_id": place.record(),
    });
    log::error!("{said}");
}

/// Logs the event, and returns its audit row if the instance has not written one.
fn found(app: &App, ctx: &Ctx, place: SealedPlace) -> Option<Write> {
    log(place);
    let practice = place.trail()?;
    let row = app.tampered.row(place)?;
    let column = place.column();
    let said = json!({ "table": column.table, "column": column.name });
    let entry = Entry::new(ctx, row, Some(practice), Event::Tampered, place.record());
    Some(Write::Audit(entry.detail(said)))
}

/// Reports a finding of a request: in the log, and after the answer in the trail.
pub(crate) fn report(call: &Rc<Call>, place: SealedPlace) {
    if let Some(row) = found(&call.app, &call.ctx, place) {
        record_in_background(call, Actor::Service, vec![row]);
    }
}

/// Reports a finding outside a request.
///
/// # Errors
///
/// The audit row could not be written.
pub(crate) async fn report_outside(app: &App, db: &Db, place: SealedPlace) -> Result<(), DatabaseError> {
    let ctx = db.ctx()?;
    let Some(row) = found(app, &ctx, place) else {
        return Ok(());
    };
    let plan = plan(&ctx, Actor::Service, Vec::new(), vec![row]);
    run(db, app, &plan).await.map(drop)
}

/// Reports the result of opening a value if it was tampered with.
pub(crate) fn reported<T>(call: &Rc<Call>, opened: Result<T, impl Into<RequestError>>) -> Result<T, RequestError> {
    opened.map_err(Into::into).inspect_err(|denied| {
        if let RequestError::Tampered(place) = denied {
            report(call, *place);
        }
    })
}
