//! What the service itself needs to know of: its keys, and how its plans become SQL.

use std::env;
use std::error::Error;

use data_encoding::BASE64;
use overturn_core::plan::Plan;
use overturn_store::keyring::{self, Keyring};
use overturn_store::lower::lower;
use overturn_store::sealer::Sealer;

use crate::sql;

/// A cryptographic source.
pub(crate) type Random<'r> = &'r dyn Fn() -> Result<[u8; 24], Box<dyn Error>>;

/// The keys of the service, from the environment: no command line shows them.
pub(crate) fn keys() -> Result<Keyring, Box<dyn Error>> {
    // The cause stays out: it holds a secret that is not Unicode.
    let secret =
        env::var(keyring::SECRET).map_err(|_| format!("{} is not set", keyring::SECRET))?;
    Keyring::parse(&secret).map_err(|bad| format!("{} {bad}", keyring::SECRET).into())
}

/// Keys of nobody, for plans in which nothing is sealed: lowering wants the means to. What was sealed under them all the
/// same could be opened by nobody.
pub(crate) fn no_keys() -> Result<Keyring, Box<dyn Error>> {
    let secret = format!("1:{}", BASE64.encode(&crate::random::<32>()?));
    Keyring::parse(&secret).map_err(|bad| bad.to_string().into())
}

/// The batch of a plan as one text.
pub(crate) fn sql(
    plan: &Plan<'_>,
    keys: &Keyring,
    random: Random<'_>,
) -> Result<String, Box<dyn Error>> {
    let mut failed = None;
    let mut nonce = || {
        random().unwrap_or_else(|error| {
            failed = Some(error);
            [0; _]
        })
    };
    let mut sealer = Sealer::new(keys, None, &mut nonce);
    let batch = lower(plan, &mut sealer)?;
    if let Some(error) = failed {
        return Err(error);
    }
    let mut text = String::new();
    for statement in &batch.statements {
        text.push_str(&sql::render(statement)?);
        text.push_str(";\n");
    }
    Ok(text)
}
