//! Which URLs may get messages.
//!
//! The service posts from inside a network to URLs that practices choose, so a URL must not lead back into that
//! network. IP addresses are always refused: no usual certificate names one, and so no list of private, mapped,
//! translated or hexadecimal forms is needed, which could be incomplete.

use crate::request::declare::Reach;
use url::{Host, Url};

/// The longest URL, in characters.
pub(super) const ADDRESS_MAX: usize = 2000;

/// Names that do not exist on the internet, or that lead into the local network: as a whole, or as the end of a longer
/// name.
const LOCAL: [&str; 12] = [
    "localhost",
    "local",
    "localdomain",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "arpa",
    "test",
    "invalid",
];

/// What is wrong with an address, as the end of a sentence that begins with the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct AddressError(pub(super) &'static str);

/// Parses an allowed URL, in the form that will be called.
///
/// # Errors
///
/// [`AddressError`].
pub(super) fn parse(text: &str, reach: Reach) -> Result<String, AddressError> {
    called(text, reach).map_err(AddressError)
}

fn called(text: &str, reach: Reach) -> Result<String, &'static str> {
    // Non-ASCII names need a conversion table, and two that look alike are two hosts.
    if !text.is_ascii() {
        return Err("must be in ASCII, an international name in its form xn--");
    }
    // The practice reads this rule, not the words of the parser.
    let url = Url::parse(text).map_err(|_| "must be an https address")?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("must not hold a user name or password");
    }
    if url.fragment().is_some() {
        return Err("must not have a fragment");
    }
    if reach == Reach::ThisMachine && is_this_machine(&url) {
        return Ok(url.into());
    }
    if url.scheme() != "https" {
        return Err("must be an https address");
    }
    // Lower ports belong to other protocols, which a request could be made to speak.
    if url.port().is_some_and(|port| port < 1024) {
        return Err("must have port 443 or one from 1024 on");
    }
    match url.host() {
        Some(Host::Domain(name)) if is_public(name) => Ok(url.into()),
        Some(Host::Domain(_)) => Err("must name a host on the internet"),
        Some(Host::Ipv4(_) | Host::Ipv6(_)) | None => Err("must name a host, not an address of numbers"),
    }
}

fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str();
    let is_named = matches!(host, Some("127.0.0.1" | "localhost"));
    url.scheme() == "http" && is_named && url.port().is_some()
}

/// True if a name, which the parser made lower case, has at least two labels and no local ending.
fn is_public(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let mut labels = name.rsplit('.');
    let last = labels.next().unwrap_or_default();
    let is_whole = !last.is_empty() && labels.clone().all(|label| !label.is_empty());
    is_whole && labels.next().is_some() && !LOCAL.contains(&last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_url_is_allowed() {
        for (text, called) in [
            ("https://hooks.example.com/a?b=c", "https://hooks.example.com/a?b=c"),
            ("https://example.com", "https://example.com/"),
            ("https://example.com:443/", "https://example.com/"),
            ("https://EXAMPLE.com:8443/", "https://example.com:8443/"),
            ("https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"),
            ("https://example.com./", "https://example.com./"),
            ("https://arpa.example.com/", "https://arpa.example.com/"),
        ] {
            assert_eq!(parse(text, Reach::Internet).as_deref(), Ok(called));
            assert_eq!(parse(text, Reach::ThisMachine).as_deref(), Ok(called));
        }
    }

    #[test]
    fn no_spelling_of_a_private_address_is_allowed() {
        for host in [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0x7f.1",
            "0177.0.0.1",
            "017700000001",
            "0",
            "0.0.0.0",
            "10.0.0.1",
            "172.16.0.1",
            "192.168.0.1",
            "169.254.169.254",
            "100.64.0.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "192.0.2.1",
            "198.18.0.1",
            "１２７.0.0.1",
            "127。0。0。1",
            "127.0.0.1.",
            "8.8.8.8",
            "[::1]",
            "[::]",
            "[fe80::1]",
            "[fc00::1]",
            "[ff02::1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]",
            "[2001:db8::1]",
            "[2001::1]",
            "[2606:4700::1111]",
            "localhost",
            "LOCALHOST",
            "localhost.",
            "a.localhost",
            "db",
            "db.",
            "printer.local",
            "api.internal",
            "metadata.google.internal",
            "router.home.arpa",
            "1.0.0.127.in-addr.arpa",
            "x.lan",
            "x.test",
            "ｌｏｃａｌｈｏｓｔ",
            "%6c%6f%63%61%6c%68%6f%73%74",
            "a..example.com",
        ] {
            let text = format!("https://{host}/");
            assert!(parse(&text, Reach::Internet).is_err(), "{host}");
        }
    }

    #[test]
    fn only_https_without_a_user_and_on_an_allowed_port_is_allowed() {
        for text in [
            "http://example.com/",
            "ftp://example.com/",
            "file:///etc/passwd",
            "data:text/plain,x",
            "javascript:alert(1)",
            "//example.com/",
            "example.com",
            "",
            "https://",
            "https:///",
            "https://user@example.com/",
            "https://user:secret@example.com/",
            "https://:secret@example.com/",
            "https://example.com:22/",
            "https://example.com:80/",
            "https://example.com:1023/",
            "https://example.com:0/",
            "https://example.com:65536/",
            "https://example.com/#part",
            "https://exa mple.com/",
            "https://bücher.example/",
            "https://example.com@127.0.0.1/",
        ] {
            assert!(parse(text, Reach::Internet).is_err(), "{text}");
            assert!(parse(text, Reach::ThisMachine).is_err(), "{text}");
        }
    }

    #[test]
    fn this_machine_is_allowed_in_dev_and_no_other_local_address() {
        for text in ["http://127.0.0.1:9000/hook", "http://localhost:9000/"] {
            assert_eq!(parse(text, Reach::ThisMachine).as_deref(), Ok(text));
            assert!(parse(text, Reach::Internet).is_err(), "{text}");
        }
        for text in [
            "http://127.0.0.1/",
            "http://localhost/",
            "http://127.0.0.2:9000/",
            "http://[::1]:9000/",
            "http://192.168.0.1:9000/",
            "http://a.localhost:9000/",
            "http://example.com:9000/",
            "https://127.0.0.1:9000/",
        ] {
            assert!(parse(text, Reach::ThisMachine).is_err(), "{text}");
        }
    }
}
