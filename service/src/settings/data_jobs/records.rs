//! The pages of a return.

use super::export::{self, ExportPage, ExportPosition, RequestedPage, Section};
use super::job::Job;
use super::sections;
use crate::call::Call;
use crate::error::AppError;
use crate::extract::{ReadRequest, values};
use crate::pipeline::practice_keys;
use crate::plan::change::Change;
use crate::request::error::RequestError;
use crate::response::{GivesLines, Response};
use http::Uri;
use overturn_core::base::id::{ClaimId, DocumentId, NoteId, SignatureId};
use overturn_core::base::open::{Open, Unopened};
use overturn_core::base::sealed::{SealedPlace, StoredDataKey};
use overturn_core::request::problem::Rule;
use serde_json::{Map, Value};
use std::rc::Rc;
use uuid::Uuid;

/// The most records in one read.
const READ_MAX: usize = 100;
/// A page ends after the read that reaches this many lines or bytes.
const LINES: usize = 400;
const BYTES: usize = 500_000;

/// The page of a return that the request asks for, and the change that records it.
pub(super) async fn take(
    request: &ReadRequest,
    (job, destroying): (Option<Job>, bool),
    data_key: Option<StoredDataKey>,
) -> Result<(Change, Response), AppError> {
    let call = &request.call;
    let cursor = cursor(&call.url)?;
    let turn = export::turn(job, destroying, cursor.as_deref())?;
    let page = page(call, &turn, data_key.as_ref()).await?;
    let change = export::settle(&turn, &page, &call.ctx)?;
    let next = page.next.map(|next| next.to_string());
    let GivesLines(response) = request.respond_lines(page.text, next.as_deref())?;
    Ok((change, response))
}

/// The cursor of a query, if it has one.
fn cursor(url: &Uri) -> Result<Option<String>, RequestError> {
    let mut cursors = values(url, "cursor");
    let cursor = cursors.next();
    match cursors.next() {
        Some(_) => Err(RequestError::invalid("cursor", Rule::Once)),
        None => Ok(cursor.filter(|cursor| !cursor.is_empty()).map(Into::into)),
    }
}

/// Reads the records of a page and opens their sealed parts.
async fn page(call: &Rc<Call>, turn: &RequestedPage, data_key: Option<&StoredDataKey>) -> Result<ExportPage, AppError> {
    // The return leaves out its own audit rows.
    let requested_at = turn.job.requested_at.0;
    let keys = practice_keys::to_open(call, turn.job.practice_id, data_key);
    let mut page = ExportPage::default();
    let mut lines = 0_usize;
    let mut at = Some(turn.position.clone());
    while let Some(position) = at.take() {
        if lines >= LINES || page.text.len() >= BYTES {
            page.next = Some(position);
            return Ok(page);
        }
        let section = position.section;
        let records = sections::page(turn.job.practice_id, &position, READ_MAX, requested_at);
        let mut last = None;
        for (major, minor, record) in call.db.read(&records).await? {
            put(&keys, turn, &mut page, section, record)?;
            lines = lines.saturating_add(1);
            last = Some((major, minor));
        }
        at = match last {
            // Fewer records than requested do not mean the end, because the size of one value is limited as well.
            Some((major, minor)) => Some(ExportPosition { section, major, minor }),
            None => section.next().map(ExportPosition::of),
        };
    }
    Ok(page)
}

/// Adds a record to a page, with its opened values in place of the sealed ones.
fn put(
    keys: &impl Open,
    turn: &RequestedPage,
    page: &mut ExportPage,
    section: Section,
    mut record: Map<String, Value>,
) -> Result<(), AppError> {
    record.insert("type".into(), section.name().into());
    // The name and the key of a removed document are gone.
    let sealed = record.remove("sealed").filter(|sealed| !sealed.is_null());
    let version = record.remove("key_version");
    if let (Some(sealed), Some(version)) = (sealed, version) {
        let opened = open(keys, turn, section, (&record, &sealed, version))?;
        match opened {
            Some(Value::Object(mut fields)) => {
                if section == Section::Document {
                    fields.remove("key");
                }
                record.extend(fields);
            }
            Some(text) => {
                record.insert("text".into(), text);
            }
            None => {
                record.insert("unreadable".into(), true.into());
                page.unreadable = page.unreadable.saturating_add(1);
            }
        }
    }
    page.push(section, &Value::Object(record));
    Ok(())
}

/// The opened value of a record: the fields of a claim, a document or a signature, or the text of a note. `None` if its key does
/// not open it, or the data key was destroyed.
fn open(
    keys: &impl Open,
    turn: &RequestedPage,
    section: Section,
    (record, sealed, version): (&Map<String, Value>, &Value, Value),
) -> Result<Option<Value>, AppError> {
    // The causes stay out: their texts could repeat values of the record.
    let row = || AppError::Internal("a sealed record has another form");
    let id = |name: &str| -> Result<Uuid, AppError> {
        let id = record.get(name).and_then(Value::as_str).ok_or_else(row)?;
        id.parse().map_err(|_| row())
    };
    let practice = turn.job.practice_id;
    let place = match section {
        Section::Claim => SealedPlace::Claim { practice, id: ClaimId(id("id")?) },
        Section::Note => SealedPlace::Note { practice, claim: ClaimId(id("claim_id")?), id: NoteId(id("id")?) },
        Section::Document => SealedPlace::Document { practice, id: DocumentId(id("id")?) },
        Section::Signature => {
            SealedPlace::Signature { practice, claim: ClaimId(id("claim_id")?), id: SignatureId(id("id")?) }
        }
        _ => return Err(row()),
    };
    let sealed = sealed.as_str().ok_or_else(row)?;
    let version = serde_json::from_value(version).map_err(|_| row())?;
    let opened = match keys.open(place, version, sealed) {
        Err(Unopened::Tampered(_)) => return Ok(None),
        opened => opened?,
    };
    Ok(match serde_json::from_slice::<Map<String, Value>>(&opened) {
        Ok(fields) => Some(Value::Object(fields)),
        Err(_) => String::from_utf8(opened).ok().map(Value::String),
    })
}
