//! Joins the API descriptions into the JSON that the Worker serves.

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let docs = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../docs");
    let out = std::env::var("OUT_DIR")?;
    let out = Path::new(&out);
    for source in ["openapi.yaml", "api"] {
        println!("cargo::rerun-if-changed={}", docs.join(source).display());
    }
    std::fs::write(
        out.join("openapi.json"),
        overturn_api::claims(&docs)?.to_string(),
    )?;
    std::fs::write(
        out.join("accounts.json"),
        overturn_api::accounts(&docs)?.to_string(),
    )?;
    Ok(())
}
