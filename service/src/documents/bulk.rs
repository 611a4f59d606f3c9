//! `POST /api/v1/documents/bulk`: several files and their manifest. One bad file fails no other.

use super::receive::Sender;
use super::show::DocumentView;
use super::storing::{NewDocument, Received, fingerprint};
use super::target::{self, Fields, FoundClaim, Target, claims};
use super::uploads::{FormHeaders, Uploading, open, small, too_large};
use crate::prelude::*;
use crate::{response, shape};
use http::StatusCode;
use overturn_core::documents::{BULK_MAX, FILE_MAX, FILES_MAX};
use overturn_core::request::problem::Rule;
use serde_json::Value;
use std::collections::BTreeMap;

/// Most bytes of the manifest.
const MANIFEST_MAX: usize = 64 * 1024;

/// `POST …/bulk`: uploads several documents.
pub(crate) async fn upload_all(headers: FormHeaders, request: WriteRequest) -> Result<Response, AppError> {
    let mut uploading = Uploading::begin(&request, &headers, BULK_MAX).await?;
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
        let fingerprint = fingerprint(practice, targets.iter().copied().zip(digests));
        let load = claims(practice, &targets);
        let mut none_stored = None;
        let stored = self.request.change_received((practice, fingerprint), load, |person, claims| {
            let items = self.items(&files, &targets, claims);
            let ctx = &self.request.call.ctx;
            let stored = store_all(practice, items, shape::shown, person, ctx);
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

    fn items(&self, files: &Files, targets: &[&Target], claims: Vec<Option<FoundClaim>>) -> Vec<Item> {
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

/// One file of a bulk upload.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Received(Received, Target, Option<FoundClaim>),
    /// It was refused, with the error as it is shown.
    Refused(Value),
}

names! {
    /// What became of a file of a bulk upload.
    FileStatus {
        Stored = "stored",
        Refused = "refused",
    }
}

/// The result of one file, in the order sent.
#[derive(Clone, Debug, Serialize)]
struct FileResult {
    status: FileStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    document: Option<DocumentView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

impl FileResult {
    const fn stored(document: DocumentView) -> Self {
        Self { status: FileStatus::Stored, document: Some(document), error: None }
    }

    const fn refused(error: Value) -> Self {
        Self { status: FileStatus::Refused, document: None, error: Some(error) }
    }

    /// The result as it is kept.
    fn kept(&self) -> Self {
        Self { document: self.document.as_ref().map(DocumentView::without_name), ..self.clone() }
    }
}

/// Stores the files that were received. `refuse` says how an error is shown.
///
/// # Errors
///
/// The results, if none was stored.
pub(super) fn store_all(
    practice: PracticeId,
    items: Vec<Item>,
    refuse: impl Fn(RequestError) -> Value,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, Value> {
    let mut stored = Vec::new();
    let mut results = Vec::new();
    for item in items {
        let (received, target, claim) = match item {
            Item::Received(received, target, claim) => (received, target, claim),
            Item::Refused(error) => {
                results.push(FileResult::refused(error));
                continue;
            }
        };
        match target.claim(claim) {
            Ok(claim) => {
                let new = NewDocument::new(practice, received, (&target, claim), person, ctx);
                results.push(FileResult::stored(new.view.clone()));
                stored.push(new);
            }
            Err(error) => results.push(FileResult::refused(refuse(error))),
        }
    }
    let body = json!({ "results": results });
    let mut rows = stored.iter().enumerate().map(|(n, new)| new.entry(n, ctx));
    let Some(first) = rows.next() else {
        return Err(body);
    };
    let kept: Vec<FileResult> = results.iter().map(FileResult::kept).collect();
    let answer = Answer::new(201, &body).keeping(&json!({ "results": kept }));
    let change = rows.fold(Change::new(first, answer), |change, row| change.write(Write::Audit(row)));
    Ok(stored.iter().fold(change, |change, new| new.add_to(change)))
}
