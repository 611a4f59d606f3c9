//! What is there when a world begins: practices with an agreement and a key, their people, and staff.

use crate::clock::start;
use crate::dice::Dice;
use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::{FactorId, PracticeId, SessionId, UserId};
use overturn_core::base::token::Realm;
use overturn_service::auth::role::Role;
use overturn_service::auth::scope::{Scope, Scopes};
use overturn_service::auth::session::SessionKind;
use overturn_service::auth::totp::TotpSecret;
use overturn_service::operator::{Agreement, NewApiKey, NewPractice, mint};
use overturn_service::people::{
    ClientOrigin, NewSession, NewUser, Password, UserState, csrf, factor_confirmed, new_factor,
};
use overturn_service::plan::{Plan, Write};
use overturn_service::request::email::EmailAddress;
use overturn_service::request::secret::SessionToken;
use overturn_service::sqlite::run;
use overturn_service::store::lower::lower;
use overturn_service::store::sealer::Sealer;
use overturn_tests::tenant::keyring;
use rusqlite::Connection;
use std::sync::LazyLock;

/// A signed-in person.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) cookie: String,
    pub(crate) csrf: String,
}

/// A person with an account to sign in to.
pub(crate) struct Guest {
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) totp: TotpSecret,
}

/// The password of all accounts.
pub(crate) const PASSWORD: &str = "a correct horse at the gate";

/// What a practice begins with.
pub(crate) struct Begun {
    pub(crate) id: PracticeId,
    pub(crate) key_id: String,
    pub(crate) key: String,
    pub(crate) agreement: String,
    pub(crate) owner: Person,
    pub(crate) member: Person,
    pub(crate) guest: Guest,
}

/// Makes rows as the operator does.
pub(crate) struct Setup<'d> {
    pub(crate) db: &'d Connection,
    pub(crate) dice: Dice,
}

impl Setup<'_> {
    fn ctx(&self) -> Ctx {
        Ctx::new(start(), self.dice.bytes())
    }

    fn carry_out(&self, ctx: &Ctx, writes: Vec<Write>) {
        let keys = keyring();
        let mut nonce = || self.dice.bytes();
        let mut sealer = Sealer::new(&keys, &[], &mut nonce);
        let batch = lower(&Plan::of_operator(ctx, writes), &mut sealer).expect("a plan of the setup");
        run(self.db, &batch.statements).expect("a batch of the setup");
    }

    /// A practice with everything.
    pub(crate) fn practice(&self, n: usize) -> Begun {
        use overturn_service::auth::disclosure::PracticeState;
        let ctx = self.ctx();
        let id = PracticeId(ctx.id(Purpose::Record, 0));
        let practice =
            NewPractice { id, name: format!("Practice {n}"), state: PracticeState::Active, created_at: start() };
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
        let (key, record) = mint(new, self.dice.bytes(), 2, &ctx);
        let mut writes = vec![practice.insert()];
        writes.extend(signed.writes());
        writes.push(record.insert());
        self.carry_out(&ctx, writes);
        let shows = "UPDATE practices SET appeal_button = 1 WHERE id = ?1";
        self.db.execute(shows, [id.to_string()]).expect("a practice can show its button");
        Begun {
            id,
            key_id: record.id.to_string(),
            key: key.expose().to_owned(),
            agreement: agreement.to_string(),
            owner: self.person(Some(id), Role::Owner),
            member: self.person(Some(id), Role::Member),
            guest: self.guest(id),
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

    /// A member with a password and an authenticator app, who has no session.
    fn guest(&self, practice_id: PracticeId) -> Guest {
        static HASH: LazyLock<String> = LazyLock::new(|| Password::given(PASSWORD).hash([7; 16]).expect("a hash"));
        let ctx = self.ctx();
        let user = Self::user(&ctx, Some(practice_id), Role::Member, Some(HASH.clone()));
        let (id, email, totp) = (user.id, user.email.clone(), TotpSecret::new(self.dice.bytes()));
        let factor = FactorId(ctx.id(Purpose::Record, 1));
        let mut writes = vec![user.write()];
        writes.extend(new_factor(id, factor, &totp, start()));
        writes.extend(factor_confirmed(id, factor, start()));
        self.carry_out(&ctx, writes);
        Guest { id: id.to_string(), email, totp }
    }

    /// A person who has just shown the second factor.
    pub(crate) fn person(&self, practice_id: Option<PracticeId>, role: Role) -> Person {
        let ctx = self.ctx();
        let user = Self::user(&ctx, practice_id, role, None);
        let id = user.id;
        let token = SessionToken::mint(self.dice.bytes());
        let session = NewSession {
            id: SessionId(ctx.id(Purpose::Record, 1)),
            user_id: id,
            hash: token.hash(),
            kind: SessionKind::Full,
            sso: None,
            epoch: 1,
            created_at: start(),
            verified_at: Some(start()),
            place: ClientOrigin { ip: "192.0.2.1".into(), agent: "simulation".into() },
        };
        let mut writes = vec![user.write()];
        writes.extend(session.writes());
        self.carry_out(&ctx, writes);
        Person { cookie: format!("__Host-session={}", token.expose()), csrf: csrf::token(&token) }
    }
}
