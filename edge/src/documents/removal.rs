//! Removes objects from the bucket that no document has.

use crate::app::App;
use crate::bucket::BucketError;
use crate::call::Call;
use crate::db::Db;
use crate::error::AppError;
use crate::pipeline;
use crate::platform;
use axum::response::Response;
use overturn_core::base::id::DocumentId;
use overturn_core::documents::removal as rules;
use overturn_core::plan::Actor;
use overturn_store::documents::queries::LooseObject;
use overturn_store::error::DatabaseError;
use std::sync::Arc;

/// The name of a document's object in the bucket.
pub(super) fn object_name(id: DocumentId) -> String {
    format!("documents/{id}")
}

/// An object could not be removed now. The next sweep tries again.
#[derive(Debug, thiserror::Error)]
pub(super) enum RemovalError {
    #[error(transparent)]
    Bucket(#[from] BucketError),
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// Removes an object from the bucket, and then what the database knows of it.
pub(super) async fn remove(app: &App, db: &Db, loose: &LooseObject) -> Result<(), RemovalError> {
    let name = object_name(loose.id);
    if let Some(upload_id) = &loose.upload_id {
        app.documents.abort(&name, upload_id).await?;
    }
    app.documents.delete(&name).await?;
    let ctx = platform::ctx().map_err(DatabaseError::from)?;
    let plan = pipeline::plan(
        &ctx,
        Actor::Service,
        Vec::new(),
        vec![rules::gone(loose.id)],
    );
    pipeline::run(db, app, &plan).await?;
    Ok(())
}

/// Removes the object of a file that is not kept. The sweep does what this cannot.
pub(super) async fn discard(call: &Call, id: DocumentId) {
    let loose = LooseObject {
        id,
        upload_id: None,
    };
    if let Err(error) = remove(&call.app, &call.db, &loose).await {
        log(id, &error);
    }
}

/// Removes the object of a deleted document after the answer.
pub(super) fn after(
    call: &Arc<Call>,
    id: DocumentId,
    decided: Result<Response, AppError>,
) -> Result<Response, AppError> {
    let response = decided?;
    let removing = Arc::clone(call);
    call.context
        .wait_until(async move { discard(&removing, id).await });
    Ok(response)
}

pub(super) fn log(id: DocumentId, error: &RemovalError) {
    let said = serde_json::json!({
        "event": "object_not_removed", "document_id": id, "reason": error.to_string()
    });
    worker::console_error!("{said}");
}
