//! What callers asked for and what they were told, as the interface knows it. It knows nothing of the service's rows.

mod access;
mod claims;
mod limits;
mod moves;
mod names;
mod passwords;
mod patients;
mod sandbox;
mod sessions;
mod signing;
mod work;

pub(crate) use access::{Access, AgreementLife, KeyLife};
pub(crate) use claims::{Identity, Input, Op, Output, State, apply};
pub(crate) use limits::{Counted, Limits};
pub(crate) use moves::Moves;
pub(crate) use names::{Join, Names};
pub(crate) use passwords::{Choice, Mailed, Passwords};
pub(crate) use patients::{Opening, Patients};
pub(crate) use sandbox::{SCRIPTS, Sandbox};
pub(crate) use sessions::{Ending, SessionLife, Sessions};
pub(crate) use signing::{Signing, TRIES};
pub(crate) use work::{Made, Work};

use crate::trace::Trace;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A document whose upload was answered.
pub(crate) struct Document {
    pub(crate) practice: usize,
    pub(crate) id: String,
    pub(crate) bytes: Vec<u8>,
    /// True from the moment at which its deletion was asked for.
    pub(crate) may_be_gone: bool,
    /// True once its deletion was answered.
    pub(crate) is_gone: bool,
    /// True if the scanner finds something in it.
    pub(crate) is_infected: bool,
}

/// The story of all practices.
pub(crate) struct Model {
    pub(crate) ops: Vec<Op>,
    pub(crate) access: Access,
    pub(crate) documents: Vec<Document>,
    pub(crate) work: Work,
    pub(crate) signing: Signing,
    pub(crate) sessions: Sessions,
    pub(crate) limits: Limits,
    pub(crate) names: Names,
    pub(crate) passwords: Passwords,
    pub(crate) patients: Patients,
    pub(crate) moves: Moves,
    pub(crate) sandboxes: Vec<Sandbox>,
    /// The places of the calls about each number of a practice.
    by_number: BTreeMap<(usize, String), Vec<usize>>,
    /// The practices whose data is destroyed from now on.
    pub(crate) left: BTreeSet<usize>,
    /// True while the leaver may have asked for a destruction, which was not canceled.
    pub(crate) may_leave: bool,
    /// The practice of each claim id that was answered.
    ids: BTreeMap<String, usize>,
    trace: Rc<Trace>,
}

impl Model {
    pub(crate) fn new(trace: Rc<Trace>) -> Self {
        Self {
            ops: Vec::new(),
            access: Access::default(),
            documents: Vec::new(),
            work: Work::default(),
            signing: Signing::default(),
            sessions: Sessions::default(),
            limits: Limits::default(),
            names: Names::default(),
            passwords: Passwords::default(),
            patients: Patients::default(),
            moves: Moves::default(),
            sandboxes: Vec::new(),
            by_number: BTreeMap::new(),
            left: BTreeSet::new(),
            may_leave: false,
            ids: BTreeMap::new(),
            trace,
        }
    }

    /// Records what was asked about a claim number.
    pub(crate) fn record(&mut self, op: Op) {
        use crate::states::{EXISTS_AFTER_LOST, RACE, RACE_LOST};
        let sends = |other: &&Op| matches!(other.input, Input::Send(_));
        let places = self.by_number.entry((op.practice, op.number.clone())).or_default();
        let before: Vec<_> = places.iter().map(|place| &self.ops[*place]).filter(sends).collect();
        places.push(self.ops.len());
        if matches!(op.input, Input::Send(_)) {
            let at_once = |other: &&Op| other.ended.is_none_or(|ended| ended > op.began);
            let raced = before.iter().any(at_once);
            let was_lost = |other: &Op| matches!(other.output, Output::Unknown);
            if raced {
                self.trace.sometimes(RACE);
                if !matches!(op.output, Output::Created(_) | Output::Unknown) {
                    self.trace.sometimes(RACE_LOST);
                }
            }
            let created = |other: &Op| matches!(other.output, Output::Created(_));
            if matches!(op.output, Output::Exists { .. })
                && before.iter().any(|other| was_lost(other))
                && !before.iter().any(|other| created(other))
            {
                self.trace.sometimes(EXISTS_AFTER_LOST);
            }
        }
        self.ops.push(op);
    }

    /// Records that a claim id was told to a practice. Returns the practice that has it, if it is another one.
    pub(crate) fn told(&mut self, id: &str, practice: usize) -> Option<usize> {
        let known = *self.ids.entry(id.to_owned()).or_insert(practice);
        (known != practice).then_some(known)
    }

    /// The practice of a claim that an answer named.
    pub(crate) fn practice_of(&self, claim: &str) -> Option<usize> {
        self.ids.get(claim).copied()
    }

    /// Records that the data of a practice is destroyed from now on.
    pub(crate) fn leave(&mut self, practice: usize) {
        self.left.insert(practice);
        self.documents.iter_mut().filter(|of| of.practice == practice).for_each(|of| of.may_be_gone = true);
    }

    /// The claims of a practice that were surely there before a moment.
    pub(crate) fn claims_before(&self, practice: usize, moment: u64) -> BTreeSet<&str> {
        let before =
            self.ops.iter().filter(|op| op.practice == practice && op.ended.is_some_and(|ended| ended < moment));
        let told = before.filter_map(|op| match &op.output {
            Output::Created(id) | Output::Exists { id, .. } | Output::Found { id, .. } => Some(id.as_str()),
            _ => None,
        });
        told.collect()
    }

    /// The claim numbers of all practices, each with its practice.
    pub(crate) fn numbers(&self) -> Vec<(usize, String)> {
        self.by_number.keys().cloned().collect()
    }
}
