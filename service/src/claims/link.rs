//! The link that a practice shows to its patient.

use crate::call::Call;
use crate::html::path;
use crate::pipeline::practice_keys;
use crate::plan::signing::Url;
use crate::plan::signing::link::StoredSigningLink;
use overturn_core::base::sealed::SealedPlace;
use std::rc::Rc;

/// The address of a link, for the practice to show. `None` if its token does not open; the log then says so.
pub(super) fn address(call: &Rc<Call>, place: SealedPlace, link: &StoredSigningLink) -> Option<Url> {
    let keys = practice_keys::to_open(call, place.practice()?, link.data_key.as_ref());
    let Ok(token) = link.token(place, &keys) else {
        let said = serde_json::json!({ "event": "signing_link_not_opened", "link_id": link.id });
        log::error!("{said}");
        return None;
    };
    let origin = call.app.settings.origin(&call.url);
    Some(Url(format!("{origin}{}?token={}", path::SIGN, token.expose())))
}
