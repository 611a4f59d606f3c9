//! The API keys that a member made, which keep working without the member.

use crate::base::email::EmailAddress;
use crate::plan::change::{After, Change, LetterKind, PlannedLetter};
use alloc::string::String;
use alloc::vec::Vec;
use serde::Deserialize;

/// The keys of a member, and the owners to notify.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct KeysLeft {
    /// How many keys of the member are in force.
    pub keys: u32,
    /// The addresses of the practice's other owners.
    pub owners: Vec<String>,
}

impl KeysLeft {
    /// The change with an email to each owner, if keys keep working although their maker was removed or may no longer
    /// make any.
    pub(super) fn tell(self, change: Change, removed: bool) -> Change {
        if self.keys == 0 {
            return change;
        }
        let owners = self.owners.iter().filter_map(|owner| EmailAddress::parse(owner));
        owners.fold(change, |change, to| {
            let keys = self.keys;
            let says = LetterKind::KeysRemain { keys, removed };
            change.after(After::Mail(PlannedLetter { to, says }))
        })
    }
}
