//! What of a member goes on working without them: the API keys that they made.

use crate::base::email::EmailAddress;
use crate::plan::change::{After, Change, Letter, LetterKind};
use alloc::string::String;
use alloc::vec::Vec;
use serde::Deserialize;

/// What a member leaves behind, and who is to know.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct Legacy {
    /// How many keys that the member made are in force.
    pub keys: u32,
    /// The addresses of the practice's owners beside the member.
    pub owners: Vec<String>,
}

impl Legacy {
    /// The change with a letter to each owner, where keys go on working whose maker is removed or may make none any more.
    pub(super) fn tell(self, change: Change, removed: bool) -> Change {
        if self.keys == 0 {
            return change;
        }
        let owners = self
            .owners
            .iter()
            .filter_map(|owner| EmailAddress::parse(owner));
        owners.fold(change, |change, to| {
            let keys = self.keys;
            let says = LetterKind::KeysRemain { keys, removed };
            change.after(After::Mail(Letter { to, says }))
        })
    }
}
