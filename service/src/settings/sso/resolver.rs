//! Reads TXT records over HTTPS, from the resolver in the variable `DNS_RESOLVER`.

use crate::app::App;
use crate::error::AppError;
use crate::fetch;
use crate::host::{FetchError, Fetched};
use overturn_core::settings::sso::txt;

/// The TXT records of a name. A name that does not exist has none.
///
/// # Errors
///
/// The resolver is away, slow or fails, or its answer does not fit. A retry may succeed.
pub(super) async fn txt_records(app: &App, resolver: &str, name: &str) -> Result<Vec<String>, AppError> {
    let failed = AppError::Unavailable("the DNS resolver failed");
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("name", name).append_pair("type", "TXT");
    let url = format!("{resolver}?{}", query.finish());
    let answer = fetch::get(app, &url, "application/dns-json").await;
    match answer.map_err(away)? {
        // The cause could hold a value of the answer.
        Fetched { status: 200, body, .. } => txt::records(&body).map_err(|_| failed),
        _ => Err(failed),
    }
}

fn away(error: FetchError) -> AppError {
    AppError::Unavailable(match error {
        FetchError::Address => "the address of the DNS resolver cannot be requested",
        FetchError::Away => "the DNS resolver is away",
        FetchError::Slow => "the DNS resolver is slow",
        FetchError::TooLarge => "the DNS resolver's answer is too large",
    })
}
