//! The patients whom a member of staff opens in all cells together: exactly as many as the limit says, and then the second
//! factor is asked for. Clocks of isolates are off, so what is near to a sign-in may count or not.

use std::collections::{BTreeMap, BTreeSet};

/// A call that opens the patient of a claim, with its virtual times.
pub(crate) struct Opening {
    pub(crate) session: usize,
    pub(crate) claim: String,
    pub(crate) began: u64,
    pub(crate) ended: Option<u64>,
    /// The patient, if an answer showed one.
    pub(crate) patient: Option<String>,
    /// True if the second factor was asked for.
    pub(crate) is_refused: bool,
}

/// All calls.
#[derive(Default)]
pub(crate) struct Patients {
    /// When the second factor of each session was sent, and when the session was given.
    pub(crate) shown: BTreeMap<usize, (u64, u64)>,
    pub(crate) openings: Vec<Opening>,
}

impl Patients {
    /// What does not fit the limit, if clocks are off by so many microseconds at most.
    pub(crate) fn problems(&self, most: usize, skew: u64) -> Vec<String> {
        let mut problems = Vec::new();
        for (session, (asked, told)) in &self.shown {
            let surely = self.openings.iter().filter(|of| of.session == *session && of.began > told + 2 * skew);
            let opened: BTreeSet<_> = surely.filter_map(|of| of.patient.as_ref()).collect();
            if opened.len() > most {
                problems.push(format!("session {session} opens {opened:?}, and may open {most} patients"));
            }
            for refused in self.openings.iter().filter(|of| of.session == *session && of.is_refused) {
                let may_count = |of: &&Opening| {
                    let is_late = of.ended.is_some_and(|ended| ended + 2 * skew < *asked);
                    !of.is_refused && Some(of.began) < refused.ended && !is_late
                };
                let claims: BTreeSet<_> = self.openings.iter().filter(may_count).map(|of| &of.claim).collect();
                if claims.len() < most {
                    problems.push(format!(
                        "session {session} may open {most} patients, and is refused after {}",
                        claims.len()
                    ));
                }
            }
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(at: u64, claim: &str, is_refused: bool) -> Opening {
        let patient = (!is_refused).then(|| claim.to_owned());
        Opening { session: 0, claim: claim.into(), began: at, ended: Some(at + 1), patient, is_refused }
    }

    #[test]
    fn a_limit_is_as_exact_as_the_clocks() {
        let openings = vec![opening(10, "a", false), opening(20, "b", false), opening(30, "c", true)];
        let patients = Patients { shown: [(0, (1, 2))].into(), openings };
        assert_eq!(patients.problems(2, 0), Vec::<String>::new());
        assert_eq!(patients.problems(1, 0).len(), 1, "two were opened");
        assert_eq!(patients.problems(3, 0).len(), 1, "the third was refused");
        assert_eq!(patients.problems(1, 9), Vec::<String>::new(), "the first may count to the session before");
    }
}
