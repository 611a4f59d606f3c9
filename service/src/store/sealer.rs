//! Seals the confidential values of a plan.

use crate::plan::statement::{KeyOf, Rows, Seal, WriteParam};
use crate::store::json::json;
use crate::store::keyring::Keyring;
use crate::store::keyring::practice::{DataKey, PracticeKeys};
use crate::store::seal::Nonce;
use crate::store::statement::{Param, Statement};
use overturn_core::base::id::PracticeId;
use overturn_core::base::sealed::{KeyVersion, SealedPlace};

/// The sealer does not have the key for a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the key to seal under is not at hand")]
pub struct SealError;

/// The keys and the source of nonces that seal the values of a plan.
pub struct Sealer<'k> {
    pub(crate) keys: &'k Keyring,
    practices: &'k [PracticeKeys<'k>],
    nonce: &'k mut dyn FnMut() -> Nonce,
    /// The practices whose data key sealed a value.
    used: Vec<(PracticeId, &'k DataKey)>,
}

impl<'k> Sealer<'k> {
    /// A sealer with the keys of the service. It needs the keys of each practice of which the plan seals a value.
    /// `nonce` draws a fresh random nonce.
    pub fn new(keys: &'k Keyring, practices: &'k [PracticeKeys<'k>], nonce: &'k mut dyn FnMut() -> Nonce) -> Self {
        Self { keys, practices, nonce, used: Vec::new() }
    }

    /// Seals a value for its place, under the current key of that place. Returns the version of the key and the sealed
    /// value.
    pub(crate) fn seal(&mut self, place: SealedPlace, text: &[u8]) -> Result<(KeyVersion, String), SealError> {
        let nonce = (self.nonce)();
        if let Some(practice) = place.practice() {
            let data = self.data(practice).ok_or(SealError)?;
            let sealed = data.seal(place, text, nonce).ok_or(SealError)?;
            let version = data.version();
            if self.used.iter().all(|(used, _)| *used != practice) {
                self.used.push((practice, data));
            }
            return Ok((version, sealed));
        }
        let key = self.keys.account(self.keys.current()).ok_or(SealError)?;
        let sealed = key.seal(place, text, nonce).ok_or(SealError)?;
        Ok((key.version(), sealed))
    }

    /// A statement with its values sealed.
    pub(crate) fn sealed(&mut self, statement: &Statement<WriteParam>) -> Result<Statement, SealError> {
        let params = statement.params.iter().map(|param| self.param(param));
        Ok(Statement { sql: statement.sql, params: params.collect::<Result<_, _>>()? })
    }

    fn param(&mut self, param: &WriteParam) -> Result<Param, SealError> {
        Ok(match param {
            WriteParam::Plain(plain) => plain.clone(),
            WriteParam::Sealed(Seal { place, value }) => Param::Text(self.seal(*place, value)?.1),
            WriteParam::KeyOf(KeyOf(place)) => Param::Int(self.version(*place)?.0),
            WriteParam::Rows(Rows(rows)) => {
                let rows = rows.iter().map(|row| row.iter().map(|of| self.param(of)).collect());
                Param::Text(json(&rows.collect::<Result<Vec<Vec<Param>>, _>>()?))
            }
        })
    }

    /// The version of the key that seals this place.
    fn version(&self, place: SealedPlace) -> Result<KeyVersion, SealError> {
        match place.practice() {
            Some(practice) => self.data(practice).map(DataKey::version).ok_or(SealError),
            None => Ok(self.keys.current()),
        }
    }

    /// The data keys that sealed a value, each with its practice.
    pub(crate) fn used_data_keys(&self) -> &[(PracticeId, &'k DataKey)] {
        &self.used
    }

    fn data(&self, practice: PracticeId) -> Option<&'k DataKey> {
        let mut practices = self.practices.iter();
        practices.find(|keys| keys.practice() == practice)?.data()
    }
}
