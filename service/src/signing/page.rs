//! The signing page. The patient does not sign in: the link gives access, and the date of birth shows the claim.

pub(crate) mod html;

use super::birth::Birth;
use super::document::Authorization;
use super::form::{FormFields, SignatureInput};
use super::patient::{self, NO_LINK, StoredSigning};
use super::proof::Shown;
use super::signature::{Relation, signature};
use crate::call::Call;
use crate::extract::{Form, PatientForm, PatientLink};
use crate::html::{content_security_policy_with_script, respond, respond_under};
use crate::pipeline;
use crate::pipeline::practice_keys;
use crate::plan::Actor;
use crate::plan::signing::link::TRIES_MAX;
use crate::prelude::*;
use crate::request::language::Language;
use crate::request::secret::{SecretError, SigningToken};
use crate::response;
use crate::sign_in_limits;
use crate::store::error::{DatabaseError, FailedGuard};
use html::{self as page, Again, BirthProblem, SWITCH, SignatureFields, Typed};
use http::StatusCode;
use http::header::CONTENT_TYPE;
use overturn_core::base::date::Date;
use overturn_core::claims::Patient;
use std::rc::Rc;

/// How many times a signature is decided if the claim keeps changing.
const ROUNDS: usize = 3;

/// `GET /sign`: the practice's name and a form for the date of birth. Opening it counts nothing and changes nothing: a
/// waiting room shares an address, and the IP ban allows far too few requests to guess 240 random bits.
pub(crate) async fn show(link: PatientLink) -> Result<Response, AppError> {
    let (call, language) = (link.call, link.language);
    let token = link.token.ok_or(NO_LINK)?;
    let stored = call.db.read(&patient::link(&token.hash())).await?;
    let now = StoredSigning::timed(stored.as_ref(), &call).ctx.now;
    let stored = patient::open(stored.as_ref(), false, now)?;
    let typed = Typed::default();
    let html = page::ask_birth(language, token.expose(), &stored.practice, typed, None);
    Ok(respond(StatusCode::OK, html))
}

/// `POST /sign`: the date of birth. An attempt is counted before the comparison. If the date is correct, the document
/// is shown and the attempt is given back.
pub(crate) async fn ask(PatientForm { call, form }: PatientForm) -> Result<Response, AppError> {
    sign_in_limits::link(&call).await?;
    let token: SigningToken = form.get("token").parse().map_err(|SecretError| NO_LINK)?;
    match birth(typed(&form)).read(call.ctx.latest_today()) {
        Ok(on) => compare(&call, &token, &form, on).await,
        Err(why) => {
            let stored = call.db.read(&patient::link(&token.hash())).await?;
            let now = StoredSigning::timed(stored.as_ref(), &call).ctx.now;
            let stored = patient::open(stored.as_ref(), false, now)?;
            let problem = BirthProblem::NoDate(why);
            Ok(birth_again(&token, stored, &form, problem))
        }
    }
}

/// Counts the try and compares the date.
async fn compare(call: &Rc<Call>, token: &SigningToken, form: &Form, on: Date) -> Result<Response, AppError> {
    let hash = token.hash();
    let count = patient::tried(&hash);
    let stored = pipeline::count_and_read(call, count, &patient::link(&hash)).await?;
    let call = &StoredSigning::timed(stored.as_ref(), call);
    let stored = patient::open(stored.as_ref(), true, call.ctx.now)?;
    let patient = opened(call, stored)?;
    if !stored.is_born(&patient, on) {
        let entry = stored.refusal(&call.place, &call.ctx);
        let actor = Actor::SigningLink(stored.link_id);
        pipeline::record_in_background(call, actor, vec![Write::Audit(entry)]);
        let left = TRIES_MAX.saturating_sub(stored.tries);
        if left <= 0 {
            return Err(NO_LINK.into());
        }
        let problem = BirthProblem::Wrong(left);
        return Ok(birth_again(token, stored, form, problem));
    }
    // The audit row is committed before the document is shown.
    note_shown(call, stored, &stored.show(&call.ctx)).await?;
    let document = stored.document(&patient, call.ctx.now, language(form));
    let form = HiddenFields { token, proof: &prove(call, token, &document), form: None };
    Ok(form.page(&document, Again::Problems(&[])))
}

const fn birth(typed: Typed<'_>) -> Birth<'_> {
    Birth { month: typed.month, day: typed.day, year: typed.year }
}

fn typed(form: &Form) -> Typed<'_> {
    Typed { month: form.get("month"), day: form.get("day"), year: form.get("year") }
}

/// The language of the page that the form is on.
fn language(form: &Form) -> Language {
    Language::parse(form.get("language")).unwrap_or(Language::English)
}

/// The form for the date of birth again.
fn birth_again(token: &SigningToken, stored: &StoredSigning, form: &Form, problem: BirthProblem) -> Response {
    let (language, typed) = (language(form), typed(form));
    let html = page::ask_birth(language, token.expose(), &stored.practice, typed, Some(problem));
    respond(StatusCode::UNPROCESSABLE_ENTITY, html)
}

/// `POST /sign/signature`: the signature, once. A repeated submission gets the same thanks.
pub(crate) async fn sign(PatientForm { call, form }: PatientForm) -> Result<Response, AppError> {
    sign_in_limits::link(&call).await?;
    let token: SigningToken = form.get("token").parse().map_err(|SecretError| NO_LINK)?;
    let shown = Shown::proven(&call.app.keys.proofs, &token.hash(), form.get("proof"));
    for _ in 0..ROUNDS {
        let stored = call.db.read(&patient::link(&token.hash())).await?;
        let call = StoredSigning::timed(stored.as_ref(), &call);
        let shown = shown.filter(|shown| shown.holds(call.ctx.now));
        if let Some(answer) = attempt(&call, (&token, &form), stored.as_ref(), shown).await? {
            return Ok(answer);
        }
    }
    Err(RequestError::Conflict(Reason::VersionConflict, "the claim has changed").into())
}

/// One attempt to sign. `None` if the link or the claim changed during it.
async fn attempt(
    call: &Rc<Call>,
    (token, form): (&SigningToken, &Form),
    stored: Option<&StoredSigning>,
    shown: Option<Shown>,
) -> Result<Option<Response>, AppError> {
    let language = language(form);
    if let (Some(stored), Some(shown)) = (stored, shown)
        && stored.used_at.is_some()
    {
        stored.readable()?;
        let document = stored.document(&opened(call, stored)?, shown.at, language);
        let (given, at) = kept(call, stored).await?;
        // The audit row is committed before the copy is shown.
        note_shown(call, stored, &stored.show_copy(&call.ctx)).await?;
        return Ok(Some(thanks(shown, &document, (stored, &given, at))));
    }
    let stored = patient::open(stored, false, call.ctx.now)?;
    let Some(shown) = shown else {
        return Ok(Some(birth_again(token, stored, form, BirthProblem::TooLong)));
    };
    let document = stored.document(&opened(call, stored)?, shown.at, language);
    let switches = form.get(SWITCH) == "yes";
    if switches || !shown.is_of(&document) {
        note_shown(call, stored, &stored.show_again(&call.ctx)).await?;
        let document = stored.document(&opened(call, stored)?, call.ctx.now, language);
        let proof = prove(call, token, &document);
        let signed = HiddenFields { token, proof: &proof, form: Some(form).filter(|_| !switches) };
        let again = if switches { Again::Problems(&[]) } else { Again::Changed };
        return Ok(Some(signed.page(&document, again)));
    }
    let fields = FormFields {
        relation: form.get("relation"),
        name: form.get("name"),
        drawing: form.get("drawing"),
        consents: form.get("consent") == "yes",
    };
    let given = match SignatureInput::read(fields) {
        Ok(given) => given,
        Err(problems) => {
            note_shown(call, stored, &stored.show_again(&call.ctx)).await?;
            let signed = HiddenFields { token, proof: form.get("proof"), form: Some(form) };
            return Ok(Some(signed.page(&document, Again::Problems(&problems))));
        }
    };
    let change = stored.sign(given.clone(), &document, &call.place, &call.ctx);
    let keys = practice_keys::to_seal(call, stored.practice_id, stored.data_key.as_ref())?;
    match pipeline::commit_by_link(call, stored.link_id, &change, Some(&keys)).await {
        Ok(()) => Ok(Some(thanks(shown, &document, (stored, &given, call.ctx.now)))),
        Err(DatabaseError::Conflict(
            FailedGuard::Secret | FailedGuard::Record | FailedGuard::Credential | FailedGuard::DataKey,
        )) => Ok(None),
        Err(fault) => Err(fault.into()),
    }
}

/// Commits the audit row about a shown claim, before the page. If it fails, the page shows nothing.
///
/// A practice that was closed after the load is refused like an unknown link.
async fn note_shown(call: &Call, stored: &StoredSigning, change: &Change) -> Result<(), AppError> {
    match pipeline::commit_by_link(call, stored.link_id, change, None).await {
        Err(DatabaseError::Conflict(FailedGuard::Credential)) => Err(NO_LINK.into()),
        noted => Ok(noted?),
    }
}

/// The hidden fields of the signature form.
struct HiddenFields<'a> {
    token: &'a SigningToken,
    proof: &'a str,
    /// The entered fields, if the form is shown again.
    form: Option<&'a Form>,
}

impl HiddenFields<'_> {
    fn page(&self, document: &Authorization, again: Again<'_>) -> Response {
        let status = if self.form.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        let filled = |name| self.form.map_or("", |form| form.get(name));
        let form = SignatureFields {
            token: self.token.expose(),
            proof: self.proof,
            relation: Relation::parse(filled("relation")).unwrap_or(Relation::Patient),
            name: filled("name"),
            drawing: filled("drawing"),
        };
        let html = page::ask_signature(document, form, again);
        respond_under(content_security_policy_with_script(), status, html)
    }
}

fn prove(call: &Call, token: &SigningToken, document: &Authorization) -> String {
    let (at, digest) = (call.ctx.now, document.digest());
    Shown { at, digest }.prove(&call.app.keys.proofs, &token.hash())
}

fn thanks(
    shown: Shown,
    document: &Authorization,
    (stored, given, at): (&StoredSigning, &SignatureInput, Instant),
) -> Response {
    let language = document.language;
    let document = Some(document).filter(|document| shown.is_of(document));
    let signed = page::Signed { given, at: Time(at), zone: stored.time_zone };
    respond(StatusCode::OK, page::thanks(language, document, signed))
}

/// The stored signature of a used link and its time, not the one just submitted.
async fn kept(call: &Rc<Call>, stored: &StoredSigning) -> Result<(SignatureInput, Instant), AppError> {
    let (practice, claim) = (stored.practice_id, stored.claim_id);
    let signature = call.db.read(&signature(practice, claim)).await?;
    let signature = signature.ok_or(AppError::Internal("a used link has no signature"))?;
    let keys = practice_keys::to_open(call, practice, stored.data_key.as_ref());
    let secret = signature.secret((practice, claim), &keys)?;
    let given = SignatureInput { relation: secret.relation, name: secret.name, drawing: secret.strokes };
    Ok((given, secret.signed_at))
}

/// The patient of a claim.
fn opened(call: &Rc<Call>, stored: &StoredSigning) -> Result<Patient<'static>, AppError> {
    let keys = practice_keys::to_open(call, stored.practice_id, stored.data_key.as_ref());
    Ok(stored.patient(&keys)?)
}

/// `GET /sign/pad.js`: the script of the drawing field.
pub(crate) async fn pad() -> Response {
    let typed = [(CONTENT_TYPE, "text/javascript; charset=utf-8")];
    response::with(StatusCode::OK, typed, page::PAD_SCRIPT)
}
