//! The chains of the copied trails: a practice switches only once each is verified up to its end.

use super::course::{Course, Places};
use crate::store::error::DatabaseError;
use crate::store::trail as store;
use crate::trail::{ChainPlace, Checked, PAGE_MAX, Trail, finish, verify};
use overturn_core::base::cell::Cell;
use serde_json::json;
use std::collections::BTreeMap;

/// How far a chain was verified.
struct Chain {
    trail: Trail,
    place: ChainPlace,
    is_last: bool,
    is_broken: bool,
}

impl<P: Places> Course<'_, P> {
    /// Verifies the chains on from where they were left. Where the copy of a change has yet to come, a chain ends early. False if it
    /// is late.
    ///
    /// # Errors
    ///
    /// [`DatabaseError::Broken`] if a chain is broken in the old cell.
    pub(super) async fn pass_trails(&mut self) -> Result<bool, DatabaseError> {
        let is_through = self.verify_trails(false).await?;
        self.keep().await?;
        Ok(is_through)
    }

    /// Verifies the rest while writes wait.
    ///
    /// # Errors
    ///
    /// [`DatabaseError::Broken`] if a chain does not lead to its head.
    pub(super) async fn end_trails(&mut self) -> Result<(), DatabaseError> {
        self.verify_trails(true).await.map(drop)
    }

    async fn verify_trails(&mut self, is_end: bool) -> Result<bool, DatabaseError> {
        let verified: BTreeMap<String, (i64, String)> = serde_json::from_str(&self.mv.position).unwrap_or_default();
        let chain = |of: &String| {
            let place = verified.get(of).cloned().map(|(sequence, digest)| ChainPlace { sequence, digest });
            let (trail, place) = (Trail::parse(of)?, place.unwrap_or_else(ChainPlace::start));
            Some(Chain { trail, place, is_last: false, is_broken: false })
        };
        let mut chains: Vec<Chain> = self.ids.iter().filter_map(chain).collect();
        let mut is_late = false;
        while !is_late && chains.iter().any(|chain| !chain.is_last) {
            let next = self.next(self.mv.target, &chains).await?;
            let is_broken = |chains: &[Chain]| chains.iter().any(|chain| chain.is_last && chain.is_broken);
            if is_broken(&next) && (is_end || is_broken(&self.next(self.mv.source, &chains).await?)) {
                return Err(DatabaseError::Broken("a trail is not as it was written: verify it, and cancel the move"));
            }
            chains = next;
            is_late = !is_end && self.is_late();
        }
        let verified =
            chains.into_iter().map(|Chain { trail, place, .. }| (trail.to_string(), (place.sequence, place.digest)));
        self.mv.position = json!(verified.collect::<BTreeMap<_, _>>()).to_string();
        Ok(!is_late)
    }

    /// The chains after one page more of each in a cell. The digests only: whether the service wrote the rows is not for a copy to
    /// say.
    async fn next(&self, cell: Cell, chains: &[Chain]) -> Result<Vec<Chain>, DatabaseError> {
        let page = |chain: &Chain| (store::rows(chain.trail, chain.place.sequence, PAGE_MAX), store::head(chain.trail));
        let pages = self.read(cell, &chains.iter().map(page).collect::<Vec<_>>()).await?;
        let next = chains.iter().zip(pages).map(|(Chain { trail, place, .. }, (rows, head))| {
            let mut checked = Checked::behind(place.clone());
            verify(*trail, &mut checked, &rows, None);
            let is_last = rows.is_empty() || checked.is_end || checked.broken.is_some();
            let is_broken = checked.broken.is_some() || finish(*trail, &checked, head.as_ref(), None).is_some();
            Chain { trail: *trail, place: checked.place, is_last, is_broken }
        });
        Ok(next.collect())
    }
}
