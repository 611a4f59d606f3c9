//! `POST /api/v1/documents/bulk`: several files and their manifest. One bad file fails no other.

use super::receive::Sender;
use super::request::FormHeaders;
use super::uploads::{Uploading, open, small, too_large};
use crate::error::AppError;
use crate::extract::WriteRequest;
use crate::response::{self, Response};
use crate::shape;
use http::StatusCode;
use overturn_core::documents::target::{self, Fields, Target};
use overturn_core::documents::upload::{self, Item};
use overturn_core::documents::{BULK_MAX, FILE_MAX, FILES_MAX};
use overturn_core::request::error::RequestError;
use overturn_core::request::problem::Rule;
use overturn_store::documents::queries;
use std::collections::BTreeMap;

/// Most bytes of the manifest.
const MANIFEST_MAX: usize = 64 * 1024;

/// Receives several documents.
pub(super) async fn several(request: &WriteRequest, headers: &FormHeaders) -> Result<Response, AppError> {
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
        let practice = self.practice()?;
        if manifest.keys().any(|name| files.iter().all(|(part, _)| part != name)) {
            let rule = Rule::Form("must name only parts that are files");
            return Err(RequestError::invalid("manifest", rule).into());
        }
        let none = Target::default();
        let targets: Vec<&Target> = files.iter().map(|(part, _)| manifest.get(part).unwrap_or(&none)).collect();
        let digest = |file: &Result<usize, RequestError>| {
            let received = self.received.get(*file.as_ref().ok()?)?;
            Some(&*received.sha256)
        };
        let digests = files.iter().map(|(_, file)| digest(file));
        let fingerprint = upload::fingerprint(practice, targets.iter().copied().zip(digests));
        let load = queries::claims(practice, &targets);
        let mut none_stored = None;
        let stored = self.request.change_received((practice, fingerprint), load, |person, claims| {
            let items = self.items(&files, &targets, claims);
            let ctx = &self.request.call.ctx;
            let stored = upload::store_all(practice, items, shape::shown, person, ctx);
            stored.map_err(|body| {
                none_stored = Some(body);
                // The body takes its place.
                RequestError::Invalid(Vec::new()).into()
            })
        });
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
                if manifest.replace(target::manifest(text.as_bytes(), self.request.call.terms())?).is_some() {
                    return Err(RequestError::invalid("manifest", Rule::Once).into());
                }
                continue;
            }
            if part.file_name.is_none() {
                let known = (Fields::OF_SEVERAL, "files, manifest and practice_id");
                small(&mut self.fields, &mut part, known).await?;
                continue;
            }
            if files.len() >= FILES_MAX {
                return Err(RequestError::invalid("files", Rule::Items(FILES_MAX)).into());
            }
            let by = (self.request, &self.person);
            let sender = Sender {
                call: &self.request.call,
                person: &self.person,
                practice: open(by, &self.fields, &mut self.practice).await?,
            };
            let max = FILE_MAX.min(BULK_MAX.saturating_sub(bytes));
            let received = match sender.receive((files.len(), max), &mut part).await {
                Ok(received) => {
                    bytes = bytes.saturating_add(received.size);
                    self.received.push(received);
                    Ok(self.received.len().saturating_sub(1))
                }
                // The files together are too large. Nothing is stored.
                Err(AppError::Request(RequestError::FileTooLarge(_))) if max < FILE_MAX => {
                    return Err(too_large(BULK_MAX));
                }
                // The form itself can still be read.
                Err(AppError::Request(error)) if is_of_file(&error) => Err(error),
                Err(error) => return Err(error),
            };
            files.push((part.name, received));
        }
        Ok((files, manifest.unwrap_or_default()))
    }

    fn items(&self, files: &Files, targets: &[&Target], claims: Vec<Option<target::FoundClaim>>) -> Vec<Item> {
        let of = targets.iter().copied().zip(claims);
        let item = |((_, file), (target, claim)): (&(String, Result<usize, RequestError>), (&Target, _))| match file {
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
    matches!(error, RequestError::Invalid(_) | RequestError::FileTooLarge(_) | RequestError::VirusDetected)
}
