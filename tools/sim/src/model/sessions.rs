//! The lives of sessions that people began by signing in, as they were told.

/// When something was asked for, and when it was answered.
type Asked = (u64, Option<u64>);

/// A session.
pub(crate) struct SessionLife {
    /// Whose it is: the guest of a practice, or the visitor behind them.
    pub(crate) guest: usize,
    pub(crate) cookie: String,
    pub(crate) csrf: String,
    /// When the second factor was sent, and when the session was given.
    pub(crate) began: (u64, u64),
    /// The sign-out.
    pub(crate) left: Option<Asked>,
}

/// The end of all sessions of the guest of a practice.
pub(crate) struct Ending {
    pub(crate) practice: usize,
    pub(crate) asked: u64,
    pub(crate) told: Option<u64>,
    /// True if the guest was removed.
    pub(crate) removes: bool,
}

/// All sessions and their ends.
#[derive(Default)]
pub(crate) struct Sessions {
    pub(crate) lives: Vec<SessionLife>,
    pub(crate) endings: Vec<Ending>,
}

impl Sessions {
    fn endings(&self, practice: usize) -> impl Iterator<Item = &Ending> {
        self.endings.iter().filter(move |ending| ending.practice == practice)
    }

    /// True if a session had surely ended when a call began.
    pub(crate) fn has_ended(&self, session: usize, began: u64) -> bool {
        let life = &self.lives[session];
        let has_left = life.left.and_then(|(_, told)| told).is_some_and(|told| told < began);
        let is_before = |ending: &Ending| ending.asked > life.began.1 && ending.told.is_some_and(|told| told < began);
        has_left || self.endings(life.guest).any(is_before)
    }

    /// True if a session may have ended before a moment.
    pub(crate) fn may_have_ended(&self, session: usize, ended: u64) -> bool {
        let life = &self.lives[session];
        let may_end = |ending: &Ending| ending.asked < ended && ending.told.is_none_or(|told| told > life.began.0);
        life.left.is_some_and(|(asked, _)| asked < ended) || self.endings(life.guest).any(may_end)
    }

    /// True if the rights of the guest of a practice may have changed during a call, or the guest may have been removed.
    pub(crate) fn may_have_changed(&self, practice: usize, (began, ended): (u64, u64)) -> bool {
        let may_be_late = |ending: &Ending| ending.removes || ending.told.is_none_or(|told| told > began);
        self.endings(practice).any(|ending| ending.asked < ended && may_be_late(ending))
    }

    /// True if the guest of a practice was surely removed when a call began.
    pub(crate) fn is_removed(&self, practice: usize, began: u64) -> bool {
        self.endings(practice).any(|ending| ending.removes && ending.told.is_some_and(|told| told < began))
    }
}
