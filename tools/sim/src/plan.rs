//! What a seed switches on, and how large its world is. A failing plan can be made smaller, and still runs the same seed.

use crate::dice::Dice;
use crate::faults::{Fault, Rates};
use overturn_core::base::instant::Instant;

/// One of so many seeds has no faults, and is large: constant faults would keep every database small.
const CALM: u64 = 20;

/// The plan of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    pub rates: Rates,
    /// No fault strikes, and more is sent.
    pub is_calm: bool,
    pub practices: usize,
    /// Databases, in which the practices live in turn.
    pub cells: usize,
    /// How many batches may be on their way to all of them at once. The others wait.
    pub connections: Option<usize>,
    /// The cell of the first practice.
    pub first_cell: usize,
    /// How many practices the operator moves between the cells: the first ones.
    pub moving: usize,
    pub isolates: usize,
    /// Senders of each practice.
    pub senders: usize,
    /// How often each client acts.
    pub steps: u64,
    /// Most claims of a send.
    pub batch: u64,
    /// How many claim numbers the senders of a practice share.
    pub hot: u64,
    /// Most seconds between two acts of a client.
    pub pause: u64,
    /// How far the clock of an isolate may be off, in milliseconds.
    pub skew_ms: u64,
    pub readers: bool,
    pub followers: bool,
    /// Owners rotate keys.
    pub rotates: bool,
    /// Owners end the agreement and sign it again.
    pub ends_agreement: bool,
    /// Staff take claims and move them.
    pub staff: bool,
    /// Staff report claims, open cases, file, and record decisions and amounts.
    pub appeals: bool,
    /// Staff ask for signatures, and patients sign.
    pub signing: bool,
    /// Members sign in and out, and owners end their sessions.
    pub sessions: bool,
    /// The operator replaces the key of the service.
    pub replaces_key: bool,
    /// Staff sign in and out, and work for all practices.
    pub visits: bool,
    /// The operator removes one of them.
    pub removes_staff: bool,
    /// How many patients a member of staff may open until the second factor is shown again.
    pub patients: Option<u64>,
    /// Several practices invite the same people.
    pub joins: bool,
    /// Members forget their passwords, and use mailed links.
    pub forgets: bool,
    /// Somebody guesses passwords.
    pub guesses: bool,
    /// A practice leaves: it takes all data and has it destroyed.
    pub leaves: bool,
    /// Weeks pass in the end.
    pub weeks: bool,
    /// They are more than a year.
    pub years: bool,
    /// Credentials are tried in other cells.
    pub strangers: bool,
    pub webhooks: bool,
    /// Members upload documents and delete them.
    pub documents: bool,
    /// A scanner looks at documents.
    pub scans: bool,
    /// Owners make and revoke tokens, with which integrations work.
    pub tokens: bool,
    /// Developers try the sandboxes of their practices.
    pub tries: bool,
    /// How many resends of a claim, and of a practice, a day may be for another patient or claim.
    pub mismatches: Option<(u64, u64)>,
    /// How many sends of a key a minute takes; all if there is no number.
    pub sends_a_minute: Option<u64>,
    /// When the world begins that is recorded for another host. Then one call goes on at a time.
    pub recorded: Option<Instant>,
}

impl Plan {
    /// The plan of a seed.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        let dice = &Dice::new(seed, "plan");
        let is_calm = dice.below(CALM) == 0;
        let drawn = Rates::drawn(dice);
        // Few clients meet in some worlds, and most in others.
        let density = *dice.pick(&[1_500, 3_000, 5_000]);
        let on = || dice.chance(density);
        let number = |drawn: u64| usize::try_from(drawn).unwrap_or(1);
        let cells = number(*dice.pick(&[1, 1, 2, 3]));
        let practices = number(*dice.pick(if cells > 1 { &[1, 2, 2, 3] } else { &[1, 1, 1, 2] }));
        Self {
            rates: if is_calm { Rates::default() } else { drawn },
            is_calm,
            practices,
            cells,
            connections: None,
            first_cell: number(dice.below(cells as u64)),
            moving: if cells > 1 { *dice.pick(&[0, 1, practices]) } else { 0 },
            isolates: number(dice.between(1, 3)),
            senders: number(*dice.pick(&[1, 1, 2, 2, 3])),
            // Most days are short, so that many differ. What takes staff several steps is found on long ones.
            steps: if is_calm { 6 } else { *dice.pick(&[1, 1, 1, 1, 2, 2, 3, 9]) },
            batch: if is_calm { 60 } else { *dice.pick(&[1, 4, 12]) },
            hot: *dice.pick(&[1, 3, 8]),
            pause: *dice.pick(&[0, 1, 8]),
            skew_ms: if is_calm { 0 } else { *dice.pick(&[0, 0, 500, 8_000]) },
            readers: on(),
            followers: on(),
            rotates: on(),
            ends_agreement: dice.chance(3_000),
            staff: on(),
            webhooks: on(),
            documents: dice.chance(3_000),
            sends_a_minute: *dice.pick(&[None, Some(60), Some(60), Some(10)]),
            appeals: on(),
            signing: on(),
            sessions: dice.chance(2_500),
            replaces_key: dice.chance(2_500),
            scans: on(),
            mismatches: *dice.pick(&[None, None, None, Some((3, 200)), Some((20, 6))]),
            tokens: dice.chance(2_500),
            visits: dice.chance(if cells > 1 { 6_000 } else { 2_500 }),
            removes_staff: dice.chance(1_500),
            patients: *dice.pick(&[None, Some(2), Some(5)]),
            joins: dice.chance(if cells > 1 { 4_000 } else { 1_500 }),
            strangers: dice.chance(3_000),
            forgets: dice.chance(2_500),
            guesses: dice.chance(2_500),
            weeks: dice.chance(1_500),
            years: dice.chance(3_000),
            leaves: dice.chance(2_000),
            tries: dice.chance(if cells > 1 { 4_000 } else { 1_500 }),
            recorded: None,
        }
    }

    /// The plan of a seed whose calls another host can be asked. Left out is what it cannot do as quickly as virtual time
    /// passes, or not at all: faults, limits of a minute, clocks that differ, the replacement of the service's key, which
    /// restarts it, a scanner, weeks that pass, several databases and strangers from their cells, sandboxes, mailed links, with
    /// which people join or choose a new password, and staff who sign in, whose limit of patients counts from then on. Chance
    /// orders the claims of a send in lists, so of each three seeds one has large sends and the others have clients that read
    /// lists.
    #[must_use]
    pub fn recorded(seed: u64, begins: Instant) -> Self {
        let (drawn, lists) = (Self::of(seed), !seed.is_multiple_of(3));
        Self {
            batch: if lists { 1 } else { drawn.batch.max(4) },
            followers: drawn.followers && lists,
            staff: drawn.staff && lists,
            appeals: drawn.appeals && lists,
            signing: drawn.signing && lists,
            sessions: drawn.sessions && lists,
            tokens: drawn.tokens && lists,
            rates: Rates::default(),
            is_calm: true,
            cells: 1,
            first_cell: 0,
            moving: 0,
            skew_ms: 0,
            sends_a_minute: None,
            replaces_key: false,
            scans: false,
            visits: false,
            patients: None,
            joins: false,
            forgets: false,
            guesses: false,
            leaves: false,
            tries: false,
            weeks: false,
            strangers: false,
            recorded: Some(begins),
            ..drawn
        }
    }

    /// True if staff may read lists of what was sent: not in a recorded world with sends of several claims.
    pub(crate) fn ends_with_lists(&self) -> bool {
        self.recorded.is_none() || self.batch == 1
    }

    /// True if passwords are guessed: nobody else opens or closes one meanwhile.
    pub(crate) fn has_guesses(&self) -> bool {
        self.guesses && !self.sessions && !self.forgets && !self.joins && !self.visits
    }

    /// The cell of a practice.
    pub(crate) fn cell_of(&self, practice: usize) -> u16 {
        u16::try_from((self.first_cell + practice) % self.cells).unwrap_or(0)
    }

    /// The practice that leaves. The operator's commands of the setup know only the first key of the service.
    pub(crate) fn leaving(&self) -> Option<usize> {
        (self.leaves && !self.replaces_key).then(|| self.practices - 1)
    }

    /// Smaller plans, each with one thing less.
    #[must_use]
    pub fn smaller(&self) -> Vec<(String, Self)> {
        let mut all = Vec::new();
        for fault in self.rates.kinds().collect::<Vec<Fault>>() {
            all.push((format!("without {}", fault.name()), Self { rates: self.rates.without(fault), ..self.clone() }));
        }
        let mut with = |what: &str, change: &dyn Fn(&mut Self)| {
            let mut plan = self.clone();
            change(&mut plan);
            if plan != *self {
                all.push((what.to_owned(), plan));
            }
        };
        with("no readers", &|plan| plan.readers = false);
        with("no followers", &|plan| plan.followers = false);
        with("no rotation", &|plan| plan.rotates = false);
        with("no end of the agreement", &|plan| plan.ends_agreement = false);
        with("no staff", &|plan| plan.staff = false);
        with("no appeals", &|plan| plan.appeals = false);
        with("no signing", &|plan| plan.signing = false);
        with("no sign-ins", &|plan| plan.sessions = false);
        with("no visits", &|plan| plan.visits = false);
        with("nobody of the staff removed", &|plan| plan.removes_staff = false);
        with("no limit of patients", &|plan| plan.patients = None);
        with("nobody who joins", &|plan| plan.joins = false);
        with("no mailed links", &|plan| plan.forgets = false);
        with("nobody who leaves", &|plan| plan.leaves = false);
        with("no sandboxes", &|plan| plan.tries = false);
        with("no weeks", &|plan| plan.weeks = false);
        with("no year", &|plan| plan.years = false);
        with("no guesses", &|plan| plan.guesses = false);
        with("no strangers", &|plan| plan.strangers = false);
        with("no tokens", &|plan| plan.tokens = false);
        with("no new key", &|plan| plan.replaces_key = false);
        with("no scanner", &|plan| plan.scans = false);
        with("no bound of mismatches", &|plan| plan.mismatches = None);
        with("no webhooks", &|plan| plan.webhooks = false);
        with("no documents", &|plan| plan.documents = false);
        with("no limits", &|plan| plan.sends_a_minute = None);
        with("clocks that agree", &|plan| plan.skew_ms = 0);
        with("nobody who moves", &|plan| plan.moving = 0);
        with("one who moves less", &|plan| plan.moving = plan.moving.saturating_sub(1));
        with("one practice", &|plan| (plan.practices, plan.moving) = (1, plan.moving.min(1)));
        with("a practice less", &|plan| {
            plan.practices = (plan.practices - 1).max(1);
            plan.moving = plan.moving.min(plan.practices);
        });
        with("one cell", &|plan| (plan.cells, plan.first_cell, plan.moving) = (1, 0, 0));
        with("a cell less", &|plan| {
            plan.cells = (plan.cells - 1).max(1);
            plan.first_cell %= plan.cells;
            plan.moving = if plan.cells > 1 { plan.moving } else { 0 };
        });
        with("one isolate", &|plan| plan.isolates = 1);
        with("one sender", &|plan| plan.senders = 1);
        with("single claims", &|plan| plan.batch = 1);
        with("one number", &|plan| plan.hot = 1);
        with("half of the steps", &|plan| plan.steps = (plan.steps / 2).max(1));
        with("one step less", &|plan| plan.steps = (plan.steps - 1).max(1));
        all
    }
}
