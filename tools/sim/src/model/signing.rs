//! What patients and practices were told about links and signatures.

use std::collections::BTreeMap;

/// So many wrong dates of birth end a link.
pub(crate) const TRIES: u32 = 5;

/// A link that an answer showed.
pub(crate) struct Link {
    pub(crate) practice: usize,
    pub(crate) claim: String,
    pub(crate) token: String,
    /// When an answer showed it first.
    told: u64,
    /// When it was surely over, because staff ended it or made another one.
    dead: Option<u64>,
    /// How many wrong dates of birth were refused.
    refused: u32,
    /// When a signature by it was first asked for.
    pub(crate) asked: Option<u64>,
    /// When a signature by it was first answered.
    pub(crate) signed: Option<u64>,
}

/// All links and signatures.
#[derive(Default)]
pub(crate) struct Signing {
    /// The claims for which staff asked for a signature: the practice and the claim number.
    pub(crate) needed: Vec<(usize, String)>,
    pub(crate) links: Vec<Link>,
    /// When a signature of a claim was answered.
    signed: BTreeMap<String, u64>,
}

impl Signing {
    /// The place of a link that an answer showed.
    pub(crate) fn told(&mut self, practice: usize, claim: &str, token: &str, at: u64) -> usize {
        if let Some(place) = self.links.iter().position(|link| link.token == token) {
            return place;
        }
        let (claim, token) = (claim.to_owned(), token.to_owned());
        self.links.push(Link { practice, claim, token, told: at, dead: None, refused: 0, asked: None, signed: None });
        self.links.len() - 1
    }

    /// True if a link of a claim was shown that may still be open.
    pub(crate) fn has_link(&self, claim: &str) -> bool {
        self.links.iter().any(|link| link.claim == claim && link.dead.is_none() && link.asked.is_none())
    }

    /// Staff ended the links of a claim, or made another one, by a call that began and ended at these moments.
    pub(crate) fn ended(&mut self, claim: &str, (began, ended): (u64, u64)) {
        for link in self.links.iter_mut().filter(|link| link.claim == claim && link.told < began) {
            link.dead = link.dead.or(Some(ended));
        }
    }

    /// A wrong date of birth was refused. The last one ends the link; true then.
    pub(crate) fn refused(&mut self, link: usize, at: u64) -> bool {
        let link = &mut self.links[link];
        link.refused += 1;
        if link.refused >= TRIES {
            link.dead = link.dead.or(Some(at));
        }
        link.refused == TRIES
    }

    /// True if a link was surely over when a call began.
    pub(crate) fn is_dead(&self, link: usize, began: u64) -> bool {
        self.links[link].dead.is_some_and(|dead| dead < began)
    }

    /// Records an answered signature.
    pub(crate) fn signed(&mut self, link: usize, at: u64) {
        let link = &mut self.links[link];
        link.signed = link.signed.or(Some(at));
        self.signed.entry(link.claim.clone()).or_insert(at);
    }

    /// True if the signature of a claim was answered before a moment.
    pub(crate) fn is_signed(&self, claim: &str, began: u64) -> bool {
        self.signed.get(claim).is_some_and(|at| *at < began)
    }
}
