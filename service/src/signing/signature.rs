//! `…/claims/{id}/signature`: what a patient signed.

use super::drawing::{Drawing, HEIGHT, WIDTH};
use crate::extract::InPractice;
use crate::pipeline::Disclosed;
use crate::prelude::*;
use crate::request::language::Language;
use overturn_core::base::id::{ClaimId, SignatureId};
use overturn_core::base::open::{Open, Unopened};
use std::fmt;

names! {
    /// Who signed. A representative's authority belongs in an authorization (45 CFR 164.508(c)(1)(vi)).
    Relation {
        Patient = "patient",
        /// A parent of a minor.
        Parent = "parent",
        /// A guardian whom a court appointed.
        Guardian = "guardian",
        /// The agent of a power of attorney for health care.
        HealthCareAgent = "health_care_agent",
        /// The executor or administrator of a dead patient's estate.
        Executor = "executor",
        /// Another person who may act for the patient under the law.
        OtherRepresentative = "other_representative",
    }
}

/// The sealed part of a signature. Its JSON is a stored format: fields may be added, but not renamed. `Debug` prints
/// nothing of it.
#[derive(Serialize, Deserialize)]
pub(super) struct SealedSignature {
    /// The version of the text.
    pub(super) version: String,
    /// The language of the text.
    pub(super) language: Language,
    /// The signed text.
    pub(super) text: String,
    /// Who signed.
    pub(super) relation: Relation,
    /// The name as typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    /// The drawing, on a field of [`WIDTH`] by [`HEIGHT`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) strokes: Option<Drawing>,
    /// When it was signed.
    pub(super) signed_at: Instant,
    pub(super) ip: String,
    /// The browser's user agent.
    pub(super) agent: String,
}

impl fmt::Debug for SealedSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealedSignature(…)")
    }
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct StoredSignature {
    id: SignatureId,
    /// The version of its claim.
    version: i64,
    /// The key that seals it.
    key_version: KeyVersion,
    /// The sealed part.
    sealed: String,
}

/// A signature as staff see it.
// `Debug` prints its id only.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PatientSignature"))]
pub(crate) struct SignatureView {
    id: SignatureId,
    signed_at: Time,
    /// The IP address that the signature came from.
    ip: String,
    /// The browser's user agent.
    user_agent: String,
    /// The version of the text. Each language has versions of its own.
    text_version: String,
    /// The language of the text.
    language: Language,
    /// The whole text as it was signed.
    text: String,
    /// Who signed, by their own word. Everybody but the patient has to type a name.
    relation: Relation,
    /// The name as it was typed. `null` if the signature was drawn.
    name: Option<String>,
    /// `null` if only a name was typed.
    drawing: Option<DrawingView>,
}

impl fmt::Debug for SignatureView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SignatureView({})", self.id)
    }
}

/// A drawing with the size of its field.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DrawingView {
    /// The width of the field that was drawn on.
    width: u16,
    height: u16,
    /// Strokes of points. Each point is `[x, y]`, measured from the left and from the top.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Vec<[u16; 2]>>"))]
    strokes: Drawing,
}

/// The newest signature of a claim.
pub(super) fn signature(practice: PracticeId, claim: ClaimId) -> Query<Option<StoredSignature>> {
    select!(
        "signing.signature",
        "SELECT json_object('id', s.id, 'key_version', s.key_version, 'sealed', s.sealed, 'version', c.version) AS json
         FROM signatures s JOIN claims c ON c.practice_id = s.practice_id AND c.id = s.claim_id
         WHERE s.practice_id = {practice} AND s.claim_id = {claim} ORDER BY s.id DESC LIMIT 1";
        practice, claim
    )
    .optional()
}

/// `showSignature`: Read what the patient signed.
///
/// Staff only. The practice's audit trail records who reads the signature, before it is shown. The call counts as opening
/// the patient, as under *showClaim*.
pub(crate) async fn show(
    InPractice(practice, id): InPractice<ClaimId>,
    request: ReadRequest,
) -> Result<Gives<SignatureView>, AppError> {
    let load = signature(practice, id);
    let view = request.disclose((practice, id), load, |_, stored, keys| {
        let (version, body) = shown((practice, id), stored, keys)?;
        let said = json!({ "signature_id": body.id });
        let audit = Entry::new(request.ctx(), 0, Some(practice), Event::SignatureRead, id).detail(said);
        Ok(Disclosed { version, audit, body })
    });
    view.await
}

impl StoredSignature {
    /// Opens the signature of a practice's claim.
    pub(super) fn secret(
        &self,
        (practice, claim): (PracticeId, ClaimId),
        keys: &impl Open,
    ) -> Result<SealedSignature, Unopened> {
        let place = SealedPlace::Signature { practice, claim, id: self.id };
        keys.open_json(place, self.key_version, &self.sealed)
    }
}

fn shown(
    of: (PracticeId, ClaimId),
    stored: Option<StoredSignature>,
    keys: &impl Open,
) -> Result<(i64, SignatureView), RequestError> {
    let stored = stored.ok_or(RequestError::NotFound("no signature for this claim"))?;
    let secret = stored.secret(of, keys)?;
    let view = SignatureView {
        id: stored.id,
        signed_at: Time(secret.signed_at),
        ip: secret.ip,
        user_agent: secret.agent,
        text_version: secret.version,
        language: secret.language,
        text: secret.text,
        relation: secret.relation,
        name: secret.name,
        drawing: secret.strokes.map(|strokes| DrawingView { width: WIDTH, height: HEIGHT, strokes }),
    };
    Ok((stored.version, view))
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    const OF: (PracticeId, ClaimId) = (PracticeId(Uuid::from_u128(1)), ClaimId(Uuid::from_u128(8)));

    fn sealed() -> SealedSignature {
        SealedSignature {
            version: "2026-11-21".into(),
            language: Language::English,
            text: "I agree.".into(),
            relation: Relation::Parent,
            name: Some("Zoë".into()),
            strokes: Drawing::parse("[[[1,2],[3,4]]]").unwrap(),
            signed_at: Instant(1_772_625_600_000),
            ip: "192.0.2.1".into(),
            agent: "Browser".into(),
        }
    }

    #[test]
    fn a_signature_shows_what_was_sealed_and_nothing_without_its_key() {
        let stored = StoredSignature {
            id: SignatureId(Uuid::from_u128(9)),
            version: 4,
            key_version: KeyVersion(1),
            sealed: concat!(
                r#"{"version":"2026-11-21","language":"en","text":"I agree.","relation":"parent","name":"Zoë","#,
                r#""strokes":[[[1,2],[3,4]]],"signed_at":1772625600000,"ip":"192.0.2.1","agent":"Browser"}"#
            )
            .into(),
        };
        assert_eq!(stored.sealed, serde_json::to_string(&sealed()).unwrap());
        let open = |place: SealedPlace, _: KeyVersion, sealed: &str| {
            assert_eq!(place.claim(), Some(OF.1));
            Ok(sealed.as_bytes().to_vec())
        };
        let (version, view) = shown(OF, Some(stored.clone()), &open).unwrap();
        assert_eq!(version, 4);
        assert_eq!(
            serde_json::to_value(&view).unwrap(),
            json!({
                "id": stored.id, "signed_at": "2026-03-04T12:00:00.000Z", "ip": "192.0.2.1", "user_agent": "Browser",
                "text_version": "2026-11-21",
                "language": "en", "text": "I agree.", "relation": "parent", "name": "Zoë",
                "drawing": { "width": 600, "height": 200, "strokes": [[[1, 2], [3, 4]]] },
            })
        );
        assert!(!format!("{view:?} {:?}", sealed()).contains("Zoë"));
        let locked = |_: SealedPlace, _: KeyVersion, _: &str| Err(Unopened::KeyUnavailable);
        assert_eq!(shown(OF, Some(stored.clone()), &locked).map(drop), Err(RequestError::KeyUnavailable));
        // A value that opens but is not a signature is not shown, either.
        let claim = |_: SealedPlace, _: KeyVersion, _: &str| Ok(br#"{"patient":{}}"#.to_vec());
        let refused = shown(OF, Some(stored), &claim).map(drop);
        assert!(matches!(refused, Err(RequestError::Tampered(_))));
        assert!(matches!(shown(OF, None, &open), Err(RequestError::NotFound(_))));
    }

    /// A new part does not compile without a value here, and fails without its canary there.
    #[test]
    fn every_sealed_part_has_its_canary() {
        let sealed = serde_json::to_value(sealed()).unwrap();
        let canaries = include_str!("../../../tests/tests/operation/canary_signing.rs");
        for part in sealed.as_object().unwrap().keys() {
            assert!(canaries.contains(&format!("\"{part}\"")), "{part}");
        }
    }
}
