//! The variables of the virus scanner.

use super::checks;
use super::values::{ConfigError, Numbers, Variables};
use core::ops::RangeInclusive;
use core::time::Duration;

const SCANNER: &str = "SCANNER";
const ADDRESS: &str = "SCANNER_ADDRESS";
const TLS: &str = "SCANNER_TLS";
/// Before the path of a Unix socket.
const UNIX: &str = "unix:";
const SECONDS: RangeInclusive<u32> = 1..=300;

/// Who scans documents.
pub(crate) enum ScannerSettings {
    Clamd(Clamd),
    /// No scanner: documents stay in quarantine.
    Absent,
    /// Documents become available without a scan. Only in dev.
    Skipped,
}

/// Where clamd is, and how long the service waits for it.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Clamd {
    /// A name, or the path of a Unix socket.
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) tls: bool,
    /// For a connection.
    pub(crate) connect_limit: Duration,
    /// For a write without progress.
    pub(crate) write_limit: Duration,
    /// For the answer after the last byte.
    pub(crate) verdict_limit: Duration,
}

impl ScannerSettings {
    pub(super) fn read(env: Variables<'_>, is_dev: bool) -> Result<Self, ConfigError> {
        let wrong = |(name, problem): (&'static str, &str)| ConfigError { name, problem: problem.into() };
        let is_skipped = is_skipped(env(SCANNER).as_deref(), is_dev).map_err(|p| wrong((SCANNER, p)))?;
        let (address, tls) = (env(ADDRESS), env(TLS));
        let place = place(address.as_deref(), tls.as_deref(), is_dev).map_err(wrong)?;
        let numbers = Numbers::of(env);
        let seconds = |name, default| Duration::from_secs(numbers.within(name, default, &SECONDS).into());
        let connect_limit = seconds("SCANNER_CONNECT_SECONDS", 2);
        let write_limit = seconds("SCANNER_WRITE_SECONDS", 5);
        let verdict_limit = seconds("SCANNER_VERDICT_SECONDS", 30);
        numbers.right()?;
        Ok(match place {
            _ if is_skipped => Self::Skipped,
            None => Self::Absent,
            Some(Place { host, port, tls }) => {
                Self::Clamd(Clamd { host, port, tls, connect_limit, write_limit, verdict_limit })
            }
        })
    }

    /// # Errors
    ///
    /// clamd is at a Unix socket, and the host that the service runs on has none.
    pub(crate) fn check(&self, has_unix_sockets: bool) -> Result<(), ConfigError> {
        match self {
            Self::Clamd(clamd) if clamd.is_unix() && !has_unix_sockets => Err(ConfigError {
                name: ADDRESS,
                problem: "must be a host and a port: Workers reach no Unix socket".into(),
            }),
            _ => Ok(()),
        }
    }
}

impl Clamd {
    /// True if the host is the path of a Unix socket.
    fn is_unix(&self) -> bool {
        self.host.starts_with('/')
    }
}

/// True if documents are not scanned.
fn is_skipped(scanner: Option<&str>, is_dev: bool) -> Result<bool, &'static str> {
    match scanner {
        None => Ok(false),
        Some("none") if is_dev => Ok(true),
        Some(_) => Err("may only be none, and only in dev"),
    }
}

#[derive(PartialEq, Eq, Debug)]
struct Place {
    host: String,
    port: u16,
    tls: bool,
}

/// The scanner's place. Outside dev, a document that goes there by network leaves the platform's own, so TLS must protect
/// it, and the certificate needs a name.
fn place(
    address: Option<&str>,
    tls: Option<&str>,
    is_dev: bool,
) -> Result<Option<Place>, (&'static str, &'static str)> {
    let tls = match tls {
        None | Some("no") => false,
        Some("yes") => true,
        Some(_) => return Err((TLS, "must be yes or no")),
    };
    let Some(address) = address else {
        return Ok(None);
    };
    if let Some(path) = address.strip_prefix(UNIX) {
        if !path.starts_with('/') {
            return Err((ADDRESS, "must have the whole path of the socket, such as unix:/run/clamav/clamd.ctl"));
        }
        if tls {
            return Err((TLS, "must be no: a Unix socket has no TLS"));
        }
        let host = path.to_owned();
        return Ok(Some(Place { host, port: 0, tls }));
    }
    let (host, port) = checks::host_and_port(address)
        .ok_or((ADDRESS, "must be a host and a port, such as clamd.overturn.example:3311"))?;
    if !is_dev && !checks::is_public(host) {
        return Err((ADDRESS, "must have a public host name"));
    }
    if !is_dev && !tls {
        return Err((TLS, "must be yes: documents may not leave in the clear"));
    }
    Ok(Some(Place { host: host.to_owned(), port, tls }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dev_leaves_documents_without_a_scan() {
        assert_eq!(is_skipped(None, false), Ok(false));
        assert_eq!(is_skipped(Some("none"), true), Ok(true));
        for (value, is_dev) in [("none", false), ("", true), ("off", true), ("None", true)] {
            assert!(is_skipped(Some(value), is_dev).is_err(), "{value}");
        }
    }

    #[test]
    fn a_production_without_a_scan_and_a_limit_of_no_time_are_refused() {
        for (name, value, fits) in [
            (SCANNER, "none", false),
            ("SCANNER_VERDICT_SECONDS", "0", false),
            ("SCANNER_VERDICT_SECONDS", "1", true),
            ("SCANNER_VERDICT_SECONDS", "301", false),
        ] {
            let read = ScannerSettings::read(&|of: &str| (of == name).then(|| value.to_owned()), false);
            assert_eq!(read.map_err(|error| error.name).err(), (!fits).then_some(name), "{value}");
        }
    }

    #[test]
    fn outside_dev_a_document_leaves_only_by_tls_to_a_public_name() {
        let (public, local) = (Some("clamd.overturn.example:3311"), Some("127.0.0.1:3310"));
        let at = |host: &str, port, tls| {
            let host = host.to_owned();
            Ok(Some(Place { host, port, tls }))
        };
        assert_eq!(place(None, None, false), Ok(None));
        assert_eq!(place(local, None, true), at("127.0.0.1", 3310, false));
        assert_eq!(place(public, Some("yes"), false), at("clamd.overturn.example", 3311, true));
        for (address, tls, is_dev, named) in [
            (public, None, false, TLS),
            (public, Some("no"), false, TLS),
            (public, Some("true"), true, TLS),
            (None, Some(""), true, TLS),
            (local, Some("yes"), false, ADDRESS),
            (Some("10.0.0.7:3310"), Some("yes"), false, ADDRESS),
            (Some("clamd:3310"), Some("yes"), false, ADDRESS),
            (Some("clamd.internal:3310"), Some("yes"), false, ADDRESS),
            (Some("clamd.overturn.example"), Some("yes"), true, ADDRESS),
            (Some("unix:clamd.ctl"), None, false, ADDRESS),
            (Some("unix:/run/clamd.ctl"), Some("yes"), false, TLS),
        ] {
            let found = place(address, tls, is_dev).map_err(|(name, _)| name);
            assert_eq!(found, Err(named), "{address:?} {tls:?}");
        }
    }

    #[test]
    fn a_document_may_go_to_a_unix_socket_where_the_host_has_some() {
        let variables = |name: &str| (name == ADDRESS).then(|| "unix:/run/clamav/clamd.ctl".to_owned());
        let scanner = ScannerSettings::read(&variables, false).unwrap();
        let ScannerSettings::Clamd(clamd) = &scanner else { panic!("a scanner is named") };
        assert_eq!((&*clamd.host, clamd.tls), ("/run/clamav/clamd.ctl", false));
        assert!(scanner.check(true).is_ok());
        assert_eq!(scanner.check(false).unwrap_err().name, ADDRESS);
    }
}
