//! An account on SQLite, with everything that people sign in by.

use crate::accounts::account::{Account, NewUser, UserState, account_of_caller};
use crate::accounts::factors::{factor_confirmed, new_factor, replace_codes};
use crate::accounts::link::{LinkKind, NewLink};
use crate::accounts::new_session::{Browser, NewSession, SignInContext};
use crate::accounts::passkeys::StoredPasskey;
use crate::accounts::passkeys::enrolment::insert;
use crate::accounts::recovery::RecoveryCode;
use crate::auth::person::{Person, Via};
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::auth::session::SessionKind;
use crate::auth::totp::TotpSecret;
use crate::call::ClientOrigin;
use crate::pipeline::Continuation;
use crate::plan::change::{After, Change, LetterKind};
use crate::plan::{Plan, Write};
use crate::request::secret::{ContinuationToken, LinkToken};
use crate::store::Queries;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::Fixture;
use crate::testing::decisions::person;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{FactorId, PasskeyId, PracticeId, SessionId, UserId};
use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;
use overturn_core::identity::passkeys::NewCredential;
use uuid::Uuid;

pub(crate) const NOW: Instant = Instant(1_800_000_000_000);
pub(crate) const OWNER: UserId = UserId(Uuid::from_u128(10));
pub(crate) const MEMBER: UserId = UserId(Uuid::from_u128(11));
pub(crate) const INVITED: UserId = UserId(Uuid::from_u128(12));
/// The owner's session that makes the requests. Its hash is `session`.
pub(crate) const SESSION: SessionId = SessionId(Uuid::from_u128(20));
/// Another session of the owner.
pub(crate) const ELSEWHERE: SessionId = SessionId(Uuid::from_u128(21));
pub(crate) const OF_MEMBER: SessionId = SessionId(Uuid::from_u128(22));
pub(crate) const FACTOR: FactorId = FactorId(Uuid::from_u128(30));
/// The owner's passkeys, and one of the member.
pub(crate) const FIRST: PasskeyId = PasskeyId(Uuid::from_u128(40));
pub(crate) const SECOND: PasskeyId = PasskeyId(Uuid::from_u128(41));
pub(crate) const PASSKEY_OF_MEMBER: PasskeyId = PasskeyId(Uuid::from_u128(42));

pub(crate) fn secret() -> TotpSecret {
    TotpSecret::new([9; 20])
}

pub(crate) fn recovery_code() -> RecoveryCode {
    RecoveryCode::mint([3; 15])
}

/// The token of the link of a kind.
pub(crate) fn link(kind: LinkKind) -> LinkToken {
    LinkToken::mint([kind as u8; 32])
}

/// The continuation token of the owner's sign-in.
pub(crate) fn at_sign_in() -> ContinuationToken {
    ContinuationToken::mint([4; 32])
}

/// The continuation token with which the owner's session confirms its second factor again.
pub(crate) fn in_session() -> ContinuationToken {
    ContinuationToken::mint([5; 32])
}

pub(crate) fn passkey(id: PasskeyId, user_id: UserId) -> StoredPasskey {
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
pub(crate) fn owner(practice: PracticeId) -> Person {
    let owner = person(Role::Owner, Action::ChangePassword);
    Person { user_id: OWNER, practice_id: Some(practice), epoch: 1, via: Via::Session(SESSION), ..owner }
}

/// Decides in a new browser.
pub(crate) fn with<T>(ctx: &Ctx, decide: impl FnOnce(SignInContext<'_>) -> T) -> T {
    let place = ClientOrigin { ip: "192.0.2.1".into(), agent: "tests".into() };
    decide(SignInContext { browser: Browser::default(), place: &place, random: [6; 32], ctx })
}

/// The emails of a change.
pub(crate) fn mailed(change: &Change) -> Vec<LetterKind> {
    let letters = change.after.iter().filter_map(|after| match after {
        After::Mail(letter) => Some(letter.says.clone()),
        _ => None,
    });
    letters.collect()
}

/// The detail of a change's own audit row.
pub(crate) fn audited(change: &Change) -> &serde_json::Value {
    let Some(Write::Audit(entry)) = change.writes.first() else {
        panic!("no audit row");
    };
    entry.detail.as_ref().unwrap()
}

pub(crate) struct Accounts {
    pub(crate) f: Fixture,
    pub(crate) practice: PracticeId,
}

impl Accounts {
    /// An owner with two sessions, a password, an authenticator app, a recovery code, two passkeys, links and
    /// continuation tokens; a member with a session and a passkey; and an invited person.
    pub(crate) fn new() -> Self {
        let mut f = Fixture::new();
        let practice = f.practice();
        let user = |id, role: Role, state, name: &str| {
            let user = NewUser {
                id,
                practice_id: Some(practice),
                role,
                state,
                email: format!("{name}@a.example"),
                email_key: format!("{name}@a.example"),
                name: name.into(),
                password_hash: Some("hash".into()),
                created_at: NOW,
            };
            user.write()
        };
        let session = |id, user_id, hash: &str| {
            let session = NewSession {
                id,
                user_id,
                hash: hash.into(),
                kind: SessionKind::Full,
                sso: None,
                epoch: 1,
                created_at: NOW,
                verified_at: Some(NOW.plus(-5)),
                place: ClientOrigin::default(),
            };
            session.writes()
        };
        let expires_at = NOW.plus(1000);
        let continuation = |token: &ContinuationToken, session_id| {
            Continuation { user_id: OWNER, epoch: 1, sso: None, session_id, expires_at }.begin(token, NOW)
        };
        let link = |kind, user_id| NewLink { hash: link(kind).hash(), kind, user_id, epoch: 1, expires_at }.writes(NOW);
        let mut writes = vec![
            user(OWNER, Role::Owner, UserState::Active, "owner"),
            user(MEMBER, Role::Member, UserState::Active, "member"),
            user(INVITED, Role::Member, UserState::Invited, "invited"),
        ];
        writes.extend(
            [
                session(SESSION, OWNER, "session"),
                session(ELSEWHERE, OWNER, "elsewhere"),
                session(OF_MEMBER, MEMBER, "member"),
            ]
            .into_iter()
            .flatten(),
        );
        writes.extend(
            [
                continuation(&at_sign_in(), None),
                continuation(&in_session(), Some(SESSION)),
                link(LinkKind::SignIn, OWNER),
                link(LinkKind::PasswordReset, OWNER),
                link(LinkKind::Invitation, INVITED),
                new_factor(OWNER, FACTOR, &secret(), NOW),
                factor_confirmed(OWNER, FACTOR, NOW),
                replace_codes(OWNER, &[recovery_code(), RecoveryCode::mint([2; 15])]),
            ]
            .into_iter()
            .flatten(),
        );
        let passkeys = [passkey(SECOND, OWNER), passkey(FIRST, OWNER), passkey(PASSKEY_OF_MEMBER, MEMBER)];
        writes.extend(passkeys.iter().map(insert));
        let ctx = f.ctx();
        let batch = f.lower(&Plan::of_operator(&ctx, writes));
        f.run(&batch.statements).unwrap();
        Self { f, practice }
    }

    pub(crate) fn owner(&self) -> Person {
        owner(self.practice)
    }

    /// The owner's account.
    pub(crate) fn account(&mut self) -> Account {
        self.f.read(&account_of_caller("session")).unwrap()
    }

    pub(crate) fn commit(&mut self, ctx: &Ctx, change: &Change) -> Result<(), DatabaseError> {
        self.f.commit(ctx, (change.guards.clone(), change.writes.clone())).map(drop)
    }

    pub(crate) fn read<Q: Queries>(&mut self, queries: &Q) -> Q::Rows {
        self.f.read(queries)
    }

    /// All rows about people, as text.
    pub(crate) fn everything(&self) -> String {
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
    pub(crate) fn rows(&self, sql: &str) -> String {
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
    pub(crate) fn sessions(&self) -> String {
        self.rows("SELECT hash FROM sessions WHERE revoked_at IS NULL ORDER BY user_id, id").replace('\n', " ")
    }
}

/// Checks that a change commits, and that it changes nothing once one of these statements has run. Each of its guards is
/// the only one that stops one of them.
pub(crate) fn assert_guarded(decide: impl Fn(&mut Accounts) -> (Ctx, Change), broken: &[(&str, FailedGuard)]) {
    let broken_by = |sql: &str| {
        let mut a = Accounts::new();
        let (ctx, change) = decide(&mut a);
        assert_eq!(a.f.db.execute_batch(sql), Ok(()), "{sql}");
        (a, ctx, change)
    };
    let (mut a, ctx, change) = broken_by("");
    assert_eq!(a.commit(&ctx, &change), Ok(()));
    let mut alone = vec![false; change.guards.len()];
    for (sql, failed) in broken {
        let stopped = Err(DatabaseError::Conflict(*failed));
        let (mut a, ctx, change) = broken_by(sql);
        let before = a.everything();
        assert_eq!(a.commit(&ctx, &change), stopped, "{sql}");
        assert_eq!(a.everything(), before, "{sql}");
        let each = change.guards.into_iter().map(|guard| a.f.commit(&ctx, (vec![guard], Vec::new())).map(drop));
        let each: Vec<_> = each.collect();
        let stops: Vec<_> = each.iter().enumerate().filter(|(_, done)| done.is_err()).collect();
        if let [(n, done)] = stops[..] {
            assert_eq!(*done, stopped, "{sql}");
            alone[n] = true;
        }
    }
    let not_alone = change.guards.iter().zip(&alone).find(|(_, alone)| !**alone);
    assert!(not_alone.is_none(), "{not_alone:?}");
}
