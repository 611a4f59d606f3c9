//! What goes wrong, how often, and how often it did.

use crate::dice::Dice;
use crate::trace::Trace;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

macro_rules! faults {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// A kind of fault.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Fault {
            $($name,)*
        }

        impl Fault {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Its name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

faults! {
    BatchLostBefore = "a batch lost before its commit",
    BatchLostAfter = "a batch committed, its answer lost",
    BatchOverloaded = "a batch refused as overloaded",
    BatchSlow = "a batch slower than the service waits",
    BatchLate = "a batch that runs after its answer was lost",
    CellSlow = "a cell that is slow for a while",
    CellRefuses = "a cell that refuses for a while",
    CellSilent = "a cell that does not answer for a while",
    RequestLost = "a request lost on its way",
    AnswerLost = "an answer lost on its way",
    BodyCut = "a body cut off",
    CacheStale = "a stale cache",
    CacheLost = "a cache that lost a text",
    CacheAway = "a cache that does not answer",
    LimiterReset = "a limiter reset",
    LimiterAway = "a limiter that does not answer",
    MessageTwice = "a queue message twice",
    MessageLate = "a queue message late",
    MessageLost = "a queue message lost",
    IsolateEnds = "an isolate ended",
    RequestEnds = "a request ended by the platform",
    BucketFails = "a bucket that fails on a step",
    MailRefused = "mail refused",
    ReceiverFails = "a webhook receiver that fails",
    ScannerAway = "a scanner that is away",
    ScannerSlow = "a scanner slower than the service waits",
    ScannerFails = "a scanner that says nothing of use",
}

/// The most faults of ten thousand chances, by how often a chance comes.
const MOST: u64 = 400;
/// A fault that many steps have a chance of, or that lasts.
const MOST_OF_ENDS: u64 = 60;

/// How often each kind strikes, of ten thousand chances.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rates(BTreeMap<Fault, u64>);

impl Rates {
    /// Some kinds, each at a rate of its own.
    pub(crate) fn drawn(dice: &Dice) -> Self {
        let mut rates = BTreeMap::new();
        for fault in Fault::ALL {
            let most = match fault {
                Fault::IsolateEnds | Fault::RequestEnds | Fault::CellSlow | Fault::CellRefuses | Fault::CellSilent => {
                    MOST_OF_ENDS
                }
                // Few documents are scanned.
                Fault::ScannerAway | Fault::ScannerSlow | Fault::ScannerFails => 10 * MOST,
                _ => MOST,
            };
            // Both are drawn in each case, so that the kinds do not depend on each other.
            let (strikes, rate) = (dice.chance(4_000), 1 + dice.below(most));
            if strikes {
                rates.insert(*fault, rate);
            }
        }
        Self(rates)
    }

    /// The kinds that may strike.
    pub fn kinds(&self) -> impl Iterator<Item = Fault> + '_ {
        self.0.keys().copied()
    }

    /// The same without a kind.
    #[must_use]
    pub fn without(&self, fault: Fault) -> Self {
        let mut rates = self.clone();
        rates.0.remove(&fault);
        rates
    }
}

/// Decides when a fault strikes.
pub struct Faults {
    rates: RefCell<Rates>,
    dice: BTreeMap<Fault, Dice>,
    struck: RefCell<BTreeMap<&'static str, u64>>,
    trace: Rc<Trace>,
}

impl Faults {
    pub(crate) fn new(seed: u64, rates: Rates, trace: Rc<Trace>) -> Self {
        let dice = Fault::ALL.iter().map(|fault| (*fault, Dice::new(seed, fault.name())));
        Self { dice: dice.collect(), rates: RefCell::new(rates), struck: RefCell::default(), trace }
    }

    /// True if a fault strikes now.
    pub(crate) fn strike(&self, fault: Fault) -> bool {
        let rate = self.rates.borrow().0.get(&fault).copied().unwrap_or(0);
        if rate == 0 || !self.dice[&fault].chance(rate) {
            return false;
        }
        self.trace.tell(|| format!("FAULT {}", fault.name()));
        *self.struck.borrow_mut().entry(fault.name()).or_default() += 1;
        true
    }

    /// True until the faults end.
    pub(crate) fn may_strike(&self, fault: Fault) -> bool {
        self.rates.borrow().0.contains_key(&fault)
    }

    /// Lets none strike any more.
    pub(crate) fn calm(&self) {
        *self.rates.borrow_mut() = Rates::default();
    }

    /// How often each kind struck.
    pub(crate) fn struck(&self) -> BTreeMap<&'static str, u64> {
        self.struck.borrow().clone()
    }
}
