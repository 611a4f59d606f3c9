//! What staff were told about claims and cases: which call made which version, and which amounts were won.

use std::collections::BTreeMap;

/// An answered change of a claim or a case.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    /// Tells calls apart.
    pub(crate) call: u64,
    /// The status of a claim from then on, if the change sets it.
    pub(crate) status: Option<&'static str>,
    /// The payment that it recorded, in cents.
    pub(crate) cents: Option<i64>,
}

/// A version of a claim or a case, by its id.
pub(crate) type Version = (String, i64);

/// All that staff did.
#[derive(Default)]
pub(crate) struct Work {
    pub(crate) made: BTreeMap<Version, Made>,
    /// The amounts that somebody asked to record for a claim, in cents.
    pub(crate) amounts: BTreeMap<String, Vec<i64>>,
    /// How many notes were asked for, and how many were answered, by the claim's id.
    pub(crate) notes: BTreeMap<String, (i64, i64)>,
    /// The deadline that an answer showed for a version of a claim.
    deadlines: BTreeMap<Version, Option<String>>,
}

impl Work {
    /// Records that a call made a version. Returns what is wrong if another call made it, too.
    pub(crate) fn made(&mut self, version: Version, made: Made) -> Option<String> {
        let (id, n) = &version;
        let other = self.made.get(&version).filter(|other| other.call != made.call);
        let wrong = other.map(|other| format!("calls {} and {} both made version {n} of {id}", other.call, made.call));
        self.made.insert(version, made);
        wrong
    }

    /// Records the deadline that an answer showed. Returns what is wrong if another answer showed another one for the same
    /// version.
    pub(crate) fn due(&mut self, version: Version, date: Option<String>) -> Option<String> {
        let known = self.deadlines.entry(version.clone()).or_insert_with(|| date.clone());
        (*known != date).then(|| format!("version {} of {} is due on {known:?} and on {date:?}", version.1, version.0))
    }

    /// All deadlines that answers showed.
    pub(crate) fn deadlines(&self) -> impl Iterator<Item = (&Version, &Option<String>)> {
        self.deadlines.iter()
    }
}
