//! The callers of a world.

mod archivist;
mod developer;
mod follower;
mod forgetful;
pub(crate) mod guest;
mod integration;
mod last;
mod later;
mod leaver;
mod mover;
mod newcomer;
pub(crate) mod operator;
pub(crate) mod owner;
mod patient;
mod reader;
mod sender;
mod staff;
mod stranger;
mod visitor;

pub(crate) use last::{look_at_the_end, remove_each_other};

use crate::check::answers::{self, Asker};
use crate::dice::Dice;
use crate::network::{Reply, Request};
use crate::scheduler::Group;
use crate::setup::Person;
use crate::states;
use crate::world::World;
use std::rc::Rc;

/// A client of a practice.
pub(crate) struct Client {
    pub(crate) world: Rc<World>,
    pub(crate) practice: usize,
    pub(crate) dice: Dice,
    /// True if it is the second owner.
    is_partner: bool,
}

/// An answer with the moments between which it was given.
pub(crate) struct Answered {
    pub(crate) began: u64,
    /// `None` if it did not come.
    pub(crate) reply: Option<(u64, Reply)>,
}

/// Begins all clients of a plan.
pub(crate) fn begin(world: &Rc<World>) {
    let plan = &world.plan;
    for practice in 0..plan.practices {
        for n in 0..plan.senders {
            begin_one(world, practice, &format!("sender {n}"), |client| async move { sender::send(&client, n).await });
        }
        if plan.readers {
            begin_one(world, practice, "reader", |client| async move { reader::read(&client).await });
        }
        if plan.followers {
            begin_one(world, practice, "follower", |client| async move { follower::follow(&client).await });
        }
        if plan.rotates || plan.ends_agreement || plan.webhooks || plan.sessions {
            begin_one(world, practice, "owner", |client| async move { owner::manage(&client).await });
        }
        if plan.rotates {
            let name = "partner";
            begin_one(world, practice, name, |client| async move { owner::help(&client.into_partner()).await });
        }
        if plan.documents {
            begin_one(world, practice, "archivist", |client| async move { archivist::keep(&client).await });
        }
        if plan.staff || plan.appeals || plan.signing {
            for n in 0..2 {
                let name = format!("staff {n}");
                begin_one(world, practice, &name, |client| async move { staff::work(&client, practice + n).await });
            }
        }
        if plan.signing {
            begin_one(world, practice, "patient", |client| async move { patient::sign(&client).await });
        }
        if plan.tokens {
            begin_one(world, practice, "integration", |client| async move { integration::integrate(&client).await });
        }
        if plan.sessions {
            begin_one(world, practice, "guest", |client| async move { guest::come_and_go(&client).await });
        }
    }
    for practice in (0..plan.practices).filter(|_| plan.cells > 1 && plan.strangers) {
        begin_one(world, practice, "stranger", |client| async move { stranger::try_all(&client).await });
    }
    for practice in (0..plan.practices).filter(|_| plan.forgets) {
        begin_one(world, practice, "forgetful", |client| async move { forgetful::forget(&client).await });
    }
    for practice in (0..plan.practices).filter(|_| plan.has_guesses()) {
        begin_one(world, practice, "guesser", |client| async move { guest::guess(&client).await });
    }
    for practice in (0..plan.practices).filter(|practice| plan.tries && plan.leaving() != Some(*practice)) {
        begin_one(world, practice, "developer", |client| async move { developer::try_out(&client).await });
    }
    if plan.joins {
        begin_one(world, 0, "newcomer", |client| async move { newcomer::join(&client).await });
    }
    if plan.visits {
        begin_one(world, plan.practices, "visitor", |client| async move { visitor::visit(&client).await });
    }
    if plan.visits && plan.removes_staff {
        begin_one(world, plan.practices, "remover", |client| async move { operator::remove_visitor(&client).await });
    }
    if let Some(practice) = plan.leaving() {
        begin_one(world, practice, "leaver", |client| async move { leaver::leave(&client).await });
    }
    if plan.moving > 0 {
        begin_one(world, 0, "mover", |client| async move { mover::move_around(&client).await });
    }
    if plan.replaces_key {
        begin_one(world, 0, "operator", |client| async move { operator::replace_key(&client).await });
    }
}

/// Begins those who act once weeks have passed.
pub(crate) fn begin_after_weeks(world: &Rc<World>) {
    for practice in 0..world.plan.practices {
        if world.plan.staff || world.plan.appeals {
            begin_one(world, practice, "later staff", |client| async move { staff::work(&client, practice).await });
        }
        begin_one(world, practice, "later", |client| async move { later::look(&client).await });
    }
    begin_one(world, 0, "later look of staff", |client| async move { visitor::look(&client).await });
}

/// Begins a client, which the world waits for.
fn begin_one<F: Future<Output = ()> + 'static>(
    world: &Rc<World>,
    practice: usize,
    name: &str,
    act: impl FnOnce(Client) -> F,
) {
    let dice = Dice::new(world.seed, &format!("{name} of {practice}"));
    let client = Client { world: Rc::clone(world), practice, dice, is_partner: false };
    world.clients.set(world.clients.get() + 1);
    let (acting, of) = (act(client), Rc::clone(world));
    world.scheduler.spawn(Group::World, async move {
        acting.await;
        of.clients.set(of.clients.get() - 1);
    });
}

impl Client {
    /// The owner who acts.
    fn owner(&self) -> &Person {
        let practice = &self.world.practices[self.practice];
        if self.is_partner { &practice.partner } else { &practice.owner }
    }

    /// The same client as the second owner.
    fn into_partner(self) -> Self {
        Self { is_partner: true, ..self }
    }

    /// The same client at another practice.
    fn beside(&self, practice: usize) -> Self {
        Self { world: Rc::clone(&self.world), practice, dice: Dice::new(self.dice.next(), "beside"), is_partner: false }
    }

    /// A call with the key in use, and sometimes with an older one that somebody forgot to replace. Returns the key's place
    /// in the model.
    pub(crate) async fn call_with_key(&self, request: Request) -> (usize, Answered) {
        let key = match self.world.is_day() && self.dice.chance(1_500) {
            true => self.older_key(),
            false => self.world.practices[self.practice].key.get(),
        };
        let text = self.world.model.borrow().access.keys[key].text.clone();
        let request = Request { reach: self.world.reach(self.practice), ..request };
        let request = request.with("authorization", format!("Bearer {text}"));
        (key, self.call(request, Asker::Key(key)).await)
    }

    fn older_key(&self) -> usize {
        let model = self.world.model.borrow();
        let keys = model.access.keys.iter().enumerate();
        let own = keys.filter(|(_, key)| key.practice == self.practice && !key.text.is_empty());
        let own: Vec<_> = own.map(|(place, _)| place).collect();
        *self.dice.pick(&own)
    }

    /// A call of a person of the practice.
    pub(crate) async fn call_as(&self, person: &Person, request: Request) -> Answered {
        let request = Request { reach: self.world.reach(self.practice), ..request };
        let answered = self.call(signed_in(person, request), Asker::Person).await;
        let has_moved = self.world.cell(self.practice) != self.world.practices[self.practice].cell;
        if has_moved && answered.reply.as_ref().is_some_and(|(_, reply)| reply.status == 200) {
            self.world.trace.sometimes(states::LED);
        }
        answered
    }

    async fn call(&self, request: Request, asker: Asker) -> Answered {
        let began = self.world.moment();
        let reply = self.world.call(request).await;
        let ended = self.world.moment();
        if let Some(reply) = &reply {
            answers::of_practice(&self.world, self.practice, asker, (began, ended), reply);
        }
        Answered { began, reply: reply.map(|reply| (ended, reply)) }
    }

    /// Repeats a call of a person until it is answered by more than "later". `None` if that never comes.
    pub(crate) async fn insist(&self, person: &Person, request: Request) -> Option<Answered> {
        for attempt in 0..8_u64 {
            let answered = self.call_as(person, request.clone()).await;
            match &answered.reply {
                // A body that was cut off on its way is bad as well.
                Some((_, reply)) if !matches!(reply.status, 400 | 408 | 429 | 500..) => return Some(answered),
                _ => self.world.pause(&self.dice, 1 << attempt.min(4)).await,
            }
        }
        None
    }

    /// Waits for so many seconds at most.
    pub(crate) async fn pause(&self) {
        self.world.pause(&self.dice, self.world.plan.pause).await;
    }

    /// A fresh id, as a caller makes one.
    pub(crate) fn uuid(&self) -> String {
        uuid::Builder::from_random_bytes(self.dice.bytes()).into_uuid().to_string()
    }
}

/// A request with the session of a person.
pub(crate) fn signed_in(person: &Person, request: Request) -> Request {
    request.with("cookie", person.cookie.clone()).with("x-csrf-token", person.csrf.clone())
}
