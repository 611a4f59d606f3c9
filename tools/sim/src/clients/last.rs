//! The last look at a world whose faults have ended: every number is read, and sent once more as it was sent first, and every
//! signing link that is over is tried. Then the lists of staff are read.

use super::{Client, archivist, begin_one, developer, mover, owner, patient, reader, sender, visitor};
use crate::clock::{MS, SECOND};
use crate::model::{Input, Output};
use crate::world::World;
use std::rc::Rc;

/// How many claims one send has.
const TOGETHER: usize = 50;

/// Reads and sends everything once more.
pub(crate) fn look_at_the_end(world: &Rc<World>) {
    for practice in 0..world.practices.len() {
        begin_one(world, practice, "last look", |client| async move { look(&client).await });
        begin_one(world, practice, "last look at a sandbox", |client| async move { developer::look(&client).await });
    }
    if world.plan.moving > 0 {
        begin_one(world, 0, "last look at moves", |client| async move { mover::look(&client).await });
    }
    if world.plan.ends_with_lists() {
        begin_one(world, 0, "last look of staff", |client| async move { visitor::look(&client).await });
    }
}

/// Has the owners of each practice remove each other, if they worked beside each other.
pub(crate) fn remove_each_other(world: &Rc<World>) {
    for practice in (0..world.practices.len()).filter(|_| world.plan.rotates && world.plan.recorded.is_none()) {
        begin_one(world, practice, "owners who part", |client| async move { owner::remove_each_other(&client).await });
    }
}

async fn look(client: &Client) {
    let scheduler = &client.world.scheduler;
    let numbers = client.world.model.borrow().numbers();
    let mut again = Vec::new();
    for (_, number) in numbers.into_iter().filter(|(practice, _)| *practice == client.practice) {
        if reader::once(client, &number).await.is_some()
            && let Some(identity) = first_identity(client, &number)
        {
            again.push(sender::Draft { number, identity, cents: 1_000, payer_number: 0, denied: None, parts: 16 });
        }
        // The limits of a minute hold for this look as well.
        scheduler.sleep(250 * MS).await;
    }
    let documents = client.world.model.borrow().documents.len();
    for document in 0..documents {
        let is_own = client.world.model.borrow().documents[document].practice == client.practice;
        if is_own {
            archivist::read(client, document).await;
        }
    }
    patient::try_ended(client).await;
    for drafts in again.chunks(TOGETHER) {
        scheduler.sleep(7 * SECOND).await;
        let _answered = sender::once(client, drafts).await;
    }
}

/// What the number stood for in the send that created it, if its answer came.
fn first_identity(client: &Client, number: &str) -> Option<crate::model::Identity> {
    let model = client.world.model.borrow();
    let mut ops = model.ops.iter().filter(|op| op.practice == client.practice && op.number == number);
    let created = ops.find(|op| matches!(op.output, Output::Created(_)))?;
    match created.input {
        Input::Send(identity) => Some(identity),
        Input::Read | Input::Move { .. } => None,
    }
}
