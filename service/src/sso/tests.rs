//! Sign-ins by providers on SQLite with the real migrations: what is known about an identity, and the batches that use it
//! once.

use super::decide::{Decision, decide};
use super::identities;
use super::refusal::SsoRefusal;
use super::saml;
use super::shown::{self, AddressUse, PracticeProvider, ShownIdentity};
use super::waiting::{self, ProviderIdentity, SeenIdentity, WaitingIdentity};
use crate::accounts::account::{Account, account_of_caller};
use crate::accounts::new_session::{Browser, SignInContext};
use crate::accounts::sessions;
use crate::accounts::sign_in::{FirstFactor, Passed};
use crate::accounts::tests::with;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::call::ClientOrigin;
use crate::cookies::ceremony::{OpenedCeremony, SpentProof};
use crate::plan::{Actor, Plan};
use crate::prelude::*;
use crate::request::email::EmailAddress;
use crate::request::secret::SessionToken;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::Fixture;
use crate::testing::decisions::person;
use crate::testing::people::{MEMBER, OWNER, SESSION, session, user};
use overturn_core::base::id::{IdentityId, SessionId, SsoProviderId, UserId};
use uuid::Uuid;

const NOW: Instant = Instant(1_800_000_000_000);
const SAML: SsoProviderId = SsoProviderId(Uuid::from_u128(60));
const TRUSTED: SsoProviderId = SsoProviderId(Uuid::from_u128(61));
const IDENTITY: IdentityId = IdentityId(Uuid::from_u128(80));

/// The account of a member.
pub(super) fn account() -> Account {
    let person = person(Role::Member, Action::ManageIdentities);
    Account {
        user_id: person.user_id,
        practice_id: person.practice_id,
        practice_name: Some("Cedar Hill".into()),
        role: person.role,
        epoch: 4,
        name: "Ann".into(),
        email: "ann@Clinic.example".into(),
        password_hash: None,
        enrolled: true,
        practice: None,
    }
}

struct Providers {
    f: Fixture,
    practice: PracticeId,
}

fn confirmed(provider: &str, email: &str, proof: &str) -> ShownIdentity {
    let saml = provider.parse().ok().map(SsoProviderId);
    ShownIdentity {
        by: saml.map_or(FirstFactor::Oidc, |_| FirstFactor::Saml),
        provider: provider.into(),
        saml: None,
        provider_name: "A provider".into(),
        issuer: "https://idp.example".into(),
        subject: email.into(),
        email: EmailAddress::parse(email),
        verified: true,
        owns_domain: true,
        authenticated_at: None,
        name: Some("Ann Lee".into()),
        contexts: vec!["mfa".into()],
        spent: vec![SpentProof { hash: proof.into(), expires_at: NOW.plus(1000) }],
    }
}

fn waits(email: &str) -> OpenedCeremony<WaitingIdentity> {
    OpenedCeremony {
        content: WaitingIdentity {
            provider: "google".into(),
            saml: None,
            provider_name: "Google".into(),
            issuer: "https://idp.example".into(),
            subject: email.into(),
            email: email.into(),
        },
        spent: SpentProof { hash: "waiting".into(), expires_at: NOW.plus(1000) },
    }
}

impl Providers {
    /// A practice with a verified domain, a SAML provider, and trust in a provider of the installation.
    fn new() -> Self {
        let f = Fixture::new();
        let practice_id = f.practice();
        let mut all = Self { f, practice: practice_id };
        all.write([
            user(OWNER, practice_id, Role::Owner),
            user(MEMBER, practice_id, Role::Member),
            session(SESSION, OWNER, "session"),
        ]);
        let rows = format!(
            "INSERT INTO sso_providers (practice_id, id, kind, name, configured, entity_id, metadata, certificates, contexts,
               created_at)
             VALUES ('{practice_id}', '{SAML}', 'saml', 'Clinic', NULL, 'https://idp.example', '<xml/>', '[]', '[\"mfa\"]', 1),
               ('{practice_id}', '{TRUSTED}', 'oidc', 'Clinic', 'google', NULL, NULL, NULL, '[\"mfa\"]', 1);
             INSERT INTO practice_domains (practice_id, id, domain, token, created_at, verified_at)
             VALUES ('{practice_id}', 'd', 'clinic.example', 't', 1, 1)"
        );
        all.f.db.execute_batch(&rows).unwrap();
        all
    }

    fn write(&mut self, writes: impl Into<Vec<Write>>) {
        let ctx = self.f.ctx();
        let batch = self.f.lower(&Plan::of_operator(&ctx, writes.into()));
        self.f.run(&batch.statements).unwrap();
    }

    fn owner(&self) -> Person {
        Person { user_id: OWNER, practice_id: Some(self.practice), ..person(Role::Owner, Action::ManageIdentities) }
    }

    fn change(&self, sql: &str) {
        self.f.db.execute(sql, []).unwrap();
    }

    fn join(&mut self, user_id: UserId, provider: &str) {
        let email = "ann@clinic.example";
        let identity = ProviderIdentity { provider, issuer: "https://idp.example", subject: email };
        self.write(waiting::joined(identity, IDENTITY, (user_id, email), NOW));
    }

    /// The sign-in that an identity allows now.
    fn passed(&mut self, shown: &ShownIdentity, ctx: &Ctx) -> Passed {
        match self.decided(shown, ctx).unwrap() {
            Decision::SignsIn { passed, .. } => passed,
            Decision::Waits(waiting) => panic!("{waiting:?}"),
        }
    }

    fn decided(&mut self, shown: &ShownIdentity, ctx: &Ctx) -> Result<Decision, SsoRefusal> {
        let stored = self.f.read(&shown::stored(shown));
        let place = ClientOrigin::default();
        let setting = SignInContext {
            browser: Browser::default(),
            place: &place,
            random: [ctx.request_id.0.as_bytes()[15]; 32],
            ctx,
        };
        decide(shown, &stored, setting)
    }

    /// Commits a sign-in.
    fn commit(&mut self, passed: &Passed, ctx: &Ctx) -> Result<(), DatabaseError> {
        let plan = Plan {
            guards: passed.change.guards.clone(),
            actor: Actor::User(passed.user_id),
            ..Plan::of_operator(ctx, passed.change.writes.clone())
        };
        let batch = self.f.lower(&plan);
        self.f.run(&batch.statements).map(|_| ())
    }
}

fn conflict(done: Result<(), DatabaseError>) -> FailedGuard {
    match done {
        Err(DatabaseError::Conflict(guard)) => guard,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_changes_before_the_batch_stops_a_new_member() {
    for change in [
        "DELETE FROM sso_providers",
        "UPDATE sso_providers SET trusted = trusted + 1",
        "UPDATE practice_domains SET verified_at = NULL",
        "UPDATE users SET email_key = 'new@clinic.example' WHERE role = 'member'",
        "UPDATE users SET email_key = 'new@clinic.example', state = 'invited' WHERE role = 'member'",
        "INSERT INTO identities (user_id, id, provider, issuer, subject, email, created_at)
         SELECT id, 'x', 'google', 'https://idp.example', 'new@clinic.example', 'x', 1 FROM users WHERE role = 'owner'",
    ] {
        let mut all = Providers::new();
        let new = confirmed("google", "new@clinic.example", "p1");
        let ctx = all.f.ctx();
        let passed = all.passed(&new, &ctx);
        all.change(change);
        assert_eq!(conflict(all.commit(&passed, &ctx)), FailedGuard::Record, "{change}");
        assert_eq!(all.f.count("SELECT count(*) FROM users"), 2);
        assert_eq!(all.f.count("SELECT count(*) FROM spent_proofs"), 0);
    }
}

#[test]
fn what_changes_before_the_batch_stops_a_sign_in() {
    for (change, guard) in [
        ("DELETE FROM identities", FailedGuard::Secret),
        ("DELETE FROM sso_providers", FailedGuard::Record),
        ("UPDATE sso_providers SET trusted = trusted + 1", FailedGuard::Record),
        ("UPDATE users SET state = 'removed'", FailedGuard::Rights),
        ("UPDATE users SET epoch = epoch + 1", FailedGuard::Rights),
        ("INSERT INTO spent_proofs (hash, expires_at) VALUES ('p1', 9)", FailedGuard::Secret),
    ] {
        let mut all = Providers::new();
        all.join(MEMBER, "google");
        let known = confirmed("google", "ann@clinic.example", "p1");
        let ctx = all.f.ctx();
        let passed = all.passed(&known, &ctx);
        all.change(change);
        assert_eq!(conflict(all.commit(&passed, &ctx)), guard, "{change}");
        assert_eq!(all.f.count("SELECT count(*) FROM sessions WHERE sso IS NOT NULL"), 0);
    }
}

#[test]
fn an_identity_is_found_by_provider_issuer_and_subject_together() {
    let mut all = Providers::new();
    all.join(MEMBER, "google");
    let known = confirmed("google", "ann@clinic.example", "p1");
    let stored = all.f.read(&shown::stored(&known));
    assert_eq!(stored.joined.unwrap().trusted.unwrap().id, TRUSTED);
    let others = [
        ShownIdentity { provider: "microsoft".into(), ..known.clone() },
        ShownIdentity { issuer: "https://evil.example".into(), ..known.clone() },
        ShownIdentity { subject: "ANN@clinic.example".into(), ..known.clone() },
    ];
    for other in others {
        assert!(all.f.read(&shown::stored(&other)).joined.is_none());
    }
    all.change("UPDATE practices SET state = 'inactive'");
    let stored = all.f.read(&shown::stored(&known));
    assert!(!stored.joined.unwrap().active && !stored.owner.unwrap().active);
    all.write(crate::accounts::account::removed(MEMBER));
    assert!(all.f.read(&shown::stored(&known)).joined.is_none());
}

#[test]
fn an_address_is_known_to_the_practice_of_its_domain_and_in_use_anywhere() {
    let mut all = Providers::new();
    let one = confirmed("google", "member@clinic.example", "p1");
    let address = |all: &mut Providers| all.f.read(&shown::stored(&one)).address;
    assert_eq!(address(&mut all), None);
    all.change("UPDATE users SET email_key = 'member@clinic.example' WHERE role = 'member'");
    for (state, known) in [
        ("active", Some(AddressUse::Active)),
        ("invited", Some(AddressUse::Invited)),
        ("removed", Some(AddressUse::Removed)),
    ] {
        all.change(&format!("UPDATE users SET state = '{state}' WHERE role = 'member'"));
        assert_eq!(address(&mut all), known);
    }
    let ctx = all.f.ctx();
    let refused = all.decided(&one, &ctx).unwrap_err();
    assert_eq!(refused, SsoRefusal::Removed);
    all.change("DELETE FROM sso_providers");
    assert!(all.f.read(&shown::stored(&one)).owner.unwrap().trusted.is_none());
    // Another practice's invitation says nothing here.
    all.change("UPDATE practice_domains SET verified_at = NULL");
    assert_eq!(address(&mut all), None);
    let stored = all.f.read(&shown::stored(&one));
    assert!(stored.owner.is_none());
}

#[test]
fn a_person_sees_their_own_identities_only() {
    let mut all = Providers::new();
    all.join(MEMBER, "google");
    all.write([session(SessionId(Uuid::from_u128(22)), MEMBER, "theirs")]);
    assert_eq!(all.f.read(&identities::all("session")).len(), 0);
    assert_eq!(all.f.read(&identities::all("theirs")).len(), 1);
    assert_eq!(all.f.read(&identities::all("nobody")).len(), 0);
    assert!(all.f.read(&identities::one("session", IDENTITY)).is_none());
    let own = all.f.read(&identities::one("theirs", IDENTITY)).unwrap();
    assert_eq!((&*own.provider, own.saml_name), ("google", None));
    all.change(&format!("UPDATE identities SET provider = '{SAML}'"));
    let own = all.f.read(&identities::one("theirs", IDENTITY)).unwrap();
    assert_eq!(own.saml_name.as_deref(), Some("Clinic"));
}

#[test]
fn a_removed_identity_goes_alone_and_ends_the_other_sessions_and_sign_ins_of_its_person() {
    let mut all = Providers::new();
    all.join(OWNER, "google");
    all.join(MEMBER, "microsoft");
    let more = [(21, OWNER, "second"), (22, MEMBER, "theirs")];
    all.write(more.map(|(n, user_id, hash)| session(SessionId(Uuid::from_u128(n)), user_id, hash)));
    let owner = Person { epoch: 1, ..all.owner() };
    let remove = |all: &mut Providers| {
        let ctx = all.f.ctx();
        let load = (identities::one("session", IDENTITY), account_of_caller("session"), sessions::state("session"));
        let (own, account, session) = all.f.read(&load);
        let of = (&account.unwrap(), session.unwrap());
        let change = with(&ctx, |setting| identities::removed(own, of, |_| None, &owner, setting));
        (change.unwrap(), ctx)
    };
    let (first, twin) = (remove(&mut all), remove(&mut all));
    let commit = |all: &mut Providers, (change, ctx): (Change, Ctx)| {
        all.f.commit(&ctx, (change.guards, change.writes)).map(drop)
    };
    commit(&mut all, first).unwrap();
    let left = format!("SELECT count(*) FROM identities WHERE user_id = '{MEMBER}'");
    assert_eq!((all.f.count("SELECT count(*) FROM identities"), all.f.count(&left)), (1, 1));
    assert_eq!(all.f.count("SELECT count(*) FROM sessions WHERE revoked_at IS NULL AND hash = 'theirs'"), 1);
    // This session goes on under a new token. What waits under the earlier epoch does not.
    let renewed = SessionToken::mint([6; 32]).hash();
    let live = format!(
        "SELECT count(*) FROM sessions s JOIN users u ON u.id = s.user_id AND u.epoch = s.epoch AND u.epoch = 2
         WHERE s.revoked_at IS NULL AND s.hash = '{renewed}'"
    );
    assert_eq!(all.f.count(&live), 1);
    assert_eq!(all.f.count("SELECT count(*) FROM sessions WHERE revoked_at IS NOT NULL"), 1);
    assert_eq!(conflict(commit(&mut all, twin)), FailedGuard::Secret);
}

#[test]
fn what_is_to_be_joined_is_known_to_be_taken_or_spent() {
    let mut all = Providers::new();
    let waits = waits("ann@clinic.example");
    let read = |all: &mut Providers| all.f.read(&waiting::stored("session", Some(&waits)));
    let free = read(&mut all).unwrap();
    assert_eq!((free.taken, free.spent, free.count), (false, false, 0));
    assert_eq!(free.account.user_id, OWNER);
    all.join(MEMBER, "google");
    all.change("INSERT INTO spent_proofs (hash, expires_at) VALUES ('waiting', 9)");
    let gone = read(&mut all).unwrap();
    assert_eq!((gone.taken, gone.spent, gone.count), (true, true, 0));
    all.join(OWNER, "microsoft");
    assert_eq!(read(&mut all).unwrap().count, 1);
    assert!(all.f.read(&waiting::stored("nobody", None)).is_none());
}

#[test]
fn what_changes_before_the_batch_stops_a_join() {
    let email = "owner@a.example";
    for change in [
        "INSERT INTO identities (user_id, id, provider, issuer, subject, email, created_at)
         SELECT id, 'x', 'google', 'https://idp.example', 'owner@a.example', 'x', 1 FROM users WHERE role = 'member'",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)
         INSERT INTO identities (user_id, id, provider, issuer, subject, email, created_at)
         SELECT id, i, i, 'x', 'x', 'x', 1 FROM users, n WHERE role = 'owner'",
        "UPDATE users SET email_key = 'other@a.example' WHERE role = 'owner'",
        "UPDATE users SET state = 'removed' WHERE role = 'owner'",
        "DELETE FROM sso_providers WHERE kind = 'saml'",
        "UPDATE sso_providers SET trusted = trusted + 1",
        "",
    ] {
        let mut all = Providers::new();
        let mut waits = waits(email);
        let read = all.f.read(&saml::provider(SAML)).unwrap();
        let checked_by = PracticeProvider { practice_id: all.practice, id: read.id, version: read.version };
        waits.content.saml = Some(checked_by);
        let stored = all.f.read(&waiting::stored("session", Some(&waits)));
        let seen = SeenIdentity { id: waits.spent.hash.clone() };
        let owner = all.owner();
        let ctx = all.f.ctx();
        let made = waiting::joins((&seen, Some(waits)), stored.as_ref(), &owner, &ctx).unwrap();
        all.f.db.execute_batch(change).unwrap();
        let done = all.f.commit(&ctx, (made.guards, made.writes)).map(drop);
        let joined = all.f.count("SELECT count(*) FROM identities WHERE email = 'owner@a.example'");
        if change.is_empty() {
            assert_eq!((done, joined), (Ok(()), 1));
        } else {
            assert_eq!((conflict(done), joined), (FailedGuard::Record, 0), "{change}");
        }
    }
}
