//! The audit trail: its chains verify, each change that was answered is in it once, and nothing is done with a key after the
//! row of its revocation.

use crate::clients::operator::NEXT_KEY;
use crate::world::World;
use overturn_service::sqlite::read;
use overturn_service::store::keyring::Keyring;
use overturn_service::store::trail as store;
use overturn_service::trail::{Trail, verify_whole};
use overturn_tests::server::SEALING_KEYS;
use rusqlite::Connection;
use std::collections::BTreeSet;

/// A row of a trail: its actor, its action and its record.
type Row = (String, String, String);

/// What a person does without a session.
const SIGNED_OUT: [&str; 4] = ["session.", "magic_link.", "password.", "member.joined"];

/// What is done with the data of patients.
const NEEDS_AGREEMENT: [&str; 17] = [
    "submission.received",
    "claims.corrected",
    "claims.filled_in",
    "claim.taken",
    "claim.moved",
    "claim.noted",
    "claim.letter_set",
    "claim.amount_corrected",
    "report.delivered",
    "case.opened",
    "case.level_begun",
    "case.level_changed",
    "signing.decided",
    "signing.link_shown",
    "signing.shown",
    "signing.signed",
    "document.uploaded",
];

pub(crate) fn check(world: &World) -> Vec<String> {
    let mut problems = Vec::new();
    let mut wrong = |n: usize, what: String| problems.push(format!("the trail of practice {n}: {what}"));
    let keys = Keyring::parse(&format!("{SEALING_KEYS},{NEXT_KEY}")).expect("both keys");
    let model = world.model.borrow();
    let practices = world.practices.iter().enumerate().map(|(n, practice)| (n, &practice.id));
    for (n, id) in practices.chain(model.sandboxes.iter().map(|sandbox| (sandbox.practice, &sandbox.id))) {
        let db = world.database(n);
        let trail = Trail::parse(id).expect("a trail of a practice");
        let whole = verify_whole(
            trail,
            Some(&keys.trails),
            || read(db, &store::head(trail)),
            |after, most| read(db, &store::rows(trail, after, most)),
        );
        let whole = whole.expect("the trail can be read");
        if let Some(broken) = whole.checked.broken {
            wrong(n, format!("row {} is broken: {:?}", broken.sequence, broken.reason));
        }
        if whole.behind > 0 {
            wrong(n, format!("{} rows are not linked after the sweeps", whole.behind));
        }
    }
    for (n, practice) in world.practices.iter().enumerate() {
        let db = world.database(n);
        let rows = rows(db, &practice.id).expect("the trail can be read");
        let mut revoked = BTreeSet::new();
        let mut ended = false;
        // Actors whose sessions were all ended, until they sign in again.
        let mut signed_out = BTreeSet::new();
        for (actor, action, record) in &rows {
            if revoked.contains(actor) {
                wrong(n, format!("{actor} does {action} after its revocation"));
            }
            if signed_out.contains(actor) && !SIGNED_OUT.iter().any(|of| action.starts_with(of)) {
                wrong(n, format!("{actor} does {action} after all its sessions were ended"));
            }
            match action.as_str() {
                "api_key.revoked" => _ = revoked.insert(format!("api_key:{record}")),
                "api_token.revoked" => _ = revoked.insert(format!("api_token:{record}")),
                "member.sessions_revoked" | "member.removed" => _ = signed_out.insert(format!("user:{record}")),
                "password.changed" => _ = signed_out.insert(actor.clone()),
                "session.created" => _ = signed_out.remove(actor),
                "agreement.ended" => ended = true,
                "agreement.signed" => ended = false,
                action if ended && NEEDS_AGREEMENT.contains(&action) => {
                    wrong(n, format!("{actor} does {action} while no agreement is in force"));
                }
                _ => {}
            }
        }
        let count =
            |what: &str, of: &str| rows.iter().filter(|(_, action, record)| action == what && record == of).count();
        for document in model.documents.iter().filter(|document| document.practice == n) {
            let [made, ended] = ["document.uploaded", "document.deleted"].map(|done| count(done, &document.id));
            if made != 1 || ended > 1 || (document.is_gone && ended != 1) {
                wrong(n, format!("document {} was uploaded {made} times and deleted {ended} times", document.id));
            }
        }
        let access = &model.access;
        // A sandbox's keys are in the trail of the practice whose people make them.
        let keys = ("api_key", access.keys.iter().chain(&access.sandbox_keys), &access.asked_for_keys);
        let tokens = ("api_token", access.tokens.iter().chain(&[]), &access.asked_for_tokens);
        for (kind, lives, asked) in [keys, tokens] {
            let [created, revoked] = ["created", "revoked"].map(|done| format!("{kind}.{done}"));
            let made = rows.iter().filter(|(_, action, _)| *action == created).count();
            let asked = asked.iter().filter(|of| **of == n).count();
            if made > asked {
                wrong(n, format!("{made} of {kind} were made, and {asked} were asked for"));
            }
            for life in lives.filter(|life| life.practice == n) {
                let (made, ended) = (count(&created, &life.id), count(&revoked, &life.id));
                let is_first = life.id == practice.first_key;
                if made != usize::from(!is_first) || ended > 1 || (life.revoked.is_some() && ended != 1) {
                    wrong(n, format!("{kind} {} was made {made} times and revoked {ended} times", life.id));
                }
            }
        }
    }
    problems
}

fn rows(db: &Connection, practice: &str) -> rusqlite::Result<Vec<Row>> {
    let mut read = db.prepare_cached("SELECT actor, action, record FROM audit WHERE practice_id = ?1 ORDER BY seq")?;
    read.query_map([practice], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
}
