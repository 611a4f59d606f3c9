//! `/api/v1/settings/agreements`: the agreements that a practice signs before the service accepts its claims.
//!
//! The text covers what 45 CFR 164.504(e) and 164.314(a) require of a business associate contract. It is not legal
//! advice: the operator's counsel approves or replaces it before practices sign it. A changed text gets a new version.
//! An earlier signature stays in force until the practice signs the new version.

use crate::plan::notice::{Notice, NoticeKind};
use crate::prelude::*;
#[cfg(feature = "schema")]
use crate::request::declare::as_taken::AsTaken;
use crate::request::declare::kinds::form;
use crate::request::declare::kinds::{Printable, Text};
use overturn_core::base::id::AgreementId;

/// The kind of the only agreement, as stored and shown.
const KIND: &str = "baa";
/// The version of the text: the date from which it is offered for signing.
pub(super) const VERSION: &str = "2026-11-21";
/// The text, in Markdown.
const TEXT: &str = include_str!("agreements/baa.md");

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

/// The agreement in force.
pub fn in_force(practice: PracticeId) -> Query<Option<AgreementId>> {
    select!(
        "data_jobs.in_force",
        "SELECT json_quote(id) AS json FROM agreements
         WHERE practice_id = {practice} AND kind = 'baa' AND ended_at IS NULL ORDER BY id DESC LIMIT 1";
        practice
    )
    .optional()
}

/// The practice has no agreement in force.
pub(super) fn no_agreement(practice: PracticeId) -> Guard {
    const IN_FORCE: &str = agreement!("{practice}");
    abort_if!(Record, "{IN_FORCE}" [IN_FORCE]; practice)
}

/// A signed agreement, as stored.
pub struct Agreement {
    pub id: AgreementId,
    pub practice_id: PracticeId,
    /// The version of the text that was signed.
    pub version: String,
    pub signer_name: String,
    pub signer_title: String,
    pub signed_at: Instant,
    /// The account and IP address of the signer; `None` for an agreement that the operator recorded.
    pub signed_by: Option<(UserId, String)>,
}

impl Agreement {
    /// Stores it, and ends earlier ones.
    pub fn writes(self) -> [Write; 2] {
        let (practice, id, at) = (self.practice_id, self.id, self.signed_at);
        let (by, from) = self.signed_by.unzip();
        let others = sql!(
            "UPDATE agreements SET ended_at = {at}
             WHERE practice_id = {practice} AND kind = 'baa' AND id <> {id} AND ended_at IS NULL";
            practice, id, at
        );
        let new = sql!(
            "INSERT INTO agreements (practice_id, id, kind, version, signer_name, signer_title, signed_at, signed_by, signed_from)
             VALUES ({practice}, {id}, 'baa', {version}, {name}, {title}, {at}, {by}, {from})
             ON CONFLICT (practice_id, id) DO NOTHING";
            practice, id, version = self.version, name = self.signer_name, title = self.signer_title, at, by, from
        );
        [others, new]
    }
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
    const OPEN: &str = destruction_open!("{practice}");
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
    let id = record.id;
    let change = Change::new(audit, Answer::new(201, &view))
        .guard(abort_if!(
            Record,
            "EXISTS (SELECT 1 FROM agreements WHERE practice_id = {practice} AND kind = 'baa' AND version = {version}
               AND ended_at IS NULL AND id <> {id})";
            practice, version = VERSION, id
        ))
        .guard(abort_if!(
            Record,
            "{OPEN}" [OPEN];
            practice
        ));
    Ok(record.writes().into_iter().fold(change, Change::write))
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
    Ok(ending(practice, id, Answer::new(200, &view), ctx))
}

/// Ends an agreement in force. The owners get an email.
pub(crate) fn ending(practice: PracticeId, id: AgreementId, answer: Answer, ctx: &Ctx) -> Change {
    let audit = Entry::new(ctx, 0, Some(practice), Event::AgreementEnded, id);
    Change::new(audit.detail(json!({ "kind": KIND })), answer)
        .guard(abort_if!(
            Record,
            "NOT EXISTS (
               SELECT 1 FROM agreements WHERE practice_id = {practice} AND id = {id} AND ended_at IS NULL)";
            practice, id
        ))
        .write(sql!(
            "UPDATE agreements SET ended_at = {now} WHERE practice_id = {practice} AND id = {id} AND ended_at IS NULL";
            practice, id, now = ctx.now
        ))
        .write(Write::Notice(Notice::new(practice, NoticeKind::AgreementEnded, ctx)))
}

#[cfg(test)]
mod tests;
