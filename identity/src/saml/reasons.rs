//! Why a SAML document is refused: short stable names for the log.
//!
//! A refusal also has a detail. Both are constants of this program, so neither can hold a value of the document.

use overturn_core::identity::{Refusal, Verdict};

/// A refusal on its way to the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Refused {
    pub(super) reason: &'static str,
    pub(super) detail: &'static str,
}

/// A step that may refuse the document.
pub(super) type Step<T> = Result<T, Refused>;

/// A refusal for `reason`, with what exactly is wrong.
pub(super) const fn refused(reason: &'static str, detail: &'static str) -> Refused {
    Refused { reason, detail }
}

/// Refuses the document unless `holds`.
pub(super) fn require(holds: bool, reason: &'static str, detail: &'static str) -> Step<()> {
    if holds { Ok(()) } else { Err(refused(reason, detail)) }
}

/// The answer to a question.
pub(super) fn verdict<T>(step: Step<T>) -> Verdict<T> {
    match step {
        Ok(facts) => Verdict::Accepted(facts),
        Err(Refused { reason, detail }) => {
            Verdict::Refused(Refusal { reason: reason.to_owned(), detail: detail.to_owned() })
        }
    }
}

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        $($(#[$doc])* pub(super) const $name: &str = $text;)*
        /// All reasons.
        #[cfg(test)]
        pub(super) const ALL: &[&str] = &[$($text),*];
    };
}

reasons! {
    // The text, before anything in it has a meaning.

    /// The form field is not base64.
    BASE64 = "base64";
    /// The document is larger than 256 KiB, or it has too many elements or attributes.
    TOO_LARGE = "too_large";
    /// Elements are nested too deeply.
    TOO_DEEP = "too_deep";
    /// The document is not UTF-8, or it says that it has another encoding.
    ENCODING = "encoding";
    /// The document is not well-formed XML, or it uses XML that SAML never needs.
    XML = "xml";
    /// The document has a DOCTYPE. Entities and external entities need one.
    DOCTYPE = "doctype";
    /// The document uses an entity that XML does not define.
    ENTITY = "entity";
    /// The document has a comment.
    COMMENT = "comment";
    /// The document has a processing instruction.
    PROCESSING_INSTRUCTION = "processing_instruction";
    /// The document has a CDATA section.
    CDATA = "cdata";
    /// A prefix has no namespace, or a namespace is not an absolute name.
    NAMESPACE = "namespace";

    // The structure of a response.

    /// The document is not a SAML 2.0 response, or elements are missing, repeated or out of order.
    STRUCTURE = "structure";
    /// There is no assertion.
    NO_ASSERTION = "no_assertion";
    /// There is more than one assertion.
    SEVERAL_ASSERTIONS = "several_assertions";
    /// An assertion, a response or a signature is where none belongs: signature wrapping.
    WRAPPING = "wrapping";
    /// An id is missing or occurs twice.
    DUPLICATE_ID = "duplicate_id";

    // The signature.

    /// The assertion has no signature of its own. A signed response does not make up for it.
    NOT_SIGNED = "not_signed";
    /// A signature does not have the one form that is accepted: one reference, to the element that it stands in.
    SIGNATURE_FORM = "signature_form";
    /// The signature algorithm is not RSA or ECDSA with SHA-256, SHA-384 or SHA-512.
    SIGNATURE_ALGORITHM = "signature_algorithm";
    /// The digest algorithm is not SHA-256, SHA-384 or SHA-512.
    DIGEST_ALGORITHM = "digest_algorithm";
    /// The canonicalization is not exclusive, or it keeps comments.
    CANONICALIZATION = "canonicalization";
    /// A transform is not one of the two that SAML defines.
    TRANSFORM = "transform";
    /// The response names a certificate that is not in the metadata. Newer metadata may have it.
    UNKNOWN_CERTIFICATE = "unknown_certificate";
    /// A signature does not match the document and a key of the metadata.
    SIGNATURE = "signature";

    // Encryption.

    /// An encrypted assertion does not have the form that is accepted.
    ENCRYPTION_FORM = "encryption_form";
    /// The assertion or its key is encrypted with an algorithm that is not accepted.
    ENCRYPTION_ALGORITHM = "encryption_algorithm";
    /// The assertion is encrypted, and no signature of the response covers it.
    ENCRYPTED_NOT_SIGNED = "encrypted_not_signed";
    /// No key of the service decrypts the assertion.
    DECRYPTION = "decryption";

    // What the response says.

    /// The provider answers that the sign-in failed.
    STATUS = "status";
    /// The response is for another address.
    DESTINATION = "destination";
    /// Another provider issued the response or the assertion.
    ISSUER = "issuer";
    /// The response or the assertion answers another request, or a request where there was none.
    IN_RESPONSE_TO = "in_response_to";
    /// The subject is not confirmed in the one way that is accepted: as bearer.
    SUBJECT_CONFIRMATION = "subject_confirmation";
    /// The assertion is for another recipient.
    RECIPIENT = "recipient";
    /// The assertion is for another audience.
    AUDIENCE = "audience";
    /// The assertion has a condition that is not understood.
    CONDITION = "condition";
    /// A time is missing or is not UTC.
    TIME_FORM = "time_form";
    /// The assertion is not valid yet.
    NOT_YET = "not_yet";
    /// The assertion has ended.
    EXPIRED = "expired";
    /// The NameID is missing, empty, too long or encrypted.
    NAME_ID = "name_id";
    /// The NameID is transient: it differs at each sign-in, so no account can be joined to it.
    TRANSIENT_NAME_ID = "transient_name_id";

    // Metadata and keys.

    /// The metadata has no identity provider.
    NO_PROVIDER = "no_provider";
    /// The metadata has more than one identity provider.
    SEVERAL_PROVIDERS = "several_providers";
    /// The entity id is missing or is too long.
    ENTITY_ID = "entity_id";
    /// The metadata has no address for HTTP-Redirect.
    NO_REDIRECT_ENDPOINT = "no_redirect_endpoint";
    /// The address for HTTP-Redirect is not an https address.
    ENDPOINT = "endpoint";
    /// The metadata has no certificate that signs, or one that cannot be read.
    CERTIFICATE = "certificate";
    /// All certificates that sign have ended.
    CERTIFICATE_EXPIRED = "certificate_expired";
    /// A key is weak: RSA below 2,048 bits, or neither RSA nor ECDSA on a known curve.
    WEAK_KEY = "weak_key";
    /// A key or a certificate of the service cannot be used.
    SERVICE_KEY = "service_key";
    /// The host has no random bytes.
    RANDOM = "random";
}

#[cfg(test)]
mod tests {
    use super::ALL;
    use std::collections::BTreeSet;

    #[test]
    fn reasons_are_short_and_differ() {
        let distinct: BTreeSet<_> = ALL.iter().collect();
        assert_eq!(distinct.len(), ALL.len());
        for reason in ALL {
            assert!(reason.len() <= 24, "{reason}");
            assert!(reason.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'));
        }
    }
}
