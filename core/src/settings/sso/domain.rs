//! `/api/v1/settings/sso/domains`: the mail domains whose people may join a practice at their first single sign-on.

use super::txt;
use super::{DOMAINS_MAX, DomainView, SettingsDomain, SsoSettings, public_mail};
use crate::auth::person::Person;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::domain::is_domain;
use crate::base::id::DomainId;
use crate::base::time::Time;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::sso::NewDomain;
use crate::plan::{Guard, SsoGuard, SsoWrite, Write};
use crate::request::declare::{Field, Raw, Terms, body};
use crate::request::error::RequestError;
use crate::request::field::{self, Problems};
use crate::request::problem::{Problem, Rule};
use crate::request::reason::Reason;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use data_encoding::HEXLOWER;
use serde_json::json;

/// Most characters of a domain: a name in the DNS has 253, and the name of its TXT record has ten more.
pub const MAX: usize = 243;

body! {
    DomainRequest { domain: MailDomain }
}

/// A mail domain. The value is in lower case and in the form of DNS.
pub struct MailDomain;

impl Field for MailDomain {
    type Value = String;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<String> {
        let text = field::required(p, name, raw.text(), MAX.saturating_add(10))?.trim().to_ascii_lowercase();
        let domain = text.strip_suffix('.').unwrap_or(&text);
        if p.count() > 0 {
            // JSON does not say which of two domains counts.
        } else if domain.len() > MAX || !is_domain(domain) {
            let known = "a domain such as example.com, with letters outside ASCII in the xn-- form";
            p.add(name, Rule::MustBe(known.into()));
        } else if public_mail::is_public(domain) {
            p.add(name, Rule::Form("is a public mail domain, where anyone can have an address"));
        } else {
            return Some(domain.into());
        }
        None
    }

    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value {
        json!({ "type": "string", "minLength": 3, "maxLength": MAX })
    }
}

const UNKNOWN: RequestError = RequestError::NotFound("no such domain");

/// Adds a domain, which is not verified yet. `random` comes from a cryptographic source.
///
/// # Errors
///
/// [`RequestError::Conflict`] if the practice has the domain or too many, [`RequestError::NotAuthorized`] for a person without a
/// practice.
pub fn create(
    DomainRequest { domain }: DomainRequest,
    stored: &SsoSettings,
    person: &Person,
    random: [u8; 16],
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    if stored.domains.iter().any(|known| known.domain == domain) {
        return Err(RequestError::Conflict(Reason::AlreadyExists, "the practice has this domain already"));
    }
    if stored.domains.len() >= DOMAINS_MAX {
        return Err(RequestError::Conflict(Reason::LimitReached, "a practice has at most 20 domains"));
    }
    let new = SettingsDomain {
        id: DomainId(ctx.id(Purpose::Record, 0)),
        domain,
        token: HEXLOWER.encode(&random),
        created_at: Time(ctx.now),
        verified_at: None,
        taken: false,
    };
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::DomainAdded, new.id);
    let audit = audit.detail(json!({ "domain": new.domain }));
    let answer = Answer::new(201, &DomainView::of(&new));
    Ok(Change::new(audit, answer)
        .guard(Guard::Sso(SsoGuard::DomainNew {
            practice: practice_id,
            domain: new.domain.clone(),
            bound: DOMAINS_MAX,
        }))
        .write(Write::Sso(SsoWrite::NewDomain(NewDomain {
            practice_id,
            id: new.id,
            domain: new.domain,
            token: new.token,
        }))))
}

/// The name in the DNS whose TXT records must be read before the domain can be verified. `None` if it is verified.
///
/// # Errors
///
/// [`RequestError::NotFound`] for a domain that the practice does not have, [`RequestError::Conflict`] if another practice has
/// verified it.
pub fn to_look_up(id: DomainId, stored: &SsoSettings) -> Result<Option<String>, RequestError> {
    let domain = stored.domain(id).ok_or(UNKNOWN)?;
    if domain.verified_at.is_some() {
        return Ok(None);
    }
    if domain.taken {
        return Err(RequestError::Conflict(
            Reason::DomainTaken,
            "another practice has verified this domain; if it is yours, tell us",
        ));
    }
    Ok(Some(txt::name(&domain.domain)))
}

/// Verifies a domain, given its TXT records. Verifying again changes nothing and is not an error.
///
/// # Errors
///
/// The same as [`to_look_up`], and [`RequestError::Stuck`] with what to publish if no record is the expected one.
pub fn verify(
    id: DomainId,
    records: &[String],
    stored: &SsoSettings,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let asked = to_look_up(id, stored)?;
    let domain = stored.domain(id).ok_or(UNKNOWN)?;
    let Some(name) = asked else {
        return Ok(Change::nothing(Answer::new(200, &DomainView::of(domain))));
    };
    let value = txt::value(&domain.token);
    if !records.iter().any(|record| record.trim() == value) {
        let field = format!("a TXT record of {name}");
        let missing = Problem::new(field, Rule::MustBe(value.into()));
        return Err(RequestError::Stuck(Reason::DomainUnverified, Vec::from([missing])));
    }
    let verified = SettingsDomain { verified_at: Some(Time(ctx.now)), ..domain.clone() };
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::DomainVerified, id);
    let audit = audit.detail(json!({ "domain": verified.domain }));
    let answer = Answer::new(200, &DomainView::of(&verified));
    Ok(Change::new(audit, answer)
        .guard(Guard::Sso(SsoGuard::Domain { practice: practice_id, domain: id }))
        .guard(Guard::Sso(SsoGuard::DomainFree(verified.domain)))
        .write(Write::Sso(SsoWrite::DomainVerified { practice: practice_id, domain: id })))
}

/// Removes a domain. Nobody else joins the practice by it. Members who joined stay.
///
/// # Errors
///
/// [`RequestError::NotFound`] for a domain that the practice does not have.
pub fn remove(id: DomainId, stored: &SsoSettings, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let domain = stored.domain(id).ok_or(UNKNOWN)?;
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::DomainRemoved, id);
    let audit = audit.detail(json!({ "domain": domain.domain }));
    Ok(Change::new(audit, Answer::empty())
        .guard(Guard::Sso(SsoGuard::Domain { practice: practice_id, domain: id }))
        .write(Write::Sso(SsoWrite::DomainRemoved { practice: practice_id, domain: id })))
}
