//! An isolate writes the claims of a sender that it knows without looking. So these senders lose their rights while they
//! send: what began after the answer to the change stores nothing that it does not allow.

use overturn_tests::answer::Sent;
use overturn_tests::person::verify_trail;
use overturn_tests::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

const CONNECTIONS: usize = 8;
/// Practices, each with the next kind of change.
const PRACTICES: usize = 100;
/// How many sends of a practice begin before its change is answered at most, and how many after.
const SENDS: [usize; 2] = [50, 50];

/// What ends while a practice sends.
#[derive(Clone, Copy, Debug)]
enum End {
    Key,
    Agreement,
    Practice,
    /// The next send makes another one.
    DataKey,
}

impl End {
    const ALL: [Self; 4] = [Self::Key, Self::Agreement, Self::Practice, Self::DataKey];

    /// Makes the change, and returns once it is answered.
    fn happens(self, tenant: &Tenant<'_>, owner: &Client) {
        match self {
            Self::Key => owner.delete(&format!("/api/v1/settings/api_keys/{}", tenant.key.id)).expect(204),
            Self::Agreement => {
                let rows = tenant.rows("SELECT id FROM agreements WHERE practice_id = ?1", &[]);
                let id = rows[0]["id"].as_str().unwrap();
                owner.post(&format!("/api/v1/settings/agreements/{id}/end"), "").expect(200);
            }
            Self::Practice => tenant.change("UPDATE practices SET state = 'inactive' WHERE id = ?1", &[]),
            Self::DataKey => tenant.change(
                "UPDATE practice_keys SET wrapped = NULL, destroyed_at = created_at WHERE practice_id = ?1",
                &[],
            ),
        }
    }

    /// How a send is refused after it. `None` if it is not.
    const fn refusal(self) -> Option<u16> {
        match self {
            Self::Key => Some(401),
            Self::Agreement | Self::Practice => Some(403),
            Self::DataKey => None,
        }
    }
}

/// A send, and the id of its claim unless it was refused.
struct Try {
    number: String,
    /// It began after the change was answered.
    is_late: bool,
    outcome: Result<String, u16>,
}

/// Sends over several connections, and makes the change after so many sends have begun.
fn sent_while(end: End, after: usize, tenant: &Tenant<'_>, owner: &Client) -> Vec<Try> {
    let [early, late] = SENDS;
    let (next, answered) = (&AtomicUsize::new(0), &AtomicBool::new(false));
    let wait_until = |is_so: &dyn Fn() -> bool| {
        while !is_so() {
            thread::sleep(Duration::from_micros(100));
        }
    };
    let send_on = move || {
        let client = tenant.client();
        let mut tries = Vec::new();
        loop {
            let n = next.fetch_add(1, Ordering::SeqCst);
            if n >= early + late {
                return tries;
            }
            if n >= early {
                wait_until(&|| answered.load(Ordering::SeqCst));
            }
            let number = format!("R-{n}");
            let is_late = answered.load(Ordering::SeqCst);
            let body = item(&number);
            let answer = client.send(&body);
            let outcome = match answer.status {
                200 | 201 => Ok(Sent::read(&body, &answer).id(0).to_owned()),
                status => Err(status),
            };
            tries.push(Try { number, is_late, outcome });
        }
    };
    thread::scope(|scope| {
        let senders = [(); CONNECTIONS].map(|()| scope.spawn(send_on));
        wait_until(&|| next.load(Ordering::SeqCst) >= after);
        end.happens(tenant, owner);
        answered.store(true, Ordering::SeqCst);
        senders.into_iter().flat_map(|sender| sender.join().unwrap()).collect()
    })
}

/// Fails unless the stored claims are what the answers say.
fn check(end: End, tries: &[Try], tenant: &Tenant<'_>) {
    let sql = "SELECT claim_number, id, key_version FROM claims WHERE practice_id = ?1 AND claim_number GLOB 'R-*'";
    let rows = tenant.rows(sql, &[]);
    let stored: BTreeMap<&str, &Value> = rows.iter().map(|row| (row["claim_number"].as_str().unwrap(), row)).collect();
    assert_eq!(rows.len(), stored.len(), "a number has one claim");
    for Try { number, is_late, outcome } in tries {
        let row = stored.get(&**number);
        match (outcome, end.refusal()) {
            (Ok(id), refusal) => {
                assert!(!is_late || refusal.is_none(), "{end:?}: {number} began after the change and was taken");
                let row = row.unwrap_or_else(|| panic!("{end:?}: {number} is answered and lost"));
                assert_eq!(row["id"], **id, "{end:?}: {number}");
                assert!(!is_late || row["key_version"] == 2, "{end:?}: {number} is under the data key that is gone");
            }
            (Err(status), refusal) => {
                assert_eq!(Some(*status), refusal, "{end:?}: {number}");
                assert!(row.is_none(), "{end:?}: {number} is refused and stored");
            }
        }
    }
    let accepted = tries.iter().filter(|one| one.outcome.is_ok()).map(|one| &*one.number);
    assert_eq!(accepted.collect::<BTreeSet<_>>(), stored.into_keys().collect());
    tenant.check();
}

#[test]
fn no_send_that_begins_after_the_answer_to_a_revocation_stores_a_claim() {
    let server = Server::start(State::fresh(), &json!({ "LIMITS": "unlimited" }));
    let (mut accepted, mut late) = (0, 0);
    for (n, end) in End::ALL.into_iter().cycle().take(PRACTICES).enumerate() {
        let tenant = Tenant::new(&server);
        let owner = tenant.owner();
        // The first makes the data key. After the second, the isolate knows the sender.
        for number in ["W-1", "W-2"] {
            tenant.send(&item(number));
        }
        let tries = sent_while(end, n % SENDS[0], &tenant, &owner);
        check(end, &tries, &tenant);
        if let End::Practice = end {
            tenant.change("UPDATE practices SET state = 'active' WHERE id = ?1", &[]);
        }
        verify_trail(&owner);
        accepted += tries.iter().filter(|one| one.outcome.is_ok()).count();
        late += tries.iter().filter(|one| one.is_late).count();
    }
    let lines = server.log().lines();
    let lines = lines.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let at_once = lines.filter(|line| line["status"] == 201 && line["d1_round_trips"] == 1).count();
    assert!(at_once > accepted / 2, "{at_once} of {accepted} sends were not loaded");
    eprintln!("{accepted} accepted, {at_once} of them at once; {late} began after the change");
}
