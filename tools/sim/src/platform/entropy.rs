//! Random bytes from the seed.

use crate::dice::Dice;
use overturn_service::host::{Entropy, EntropyError};

pub(crate) struct SeededEntropy(pub(crate) Dice);

impl Entropy for SeededEntropy {
    fn fill(&self, buffer: &mut [u8]) -> Result<(), EntropyError> {
        self.0.fill(buffer);
        Ok(())
    }
}
