use super::*;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::Fixture;
use crate::testing::decisions::{parse, said};
use crate::work::tests::{commit, staff};

fn body(name: &str, query: &str) -> String {
    json!({ "name": name, "query": query }).to_string()
}

fn new(name: &str, query: &str) -> NewQueueFilter {
    parse(body(name, query)).unwrap()
}

fn edit(edit: serde_json::Value) -> QueueFilterEdit {
    parse(edit.to_string()).unwrap()
}

/// What is kept of a query that names no payer.
fn text(query: &str) -> String {
    kept(new("a", query).query, None).unwrap()
}

#[test]
fn a_query_is_kept_in_one_form_whatever_its_order_its_spelling_and_its_defaults() {
    let practice = "019aa2f0-3c1d-7b20-8e11-5b6c7d8e9f00";
    for (query, expected) in [
        ("taken_by=+me+&status=reviewing%2C+received", "status=received%2Creviewing&taken_by=me"),
        ("order=deadline&denial_code=co45&min_age_days=", "denial_code=CO-45"),
        ("status=in_appeal,in_report,received,reviewing&order=latest_deadline", "order=latest_deadline"),
        ("max_age_days=07&min_age_days=1&signature=link_dead", "min_age_days=1&max_age_days=7&signature=link_dead"),
        (
            "ask_before=2026-11-27&practice_id=019AA2F03C1D7B208E115B6C7D8E9F00",
            &*format!("practice_id={practice}&ask_before=2026-11-27"),
        ),
    ] {
        assert_eq!(text(query), expected);
        assert_eq!(text(expected), expected);
    }
}

#[test]
fn what_the_queue_refuses_and_what_may_identify_a_patient_is_not_kept_and_not_repeated() {
    for (query, problem) in [
        ("", "query is required"),
        ("status=", "query must have a filter"),
        ("order=deadline", "query must have a filter"),
        ("taken_by=Jane+Doe", "query.taken_by must be me, nobody or the id of a staff member"),
        ("taken_by=me&taken_by=nobody", "query.taken_by must be given only once"),
        ("taken_by=me&claim_number=A-1", "query.claim_number cannot be saved"),
        ("taken_by=me&claim_number=", "query.claim_number cannot be saved"),
        ("taken_by=me&due_from=2026-11-01", "query.due_from cannot be saved"),
        ("taken_by=me&due_to=2026-11-01", "query.due_to cannot be saved"),
        ("taken_by=me&count=true", "query.count cannot be saved"),
        ("taken_by=me&cursor=x", "query.cursor cannot be saved"),
        ("taken_by=me&limit=0", "query.limit cannot be saved"),
    ] {
        assert_eq!(said(parse::<NewQueueFilter>(body("a", query)).unwrap_err()), [problem], "{query}");
    }
    let unknown = said(parse::<NewQueueFilter>(body("a", "patient=Jane+Doe")).unwrap_err());
    assert!(
        unknown[0].starts_with("query.patient is not a known parameter") && !unknown[0].contains("Jane"),
        "{unknown:?}"
    );
}

#[test]
fn a_payer_is_kept_as_claims_name_it_and_other_words_are_refused() {
    let mut f = Fixture::filled(2, 4, ["'received'", "iif(n < 2, 'Acme & Söhne', 'Best')", "'t'", "NULL"]);
    f.name_payers();
    let find = |f: &mut Fixture, name: &str| f.read(&payer(name));
    assert_eq!(find(&mut f, "acme & Söhne"), Some("Acme & Söhne".into()));
    assert_eq!(find(&mut f, "Jane Doe"), None);
    let query = || new("a", "payer_name=acme+%26+S%C3%B6hne").query;
    assert_eq!(kept(query(), Some("Acme & Söhne".into())).unwrap(), "payer_name=Acme+%26+S%C3%B6hne");
    assert_eq!(said(kept(query(), None).unwrap_err()), ["query.payer_name must be a payer that a claim has named"]);
    f.assert_indexed(payer("Acme").statement(), &[]);
    f.db.execute("UPDATE agreements SET ended_at = 1", []).unwrap();
    assert_eq!(find(&mut f, "Best"), None, "no data of the practice may be read");
}

fn save(f: &mut Fixture, person: &Person, name: &str) -> Result<QueueFilterId, DatabaseError> {
    let ctx = f.ctx();
    let change = saved(new(name, "taken_by=me"), (&[], None), person, &ctx).unwrap();
    commit(f, change, person, &ctx).map(|()| QueueFilterId(ctx.id(Purpose::Record, 0)))
}

const CONFLICT: DatabaseError = DatabaseError::Conflict(FailedGuard::Record);
const READ_AGAIN: DatabaseError = DatabaseError::Conflict(FailedGuard::Secret);

#[test]
fn the_batch_refuses_what_another_tab_has_made_impossible_since_the_filters_were_read() {
    let mut f = Fixture::new();
    let (me, other) = (staff(&mut f), staff(&mut f));
    let first = save(&mut f, &me, "Mine").unwrap();
    assert_eq!(save(&mut f, &me, "MINE").unwrap_err(), CONFLICT);
    save(&mut f, &other, "Mine").unwrap();
    let read = |name: &str, query: &str| [QueueFilter { id: first, name: name.into(), query: query.into() }];
    let stored = read("Mine", "taken_by=me");
    let act = |f: &mut Fixture, by: &Person, stored: &[QueueFilter], of: serde_json::Value| {
        let ctx = f.ctx();
        let change = changed((first, edit(of)), (stored, None), by, &ctx).unwrap();
        commit(f, change, by, &ctx)
    };
    act(&mut f, &me, &stored, json!({ "name": "mine" })).unwrap();
    let query = json!({ "query": "taken_by=nobody" });
    assert_eq!(act(&mut f, &me, &stored, query.clone()).unwrap_err(), READ_AGAIN, "the answer would have the old name");
    act(&mut f, &me, &read("mine", "taken_by=me"), query).unwrap();
    let rename = |f: &mut Fixture, by: &Person, name: &str| {
        act(f, by, &read("mine", "taken_by=nobody"), json!({ "name": name }))
    };
    let old = act(&mut f, &me, &read("mine", "taken_by=me"), json!({ "name": "Other" }));
    assert_eq!(old.unwrap_err(), READ_AGAIN, "the answer would have the old query");
    let kept = "SELECT count(*) FROM queue_filters WHERE query = 'taken_by=nobody' AND hex(name) = hex('mine')";
    assert_eq!(f.count(kept), 1);
    assert_eq!(rename(&mut f, &other, "Stolen").unwrap_err(), READ_AGAIN);
    save(&mut f, &me, "Second").unwrap();
    assert_eq!(rename(&mut f, &me, "second").unwrap_err(), CONFLICT);
    for n in 2..FILTERS_MAX {
        save(&mut f, &me, &format!("More {n}")).unwrap();
    }
    assert_eq!(save(&mut f, &me, "One too many").unwrap_err(), CONFLICT);
    let remove = |f: &mut Fixture, by: &Person| {
        let ctx = f.ctx();
        let change = removed(first, &stored, by, &ctx).unwrap();
        commit(f, change, by, &ctx)
    };
    assert_eq!(remove(&mut f, &other), Err(READ_AGAIN), "it is another person's");
    assert_eq!(remove(&mut f, &me), Ok(()));
    assert_eq!(remove(&mut f, &me), Err(READ_AGAIN), "of two parallel removals, one is in the trail");
    assert_eq!(f.count("SELECT count(*) FROM queue_filters"), 20);
    assert_eq!(rename(&mut f, &me, "Gone").unwrap_err(), READ_AGAIN);
    let ctx = f.ctx();
    f.commit(&ctx, (Vec::new(), vec![all_removed(me.user_id)])).unwrap();
    assert_eq!(f.count("SELECT count(*) FROM queue_filters"), 1, "a colleague's");
    f.assert_indexed(of_caller("hash").statement(), &["TEMP B-TREE", "CO-ROUTINE", "SCAN (subquery"]);
}

#[test]
fn a_name_is_of_one_filter_and_an_edit_that_changes_nothing_is_none() {
    let mut f = Fixture::new();
    let (me, ctx) = (staff(&mut f), f.ctx());
    let [one, two] = ["One", "Two"].map(|name| QueueFilter {
        id: QueueFilterId(ctx.id(Purpose::Record, name.len() + usize::from(name == "Two"))),
        name: name.into(),
        query: "taken_by=me".into(),
    });
    let filters = [one.clone(), two.clone()];
    let change = |id, of| changed((id, edit(of)), (&filters, None), &me, &ctx);
    let taken = RequestError::Conflict(Reason::AlreadyExists, "another filter of yours has this name");
    assert_eq!(change(one.id, json!({ "name": " two " })).unwrap_err(), taken);
    assert_eq!(saved(new("ONE", "taken_by=me"), (&filters, None), &me, &ctx).unwrap_err(), taken);
    let same = change(one.id, json!({ "name": "One", "query": "taken_by=me" })).unwrap();
    assert!(same.writes.is_empty());
    let replaced = change(two.id, json!({ "query": "taken_by=nobody" })).unwrap();
    assert_eq!(replaced.answer.body, json!({ "id": two.id, "name": "Two", "query": "taken_by=nobody" }));
    let unknown = QueueFilterId(ctx.id(Purpose::Record, 9));
    assert_eq!(change(unknown, json!({ "name": "x" })).unwrap_err(), NO_FILTER);
    assert_eq!(removed(unknown, &filters, &me, &ctx).unwrap_err(), NO_FILTER);
    let full: Vec<_> = (0..FILTERS_MAX).map(|n| QueueFilter { name: n.to_string(), ..one.clone() }).collect();
    let limit = saved(new("Three", "taken_by=me"), (&full, None), &me, &ctx).unwrap_err();
    assert_eq!(limit, RequestError::Conflict(Reason::LimitReached, "a person has at most 20 filters"));
}
