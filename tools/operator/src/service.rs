//! The service's keys, and the SQL of its plans.

use std::env;
use std::error::Error;

use data_encoding::BASE64;
use overturn_service::plan::Plan;
use overturn_service::store::keyring::{self, Keyring};
use overturn_service::store::lower::lower;
use overturn_service::store::sealer::Sealer;

use crate::sql;

/// A cryptographic random source.
pub(crate) type Random<'r> = &'r dyn Fn() -> Result<[u8; 24], Box<dyn Error>>;

/// The keys of the service. They come from the environment, so that no command line shows them.
pub(crate) fn keys() -> Result<Keyring, Box<dyn Error>> {
    // The cause stays out: it holds a secret that is not Unicode.
    let secret = env::var(keyring::SECRET).map_err(|_| format!("{} is not set", keyring::SECRET))?;
    Keyring::parse(&secret).map_err(|bad| format!("{} {bad}", keyring::SECRET).into())
}

/// Random keys for plans that seal nothing: turning a plan into SQL needs a keyring. Data sealed under these keys could
/// never be opened.
pub(crate) fn no_keys() -> Result<Keyring, Box<dyn Error>> {
    let secret = format!("1:{}", BASE64.encode(&crate::random::<32>()?));
    Keyring::parse(&secret).map_err(|bad| bad.to_string().into())
}

/// The batch of a plan as SQL text.
pub(crate) fn sql(plan: &Plan, keys: &Keyring, random: Random<'_>) -> Result<String, Box<dyn Error>> {
    let mut failed = None;
    let mut nonce = || {
        random().unwrap_or_else(|error| {
            failed = Some(error);
            [0; _]
        })
    };
    let mut sealer = Sealer::new(keys, &[], &mut nonce);
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
