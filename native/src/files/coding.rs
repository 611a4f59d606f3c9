//! A file in the codings in which it was built, and the one that a client wants.

use bytes::Bytes;
use http::HeaderValue;
use overturn_service::request::weighed::weighed;
use sha2::{Digest, Sha256};

/// The ends of the names of compressed files, and the codings. The smaller one comes first.
pub(super) const CODINGS: [(&str, &str); 2] = [(".br", "br"), (".gz", "gzip")];

/// A file as it is, or in a coding.
pub(super) struct Coded {
    /// `None` for the file as it is.
    pub(super) coding: Option<&'static str>,
    pub(super) bytes: Bytes,
    pub(super) tag: HeaderValue,
}

impl Coded {
    pub(super) fn new(coding: Option<&'static str>, bytes: Vec<u8>) -> Self {
        let digest = Sha256::digest(&bytes);
        let short: String = digest.iter().take(16).map(|of| format!("{of:02x}")).collect();
        let tag = HeaderValue::try_from(format!("\"{short}\"")).unwrap_or(HeaderValue::from_static("\"\""));
        Self { coding, bytes: bytes.into(), tag }
    }

    /// True if a client has it, by its `If-None-Match`.
    pub(super) fn is_known(&self, known: &str) -> bool {
        known
            .split(',')
            .map(str::trim)
            .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == self.tag)
    }

    /// How much a client wants it, by its `Accept-Encoding` (RFC 9110, 12.5.3). `None` if it must not get it.
    pub(super) fn weight(&self, accepted: &str) -> Option<u16> {
        let of = |wanted: &str| {
            weighed(accepted).find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, weight)| weight)
        };
        match self.coding {
            Some(coding) => of(coding).or_else(|| of("*")).filter(|weight| *weight > 0),
            // Also for a client that takes none of them.
            None => Some(of("identity").unwrap_or_default()),
        }
    }
}
