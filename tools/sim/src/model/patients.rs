//! The patients whom a member of staff opens in all cells together: never more in a session than the limit says. The second
//! factor is not asked for before as many others were opened, in any session, since it was shown in this one. Clocks of
//! isolates are off, so what was opened shortly before may count as well.

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
    /// When the second factor of each session was sent.
    pub(crate) shown: BTreeMap<usize, u64>,
    pub(crate) openings: Vec<Opening>,
}

impl Patients {
    /// What does not fit the limit, if clocks are off by so many microseconds at most.
    pub(crate) fn problems(&self, most: usize, skew: u64) -> Vec<String> {
        let mut problems = Vec::new();
        for (session, asked) in &self.shown {
            let own = self.openings.iter().filter(|of| of.session == *session);
            let opened: BTreeSet<_> = own.clone().filter_map(|of| of.patient.as_ref()).collect();
            if opened.len() > most {
                problems.push(format!("session {session} opens {opened:?}, and may open {most} patients"));
            }
            for refused in own.filter(|of| of.is_refused) {
                let may_count = |of: &&Opening| {
                    let is_late = of.ended.is_some_and(|ended| ended + 2 * skew < *asked);
                    !of.is_refused && of.claim != refused.claim && Some(of.began) < refused.ended && !is_late
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
    fn a_session_opens_no_more_patients_and_is_not_refused_before() {
        let openings = vec![opening(10, "a", false), opening(20, "b", false), opening(30, "c", true)];
        let mut patients = Patients { shown: [(0, 1)].into(), openings };
        assert_eq!(patients.problems(2, 0), Vec::<String>::new());
        assert_eq!(patients.problems(1, 0).len(), 1, "two were opened");
        assert_eq!(patients.problems(3, 0).len(), 1, "the third was refused");
        patients.shown = [(0, 15)].into();
        assert_eq!(patients.problems(2, 0).len(), 1, "the first counts no more");
        assert_eq!(patients.problems(2, 2), Vec::<String>::new(), "the first may count");
        patients.openings[1].claim = "c".into();
        assert_eq!(patients.problems(2, 2).len(), 1, "the refused one itself does not count");
    }
}
