//! The certificate authorities that the system trusts, such as those of Debian's `ca-certificates` and of the operator.

use crate::error::Result;
use tokio_rustls::rustls::RootCertStore;
use tokio_rustls::rustls::pki_types::CertificateDer;

#[derive(Clone)]
pub(crate) struct Authorities(Vec<CertificateDer<'static>>);

impl Authorities {
    /// Reads what the system has, or what `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
    pub(crate) fn of_system() -> Self {
        // A file that cannot be read leaves its authorities out.
        Self(rustls_native_certs::load_native_certs().certs)
    }

    /// # Errors
    ///
    /// There are none, so that nobody could be trusted.
    pub(crate) fn check(&self) -> Result<()> {
        match self.0.is_empty() {
            true => Err("no certificate authorities: install ca-certificates, or name a file in SSL_CERT_FILE".into()),
            false => Ok(()),
        }
    }

    /// For connections.
    pub(crate) fn roots(&self) -> RootCertStore {
        let mut roots = RootCertStore::empty();
        // As browsers do, this leaves out what it cannot read.
        let _counts = roots.add_parsable_certificates(self.0.iter().cloned());
        roots
    }

    /// For requests by HTTP.
    pub(crate) fn of_requests(&self) -> ureq::tls::RootCerts {
        let owned = |der: &CertificateDer<'_>| ureq::tls::Certificate::from_der(der).to_owned();
        self.0.iter().map(owned).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_authorities_nobody_is_trusted() {
        let none = Authorities(Vec::new());
        assert!(none.check().unwrap_err().to_string().contains("SSL_CERT_FILE"));
        assert!(none.roots().is_empty());
    }
}
