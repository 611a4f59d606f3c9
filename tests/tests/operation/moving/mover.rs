//! The operator, whose calls break off.

use overturn_tests::prelude::*;
use std::collections::BTreeMap;

/// How often a move breaks off at most.
const BROKEN_OFF: usize = 8;
/// The first batch of a call behind which the move is given back at once.
pub(super) const FIRST: usize = 7;

/// About how many batches a step has.
fn batches(step: &str) -> usize {
    match step {
        "follow" => 34,
        "switched" => 12,
        _ => 190,
    }
}

/// What a batch that breaks off says. Nothing repeats it.
pub(super) const BROKEN: &str = "database disk image is malformed";

/// The operator, and in which steps moves of a practice broke off: how often, and how often for good.
pub(super) struct Mover<'s> {
    server: &'s Server,
    operator: Client,
    practice: String,
    pub(super) broken_off: BTreeMap<String, [usize; 2]>,
}

impl<'s> Mover<'s> {
    pub(super) fn of(tenant: &Tenant<'s>) -> Self {
        let (operator, practice) = (super::operator(tenant.server), tenant.id.to_string());
        Self { server: tenant.server, operator, practice, broken_off: BTreeMap::new() }
    }

    /// Moves the practice, and waits until it is there. Before, the move breaks off at other batches each time: before one runs, or
    /// after it; in each step first in one half and then in the other. Sometimes whoever carries it on is gone from that batch on,
    /// and everybody goes on before the move does.
    pub(super) fn moved(&mut self, (n, to): (usize, usize), goes_on: impl Fn()) {
        let path = format!("/operations/moves?practice={}&to={to}", self.practice);
        let (mut step, mut half) = ("copy".to_owned(), n % 2);
        for crash in n * BROKEN_OFF..(n + 1) * BROKEN_OFF {
            let part = batches(&step) / 2;
            let at = FIRST + crash * 61 % part + half * part;
            let is_gone = (crash + n) % 4 == 0;
            let fault = match (is_gone, crash % 3) {
                (true, _) => json!({ format!("{at}+"): { "fails": BROKEN } }),
                (false, 0) => json!({ at.to_string(): { "fails": BROKEN } }),
                (false, _) => json!({ at.to_string(): { "loses": BROKEN } }),
            };
            self.operator.faulty(&fault).post(&path, "");
            let newest = self.newest();
            let is = newest["step"].as_str().unwrap().to_owned();
            if is == "done" {
                break;
            }
            half = if is == step { half + 1 } else { 0 };
            self.broken_off.entry(is.clone()).or_default()[usize::from(is_gone)] += 1;
            step = is;
            if is_gone {
                goes_on();
                self.let_the_lease_end();
            }
        }
        wait::until("the move", || {
            self.operator.post(&path, "").expect(200);
            let newest = self.newest();
            newest["step"] == "done" && newest["target"] == to
        });
    }

    fn newest(&self) -> Value {
        self.operator.get("/operations/moves").json["moves"][0].clone()
    }

    /// As half a minute does.
    fn let_the_lease_end(&self) {
        self.server.database().change_directory(
            "UPDATE moves SET lease_ends = 0 WHERE practice = ?1 AND ended_at IS NULL",
            &[&self.practice],
        );
    }
}
