//! Sending emails to owners: the scheduled job leases an email, sends it, and removes it.

use crate::base::id::{NoticeId, PracticeId};
use crate::base::instant::Instant;
use crate::base::time::Time;
use crate::plan::notice::{NoticeKind, NoticeLease};
use crate::plan::{Guard, SettingsGuard, SettingsWrite, Write};
use alloc::string::String;
use alloc::vec::Vec;
use serde::Deserialize;

/// The shortest time until an email is tried again, in milliseconds. It grows with the email's age.
const LEASE_MS: i64 = 5 * 60_000;
/// How long an email is tried again if the platform does not accept it, in milliseconds.
const TRIED_MS: i64 = 7 * 86_400_000;

/// A letter that is due.
#[derive(Clone, Debug, Deserialize)]
pub struct DueNotice {
    pub practice_id: PracticeId,
    pub id: NoticeId,
    /// What it is about.
    pub kind: NoticeKind,
    /// When what it is about happened.
    pub at: Time,
    /// When what was requested begins.
    pub due_at: Option<Time>,
    /// The name of the person or the identity provider that it is about. `None` if there is none any more.
    pub about: Option<String>,
    /// The addresses of the owners, and of the admins if it is for them as well.
    pub to: Vec<String>,
}

impl DueNotice {
    /// Leases the email. The guard fails if another sweep is sending it. The time until the next try doubles each time.
    #[must_use]
    pub fn lease(&self, now: Instant) -> (Guard, Write<'static>) {
        let lease = NoticeLease {
            practice_id: self.practice_id,
            id: self.id,
            until: now.plus(now.since(self.at.0).max(LEASE_MS)),
        };
        let guard = SettingsGuard::NoticeDue { practice: self.practice_id, notice: self.id };
        let write = SettingsWrite::NoticeLeased(lease);
        (Guard::Settings(guard), Write::Settings(write))
    }

    /// Whether the email is not tried again. If the platform never accepts one address, the other owners must not get
    /// the email forever.
    #[must_use]
    pub fn is_given_up(&self, now: Instant) -> bool {
        now.since(self.at.0) > TRIED_MS
    }

    /// Removes the email, which was sent or is given up.
    #[must_use]
    pub const fn done(&self) -> Write<'static> {
        Write::Settings(SettingsWrite::NoticeDone { practice: self.practice_id, notice: self.id })
    }
}
