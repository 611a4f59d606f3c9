//! The rules of single sign-on without a database, and in `sql` their statements on SQLite with the real migrations.

mod domains;
mod providers;
mod required;
mod sql;

use super::overview::{AvailableProvider, Installation, ProviderKind, SettingsDomain, SettingsProvider, SsoSettings};
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::notice::NoticeKind;
use crate::prelude::*;
use crate::testing::decisions::person;
use overturn_core::base::id::{DomainId, SsoProviderId};
use overturn_core::base::instant::DAY_MS;
use overturn_core::identity::saml::{ProviderDescription, SigningCertificate};
use serde_json::Value;
use uuid::Uuid;

const NOW: Instant = Instant(1_800_000_000_000);
/// The version of the stored records.
const SEEN: Seen = Seen::Version(3);
const ENTITY: &str = "https://idp.example/entity";

fn ctx() -> Ctx {
    Ctx::new(NOW, [7; 32])
}

fn admin() -> Person {
    person(Role::Admin, Action::ManageSso)
}

fn installation() -> Installation {
    Installation {
        origin: "https://overturn.example".into(),
        saml: true,
        oidc: vec![AvailableProvider { id: "google".into(), name: "Google".into() }],
    }
}

fn described(entity_id: &str) -> ProviderDescription {
    ProviderDescription {
        entity_id: entity_id.into(),
        sign_in_url: "https://idp.example/sso".into(),
        certificates: vec![SigningCertificate { sha256: "ab".repeat(32), expires_at: NOW.plus(90 * DAY_MS) }],
    }
}

fn saml(id: u128) -> SettingsProvider {
    SettingsProvider {
        id: SsoProviderId(Uuid::from_u128(id)),
        version: 3,
        kind: ProviderKind::Saml,
        name: "Okta".into(),
        configured: None,
        entity_id: Some(ENTITY.into()),
        certificates: Some(described(ENTITY).certificates),
        contexts: Vec::new(),
        idp_initiated: false,
        created_at: Time(NOW),
    }
}

fn google(id: u128) -> SettingsProvider {
    SettingsProvider {
        kind: ProviderKind::Oidc,
        configured: Some("google".into()),
        entity_id: None,
        certificates: None,
        ..saml(id)
    }
}

fn domain(id: u128, name: &str) -> SettingsDomain {
    SettingsDomain {
        id: DomainId(Uuid::from_u128(id)),
        practice_id: PracticeId(Uuid::from_u128(2)),
        domain: name.into(),
        token: "00ff".into(),
        created_at: Time(NOW),
        verified_at: None,
        taken: false,
    }
}

/// A practice with a verified domain.
fn with(providers: Vec<SettingsProvider>) -> SsoSettings {
    let domain = SettingsDomain { verified_at: Some(Time(NOW)), ..domain(9, "clinic.example") };
    SsoSettings { version: 3, providers, domains: vec![domain], ..SsoSettings::default() }
}

/// The detail of the audit row.
fn detail(change: &Change) -> Value {
    let rows = change.writes.iter();
    let mut rows = rows.filter_map(|write| match write {
        Write::Audit(entry) => entry.detail.clone(),
        _ => None,
    });
    rows.next().unwrap()
}

/// The emails to the owners, with the person or the provider that each is about.
fn notices(change: &Change) -> Vec<(NoticeKind, Option<Uuid>)> {
    let writes = change.writes.iter();
    writes
        .filter_map(|write| match write {
            Write::Notice(notice) => Some((notice.kind, notice.about)),
            _ => None,
        })
        .collect()
}
