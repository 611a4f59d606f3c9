//! Turns the descriptions of the service's interfaces into the JSON that the Worker serves.

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let docs = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../docs");
    let out = std::env::var("OUT_DIR")?;
    for name in ["openapi", "accounts"] {
        let source = docs.join(name).with_extension("yaml");
        println!("cargo::rerun-if-changed={}", source.display());
        let description: serde_json::Value =
            serde_saphyr::from_str(&std::fs::read_to_string(&source)?)?;
        let served = Path::new(&out).join(name).with_extension("json");
        std::fs::write(served, description.to_string())?;
    }
    Ok(())
}
