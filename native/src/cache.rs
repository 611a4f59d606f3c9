//! Texts in memory, for a while. All threads share them, and a restart forgets them.

use crate::clock::Wall;
use overturn_core::base::instant::Instant;
use overturn_service::host::{Cache, Clock as _, PlatformError, Step};
use std::collections::{BTreeMap, HashMap};
use std::future::ready;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The most texts of a cache. Those that would end first make room.
const MOST: usize = 100_000;

/// A cache.
#[derive(Clone)]
pub(crate) struct Memory {
    clock: Wall,
    texts: Arc<Mutex<Texts>>,
}

#[derive(Default)]
struct Texts {
    by_key: HashMap<String, Text>,
    /// The keys by the end of their texts. The number tells those with the same end apart.
    by_end: BTreeMap<(Instant, u64), String>,
    puts: u64,
}

struct Text {
    text: String,
    end: (Instant, u64),
}

impl Memory {
    pub(crate) fn new(clock: Wall) -> Self {
        Self { clock, texts: Arc::default() }
    }

    fn with<T>(&self, change: impl FnOnce(&mut Texts, Instant) -> T) -> Result<T, PlatformError> {
        let mut texts = self.texts.lock().map_err(|_| PlatformError)?;
        Ok(change(&mut texts, self.clock.now()))
    }
}

impl Texts {
    fn get(&self, key: &str, now: Instant) -> Option<String> {
        let found = self.by_key.get(key).filter(|text| text.end.0 > now);
        found.map(|found| found.text.clone())
    }

    fn put(&mut self, key: &str, text: String, until: Instant, (now, most): (Instant, usize)) {
        self.delete(key);
        self.puts = self.puts.wrapping_add(1);
        let end = (until, self.puts);
        self.by_end.insert(end, key.to_owned());
        self.by_key.insert(key.to_owned(), Text { text, end });
        while let Some(first) = self.by_end.first_entry()
            && (first.key().0 <= now || self.by_key.len() > most)
        {
            self.by_key.remove(&first.remove());
        }
    }

    fn delete(&mut self, key: &str) {
        if let Some(text) = self.by_key.remove(key) {
            self.by_end.remove(&text.end);
        }
    }
}

impl Cache for Memory {
    fn get<'a>(&'a self, key: &'a str) -> Step<'a, Result<Option<String>, PlatformError>> {
        Box::pin(ready(self.with(|texts, now| texts.get(key, now))))
    }

    fn put<'a>(&'a self, key: &'a str, text: String, kept: Duration) -> Step<'a, Result<(), PlatformError>> {
        let kept = i64::try_from(kept.as_millis()).unwrap_or(i64::MAX);
        let put = self.with(|texts, now| texts.put(key, text, now.plus(kept), (now, MOST)));
        Box::pin(ready(put))
    }

    fn delete<'a>(&'a self, key: &'a str) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(ready(self.with(|texts, _| texts.delete(key))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_ends_in_time_and_the_first_to_end_makes_room() {
        let mut texts = Texts::default();
        let mut put = |key: &str, until, now| {
            texts.put(key, key.to_owned(), Instant(until), (Instant(now), 2));
            let mut keys: Vec<_> = texts.by_key.keys().cloned().collect();
            keys.sort();
            assert_eq!(texts.by_end.len(), keys.len());
            keys.concat()
        };
        assert_eq!(put("a", 30, 0), "a");
        assert_eq!(put("b", 20, 0), "ab");
        assert_eq!(put("b", 40, 0), "ab");
        assert_eq!(put("c", 50, 0), "bc");
        assert_eq!(put("d", 70, 40), "cd");
        assert_eq!(texts.get("c", Instant(49)).as_deref(), Some("c"));
        assert_eq!(texts.get("c", Instant(50)), None);
        texts.delete("d");
        texts.delete("d");
        assert_eq!(texts.get("d", Instant(0)), None);
        assert_eq!((texts.by_key.len(), texts.by_end.len()), (1, 1));
    }
}
