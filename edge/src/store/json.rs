//! JSON parameters: how many rows travel in one statement.

use serde::Serialize;

/// D1 takes 2 MB a value. A hundred large claims are more, so they may travel as several parameters of one batch.
const JSON_MAX: usize = 1_900_000;

/// JSON of a value that has text for every key, which cannot fail to be written.
pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Elements gathered into JSON arrays that each fit into one parameter.
#[derive(Default)]
pub(super) struct Chunks {
    full: Vec<String>,
    open: String,
}

impl Chunks {
    pub(super) fn push(&mut self, element: &str) {
        let size = self.open.len().saturating_add(element.len());
        if !self.open.is_empty() && size.saturating_add(2) > JSON_MAX {
            self.close();
        }
        self.open.push(if self.open.is_empty() { '[' } else { ',' });
        self.open.push_str(element);
    }

    fn close(&mut self) {
        self.open.push(']');
        self.full.push(std::mem::take(&mut self.open));
    }

    pub(super) fn finish(mut self) -> Vec<String> {
        if !self.open.is_empty() {
            self.close();
        }
        self.full
    }
}
