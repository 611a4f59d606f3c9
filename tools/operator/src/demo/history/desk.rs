//! The desk at which the demo history is made: the development database, and the service's own decisions on it.
//!
//! Every step reads what it needs by the service's queries, lets the service decide, and runs the batch of the plan. All steps
//! are one transaction. No service may have the database open.

use std::error::Error;

use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{CaseId, ClaimId, PracticeId, SessionId, UserId};
use overturn_core::base::instant::Instant;
use overturn_service::auth::person::{Person, Via};
use overturn_service::auth::rights::Action;
use overturn_service::auth::role::Role;
use overturn_service::demo::{
    self, CaseRequest, Decisions, FormFields, LevelRequest, NamedClaim, NoteText, Relation, SeenClaim, SeveralToTake,
    SignatureInput, candidates, of_letter, stored_case,
};
use overturn_service::people::ClientOrigin;
use overturn_service::plan::change::Change;
use overturn_service::plan::signing::SigningStatus;
use overturn_service::plan::{Actor, Plan};
use overturn_service::request::declare::{Body, Reach, Terms};
use overturn_service::request::error::RequestError;
use overturn_service::request::if_match::Seen;
use overturn_service::request::language::Language;
use overturn_service::request::secret::SigningToken;
use overturn_service::sqlite;
use overturn_service::store::data_keys;
use overturn_service::store::keyring::Keyring;
use overturn_service::store::keyring::practice::{Fresh, PracticeKeys};
use overturn_service::store::lower::lower;
use overturn_service::store::sealer::Sealer;
use overturn_service::store::{Queries, Statement};
use rusqlite::Connection;
use serde_json::Value as Json;

use crate::demo::DAY_MS;
use crate::service::Random;

pub(super) type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Acts in practices. The time and the person are given with every step.
pub(super) struct Desk<'a> {
    db: Connection,
    service: &'a Keyring,
    random: Random<'a>,
}

/// Who does a step in which practice, and when.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) practice: PracticeId,
    pub(super) by: UserId,
    pub(super) at: Instant,
}

impl Step {
    /// The same this many days later.
    pub(super) fn later(self, days: i64) -> Self {
        let at = self.at.plus(days.saturating_mul(DAY_MS));
        Self { at, ..self }
    }
}

impl<'a> Desk<'a> {
    /// A desk at a database.
    pub(super) fn open(db: Connection, service: &'a Keyring, random: Random<'a>) -> Result<Self> {
        db.pragma_update(None, "foreign_keys", true)?;
        db.execute_batch("BEGIN IMMEDIATE")?;
        Ok(Self { db, service, random })
    }

    /// Keeps everything that was done.
    pub(super) fn close(self) -> Result<()> {
        Ok(self.db.execute_batch("COMMIT")?)
    }

    /// The account with this email address.
    pub(super) fn account(&self, email: &str) -> Result<UserId> {
        let sql = "SELECT id FROM users WHERE email = ?1 AND state = 'active'";
        let id: String = self.db.query_row(sql, [email], |row| row.get(0))?;
        Ok(UserId(id.parse()?))
    }

    /// The ids of claims by their numbers.
    pub(super) fn ids<const N: usize>(&self, practice: PracticeId, numbers: &[String; N]) -> Result<[ClaimId; N]> {
        let sql = "SELECT id FROM claims WHERE practice_id = ?1 AND claim_number = ?2";
        let mut read = self.db.prepare_cached(sql)?;
        let mut ids = [ClaimId(practice.0); N];
        for (id, number) in ids.iter_mut().zip(numbers) {
            let found: String = read.query_row((practice.to_string(), number), |row| row.get(0))?;
            *id = ClaimId(found.parse()?);
        }
        Ok(ids)
    }

    pub(super) fn take(&mut self, claims: &[ClaimId], step: Step) -> Result<()> {
        let (ctx, person) = self.acting(step)?;
        let asked = self.seen(claims, step)?;
        let found = self.read(&demo::found(&asked))?;
        let asked = SeveralToTake { user_id: None, claims: asked };
        let change = demo::all_taken(&asked, (found, None), &person, &ctx)?;
        self.carry_out(change, &ctx, step)
    }

    pub(super) fn move_to(&mut self, claim: ClaimId, body: &Json, step: Step) -> Result<()> {
        let (ctx, person) = self.acting(step)?;
        let stored = self.read(&demo::claim(step.practice, claim))?;
        let stored = stored.ok_or("no such claim")?;
        let request = parse(body, &ctx)?;
        let change = demo::stepped(step.practice, (&stored, request), None, &person, &ctx)?;
        self.carry_out(change, &ctx, step)
    }

    /// Records what the payer's letter says, for a claim to which no rule gives a deadline.
    pub(super) fn letter(&mut self, claim: ClaimId, body: &Json, step: Step) -> Result<()> {
        let (ctx, person) = self.acting(step)?;
        let stored = self.read(&of_letter(step.practice, claim))?;
        let stored = stored.ok_or("no such claim")?;
        if stored.claim.appeal.deadline.is_some() {
            return Ok(());
        }
        let edit = parse(body, &ctx)?;
        let seen = Seen::Version(stored.claim.version);
        let change = demo::read((Some(stored), seen), edit, &person, &ctx)?;
        self.carry_out(change, &ctx, step)
    }

    /// Adds a note to a claim.
    pub(super) fn note(&mut self, claim: ClaimId, text: &str, step: Step) -> Result<()> {
        let (ctx, person) = self.acting(step)?;
        let stored = self.read(&demo::claim(step.practice, claim))?;
        let change = demo::added(step.practice, stored.as_ref(), &NoteText { text: text.into() }, &person, &ctx)?;
        self.carry_out(change, &ctx, step)
    }

    /// Decides whether the patients have to sign. Returns the hash of each new link's token.
    pub(super) fn decide_signing(
        &mut self,
        claims: &[ClaimId],
        status: SigningStatus,
        step: Step,
    ) -> Result<Vec<(ClaimId, String)>> {
        let (ctx, person) = self.acting(step)?;
        let asked = Decisions { decision: status, claims: self.seen(claims, step)? };
        let found = self.read(&demo::found(&asked.claims))?;
        let random = claims.iter().map(|_| self.random_bytes());
        let random = random.collect::<Result<Vec<_>>>()?;
        let change = demo::all_decided(&asked, found, &person, &random, &ctx);
        self.carry_out(change, &ctx, step)?;
        let hashes = random.into_iter().map(|random| SigningToken::mint(random).hash());
        Ok(claims.iter().copied().zip(hashes).collect())
    }

    /// The claims with their current versions.
    fn seen(&self, claims: &[ClaimId], step: Step) -> Result<Vec<SeenClaim>> {
        let found = self.read(&demo::claims(step.practice, claims))?;
        let seen = found.into_iter().map(|stored| {
            let stored = stored.ok_or("no such claim")?;
            Ok(SeenClaim { practice_id: step.practice, id: stored.id, version: stored.version })
        });
        seen.collect()
    }

    /// The same, as a report or a case names them.
    fn with_versions(&self, claims: &[ClaimId], step: Step) -> Result<Vec<NamedClaim>> {
        let seen = self.seen(claims, step)?.into_iter();
        let seen = seen.map(|SeenClaim { id, version, .. }| NamedClaim { id, version });
        Ok(seen.collect())
    }

    /// The patient opens the link and signs with a typed name.
    pub(super) fn sign(&mut self, link: &str, (name, language): (&str, Language), step: Step) -> Result<()> {
        let place = ClientOrigin { ip: "192.0.2.10".into(), agent: "Mozilla/5.0 (demo)".into() };
        let stored = self.read(&demo::link_of(link))?;
        let stored = demo::open(stored.as_ref(), false, step.at)?;
        let ctx = self.ctx(step.at)?;
        let actor = Actor::SigningLink(stored.link_id);
        let keys = self.keys(step.practice)?;
        let document = stored.document(&stored.patient(&keys)?, step.at, language);
        let shown = plan(stored.show(&ctx), actor, &ctx);
        let signed = FormFields { relation: Relation::Patient.name(), name, drawing: "", consents: true };
        let given = SignatureInput::read(signed).map_err(|_| "the demo signature")?;
        let ctx = self.ctx(step.at)?;
        let signed = plan(stored.sign(given, &document, &place, &ctx), actor, &ctx);
        let keys_to_show = self.keys(step.practice)?;
        self.commit(&shown, keys_to_show)?;
        self.commit(&signed, keys)
    }

    /// Delivers a report.
    pub(super) fn report(&mut self, claims: &[ClaimId], step: Step) -> Result<()> {
        let (ctx, person) = self.acting(step)?;
        let found = self.read(&demo::claims(step.practice, claims))?;
        let seen = self.with_versions(claims, step)?;
        let change = demo::delivered(step.practice, (&seen, found), &person, &ctx)?;
        self.carry_out(change, &ctx, step)
    }

    pub(super) fn open_case(&mut self, claims: &[ClaimId], level: &Json, step: Step) -> Result<CaseId> {
        let (ctx, person) = self.acting(step)?;
        let LevelRequest { kind, due_on } = parse(level, &ctx)?;
        let new = CaseRequest { claims: self.with_versions(claims, step)?, kind, due_on };
        let found = self.read(&candidates(step.practice, claims))?;
        let change = demo::opened(step.practice, (&new, found), &person, &ctx)?;
        let id = change.answer.body.get("id").and_then(Json::as_str);
        let id = CaseId(id.ok_or("the case has no id")?.parse()?);
        self.carry_out(change, &ctx, step)?;
        Ok(id)
    }

    /// Edits the last level of a case.
    pub(super) fn edit_level(&mut self, case: CaseId, body: &Json, step: Step) -> Result<()> {
        let (ctx, person) = self.acting(step)?;
        let edit = parse(body, &ctx)?;
        let stored = self.read(&stored_case(step.practice, case))?;
        let (seen, last) = stored
            .as_ref()
            .map_or((Seen::Version(0), 0), |stored| (Seen::Version(stored.version), stored.levels.len()));
        let edit = (i64::try_from(last)?, edit);
        let change = demo::level_edited(step.practice, (stored, seen), edit, &person, &ctx)?;
        self.carry_out(change, &ctx, step)
    }

    /// Begins the next level of a case.
    pub(super) fn begin_level(&mut self, case: CaseId, body: &Json, step: Step) -> Result<()> {
        let (ctx, person) = self.acting(step)?;
        let new = parse(body, &ctx)?;
        let stored = self.read(&stored_case(step.practice, case))?;
        let seen = Seen::Version(stored.as_ref().map_or(0, |stored| stored.version));
        let change = demo::begun(step.practice, (stored, seen), new, &person, &ctx)?;
        self.carry_out(change, &ctx, step)
    }

    fn acting(&self, step: Step) -> Result<(Ctx, Person)> {
        let person = Person {
            user_id: step.by,
            practice_id: None,
            role: Role::Staff,
            epoch: 1,
            via: Via::Session(SessionId(step.by.0)),
            action: Action::Work,
            enrolled: true,
            touch: false,
            sso: false,
            sandbox: false,
        };
        Ok((self.ctx(step.at)?, person))
    }

    fn carry_out(&mut self, change: Change, ctx: &Ctx, step: Step) -> Result<()> {
        let plan = plan(change, Actor::User(step.by), ctx);
        let keys = self.keys(step.practice)?;
        self.commit(&plan, keys)
    }

    pub(super) fn ctx(&self, at: Instant) -> Result<Ctx> {
        Ok(Ctx::new(at, self.random_bytes()?))
    }

    fn random_bytes(&self) -> Result<[u8; 32]> {
        let mut bytes = [0; 32];
        let random = (self.random)()?.into_iter().chain((self.random)()?);
        bytes.iter_mut().zip(random).for_each(|(to, from)| *to = from);
        Ok(bytes)
    }

    /// The keys of a practice, with a new data key if it has none.
    pub(super) fn keys(&self, practice: PracticeId) -> Result<PracticeKeys<'a>> {
        let stored = self.read(&data_keys::of_practice(practice))?;
        let ctx = self.ctx(Instant(0))?;
        let fresh = Fresh::new(&ctx, 0, self.random_bytes()?, (self.random)()?);
        Ok(self.service.of_practice(practice, stored.as_ref()).or_new(fresh)?)
    }

    pub(super) fn read<Q: Queries>(&self, queries: &Q) -> Result<Q::Rows> {
        let mut statements = Vec::new();
        queries.add_to(&mut statements);
        let ran = sqlite::run(&self.db, &statements)?;
        Ok(queries.rows(&mut ran.done.iter())?)
    }

    /// Runs the batch of a plan.
    pub(super) fn commit(&mut self, plan: &Plan, keys: PracticeKeys<'_>) -> Result<()> {
        self.run(keys, |sealer| Ok(lower(plan, sealer)?.statements))
    }

    /// Runs a batch whose values are sealed under the keys of a practice.
    pub(super) fn run(
        &mut self,
        keys: PracticeKeys<'_>,
        batch: impl FnOnce(&mut Sealer<'_>) -> Result<Vec<Statement>>,
    ) -> Result<()> {
        let mut failed = None;
        let random = self.random;
        let mut nonce = || {
            random().unwrap_or_else(|error| {
                failed = Some(error);
                [0; _]
            })
        };
        let keys = [keys];
        let statements = batch(&mut Sealer::new(self.service, &keys, &mut nonce))?;
        if let Some(error) = failed {
            return Err(error);
        }
        sqlite::run(&self.db, &statements)?;
        Ok(())
    }
}

fn plan(change: Change, actor: Actor, ctx: &Ctx) -> Plan {
    Plan { guards: change.guards, actor, ..Plan::of_operator(ctx, change.writes) }
}

fn parse<B: Body>(body: &Json, ctx: &Ctx) -> std::result::Result<B, RequestError> {
    B::parse(body.to_string().as_bytes(), Terms::new(ctx, Reach::Internet))
}
