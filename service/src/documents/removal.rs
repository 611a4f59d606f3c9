//! Removes objects from the bucket that no document has.

use crate::app::App;
use crate::bucket::{self, BucketError};
use crate::call::Call;
use crate::db::Db;
use crate::error::AppError;
use crate::pipeline;
use crate::response::Response;
use overturn_core::base::id::DocumentId;
use overturn_core::documents::removal as rules;
use overturn_core::plan::Actor;
use overturn_store::documents::object_name;
use overturn_store::documents::queries::{self, LooseObject};
use overturn_store::error::DatabaseError;
use std::rc::Rc;

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
        bucket::abort(app, &name, upload_id).await?;
    }
    bucket::delete(app, &name).await?;
    let ctx = app.host.ctx().map_err(DatabaseError::from)?;
    let plan = pipeline::plan(&ctx, Actor::Service, Vec::new(), vec![rules::gone(loose.id)]);
    pipeline::run(db, app, &plan).await?;
    Ok(())
}

/// Removes the object of a file that is not kept, unless a document has it after all: a commit whose answer was lost can
/// look like one that did not happen. The sweep does what this cannot.
pub(super) async fn discard(call: &Call, id: DocumentId) {
    let removed = async {
        let loose = call.db.read(&queries::loose_object(id)).await?;
        match loose {
            Some(loose) => remove(&call.app, &call.db, &loose).await,
            None => Ok(()),
        }
    };
    if let Err(error) = removed.await {
        log(id, &error);
    }
}

/// Removes the object of a deleted document after the answer.
pub(super) fn after(
    call: &Rc<Call>,
    id: DocumentId,
    decided: Result<Response, AppError>,
) -> Result<Response, AppError> {
    let response = decided?;
    call.after_answer(async move |call| discard(&call, id).await);
    Ok(response)
}

pub(super) fn log(id: DocumentId, error: &RemovalError) {
    let said = serde_json::json!({
        "event": "object_not_removed", "document_id": id, "reason": error.to_string()
    });
    log::error!("{said}");
}
