//! Logs why a proof of a person was refused. The person gets no reason.

use crate::call::Call;
use serde_json::json;

/// Logs why a proof was refused. Neither text holds a value of the proof.
pub(crate) fn log_refused(call: &Call, proof: &'static str, reason: &str, detail: &str) {
    log(call, (proof, None), reason, detail);
}

/// The same for a proof of a provider: the id of a SAML provider, or the id in the configuration.
pub(crate) fn log_refused_at(call: &Call, (proof, provider): (&'static str, &str), reason: &str, detail: &str) {
    log(call, (proof, Some(provider)), reason, detail);
}

fn log(call: &Call, (proof, provider): (&str, Option<&str>), reason: &str, detail: &str) {
    let request_id = call.ctx.request_id;
    let mut said = json!({
        "event": "proof_refused", "request_id": request_id, "proof": proof, "reason": reason, "detail": detail
    });
    if let (Some(fields), Some(provider)) = (said.as_object_mut(), provider) {
        fields.insert("provider".into(), provider.into());
    }
    log::info!("{said}");
}
