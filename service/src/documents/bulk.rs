//! `POST /api/v1/documents/bulk`: several files and their manifest. One bad file fails no other.

use super::receive::Sender;
use super::show::UploadedDocument;
use super::storing::{NewDocument, Received, fingerprint};
use super::target::{self, Fields, FoundClaim, Target, claims};
use super::uploads::{FormHeaders, Uploading, file_max, open, small, too_large};
use crate::moving::Finish;
use crate::prelude::*;
use crate::request::file_limits::{BULK_MAX, FILES_MAX};
#[cfg(feature = "schema")]
use crate::request::reason::ErrorCode;
use crate::{response, shape};
use http::StatusCode;
use overturn_core::request::problem::Rule;
use serde_json::Value;
use std::collections::BTreeMap;

/// Most bytes of the manifest.
const MANIFEST_MAX: usize = 64 * 1024;

/// `uploadDocuments`: Upload several documents.
///
/// For the same callers as a single upload. The form has up to 20 files, each in a part with a name that you choose,
/// and together at most 200 MiB. A part with a `filename` is a file. The part `manifest` is JSON and ties files to
/// claims by the names of their parts:
///
/// ```json
/// {"letter": {"claim_number": "PCN-1001", "kind": "denial_letter"}, "record": {"claim_id": "019aa31c-…"}}
/// ```
///
/// A name that stands for several files counts for each of them. A file that the manifest does not name belongs to no
/// claim. A name without a file is refused. Staff also send `practice_id`, before the first file.
///
/// `results` has one result for each file, in the order sent. One bad file fails no other. If no file was stored, the
/// answer is `422` with the same `results`. If the files together have more than 200 MiB, nothing is stored.
pub(crate) async fn upload_all(
    headers: FormHeaders,
    request: WriteRequest,
) -> Result<Gives<UploadResults, 201>, AppError> {
    let mut uploading = Uploading::begin(request, &headers, BULK_MAX).await?;
    let answer = uploading.several().await;
    uploading.end(answer).await.map(Gives::from)
}

/// The files of a bulk upload, in the order sent: the name of the part, and the place among the received ones or the
/// refusal.
type Files = Vec<(String, Result<usize, RequestError>)>;

impl Uploading {
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
        let mut none_stored = None;
        let load = claims(practice, &targets);
        let (call, mut finish) = (&self.request.call, Finish::default());
        let decide = |person: &Person, claims| {
            let items = self.items(&files, &targets, claims);
            let stored = store_all(practice, items, shape::shown, person, &call.ctx);
            stored.map_err(|body| {
                none_stored = Some(body);
                // The body takes its place.
                RequestError::Invalid(Vec::new()).into()
            })
        };
        let finish = async || finish.of(&call.app).await;
        let answer = self.request.change_received((practice, fingerprint), load, decide, finish).await;
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
            let by = (&mut self.request, &self.person);
            let practice = open(by, &self.fields, &mut self.practice).await?;
            let sender = Sender { call: &self.request.call, person: &self.person, practice };
            let most = file_max(&self.request.call);
            let max = most.min(BULK_MAX.saturating_sub(bytes));
            let received = match sender.receive((files.len(), max), &mut part).await {
                Ok(received) => {
                    bytes = bytes.saturating_add(received.size);
                    self.received.push(received);
                    Ok(self.received.len().saturating_sub(1))
                }
                // The files together are too large. Nothing is stored.
                Err(AppError::Request(RequestError::FileTooLarge(_))) if max < most => {
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

/// What became of one file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "status", rename_all = "snake_case")]
enum FileResult {
    Stored {
        document: UploadedDocument,
    },
    Refused {
        #[cfg_attr(feature = "schema", schemars(with = "FileError"))]
        error: Value,
    },
}

impl FileResult {
    /// The result as it is kept.
    fn kept(&self) -> Self {
        match self {
            Self::Stored { document } => Self::Stored { document: document.without_name() },
            Self::Refused { .. } => self.clone(),
        }
    }
}

/// What became of the files of a bulk upload.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct UploadResults {
    /// One for each file, in the order sent.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = FILES_MAX)))]
    results: Vec<FileResult>,
}

#[cfg(feature = "schema")]
struct FileError;

#[cfg(feature = "schema")]
overturn_core::described! {
    /// Why a file was not stored.
    FileError = {
        "type": "object",
        "required": ["code", "message"],
        "additionalProperties": false,
        "properties": {
            "code": { "type": "string", "enum": [
                ErrorCode::ValidationFailed.name(), ErrorCode::VirusDetected.name(), ErrorCode::FileTooLarge.name(),
            ] },
            "message": {
                "description": "The error in words, for people. The wording may change.",
                "type": "string",
                "minLength": 1,
            },
            "details": {
                "description": "Each rule that the file breaks.",
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "required": ["field", "message"],
                    "properties": {
                        "field": { "type": "string", "minLength": 1 },
                        "message": { "type": "string", "minLength": 1 },
                    },
                },
            },
        },
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
                results.push(FileResult::Refused { error });
                continue;
            }
        };
        match target.claim(claim) {
            Ok(claim) => {
                let new = NewDocument::new(practice, received, (&target, claim), person, ctx);
                results.push(FileResult::Stored { document: new.view.clone() });
                stored.push(new);
            }
            Err(error) => results.push(FileResult::Refused { error: refuse(error) }),
        }
    }
    let kept: Vec<FileResult> = results.iter().map(FileResult::kept).collect();
    let body = json!(UploadResults { results });
    let mut rows = stored.iter().enumerate().map(|(n, new)| new.entry(n, ctx));
    let Some(first) = rows.next() else {
        return Err(body);
    };
    let answer = Answer::new(201, &body).keeping(&json!(UploadResults { results: kept }));
    let change = rows.fold(Change::new(first, answer), |change, row| change.write(Write::Audit(row)));
    Ok(stored.iter().fold(change, |change, new| new.add_to(change)))
}
