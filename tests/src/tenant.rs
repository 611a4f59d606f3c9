//! Practices and their keys, made by the plans that make them in production.

use crate::answer::Sent;
use crate::client::Client;
use crate::database::{Database, lowered};
use crate::sealed;
use crate::server::{SEALING_KEYS, Server};
use overturn_core::auth::disclosure::PracticeState;
use overturn_core::auth::scope::{Scope, Scopes};
use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::{AgreementId, PracticeId};
use overturn_core::base::instant::Instant;
use overturn_core::base::token::Realm;
use overturn_core::plan::settings::{self, Agreement, NewApiKey, Practice};
use overturn_core::plan::{Plan, SettingsWrite, Write};
use overturn_store::keyring::Keyring;
use overturn_store::lower::lower;
use overturn_store::sealer::Sealer;
use serde_json::Value;
use std::time::SystemTime;

/// What a practice is made with.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Whether it is active.
    pub active: bool,
    /// Whether it signed the agreement.
    pub signed: bool,
    /// Whether its appeal button is switched on.
    pub appeal_button: bool,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            active: true,
            signed: true,
            appeal_button: true,
        }
    }
}

/// A practice on a server.
#[derive(Debug)]
pub struct Tenant<'s> {
    /// Where it is.
    pub server: &'s Server,
    /// Its id.
    pub id: PracticeId,
    /// A key that may do everything.
    pub key: Key,
}

/// How many rows there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Claims.
    pub claims: i64,
    /// Submissions.
    pub submissions: i64,
    /// Events of claims.
    pub events: i64,
    /// Rows of the audit trail.
    pub audit: i64,
}

/// An API key.
#[derive(Clone, Debug)]
pub struct Key {
    /// What its holder knows.
    pub text: String,
    /// Its id.
    pub id: String,
    /// What the service knows it by.
    pub hash: String,
}

impl<'s> Tenant<'s> {
    /// A practice that may do everything.
    #[must_use]
    pub fn new(server: &'s Server) -> Self {
        Self::on(server, Terms::default())
    }

    /// A practice on these terms.
    #[must_use]
    pub fn on(server: &'s Server, terms: Terms) -> Self {
        let ctx = ctx();
        let id = PracticeId(ctx.id(Purpose::Record, 0));
        let practice = Practice {
            id,
            name: "Practice".into(),
            state: if terms.active {
                PracticeState::Active
            } else {
                PracticeState::Inactive
            },
            appeal_button: terms.appeal_button,
            created_at: ctx.now,
        };
        let mut writes = vec![Write::Settings(SettingsWrite::NewPractice(practice))];
        if terms.signed {
            let agreement = Agreement {
                id: AgreementId(ctx.id(Purpose::Record, 1)),
                practice_id: id,
                version: "1".into(),
                signer_name: "Ann".into(),
                signer_title: "Owner".into(),
                signed_at: ctx.now,
                signed_by: None,
            };
            writes.push(Write::Settings(SettingsWrite::NewAgreement(agreement)));
        }
        carry_out(&server.database(), &ctx, writes);
        let key = mint(server, id, &Scope::ALL, Realm::Test);
        Self { server, id, key }
    }

    /// One more key of it.
    #[must_use]
    pub fn key(&self, scopes: &[Scope], realm: Realm) -> Key {
        mint(self.server, self.id, scopes, realm)
    }

    /// A client with the key that may do everything.
    #[must_use]
    pub fn client(&self) -> Client {
        self.client_of(&self.key)
    }

    /// A client with a key.
    #[must_use]
    pub fn client_of(&self, key: &Key) -> Client {
        let bearer = format!("Bearer {}", key.text);
        self.server.client().with("Authorization", &bearer)
    }

    /// A number about the practice, `?1` in a query `SELECT … AS n`.
    #[must_use]
    pub fn number(&self, sql: &str) -> i64 {
        let id = self.id.to_string();
        self.server.database().number(sql, &[&id])
    }

    /// Sends a body that is valid.
    #[must_use]
    pub fn send(&self, body: &Value) -> Sent {
        Sent::read(body, &self.client().send(body))
    }

    /// The row of a claim.
    #[must_use]
    pub fn row(&self, claim_number: &str) -> Value {
        let mut rows = self.rows(
            "SELECT * FROM claims WHERE practice_id = ?1 AND claim_number = ?2",
            &[claim_number],
        );
        assert_eq!(rows.len(), 1, "{claim_number}");
        let mut row = rows.remove(0);
        // Computed from the number, for an earlier version.
        row.as_object_mut().unwrap().remove("rowid");
        row
    }

    /// The rows of a query, in which the practice is `?1` and the parameters follow.
    #[must_use]
    pub fn rows(&self, sql: &str, params: &[&str]) -> Vec<Value> {
        let id = self.id.to_string();
        let params = [&[&*id], params].concat();
        self.server.database().rows(sql, &params)
    }

    /// Changes rows, likewise.
    pub fn change(&self, sql: &str, params: &[&str]) {
        let _none = self.rows(sql, params);
    }

    /// What is sealed in the row of a claim.
    #[must_use]
    pub fn opened(&self, row: &Value) -> Value {
        self.opened_by(&keyring(), row)
    }

    /// Likewise, by the keys of another secret.
    #[must_use]
    pub fn opened_by(&self, keys: &Keyring, row: &Value) -> Value {
        let place = self.claim_place(row);
        serde_json::from_slice(&sealed::opened(self, keys, place, row)).unwrap()
    }

    /// The rows of its audit trail with this action, the oldest first.
    #[must_use]
    pub fn audit(&self, action: &str) -> Vec<Value> {
        let sql = "SELECT actor, record, request_id, json(detail) AS detail FROM audit
                   WHERE practice_id = ?1 AND action = ?2 ORDER BY id";
        self.rows(sql, &[action])
    }

    /// How many rows the practice has in the tables that a send writes to. That a resend was for another patient or claim is in the
    /// trail as well, and not counted here.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let count = |table: &str| {
            self.number(&format!(
                "SELECT count(*) AS n FROM {table} WHERE practice_id = ?1"
            ))
        };
        Counts {
            claims: count("claims"),
            submissions: count("all_submissions"),
            events: count("claim_history"),
            // Not that of its data key, which its first send makes.
            audit: self.number(
                "SELECT count(*) AS n FROM audit WHERE practice_id = ?1 AND action NOT IN ('claims.mismatched', 'data_key.created')",
            ),
        }
    }

    /// How many claims it has.
    #[must_use]
    pub fn claims(&self) -> i64 {
        self.number("SELECT count(*) AS n FROM claims WHERE practice_id = ?1")
    }

    /// Fails unless everything stored of the practice fits together.
    pub fn check(&self) {
        for (rule, broken) in CONSISTENT {
            assert_eq!(self.number(broken), 0, "{rule}");
        }
    }
}

/// What must hold of the rows of a practice, and how many break it.
const CONSISTENT: [(&str, &str); 8] = [
    (
        "a claim belongs to a submission",
        "SELECT count(*) AS n FROM claims c WHERE practice_id = ?1 AND NOT EXISTS (
           SELECT 1 FROM all_submissions s WHERE s.practice_id = c.practice_id AND s.id = c.submission_id)",
    ),
    (
        "a submission has claims",
        "SELECT count(*) AS n FROM all_submissions s WHERE practice_id = ?1 AND NOT EXISTS (
           SELECT 1 FROM claims c WHERE c.practice_id = s.practice_id AND c.submission_id = s.id)",
    ),
    (
        "the events of a claim are its versions, the first of which is its arrival in its submission",
        "SELECT count(*) AS n FROM claims c JOIN all_submissions s ON s.practice_id = c.practice_id AND s.id = c.submission_id
         WHERE c.practice_id = ?1 AND (SELECT count(*) || ' ' || min(version) || ' ' || max(version) || ' ' ||
             sum(kind = 'received') || ' ' || max(iif(version = 1, kind || request_id, '')) FROM claim_history e
             WHERE e.practice_id = c.practice_id AND e.claim_id = c.id)
           IS NOT c.version || ' 1 ' || c.version || ' 1 received' || s.request_id",
    ),
    (
        "an event belongs to a claim",
        "SELECT count(*) AS n FROM claim_events e WHERE practice_id = ?1 AND NOT EXISTS (
           SELECT 1 FROM claims c WHERE c.practice_id = e.practice_id AND c.id = e.claim_id)",
    ),
    (
        "a submission is audited once, under its request",
        "SELECT count(*) AS n FROM all_submissions s WHERE practice_id = ?1 AND 1 IS NOT (
           SELECT count(*) FROM audit a WHERE a.practice_id = s.practice_id AND a.action = 'submission.received'
             AND a.record = s.id AND a.request_id = s.request_id)",
    ),
    (
        "an audited submission is there",
        "SELECT count(*) AS n FROM audit a WHERE practice_id = ?1 AND action = 'submission.received' AND NOT EXISTS (
           SELECT 1 FROM all_submissions s WHERE s.practice_id = a.practice_id AND s.id = a.record)",
    ),
    (
        "the corrections of a request are audited once",
        "SELECT count(*) AS n FROM (SELECT DISTINCT request_id FROM claim_events WHERE practice_id = ?1 AND kind = 'corrected') e
         WHERE 1 IS NOT (SELECT count(*) FROM audit a
           WHERE a.practice_id = ?1 AND a.action = 'claims.corrected' AND a.request_id = e.request_id)",
    ),
    (
        "audited corrections happened",
        "SELECT count(*) AS n FROM audit a WHERE practice_id = ?1 AND action = 'claims.corrected' AND NOT EXISTS (
           SELECT 1 FROM claim_events e WHERE e.practice_id = a.practice_id AND e.request_id = a.request_id
             AND e.kind = 'corrected')",
    ),
];

/// A key made now.
#[must_use]
pub fn mint(server: &Server, practice_id: PracticeId, scopes: &[Scope], realm: Realm) -> Key {
    let ctx = ctx();
    let new = NewApiKey {
        practice_id,
        name: "Billing".into(),
        scopes: Scopes::of(scopes),
        realm,
    };
    let (key, record) = settings::mint_api_key(new, random(), 0, &ctx);
    let id = record.id.to_string();
    carry_out(
        &server.database(),
        &ctx,
        vec![Write::Settings(SettingsWrite::NewApiKey(record))],
    );
    Key {
        text: key.expose().into(),
        id,
        hash: key.hash(),
    }
}

/// Carries out what the operator does.
pub fn carry_out(database: &Database, ctx: &Ctx, writes: Vec<Write<'_>>) {
    let plan = Plan::of_operator(ctx, writes);
    let (keys, mut nonce) = (keyring(), random);
    let mut sealer = Sealer::new(&keys, None, &mut nonce);
    let batch = lower(&plan, &mut sealer).unwrap();
    let statements: Vec<_> = batch.statements.iter().map(lowered).collect();
    let _none = database.batch(&statements);
}

/// The keys that the servers of the tests seal under.
#[must_use]
pub fn keyring() -> Keyring {
    Keyring::parse(SEALING_KEYS).ok().unwrap()
}

/// The current time and fresh ids.
#[must_use]
pub fn ctx() -> Ctx {
    Ctx::new(now(), random())
}

/// The current time.
#[must_use]
pub fn now() -> Instant {
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap();
    Instant(now.as_millis().try_into().unwrap())
}

/// Random bytes.
#[must_use]
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).unwrap();
    bytes
}
