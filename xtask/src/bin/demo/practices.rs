//! The practices of the demo data: one that everything works for, and one for each way to be refused.

use overturn_core::audit::{Entry, Event};
use overturn_core::ctx::{Ctx, Instant, Purpose};
use overturn_core::id::{AgreementId, PracticeId};
use overturn_core::plan::{Plan, Write};
use overturn_core::practice::{
    API_KEY_LIFETIME_MS, Agreement, NewApiKey, Practice, State, mint_api_key,
};
use overturn_core::scope::{Scope, Scopes};
use overturn_core::token::Realm;
use serde_json::{Map, Value, json};

const DAY_MS: i64 = 86_400_000;

/// How a key of the demo differs from a good one.
#[derive(Clone, Copy)]
enum Flaw {
    None,
    Expired,
    Revoked,
}

const BOTH: &[Scope] = &[Scope::ClaimsWrite, Scope::ClaimsRead];
const FULL: [(&str, &[Scope], Flaw); 1] = [("full", BOTH, Flaw::None)];
const EVERY_KEY: [(&str, &[Scope], Flaw); 5] = [
    ("full", BOTH, Flaw::None),
    ("write", &[Scope::ClaimsWrite], Flaw::None),
    ("read", &[Scope::ClaimsRead], Flaw::None),
    ("expired", BOTH, Flaw::Expired),
    ("revoked", BOTH, Flaw::Revoked),
];

/// What is being made: the writes, and the keys that nothing else will ever show again.
pub(crate) struct Practices<'c> {
    ctx: &'c Ctx,
    writes: Vec<Write<'static>>,
    keys: Map<String, Value>,
    records: usize,
}

impl<'c> Practices<'c> {
    pub(crate) fn new(ctx: &'c Ctx) -> Self {
        Self {
            ctx,
            writes: Vec::new(),
            keys: Map::new(),
            records: 0,
        }
    }

    /// All of them. `random` is a cryptographic source.
    pub(crate) fn add_all<E>(&mut self, random: impl Fn() -> Result<[u8; 24], E>) -> Result<(), E> {
        self.add(
            "active",
            "Cedar Hill Family Medicine",
            State::Active,
            true,
            &EVERY_KEY,
            &random,
        )?;
        self.add(
            "other",
            "Lakeside Orthopedics",
            State::Active,
            true,
            &FULL,
            &random,
        )?;
        self.add(
            "no_baa",
            "Juniper Street Pediatrics",
            State::Active,
            false,
            &FULL,
            &random,
        )?;
        self.add(
            "inactive",
            "Old Mill Dermatology",
            State::Inactive,
            true,
            &FULL,
            &random,
        )
    }

    /// One atomic change, made by the operator.
    pub(crate) fn plan(&self) -> Plan<'static> {
        Plan::of_operator(self.ctx, self.writes.clone())
    }

    /// The ids and keys, under the names that people and tests call them by.
    pub(crate) fn keys(&self) -> &Map<String, Value> {
        &self.keys
    }

    fn add<E>(
        &mut self,
        label: &str,
        name: &str,
        state: State,
        signed: bool,
        keys: &[(&str, &[Scope], Flaw)],
        random: impl Fn() -> Result<[u8; 24], E>,
    ) -> Result<(), E> {
        let id = PracticeId(self.ctx.id(Purpose::Record, self.next()));
        let practice = Practice {
            id,
            name: name.to_owned(),
            state,
            appeal_button: false,
            created_at: self.ago(90),
        };
        self.write(id, Event::PracticeCreated, id, Write::Practice(practice));
        if signed {
            let agreement = self.agreement(id);
            let record = agreement.id;
            self.write(
                id,
                Event::AgreementSigned,
                record,
                Write::Agreement(agreement),
            );
        }
        let mut texts = Map::new();
        for (label, scopes, flaw) in keys {
            texts.insert(
                (*label).to_owned(),
                self.key(id, label, scopes, *flaw, random()?).into(),
            );
        }
        self.keys.insert(
            label.to_owned(),
            json!({ "id": id.to_string(), "keys": texts }),
        );
        Ok(())
    }

    fn agreement(&mut self, practice_id: PracticeId) -> Agreement {
        Agreement {
            id: AgreementId(self.ctx.id(Purpose::Record, self.next())),
            practice_id,
            version: "2026-01".to_owned(),
            signer_name: "Morgan Ellis".to_owned(),
            signer_title: "Practice administrator".to_owned(),
            signed_at: self.ago(89),
            signed_by: None,
        }
    }

    fn key(
        &mut self,
        practice_id: PracticeId,
        label: &str,
        scopes: &[Scope],
        flaw: Flaw,
        random: [u8; 24],
    ) -> String {
        let scopes = Scopes::of(scopes);
        let new = NewApiKey {
            practice_id,
            name: format!("demo, {label}"),
            scopes,
            realm: Realm::Test,
        };
        let (key, mut record) = mint_api_key(new, random, self.next(), self.ctx);
        match flaw {
            Flaw::None => {}
            Flaw::Expired => {
                record.created_at = self.ago(730);
                record.expires_at = record.created_at.plus(API_KEY_LIFETIME_MS);
            }
            Flaw::Revoked => {
                record.created_at = self.ago(60);
                record.revoked_at = Some(self.ago(1));
            }
        }
        let id = record.id;
        self.write(practice_id, Event::ApiKeyCreated, id, Write::ApiKey(record));
        key.expose().to_owned()
    }

    /// A write and its row of the audit trail.
    fn write(
        &mut self,
        practice: PracticeId,
        event: Event,
        record: impl ToString,
        write: Write<'static>,
    ) {
        let entry = Entry::new(self.ctx, self.writes.len(), Some(practice), event, record);
        self.writes.extend([write, Write::Audit(entry)]);
    }

    fn next(&mut self) -> usize {
        let n = self.records;
        self.records = n.saturating_add(1);
        n
    }

    fn ago(&self, days: i64) -> Instant {
        self.ctx.now.plus(days.saturating_mul(-DAY_MS))
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use overturn_core::ctx::{Ctx, Instant};
    use overturn_core::plan::Write;

    use super::Practices;

    #[test]
    fn every_way_to_be_refused_has_a_key() {
        let ctx = Ctx::new(Instant(1_790_000_000_000), [3; 32]);
        let mut practices = Practices::new(&ctx);
        practices.add_all(|| Ok::<_, Infallible>([5; 24])).unwrap();
        let count = |label: &str| practices.keys()[label]["keys"].as_object().unwrap().len();
        assert_eq!(
            ["active", "other", "no_baa", "inactive"].map(count),
            [5, 1, 1, 1]
        );

        let records: Vec<_> = practices
            .writes
            .iter()
            .filter_map(|write| match write {
                Write::ApiKey(record, _) => Some(record),
                _ => None,
            })
            .collect();
        assert_eq!(
            records
                .iter()
                .filter(|key| key.expires_at <= ctx.now)
                .count(),
            1
        );
        assert_eq!(
            records
                .iter()
                .filter(|key| key.revoked_at.is_some_and(|at| at < ctx.now))
                .count(),
            1
        );
    }
}
