//! The people of the demo data, each with a password and an authenticator app.

use std::error::Error;

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use overturn_core::base::id::{ApiTokenId, FactorId, PracticeId, UserId};
use overturn_core::base::token::{ApiToken, Realm};
use overturn_service::auth::role::Role;
use overturn_service::auth::scope::TokenScope;
use overturn_service::auth::totp::TotpSecret;
use overturn_service::people::{NewUser, Password, UserState, factor_confirmed, new_factor};
use overturn_service::plan::Write;
use overturn_service::plan::audit::Event;
use overturn_service::plan::statement::{Bind as _, Statement};
use overturn_service::request::email::EmailAddress;
use serde_json::{Map, Value, json};

use super::Draft;
use crate::service::Random;

/// Label, name, role, label of the practice, and domain of the email address.
type Cast = (&'static str, &'static str, Role, Option<&'static str>, &'static str);

const CAST: [Cast; 10] = [
    ("owner", "Morgan Ellis", Role::Owner, Some("active"), "cedar-hill"),
    ("admin", "Priya Raman", Role::Admin, Some("active"), "cedar-hill"),
    ("member", "Sam Okafor", Role::Member, Some("active"), "cedar-hill"),
    ("second_member", "Tess Moreau", Role::Member, Some("active"), "cedar-hill"),
    ("staff", "Alex Kim", Role::Staff, None, "overturn"),
    ("second_staff", "Dana Ortiz", Role::Staff, None, "overturn"),
    ("auditor", "Noor Haddad", Role::Auditor, None, "overturn"),
    ("other_owner", "Lee Castillo", Role::Owner, Some("other"), "lakeside"),
    ("no_baa_owner", "Robin Weiss", Role::Owner, Some("no_baa"), "juniper"),
    ("inactive_owner", "Jo Lindqvist", Role::Owner, Some("inactive"), "old-mill"),
];

/// Makes people: adds their writes to the draft, and collects their credentials.
pub(crate) struct People<'d, 'c> {
    draft: &'d mut Draft<'c>,
    random: Random<'d>,
    /// The credentials, by the labels that the README and the tests use.
    pub(crate) users: Map<String, Value>,
}

impl<'d, 'c> People<'d, 'c> {
    /// Makes the people of the practices with the wanted labels.
    pub(crate) fn made(
        draft: &'d mut Draft<'c>,
        practices: &Map<String, Value>,
        wanted: &dyn Fn(&str) -> bool,
        random: Random<'d>,
    ) -> Result<Self, Box<dyn Error>> {
        let mut people = Self { draft, random, users: Map::new() };
        for cast in CAST.into_iter().filter(|cast| wanted(cast.3.unwrap_or_default())) {
            let practice = cast.3.and_then(|label| practices.get(label)?.get("id")?.as_str());
            let practice = practice.map(str::parse).transpose()?.map(PracticeId);
            people.add(cast, practice)?;
        }
        Ok(people)
    }

    fn add(
        &mut self,
        (label, name, role, _, domain): Cast,
        practice_id: Option<PracticeId>,
    ) -> Result<(), Box<dyn Error>> {
        let id = UserId(self.draft.id());
        // Demo data may be loaded twice, and an email address belongs to one account only.
        let tag = HEXLOWER.encode(&self.bytes::<3>()?);
        let email = format!("{}-{tag}@{domain}.example", role.name());
        let address = EmailAddress::parse(&email).ok_or("an address of the demo data")?;
        let password = BASE64URL_NOPAD.encode(&self.bytes::<15>()?);
        let chosen = Password::choose(&password)?;
        let hash = chosen.hash(self.bytes()?)?;
        let user = NewUser {
            id,
            practice_id,
            role,
            state: UserState::Active,
            email: email.clone(),
            email_key: address.key(),
            name: name.to_owned(),
            password_hash: Some(hash),
            created_at: self.draft.ago(88),
        };
        self.draft.people.push((user.email_key.clone(), id));
        self.draft.write(practice_id, Event::UserCreated, id, user.write());
        let secret = self.factor(practice_id, id)?;
        let mut user = json!({
            "email": email,
            "password": password,
            "totp_secret": secret.expose_base32(),
            "practice": practice_id.map(|id| id.to_string()),
        });
        if let (Role::Member, Some(practice), Some(user)) = (role, practice_id, user.as_object_mut()) {
            let token = self.token(practice, id)?;
            user.insert("documents_token".to_owned(), token.expose().into());
        }
        self.users.insert(label.to_owned(), user);
        Ok(())
    }

    /// Makes an API token that uploads documents.
    fn token(&mut self, practice_id: PracticeId, user: UserId) -> Result<ApiToken, Box<dyn Error>> {
        let token = ApiToken::mint(Realm::Test, self.draft.ctx.cell.stamp(self.bytes()?));
        let id = ApiTokenId(self.draft.id());
        let write = Write::Sql(Statement::new(
            "INSERT INTO api_tokens (practice_id, id, user_id, name, hash, hint, scopes, created_at, expires_at)
             VALUES (?1, ?2, ?3, 'Demo documents', ?4, ?5, ?6, ?7, ?8)",
            [
                practice_id.bind(),
                id.bind(),
                user.bind(),
                token.hash().bind(),
                token.hint().bind(),
                TokenScope::DocumentsWrite.bind(),
                self.draft.ago(1).bind(),
                self.draft.ago(-89).bind(),
            ],
        ));
        self.draft.write(Some(practice_id), Event::ApiTokenCreated, id, write);
        Ok(token)
    }

    /// Makes a confirmed second factor.
    fn factor(&mut self, practice_id: Option<PracticeId>, user_id: UserId) -> Result<TotpSecret, Box<dyn Error>> {
        let secret = TotpSecret::new(self.bytes()?);
        let id = FactorId(self.draft.id());
        let now = self.draft.ctx.now;
        let [replaces, confirmed] = factor_confirmed(user_id, id, now);
        self.draft.writes.extend(new_factor(user_id, id, &secret, now));
        self.draft.writes.push(replaces);
        self.draft.write(practice_id, Event::FactorEnrolled, user_id, confirmed);
        Ok(secret)
    }

    fn bytes<const N: usize>(&self) -> Result<[u8; N], Box<dyn Error>> {
        let bytes = (self.random)()?;
        Ok(*bytes.first_chunk().ok_or("so many random bytes at once")?)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::collections::HashSet;

    use overturn_core::base::ctx::Ctx;
    use overturn_core::base::instant::Instant;
    use overturn_core::base::param::Param;
    use overturn_service::auth::totp::TotpSecret;
    use overturn_service::people::{Check, Password};
    use overturn_service::plan::Write;
    use overturn_service::plan::statement::WriteParam;
    use serde_json::json;

    use super::{Draft, People};
    use crate::demo::practices::Practices;

    #[test]
    fn everybody_signs_in_with_the_listed_credentials_and_no_one_shares_them() {
        let ctx = Ctx::new(Instant(1_790_000_000_000), [3; 32]);
        let mut draft = Draft::new(&ctx);
        let calls = Cell::new(0);
        let random = || {
            calls.set(calls.get() + 1);
            Ok([calls.get(); 24])
        };
        let practices = Practices::made(&mut draft, &|_| true, &random).unwrap().keys;
        let users = People::made(&mut draft, &practices, &|_| true, &random).unwrap().users;
        assert_eq!(users.len(), 10);
        let active = &practices["active"]["id"];
        for label in ["owner", "admin", "member"] {
            assert_eq!(&users[label]["practice"], active, "{label}");
        }
        assert_eq!(users["staff"]["practice"], json!(null));
        for secret in ["email", "password", "totp_secret"] {
            let all: HashSet<_> = users.values().map(|user| user[secret].as_str()).collect();
            assert_eq!(all.len(), 10, "{secret}");
        }

        let params = || {
            let statements = draft.writes.iter().filter_map(|write| match write {
                Write::Sql(statement) => Some(&statement.params),
                _ => None,
            });
            statements.flatten()
        };
        let hash = params().find_map(|param| match param {
            WriteParam::Plain(Param::Text(text)) if text.starts_with("$argon2id$") => Some(text.as_str()),
            _ => None,
        });
        let password = Password::given(users["owner"]["password"].as_str().unwrap());
        assert_eq!(password.check(hash), Check::Right { outdated: false });
        let secrets = params().filter_map(|param| match param {
            WriteParam::Sealed(seal) => TotpSecret::from_bytes(&seal.value).map(|secret| secret.expose_base32()),
            _ => None,
        });
        let listed = users.values().map(|user| user["totp_secret"].as_str().unwrap());
        assert_eq!(secrets.collect::<HashSet<_>>(), listed.map(str::to_owned).collect());
    }
}
