//! Who may call: the lives of keys and agreements, as their practice was told.

/// The life of an API key or an API token.
#[derive(Clone, Debug)]
pub(crate) struct KeyLife {
    pub(crate) practice: usize,
    pub(crate) id: String,
    pub(crate) text: String,
    /// When its revocation was first asked for.
    pub(crate) revoking: Option<u64>,
    /// When its revocation was first answered.
    pub(crate) revoked: Option<u64>,
}

impl KeyLife {
    /// True if a call that ended at this moment may have found it revoked.
    pub(crate) fn may_be_revoked(&self, ended: u64) -> bool {
        self.revoking.is_some_and(|asked| asked < ended)
    }

    /// True if it was surely revoked when a call began.
    pub(crate) fn is_revoked(&self, began: u64) -> bool {
        self.revoked.is_some_and(|told| told < began)
    }
}

/// The times at which an agreement was, or may have been, ended and signed.
#[derive(Clone, Default, Debug)]
pub(crate) struct AgreementLife {
    /// When an end was asked for, and answered.
    pub(crate) ends: Vec<(u64, Option<u64>)>,
    /// When a signature was asked for, and answered.
    pub(crate) signatures: Vec<(u64, Option<u64>)>,
}

/// Keys, tokens and agreements. Practices have agreements in the order of their numbers.
#[derive(Default)]
pub(crate) struct Access {
    pub(crate) keys: Vec<KeyLife>,
    pub(crate) tokens: Vec<KeyLife>,
    /// The keys of the practices' sandboxes.
    pub(crate) sandbox_keys: Vec<KeyLife>,
    pub(crate) agreements: Vec<AgreementLife>,
    /// The practice of each request for a new key of its own or of its sandbox.
    pub(crate) asked_for_keys: Vec<usize>,
    /// The same for new tokens.
    pub(crate) asked_for_tokens: Vec<usize>,
}

impl Access {
    /// Since when the practice surely has had no agreement, if it has none at a moment.
    pub(crate) fn unsigned_since(&self, practice: usize, at: u64) -> Option<u64> {
        let life = &self.agreements[practice];
        let ends = life.ends.iter().filter_map(|(asked, told)| Some((*asked, (*told)?)));
        let (asked, told) = ends.filter(|(_, told)| *told < at).max()?;
        let may_be_signed = life
            .signatures
            .iter()
            .any(|(began, answered)| *began < at && answered.is_none_or(|answered| answered > asked));
        (!may_be_signed).then_some(told)
    }

    /// True if the practice surely had an agreement from a moment to another one.
    pub(crate) fn is_signed(&self, practice: usize, began: u64, ended: u64) -> bool {
        let life = &self.agreements[practice];
        let told = life.signatures.iter().filter(|(_, told)| told.is_some_and(|told| told < began));
        let signing = told.map(|(asked, _)| *asked).max().unwrap_or(0);
        let may_end = |(asked, told): &(u64, Option<u64>)| *asked < ended && told.is_none_or(|told| told > signing);
        !life.ends.iter().any(may_end)
    }

    /// The moment from which on a call of this practice and key can have had no effect, if there is one before its answer.
    pub(crate) fn deadline(&self, practice: usize, key: Option<usize>, ended: Option<u64>) -> Option<u64> {
        let ended = ended.unwrap_or(u64::MAX);
        let revoked = key.and_then(|key| self.keys[key].revoked);
        let unsigned = self.unsigned_since(practice, ended);
        [revoked, unsigned].into_iter().flatten().filter(|at| *at < ended).min()
    }
}
