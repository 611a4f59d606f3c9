//! `/api/v1/settings/agreements`: the agreements that a practice is asked to sign, and those that it has signed.

use crate::auth::person::Person;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::id::{AgreementId, PracticeId, UserId};
use crate::base::time::Time;
use crate::plan::SettingsGuard;
use crate::plan::SettingsWrite;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::notice::{Notice, NoticeKind};
use crate::plan::settings::Agreement;
use crate::plan::{Guard, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::{Printable, Text, form};
use crate::request::error::RequestError;
use crate::request::reason::Reason;
use crate::settings::agreements::text::{KIND, TEXT, VERSION};
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[cfg(test)]
mod tests;
pub mod text;

body! {
    AgreementSignature {
        kind: Kind,
        /// The version of the text that the person read.
        version: Text<20>,
        signer_name: Printable<200>,
        signer_title: Printable<200>,
    }
}

form! {
    /// The only kind of agreement.
    Kind: () = KIND, |text| (text == KIND).then_some(()), { "type": "string", "enum": [KIND] }
}

/// A signed agreement, as shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SignedView {
    pub id: AgreementId,
    /// The version of the text.
    pub version: String,
    /// The signer's name.
    pub signer_name: String,
    /// The signer's title.
    pub signer_title: String,
    /// When it was signed.
    pub signed_at: Time,
    /// When it ended; `None` while it is in force.
    pub ended_at: Option<Time>,
    /// The signer's account; `None` if the operator recorded it.
    pub signed_by: Option<UserId>,
    /// The signer's IP address; `None` if the operator recorded it, and for people who do not manage the practice.
    pub signed_from: Option<String>,
}

/// An agreement with its current text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AgreementView {
    kind: &'static str,
    version: &'static str,
    text: &'static str,
    /// The one in force, of any version.
    signed: Option<SignedView>,
    /// All signed ones, newest first.
    history: Vec<SignedView>,
}

/// All agreements.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Agreements {
    agreements: [AgreementView; 1],
}

/// The agreements. `history` has the signed ones, newest first.
#[must_use]
pub fn list(mut history: Vec<SignedView>, person: &Person) -> Agreements {
    if !person.leads() {
        history.iter_mut().for_each(|signed| signed.signed_from = None);
    }
    let mut in_force = history.iter().filter(|signed| signed.ended_at.is_none());
    Agreements {
        agreements: [AgreementView {
            kind: KIND,
            version: VERSION,
            text: TEXT,
            signed: in_force.next().cloned(),
            history,
        }],
    }
}

/// Signs the agreement. Earlier signatures end; of several parallel signatures, one succeeds. `destruction` says
/// whether a destruction of the practice's data is scheduled or running.
///
/// # Errors
///
/// [`RequestError::Conflict`] for another version than the current one, if the current one is already signed, and while a
/// destruction is open, [`RequestError::NotAuthorized`] for a person without a practice.
pub fn sign(
    signature: AgreementSignature,
    (history, destruction): (&[SignedView], bool),
    (person, address): (&Person, &str),
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
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
    let is_today = |signed: &SignedView| signed.ended_at.is_none() && signed.version == VERSION;
    if history.iter().any(is_today) {
        return Err(RequestError::Conflict(Reason::AlreadySigned, "this version is signed already"));
    }
    let id = AgreementId(ctx.id(Purpose::Record, 0));
    let view = SignedView {
        id,
        version: signature.version.clone(),
        signer_name: signature.signer_name.clone(),
        signer_title: signature.signer_title.clone(),
        signed_at: Time(ctx.now),
        ended_at: None,
        signed_by: Some(person.user_id),
        signed_from: Some(address.into()),
    };
    let record = Agreement {
        id,
        practice_id,
        version: signature.version,
        signer_name: signature.signer_name,
        signer_title: signature.signer_title,
        signed_at: ctx.now,
        signed_by: Some((person.user_id, address.into())),
    };
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::AgreementSigned, id);
    let audit = audit.detail(json!({ "kind": KIND, "version": VERSION }));
    Ok(Change::new(audit, Answer::new(201, &view))
        .guard(Guard::Settings(SettingsGuard::Unsigned {
            practice: practice_id,
            version: VERSION.into(),
            agreement: id,
        }))
        .guard(Guard::Settings(SettingsGuard::NoDestructionOpen(practice_id)))
        .write(Write::Settings(SettingsWrite::NewAgreement(record))))
}

/// Ends an agreement at once, for keys, tokens, members, staff and signing links. Ending it again changes nothing and
/// is not an error.
///
/// # Errors
///
/// [`RequestError::NotFound`] for an agreement that the practice does not have, [`RequestError::NotAuthorized`] for a person
/// without a practice.
pub fn end(id: AgreementId, history: Vec<SignedView>, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let mut history = history.into_iter();
    let signed = history.find(|signed| signed.id == id);
    let signed = signed.ok_or(RequestError::NotFound("no such agreement"))?;
    if signed.ended_at.is_some() {
        return Ok(Change::nothing(Answer::new(200, &signed)));
    }
    let view = SignedView { ended_at: Some(Time(ctx.now)), ..signed };
    let (guard, writes) = ending(practice_id, id, ctx);
    let [audit, rest @ ..] = writes;
    let mut change = Change::nothing(Answer::new(200, &view)).guard(guard).write(audit);
    change.writes.extend(rest);
    Ok(change)
}

/// The guard and the writes that end an agreement: its audit row, the end, and the email to the owners.
#[must_use]
pub fn ending(practice_id: PracticeId, id: AgreementId, ctx: &Ctx) -> (Guard, [Write<'static>; 3]) {
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::AgreementEnded, id);
    let notice = Notice::new(practice_id, NoticeKind::AgreementEnded, ctx);
    let writes = [
        Write::Audit(audit.detail(json!({ "kind": KIND }))),
        Write::Settings(SettingsWrite::AgreementEnded { practice: practice_id, agreement: id }),
        Write::Settings(SettingsWrite::Notice(notice)),
    ];
    (Guard::Settings(SettingsGuard::AgreementInForce { practice: practice_id, agreement: id }), writes)
}
