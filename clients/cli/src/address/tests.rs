use super::*;
use overturn_core::base::token::Realm;

fn find(url: Option<&str>, key: Option<&str>) -> Result<Service, CommandError> {
    let args = args::Service { url: None, timeout: 60 };
    Service::find(&args, |name| match name {
        URL => url.map(Into::into),
        KEY => key.map(Into::into),
        _ => None,
    })
}

fn message(url: Option<&str>, key: Option<&str>) -> String {
    match find(url, key) {
        Err(CommandError::Usage(message)) => message,
        other => panic!("{other:?}"),
    }
}

fn key() -> String {
    ApiKey::mint(Realm::Test, [7; 24]).expose().into()
}

#[test]
fn the_key_travels_encrypted_or_stays_on_this_machine() {
    for (url, base, local) in [
        ("https://claims.example", "https://claims.example", false),
        ("https://claims.example:8443/", "https://claims.example:8443", false),
        ("https://example//", "https://example", false),
        ("http://127.0.0.1:8787", "http://127.0.0.1:8787", true),
        ("http://127.8.8.8", "http://127.8.8.8", true),
        ("http://localhost:1/", "http://localhost:1", true),
        ("http://[::1]:8787", "http://[::1]:8787", true),
        ("http://[::1]", "http://[::1]", true),
        ("https://claims.example:65535", "https://claims.example:65535", false),
    ] {
        let found = find(Some(url), Some(&key())).unwrap();
        assert_eq!((&*found.address.base, found.address.local), (base, local), "{url}");
    }
    for url in [
        "http://claims.example",
        "http://127.0.0.1.example",
        "http://localhost.example",
        "http://10.0.0.1",
        "http://[::2]",
    ] {
        assert!(message(Some(url), Some(&key())).contains("in the clear"), "{url}");
    }
}

#[test]
fn an_invalid_address_is_reported() {
    for url in [
        "claims.example",
        "ftp://claims.example",
        "https://",
        "https://a b",
        "https://a/?b",
        "https://a/#b",
        "https://a/api/v1",
        "http://localhost:3000/api",
    ] {
        let found = message(Some(url), Some(&key()));
        assert!(found.starts_with("the address must look like https://host"), "{url}: {found}");
        assert!(found.contains("without a path"), "{found}");
    }
    for url in [
        "https://ann:secret@claims.example",
        "https://ann:sec/secret@claims.example",
        "https://ann:a secret@claims.example",
    ] {
        let found = message(Some(url), Some(&key()));
        assert!(found.contains("no user name or password") && !found.contains("secret"));
    }
    for none in [None, Some(""), Some(" ")] {
        assert!(message(none, Some(&key())).contains("OVERTURN_URL"));
    }
}

#[test]
fn an_invalid_port_never_becomes_the_default_port() {
    for url in [
        "http://127.0.0.1:99999",
        "http://127.0.0.1:8o80",
        "http://127.0.0.1:-1",
        "http://127.0.0.1:+80",
        "http://127.0.0.1:0",
        "http://127.0.0.1:",
        "http://localhost:/",
        "http://[::1]:99999",
        "http://[::1]:",
        "http://[::1]80",
        "https://claims.example:65536/path",
    ] {
        let found = message(Some(url), Some(&key()));
        assert!(found.starts_with("the address must look like https://host"), "{url}: {found}");
    }
    let found = message(Some("https://claims.example:99999"), Some(&key()));
    assert!(found.ends_with("https://claims.example:99999 has a port that is not a number from 1 to 65535"));
}

#[test]
fn an_invalid_key_is_reported_without_showing_it() {
    let with = |character| -> String {
        (0..).zip(key().chars()).map(|(n, one)| if n == 20 { character } else { one }).collect()
    };
    let mistyped = with(if with('4') == key() { '5' } else { '4' });
    for (key, says) in [
        ("canary", "starts with ovt_live_"),
        ("ovt_live_canary", "length or the characters"),
        (&mistyped, "mistyped or cut"),
        (&with('\n'), "a line break in it"),
    ] {
        let found = message(Some("https://claims.example"), Some(key));
        assert!(found.contains(says), "{found}");
        assert!(!found.contains(key) && !found.contains("canary"));
    }
    for none in [None, Some(""), Some("\n")] {
        assert!(message(Some("https://claims.example"), none).contains("set OVERTURN_API_KEY"));
    }
    let found = find(Some("https://claims.example"), Some(&format!(" {}\n", key()))).unwrap();
    assert_eq!(found.key.expose(), key());
}
