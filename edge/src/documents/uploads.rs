//! `POST /api/v1/documents` and `…/bulk`: the parts of the form, and the one commit at its end.
//!
//! Nothing is stored before the form has ended, so a form that breaks off stores nothing. A file that is not stored after
//! all is removed at once if the reason is certain. If it is not certain whether the commit happened, the sweep decides: it
//! removes the objects that the database still calls loose.

use super::receive::Sender;
use super::removal;
use super::request::FormHeaders;
use crate::error::AppError;
use crate::extract::WriteRequest;
use crate::multipart::{Form, Part};
use crate::pipeline::after_commit;
use crate::request_body::FormBody;
use crate::response;
use crate::shape;
use axum::http::StatusCode;
use axum::response::Response;
use overturn_core::auth::person::Person;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::PracticeId;
use overturn_core::documents::target::{self, Fields, Target};
use overturn_core::documents::upload::{self, Item, Received};
use overturn_core::documents::{BULK_MAX, FILE_MAX, FILES_MAX};
use overturn_core::request::error::RequestError;
use overturn_core::request::problem::Rule;
use overturn_store::documents::queries;
use std::collections::BTreeMap;
use std::time::Duration;

/// How long a sender of a form may pause.
const SILENCE: Duration = Duration::from_secs(30);
/// How long a form may take, in milliseconds.
const FORM_MS: i64 = 30 * 60_000;
/// How much of a form may be no file.
const OVERHEAD: u64 = 1024 * 1024;
/// Most bytes of a small part, and of the manifest.
const TEXT_MAX: usize = 1024;
const MANIFEST_MAX: usize = 64 * 1024;

/// An upload in progress.
struct Uploading<'r> {
    request: &'r WriteRequest,
    person: Person,
    form: Form<FormBody>,
    fields: Fields,
    received: Vec<Received>,
}

impl<'r> Uploading<'r> {
    async fn begin(
        request: &'r WriteRequest,
        headers: &FormHeaders,
        max: u64,
    ) -> Result<Self, AppError> {
        let person = request.authorize(Action::UploadDocument).await?;
        if headers
            .length
            .is_some_and(|length| length > max.saturating_add(OVERHEAD))
        {
            return Err(too_large(max));
        }
        let body = request.call.body.form(SILENCE, FORM_MS);
        Ok(Self {
            form: Form::open(headers.content_type.as_deref(), headers.length, body)?,
            request,
            person,
            fields: Fields::default(),
            received: Vec::new(),
        })
    }

    /// The practice that the files are for. Staff name it before the first file, because files are sealed for it.
    fn practice(person: &Person, fields: &Fields) -> Result<PracticeId, RequestError> {
        let named = fields.practice()?;
        let own = person.practice_id;
        match (own, named) {
            (None, None) => Err(RequestError::invalid(
                "practice_id",
                Rule::Form("is required of staff, before the first file"),
            )),
            (None, Some(practice)) => Ok(practice),
            (Some(own), named) if named.is_none_or(|named| named == own) => Ok(own),
            (Some(_), _) => Err(RequestError::invalid(
                "practice_id",
                Rule::Form("must be your own practice"),
            )),
        }
    }

    /// Removes the files that are not stored.
    async fn discard(&self) {
        for received in &self.received {
            removal::discard(&self.request.call, received.id).await;
        }
    }

    /// The answer, after what is not stored was removed.
    async fn end(&self, answer: Result<Response, AppError>) -> Result<Response, AppError> {
        let is_stored = match &answer {
            Ok(response) => {
                response.status() == StatusCode::CREATED && !after_commit::is_repeated(response)
            }
            // Whether a batch was committed whose answer was lost is not known.
            Err(AppError::Request(_)) => false,
            Err(_) => true,
        };
        if !is_stored {
            self.discard().await;
        }
        answer
    }
}

fn too_large(max: u64) -> AppError {
    let message = if max == FILE_MAX {
        "a file must have at most 50 MB"
    } else {
        "the files together must have at most 200 MB"
    };
    RequestError::FileTooLarge(message).into()
}

/// Reads a small part. A part with another name is refused, because its sender believes that it counts.
async fn small(
    fields: &mut Fields,
    part: &mut Part<'_, FormBody>,
    names: &'static str,
) -> Result<(), AppError> {
    let value = part.text(TEXT_MAX).await?;
    if fields.add(&part.name, value) {
        return Ok(());
    }
    Err(RequestError::invalid("form", Rule::OnlyKeys(names)).into())
}

/// Receives a document.
pub(super) async fn one(
    request: &WriteRequest,
    headers: &FormHeaders,
) -> Result<Response, AppError> {
    let mut uploading = Uploading::begin(request, headers, FILE_MAX).await?;
    let answer = uploading.one().await;
    uploading.end(answer).await
}

impl Uploading<'_> {
    async fn one(&mut self) -> Result<Response, AppError> {
        while let Some(mut part) = self.form.next_part().await? {
            if part.name != "file" {
                let names = "file, claim_id, claim_number, kind and practice_id";
                small(&mut self.fields, &mut part, names).await?;
                continue;
            }
            if !self.received.is_empty() {
                return Err(RequestError::invalid("file", Rule::Once).into());
            }
            let sender = Sender {
                call: &self.request.call,
                person: &self.person,
                practice: Self::practice(&self.person, &self.fields)?,
            };
            let received = sender.receive(0, &mut part).await?;
            self.received.push(received);
        }
        let received = self.received.first();
        let received = received.ok_or_else(|| RequestError::invalid("file", Rule::Required))?;
        let practice = Self::practice(&self.person, &self.fields)?;
        let target = self.fields.target()?;
        let fingerprint = upload::fingerprint([(&target, Some(&*received.sha256))]);
        let load = queries::claims(practice, &[&target]);
        let stored = self.request.change_received(
            Action::UploadDocument,
            (practice, fingerprint),
            load,
            |person, claims| {
                let file = (
                    received.clone(),
                    &target,
                    claims.into_iter().next().flatten(),
                );
                Ok(upload::store(
                    practice,
                    file,
                    person,
                    &self.request.call.ctx,
                )?)
            },
        );
        stored.await
    }
}

/// Receives several documents.
pub(super) async fn several(
    request: &WriteRequest,
    headers: &FormHeaders,
) -> Result<Response, AppError> {
    let mut uploading = Uploading::begin(request, headers, BULK_MAX).await?;
    let answer = uploading.several().await;
    uploading.end(answer).await
}

/// The files of a bulk upload, in the order sent: the name of the part, and the place among the received ones or the
/// refusal.
type Files = Vec<(String, Result<usize, RequestError>)>;

impl Uploading<'_> {
    async fn several(&mut self) -> Result<Response, AppError> {
        let (files, manifest) = self.receive_all().await?;
        if files.is_empty() {
            return Err(RequestError::invalid("file", Rule::Required).into());
        }
        let practice = Self::practice(&self.person, &self.fields)?;
        if manifest
            .keys()
            .any(|name| files.iter().all(|(part, _)| part != name))
        {
            let rule = Rule::Form("must name only parts that are files");
            return Err(RequestError::invalid("manifest", rule).into());
        }
        let none = Target::default();
        let targets: Vec<&Target> = files
            .iter()
            .map(|(part, _)| manifest.get(part).unwrap_or(&none))
            .collect();
        let digest = |file: &Result<usize, RequestError>| {
            let received = self.received.get(*file.as_ref().ok()?)?;
            Some(&*received.sha256)
        };
        let digests = files.iter().map(|(_, file)| digest(file));
        let fingerprint = upload::fingerprint(targets.iter().copied().zip(digests));
        let load = queries::claims(practice, &targets);
        let mut none_stored = None;
        let stored = self.request.change_received(
            Action::UploadDocument,
            (practice, fingerprint),
            load,
            |person, claims| {
                let items = self.items(&files, &targets, claims);
                let ctx = &self.request.call.ctx;
                let stored = upload::store_all(practice, items, shape::shown, person, ctx);
                stored.map_err(|body| {
                    none_stored = Some(body);
                    RequestError::Conflict("no file was stored").into()
                })
            },
        );
        let answer = stored.await;
        match none_stored {
            Some(body) => Ok(response::json(StatusCode::UNPROCESSABLE_ENTITY, &body)),
            None => answer,
        }
    }

    async fn receive_all(&mut self) -> Result<(Files, BTreeMap<String, Target>), AppError> {
        let mut files = Files::new();
        let mut manifest = None;
        let mut bytes = 0_u64;
        while let Some(mut part) = self.form.next_part().await? {
            if part.file_name.is_none() && part.name == "manifest" {
                let text = part.text(MANIFEST_MAX).await?;
                if manifest
                    .replace(target::manifest(text.as_bytes())?)
                    .is_some()
                {
                    return Err(RequestError::invalid("manifest", Rule::Once).into());
                }
                continue;
            }
            if part.file_name.is_none() {
                small(
                    &mut self.fields,
                    &mut part,
                    "files, manifest and practice_id",
                )
                .await?;
                continue;
            }
            if files.len() >= FILES_MAX {
                return Err(RequestError::invalid("files", Rule::Items(FILES_MAX)).into());
            }
            let sender = Sender {
                call: &self.request.call,
                person: &self.person,
                practice: Self::practice(&self.person, &self.fields)?,
            };
            let received = match sender.receive(files.len(), &mut part).await {
                Ok(received) => {
                    bytes = bytes.saturating_add(received.size);
                    self.received.push(received);
                    Ok(self.received.len().saturating_sub(1))
                }
                // The form itself can still be read.
                Err(AppError::Request(error)) if is_of_file(&error) => Err(error),
                Err(error) => return Err(error),
            };
            files.push((part.name, received));
            if bytes > BULK_MAX {
                return Err(too_large(BULK_MAX));
            }
        }
        Ok((files, manifest.unwrap_or_default()))
    }

    fn items(
        &self,
        files: &Files,
        targets: &[&Target],
        claims: Vec<Option<target::FoundClaim>>,
    ) -> Vec<Item> {
        let of = targets.iter().copied().zip(claims);
        let item = |((_, file), (target, claim)): (
            &(String, Result<usize, RequestError>),
            (&Target, _),
        )| match file {
            Ok(place) => match self.received.get(*place) {
                Some(received) => Item::Received(received.clone(), target.clone(), claim),
                None => Item::Refused(shape::shown(RequestError::VirusDetected)),
            },
            Err(error) => Item::Refused(shape::shown(error.clone())),
        };
        files.iter().zip(of).map(item).collect()
    }
}

/// True if a refusal is about one file only.
const fn is_of_file(error: &RequestError) -> bool {
    matches!(
        error,
        RequestError::Invalid(_) | RequestError::FileTooLarge(_) | RequestError::VirusDetected
    )
}
