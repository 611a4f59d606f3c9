//! Recognizes placeholders and unusable hosts. It has no dependencies, because `xtask` compiles this file as well.

/// Texts that mark a placeholder.
const PLACEHOLDERS: [&str; 8] = [
    "replace",
    "changeme",
    "change-me",
    "placeholder",
    "your-",
    "<",
    "todo",
    "xxxx",
];

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_host_has_a_name_with_a_dot() {
        for good in ["overturn.example", "a.b.example", "xn--bcher-kva.example"] {
            assert!(is_public(good), "{good}");
        }
        for bad in [
            "localhost",
            "overturn",
            "127.0.0.1",
            "[::1]",
            "app.localhost",
            "host.internal",
            "",
        ] {
            assert!(!is_public(bad), "{bad}");
        }
    }
}
