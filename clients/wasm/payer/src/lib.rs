//! A payer for other runtimes: the crate `overturn-payer` as a WebAssembly module that imports nothing.
//!
//! A host drops the instance after a call, because the memory of an instance never shrinks. `abi.rs` says how a host calls
//! it, and `clients/wasm/js/play.js` does so.

#[cfg(target_arch = "wasm32")]
mod abi;

use overturn_payer::{Expected, Script, Trial};
use serde::{Deserialize, Serialize};

/// The most claims that are made up. More would not fit into the memory of an instance.
const CLAIMS_MAX: u32 = 100_000;

/// What a host asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    seed: u64,
    /// The text of a file of claims.
    file: Option<String>,
    /// How many claims are made up if there is no file.
    count: u32,
    /// The JSON of a script for all claims.
    script: Option<String>,
}

#[derive(Serialize)]
struct Files<'a> {
    remittance: &'a str,
    submission: &'a str,
    expected: &'a [Expected],
}

/// The answer to a request in JSON: the files in JSON.
///
/// # Errors
///
/// What is wrong with the request.
pub fn play(request: &[u8]) -> Result<Vec<u8>, String> {
    let Asked { seed, file, count, script } = serde_json::from_slice(request).map_err(|error| error.to_string())?;
    if file.is_none() && !(1..=CLAIMS_MAX).contains(&count) {
        return Err(format!("the number of claims must be from 1 to {CLAIMS_MAX}"));
    }
    let read = file.map(|text| overturn_payer::read(text.as_bytes())).transpose().map_err(|error| error.to_string())?;
    let script = script.map(|json| Script::read(&json)).transpose()?;
    let trial = Trial::new(seed, read, count, script.as_ref());
    let played = trial.play();
    let [era, submission] = [played.era(), trial.submission()];
    let text = |bytes| core::str::from_utf8(bytes).map_err(|error| error.to_string());
    let files = Files { remittance: text(&era)?, submission: text(&submission)?, expected: &played.expected };
    serde_json::to_vec(&files).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::play;
    use serde_json::{Value, json};

    fn said(request: &Value) -> Result<Value, String> {
        play(request.to_string().as_bytes()).map(|answer| serde_json::from_slice(&answer).unwrap_or_default())
    }

    #[test]
    fn a_request_has_the_files_of_its_trial_or_what_is_wrong() {
        let played = said(&json!({ "seed": 5, "count": 3, "script": r#"{"act":"deny"}"# })).unwrap_or_default();
        assert!(played["remittance"].as_str().is_some_and(|text| text.starts_with("ISA*")), "{played}");
        assert_eq!(played["expected"].as_array().map(Vec::len), Some(3));
        let sent = said(&json!({ "seed": 5, "count": 0, "file": played["submission"], "script": "{}" }));
        assert_eq!(sent.map(|sent| sent["submission"].clone()), Ok(played["submission"].clone()));
        for (request, problem) in [
            (json!({ "seed": -1, "count": 1 }), "invalid value"),
            (json!({ "seed": 1, "count": 0 }), "from 1 to 100000"),
            (json!({ "seed": 1, "count": 4_000_000_000_u32 }), "from 1 to 100000"),
            (json!({ "seed": 1, "count": 1, "file": "" }), "claim"),
            (json!({ "seed": 1, "count": 1, "script": r#"{"codes":{"group":"CO","carc":"*"}}"# }), "codes of X12"),
        ] {
            let said = said(&request).unwrap_err();
            assert!(said.contains(problem), "{said}");
        }
    }
}
