//! How a member of staff reads and changes claims, and what is recorded of each answer.

use crate::check::answers::{self, record};
use crate::clients::{Client, signed_in};
use crate::model::{Input, Made, Op, Output};
use crate::network::{Reply, Request};
use crate::setup::Person;
use crate::states;
use serde_json::{Value, json};

/// A claim as the queue showed it.
#[derive(Clone)]
pub(super) struct SeenClaim {
    pub(super) id: String,
    pub(super) number: String,
    pub(super) version: i64,
    pub(super) status: String,
    /// The case in which it is, or was last, appealed.
    pub(super) case: Option<String>,
}

impl SeenClaim {
    fn read(claim: &Value) -> Self {
        let text = |name: &str| claim[name].as_str().unwrap_or_default().to_owned();
        Self {
            id: text("id"),
            number: text("claim_number"),
            version: claim["version"].as_i64().unwrap_or_default(),
            status: text("status"),
            case: claim["case_id"].as_str().map(str::to_owned),
        }
    }

    /// The path of something below the claim.
    pub(super) fn at(&self, desk: &Desk<'_>, what: &str) -> String {
        desk.of_practice(&format!("claims/{}/{what}", self.id))
    }

    pub(super) fn tag(&self) -> String {
        format!("\"{}\"", self.version)
    }

    /// As a body names it.
    pub(super) fn named(&self) -> Value {
        json!({ "id": self.id, "version": self.version })
    }
}

/// A change that was asked for.
pub(super) struct Change {
    pub(super) began: u64,
    /// When the answer came that it is done.
    pub(super) ended: Option<u64>,
    /// True if an answer said that nothing was changed, and no call before it was left without one.
    is_refused: bool,
    /// The last answer.
    pub(super) reply: Option<Reply>,
}

impl Change {
    pub(super) const fn is_done(&self) -> bool {
        self.ended.is_some()
    }

    /// A field of the answer.
    pub(super) fn told(&self, name: &str) -> &Value {
        self.reply.as_ref().map_or(&Value::Null, |reply| &reply.json[name])
    }
}

/// A person at work for a practice.
pub(super) struct Desk<'c> {
    pub(super) client: &'c Client,
    pub(super) person: Person,
}

impl Desk<'_> {
    /// The path of something of the practice.
    pub(super) fn of_practice(&self, what: &str) -> String {
        format!("/api/v1/staff/practices/{}/{what}", self.client.world.practices[self.client.practice].id)
    }

    /// One call.
    pub(super) async fn call(&self, request: Request) -> Option<Reply> {
        let world = &self.client.world;
        let request = Request { reach: world.reach_with_directory(self.client.practice), ..request };
        let reply = world.call(signed_in(&self.person, request)).await?;
        answers::of_staff(world, self.client.practice, &reply);
        Some(reply)
    }

    /// The claims of the practice, the most urgent or the newest first.
    pub(super) async fn queue(&self) -> Option<Vec<SeenClaim>> {
        let world = &self.client.world;
        let practice = &world.practices[self.client.practice].id;
        let of = match (world.plan.appeals, self.client.dice.below(6)) {
            (false, _) => "",
            (true, 0) => "&status=reviewing",
            (true, 1) => "&status=received,in_report",
            (true, 2) => "&status=recovered,closed",
            (true, _) => "&status=in_appeal",
        };
        let target = format!("/api/v1/staff/claims?practice_id={practice}&limit=10{of}");
        let reply = self.call(Request::get(target)).await.filter(|reply| reply.status == 200)?;
        let claims = reply.json["claims"].as_array().cloned().unwrap_or_default();
        for claim in &claims {
            let seen = SeenClaim::read(claim);
            let date = claim["deadline"]["date"].as_str().map(str::to_owned);
            let wrong = world.model.borrow_mut().work.due((seen.id, seen.version), date);
            wrong.into_iter().for_each(|wrong| world.wrong(wrong));
        }
        Some(claims.iter().map(SeenClaim::read).collect())
    }

    /// Asks for a change, once more under the same key if no answer says what became of it.
    pub(super) async fn change(&self, method: &'static str, path: &str, tag: Option<&str>, body: &Value) -> Change {
        let mut request = Request { method, ..Request::post(path, body) }.with("idempotency-key", self.client.uuid());
        if let Some(tag) = tag {
            request = request.with("if-match", tag);
        }
        let world = &self.client.world;
        let began = world.moment();
        let mut reply = self.call(request.clone()).await;
        let is_open = |reply: &Option<Reply>| reply.as_ref().is_none_or(|reply| reply.status >= 500);
        let was_open = is_open(&reply);
        if was_open {
            // Under the same key, the answer of the first call comes again.
            reply = self.call(request.clone()).await;
        }
        let status = reply.as_ref().map_or(0, |reply| reply.status);
        if status == 409 {
            world.trace.sometimes(states::STALE_EDIT);
        }
        let is_done = (200..300).contains(&status);
        let may_come_late = was_open || status == 403 && self.lost_its_rights(began);
        let is_refused = !is_done && !may_come_late;
        let ended = is_done.then(|| world.moment());
        if let Some(first) = reply.as_ref().filter(|_| is_done && self.client.dice.chance(1_000)) {
            self.repeat(request, first).await;
        }
        Change { began, ended, is_refused, reply }
    }

    /// Makes a call once more under its key, as a browser does that was suspended: the same answer comes.
    async fn repeat(&self, request: Request, first: &Reply) {
        let world = &self.client.world;
        world.pause(&self.client.dice, 40).await;
        let Some(again) = self.call(request).await else {
            return;
        };
        if (again.status, &again.text) == (first.status, &first.text) {
            world.trace.sometimes(states::KEPT_ANSWER);
        } else if !matches!(again.status, 400..=403 | 408 | 429 | 500..) {
            world.wrong(format!("a call is answered {}, and again {}: {}", first.text, again.status, again.text));
        }
    }

    /// True if a refused call may have begun with an agreement. A batch of it whose answer was lost may be done later, once the
    /// agreement is signed again.
    fn lost_its_rights(&self, began: u64) -> bool {
        let world = &self.client.world;
        let unsigned = world.model.borrow().access.unsigned_since(self.client.practice, world.moment());
        unsigned.is_none_or(|since| since >= began)
    }

    /// Records that a change put a claim into a status, and the amount that it recorded. True if it is done.
    pub(super) fn moved(&self, change: &Change, claim: &SeenClaim, (to, cents): (&'static str, Option<i64>)) -> bool {
        if change.is_refused {
            return false;
        }
        let output = if change.is_done() { Output::Moved } else { Output::Unknown };
        let op = Op {
            practice: self.client.practice,
            number: claim.number.clone(),
            key: None,
            began: change.began,
            ended: change.ended,
            input: Input::Move { from: claim.status.clone(), to },
            output,
        };
        record(&self.client.world, op, Some(&claim.id));
        if change.is_done() {
            self.made(change, (&claim.id, claim.version + 1), (Some(to), cents));
        }
        change.is_done()
    }

    /// Records that a change of a claim left its status. True if it is done.
    pub(super) fn edited(&self, change: &Change, claim: &SeenClaim) -> bool {
        if change.told("version").as_i64() == Some(claim.version + 1) {
            self.made(change, (&claim.id, claim.version + 1), (None, None));
        }
        change.is_done()
    }

    /// Records that a change made a version.
    pub(super) fn made(
        &self,
        change: &Change,
        (id, version): (&str, i64),
        (status, cents): (Option<&'static str>, Option<i64>),
    ) {
        let (made, world) = (Made { call: change.began, status, cents }, &self.client.world);
        let wrong = world.model.borrow_mut().work.made((id.to_owned(), version), made);
        wrong.into_iter().for_each(|wrong| world.wrong(wrong));
    }
}
