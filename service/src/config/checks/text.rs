//! Recognizes placeholders and unusable hosts. It has no dependencies, because `xtask` compiles this file as well.

/// Texts that mark a placeholder.
const PLACEHOLDERS: [&str; 8] = ["replace", "changeme", "change-me", "placeholder", "your-", "<", "todo", "xxxx"];

/// True if a text is a placeholder for a real value.
#[must_use]
pub(crate) fn is_placeholder(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    PLACEHOLDERS.iter().any(|word| text.contains(word))
}

/// True if a host can be reached from elsewhere: it has a name with a dot, and is neither this machine nor an IP
/// address.
#[must_use]
pub(crate) fn is_public(host: &str) -> bool {
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_name = last.starts_with(|c: char| c.is_ascii_alphabetic());
    is_name && host.contains('.') && !matches!(last, "localhost" | "local" | "internal" | "invalid")
}

/// The two parts of `host:port`. The host is a name or an IP address, an IPv6 address in brackets.
#[must_use]
pub(crate) fn host_and_port(text: &str) -> Option<(&str, u16)> {
    let (host, port) = text.rsplit_once(':')?;
    let port_number: u16 = port.parse().ok().filter(|port| *port > 0)?;
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = |host: &str| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b".-".contains(&byte);
        !host.is_empty() && host.bytes().all(is_part)
    };
    let inside = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let is_host = match inside {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => is_name(host),
    };
    (is_host && is_number).then_some((host, port_number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_and_a_port_are_told_apart() {
        for (text, host, port) in [
            ("127.0.0.1:3310", "127.0.0.1", 3310),
            ("clamd.overturn.example:1", "clamd.overturn.example", 1),
            ("[::1]:65535", "[::1]", 65535),
        ] {
            assert_eq!(host_and_port(text), Some((host, port)));
        }
        for wrong in [
            "",
            ":3310",
            "clamd",
            "clamd:",
            "clamd:0",
            "clamd:65536",
            "clamd:+1",
            "clamd:a",
            "::1:3310",
            "[::g]:3310",
            "tcp://clamd:3310",
            "a@clamd:3310",
            "replace with a host:3310",
            "clamd:3310 ",
        ] {
            assert_eq!(host_and_port(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_public_host_has_a_name_with_a_dot() {
        for good in ["overturn.example", "a.b.example", "xn--bcher-kva.example"] {
            assert!(is_public(good), "{good}");
        }
        for bad in ["localhost", "overturn", "127.0.0.1", "[::1]", "app.localhost", "host.internal", ""] {
            assert!(!is_public(bad), "{bad}");
        }
    }
}
