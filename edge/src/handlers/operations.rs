//! placeholder
use crate::error::Refusal;
use axum::response::Response;
pub(crate) async fn reseal() -> Result<Response, Refusal> {
    Err(Refusal::NoRoute)
}
