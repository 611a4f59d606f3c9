//! The practices of the demo data: one for which everything works, and one for each way to be refused.

use std::error::Error;

use overturn_core::base::id::{AgreementId, PracticeId};
use overturn_core::base::token::Realm;
use overturn_service::auth::disclosure::PracticeState;
use overturn_service::auth::scope::{Scope, Scopes};
use overturn_service::operator::{self, Agreement, NewApiKey, NewPractice};
use overturn_service::plan::audit::Event;
use serde_json::{Map, Value, json};

use super::Draft;
use crate::service::Random;

/// How a demo key differs from a valid one.
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

/// Label, name, state, whether it signed the agreement, and keys.
type Demo = (&'static str, &'static str, PracticeState, bool, &'static [(&'static str, &'static [Scope], Flaw)]);

const ALL: [Demo; 4] = [
    ("active", "Cedar Hill Family Medicine", PracticeState::Active, true, &EVERY_KEY),
    ("other", "Lakeside Orthopedics", PracticeState::Active, true, &FULL),
    ("no_baa", "Juniper Street Pediatrics", PracticeState::Active, false, &FULL),
    ("inactive", "Old Mill Dermatology", PracticeState::Inactive, true, &FULL),
];

/// Makes practices: adds their writes to the draft, and collects the keys, which are shown only once.
pub(crate) struct Practices<'d, 'c> {
    draft: &'d mut Draft<'c>,
    random: Random<'d>,
    /// The ids and keys, by the labels that the README and the tests use.
    pub(crate) keys: Map<String, Value>,
}

impl<'d, 'c> Practices<'d, 'c> {
    /// Makes the practices with the wanted labels.
    pub(crate) fn made(
        draft: &'d mut Draft<'c>,
        wanted: &dyn Fn(&str) -> bool,
        random: Random<'d>,
    ) -> Result<Self, Box<dyn Error>> {
        let mut practices = Self { draft, random, keys: Map::new() };
        for (label, name, state, signed, keys) in ALL {
            if wanted(label) {
                practices.add(label, name, state, signed, keys)?;
            }
        }
        Ok(practices)
    }

    fn add(
        &mut self,
        label: &str,
        name: &str,
        state: PracticeState,
        signed: bool,
        keys: &[(&str, &[Scope], Flaw)],
    ) -> Result<(), Box<dyn Error>> {
        let id = PracticeId(self.draft.id());
        self.draft.practices.push(id);
        let practice = NewPractice { id, name: name.to_owned(), state, created_at: self.draft.ago(90) };
        self.draft.write(Some(id), Event::PracticeCreated, id, practice.insert());
        if signed {
            let agreement = self.agreement(id);
            let record = agreement.id;
            let [others_end, write] = agreement.writes();
            self.draft.writes.push(others_end);
            self.draft.write(Some(id), Event::AgreementSigned, record, write);
        }
        let mut texts = Map::new();
        for (label, scopes, flaw) in keys {
            texts.insert((*label).to_owned(), self.key(id, label, scopes, *flaw)?.into());
        }
        self.keys.insert(label.to_owned(), json!({ "id": id.to_string(), "keys": texts }));
        Ok(())
    }

    fn agreement(&mut self, practice_id: PracticeId) -> Agreement {
        Agreement {
            id: AgreementId(self.draft.id()),
            practice_id,
            version: "2026-01".to_owned(),
            signer_name: "Morgan Ellis".to_owned(),
            signer_title: "Practice administrator".to_owned(),
            signed_at: self.draft.ago(89),
            signed_by: None,
        }
    }

    fn key(
        &mut self,
        practice_id: PracticeId,
        label: &str,
        scopes: &[Scope],
        flaw: Flaw,
    ) -> Result<String, Box<dyn Error>> {
        let scopes = Scopes::of(scopes);
        let new = NewApiKey { practice_id, name: format!("demo, {label}"), scopes, realm: Realm::Test };
        let random = self.draft.ctx.cell.stamp((self.random)()?);
        let (key, mut record) = operator::mint(new, random, self.draft.next(), self.draft.ctx);
        match flaw {
            Flaw::None => {}
            Flaw::Expired => {
                record.created_at = self.draft.ago(730);
                record.expires_at = operator::expires(record.created_at);
            }
            Flaw::Revoked => {
                record.created_at = self.draft.ago(60);
                record.revoked_at = Some(self.draft.ago(1));
            }
        }
        let id = record.id;
        self.draft.write(Some(practice_id), Event::ApiKeyCreated, id, record.insert());
        Ok(key.expose().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use overturn_core::base::ctx::Ctx;
    use overturn_core::base::instant::Instant;
    use overturn_core::base::param::Param;
    use overturn_service::plan::Write;
    use overturn_service::plan::statement::WriteParam;

    use super::{Draft, Practices};

    #[test]
    fn every_way_to_be_refused_has_a_key() {
        let ctx = Ctx::new(Instant(1_790_000_000_000), [3; 32]);
        let mut draft = Draft::new(&ctx);
        let practices = Practices::made(&mut draft, &|_| true, &|| Ok([5; 24])).unwrap();
        let keys = practices.keys;
        let count = |label: &str| keys[label]["keys"].as_object().unwrap().len();
        assert_eq!(["active", "other", "no_baa", "inactive"].map(count), [5, 1, 1, 1]);

        let records = draft.writes.iter().filter_map(|write| match write {
            Write::Sql(write) if write.sql.starts_with("INSERT INTO api_keys") => Some(&write.params),
            _ => None,
        });
        let is_over = |at: &WriteParam| matches!(at, WriteParam::Plain(Param::Int(at)) if *at < ctx.now.0);
        let (expires_at, revoked_at) = (7, 8);
        assert_eq!(records.clone().filter(|key| is_over(&key[expires_at])).count(), 1);
        assert_eq!(records.filter(|key| is_over(&key[revoked_at])).count(), 1);
    }
}
