//! Names of domains in the form of DNS.

/// The longest name, in bytes (RFC 1035, 2.3.4).
const MAX: usize = 253;
/// The longest part between two dots, in bytes (RFC 1035, 2.3.4).
const LABEL_MAX: usize = 63;

/// True for at least two labels of ASCII letters, digits and hyphens. The last one has a letter, so an IP address is none.
#[must_use]
pub fn is_domain(text: &str) -> bool {
    let top = text.rsplit_once('.').map(|(_, top)| top);
    text.len() <= MAX
        && text.split('.').all(is_label)
        && top.is_some_and(|top| top.bytes().any(|byte| byte.is_ascii_alphabetic()))
}

fn is_label(text: &str) -> bool {
    (1..=LABEL_MAX).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !text.starts_with('-')
        && !text.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::is_domain;

    #[test]
    fn a_domain_has_two_labels_and_is_no_address() {
        let label = "a".repeat(63);
        for good in ["clinic.example", "CLINIC.Example", "a.b-c.xn--p1ai", &format!("{label}.example")] {
            assert!(is_domain(good), "{good}");
        }
        let long = format!("{}example", "a.".repeat(124));
        for bad in [
            "",
            "clinic",
            "clinic.",
            ".example",
            "a..example",
            "192.0.2.1",
            "a.1-2",
            "-a.example",
            "a-.example",
            "a_b.example",
            "kliník.example",
            "a b.example",
            &format!("{label}a.example"),
            &long,
        ] {
            assert!(!is_domain(bad), "{bad}");
        }
    }
}
