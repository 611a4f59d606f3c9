//! Fills the gaps of the directory once a day. While a second database comes, an instance that still knows only the first one
//! makes accounts without a word to the directory, and nobody would find them.

use crate::app::App;
use crate::jobs::{self, Jobs};
use crate::pipeline;
use crate::plan::Actor;
use crate::prelude::*;
use crate::store::error::DatabaseError;
use crate::store::own_cell;
use overturn_core::base::cell::Cell;
use overturn_core::base::date::Date;
use std::rc::Rc;

/// How long after the first time it is done once more, in milliseconds: by then, every instance knows all databases.
const AGAIN_MS: i64 = 600_000;

/// True if nothing is to do.
pub(super) fn rests(now: Instant) -> Query<bool> {
    jobs::rests("directory", Date::of(now), now)
}

/// It is done for the day, unless it was the first time. A second run of the same batch changes nothing.
pub(super) fn filled(now: Instant) -> Write {
    sql!(
        "INSERT INTO daily_jobs (name, day, again_at) VALUES ('directory', '', {again_at})
         ON CONFLICT (name) DO UPDATE SET day = {day}, again_at = NULL
         WHERE daily_jobs.again_at IS NULL OR daily_jobs.again_at <= {now}";
        now, again_at = now.plus(AGAIN_MS), day = Date::of(now)
    )
}

/// The job of each minute.
pub(crate) async fn sweep(app: &Rc<App>) {
    if app.host.cells.are_several() {
        let jobs = Jobs::new(Rc::clone(app), Cell::FIRST);
        fill(&jobs).await.unwrap_or_else(|fault| jobs.db.failed("directory_not_filled", fault));
    }
}

async fn fill(jobs: &Jobs) -> Result<(), DatabaseError> {
    let now = jobs.app.host.now();
    if jobs.db.read(&rests(now)).await? {
        return Ok(());
    }
    jobs.db.batch(&own_cell::fills()).await?;
    let plan = pipeline::plan(&jobs.db.ctx()?, Actor::Service, Vec::new(), vec![filled(now)]);
    pipeline::run(&jobs.db, &jobs.app, &plan).await.map(drop)
}
