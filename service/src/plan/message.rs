//! The messages of a change to the endpoints of its practice.

use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::{MessageId, PracticeId};
use overturn_core::base::instant::Instant;
pub use overturn_core::webhooks::message::{Data, MessageKind};

/// A message to a practice's endpoints that subscribe to its kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    pub practice_id: PracticeId,
    /// Its id, the same in every attempt and for every endpoint. Receivers recognize repetitions by it.
    pub id: MessageId,
    /// The event.
    pub data: Data,
}

impl Message {
    /// The nth message of a request.
    #[must_use]
    pub fn new(ctx: &Ctx, n: usize, practice_id: PracticeId, data: Data) -> Self {
        Self { practice_id, id: MessageId(ctx.id(Purpose::Message, n)), data }
    }

    #[must_use]
    pub const fn kind(&self) -> MessageKind {
        self.data.kind()
    }

    /// The body at an instant. It is stored as text, so that every attempt sends the same bytes.
    #[must_use]
    pub fn body(&self, at: Instant) -> String {
        self.data.body(at, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overturn_core::base::id::ReportId;
    use uuid::Uuid;

    #[test]
    fn the_messages_of_a_request_have_ids_of_their_own() {
        let ctx = Ctx::new(Instant(1_772_625_600_120), [1; 32]);
        let practice = PracticeId(Uuid::from_u128(1));
        let data = Data::Report { id: ReportId(Uuid::from_u128(7)), claims: 1 };
        let message = |n| Message::new(&ctx, n, practice, data.clone());
        assert_eq!(message(0), message(0));
        assert_ne!(message(0).id, message(1).id);
        assert_ne!(message(0).id.0, ctx.id(Purpose::Record, 0));
    }
}
