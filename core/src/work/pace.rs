//! The limit on patients that a staff member opens. Past it, the second factor is required again and an alert is left.

use crate::base::ctx::Ctx;
use crate::plan::WorkGuard;
use crate::plan::WorkWrite;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::work::records::Pace;
use crate::plan::{Guard, Write};
use serde_json::json;

/// The alert about a staff member who opened more patients than the limit. There is one alert until the second factor
/// is confirmed again.
#[must_use]
pub fn exceeded(pace: Pace, ctx: &Ctx) -> Change {
    let (user, session) = (pace.user_id, pace.session_id);
    let said = json!({ "limit": pace.limit, "seconds": pace.window_ms.div_euclid(1000) });
    let entry = Entry::new(ctx, 0, None, Event::PatientsExceeded, user).detail(said);
    Change::new(entry.session(Some(session)), Answer::empty())
        .guard(Guard::Work(WorkGuard::NotAlerted { user, session }))
        .write(Write::Work(WorkWrite::PatientsAlerted { user, session }))
}
