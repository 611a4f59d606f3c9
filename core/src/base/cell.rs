//! The database that a record lives in.

use serde::{Deserialize, Serialize};

/// The number of a cell, one database with the whole schema. The last two bytes of every id and of every secret name the
/// cell that made it, so a call goes straight there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cell(pub u16);

impl Cell {
    /// The only cell of most installations. It is also the directory.
    pub const FIRST: Self = Self(0);

    /// The cell that the bytes of an id or of a secret name.
    #[must_use]
    pub const fn of(bytes: &[u8]) -> Self {
        match bytes.last_chunk() {
            Some(number) => Self(u16::from_be_bytes(*number)),
            None => Self::FIRST,
        }
    }

    /// Random bytes of an id or of a secret, which name this cell.
    #[must_use]
    pub fn stamp<const N: usize>(self, mut random: [u8; N]) -> [u8; N] {
        if let Some(number) = random.last_chunk_mut() {
            *number = self.0.to_be_bytes();
        }
        random
    }
}
