//! `GET /api/v1/openapi.json`.

use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;

/// The description of the claims interface, made from `docs/openapi.yaml` when the Worker is built.
pub(crate) async fn show() -> impl IntoResponse {
    (
        [(CONTENT_TYPE, "application/json")],
        include_str!(concat!(env!("OUT_DIR"), "/openapi.json")),
    )
}
