//! The status of a claim (interface: States and transitions).

use crate::base::names::names;

names! {
    /// The status of a claim, in the order of the interface. A claim starts with the first.
    ClaimStatus {
        /// Not reviewed yet.
        Received = "received",
        /// The service's team is working out how to appeal it.
        Reviewing = "reviewing",
        /// In a report delivered to the practice.
        InReport = "in_report",
        /// The team opened its case.
        InAppeal = "in_appeal",
        /// The payer paid, in full or in part.
        Recovered = "recovered",
        /// The appeal ended without payment.
        Closed = "closed",
    }
}

impl ClaimStatus {
    /// The statuses of a claim whose appeal has not ended.
    pub const OPEN: [Self; 4] = [Self::Received, Self::Reviewing, Self::InReport, Self::InAppeal];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_reads_back_from_the_name_that_json_has_for_it() {
        for status in ClaimStatus::ALL {
            assert_eq!(ClaimStatus::parse(status.name()), Some(status));
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
        }
        assert_eq!(ClaimStatus::parse("Received"), None);
    }
}
