//! `/api/v1/settings/sso/domains`: the mail domains whose people may join a practice at their first single sign-on.

use super::overview::{DOMAINS_MAX, DomainView, Installation, SettingsDomain, SsoSettings, settings};
use super::trust::{self, LAST, lets_in_without};
use super::{public_mail, txt};
use crate::call::Call;
use crate::directory::DOMAINS;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::{Field, Raw, Terms};
use crate::request::domain::is_domain;
use data_encoding::HEXLOWER;
use overturn_core::base::id::{DomainId, SsoProviderId};
use overturn_core::request::field::{self, Problems};
use overturn_core::request::problem::{Problem, Rule};
use std::rc::Rc;

/// Most characters of a domain: a name in the DNS has 253, and the name of its TXT record has ten more.
const LENGTH_MAX: usize = 243;

body! {
    DomainRequest {
        /// Such as `cedarhill.example`. Write letters outside ASCII in the `xn--` form.
        domain: MailDomain,
    }
}

/// A mail domain. The value is in lower case and in the form of DNS.
pub struct MailDomain;

impl Field for MailDomain {
    type Value = String;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<String> {
        let text = field::required(p, name, raw.text(), LENGTH_MAX.saturating_add(10))?.trim().to_ascii_lowercase();
        let domain = text.strip_suffix('.').unwrap_or(&text);
        if p.count() > 0 {
            // JSON does not say which of two domains counts.
        } else if domain.len() > LENGTH_MAX || !is_domain(domain) {
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
        json!({ "type": "string", "minLength": 3, "maxLength": LENGTH_MAX })
    }
}

const TAKEN: RequestError =
    RequestError::Conflict(Reason::DomainTaken, "another practice has verified this domain; if it is yours, tell us");
const UNKNOWN: RequestError = RequestError::NotFound("no such domain");

impl SsoSettings {
    fn domain(&self, id: DomainId) -> Result<&SettingsDomain, RequestError> {
        self.domains.iter().find(|domain| domain.id == id).ok_or(UNKNOWN)
    }
}

/// `addSsoDomain`: Add a mail domain.
///
/// Owners and admins only, and sensitive. People with an address of a verified domain join the practice as members
/// at their first single sign-on, without an invitation. Publish a TXT record with the text `txt_value` at the name
/// `txt_name`, and then verify the domain. Public mail domains such as `gmail.com` are refused. A practice has at
/// most 20 domains.
pub(crate) async fn add_domain(request: WriteRequest<DomainRequest>) -> Result<Gives<DomainView, 201>, AppError> {
    let random = request.call.app.host.bytes()?;
    let load = settings(request.credential());
    let decide = request.change(load, |person, stored, new| added(new, &stored, person, random, request.ctx()));
    decide.await
}

/// `verifySsoDomain`: Verify a mail domain.
///
/// Owners and admins only, and sensitive. We look for the TXT record. `409` if it is not there, with what to
/// publish, or if another practice has verified the domain. A new record can take minutes to hours to be seen.
/// `503` if we could not find out; try again. Verifying again changes nothing.
pub(crate) async fn verify_domain(
    PathId(id): PathId<DomainId>,
    request: WriteRequest,
) -> Result<Gives<DomainView>, AppError> {
    let resolver = &request.call.app.settings.identity.dns_resolver;
    let load = settings(request.credential());
    let decide = request.change_asking(
        load,
        async |stored, _| match to_look_up(id, &stored)? {
            Some(name) => {
                let records = txt::looked_up(&request.call.app, resolver, &name).await?;
                reserved(&request.call, stored.domain(id)?, &records).await?;
                Ok(records)
            }
            None => Ok(Vec::new()),
        },
        |person, (stored, records), _| verified(id, &records, &stored, person, request.ctx()),
    );
    decide.await
}

/// `removeSsoDomain`: Remove a mail domain.
///
/// Owners and admins only, and sensitive. Nobody joins the practice by it any more. Members who joined stay. Their sessions
/// that began at an OpenID Connect provider no longer count as single sign-on, and those that rest on its word alone end. `409`
/// for the last verified domain while single sign-on is required and only OpenID Connect providers work.
pub(crate) async fn remove_domain(
    PathId(id): PathId<DomainId>,
    request: WriteRequest,
) -> Result<Gives<(), 204>, AppError> {
    let installation = Installation::of(&request.call);
    let load = settings(request.credential());
    let decide = request.change(load, |person, stored, _| removed(id, (&stored, &installation), person, request.ctx()));
    decide.await
}

/// Adds a domain, which is not verified yet. `random` comes from a cryptographic source.
pub(super) fn added(
    DomainRequest { domain }: DomainRequest,
    stored: &SsoSettings,
    person: &Person,
    random: [u8; 16],
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    if stored.domains.iter().any(|known| known.domain == domain) {
        return Err(RequestError::Conflict(Reason::AlreadyExists, "the practice has this domain already"));
    }
    if stored.domains.len() >= DOMAINS_MAX {
        return Err(RequestError::Conflict(Reason::LimitReached, "a practice has at most 20 domains"));
    }
    let new = SettingsDomain {
        id: DomainId(ctx.id(Purpose::Record, 0)),
        practice_id: practice,
        domain,
        token: HEXLOWER.encode(&random),
        created_at: Time(ctx.now),
        verified_at: None,
        taken: false,
    };
    let audit = Entry::new(ctx, 0, Some(practice), Event::DomainAdded, new.id);
    let audit = audit.detail(json!({ "domain": new.domain }));
    Ok(Change::new(audit, Answer::new(201, &DomainView::of(&new)))
        .guard(abort_if!(
            Record,
            "EXISTS (SELECT 1 FROM practice_domains WHERE practice_id = {practice} AND domain = {domain})
               OR (SELECT count(*) FROM practice_domains WHERE practice_id = {practice}) >= CAST({most} AS INTEGER)";
            practice, domain = &new.domain, most = DOMAINS_MAX
        ))
        .write(sql!(
            "INSERT INTO practice_domains (practice_id, id, domain, token, created_at)
             VALUES ({practice}, {id}, {domain}, {token}, {created_at}) ON CONFLICT DO NOTHING";
            practice, id = new.id, domain = new.domain, token = new.token, created_at = new.created_at
        )))
}

/// Reserves a domain that its TXT records prove.
async fn reserved(call: &Rc<Call>, domain: &SettingsDomain, records: &[String]) -> Result<(), AppError> {
    if is_proven(domain, records) && !DOMAINS.reserve(call, &domain.domain, domain.practice_id.0).await? {
        return Err(TAKEN.into());
    }
    Ok(())
}

fn is_proven(domain: &SettingsDomain, records: &[String]) -> bool {
    let value = txt::value(&domain.token);
    records.iter().any(|record| record.trim() == value)
}

/// The name in the DNS whose TXT records must be read before the domain can be verified. `None` if it is verified.
pub(super) fn to_look_up(id: DomainId, stored: &SsoSettings) -> Result<Option<String>, RequestError> {
    let domain = stored.domain(id)?;
    if domain.verified_at.is_some() {
        return Ok(None);
    }
    if domain.taken {
        return Err(TAKEN);
    }
    Ok(Some(txt::name(&domain.domain)))
}

/// Verifies a domain, given its TXT records. Verifying again changes nothing and is not an error.
pub(super) fn verified(
    id: DomainId,
    records: &[String],
    stored: &SsoSettings,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    let asked = to_look_up(id, stored)?;
    let domain = stored.domain(id)?;
    let Some(name) = asked else {
        return Ok(Change::nothing(Answer::new(200, &DomainView::of(domain))));
    };
    if !is_proven(domain, records) {
        let value = txt::value(&domain.token);
        let missing = Problem::new(format!("a TXT record of {name}"), Rule::MustBe(value.into()));
        return Err(RequestError::Stuck(Reason::DomainUnverified, [missing].into()));
    }
    let verified = SettingsDomain { verified_at: Some(Time(ctx.now)), ..domain.clone() };
    let audit = Entry::new(ctx, 0, Some(practice), Event::DomainVerified, id);
    let audit = audit.detail(json!({ "domain": verified.domain }));
    Ok(Change::new(audit, Answer::new(200, &DomainView::of(&verified)))
        .guard(has_domain(practice, domain))
        .guard(abort_if!(
            Record,
            "EXISTS (SELECT 1 FROM practice_domains WHERE domain = {domain} AND verified_at IS NOT NULL)";
            domain = verified.domain
        ))
        .write(sql!(
            "UPDATE practice_domains SET verified_at = {now}
             WHERE practice_id = {practice} AND id = {id} AND verified_at IS NULL";
            practice, id, now = ctx.now
        )))
}

/// Removes a domain. Nobody else joins the practice by it. Members who joined stay.
pub(super) fn removed(
    id: DomainId,
    (stored, installation): (&SsoSettings, &Installation),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    let domain = stored.domain(id)?;
    let mut left = stored.clone();
    left.domains.retain(|other| other.id != id);
    let verified = domain.verified_at.is_some();
    if verified && stored.required && !left.lets_in(installation) {
        return Err(LAST);
    }
    let audit = Entry::new(ctx, 0, Some(practice), Event::DomainRemoved, id);
    let audit = audit.detail(json!({ "domain": domain.domain }));
    let change = Change::new(audit, Answer::empty())
        .guard(has_domain(practice, domain))
        .write(sql!("DELETE FROM practice_domains WHERE practice_id = {practice} AND id = {id}"; practice, id));
    if !verified {
        return Ok(change);
    }
    // A SAML provider speaks for all people of the practice.
    let spoke = stored.providers.iter().filter(|provider| provider.configured.is_some());
    let spoke: Vec<SsoProviderId> = spoke.map(|provider| provider.id).collect();
    Ok(change.guard(lets_in_without(id, practice, installation)).write_all(trust::ended(
        practice,
        (&spoke, Some(&domain.domain)),
        ctx.now,
    )))
}

/// The guard that the practice still has the domain, verified or not as it was read.
fn has_domain(practice: PracticeId, domain: &SettingsDomain) -> Guard {
    abort_if!(
        Record,
        "NOT EXISTS (SELECT 1 FROM practice_domains
           WHERE practice_id = {practice} AND id = {id} AND verified_at IS {verified_at})";
        practice, id = domain.id, verified_at = domain.verified_at
    )
}
