//! An account on SQLite, with everything that people sign in by.

use crate::accounts::passkeys::StoredPasskey;
use crate::accounts::passkeys::enrolment::insert;
use overturn_core::accounts::account::Account;
use overturn_core::accounts::new_session::{Browser, SignInContext};
use overturn_core::accounts::recovery::RecoveryCode;
use overturn_core::auth::person::{Person, Via};
use overturn_core::auth::rights::Action;
use overturn_core::auth::role::Role;
use overturn_core::auth::session::SessionKind;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{FactorId, PasskeyId, PracticeId, SessionId, UserId};
use overturn_core::base::instant::Instant;
use overturn_core::base::secret::{ContinuationToken, LinkToken};
use overturn_core::base::time::Time;
use overturn_core::base::totp::TotpSecret;
use overturn_core::identity::passkeys::NewCredential;
use overturn_core::plan::accounts::{
    ClientOrigin, LinkKind, NewContinuation, NewFactor, NewLink, NewSession, NewUser, RecoveryCodes, UserState,
};
use overturn_core::plan::change::{After, Change, LetterKind};
use overturn_core::plan::{AccountsWrite, Plan, Write};
use overturn_core::testing::person;
use overturn_store::accounts::queries;
use overturn_store::error::{DatabaseError, FailedGuard};
use overturn_store::testing::Fixture;
use overturn_store::{Queries, Statement};
use uuid::Uuid;

pub(super) const NOW: Instant = Instant(1_800_000_000_000);
pub(super) const OWNER: UserId = UserId(Uuid::from_u128(10));
pub(super) const MEMBER: UserId = UserId(Uuid::from_u128(11));
pub(super) const INVITED: UserId = UserId(Uuid::from_u128(12));
/// The owner's session that makes the requests. Its hash is `session`.
pub(super) const SESSION: SessionId = SessionId(Uuid::from_u128(20));
/// Another session of the owner.
pub(super) const ELSEWHERE: SessionId = SessionId(Uuid::from_u128(21));
pub(super) const OF_MEMBER: SessionId = SessionId(Uuid::from_u128(22));
pub(super) const FACTOR: FactorId = FactorId(Uuid::from_u128(30));
/// The owner's passkeys, and one of the member.
pub(super) const FIRST: PasskeyId = PasskeyId(Uuid::from_u128(40));
pub(super) const SECOND: PasskeyId = PasskeyId(Uuid::from_u128(41));
pub(super) const PASSKEY_OF_MEMBER: PasskeyId = PasskeyId(Uuid::from_u128(42));

pub(super) fn secret() -> TotpSecret {
    TotpSecret::new([9; 20])
}

pub(super) fn recovery_code() -> RecoveryCode {
    RecoveryCode::mint([3; 15])
}

/// The token of the link of a kind.
pub(super) fn link(kind: LinkKind) -> LinkToken {
    LinkToken::mint([kind as u8; 32])
}

/// The continuation token of the owner's sign-in.
pub(super) fn at_sign_in() -> ContinuationToken {
    ContinuationToken::mint([4; 32])
}

/// The continuation token with which the owner's session confirms its second factor again.
pub(super) fn in_session() -> ContinuationToken {
    ContinuationToken::mint([5; 32])
}

pub(super) fn passkey(id: PasskeyId, user_id: UserId) -> StoredPasskey {
    StoredPasskey {
        id,
        user_id,
        name: "Front desk".into(),
        created_at: Time(NOW),
        last_used_at: None,
        credential: NewCredential {
            id: format!("credential-{id}"),
            public_key: "a2V5".into(),
            sign_count: 5,
            backup_eligible: true,
            backed_up: true,
            transports: vec!["internal".into(), "hybrid".into()],
        },
    }
}

/// The owner in [`SESSION`].
pub(super) fn owner(practice: PracticeId) -> Person {
    let owner = person(Role::Owner, Action::ChangePassword);
    Person { user_id: OWNER, practice_id: Some(practice), epoch: 1, via: Via::Session(SESSION), ..owner }
}

/// Decides in a new browser.
pub(super) fn with<T>(ctx: &Ctx, decide: impl FnOnce(SignInContext<'_>) -> T) -> T {
    let place = ClientOrigin { ip: "192.0.2.1".into(), agent: "tests".into() };
    decide(SignInContext { browser: Browser::default(), place: &place, random: [6; 32], ctx })
}

/// The emails of a change.
pub(super) fn mailed(change: &Change) -> Vec<LetterKind> {
    let letters = change.after.iter().filter_map(|after| match after {
        After::Mail(letter) => Some(letter.says.clone()),
        _ => None,
    });
    letters.collect()
}

/// The detail of a change's own audit row.
pub(super) fn audited(change: &Change) -> &serde_json::Value {
    let Some(Write::Audit(entry)) = change.writes.first() else {
        panic!("no audit row");
    };
    entry.detail.as_ref().unwrap()
}

pub(super) struct Accounts {
    pub(super) f: Fixture,
    pub(super) practice: PracticeId,
}

impl Accounts {
    /// An owner with two sessions, a password, an authenticator app, a recovery code, two passkeys, links and
    /// continuation tokens; a member with a session and a passkey; and an invited person.
    pub(super) fn new() -> Self {
        let mut f = Fixture::new();
        let practice: String = f.db.query_row("SELECT id FROM practices", [], |row| row.get(0)).unwrap();
        let practice = PracticeId(practice.parse().unwrap());
        let user = |id, role: Role, state, name: &str| {
            AccountsWrite::NewUser(NewUser {
                id,
                practice_id: Some(practice),
                role,
                state,
                email: format!("{name}@a.example"),
                email_key: format!("{name}@a.example"),
                name: name.into(),
                password_hash: Some("hash".into()),
                created_at: NOW,
            })
        };
        let session = |id, user_id, hash: &str| {
            AccountsWrite::NewSession(NewSession {
                id,
                user_id,
                hash: hash.into(),
                kind: SessionKind::Full,
                sso: false,
                epoch: 1,
                created_at: NOW,
                verified_at: Some(NOW.plus(-5)),
                place: ClientOrigin::default(),
            })
        };
        let continuation = |token: &ContinuationToken, session_id| {
            let (hash, expires_at) = (token.hash(), NOW.plus(1000));
            let new = NewContinuation { hash, user_id: OWNER, epoch: 1, sso: false, session_id, expires_at };
            AccountsWrite::NewContinuation(new)
        };
        let link = |kind, user_id| {
            let (hash, expires_at) = (link(kind).hash(), NOW.plus(1000));
            AccountsWrite::NewLink(NewLink { hash, kind, user_id, epoch: 1, expires_at })
        };
        let codes = RecoveryCodes { user_id: OWNER, hashes: vec![recovery_code().hash(OWNER), "spare".into()] };
        let writes = [
            user(OWNER, Role::Owner, UserState::Active, "owner"),
            user(MEMBER, Role::Member, UserState::Active, "member"),
            user(INVITED, Role::Member, UserState::Invited, "invited"),
            session(SESSION, OWNER, "session"),
            session(ELSEWHERE, OWNER, "elsewhere"),
            session(OF_MEMBER, MEMBER, "member"),
            continuation(&at_sign_in(), None),
            continuation(&in_session(), Some(SESSION)),
            link(LinkKind::SignIn, OWNER),
            link(LinkKind::PasswordReset, OWNER),
            link(LinkKind::Invitation, INVITED),
            AccountsWrite::NewFactor(NewFactor { id: FACTOR, user_id: OWNER, secret: secret() }),
            AccountsWrite::FactorConfirmed { user: OWNER, factor: FACTOR },
            AccountsWrite::RecoveryCodes(codes),
        ];
        let passkeys = [passkey(SECOND, OWNER), passkey(FIRST, OWNER), passkey(PASSKEY_OF_MEMBER, MEMBER)];
        let writes = writes.map(Write::Accounts).into_iter().chain(passkeys.iter().map(insert));
        let ctx = f.ctx();
        let batch = f.lower(&Plan::of_operator(&ctx, writes.collect()));
        f.run(&batch.statements).unwrap();
        Self { f, practice }
    }

    pub(super) fn owner(&self) -> Person {
        owner(self.practice)
    }

    /// The owner's account.
    pub(super) fn account(&mut self) -> Account {
        self.f.read(&queries::account_of_caller("session")).unwrap()
    }

    /// Commits a change. Every statement finds its rows by an index, and the writes do the same if they run twice.
    pub(super) fn commit(&mut self, ctx: &Ctx, change: &Change) -> Result<(), DatabaseError> {
        let plan = (change.guards.clone(), change.writes.clone());
        self.f.commit(ctx, plan)?;
        let once = self.everything();
        let again = change.writes.iter().filter(|write| !matches!(write, Write::Audit(_)));
        let again = self.f.statements(ctx, again.cloned().collect());
        self.f.run(&again).unwrap();
        assert_eq!(self.everything(), once);
        let all = Plan { guards: change.guards.clone(), ..Plan::of_operator(ctx, change.writes.clone()) };
        for statement in self.f.lower(&all).statements {
            self.assert_indexed(&statement);
        }
        Ok(())
    }

    /// Reads, and checks that every query finds its rows by an index.
    pub(super) fn read<Q: Queries>(&mut self, queries: &Q) -> Q::Rows {
        let mut statements = Vec::new();
        queries.add_to(&mut statements);
        for statement in &statements {
            self.assert_indexed(statement);
        }
        self.f.read(queries)
    }

    fn assert_indexed(&self, statement: &Statement) {
        // A practice has few people, and the caller is one row of two tables.
        let harmless =
            ["VIRTUAL TABLE", "CONSTANT ROW", "SEARCH users USING", "SEARCH o USING INDEX users_of_practice"];
        self.f.assert_indexed(statement, &harmless);
    }

    /// All rows about people, as text.
    pub(super) fn everything(&self) -> String {
        let tables = [
            "SELECT * FROM users",
            "SELECT * FROM sessions",
            "SELECT * FROM continuations",
            "SELECT * FROM links",
            // A secret that is sealed twice looks different.
            "SELECT user_id, id, key_version, created_at, confirmed_at, last_step FROM factors",
            "SELECT * FROM recovery_codes",
            "SELECT * FROM passkeys",
            "SELECT * FROM spent_proofs",
            "SELECT * FROM password_tries",
            "SELECT * FROM audit",
        ];
        tables.map(|table| self.rows(table)).join("\n")
    }

    /// The rows of a query, one a line.
    pub(super) fn rows(&self, sql: &str) -> String {
        let mut prepared = self.f.db.prepare(sql).unwrap();
        let columns = prepared.column_count();
        let mut rows = prepared.query([]).unwrap();
        let mut lines = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            let values = (0..columns).map(|n| match row.get_ref(n).unwrap() {
                rusqlite::types::ValueRef::Null => "-".into(),
                rusqlite::types::ValueRef::Integer(n) => n.to_string(),
                rusqlite::types::ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
                other => format!("{other:?}"),
            });
            lines.push(values.collect::<Vec<_>>().join(" "));
        }
        lines.join("\n")
    }

    /// The hashes of the sessions that have not ended.
    pub(super) fn sessions(&self) -> String {
        self.rows("SELECT hash FROM sessions WHERE revoked_at IS NULL ORDER BY user_id, id").replace('\n', " ")
    }
}

/// Checks that a change commits, and that it changes nothing once one of these statements has run. Each of its guards is
/// the only one that stops one of them.
pub(super) fn assert_guarded(decide: impl Fn(&mut Accounts) -> (Ctx, Change), broken: &[(&str, FailedGuard)]) {
    let broken_by = |sql: &str| {
        let mut a = Accounts::new();
        let (ctx, change) = decide(&mut a);
        assert_eq!(a.f.db.execute_batch(sql), Ok(()), "{sql}");
        (a, ctx, change)
    };
    let (mut a, ctx, change) = broken_by("");
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    for (sql, failed) in broken {
        let (mut a, ctx, change) = broken_by(sql);
        let before = a.everything();
        assert_eq!(a.commit(&ctx, &change), Err(DatabaseError::Conflict(*failed)), "{sql}");
        assert_eq!(a.everything(), before, "{sql}");
    }
    for (n, guard) in change.guards.iter().enumerate() {
        let alone = broken.iter().any(|(sql, failed)| {
            let (mut a, ctx, mut change) = broken_by(sql);
            change.guards.remove(n);
            let done = a.f.commit(&ctx, (change.guards, change.writes)).map(drop);
            done != Err(DatabaseError::Conflict(*failed))
        });
        assert!(alone, "{guard:?}");
    }
}
