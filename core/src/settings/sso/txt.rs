//! TXT records in the DNS, by which a practice proves that a domain is its own. A resolver gives them over HTTPS as JSON
//! (`application/dns-json`).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
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

/// The resolver has not answered the question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the resolver has not answered the question")]
pub struct ResolverError;

/// The name whose TXT record proves a domain.
#[must_use]
pub fn name(domain: &str) -> String {
    format!("_overturn.{domain}")
}

/// The text of the record that proves a domain.
#[must_use]
pub fn value(token: &str) -> String {
    format!("overturn-domain-verification={token}")
}

/// The TXT records of a resolver's answer. A name that does not exist has none. The resolver has followed aliases.
///
/// # Errors
///
/// [`ResolverError`] if the resolver could not find out, or the answer does not fit.
pub fn records(answer: &[u8]) -> Result<Vec<String>, ResolverError> {
    let answer: ResolverAnswer = serde_json::from_slice(answer).map_err(|_| ResolverError)?;
    match answer.status {
        NO_ERROR => {
            let records = answer.answer.into_iter();
            let texts = records.filter(|record| record.kind == TXT);
            Ok(texts.map(|record| joined(&record.data)).collect())
        }
        NO_SUCH_NAME => Ok(Vec::new()),
        _ => Err(ResolverError),
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
