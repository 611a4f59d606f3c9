//! Signatures and notes: what was answered is stored, once, and nothing is stored that nobody asked for.

use crate::world::World;
use overturn_service::request::secret::SigningToken;
use rusqlite::Connection;
use std::collections::BTreeMap;

pub(crate) fn check(world: &World) -> Vec<String> {
    let mut problems = super::broken(world, &RULES);
    let uses: BTreeMap<_, _> = super::collect(world, uses);
    let model = world.model.borrow();
    for link in model.signing.links.iter().filter(|link| !model.left.contains(&link.practice)) {
        let hash = link.token.parse::<SigningToken>().map(|token| token.hash()).unwrap_or_default();
        let Some((claim, is_used)) = uses.get(&hash) else {
            problems.push(format!("a link of claim {} was shown and is not stored", link.claim));
            continue;
        };
        if *claim != link.claim {
            problems.push(format!("a link of claim {claim} was shown for claim {}", link.claim));
        }
        if link.signed.is_some() != *is_used && (link.signed.is_some() || link.asked.is_none()) {
            problems.push(format!("a signature of claim {claim} is used: {is_used}, answered: {:?}", link.signed));
        }
    }
    let notes: BTreeMap<_, _> = super::collect(world, notes);
    let has_left = |claim: &str| model.practice_of(claim).is_some_and(|practice| model.left.contains(&practice));
    for (claim, (asked, told)) in model.work.notes.iter().filter(|(claim, _)| !has_left(claim)) {
        let stored = notes.get(claim).copied().unwrap_or(0);
        if stored < *told || stored > *asked {
            problems.push(format!("claim {claim} has {stored} notes; {asked} were asked for, {told} answered"));
        }
    }
    problems
}

const RULES: [(&str, &str); 5] = [
    (
        "a claim is signed if it has a signature, and has at most one",
        "SELECT count(*) FROM claims c WHERE (c.signing_status = 'signed') IS NOT (
           SELECT count(*) = 1 FROM signatures s WHERE s.practice_id = c.practice_id AND s.claim_id = c.id)",
    ),
    (
        "a link is used if a signature was given by it",
        "SELECT count(*) FROM signing_links l WHERE (l.used_at IS NOT NULL) IS NOT (
           SELECT count(*) = 1 FROM signatures s WHERE s.practice_id = l.practice_id AND s.link_id = l.id)",
    ),
    (
        "a signature is in the trail once",
        "SELECT count(*) FROM signatures s WHERE 1 IS NOT (SELECT count(*) FROM audit a
           WHERE a.practice_id = s.practice_id AND a.action = 'signing.signed' AND a.detail ->> '$.signature_id' = s.id)",
    ),
    (
        "a claim has the signing status that its history ends with",
        "SELECT count(*) FROM claims c WHERE c.signing_status <> (SELECT e.detail ->> '$.signing' FROM claim_events e
           WHERE e.practice_id = c.practice_id AND e.claim_id = c.id AND e.detail ->> '$.signing' IS NOT NULL
           ORDER BY e.version DESC LIMIT 1)",
    ),
    (
        "a claim has at most one link that can be used",
        "SELECT count(*) FROM (SELECT 1 FROM signing_links WHERE revoked_at IS NULL AND used_at IS NULL
           GROUP BY practice_id, claim_id HAVING count(*) > 1)",
    ),
];

/// The claim of each link, and whether it was used, by its hash.
fn uses(db: &Connection) -> rusqlite::Result<BTreeMap<String, (String, bool)>> {
    let mut read = db.prepare_cached("SELECT hash, claim_id, used_at IS NOT NULL FROM signing_links")?;
    read.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?.collect()
}

fn notes(db: &Connection) -> rusqlite::Result<BTreeMap<String, i64>> {
    let mut read = db.prepare_cached("SELECT claim_id, count(*) FROM claim_notes GROUP BY claim_id")?;
    read.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}
