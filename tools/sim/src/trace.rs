//! The story of a run in words, if somebody wants to read it, with a hash that tells two runs apart.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// What a run did.
pub(crate) struct Trace {
    hash: Cell<u64>,
    count: Cell<u64>,
    /// The virtual time in microseconds, as the scheduler sets it.
    now: Cell<u64>,
    lines: Option<RefCell<Vec<String>>>,
    seen: RefCell<BTreeMap<&'static str, u64>>,
    problems: RefCell<Vec<String>>,
}

impl Trace {
    /// A trace that keeps its lines, or only their hash.
    pub(crate) fn new(keeps: bool) -> Self {
        Self {
            hash: Cell::new(0xcbf2_9ce4_8422_2325),
            count: Cell::new(0),
            now: Cell::new(0),
            lines: keeps.then(RefCell::default),
            seen: RefCell::default(),
            problems: RefCell::default(),
        }
    }

    pub(crate) fn at(&self, now: u64) {
        self.now.set(now);
    }

    /// Tells what happened.
    pub(crate) fn tell(&self, what: impl FnOnce() -> String) {
        self.count.set(self.count.get() + 1);
        let Some(lines) = &self.lines else {
            return;
        };
        let now = self.now.get();
        let line = format!("{:>6}.{:06} {}", now / 1_000_000, now % 1_000_000, what());
        let hash = line
            .bytes()
            .fold(self.hash.get(), |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        self.hash.set(hash);
        lines.borrow_mut().push(line);
    }

    /// Records that something does not hold.
    pub(crate) fn wrong(&self, what: String) {
        self.tell(|| format!("WRONG {what}"));
        self.problems.borrow_mut().push(what);
    }

    /// What did not hold.
    pub(crate) fn problems(&self) -> Vec<String> {
        self.problems.borrow().clone()
    }

    /// Counts a state that a good simulation reaches sometimes ([`crate::states`]).
    pub(crate) fn sometimes(&self, state: &'static str) {
        *self.seen.borrow_mut().entry(state).or_default() += 1;
    }

    /// The hash of all lines, if they are kept.
    pub(crate) fn hash(&self) -> u64 {
        self.hash.get()
    }

    /// How many lines there are.
    pub(crate) fn count(&self) -> u64 {
        self.count.get()
    }

    /// How often each state was reached.
    pub(crate) fn seen(&self) -> BTreeMap<&'static str, u64> {
        let seen = self.seen.borrow().clone();
        let strange = seen.keys().find(|state| !crate::states::ALL.contains(state));
        assert_eq!(strange, None, "it has no line in states.rs");
        seen
    }

    /// The lines, if they are kept.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.as_ref().map(|lines| lines.borrow().clone()).unwrap_or_default()
    }
}
