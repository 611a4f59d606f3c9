//! What is there when a world begins: practices with an agreement and a key, their people, and staff.

use crate::clock::start;
use crate::dice::Dice;
use crate::platform::SALT;
use overturn_core::base::cell::Cell;
use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::{FactorId, PracticeId, SessionId, UserId};
use overturn_core::base::instant::Instant;
use overturn_core::base::token::{ApiKey, Realm};
use overturn_service::auth::role::Role;
use overturn_service::auth::scope::{Scope, Scopes};
use overturn_service::auth::session::SessionKind;
use overturn_service::auth::totp::TotpSecret;
use overturn_service::operator::{self, Agreement, NewApiKey, NewPractice, addressed, mint, placed};
use overturn_service::people::{
    ClientOrigin, NewSession, NewUser, Password, UserState, csrf, factor_confirmed, new_factor,
};
use overturn_service::plan::{Plan, Write};
use overturn_service::request::email::EmailAddress;
use overturn_service::request::secret::SessionToken;
use overturn_service::sqlite::{read, run};
use overturn_service::store::Statement;
use overturn_service::store::lower::lower;
use overturn_service::store::own_cell;
use overturn_service::store::sealer::Sealer;
use overturn_tests::tenant::keyring;
use rusqlite::Connection;
use std::rc::Rc;
use std::sync::LazyLock;

/// A signed-in person.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) id: String,
    pub(crate) cookie: String,
    pub(crate) csrf: String,
}

impl Person {
    fn with(id: &str, token: &SessionToken) -> Self {
        Self { id: id.to_owned(), cookie: format!("__Host-session={}", token.expose()), csrf: csrf::token(token) }
    }
}

/// A person with an account to sign in to.
pub(crate) struct Guest {
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) totp: TotpSecret,
}

/// The password of all accounts.
pub(crate) const PASSWORD: &str = PASSWORDS[0];
/// What people choose instead. Each one is hashed once.
pub(crate) const PASSWORDS: [&str; 3] =
    ["a correct horse at the gate", "a battery under the staple", "a spoon in the deep drawer"];

/// The name of a practice.
pub(crate) fn name(practice: usize) -> String {
    format!("Practice {practice}")
}

/// What a practice begins with.
pub(crate) struct Begun {
    pub(crate) id: PracticeId,
    pub(crate) key_id: String,
    pub(crate) key: String,
    pub(crate) agreement: String,
    pub(crate) owner: Person,
    pub(crate) partner: Person,
    pub(crate) member: Person,
    /// The key and the owner with the number of each other cell.
    pub(crate) stamped_elsewhere: Vec<(String, Person)>,
    pub(crate) guest: Guest,
}

/// Makes rows as the operator does.
pub(crate) struct Setup<'d> {
    /// The database of each cell.
    dbs: &'d [Rc<Connection>],
    dice: Dice,
    now: Instant,
}

impl<'d> Setup<'d> {
    /// The first cell gets its number from the service, as that of an installation which had no other one.
    pub(crate) fn new(dbs: &'d [Rc<Connection>], seed: u64) -> Self {
        for (number, db) in (0..).zip(dbs).skip(1) {
            run(db, &own_cell::claim(Cell(number))).expect("a number of the setup");
        }
        Self { dbs, dice: Dice::new(seed, "setup"), now: start() }
    }

    /// The same once time has passed.
    pub(crate) fn later(dbs: &'d [Rc<Connection>], seed: u64, now: Instant) -> Self {
        Self { dbs, dice: Dice::new(seed, "later setup"), now }
    }

    fn ctx(&self, cell: Cell) -> Ctx {
        Ctx::new(self.now, self.dice.bytes()).in_cell(cell)
    }

    /// Tells the directory of something in another cell, or in its own once it has a number.
    fn tell_directory(&self, cell: Cell, write: impl FnOnce() -> Write) {
        if cell != Cell::FIRST || (self.dbs.len() > 1 && self.now != start()) {
            self.carry_out(&self.ctx(Cell::FIRST), vec![write()]);
        }
    }

    fn carry_out(&self, ctx: &Ctx, writes: Vec<Write>) {
        let statements = self.lowered(&Plan::of_operator(ctx, writes));
        run(&self.dbs[usize::from(ctx.cell.0)], &statements).expect("a batch of the setup");
    }

    fn lowered(&self, plan: &Plan) -> Vec<Statement> {
        let keys = keyring();
        let mut nonce = || self.dice.bytes();
        let mut sealer = Sealer::new(&keys, &[], &mut nonce);
        lower(plan, &mut sealer).expect("a plan of the setup").statements
    }

    /// What begins the destruction of all data of a practice at once, unless it cannot begin.
    pub(crate) fn destruction(&self, practice: PracticeId, name: &str, cell: Cell) -> Option<Vec<Statement>> {
        let basis = read(&self.dbs[usize::from(cell.0)], &operator::basis(practice)).ok()??;
        operator::destroy_data(name, basis, 0, &self.ctx(cell)).ok().map(|plan| self.lowered(&plan))
    }

    /// What removes an account of the staff.
    pub(crate) fn removal(&self, user: &str) -> Option<Vec<Statement>> {
        let found = read(&self.dbs[0], &operator::people(user, "")).ok()?.pop()?;
        Some(self.lowered(&operator::remove(&found, &self.ctx(Cell::FIRST))))
    }

    /// A practice with everything, in a cell.
    pub(crate) fn practice(&self, n: usize, cell: u16) -> Begun {
        use overturn_service::auth::disclosure::PracticeState;
        let cell = Cell(cell);
        let ctx = self.ctx(cell);
        let id = PracticeId(ctx.id(Purpose::Record, 0));
        let practice = NewPractice { id, name: name(n), state: PracticeState::Active, created_at: start() };
        let agreement = overturn_core::base::id::AgreementId(ctx.id(Purpose::Record, 1));
        let signed = Agreement {
            id: agreement,
            practice_id: id,
            version: "1".into(),
            signer_name: "Ann".into(),
            signer_title: "Owner".into(),
            signed_at: start(),
            signed_by: None,
        };
        let new =
            NewApiKey { practice_id: id, name: "Billing".into(), scopes: Scopes::of(&Scope::ALL), realm: Realm::Test };
        let random = self.dice.bytes();
        let (key, record) = mint(new, cell.stamp(random), 2, &ctx);
        let mut writes = vec![practice.insert()];
        writes.extend(signed.writes());
        writes.push(record.insert());
        self.carry_out(&ctx, writes);
        self.tell_directory(cell, || placed(id, cell));
        let shows = "UPDATE practices SET appeal_button = 1 WHERE id = ?1";
        self.dbs[usize::from(cell.0)].execute(shows, [id.to_string()]).expect("a practice can show its button");
        let (owner, of_session) = self.person_of(Some(id), Role::Owner);
        let others = (0..self.dbs.len()).filter_map(|n| u16::try_from(n).ok().map(Cell)).filter(|other| *other != cell);
        let stamped_elsewhere = others.map(|other| {
            let key = ApiKey::mint(Realm::Test, other.stamp(random));
            (key.expose().to_owned(), Person::with(&owner.id, &SessionToken::mint(other.stamp(of_session))))
        });
        Begun {
            id,
            key_id: record.id.to_string(),
            key: key.expose().to_owned(),
            agreement: agreement.to_string(),
            stamped_elsewhere: stamped_elsewhere.collect(),
            owner,
            partner: self.person(Some(id), Role::Owner),
            member: self.person(Some(id), Role::Member),
            guest: self.guest(Some(id), Role::Member),
        }
    }

    fn user(ctx: &Ctx, practice_id: Option<PracticeId>, role: Role, password_hash: Option<String>) -> NewUser {
        let id = UserId(ctx.id(Purpose::Record, 0));
        let email = format!("{}@{}.example", role.name(), id.0.simple());
        NewUser {
            id,
            practice_id,
            role,
            state: UserState::Active,
            email_key: EmailAddress::parse(&email).expect("an address").key(),
            email,
            name: format!("A person, {}", role.name()),
            password_hash,
            created_at: start(),
        }
    }

    /// A person with a password and an authenticator app, who has no session.
    pub(crate) fn guest(&self, practice_id: Option<PracticeId>, role: Role) -> Guest {
        static HASH: LazyLock<String> = LazyLock::new(|| Password::given(PASSWORD).hash(SALT).expect("a hash"));
        let ctx = self.ctx(practice_id.map_or(Cell::FIRST, |id| id.cell()));
        let user = Self::user(&ctx, practice_id, role, Some(HASH.clone()));
        let (id, email, totp) = (user.id, user.email.clone(), TotpSecret::new(self.dice.bytes()));
        let factor = FactorId(ctx.id(Purpose::Record, 1));
        self.tell_directory(ctx.cell, || addressed(&user.email_key, id, ctx.cell));
        let mut writes = vec![user.write()];
        writes.extend(new_factor(id, factor, &totp, start()));
        writes.extend(factor_confirmed(id, factor, start()));
        self.carry_out(&ctx, writes);
        Guest { id: id.to_string(), email, totp }
    }

    /// A person who has just shown the second factor.
    pub(crate) fn person(&self, practice_id: Option<PracticeId>, role: Role) -> Person {
        self.person_of(practice_id, role).0
    }

    /// The same with the random bytes of the session.
    fn person_of(&self, practice_id: Option<PracticeId>, role: Role) -> (Person, [u8; 32]) {
        let ctx = self.ctx(practice_id.map_or(Cell::FIRST, |id| id.cell()));
        let user = Self::user(&ctx, practice_id, role, None);
        let id = user.id;
        let random = self.dice.bytes();
        let token = SessionToken::mint(ctx.cell.stamp(random));
        let session = NewSession {
            id: SessionId(ctx.id(Purpose::Record, 1)),
            user_id: id,
            hash: token.hash(),
            kind: SessionKind::Full,
            sso: None,
            epoch: 1,
            created_at: self.now,
            verified_at: Some(self.now),
            place: ClientOrigin { ip: "192.0.2.1".into(), agent: "simulation".into() },
        };
        self.tell_directory(ctx.cell, || addressed(&user.email_key, id, ctx.cell));
        let mut writes = vec![user.write()];
        writes.extend(session.writes());
        self.carry_out(&ctx, writes);
        (Person::with(&id.to_string(), &token), random)
    }
}
