//! Where a claim stands (interface: States and transitions). [`crate::work::moves`] says where it can go from there.

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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;

    #[test]
    fn a_status_reads_back_from_the_name_that_json_has_for_it() {
        for status in ClaimStatus::ALL {
            assert_eq!(ClaimStatus::parse(status.name()), Some(status));
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
        }
        assert_eq!(ClaimStatus::parse("Received"), None);
    }
}
