//! Letters to the owners of a practice about its agreement, its data and its keys. They are rows of the batch that makes the change, and the
//! clock sends them, so that no letter is lost with an answer and the command line can have one sent as well.

use crate::base::ctx::{Ctx, Purpose};
use crate::base::id::{NoticeId, PracticeId};
use crate::base::instant::Instant;
use crate::base::names::names;

names! {
    /// What a letter is about.
    NoticeKind {
        /// The agreement has ended.
        AgreementEnded = "agreement_ended",
        /// Somebody takes all data of the practice with them.
        ReturnRequested = "return_requested",
        /// The data will be destroyed.
        DestructionRequested = "destruction_requested",
        /// It will not.
        DestructionCancelled = "destruction_cancelled",
        /// It was.
        DataDestroyed = "data_destroyed",
        /// Too many resends of a day were for another patient or claim.
        ResendsStopped = "resends_stopped",
    }
}

/// A letter to every owner of a practice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Notice {
    /// The practice.
    pub practice_id: PracticeId,
    /// Its id.
    pub id: NoticeId,
    /// What it is about.
    pub kind: NoticeKind,
    /// When what was requested begins.
    pub due_at: Option<Instant>,
}

/// The clock takes a letter to send it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoticeLease {
    /// The practice.
    pub practice_id: PracticeId,
    /// The letter.
    pub id: NoticeId,
    /// Until this instant the letter is not sent again.
    pub until: Instant,
}

impl Notice {
    /// The one letter of a request.
    #[must_use]
    pub fn new(practice_id: PracticeId, kind: NoticeKind, ctx: &Ctx) -> Self {
        Self {
            practice_id,
            id: NoticeId(ctx.id(Purpose::Record, 7)),
            kind,
            due_at: None,
        }
    }

    /// The same about something that begins later.
    #[must_use]
    pub const fn due(self, at: Instant) -> Self {
        Self {
            due_at: Some(at),
            ..self
        }
    }
}
