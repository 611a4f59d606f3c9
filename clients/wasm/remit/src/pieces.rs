//! A list that crosses to the host piece by piece, so that no answer is as large as the list.

use serde::Serialize;
use std::collections::VecDeque;

/// A piece ends after the item with which it has this many bytes.
const PIECE: usize = 1 << 20;

/// What is left of a list. An item that was written is dropped.
#[derive(Default, Debug)]
pub(crate) struct Pieces<T>(VecDeque<T>);

impl<T> Pieces<T> {
    pub(crate) const fn new() -> Self {
        Self(VecDeque::new())
    }

    pub(crate) fn of(list: Vec<T>) -> Self {
        Self(list.into())
    }
}

impl<T: Serialize> Pieces<T> {
    /// Replaces the text with the next items as a JSON array; with nothing after the last.
    pub(crate) fn write(&mut self, to: &mut Vec<u8>) {
        to.clear();
        while to.len() < PIECE {
            let Some(item) = self.0.pop_front() else {
                break;
            };
            to.push(if to.is_empty() { b'[' } else { b',' });
            // Texts and numbers always convert to JSON.
            to.extend(serde_json::to_vec(&item).unwrap_or_default());
        }
        if !to.is_empty() {
            to.push(b']');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PIECE, Pieces};

    #[test]
    fn every_item_crosses_once_in_pieces_of_bounded_size() {
        let items: Vec<String> = (0..3000).map(|n| format!("{n}").repeat(400)).collect();
        let mut pieces = Pieces::of(items.clone());
        let mut found: Vec<String> = Vec::new();
        let mut count = 0;
        let mut text = Vec::new();
        loop {
            pieces.write(&mut text);
            if text.is_empty() {
                break;
            }
            assert!(text.len() < PIECE + 2000);
            found.extend(serde_json::from_slice::<Vec<String>>(&text).unwrap());
            count += 1;
        }
        assert_eq!(found, items);
        assert!(count > 3, "{count}");
    }
}
