//! JSON parameters, which carry many rows in one statement.

use serde::Serialize;

/// A D1 value may have 2 MB. A hundred large claims need more, so they may take several parameters of one batch.
const JSON_MAX: usize = 1_900_000;

/// The JSON of a value. All of its keys are text, so writing cannot fail.
pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// JSON arrays that each fit into one parameter. Elements are written directly into them, because they are most of a
/// send.
#[derive(Default)]
pub(crate) struct Chunks {
    full: Vec<String>,
    open: Vec<u8>,
}

impl Chunks {
    pub(crate) fn push(&mut self, element: &impl Serialize) {
        let end = self.open.len();
        self.open.push(if end == 0 { b'[' } else { b',' });
        // Writing to memory cannot fail.
        let _infallible = serde_json::to_writer(&mut self.open, element);
        if end > 0 && self.open.len() >= JSON_MAX {
            let mut next = self.open.split_off(end);
            if let Some(comma) = next.first_mut() {
                *comma = b'[';
            }
            self.close();
            self.open = next;
        }
    }

    fn close(&mut self) {
        self.open.push(b']');
        let open = std::mem::take(&mut self.open);
        self.full.push(String::from_utf8(open).unwrap_or_default());
    }

    pub(crate) fn finish(mut self) -> Vec<String> {
        if !self.open.is_empty() {
            self.close();
        }
        self.full
    }
}

#[cfg(test)]
mod tests {
    use super::{Chunks, JSON_MAX};

    #[test]
    fn elements_travel_in_as_few_arrays_as_they_fit_into() {
        let mut chunks = Chunks::default();
        for n in 0..5 {
            chunks.push(&(n, "x".repeat(JSON_MAX / 2 - 10)));
        }
        let arrays = chunks.finish();
        assert_eq!(arrays.len(), 3);
        assert!(arrays.iter().all(|array| array.len() <= JSON_MAX));
        let elements = arrays.iter().flat_map(|array| {
            let elements: Vec<(u32, String)> = serde_json::from_str(array).unwrap();
            elements.into_iter().map(|(n, _)| n)
        });
        assert_eq!(elements.collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn nothing_needs_no_array() {
        assert!(Chunks::default().finish().is_empty());
    }
}
