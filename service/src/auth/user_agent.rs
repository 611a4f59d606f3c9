//! What a browser says of itself, as names. Emails and the console have words around them.

/// What stands in a user agent, and the name. The first that fits counts, because browsers also name others.
pub type Names = [(&'static [&'static str], &'static str)];

pub const BROWSERS: &Names = &[
    (&["Edg/", "EdgA/", "EdgiOS/"], "Edge"),
    (&["OPR/"], "Opera"),
    (&["Firefox/", "FxiOS/"], "Firefox"),
    (&["Chrome/", "CriOS/"], "Chrome"),
    (&["Safari/"], "Safari"),
];

pub const SYSTEMS: &Names = &[
    (&["iPhone"], "iPhone"),
    (&["iPad"], "iPad"),
    (&["Android"], "Android"),
    (&["Windows"], "Windows"),
    (&["CrOS"], "ChromeOS"),
    (&["Mac OS X", "Macintosh"], "macOS"),
    (&["Linux"], "Linux"),
];

/// The name in [`BROWSERS`] or [`SYSTEMS`] that fits a user agent. Nothing of the user agent itself is in it, because its sender
/// may be an attacker.
#[must_use]
pub fn named(names: &Names, agent: &str) -> Option<&'static str> {
    let fits = |marks: &[&str]| marks.iter().any(|mark| agent.contains(mark));
    let found = names.iter().find(|(marks, _)| fits(marks));
    found.map(|(_, name)| *name)
}
