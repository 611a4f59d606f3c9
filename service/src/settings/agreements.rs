//! `/api/v1/settings/agreements`: the agreements that a practice is asked to sign, and those that it has signed.

use crate::prelude::*;
use overturn_core::base::id::AgreementId;
use overturn_core::form;
use overturn_core::plan::SettingsWrite;
use overturn_core::plan::settings::Agreement;
use overturn_core::request::declare::kinds::{Printable, Text};
#[cfg(feature = "schema")]
use overturn_core::request::declare::schema::AsTaken;
use overturn_core::settings::agreements::{KIND, TEXT, VERSION, ending};

body! {
    AgreementSignature {
        /// `baa` is the business associate agreement.
        kind: Kind,
        /// The `version` of the agreement that the person has read.
        version: Text<20>,
        signer_name: Printable<200>,
        signer_title: Printable<200>,
    }
}

form! {
    /// The only kind of agreement.
    Kind: () = KIND, |text| (text == KIND).then_some(()), { "type": "string", "enum": [KIND] }
}

/// A signed agreement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SignedView {
    pub(super) id: AgreementId,
    version: String,
    signer_name: String,
    signer_title: String,
    signed_at: Time,
    /// `null` while the agreement is in force.
    ended_at: Option<Time>,
    /// The account that signed. `null` for an agreement that the operator recorded.
    signed_by: Option<UserId>,
    /// The IP address that the signature came from. `null` if it is unknown, and for members.
    signed_from: Option<String>,
}

/// An agreement with its current text.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct AgreementView {
    #[cfg_attr(feature = "schema", schemars(with = "AsTaken<Kind>"))]
    kind: &'static str,
    version: &'static str,
    /// Markdown.
    text: &'static str,
    /// The agreement in force, whatever its version.
    signed: Option<SignedView>,
    /// All signed agreements, the newest first.
    history: Vec<SignedView>,
}

/// The agreements that a practice signs.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Agreements {
    agreements: [AgreementView; 1],
}

/// The agreements that the practice has signed, newest first.
pub(super) fn signed(caller: &str) -> Query<Vec<SignedView>> {
    select!(
        "settings.agreements",
        "SELECT json_group_array(json_object('id', a.id, 'version', a.version, 'signer_name', a.signer_name,
           'signer_title', a.signer_title, 'signed_at', a.signed_at, 'ended_at', a.ended_at, 'signed_by', a.signed_by,
           'signed_from', a.signed_from)) AS json
         FROM (SELECT * FROM agreements WHERE practice_id = {OF_CALLER} AND kind = 'baa' ORDER BY id DESC) a";
        caller
    )
    .one()
}

/// True if a destruction of the practice's data is scheduled or running.
pub(super) fn destruction_open(caller: &str) -> Query<bool> {
    select!(
        "settings.destruction_open",
        "SELECT iif(EXISTS (SELECT 1 FROM data_jobs WHERE practice_id = {OF_CALLER} AND kind = 'destruction'
           AND state IN ('waiting', 'running')), 'true', 'false') AS json";
        caller
    )
    .one()
}

/// `listAgreements`: List the agreements and their signatures.
///
/// For everyone in the practice. Only owners and admins see the address that a signature came from.
pub(crate) async fn list(request: ReadRequest) -> Result<Gives<Agreements>, AppError> {
    let load = signed(request.credential());
    request.show(load, |person, history| Ok::<_, AppError>(listed(history, person))).await
}

/// `signAgreement`: Sign an agreement.
///
/// Owners and admins only. Sensitive. `version` is the version of the text that the person has read. The answer is
/// `409` for another version, for a version that is already signed, and while a destruction of the practice's data
/// is waiting or running.
pub(crate) async fn sign(request: WriteRequest<AgreementSignature>) -> Result<Gives<SignedView, 201>, AppError> {
    let load = (signed(request.credential()), destruction_open(request.credential()));
    let decide = |person: &Person, (history, destruction): (Vec<_>, _), signature| {
        let signer = (person, &*request.call.place.ip);
        signed_now(signature, (&history, destruction), signer, request.ctx())
    };
    request.change(load, decide).await
}

/// `endAgreement`: End an agreement.
///
/// Owners only. Sensitive. The agreement ends at once. From this moment API keys, API tokens, `/api/v1/denials`,
/// our staff and patients' links have no access to the practice's claims, and webhooks send nothing more. If you
/// end an agreement again, nothing changes. All owners get an email.
///
/// Nothing is deleted. Use `/api/v1/settings/data_jobs` to take a copy of all data and to have it destroyed. You
/// can sign again later. Signing makes a new agreement, and work continues where it stopped, unless the data was
/// destroyed.
pub(crate) async fn end(PathId(id): PathId<AgreementId>, request: WriteRequest) -> Result<Gives<SignedView>, AppError> {
    let load = signed(request.credential());
    let decide = |person: &Person, history, _| ended(id, history, person, request.ctx());
    request.change(load, decide).await
}

fn listed(mut history: Vec<SignedView>, person: &Person) -> Agreements {
    if !person.leads() {
        history.iter_mut().for_each(|signed| signed.signed_from = None);
    }
    let signed = history.iter().find(|signed| signed.ended_at.is_none()).cloned();
    Agreements { agreements: [AgreementView { kind: KIND, version: VERSION, text: TEXT, signed, history }] }
}

/// Earlier signatures end; of several parallel signatures, one succeeds.
pub(super) fn signed_now(
    signature: AgreementSignature,
    (history, destruction): (&[SignedView], bool),
    (person, address): (&Person, &str),
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    if destruction {
        return Err(RequestError::Conflict(
            Reason::JobInProgress,
            "the destruction of the practice's data was requested: cancel it or let it end first",
        ));
    }
    if signature.version != VERSION {
        return Err(RequestError::Conflict(
            Reason::VersionConflict,
            "the agreement has another version, read it again",
        ));
    }
    if history.iter().any(|signed| signed.ended_at.is_none() && signed.version == VERSION) {
        return Err(RequestError::Conflict(Reason::AlreadySigned, "this version is signed already"));
    }
    let AgreementSignature { kind: (), version, signer_name, signer_title } = signature;
    let record = Agreement {
        id: AgreementId(ctx.id(Purpose::Record, 0)),
        practice_id: practice,
        version,
        signer_name,
        signer_title,
        signed_at: ctx.now,
        signed_by: Some((person.user_id, address.into())),
    };
    let view = SignedView {
        id: record.id,
        version: record.version.clone(),
        signer_name: record.signer_name.clone(),
        signer_title: record.signer_title.clone(),
        signed_at: Time(ctx.now),
        ended_at: None,
        signed_by: Some(person.user_id),
        signed_from: Some(address.into()),
    };
    let audit = Entry::new(ctx, 0, Some(practice), Event::AgreementSigned, record.id);
    let audit = audit.detail(json!({ "kind": KIND, "version": VERSION }));
    Ok(Change::new(audit, Answer::new(201, &view))
        .guard(abort_if!(
            Record,
            "EXISTS (SELECT 1 FROM agreements WHERE practice_id = {practice} AND kind = 'baa' AND version = {version}
               AND ended_at IS NULL AND id <> {id})";
            practice, version = VERSION, id = record.id
        ))
        .guard(abort_if!(
            Record,
            "EXISTS (SELECT 1 FROM data_jobs WHERE practice_id = {practice} AND kind = 'destruction'
               AND state IN ('waiting', 'running'))";
            practice
        ))
        .write(Write::Settings(SettingsWrite::NewAgreement(record))))
}

/// Ends an agreement at once, for keys, tokens, members, staff and signing links. Ending it again changes nothing and
/// is not an error.
fn ended(id: AgreementId, history: Vec<SignedView>, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    let signed = history.into_iter().find(|signed| signed.id == id);
    let signed = signed.ok_or(RequestError::NotFound("no such agreement"))?;
    if signed.ended_at.is_some() {
        return Ok(Change::nothing(Answer::new(200, &signed)));
    }
    let view = SignedView { ended_at: Some(Time(ctx.now)), ..signed };
    let (guard, writes) = ending(practice, id, ctx);
    Ok(writes.into_iter().fold(Change::nothing(Answer::new(200, &view)).guard(guard), Change::write))
}

#[cfg(test)]
mod tests;
