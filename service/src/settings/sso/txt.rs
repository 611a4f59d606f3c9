//! TXT records in the DNS, by which a practice proves that a domain is its own. The resolver in the variable
//! `DNS_RESOLVER` gives them over HTTPS as JSON (`application/dns-json`).

use crate::app::App;
use crate::error::AppError;
use crate::fetch;
use crate::host::{FetchError, Fetched};
use serde::Deserialize;

/// The status of an answer with records, and of one for a name that does not exist (RFC 1035, section 4.1.1).
const NO_ERROR: u16 = 0;
const NO_SUCH_NAME: u16 = 3;
/// The type of a TXT record (RFC 1035, section 3.2.2).
const TXT: u16 = 16;

#[derive(Deserialize)]
struct ResolverAnswer {
    #[serde(rename = "Status")]
    status: u16,
    #[serde(rename = "Answer", default)]
    answer: Vec<ResolverRecord>,
}

#[derive(Deserialize)]
struct ResolverRecord {
    #[serde(rename = "type")]
    kind: u16,
    data: String,
}

/// The name whose TXT record proves a domain.
pub(super) fn name(domain: &str) -> String {
    format!("_overturn.{domain}")
}

/// The text of the record that proves a domain.
pub(super) fn value(token: &str) -> String {
    format!("overturn-domain-verification={token}")
}

/// The TXT records of a name. A name that does not exist has none. If the resolver is away, slow or fails, or if its
/// answer does not fit, a retry may succeed.
pub(super) async fn looked_up(app: &App, resolver: &str, name: &str) -> Result<Vec<String>, AppError> {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("name", name).append_pair("type", "TXT");
    let url = format!("{resolver}?{}", query.finish());
    let answer = fetch::get(app, &url, "application/dns-json").await;
    let texts = match answer.map_err(away)? {
        Fetched { status: 200, body, .. } => records(&body),
        _ => None,
    };
    texts.ok_or(AppError::Unavailable("the DNS resolver failed"))
}

fn away(error: FetchError) -> AppError {
    AppError::Unavailable(match error {
        FetchError::Address => "the address of the DNS resolver cannot be requested",
        FetchError::Away => "the DNS resolver is away",
        FetchError::Slow => "the DNS resolver is slow",
        FetchError::TooLarge => "the DNS resolver's answer is too large",
    })
}

/// The TXT records of a resolver's answer; `None` if it could not find out, or the answer does not fit. The resolver has
/// followed aliases.
pub(super) fn records(answer: &[u8]) -> Option<Vec<String>> {
    let answer: ResolverAnswer = serde_json::from_slice(answer).ok()?;
    match answer.status {
        NO_ERROR => {
            let records = answer.answer.into_iter();
            let texts = records.filter(|record| record.kind == TXT);
            Some(texts.map(|record| joined(&record.data)).collect())
        }
        NO_SUCH_NAME => Some(Vec::new()),
        _ => None,
    }
}

/// The text of a record. A record has strings of at most 255 bytes, in quotes, which belong together. Some resolvers have
/// joined them already and give no quotes.
fn joined(data: &str) -> String {
    if !data.starts_with('"') {
        return data.into();
    }
    let mut text = String::with_capacity(data.len());
    let mut quoted = false;
    let mut chars = data.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => quoted = !quoted,
            '\\' if quoted => text.extend(chars.next()),
            c if quoted => text.push(c),
            _ => {}
        }
    }
    text
}
