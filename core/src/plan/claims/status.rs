//! Where a claim stands (interface: States and transitions). [`crate::work::moves`] says where it can go from there.

use crate::base::names::names;

names! {
    /// Where a claim stands, in the order of the interface. A claim starts with the first.
    ClaimStatus {
        /// Not reviewed yet.
        Received = "received",
        /// The service's team is working out how to appeal it.
        Reviewing = "reviewing",
        /// In a report delivered to the caller.
        InReport = "in_report",
        /// The team opened its case.
        InAppeal = "in_appeal",
        /// The payer paid, in full or in part.
        Recovered = "recovered",
        /// The appeal ended without payment.
        Closed = "closed",
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
