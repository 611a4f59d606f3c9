//! Settings and secrets by name: from files, or from the environment.

use crate::database::MOST;
use crate::error::{Context, Result};
use crate::log::tell;
use http::HeaderName;
use serde_json::Value;
use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// JSON of names and values, which go before all others. `null` removes one. The tests set it.
const OVERRIDES: &str = "OVERTURN_VARS";
/// The header in which the proxy in front names the client's address.
const ADDRESS_HEADER: &str = "CLIENT_ADDRESS_HEADER";
/// How many databases there are. One is enough for millions of claims.
const CELLS: &str = "CELLS";
/// `yes` allows requests to addresses of the house.
const HOUSE: &str = "OUTBOUND_TO_HOUSE";

/// The settings and secrets.
pub(crate) struct Settings {
    /// `None` for what is to be left out.
    own: HashMap<String, Option<String>>,
    /// A folder with one file for each secret.
    secrets: Option<PathBuf>,
}

impl Settings {
    /// The settings of the environment, of a file with lines such as `NAME=value`, and of a folder of secrets.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or is not of its form.
    pub(crate) fn load(vars: Option<&Path>, secrets: Option<PathBuf>) -> Result<Self> {
        let mut own = HashMap::new();
        if let Some(file) = vars {
            let text = fs::read_to_string(file);
            let text = text.context(|| format!("cannot read {}", file.display()))?;
            own.extend(text.lines().filter_map(assignment));
        }
        let overrides = env::var(OVERRIDES).unwrap_or_default();
        if !overrides.is_empty() {
            own.extend(
                overridden(&overrides)
                    .ok_or_else(|| format!("{OVERRIDES} wants a JSON object of names to strings or null"))?,
            );
        }
        Ok(Self { own, secrets })
    }

    /// The value of a name. A file ends with at most one end of a line that does not belong to it.
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        if let Some(own) = self.own.get(name) {
            return own.clone();
        }
        let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let secret = self.secrets.as_ref().filter(|_| is_name);
        if let Some(file) = secret.map(|folder| folder.join(name)).filter(|file| file.exists()) {
            return read(name, &file);
        }
        match env::var_os(format!("{name}_FILE")) {
            Some(file) => read(name, Path::new(&file)),
            None => env::var(name).ok(),
        }
    }

    /// How many cells there are.
    ///
    /// # Errors
    ///
    /// It is no number from 1 to 999.
    pub(crate) fn cells(&self) -> Result<u16> {
        let Some(text) = self.get(CELLS) else { return Ok(1) };
        let number = text.parse().ok().filter(|cells| (1..MOST).contains(cells));
        Ok(number.ok_or_else(|| format!("{CELLS} must be a number from 1 to 999"))?)
    }

    /// True in the environment of developers and tests.
    pub(crate) fn is_dev(&self) -> bool {
        self.get("ENVIRONMENT").as_deref() == Some("dev")
    }

    /// How often an address may be counted in a minute, as in wrangler.toml.
    pub(crate) fn address_limit(&self) -> u32 {
        match self.get("ENVIRONMENT").as_deref() {
            Some("staging") => 50,
            _ => 100,
        }
    }

    /// True if requests may go to addresses of the house.
    pub(crate) fn reaches_house(&self) -> bool {
        self.is_dev() || self.get(HOUSE).as_deref() == Some("yes")
    }

    /// The header with the client's address, if a proxy is in front.
    ///
    /// # Errors
    ///
    /// It is no name of a header.
    pub(crate) fn address_header(&self) -> Result<Option<HeaderName>> {
        let name = self.get(ADDRESS_HEADER);
        let name = name.map(|name| name.to_lowercase().parse());
        name.transpose().context(|| format!("{ADDRESS_HEADER} is no header"))
    }
}

fn read(name: &str, file: &Path) -> Option<String> {
    match fs::read_to_string(file) {
        Ok(text) => Some(text.strip_suffix('\n').unwrap_or(&text).to_owned()),
        Err(error) => {
            tell(&format!("{name}: cannot read {}: {error}", file.display()));
            None
        }
    }
}

fn overridden(json: &str) -> Option<Vec<(String, Option<String>)>> {
    let Ok(Value::Object(all)) = serde_json::from_str(json) else {
        return None;
    };
    let each = all.into_iter().map(|(name, value)| match value {
        Value::String(text) => Some((name, Some(text))),
        Value::Null => Some((name, None)),
        _ => None,
    });
    each.collect()
}

/// A line of a file of variables. Quotes around a value are left out.
fn assignment(line: &str) -> Option<(String, Option<String>)> {
    let line = line.trim();
    let (name, value) = line.split_once('=').filter(|_| !line.starts_with('#'))?;
    let value = value.trim();
    let inner = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
    Some((name.trim().to_owned(), Some(inner.unwrap_or(value).to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::tests::Folder;

    #[test]
    fn a_value_comes_from_the_overrides_the_file_or_the_folder() {
        let folder = Folder::new();
        let at = |name: &str| folder.0.join(name);
        fs::write(at("OPERATOR_TOKEN"), "from a file\n").unwrap();
        fs::write(at(".dev.vars"), "# a comment\nA = \"x y\"\nB=1:a=\n\nC='d'\n").unwrap();
        let mut settings = Settings::load(Some(&at(".dev.vars")), Some(folder.0.clone())).unwrap();
        let get = |settings: &Settings, name| settings.get(name);
        assert_eq!(get(&settings, "OPERATOR_TOKEN").as_deref(), Some("from a file"));
        assert_eq!(get(&settings, "A").as_deref(), Some("x y"));
        assert_eq!(get(&settings, "B").as_deref(), Some("1:a="));
        assert_eq!(get(&settings, "C").as_deref(), Some("d"));
        assert_eq!(get(&settings, "../OPERATOR_TOKEN"), None);
        let more = overridden(r#"{"A": null, "B": "2"}"#).unwrap();
        settings.own.extend(more);
        assert_eq!(get(&settings, "A"), None);
        assert_eq!(get(&settings, "B").as_deref(), Some("2"));
        for wrong in ["[]", "{\"A\": 1}", "x"] {
            assert!(overridden(wrong).is_none(), "{wrong}");
        }
    }
}
