//! `POST /api/v1/documents`: the parts of the form, and the one commit at its end. `bulk` does the same for several files.
//!
//! Nothing is stored before the form has ended, so a form that breaks off stores nothing. A file that is not stored after
//! all is removed at once if the reason is certain. If it is not certain whether the commit happened, the sweep decides: it
//! removes the objects that the database still calls loose.

use super::document::DocumentPlace;
use super::receive::Sender;
use super::removal;
use super::show::UploadedDocument;
use super::storing::{Received, fingerprint, store};
use super::target::{Fields, FoundClaim, claims};
use crate::call::Call;
use crate::extract::FromCall;
#[cfg(any(test, feature = "schema"))]
use crate::extract::takes::{BodyTaken, Takes};
use crate::moving::Finish;
use crate::multipart::{Form, Part};
use crate::pipeline::after_commit;
use crate::plan::sandbox::SANDBOX_DOCUMENT;
use crate::prelude::*;
use crate::request::file_limits::{FILE_MAX, FILE_TOO_LARGE, FILES_TOO_LARGE, TOO_LARGE_FOR_SANDBOX};
use crate::request_body::FormBody;
use http::StatusCode;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use overturn_core::request::problem::Rule;
use std::rc::Rc;

/// How long a form may take, in milliseconds.
const FORM_MS: i64 = 30 * 60_000;
/// How much of a form may be no file: small parts, the heads of the parts, and the manifest of a bulk upload. A longer form
/// is refused by its announced length.
const OVERHEAD: u64 = 128 * 1024;
/// Most bytes of a small part.
const TEXT_MAX: usize = 1024;

/// The kind and the length of a form.
pub(crate) struct FormHeaders {
    content_type: Option<String>,
    length: Option<u64>,
}

impl FromCall for FormHeaders {
    #[cfg(any(test, feature = "schema"))]
    fn describe(takes: &mut Takes) {
        takes.body = BodyTaken::Files;
    }

    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let text = |name| call.headers.get(name)?.to_str().ok().map(str::to_owned);
        let length = text(CONTENT_LENGTH);
        Ok(Self { content_type: text(CONTENT_TYPE), length: length.and_then(|length| length.parse().ok()) })
    }
}

/// An upload in progress.
pub(super) struct Uploading {
    /// In the cell of the practice, from the first file on.
    pub(super) request: WriteRequest,
    pub(super) person: Person,
    pub(super) form: Form<FormBody>,
    pub(super) fields: Fields,
    /// The practice that the files are sealed for, from the first file on.
    pub(super) practice: Option<PracticeId>,
    pub(super) received: Vec<Received>,
}

impl Uploading {
    pub(super) async fn begin(request: WriteRequest, headers: &FormHeaders, max: u64) -> Result<Self, AppError> {
        let person = request.authorize().await?;
        if headers.length.is_some_and(|length| length > max.saturating_add(OVERHEAD)) {
            return Err(too_large(max));
        }
        // A malformed key must not be found out behind the files.
        request.once.of(&[])?;
        let body = request.call.body.form(&request.call.app, FORM_MS);
        let lengths = (headers.length, max.saturating_add(OVERHEAD));
        Ok(Self {
            form: Form::open(headers.content_type.as_deref(), lengths, body)?,
            request,
            person,
            fields: Fields::default(),
            practice: None,
            received: Vec::new(),
        })
    }

    /// The practice of the files that were received.
    pub(super) fn practice(&self) -> Result<PracticeId, RequestError> {
        let named = named(&self.person, self.fields.practice(self.request.call.terms())?)?;
        let practice = self.practice.filter(|practice| *practice == named);
        practice.ok_or_else(|| RequestError::invalid("file", Rule::Required))
    }

    /// Removes the files that are not stored.
    pub(super) async fn discard(&self) {
        let Some(practice_id) = self.practice else { return };
        for received in &self.received {
            removal::discard(&self.request.call, DocumentPlace { practice_id, id: received.id }).await;
        }
    }

    /// The answer, after what is not stored was removed.
    pub(super) async fn end(&self, answer: Result<Response, AppError>) -> Result<Response, AppError> {
        let is_stored = match &answer {
            Ok(response) => response.status() == StatusCode::CREATED && !after_commit::is_repeated(response),
            // Whether a batch was committed whose answer was lost is not known.
            Err(AppError::Request(_)) => false,
            Err(_) => true,
        };
        // Of several files, one may be refused for its claim. A stored one is not loose, and stays.
        if !is_stored || (answer.is_ok() && self.received.len() > 1) {
            self.discard().await;
        }
        answer
    }
}

/// The practice that a file is for. Staff name it before the first file, because files are sealed for it, and nothing is read
/// of a practice whose data may not be stored.
pub(super) async fn open(
    (request, person): (&mut WriteRequest, &Person),
    fields: &Fields,
    opened: &mut Option<PracticeId>,
) -> Result<PracticeId, AppError> {
    if let Some(practice) = *opened {
        return Ok(practice);
    }
    let practice = named(person, fields.practice(request.call.terms())?)?;
    if person.practice_id.is_none() {
        request.visit(practice).await?;
    }
    *opened = Some(practice);
    Ok(practice)
}

fn named(person: &Person, named: Option<PracticeId>) -> Result<PracticeId, RequestError> {
    match (person.practice_id, named) {
        (None, None) => {
            Err(RequestError::invalid("practice_id", Rule::Form("is required of staff, before the first file")))
        }
        (None, Some(practice)) => Ok(practice),
        (Some(own), named) if named.is_none_or(|named| named == own) => Ok(own),
        (Some(_), _) => Err(RequestError::invalid("practice_id", Rule::Form("must be your own practice"))),
    }
}

pub(super) fn too_large(max: u64) -> AppError {
    match max {
        FILE_MAX => FILE_TOO_LARGE,
        SANDBOX_DOCUMENT => TOO_LARGE_FOR_SANDBOX,
        _ => FILES_TOO_LARGE,
    }
    .into()
}

/// The most bytes of a file. A sandbox takes smaller ones.
pub(super) const fn file_max(call: &Call) -> u64 {
    if call.clock.is_some() { SANDBOX_DOCUMENT } else { FILE_MAX }
}

/// Reads a small part. A part with another name is refused, because its sender believes that it counts.
pub(super) async fn small(
    fields: &mut Fields,
    part: &mut Part<'_, FormBody>,
    (known, names): (&[&'static str], &'static str),
) -> Result<(), AppError> {
    let value = part.text(TEXT_MAX).await?;
    if fields.add(known, &part.name, value) {
        return Ok(());
    }
    Err(RequestError::invalid("form", Rule::OnlyKeys(names.into())).into())
}

/// `uploadDocument`: Upload a document.
///
/// For owners, admins, members and staff, and for API tokens with `documents:write`. The form has the part `file`
/// once, and may have `claim_id`, `claim_number` and `kind`. If both `claim_id` and `claim_number` are given, they
/// must name the same claim. Staff also send `practice_id`, before `file`. A part with another name is refused,
/// because its sender believes that it counts.
pub(crate) async fn upload(
    headers: FormHeaders,
    request: WriteRequest,
) -> Result<Gives<UploadedDocument, 201>, AppError> {
    let mut uploading = Uploading::begin(request, &headers, FILE_MAX).await?;
    let answer = uploading.one().await;
    uploading.end(answer).await.map(Gives::from)
}

impl Uploading {
    async fn one(&mut self) -> Result<Response, AppError> {
        while let Some(mut part) = self.form.next_part().await? {
            if part.name != "file" {
                let names = "file, claim_id, claim_number, kind and practice_id";
                let known = (Fields::OF_ONE, names);
                small(&mut self.fields, &mut part, known).await?;
                continue;
            }
            if !self.received.is_empty() {
                return Err(RequestError::invalid("file", Rule::Once).into());
            }
            self.fields.target(self.request.call.terms())?;
            let by = (&mut self.request, &self.person);
            let practice = open(by, &self.fields, &mut self.practice).await?;
            let sender = Sender { call: &self.request.call, person: &self.person, practice };
            let received = sender.receive((0, file_max(&self.request.call)), &mut part).await?;
            self.received.push(received);
        }
        let received = self.received.first();
        let received = received.ok_or_else(|| RequestError::invalid("file", Rule::Required))?;
        let practice = self.practice()?;
        let target = self.fields.target(self.request.call.terms())?;
        let fingerprint = fingerprint(practice, [(&target, Some(&*received.sha256))]);
        let load = claims(practice, &[&target]);
        let (call, mut finish) = (&self.request.call, Finish::default());
        let decide = |person: &Person, claims: Vec<Option<FoundClaim>>| {
            let file = (received.clone(), &target, claims.into_iter().next().flatten());
            Ok(store(practice, file, person, &call.ctx)?)
        };
        let finish = async || finish.of(&call.app).await;
        self.request.change_received((practice, fingerprint), load, decide, finish).await
    }
}
