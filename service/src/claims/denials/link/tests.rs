use super::*;
use serde_json::Value;
use uuid::Uuid;

const NOW: Instant = Instant(1_000);

/// A claim that waits for a signature, with a link that works.
fn stored() -> Value {
    let id = Uuid::from_u128(2);
    let link = json!([Uuid::from_u128(3), 1, "sealed", NOW.0 + 1, 4, "hash", null]);
    json!({ "practice_id": Uuid::from_u128(1), "appeal_button": true, "claim": [id, "in_report", "needed", link] })
}

fn asked(stored: Value) -> Result<(SigningLinkView, Change), RequestError> {
    let stored: ClaimLink = serde_json::from_value(stored).unwrap();
    let ctx = Ctx::new(NOW, [1; 32]);
    hand_out(Some(&stored), &ctx, |_, _| Some(Url("https://overturn.test/sign".into())))
}

#[test]
fn a_link_is_shown_with_a_row_of_the_trail() {
    let (view, change) = asked(stored()).unwrap();
    let expected = json!({
        "link": "https://overturn.test/sign", "expires_at": "1970-01-01T00:00:01.001Z", "tries_left": 1,
    });
    assert_eq!(serde_json::to_value(&view).unwrap(), expected);
    let [Write::Audit(entry)] = &change.writes[..] else {
        panic!("{change:?}");
    };
    assert_eq!(entry.practice_id, Some(PracticeId(Uuid::from_u128(1))));
    assert_eq!(entry.record, Uuid::from_u128(2).to_string());
    assert_eq!(entry.detail, Some(json!({ "link_id": Uuid::from_u128(3) })));
}

#[test]
fn a_link_that_cannot_be_used_is_refused_with_the_reason() {
    let reason = |change: &dyn Fn(&mut Value)| {
        let mut stored = stored();
        change(&mut stored);
        let refused = asked(stored).unwrap_err();
        refused.reason().map(Reason::name).map(String::from)
    };
    let not_asked = Some("signature_not_asked".into());
    for (status, signing) in
        [("in_report", "signed"), ("in_report", "not_needed"), ("received", "not_decided"), ("recovered", "needed")]
    {
        let refused = reason(&|stored| {
            stored["claim"][1] = status.into();
            stored["claim"][2] = signing.into();
        });
        assert_eq!(refused, not_asked, "{status} {signing}");
    }
    let off = reason(&|stored| stored["appeal_button"] = false.into());
    assert_eq!(off, Some("links_off".into()));
    let ended = Some("link_ended".into());
    assert_eq!(reason(&|stored| stored["claim"][3] = Value::Null), ended);
    assert_eq!(reason(&|stored| stored["claim"][3][3] = NOW.0.into()), ended);
    assert_eq!(reason(&|stored| stored["claim"][3][4] = 5.into()), ended);
    let unknown = hand_out(None, &Ctx::new(NOW, [1; 32]), |_, _| None).unwrap_err();
    assert_eq!(unknown, RequestError::NotFound("no such denial"));
}
