//! The addresses that several practices invite, and the accounts that people were told to have with them.

/// An attempt to join a practice by an invitation.
pub(crate) struct Join {
    pub(crate) address: String,
    pub(crate) practice: usize,
    /// The account's id.
    pub(crate) member: String,
    pub(crate) began: u64,
    /// When it was answered.
    pub(crate) ended: Option<u64>,
    /// Whether it is done, if an answer says so.
    pub(crate) done: Option<bool>,
    /// When the account's removal was first asked for.
    pub(crate) leaving: Option<u64>,
}

/// All attempts.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) joins: Vec<Join>,
}

impl Names {
    fn others<'n>(&'n self, join: &'n Join) -> impl Iterator<Item = &'n Join> {
        let is_other = |other: &&Join| other.address == join.address && other.member != join.member;
        self.joins.iter().filter(is_other)
    }

    /// True if another attempt at the address of a new one is under way.
    pub(crate) fn is_contested(&self, new: &Join) -> bool {
        self.others(new).any(|other| other.practice != new.practice && other.ended.is_none())
    }

    /// True if the address of an attempt surely had another account all the while.
    fn has_account(&self, join: &Join) -> bool {
        self.others(join).any(|other| other.done == Some(true) && other.leaving.is_none_or(|at| Some(at) > join.ended))
    }

    /// What is wrong with the answer to an attempt.
    pub(crate) fn problem(&self, join: &Join) -> Option<String> {
        let Join { address, practice, done, ended, .. } = join;
        if *done == Some(true) && self.has_account(join) {
            return Some(format!("{address} joins practice {practice} and has another account"));
        }
        let may_be_taken = self.others(join).any(|other| Some(other.began) < *ended);
        (*done == Some(false) && !may_be_taken)
            .then(|| format!("{address} is refused, and nobody else tried to have it"))
    }

    /// Records that the removal of an account is asked for.
    pub(crate) fn leaves(&mut self, member: &str, asked: u64) {
        self.joins.iter_mut().filter(|join| join.member == member).for_each(|join| join.leaving = Some(asked));
    }

    /// The practice of the account that an address surely has.
    pub(crate) fn account(&self, address: &str) -> Option<&Join> {
        self.joins.iter().find(|join| join.address == address && join.done == Some(true) && join.leaving.is_none())
    }
}
