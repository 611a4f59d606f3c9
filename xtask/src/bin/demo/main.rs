//! Prints the demo data of a development database as one JSON object: `sql`, the statements that make it, and
//! `practices`, the keys to try it with. Both are made by the service's own code, and fresh on every call.

#![allow(
    clippy::disallowed_methods,
    reason = "a native tool, which makes fresh ids and keys"
)]

mod practices;
mod sql;

use std::error::Error;
use std::io::Write;
use std::time::SystemTime;

use overturn_core::ctx::{Ctx, Instant};
use overturn_edge::keyring::Keyring;
use overturn_edge::store::lower::{Means, lower};

use practices::Practices;

fn main() -> Result<(), Box<dyn Error>> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    let ctx = Ctx::new(Instant(i64::try_from(now.as_millis())?), random()?);
    let mut practices = Practices::new(&ctx);
    practices.add_all(random)?;
    let output = serde_json::json!({
        "sql": statements(&practices)?,
        "practices": practices.keys(),
    });
    writeln!(std::io::stdout(), "{output}")?;
    Ok(())
}

fn statements(practices: &Practices<'_>) -> Result<String, Box<dyn Error>> {
    // Nothing here is sealed, but lowering wants the means to.
    let keys = Keyring::parse("1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
        .map_err(|bad| bad.to_string())?;
    let mut means = Means {
        keys: &keys,
        nonce: &mut || [0; _],
    };
    let batch = lower(&practices.plan(), &mut means).map_err(|_| "the plan cannot be written")?;
    let mut sql = String::new();
    for statement in &batch.statements {
        sql.push_str(&sql::render(statement)?);
        sql.push_str(";\n");
    }
    Ok(sql)
}

fn random<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}
