//! The chains of the copied trails: a practice switches only once each is verified up to its end.

use super::course::{Course, Places};
use crate::store::error::DatabaseError;
use crate::store::trail as store;
use crate::trail::{ChainPlace, Checked, PAGE_MAX, Trail, finish, verify};
use serde_json::json;
use std::collections::BTreeMap;

impl<P: Places> Course<'_, P> {
    /// Verifies the chains from where they were left, as far as they go: a row may be linked that was copied before. False if it is
    /// late.
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
        let mut verified: BTreeMap<String, (i64, String)> = serde_json::from_str(&self.mv.position).unwrap_or_default();
        for of in &self.ids {
            let Some(trail) = Trail::parse(of) else { continue };
            let from = verified.get(of).cloned();
            let from = from.map(|(sequence, digest)| ChainPlace { sequence, digest });
            let mut checked = Checked::behind(from.unwrap_or_else(ChainPlace::start));
            let mut is_last = false;
            while !is_last && (is_end || !self.is_late()) {
                let page = (store::rows(trail, checked.place.sequence, PAGE_MAX), store::head(trail));
                let (rows, head) = self.read(self.mv.target, &page).await?;
                // The digests only: whether the service wrote the rows is not for a copy to say.
                verify(trail, &mut checked, &rows, None);
                is_last = rows.is_empty() || checked.is_end || checked.broken.is_some();
                let is_broken = checked.broken.is_some() || finish(trail, &checked, head.as_ref(), None).is_some();
                if is_last && is_end && is_broken {
                    return Err(DatabaseError::Broken("a copied trail is not as it was written"));
                }
            }
            verified.insert(of.clone(), (checked.place.sequence, checked.place.digest));
            if !is_last {
                break;
            }
        }
        self.mv.position = json!(verified).to_string();
        Ok(!self.is_late())
    }
}
