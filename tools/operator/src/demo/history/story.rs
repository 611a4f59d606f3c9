//! The stories of the demo claims. Three claims of one patient and payer share a story.

/// What became of three claims of a patient.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Story {
    /// No one has looked at them.
    Received,
    /// Staff work on them. The patient has been asked to sign.
    Reviewed,
    /// Two are in a report.
    Reported,
    /// A case with one level, which has to be filed soon. The patient has signed.
    Opened,
    /// A case whose first level was filed.
    Filed,
    /// The first level was lost, and a second one began.
    SecondLevel,
    /// One was paid in part, one lost, and one is still appealed.
    Divided,
    /// All were paid.
    Recovered,
    /// All appeals ended without payment.
    Closed,
}

use Story::{Closed, Divided, Filed, Opened, Received, Recovered, Reported, Reviewed, SecondLevel};

/// A send: how many days ago it arrived, and the stories of its patients.
pub(super) type Arrival = (i64, &'static [Story]);

/// The sends of the first practice: 70 patients with three claims each.
pub(super) const FIRST: &[Arrival] = &[
    (84, &[Recovered, Divided, SecondLevel, Closed, Recovered]),
    (78, &[Divided, SecondLevel, Recovered, Closed, Divided]),
    (71, &[SecondLevel, Divided, Filed, Recovered, Reported]),
    (64, &[SecondLevel, Filed, Divided, Reported, Closed]),
    (57, &[Filed, SecondLevel, Opened, Reported, Reviewed]),
    (50, &[Filed, Opened, Reported, Reviewed, Closed]),
    (43, &[Opened, Filed, Reported, Reviewed, Reviewed]),
    (36, &[Opened, Reported, Reviewed, Reviewed, Reported]),
    (29, &[Opened, Reported, Reviewed, Reviewed, Received]),
    (22, &[Reported, Reviewed, Reviewed, Received, Received]),
    (15, &[Reviewed, Reviewed, Received, Received, Reviewed]),
    (8, &[Reviewed, Received, Reviewed, Received, Received]),
    (3, &[Received, Received, Received, Received, Received]),
    (0, &[Received, Received, Received, Received, Received]),
];

/// The sends of the second practice.
pub(super) const SECOND: &[Arrival] =
    &[(40, &[Filed, Reported, Reviewed]), (18, &[Reviewed, Received, Opened]), (2, &[Received, Received, Received])];

/// Given names of patients. With the family names they are clearly made up.
pub(super) const GIVEN: [&str; 14] = [
    "Ada", "Basil", "Cora", "Dexter", "Elsie", "Felix", "Greta", "Hugo", "Ivy", "Jasper", "Kira", "Linus", "Mona",
    "Nico",
];
pub(super) const FAMILY: [&str; 10] =
    ["Example", "Sample", "Specimen", "Placeholder", "Pretend", "Fictional", "Invented", "Demo", "Testcase", "Mockup"];

/// Payers with the plan type that they send.
pub(super) const PAYERS: [(&str, Option<&str>); 12] = [
    ("Blue Prairie Health", Some("erisa")),
    ("Northwind Benefit Trust", Some("erisa")),
    ("Cascade Mutual", Some("aca_individual")),
    ("Granite State Advantage", Some("medicare_advantage")),
    ("Demo Medicare Contractor", Some("medicare")),
    ("Harbor County Health Plan", Some("medi_cal_managed")),
    ("Demo Medi-Cal", Some("medi_cal_ffs")),
    ("Sample Forces Insurance", Some("tricare")),
    ("Evergreen Commercial", Some("commercial")),
    ("Sunrise Workers Insurance", Some("workers_comp")),
    ("Acme Health", Some("erisa")),
    ("Acme Health", None),
];

/// Denial codes, as billing systems send them, and the reason in words.
pub(super) const DENIALS: [(&[&str], &str); 9] = [
    (&["CO-50", "N130"], "not deemed a medical necessity"),
    (&["CO-197"], "precertification was absent"),
    (&["CO-16", "M51"], "the claim lacks information"),
    (&["CO-29"], "the time limit for filing has expired"),
    (&["CO-97", "N19"], "included in another service"),
    (&["PI-204"], "not covered under the current benefit plan"),
    (&["CO-11"], "the diagnosis is inconsistent with the procedure"),
    (&["OA-18"], "exact duplicate of another claim"),
    (&["CO-151", "N362"], "the payer deems the number of services too high"),
];

/// Days from now on which the deadlines of claims fall: some late, some soon, some far. `None` is a claim without a
/// denial date, so without a deadline.
pub(super) const DUE_IN: [Option<i32>; 16] = [
    Some(-31),
    Some(-9),
    Some(-2),
    Some(0),
    Some(1),
    Some(3),
    Some(5),
    Some(8),
    Some(12),
    Some(17),
    Some(24),
    Some(36),
    Some(55),
    Some(90),
    Some(140),
    None,
];

/// In how many days the appeal is due by the payer's letter, for claims to which no rule gives a deadline.
pub(super) const LETTER_DUE_IN: [i32; 5] = [6, 20, 41, 2, 75];

/// Days from now on which the current level of an open case is due.
pub(super) const LEVEL_DUE_IN: [i32; 6] = [4, -3, 11, 1, 19, 45];

pub(super) const NOTES: [&str; 6] = [
    "Called the payer. The reference of the call is DEMO-4471. They confirm the denial and name a fax number for appeals.",
    "The chart supports medical necessity: two failed conservative treatments before this service.",
    "Asked the practice for the operative report.",
    "The authorization was on file under the group's number, not the provider's. Good grounds.",
    "Same denial as for the two other claims of this patient. Appeal them together.",
    "Payer portal shows the claim as paid to the wrong tax id. Ask for a reprocess first.",
];
