//! A developer of a billing system, who tries the practice's sandbox: its clock, its scripts, and keys that end.

use super::{Client, owner};
use crate::check::answers::{Asker, MARK, OF_SANDBOX};
use crate::clock::SECOND;
use crate::model::{KeyLife, SCRIPTS, Sandbox};
use crate::network::{Reply, Request};
use crate::states;
use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;
use overturn_tests::sandbox::{CLOCK, SANDBOX};
use serde_json::{Value, json};

/// How often a call is repeated.
const ATTEMPTS: u64 = 6;
/// How far the clock is advanced at once, with the milliseconds. All together stays within the life of a key.
const STEPS: [(&str, i64); 5] =
    [("PT1S", 1_000), ("P1D", 86_400_000), ("P2D", 172_800_000), ("P1WT1H", 608_400_000), ("P31D", 2_678_400_000)];

/// A sandbox at work.
struct Trying<'c> {
    client: &'c Client,
    /// Its place in the model.
    sandbox: usize,
    /// The place in the model of the key in use.
    key: usize,
}

/// Tries for a while.
pub(super) async fn try_out(client: &Client) {
    let world = &client.world;
    let Some(mut trying) = Trying::begin(client).await else {
        return;
    };
    for _ in 0..world.plan.steps {
        client.pause().await;
        if !world.is_day() {
            return;
        }
        trying.send().await;
        if client.dice.chance(7_000) {
            trying.advance().await;
        }
        let claims = trying.model(|sandbox| sandbox.trials.len());
        for _ in 0..claims.min(3) {
            trying.read(usize::try_from(client.dice.below(claims as u64)).unwrap_or(0)).await;
        }
        let goes_on = match client.dice.below(10) {
            0 | 1 => trying.rotate().await,
            2 => trying.empty().await,
            _ => Some(()),
        };
        if goes_on.is_none() {
            return;
        }
    }
}

/// Looks once more: nothing that is due is left, and each claim is as far as its script says.
pub(super) async fn look(client: &Client) {
    let world = &client.world;
    if world.model.borrow().left.contains(&client.practice) {
        return;
    }
    let sandbox = world.model.borrow().sandboxes.iter().position(|of| of.practice == client.practice);
    let keys = &world.model.borrow().access.sandbox_keys.clone();
    let works = |key: &KeyLife| key.practice == client.practice && key.revoking.is_none() && !key.text.is_empty();
    let (Some(sandbox), Some(key)) = (sandbox, keys.iter().rposition(works)) else {
        return;
    };
    let trying = Trying { client, sandbox, key };
    match trying.model(|sandbox| sandbox.emptying) {
        Some(true) if trying.emptied().await.is_none() => return world.wrong("a sandbox is not emptied".to_owned()),
        Some(_) => {}
        // No answer says whether it is being emptied.
        None => return,
    }
    // A step may just be due.
    let mut looks = 0;
    while trying.clock().await.is_none_or(|(_, waiting)| waiting > 0) {
        looks += 1;
        if looks > 3 {
            return world.wrong("a sandbox does not take what is due".to_owned());
        }
        world.scheduler.sleep(70 * SECOND).await;
    }
    for place in 0..trying.model(|sandbox| sandbox.trials.len()) {
        trying.read(place).await;
        // The limit of a minute holds for this look as well.
        world.scheduler.sleep(3 * SECOND).await;
    }
}

impl<'c> Trying<'c> {
    /// Makes a sandbox with a key.
    async fn begin(client: &'c Client) -> Option<Self> {
        let world = &client.world;
        let request = Request::post(SANDBOX, &json!({}));
        let (_, reply) = client.insist(client.owner(), request).await?.reply?;
        let id = reply.json["id"].as_str()?.to_owned();
        let made = Sandbox::new(client.practice, id, world.plan.skew_ms);
        let sandbox = {
            let sandboxes = &mut world.model.borrow_mut().sandboxes;
            sandboxes.push(made);
            sandboxes.len() - 1
        };
        let mut trying = Self { client, sandbox, key: 0 };
        trying.key = trying.new_key().await?;
        Some(trying)
    }

    /// Asks the model.
    fn model<T>(&self, ask: impl FnOnce(&mut Sandbox) -> T) -> T {
        ask(&mut self.client.world.model.borrow_mut().sandboxes[self.sandbox])
    }

    /// Notes what is wrong.
    fn check(&self, ask: impl FnOnce(&mut Sandbox) -> Option<String>) {
        let problem = self.model(ask);
        problem.into_iter().for_each(|problem| self.client.world.wrong(problem));
    }

    /// Makes a key. Returns its place in the model, unless the answer with its text was lost.
    async fn new_key(&self) -> Option<usize> {
        let made = owner::make_key(self.client, &format!("{SANDBOX}/keys")).await?;
        let is_known = !made.text.is_empty();
        let keys = &mut self.client.world.model.borrow_mut().access.sandbox_keys;
        keys.push(made);
        is_known.then(|| keys.len() - 1)
    }

    /// One call with a key, and when it began and ended.
    async fn once(&self, key: usize, request: &Request) -> Option<((Instant, Instant), Reply)> {
        let world = &self.client.world;
        let text = world.model.borrow().access.sandbox_keys[key].text.clone();
        let request = Request { reach: world.reach(self.client.practice), ..request.clone() };
        let request = request.with("authorization", format!("Bearer {text}"));
        let began = world.now();
        let (_, reply) = self.client.call(request, Asker::Sandbox(key)).await.reply?;
        Some(((began, world.now()), reply))
    }

    /// The same until it is answered by more than "later".
    async fn insist(&self, request: &Request) -> Option<((Instant, Instant), Reply)> {
        for attempt in 0..ATTEMPTS {
            match self.once(self.key, request).await {
                Some((during, reply)) if !matches!(reply.status, 400 | 408 | 429 | 500..) => {
                    return Some((during, reply));
                }
                _ => self.client.world.pause(&self.client.dice, 1 << attempt).await,
            }
        }
        None
    }

    /// Sends a claim, and sometimes the same again.
    async fn send(&self) {
        let (world, dice) = (&self.client.world, &self.client.dice);
        let script = usize::try_from(dice.below(SCRIPTS.len() as u64)).unwrap_or(0);
        let number = format!("{}-{}", SCRIPTS[script].0, self.client.uuid());
        let mark = |what: &str| format!("{MARK}{OF_SANDBOX}{what}");
        let body = json!({
            "patient": { "first_name": mark("First"), "last_name": mark("Last"), "date_of_birth": "1980-02-29" },
            "claim": {
                "claim_number": number, "payer_claim_number": "ICN-1", "payer_name": "Acme Health",
                "date_of_service": "2025-01-02", "procedure_code": "99213", "billed_amount": "120.00",
                "denied_amount": "84.00", "denial_codes": ["CO-45", "N1"],
            },
        });
        let place = self.model(|sandbox| sandbox.sends(number, script, world.now()));
        for _ in 0..dice.between(1, 2) {
            let Some(((_, ended), reply)) = self.insist(&Request::post("/api/v1/claims", &body)).await else {
                return;
            };
            let result = &reply.json["claims"][0];
            match (reply.status, &result["created"], result["id"].as_str()) {
                (200 | 201, Value::Bool(created), Some(id)) => {
                    self.check(|sandbox| sandbox.sent(place, ended, (*created, id)));
                    self.told(id);
                }
                _ => return world.wrong(format!("a send to a sandbox is answered {}: {}", reply.status, reply.text)),
            }
        }
    }

    /// An id is one of the sandbox alone.
    fn told(&self, id: &str) {
        let world = &self.client.world;
        let other = world.model.borrow_mut().told(id, OF_SANDBOX + self.client.practice);
        other.into_iter().for_each(|other| world.wrong(format!("a sandbox has a claim of practice {other}")));
    }

    /// Reads the status of a claim.
    async fn read(&self, place: usize) {
        let number = self.model(|sandbox| sandbox.trials[place].number.clone());
        let request = Request::get(format!("/api/v1/claims/status?claim_number={number}"));
        let Some(((_, ended), reply)) = self.insist(&request).await else {
            return;
        };
        let claim = &reply.json["claim"];
        match (reply.status, claim["id"].as_str(), claim["status"].as_str()) {
            (200, Some(id), Some(status)) => {
                self.check(|sandbox| sandbox.told(place, ended, (id, status)));
                self.told(id);
                if status != "received" {
                    self.client.world.trace.sometimes(states::SCRIPTED);
                }
            }
            (404, ..) if self.model(|sandbox| sandbox.trials[place].id.is_none()) => {}
            _ => self.client.world.wrong(format!("{number} of a sandbox is answered {}: {}", reply.status, reply.text)),
        }
    }

    /// What the clock says, and how many steps are due.
    async fn clock(&self) -> Option<(i64, u64)> {
        let (during, reply) = self.insist(&Request::get(CLOCK)).await?;
        self.says(during, &reply)
    }

    fn says(&self, during: (Instant, Instant), reply: &Reply) -> Option<(i64, u64)> {
        let clock = &reply.json["clock"];
        let says = clock["now"].as_str().and_then(Time::parse).map(|time| time.0.0);
        let Some((says, waiting)) = says.zip(clock["waiting"].as_u64()) else {
            self.client.world.wrong(format!("a clock is answered {}: {}", reply.status, reply.text));
            return None;
        };
        self.check(|sandbox| sandbox.said(during, says, waiting));
        Some((says, waiting))
    }

    /// Advances the clock, and repeats that until it is answered. From where it counts is said each time, so it counts once.
    async fn advance(&self) {
        let (world, dice) = (&self.client.world, &self.client.dice);
        let Some((from, _)) = self.clock().await else {
            return;
        };
        let (by, ms) = *dice.pick(&STEPS);
        let to = from + ms;
        let body = json!({ "advance": by, "from": Time(Instant(from)) });
        for attempt in 0..ATTEMPTS {
            self.model(|sandbox| sandbox.advancing(world.now(), to));
            let answered = self.once(self.key, &Request::post(CLOCK, &body)).await;
            // To an isolate whose clock is behind, the clock of the sandbox has not said that time.
            let is_told = |status| matches!(status, 200 | 400 | 408 | 409 | 422 | 429 | 500..);
            if let Some((_, reply)) = answered.as_ref().filter(|(_, reply)| !is_told(reply.status)) {
                return world.wrong(format!("an advance of a clock is answered {}: {}", reply.status, reply.text));
            }
            let Some((during, reply)) = answered.filter(|(_, reply)| reply.status == 200) else {
                world.pause(dice, 1 << attempt).await;
                continue;
            };
            self.model(|sandbox| sandbox.advanced(during.1, to));
            if self.says(during, &reply).is_some_and(|(says, _)| says < to) {
                world.wrong(format!("a clock was advanced to {to}: {}", reply.text));
            }
            world.trace.sometimes(states::ADVANCED);
            if world.model.borrow().moves.is_open(self.client.practice) {
                world.trace.sometimes(states::ADVANCED_MOVING);
            }
            return;
        }
    }

    /// Makes another key, and revokes the first one. `None` without a key that works.
    async fn rotate(&mut self) -> Option<()> {
        let new = self.new_key().await?;
        let old = std::mem::replace(&mut self.key, new);
        owner::revoke(self.client, &format!("{SANDBOX}/keys"), |access| &mut access.sandbox_keys[old]).await;
        let _checked = self.once(old, &Request::get(CLOCK)).await;
        Some(())
    }

    /// Empties the sandbox, and waits for that. `None` if it does not end.
    async fn empty(&self) -> Option<()> {
        let (client, world) = (self.client, &self.client.world);
        let owner = client.owner();
        let request = Request::post(format!("{SANDBOX}/empty"), &json!({})).with("idempotency-key", client.uuid());
        self.model(|sandbox| sandbox.emptying = None);
        let asked = client.insist(owner, request).await?.reply?.1;
        if asked.status != 200 {
            world.wrong(format!("the emptying of a sandbox is answered {}: {}", asked.status, asked.text));
        }
        self.model(|sandbox| sandbox.emptying = Some(true));
        self.emptied().await
    }

    /// Waits until the sandbox is empty. `None` if that does not end.
    async fn emptied(&self) -> Option<()> {
        let (client, world) = (self.client, &self.client.world);
        let owner = client.owner();
        let before = self.model(|sandbox| sandbox.trials.first().map(|trial| trial.number.clone()));
        for _ in 0..ATTEMPTS {
            let (_, reply) = client.insist(owner, Request::get(SANDBOX)).await?.reply?;
            if reply.json["sandbox"]["emptying"] == false {
                self.model(Sandbox::emptied);
                world.trace.sometimes(states::EMPTIED);
                let gone = Request::get(format!("/api/v1/claims/status?claim_number={}", before?));
                if let Some((_, reply)) = self.insist(&gone).await.filter(|(_, reply)| reply.status != 404) {
                    world.wrong(format!("a claim of an emptied sandbox is answered {}", reply.status));
                }
                return Some(());
            }
            world.pause(&client.dice, 60).await;
        }
        None
    }
}
