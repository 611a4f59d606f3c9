//! The head of a request: everything that is read except its body.

use crate::app::App;
use crate::call::ClientOrigin;
use crate::error::AppError;
use crate::extract;
use crate::host::Incoming;
use crate::html::path;
use crate::shape::Shape;
use http::{HeaderMap, HeaderName, HeaderValue, Uri, header};

/// The headers that the claims interface reads. Each costs a call into JavaScript on Workers, so no others are read.
const READ: [HeaderName; 2] = [header::AUTHORIZATION, header::CONTENT_LENGTH];
/// The headers that the rest of the service reads in addition.
const READ_MORE: [HeaderName; 8] = [
    header::COOKIE,
    header::IF_MATCH,
    header::IF_NONE_MATCH,
    header::ORIGIN,
    header::USER_AGENT,
    extract::CSRF_TOKEN,
    extract::FETCH_SITE,
    extract::IDEMPOTENCY_KEY,
];
/// The headers that reads of the wider service read in addition.
const READ_OF_READS: [HeaderName; 2] = [header::ACCEPT, extract::PASSIVE_READ];
/// The headers that calls about documents read in addition.
const READ_OF_DOCUMENTS: [HeaderName; 3] = [header::CONTENT_TYPE, header::RANGE, header::IF_RANGE];

/// The header that the signing page reads in addition.
const READ_OF_PATIENTS: [HeaderName; 1] = [header::ACCEPT_LANGUAGE];

/// The path of GitHub's messages about leaked keys, and the headers that it reads in addition.
const GITHUB: &str = "/api/v1/leaks/github";
const READ_OF_GITHUB: [HeaderName; 2] = [extract::KEY_IDENTIFIER, extract::KEY_SIGNATURE];

/// The head of a request, copied once.
pub(crate) struct Head {
    pub(crate) method: String,
    pub(crate) url: String,
    pub(crate) headers: Vec<(HeaderName, String)>,
    pub(crate) address: String,
}

/// True for the path that takes the response of a SAML provider, whose own page posts it. The cookie of the sign-in and
/// the id of its request protect it, not the site that it comes from.
fn is_for_providers(asked: &str) -> bool {
    let below = asked.strip_prefix(path::SAML);
    let provider = below.and_then(|below| below.strip_prefix('/'));
    provider.is_some_and(|provider| !provider.contains('/'))
}

impl Head {
    pub(crate) fn read(request: &Incoming<'_>) -> Self {
        let asked = &*request.path;
        let shape = Shape::of(asked);
        let method = request.method.clone();
        let more = READ_MORE.into_iter().filter(|_| shape != Shape::Flat);
        let is_read = shape == Shape::Nested && matches!(&*method, "GET" | "HEAD");
        let of_reads = READ_OF_READS.into_iter().filter(|_| is_read);
        let is_document = asked.contains("/documents");
        let of_documents = READ_OF_DOCUMENTS.into_iter().filter(|_| is_document);
        let of_patients = READ_OF_PATIENTS.into_iter().filter(|_| asked == path::SIGN);
        let of_github = READ_OF_GITHUB.into_iter().filter(|_| asked == GITHUB);
        let headers = READ
            .into_iter()
            .chain(more)
            .chain(of_reads)
            .chain(of_documents)
            .chain(of_patients)
            .chain(of_github)
            .filter_map(|name| (request.header)(&name).map(|value| (name, value)));
        Self { method, url: request.url.clone(), headers: headers.collect(), address: request.address.clone() }
    }

    pub(crate) fn header(&self, name: &HeaderName) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The headers of the call.
    ///
    /// # Errors
    ///
    /// The value of one is none. The cause stays out: its text could repeat it.
    pub(crate) fn headers(&mut self) -> Result<HeaderMap, AppError> {
        let mut map = HeaderMap::new();
        for (name, value) in std::mem::take(&mut self.headers) {
            let value = HeaderValue::try_from(value).map_err(|_| AppError::Malformed)?;
            map.append(name, value);
        }
        Ok(map)
    }

    /// True if the browser says that another site caused the request. For sessions, the CSRF token checks that. This
    /// also covers requests without a session, such as signing in.
    pub(crate) fn is_from_another_site(&self, app: &App, url: &Uri) -> bool {
        let elsewhere = match self.header(&extract::FETCH_SITE) {
            // It says more than the origin, which is `null` if a page hides its URL.
            Some(site) => !matches!(site, "same-origin" | "none"),
            None => self.header(&header::ORIGIN).is_some_and(|origin| origin != app.settings.origin(url)),
        };
        let is_response = self.method == "POST" && is_for_providers(url.path());
        self.has_body() && elsewhere && !is_response
    }

    pub(crate) fn place(&mut self) -> ClientOrigin {
        let agent = self.header(&header::USER_AGENT).unwrap_or_default();
        ClientOrigin {
            agent: agent.chars().take(ClientOrigin::AGENT_MAX).collect(),
            ip: std::mem::take(&mut self.address),
        }
    }

    /// The length of the body, if the request announces one.
    pub(crate) fn body_length(&self) -> Option<usize> {
        self.header(&header::CONTENT_LENGTH)?.parse().ok()
    }

    /// True if a body may follow.
    pub(crate) fn has_body(&self) -> bool {
        let reads = matches!(self.method.as_str(), "GET" | "HEAD");
        !reads || self.headers.iter().any(|(name, _)| *name == header::CONTENT_LENGTH)
    }
}
