//! The statements on SQLite with the real migrations: batches that may run twice, conditions that abort them, and the rows
//! that they touch.

use super::{DAY_MS, ENTITY, NOW, installation};
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::notice::NoticeKind;
use crate::plan::{Actor, Plan};
use crate::prelude::*;
use crate::settings::data_jobs::letters::due as due_notices;
use crate::settings::sso::ending::{ending, warned};
use crate::settings::sso::overview::{SsoSettings, settings};
use crate::settings::sso::required::required;
use crate::settings::sso::{domains, providers};
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::Fixture;
use crate::testing::decisions::{parse_at as parse, person};
use crate::testing::people::{MEMBER, OWNER, SESSION, session, user};
use overturn_core::base::id::{DomainId, SessionId, SsoProviderId};
use overturn_core::identity::saml::{ProviderDescription, SigningCertificate};
use uuid::Uuid;

const CHANGED: DatabaseError = DatabaseError::Conflict(FailedGuard::Record);

/// Two practices, the first with an owner and a member who are signed in.
struct Sso {
    f: Fixture,
    practice: PracticeId,
    other: PracticeId,
}

fn described(entity_id: &str, end: Instant) -> ProviderDescription {
    let certificate = |expires_at| SigningCertificate { sha256: "ab".repeat(32), expires_at };
    ProviderDescription {
        entity_id: entity_id.into(),
        sign_in_url: "https://idp.example/sso".into(),
        certificates: vec![certificate(end), certificate(NOW)],
    }
}

impl Sso {
    fn new() -> Self {
        let mut f = Fixture::new();
        f.provision(2);
        let practice = |f: &Fixture, name: &str| {
            let sql = "SELECT id FROM practices WHERE name = ?1";
            let id: String = f.db.query_row(sql, [name], |row| row.get(0)).unwrap();
            PracticeId(id.parse().unwrap())
        };
        let (own, other) = (practice(&f, "Practice 1"), practice(&f, "Practice 2"));
        let mut sso = Self { f, practice: own, other };
        sso.write([user(OWNER, own, Role::Owner), user(MEMBER, own, Role::Member), session(SESSION, OWNER, "session")]);
        sso
    }

    /// The same with a verified domain.
    fn with_domain() -> Self {
        let sso = Self::new();
        let domain = "INSERT INTO practice_domains (practice_id, id, domain, token, created_at, verified_at)
                      VALUES (?1, ?2, 'practice.example', 't', 1, 1)";
        sso.f.db.execute(domain, [sso.practice.to_string(), Uuid::from_u128(1).to_string()]).unwrap();
        sso
    }

    fn write(&mut self, writes: impl Into<Vec<Write>>) {
        let ctx = self.f.ctx();
        let batch = self.f.lower(&Plan::of_operator(&ctx, writes.into()));
        self.f.run(&batch.statements).unwrap();
    }

    fn owner(&self) -> Person {
        Person { user_id: OWNER, practice_id: Some(self.practice), ..person(Role::Owner, Action::ManageSso) }
    }

    fn stored(&mut self) -> SsoSettings {
        self.f.read(&settings("session"))
    }

    /// Runs the batch of a change twice, as after a lost answer.
    fn commit(&mut self, ctx: &Ctx, change: Change) -> Result<(), DatabaseError> {
        let plan = Plan { guards: change.guards, actor: Actor::User(OWNER), ..Plan::of_operator(ctx, change.writes) };
        let statements = self.f.lower(&plan).statements;
        self.f.run(&statements)?;
        let again = self.f.run(&statements).unwrap_err();
        assert_eq!(again, DatabaseError::Conflict(FailedGuard::Done));
        Ok(())
    }

    fn saml(&mut self, entity: &str, end: Instant) -> (Ctx, Change) {
        let body = json!({ "name": "Okta", "metadata": "<x/>" }).to_string();
        let stored = self.stored();
        let ctx = self.f.ctx();
        let change = providers::added(
            parse(body, &ctx).unwrap(),
            Some(described(entity, end)),
            (&stored, &installation()),
            &self.owner(),
            &ctx,
        );
        (ctx, change.unwrap())
    }

    fn google(&mut self) -> (Ctx, Change) {
        let stored = self.stored();
        let ctx = self.f.ctx();
        let change = providers::added(
            parse(br#"{"provider":"google"}"#, &ctx).unwrap(),
            None,
            (&stored, &installation()),
            &self.owner(),
            &ctx,
        );
        (ctx, change.unwrap())
    }

    fn domain(&mut self, name: &str) -> (Ctx, Change) {
        let stored = self.stored();
        let ctx = self.f.ctx();
        let body = json!({ "domain": name }).to_string();
        let asked = parse(body, &ctx).unwrap();
        let change = domains::added(asked, &stored, &self.owner(), [1; 16], &ctx);
        (ctx, change.unwrap())
    }

    fn verify(&mut self, id: DomainId) -> (Ctx, Change) {
        let stored = self.stored();
        let ctx = self.f.ctx();
        let value = format!("overturn-domain-verification={}", "01".repeat(16));
        let change = domains::verified(id, &[value], &stored, &self.owner(), &ctx);
        (ctx, change.unwrap())
    }

    fn require(&mut self, on: bool) -> (Ctx, Change) {
        let stored = self.stored();
        let ctx = self.f.ctx();
        let asked = parse(json!({ "required": on }).to_string(), &ctx).unwrap();
        let owner = Person { sso: true, ..self.owner() };
        let change = required((asked, Seen::Version(stored.version)), (&stored, &installation()), &owner, &ctx);
        (ctx, change.unwrap())
    }

    /// New metadata of the SAML provider.
    fn renewal(&mut self, id: SsoProviderId, end: Instant) -> (Ctx, Change) {
        let stored = self.stored();
        let ctx = self.f.ctx();
        let asked = parse(br#"{"metadata":"<y/>"}"#, &ctx).unwrap();
        let provider = stored.providers.iter().find(|one| one.id == id).unwrap();
        let edit = (id, Seen::Version(provider.version), asked);
        let renewed = Some(described(ENTITY, end));
        let change = providers::edited(edit, renewed, (&stored, &installation()), &self.owner(), &ctx);
        (ctx, change.unwrap())
    }

    fn removal(&mut self, id: SsoProviderId) -> (Ctx, Change) {
        let stored = self.stored();
        let ctx = self.f.ctx();
        let places = (&stored, &installation());
        let change = providers::removed(id, places, &self.owner(), &ctx);
        (ctx, change.unwrap())
    }

    fn add(&mut self, (ctx, change): (Ctx, Change)) {
        self.commit(&ctx, change).unwrap();
    }
}

fn far() -> Instant {
    NOW.plus(400 * DAY_MS)
}

#[test]
fn two_additions_at_once_do_not_pass_a_bound_or_add_one_thing_twice() {
    let mut s = Sso::new();
    let twins = (s.google(), s.google());
    s.add(twins.0);
    assert_eq!(s.commit(&twins.1.0, twins.1.1), Err(CHANGED));
    let twins = (s.saml(ENTITY, far()), s.saml(ENTITY, far()));
    s.add(twins.0);
    assert_eq!(s.commit(&twins.1.0, twins.1.1), Err(CHANGED));
    for n in 3..10 {
        let new = s.saml(&format!("https://idp.example/{n}"), far());
        s.add(new);
    }
    let last = (s.saml("https://a.example", far()), s.saml("https://b.example", far()));
    s.add(last.0);
    assert_eq!(s.commit(&last.1.0, last.1.1), Err(CHANGED));
    assert_eq!(s.f.count("SELECT count(*) FROM sso_providers"), 10);
    let twins = (s.domain("clinic.example"), s.domain("clinic.example"));
    s.add(twins.0);
    assert_eq!(s.commit(&twins.1.0, twins.1.1), Err(CHANGED));
    for n in 2..20 {
        let new = s.domain(&format!("d{n}.example"));
        s.add(new);
    }
    let last = (s.domain("a.example"), s.domain("b.example"));
    s.add(last.0);
    assert_eq!(s.commit(&last.1.0, last.1.1), Err(CHANGED));
    assert_eq!(s.f.count("SELECT count(*) FROM practice_domains"), 20);
}

#[test]
fn a_practice_that_requires_single_sign_on_keeps_a_provider_also_if_two_changes_come_at_once() {
    let mut s = Sso::with_domain();
    let new = s.google();
    s.add(new);
    let id = s.stored().providers[0].id;
    // The removal and the requirement were decided on the same state.
    let (removal, require) = (s.removal(id), s.require(true));
    s.add(require);
    assert_eq!(s.commit(&removal.0, removal.1), Err(CHANGED));
    let off = s.require(false);
    s.add(off);
    let (removal, require) = (s.removal(id), s.require(true));
    s.add(removal);
    assert_eq!(s.commit(&require.0, require.1), Err(CHANGED));
    // Two providers go at once: one of them stays.
    let new = s.google();
    s.add(new);
    let new = s.saml(ENTITY, far());
    s.add(new);
    let on = s.require(true);
    s.add(on);
    let stored = s.stored();
    let (one, two) = (stored.providers[0].id, stored.providers[1].id);
    let (first, second) = (s.removal(one), s.removal(two));
    s.add(first);
    assert_eq!(s.commit(&second.0, second.1), Err(CHANGED));
    assert_eq!(s.f.count("SELECT count(*) FROM sso_providers"), 1);
}

#[test]
fn a_provider_that_the_installation_does_not_serve_keeps_no_practice_reachable() {
    let mut s = Sso::with_domain();
    let new = s.google();
    s.add(new);
    let new = s.saml(ENTITY, far());
    s.add(new);
    let okta = s.stored().providers[1].id;
    let (removal, require) = (s.removal(okta), s.require(true));
    s.add(require);
    // The provider that is left goes from the configuration.
    s.f.db.execute("UPDATE sso_providers SET configured = 'gone' WHERE kind = 'oidc'", []).unwrap();
    assert_eq!(s.commit(&removal.0, removal.1), Err(CHANGED));
    s.f.db.execute("UPDATE practices SET sso_required = 0", []).unwrap();
    let require = s.require(true);
    s.f.db.execute("DELETE FROM sso_providers WHERE kind = 'saml'", []).unwrap();
    assert_eq!(s.commit(&require.0, require.1), Err(CHANGED));
}

#[test]
fn a_practice_that_requires_single_sign_on_keeps_a_domain_also_if_two_changes_come_at_once() {
    let mut s = Sso::with_domain();
    let new = s.google();
    s.add(new);
    let id = s.stored().domains[0].id;
    let remove = |s: &mut Sso| {
        let (stored, ctx) = (s.stored(), s.f.ctx());
        let change = domains::removed(id, (&stored, &installation()), &s.owner(), &ctx).unwrap();
        (ctx, change)
    };
    let (removal, require) = (remove(&mut s), s.require(true));
    s.add(require);
    assert_eq!(s.commit(&removal.0, removal.1), Err(CHANGED));
    let off = s.require(false);
    s.add(off);
    let (removal, require) = (remove(&mut s), s.require(true));
    s.add(removal);
    assert_eq!(s.commit(&require.0, require.1), Err(CHANGED));
    // A domain that was verified after it was read is not the one to remove.
    let new = s.domain("b.example");
    s.add(new);
    let id = s.stored().domains[0].id;
    let (stored, ctx) = (s.stored(), s.f.ctx());
    let removal = domains::removed(id, (&stored, &installation()), &s.owner(), &ctx).unwrap();
    let verified = s.verify(id);
    s.add(verified);
    assert_eq!(s.commit(&ctx, removal), Err(CHANGED));
}

#[test]
fn single_sign_on_is_in_use_while_a_person_of_the_practice_has_a_session_by_it() {
    let mut s = Sso::new();
    assert!(!s.stored().in_use);
    let mut set = |sql: &str| {
        s.f.db.execute(sql, []).unwrap();
        s.stored().in_use
    };
    assert!(set("UPDATE sessions SET sso = 'x'"));
    assert!(!set("UPDATE sessions SET revoked_at = 5"));
    assert!(set("UPDATE sessions SET revoked_at = NULL"));
}

#[test]
fn the_identities_of_a_saml_provider_go_with_it_and_those_of_the_installation_stay() {
    let mut s = Sso::new();
    let new = s.google();
    s.add(new);
    let new = s.saml(ENTITY, far());
    s.add(new);
    let stored = s.stored();
    let (google, okta) = (stored.providers[0].id, stored.providers[1].id);
    for provider in ["google", &okta.to_string()] {
        let insert = "INSERT INTO identities (user_id, id, provider, issuer, subject, email, created_at)
                      VALUES (?1, ?2, ?2, 'issuer', 'subject', 'm@a.example', 1)";
        s.f.db.execute(insert, [&MEMBER.to_string(), provider]).unwrap();
    }
    for id in [google, okta] {
        let removal = s.removal(id);
        s.add(removal);
    }
    let left = "SELECT count(*) FROM identities WHERE provider = 'google'";
    assert_eq!(s.f.count(left), 1);
    assert_eq!(s.f.count("SELECT count(*) FROM identities"), 1);
}

/// A session that began by a provider, and a sign-in that waits for a second factor after it.
fn by(s: &mut Sso, n: u128, user_id: UserId, provider: SsoProviderId) {
    let (id, hash) = (SessionId(Uuid::from_u128(n)), format!("by {n}"));
    s.write([session(id, user_id, &hash)]);
    let marked = format!("UPDATE sessions SET sso = '{provider}' WHERE hash = '{hash}'");
    s.f.db.execute(&marked, []).unwrap();
    let waiting = "INSERT INTO continuations (hash, user_id, epoch, expires_at, sso) VALUES (?1, ?2, 1, 9, ?3)";
    s.f.db.execute(waiting, [hash, user_id.to_string(), provider.to_string()]).unwrap();
}

#[test]
fn new_metadata_and_a_removed_provider_end_what_began_by_the_provider() {
    for is_removed in [false, true] {
        let mut s = Sso::new();
        let new = s.saml(ENTITY, far());
        s.add(new);
        let okta = s.stored().providers[0].id;
        let google = SsoProviderId(Uuid::from_u128(61));
        let stranger = UserId(Uuid::from_u128(12));
        s.write([user(stranger, s.other, Role::Admin)]);
        // The owner has a factor of their own, the member has none.
        let factor = "INSERT INTO factors (user_id, id, key_version, sealed, created_at, confirmed_at)
                      VALUES (?1, 'f', 1, 'x', 1, 1)";
        s.f.db.execute(factor, [OWNER.to_string()]).unwrap();
        for (n, user_id, provider) in
            [(31, OWNER, okta), (32, MEMBER, okta), (33, OWNER, google), (34, MEMBER, google), (35, stranger, okta)]
        {
            by(&mut s, n, user_id, provider);
        }
        let change = if is_removed { s.removal(okta) } else { s.renewal(okta, far()) };
        for write in &change.1.writes {
            if let Write::Sql(_) = write {
                let statements = s.f.statements(&change.0, vec![write.clone()]);
                s.f.assert_indexed(
                    &statements[0],
                    &["SEARCH u ", "SEARCH users ", "CONSTANT ROW", "LIST SUBQUERY", "SCAN json_each "],
                );
            }
        }
        s.add(change);
        let of = |n: u128| {
            let columns = "coalesce(sso, '-') || iif(verified_at IS NULL, ' asks', ' verified')
                           || iif(revoked_at IS NULL, '', ' ended')";
            let row = format!("SELECT {columns} FROM sessions WHERE hash = 'by {n}'");
            let row: String = s.f.db.query_row(&row, [], |row| row.get(0)).unwrap();
            let waits = format!("SELECT coalesce(sso, '-') FROM continuations WHERE hash = 'by {n}'");
            let waits: String = s.f.db.query_row(&waits, [], |row| row.get(0)).unwrap();
            (row, waits)
        };
        assert_eq!(of(31), ("- asks".into(), "-".into()));
        assert_eq!(of(32), ("- asks ended".into(), "-".into()));
        for (n, provider) in [(33, google), (34, google), (35, okta)] {
            assert_eq!(of(n), (format!("{provider} verified"), provider.to_string()), "{n}");
        }
    }
}

#[test]
fn a_domain_is_verified_by_one_practice_only() {
    let mut s = Sso::new();
    let new = s.domain("clinic.example");
    s.add(new);
    let id = s.stored().domains[0].id;
    let verify = s.verify(id);
    let foreign = "INSERT INTO practice_domains (practice_id, id, domain, token, created_at, verified_at)
                   VALUES (?1, 'x', 'clinic.example', 't', 1, ?2)";
    let params = |at: Option<i64>| (s.other.to_string(), at);
    let (unverified, verified) = (params(None), params(Some(1)));
    // What another practice has only claimed stops nothing.
    s.f.db.execute(foreign, unverified).unwrap();
    let (ctx, change) = s.verify(id);
    s.commit(&ctx, change).unwrap();
    s.f.db
        .execute_batch("DELETE FROM practice_domains WHERE id = 'x'; UPDATE practice_domains SET verified_at = NULL")
        .unwrap();
    s.f.db.execute(foreign, verified).unwrap();
    assert!(s.stored().domains[0].taken);
    assert_eq!(s.commit(&verify.0, verify.1), Err(CHANGED));
}

#[test]
fn a_removed_domain_or_provider_is_changed_by_nothing() {
    let mut s = Sso::new();
    let new = s.domain("clinic.example");
    s.add(new);
    let new = s.saml(ENTITY, far());
    s.add(new);
    let stored = s.stored();
    let (domain, provider) = (stored.domains[0].id, stored.providers[0].id);
    let verify = s.verify(domain);
    let ctx = s.f.ctx();
    let asked = parse(br#"{"name":"New"}"#, &ctx).unwrap();
    let places = (&stored, &installation());
    let seen = Seen::Version(stored.providers[0].version);
    let edit = providers::edited((provider, seen, asked), None, places, &s.owner(), &ctx).unwrap();
    let removals = (s.removal(provider), s.removal(provider));
    s.add(removals.0);
    assert_eq!(s.commit(&removals.1.0, removals.1.1), Err(CHANGED));
    assert_eq!(s.commit(&ctx, edit), Err(CHANGED));
    let gone = s.f.ctx();
    let removal = domains::removed(domain, (&stored, &installation()), &s.owner(), &gone).unwrap();
    s.commit(&gone, removal).unwrap();
    assert_eq!(s.commit(&verify.0, verify.1), Err(CHANGED));
}

#[test]
fn a_practice_is_warned_once_for_each_of_the_two_dates_and_new_metadata_starts_over() {
    let mut s = Sso::new();
    let end = NOW.plus(20 * DAY_MS);
    let new = s.saml(ENTITY, end);
    s.add(new);
    let new = s.google();
    s.add(new);
    s.f.db.execute("UPDATE users SET role = 'admin' WHERE id = ?1", [MEMBER.to_string()]).unwrap();
    let warn = |s: &mut Sso, now: Instant| {
        let due = s.f.read(&ending(now));
        let seed = u8::try_from(now.since(NOW) / DAY_MS + 100).unwrap();
        for one in &due {
            let ctx = Ctx::new(now, [seed; 32]);
            let change = warned(*one, &ctx);
            s.f.commit(&ctx, (change.guards, change.writes)).unwrap();
            // Another sweep that read the same rows.
            let ctx = Ctx::new(now, [seed + 100; 32]);
            let change = warned(*one, &ctx);
            let twin = s.f.commit(&ctx, (change.guards, change.writes));
            assert_eq!(twin.unwrap_err(), CHANGED);
        }
        due.len()
    };
    assert_eq!(warn(&mut s, NOW), 1);
    assert_eq!(warn(&mut s, NOW), 0);
    assert_eq!(warn(&mut s, end.plus(-7 * DAY_MS - 1)), 0);
    assert_eq!(warn(&mut s, end.plus(-7 * DAY_MS)), 1);
    assert_eq!(warn(&mut s, end), 0);
    assert_eq!(s.f.count("SELECT count(*) FROM audit WHERE action = 'sso.provider_ending'"), 2);
    let mut due = s.f.read(&due_notices(end));
    due.retain(|one| one.kind != NoticeKind::ProviderAdded);
    assert_eq!(due.len(), 2);
    for notice in due {
        assert_eq!(notice.kind, NoticeKind::ProviderEnding);
        assert_eq!(notice.about.as_deref(), Some("Okta"));
        assert_eq!(notice.due_at.unwrap().0, end);
        assert_eq!(notice.to.len(), 2, "the owner and the admin");
    }
    // The roll-over begins the warnings again.
    let id = s.stored().providers[0].id;
    let renewal = s.renewal(id, end.plus(20 * DAY_MS));
    s.add(renewal);
    assert_eq!(warn(&mut s, end.plus(-10 * DAY_MS - 1)), 0);
    assert_eq!(warn(&mut s, end.plus(-10 * DAY_MS)), 1);
}

#[test]
fn a_sweep_reads_a_bounded_number_of_rows_and_none_if_nothing_is_due() {
    let s = Sso::new();
    let insert = "INSERT INTO sso_providers (practice_id, id, kind, name, metadata, entity_id, certificates, contexts,
                    created_at, certificates_end, warn_at)
                  VALUES (?1, ?2, 'saml', 'a', 'x', ?2, '[]', '[]', 1, 9, 5)";
    for n in 0..25 {
        let params = [s.practice.to_string(), format!("{n:02}")];
        s.f.db.execute(insert, params).unwrap();
    }
    let due = ending(Instant(5));
    let steps = s.f.plan(due.statement()).join("\n");
    assert!(steps.contains("INDEX sso_providers_ending (warn_at<?)"), "{steps}");
    assert!(!steps.contains("TEMP B-TREE"), "{steps}");
    let limited = "the statement stops after its page";
    assert!(due.statement().sql.contains("LIMIT CAST(?2 AS INTEGER)"), "{limited}");
}
