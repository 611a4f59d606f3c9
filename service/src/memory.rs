//! What an instance remembers between requests. It may only deny or speed up: the next instance knows nothing of it.

mod addresses;
mod failure_budget;
mod forwards;
mod keys;
mod permits;
mod places;
mod providers;
mod unknown_devices;

pub(crate) use addresses::{Addresses, Status};
pub(crate) use failure_budget::FailureRules;
pub(crate) use forwards::Forwards;
pub(crate) use keys::{Keys, KnownKey, KnownSender};
pub(crate) use permits::Permits;
pub(crate) use places::Places;
pub(crate) use providers::{KnownProvider, Providers, Published};
pub(crate) use unknown_devices::UnknownDevices;

use overturn_core::base::{cell, instant::Instant};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// A state, and when it was found out.
pub(crate) type Recent = Cell<Option<(Instant, bool)>>;

/// All of it.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) addresses: Addresses,
    /// When the next password hash may start.
    pub(crate) next_hash: Cell<Option<Instant>>,
    pub(crate) keys: Keys,
    pub(crate) forwards: Forwards,
    pub(crate) places: Places,
    pub(crate) unknown_devices: UnknownDevices,
    pub(crate) providers: Providers,
    /// The cells whose databases have said that they are theirs.
    pub(crate) own_cells: RefCell<BTreeSet<cell::Cell>>,
    /// Whether the identity checks answer.
    pub(crate) identity: Recent,
    /// Whether clamd answers.
    pub(crate) scanner: Recent,
    /// Whether the answers of clamd count.
    pub(crate) scanner_counts: Recent,
}
