use super::*;
use crate::plan::Actor;
use overturn_core::base::id::{ApiKeyId, ApiTokenId, SigningLinkId};
use uuid::Uuid;

fn row(id: u128) -> StoredTrailEvent {
    let row = json!({ "id": Uuid::from_u128(id), "at": 0, "actor": "service", "actor_name": null, "is_staff": false,
        "action": "a.b", "record": "r", "claim_number": null, "record_name": null, "request_id": "q", "detail": { "by": "=x" }, "sequence": 3, "address": null,
        "session_id": null });
    serde_json::from_value(row).unwrap()
}

#[test]
fn a_page_with_a_filter_ends_after_its_scan_with_a_cursor() {
    let query = |action: Option<&str>| AuditQuery {
        limit: 2,
        cursor: None,
        action: action.map(|_| Event::ApiKeyCreated),
        actor: None,
        record: None,
        claim_number: None,
        from: None,
        to: None,
    };
    let next = |action, rows: &[u128], scanned: Option<(usize, u128)>| {
        let found = FoundEvents {
            rows: rows.iter().copied().map(row).collect(),
            cut: action == Some("cut"),
            scanned: scanned.map(|(count, id)| ScannedRows { count, id: Some(AuditId(Uuid::from_u128(id))) }),
        };
        let listed = listed(&query(action), found);
        listed.next_cursor().map(|text| text.parse::<Uuid>().unwrap().as_u128())
    };
    assert_eq!(next(None, &[9, 8, 7], None), Some(8));
    assert_eq!(next(None, &[9, 8], Some((2, 8))), None);
    assert_eq!(next(Some("a.b"), &[9], Some((2_000, 4))), Some(4));
    assert_eq!(next(Some("a.b"), &[], Some((2_000, 4))), Some(4));
    assert_eq!(next(Some("a.b"), &[9], Some((1_999, 4))), None);
    assert_eq!(next(Some("cut"), &[9], None), Some(9));
}

#[test]
fn the_columns_of_the_table_are_the_fields_of_a_row() {
    let shown = serde_json::to_value(view(row(1))).unwrap();
    let mut fields = Vec::new();
    for (name, value) in shown.as_object().unwrap() {
        match value.as_object().filter(|_| name == "actor") {
            Some(inner) => fields.extend(inner.keys().map(|key| format!("{name}.{key}"))),
            None => fields.push(name.clone()),
        }
    }
    fields.sort_unstable();
    let mut columns = AuditView::COLUMNS.to_vec();
    columns.sort_unstable();
    assert_eq!(columns, fields);
}

#[test]
fn every_actor_is_shown_by_what_it_is() {
    let id = Uuid::from_u128(7);
    for (actor, is_staff, kind, shown) in [
        (Actor::User(UserId(id)), false, "user", Some(id)),
        (Actor::User(UserId(id)), true, "staff", Some(id)),
        (Actor::ApiKey(ApiKeyId(id)), false, "api_key", Some(id)),
        (Actor::ApiToken(ApiTokenId(id)), false, "api_token", Some(id)),
        (Actor::Operator, false, "operator", None),
        (Actor::Github, false, "github", None),
    ] {
        let row = json!({ "id": id, "at": 0, "actor": actor.to_string(), "actor_name": "x",
            "is_staff": is_staff, "action": "a", "record": "r", "claim_number": "CH-1", "claim_numbers": [], "record_name": null, "request_id": "q", "detail": { "version": 1 }, "sequence": 3, "address": "192.0.2.1",
            "session_id": null });
        let row = view(serde_json::from_value(row).unwrap());
        let actor = json!({ "type": kind, "id": shown, "name": "x" });
        let expected = json!({ "id": id, "at": "1970-01-01T00:00:00.000Z", "actor": actor, "action": "a",
            "record": "r", "claim_number": "CH-1", "claim_numbers": [], "record_name": null, "request_id": "q", "detail": { "version": 1 }, "sequence": 3, "address": "192.0.2.1",
            "session_id": null });
        assert_eq!(serde_json::to_value(row).unwrap(), expected);
    }
}

/// A new kind of actor does not compile before it is here.
#[test]
fn every_kind_of_actor_is_described() {
    let id = Uuid::nil();
    let all = [
        Actor::User(UserId(id)),
        Actor::ApiKey(ApiKeyId(id)),
        Actor::ApiToken(ApiTokenId(id)),
        Actor::SigningLink(SigningLinkId(id)),
        Actor::Operator,
        Actor::Service,
        Actor::Sandbox,
        Actor::Github,
        Actor::Anyone,
    ];
    let text = |actor: Actor| match actor {
        Actor::User(_)
        | Actor::ApiKey(_)
        | Actor::ApiToken(_)
        | Actor::SigningLink(_)
        | Actor::Operator
        | Actor::Service
        | Actor::Sandbox
        | Actor::Github
        | Actor::Anyone => actor.to_string(),
    };
    let kinds = all.map(|actor| text(actor).split(':').next().map(str::to_owned).unwrap());
    let mut kinds: Vec<String> = kinds.into_iter().chain([STAFF.to_owned()]).collect();
    let mut described = ActorKind::ALL.map(|kind| kind.name().to_owned());
    kinds.sort_unstable();
    described.sort_unstable();
    assert_eq!(kinds, described);
}
