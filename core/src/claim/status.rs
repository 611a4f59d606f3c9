//! Where a claim stands, and where it can go from there (interface: States and transitions).

use serde::{Deserialize, Serialize};

/// Where a claim stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimStatus {
    /// Not reviewed yet.
    Received,
    /// The service's team is working out how to appeal it.
    Reviewing,
    /// In a report delivered to the caller.
    InReport,
    /// The team opened its case.
    InAppeal,
    /// The payer paid, in full or in part.
    Recovered,
    /// The appeal ended without payment.
    Closed,
}

impl ClaimStatus {
    /// Every status, in the order of the interface. A claim starts with the first.
    pub const ALL: [Self; 6] = [
        Self::Received,
        Self::Reviewing,
        Self::InReport,
        Self::InAppeal,
        Self::Recovered,
        Self::Closed,
    ];

    /// The name in the interface.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Reviewing => "reviewing",
            Self::InReport => "in_report",
            Self::InAppeal => "in_appeal",
            Self::Recovered => "recovered",
            Self::Closed => "closed",
        }
    }

    /// The status of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// The statuses that can come next. None is final: an appeal that ended can go to the next level.
    #[must_use]
    pub const fn next(self) -> &'static [Self] {
        match self {
            Self::Received => &[Self::Reviewing],
            Self::Reviewing => &[Self::InReport, Self::InAppeal, Self::Received],
            Self::InReport => &[Self::InAppeal, Self::Reviewing],
            Self::InAppeal => &[Self::Recovered, Self::Closed],
            Self::Recovered | Self::Closed => &[Self::InAppeal],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;
    use alloc::vec::Vec;

    #[test]
    fn the_moves_are_pinned_by_name() {
        let moves: Vec<_> = ClaimStatus::ALL.map(|from| (from, from.next())).into();
        assert_eq!(
            serde_json::to_value(moves).unwrap(),
            serde_json::json!([
                ["received", ["reviewing"]],
                ["reviewing", ["in_report", "in_appeal", "received"]],
                ["in_report", ["in_appeal", "reviewing"]],
                ["in_appeal", ["recovered", "closed"]],
                ["recovered", ["in_appeal"]],
                ["closed", ["in_appeal"]],
            ])
        );
    }

    #[test]
    fn every_status_is_reached_from_the_first_and_none_moves_to_itself() {
        let mut reached = Vec::from([ClaimStatus::Received]);
        let mut at = 0;
        while let Some(status) = reached.get(at) {
            at += 1;
            let next = status.next();
            assert!(!next.contains(status), "{status:?}");
            let new: Vec<_> = next.iter().filter(|s| !reached.contains(s)).collect();
            reached.extend(new);
        }
        assert!(ClaimStatus::ALL.iter().all(|s| reached.contains(s)));
    }
}
