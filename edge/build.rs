//! Turns the description of the claims interface into the JSON that the Worker serves.

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let source = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../docs/openapi.yaml");
    println!("cargo::rerun-if-changed={}", source.display());
    let description: serde_json::Value =
        serde_saphyr::from_str(&std::fs::read_to_string(&source)?)?;
    let out = Path::new(&std::env::var("OUT_DIR")?).join("openapi.json");
    std::fs::write(out, description.to_string())?;
    Ok(())
}
