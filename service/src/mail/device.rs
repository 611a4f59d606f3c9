//! The device of a session, in the words of an email.

use crate::auth::user_agent::{BROWSERS, SYSTEMS, named};

/// The browser and the system of a user agent, such as `Chrome on Windows`.
pub(super) fn device(agent: &str) -> String {
    match (named(BROWSERS, agent), named(SYSTEMS, agent)) {
        (None, None) => "not known".to_owned(),
        (Some(browser), None) => browser.to_owned(),
        (browser, Some(system)) => format!("{} on {system}", browser.unwrap_or("a browser")),
    }
}

#[cfg(test)]
mod tests {
    use super::device;

    #[test]
    fn a_user_agent_becomes_a_browser_and_a_system() {
        let webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
        for (agent, expected) in [
            (
                format!("Mozilla/5.0 (X11; Linux x86_64) {webkit} HeadlessChrome/156.0.0.0 Safari/537.36"),
                "Chrome on Linux",
            ),
            (format!("Mozilla/5.0 (Windows NT 10.0) {webkit} Chrome/156.0 Safari/537.36 Edg/156.0"), "Edge on Windows"),
            (
                format!("Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) {webkit} Version/26.0 Safari/604.1"),
                "Safari on iPhone",
            ),
            ("curl/8.5 (Linux)".into(), "a browser on Linux"),
            ("Firefox/150.0".into(), "Firefox"),
            ("evil.example\n\n".into(), "not known"),
            (String::new(), "not known"),
        ] {
            assert_eq!(device(&agent), expected, "{agent}");
        }
    }
}
