//! Public mail domains, where anyone can have an address. A practice cannot have one (docs/DECISIONS.md).

/// Names of mail services that have the same name below many top-level domains, such as `yahoo.co.uk`.
const FAMILIES: [&str; 8] = ["gmx", "hotmail", "live", "msn", "outlook", "rocketmail", "yahoo", "ymail"];

/// Other public mail domains.
const DOMAINS: [&str; 38] = [
    "aim.com",
    "aol.com",
    "att.net",
    "bellsouth.net",
    "charter.net",
    "comcast.net",
    "cox.net",
    "duck.com",
    "earthlink.net",
    "fastmail.com",
    "fastmail.fm",
    "frontier.com",
    "gmail.com",
    "googlemail.com",
    "hey.com",
    "hushmail.com",
    "icloud.com",
    "inbox.com",
    "juno.com",
    "mac.com",
    "mail.com",
    "mail.ru",
    "me.com",
    "naver.com",
    "netzero.net",
    "optonline.net",
    "pm.me",
    "proton.me",
    "protonmail.ch",
    "protonmail.com",
    "qq.com",
    "sbcglobal.net",
    "tutanota.com",
    "verizon.net",
    "web.de",
    "yandex.com",
    "yandex.ru",
    "zoho.com",
];

/// True for a public mail domain and for a domain below one. `domain` is in lower case.
pub(super) fn is_public(domain: &str) -> bool {
    let is_or_is_below =
        |public: &&str| domain.strip_suffix(*public).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    DOMAINS.iter().any(is_or_is_below) || is_of_family(domain)
}

/// True for `yahoo.com`, `yahoo.fr` and `yahoo.co.uk`, but not for `live.dental` or `yahoo.example.com`: behind the name come
/// only `com`, `net` or a country, or a country with a short label before it.
fn is_of_family(domain: &str) -> bool {
    let Some((name, rest)) = domain.split_once('.') else {
        return false;
    };
    let is_suffix = match rest.split_once('.') {
        None => matches!(rest, "com" | "net") || rest.len() == 2,
        Some((second, top)) => second.len() <= 3 && top.len() == 2,
    };
    is_suffix && FAMILIES.contains(&name)
}
