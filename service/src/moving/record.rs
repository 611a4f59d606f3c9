//! A move as the directory has it.

use crate::directory::RESERVED_MS;
use crate::prelude::*;
use overturn_core::base::cell::Cell;
use overturn_core::base::id::MoveId;

names! {
    /// How far a move is. Its name is stored and shown.
    Step {
        /// The rows are copied.
        Copy = "copy",
        /// The copy is compared with what it was made of.
        Check = "check",
        /// The rows that changed meanwhile are copied, until few are left; then writes wait, and the directory switches.
        Follow = "follow",
        /// The practice lives in the new cell, which is about to open.
        Switched = "switched",
        Done = "done",
        /// It was canceled, and the copy is deleted.
        Back = "back",
        Cancelled = "cancelled",
    }
}

/// How long nobody else carries a move on, unless its lease is extended, in milliseconds.
const LEASE_MS: i64 = 30_000;
/// The same between the switch and its end: calls wait.
const SWITCH_MS: i64 = 1_500;

/// A move.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Move {
    pub id: MoveId,
    pub practice: PracticeId,
    pub source: Cell,
    pub target: Cell,
    pub step: Step,
    #[serde(skip_serializing)]
    pub(super) position: String,
    pub written: i64,
    pub fences: i64,
    #[serde(skip_serializing)]
    pub(super) epoch: i64,
    pub began_at: Instant,
    pub switched_at: Option<Instant>,
    pub ended_at: Option<Instant>,
    pub emptied_at: Option<Instant>,
}

const MOVE: &str =
    "json_object('id', m.id, 'practice', m.practice, 'source', m.source, 'target', m.target, 'step', m.step,
       'position', m.position, 'written', m.written, 'fences', m.fences, 'epoch', m.epoch, 'began_at', m.began_at,
       'switched_at', m.switched_at, 'ended_at', m.ended_at, 'emptied_at', m.emptied_at)";

/// The open moves, and then the newest.
pub fn newest() -> Query<Vec<Move>> {
    select!(
        "moves.newest",
        "SELECT json_group_array({MOVE}) AS json FROM (SELECT * FROM moves ORDER BY ended_at IS NOT NULL, id DESC LIMIT 100) m"[MOVE]
    )
    .one()
}

/// The moves that switched and did not end, because somebody broke off.
pub(super) fn switched(now: Instant) -> Query<Vec<Move>> {
    select!(
        "moves.switched",
        "SELECT json_group_array({MOVE}) AS json FROM moves m
         WHERE m.step = 'switched' AND m.ended_at IS NULL AND m.lease_ends <= {now}" [MOVE];
        now
    )
    .one()
}

/// The moves with something to do: those that are open, and those whose old rows are kept long enough, unless the practice may be
/// on its way back to them.
pub(super) fn open(kept_until: Instant) -> Query<Vec<Move>> {
    select!(
        "moves.open",
        "SELECT json_group_array({MOVE}) AS json FROM (SELECT * FROM moves WHERE ended_at IS NULL
           OR step = 'done' AND emptied_at IS NULL AND ended_at <= {kept_until} AND NOT EXISTS (
             SELECT 1 FROM moves o WHERE o.practice = moves.practice AND o.ended_at IS NULL) ORDER BY id LIMIT 100) m" [MOVE];
        kept_until
    )
    .one()
}

/// The cell of a practice, in the directory.
#[must_use]
pub fn place_of(practice: PracticeId) -> Query<Option<Cell>> {
    select!("operations.place", "SELECT json_quote(cell) AS json FROM places WHERE practice_id = {practice}"; practice)
        .optional()
}

/// Begins a move, unless the practice lives elsewhere by now. A second one of the practice changes nothing.
pub(crate) fn begin(ctx: &Ctx, practice: PracticeId, [source, target]: [Cell; 2]) -> Write {
    let id = MoveId(ctx.id(Purpose::Record, 0));
    sql!(
        "INSERT INTO moves (id, practice, source, target, began_at)
         SELECT {id}, {practice}, {source}, {target}, {now}
         WHERE NOT EXISTS (SELECT 1 FROM moves WHERE practice = {practice} AND ended_at IS NULL)
           AND NOT EXISTS (SELECT 1 FROM places WHERE practice_id = {practice} AND cell <> {source})
         ON CONFLICT (id) DO NOTHING";
        id, practice, source = source.0, target = target.0, now = ctx.now
    )
}

/// Cancels an open move that has not switched.
pub(crate) fn cancel(practice: PracticeId) -> Write {
    sql!(
        "UPDATE moves SET step = 'back', position = '', lease_ends = 0
         WHERE practice = {practice} AND ended_at IS NULL AND step IN ('copy', 'check', 'follow')";
        practice
    )
}

/// Takes a move to carry it on, if nobody else does. Every taker has a higher number than the takers of any move before.
pub(super) fn take(id: MoveId, seen: i64, now: Instant) -> Write {
    sql!(
        "UPDATE moves SET lease_ends = iif(step = 'switched', {soon}, {until}), epoch = 1 + (SELECT max(n.epoch) FROM moves n)
         WHERE id = {id} AND epoch = {seen} AND lease_ends <= {now}";
        id, seen, now, soon = now.plus(SWITCH_MS), until = now.plus(LEASE_MS)
    )
}

/// The move as it is by now.
pub(super) fn one(id: MoveId) -> Query<Option<Move>> {
    select!("moves.one", "SELECT {MOVE} AS json FROM moves m WHERE m.id = {id}" [MOVE]; id).optional()
}

impl Move {
    /// Nobody else carries it on, and nobody canceled it.
    pub(super) fn held(&self) -> Guard {
        abort_if!(
            Record,
            "NOT EXISTS (SELECT 1 FROM moves WHERE id = {id} AND epoch = {epoch} AND step = {step})";
            id = self.id, epoch = self.epoch, step = self.step.name()
        )
    }

    /// Notes where it goes on, and keeps it.
    pub(super) fn keep(&self, now: Instant) -> Write {
        sql!(
            "UPDATE moves SET position = {position}, written = {written}, fences = {fences},
               lease_ends = iif(step = 'switched', {soon}, {until})
             WHERE id = {id} AND epoch = {epoch}";
            id = self.id, epoch = self.epoch, position = &self.position, written = self.written, fences = self.fences,
            soon = now.plus(SWITCH_MS), until = now.plus(LEASE_MS)
        )
    }

    /// Goes on to a step.
    pub(super) fn goes_to(&self, step: Step) -> Write {
        sql!(
            "UPDATE moves SET step = {step}, position = '' WHERE id = {id} AND epoch = {epoch}";
            id = self.id, epoch = self.epoch, step = step.name()
        )
    }

    /// The one decision: from here on the practice lives in the new cell.
    pub(super) fn switch(&self, now: Instant) -> Write {
        sql!(
            "UPDATE moves SET step = 'switched', position = '', written = {written}, fences = {fences}, switched_at = {now},
               lease_ends = {until} WHERE id = {id}";
            id = self.id, written = self.written, fences = self.fences, now, until = now.plus(SWITCH_MS)
        )
    }

    /// Nobody else of the old cell has just reserved one of the names: once the practice has left, nothing there refuses the batch.
    pub(super) fn undisputed(&self, names: &[(String, String, String)], now: Instant) -> Guard {
        abort_if!(
            Request,
            "EXISTS (SELECT 1 FROM json_each({names}) j CROSS JOIN addresses d ON d.email_key = j.value ->> 1
                 WHERE j.value ->> 0 = 'address' AND d.cell = {source} AND d.user_id <> j.value ->> 2
                   AND d.reserved_at > {since})
               OR EXISTS (SELECT 1 FROM json_each({names}) j CROSS JOIN logins d ON d.login = j.value ->> 1
                 WHERE j.value ->> 0 = 'login' AND d.cell = {source} AND d.user_id <> j.value ->> 2
                   AND d.reserved_at > {since})
               OR EXISTS (SELECT 1 FROM json_each({names}) j CROSS JOIN domains d ON d.domain = j.value ->> 1
                 WHERE j.value ->> 0 = 'domain' AND d.cell = {source} AND d.practice_id <> j.value ->> 2
                   AND d.reserved_at > {since})";
            names = Json(names), source = self.source.0, since = now.plus(-RESERVED_MS)
        )
    }

    /// The directory leads to the new cell, also by the names of the practice and its people. The holder that a row has may be
    /// somebody of the same cell who asked for the name later, and did not get it.
    pub(super) fn housed(&self, names: &[(String, String, String)]) -> [Write; 4] {
        let (source, target) = (self.source.0, self.target.0);
        [
            sql!(
                "INSERT INTO places (practice_id, cell) VALUES ({practice}, {target})
                 ON CONFLICT (practice_id) DO UPDATE SET cell = excluded.cell";
                practice = self.practice, target
            ),
            sql!(
                "UPDATE addresses SET cell = {target}, user_id = j.value ->> 2 FROM json_each({names}) j
                 WHERE addresses.email_key = j.value ->> 1 AND j.value ->> 0 = 'address' AND addresses.cell = {source}";
                source, target, names = Json(names)
            ),
            sql!(
                "UPDATE logins SET cell = {target}, user_id = j.value ->> 2 FROM json_each({names}) j
                 WHERE logins.login = j.value ->> 1 AND j.value ->> 0 = 'login' AND logins.cell = {source}";
                source, target, names = Json(names)
            ),
            sql!(
                "UPDATE domains SET cell = {target}, practice_id = j.value ->> 2 FROM json_each({names}) j
                 WHERE domains.domain = j.value ->> 1 AND j.value ->> 0 = 'domain' AND domains.cell = {source}";
                source, target, names = Json(names)
            ),
        ]
    }

    /// It is over.
    pub(super) fn end(&self, step: Step, now: Instant) -> Write {
        sql!(
            "UPDATE moves SET step = {step}, ended_at = {now}, lease_ends = 0 WHERE id = {id} AND ended_at IS NULL";
            id = self.id, step = step.name(), now
        )
    }

    /// What an earlier move left in the new cell is the practice's again.
    pub(super) fn returned(&self, now: Instant) -> Write {
        sql!(
            "UPDATE moves SET emptied_at = {now}
             WHERE practice = {practice} AND source = {target} AND step = 'done' AND emptied_at IS NULL";
            practice = self.practice, target = self.target.0, now
        )
    }

    /// The old rows are gone.
    pub(super) fn emptied(&self, now: Instant) -> Write {
        sql!(
            "UPDATE moves SET emptied_at = {now}, lease_ends = 0 WHERE id = {id} AND epoch = {epoch} AND emptied_at IS NULL";
            id = self.id, epoch = self.epoch, now
        )
    }

    /// Lets somebody else carry it on at once.
    pub(super) fn release(&self) -> Write {
        sql!("UPDATE moves SET lease_ends = 0 WHERE id = {id} AND epoch = {epoch}"; id = self.id, epoch = self.epoch)
    }
}
