//! Compares texts of two hosts word by word, and learns which word of one stands for which of the other.

use overturn_core::base::date::Date;
use overturn_core::base::instant::{DAY_MS, Instant};
use std::collections::HashMap;

/// The least length of a secret, a token or a cursor.
const SECRET: usize = 20;
/// How keys and tokens begin, and how much of one is shown later.
const KINDS: [&str; 2] = ["ovt_test_", "ovu_test_"];
const SHOWN: usize = 13;
/// The length of the digest in a tag, and of an id in a cursor.
const DIGEST: usize = 32;
/// How the secret of a webhook endpoint begins.
const OF_WEBHOOKS: &str = "whsec_";
const SECOND_MS: i64 = 1_000;
const MINUTE_MS: i64 = 60_000;

/// When something was done, in the recorded world and on the server.
pub(super) struct Done {
    pub(super) recorded: (Instant, Instant),
    pub(super) live: (Instant, Instant),
}

/// What is known of the words of a server.
#[derive(Default)]
pub(super) struct Words {
    live: HashMap<String, String>,
    recorded: HashMap<String, String>,
    done: Vec<Done>,
}

impl Words {
    /// Notes when something was done: a time that is told from now on may have to do with it.
    pub(super) fn done(&mut self, done: Done) {
        self.done.push(done);
    }

    /// A recorded text as the server knows it.
    pub(super) fn translated(&self, text: &str) -> String {
        let all = split(text).into_iter();
        all.map(|word| self.live.get(word).map_or(word, String::as_str)).collect()
    }

    /// Compares what was recorded with what a server says.
    ///
    /// # Errors
    ///
    /// Two words that do not stand for each other.
    pub(super) fn compare(&mut self, recorded: &str, live: &str) -> Result<(), String> {
        let (ours, theirs) = (split(recorded), split(live));
        for (ours, theirs) in ours.iter().zip(&theirs) {
            self.same(ours, theirs)?;
        }
        if ours.len() == theirs.len() { Ok(()) } else { Err("one text is longer".to_owned()) }
    }

    fn same(&mut self, ours: &str, theirs: &str) -> Result<(), String> {
        let differ = |why: &str| Err(format!("{ours:?} is {theirs:?}{why}"));
        match (self.live.get(ours), self.recorded.get(theirs)) {
            (Some(known), _) if known == theirs => return Ok(()),
            (Some(known), _) => return differ(&format!(", and was {known:?}")),
            // Two changes may be of the same millisecond on a server.
            (None, Some(known)) if self.time(ours).is_none() => return differ(&format!(", which was {known:?}")),
            (None, _) if ours == theirs => return Ok(()),
            (None, _) => {}
        }
        match (self.time(ours), self.time(theirs)) {
            (Some((ours, exact)), Some((theirs, _))) if !self.is_moved(ours, theirs, exact) => {
                return differ(", not as far from what was done");
            }
            (Some((_, 1)), Some(_)) => {}
            // Two moments of a second or a minute differ on a server, so this one stands for no other.
            (Some(_), Some(_)) => return Ok(()),
            _ if ours.len() != theirs.len() => return differ(""),
            _ if [is_id, is_digest, is_secret].iter().any(|is| is(ours) && is(theirs)) => {}
            _ => match (hint(ours), hint(theirs)) {
                (Some(of_ours), Some(of_theirs)) if of_ours == of_theirs => {}
                _ => return differ(""),
            },
        }
        if let (Some(of_ours), Some(of_theirs)) = (hinted(ours), hinted(theirs)) {
            self.same(of_ours, of_theirs)?;
        }
        if is_id(ours) {
            // A cursor has it like this.
            self.same(&ours.replace('-', ""), &theirs.replace('-', ""))?;
        }
        self.live.insert(ours.to_owned(), theirs.to_owned());
        self.recorded.insert(theirs.to_owned(), ours.to_owned());
        Ok(())
    }

    /// A time, and how exact it is in milliseconds.
    fn time(&self, word: &str) -> Option<(Instant, i64)> {
        let day = self.done.first()?.recorded.0.0.div_euclid(DAY_MS);
        let today = |at: Instant| at.plus(day * DAY_MS);
        let exact = instant(word).map(|at| (at, 1));
        exact.or_else(|| Some((seconds(word)?, SECOND_MS))).or_else(|| Some((today(minutes(word)?), MINUTE_MS)))
    }

    /// True if a time is as far from something that was done as it was in the recorded world.
    fn is_moved(&self, ours: Instant, theirs: Instant, exact: i64) -> bool {
        self.done.iter().any(|Done { recorded, live }| {
            let moved = theirs.since(ours);
            let least = live.0.since(recorded.1) - exact;
            (least..=live.1.since(recorded.0) + exact).contains(&moved)
        })
    }
}

/// A text as words and what is between them.
fn split(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    // This secret is the only one with signs that also stand between words.
    while let Some(place) = rest.find(OF_WEBHOOKS) {
        let (before, secret) = rest.split_at(place);
        let end = secret.find(|sign: char| !(sign.is_ascii_alphanumeric() || "_+/=".contains(sign)));
        let (secret, after) = secret.split_at(end.unwrap_or(secret.len()));
        all.extend(split_plain(before));
        all.push(secret);
        rest = after;
    }
    all.extend(split_plain(rest));
    all
}

fn split_plain(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let plain = |at: usize| bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte));
    // A time has them inside.
    let inside = |at: usize| b".:".contains(&bytes[at]) && at > 0 && plain(at - 1) && plain(at + 1);
    let of_word = |at: usize| plain(at) || inside(at);
    let ends = (1..bytes.len()).filter(|at| text.is_char_boundary(*at) && !(of_word(*at) && of_word(at - 1)));
    let mut begin = 0;
    let mut all = Vec::new();
    for end in ends.chain([bytes.len()]) {
        let word = &text[begin..end];
        // A cursor, or a tag with a version, ends with a digest or an id.
        let (first, last) = word.split_at_checked(word.len().saturating_sub(DIGEST)).unwrap_or((word, ""));
        if is_digest(last) && first.ends_with(['_', '-']) {
            all.extend([first, last]);
        } else {
            all.push(word);
        }
        begin = end;
    }
    all
}

/// The kind of a key or a token of which a word shows the first letters.
fn hint(word: &str) -> Option<&str> {
    let kind = word.get(..SHOWN - 4).filter(|_| word.len() == SHOWN)?;
    KINDS.contains(&kind).then_some(kind)
}

/// What is shown of a key or a token.
fn hinted(secret: &str) -> Option<&str> {
    secret.get(..SHOWN).filter(|shown| secret.len() > SHOWN && hint(shown).is_some())
}

/// True for the tag of an answer, and for an id in a cursor.
fn is_digest(word: &str) -> bool {
    word.len() == DIGEST && word.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

fn is_id(word: &str) -> bool {
    uuid::Uuid::parse_str(word).is_ok_and(|id| id.to_string() == word)
}

/// True for what only chance makes: no name and no sentence has a long word with letters of both cases.
fn is_secret(word: &str) -> bool {
    let has = |is: fn(&char) -> bool| word.chars().any(|letter| is(&letter));
    word.len() >= SECRET && has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase)
}

/// A time in seconds since 1970, such as `1800000000`.
fn seconds(word: &str) -> Option<Instant> {
    let is_of_now = word.len() == 10 && word.starts_with('1');
    is_of_now.then(|| word.parse::<i64>().ok()).flatten().map(|seconds| Instant(seconds * SECOND_MS))
}

/// A time of the day, such as `08:00`.
fn minutes(word: &str) -> Option<Instant> {
    let (hours, minutes) = word.split_once(':').filter(|_| word.len() == 5)?;
    Some(Instant((hours.parse::<i64>().ok()? * 60 + minutes.parse::<i64>().ok()?) * MINUTE_MS))
}

/// A time such as `2027-01-15T08:00:00.000Z`.
fn instant(word: &str) -> Option<Instant> {
    let (date, time) = word.strip_suffix('Z')?.split_once('T')?;
    let (time, ms) = time.split_once('.').unwrap_or((time, "0"));
    let mut parts = time.split(':').map(|part| part.parse::<i64>().ok());
    let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
    let seconds = (hours * 60 + minutes) * 60 + seconds;
    Some(Date::parse(date)?.begins().plus(seconds * SECOND_MS + ms.parse::<i64>().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A world that began on that Friday at eight, and is replayed a day and an hour later.
    fn words() -> Words {
        let (recorded, live) = (Instant(1_800_000_000_000), Instant(1_800_090_000_000));
        let mut words = Words::default();
        words.done(Done { recorded: (recorded, recorded.plus(10)), live: (live, live.plus(20)) });
        words
    }

    const ID: &str = "01a21df3-1c89-7eda-9fe6-301c1fb60000";
    const OTHER: &str = "01a21e24-5178-7fae-9cd1-d7d5c89b0000";
    const TOKEN: &str = "ovu_test_a0nrYHjNtwxmjCoekhh4HNyFR8sKRYUe0ZnFbY3";
    const OTHER_TOKEN: &str = "ovu_test_Yd5VlfocaWKrHv8SRojbAWyveBrtiPdI1IZFD73";

    #[test]
    fn what_a_server_makes_is_learned_and_put_into_requests() {
        let mut words = words();
        words.compare(&format!("{{\"id\":\"{ID}\"}}"), &format!("{{\"id\":\"{OTHER}\"}}")).unwrap();
        words.compare(&format!("\"ovu_test_a0nr\" {TOKEN}"), &format!("\"ovu_test_Yd5V\" {OTHER_TOKEN}")).unwrap();
        assert_eq!(words.translated(&format!("/claims/{ID}/take?x=1")), format!("/claims/{OTHER}/take?x=1"));
        assert_eq!(words.translated(&format!("Bearer {TOKEN}")), format!("Bearer {OTHER_TOKEN}"));
        let [cursor, other] = [ID, OTHER].map(|id| format!("none_{}", id.replace('-', "")));
        assert_eq!(words.translated(&cursor), other);
    }

    #[test]
    fn what_a_server_makes_stands_for_one_thing() {
        let mut words = words();
        words.compare(ID, OTHER).unwrap();
        words.compare(ID, &OTHER.replace("01a21e24", "01a21e25")).unwrap_err();
        words.compare(&ID.replace("01a21df3", "01a21df4"), OTHER).unwrap_err();
        words.compare(ID, ID).unwrap_err();
        words.compare(TOKEN, OTHER_TOKEN).unwrap();
        words.compare("ovu_test_a0nr", "ovu_test_Yd5W").unwrap_err();
    }

    #[test]
    fn nothing_else_differs() {
        for (recorded, live) in [
            ("200", "201"),
            ("{\"version\":1}", "{\"version\":2}"),
            ("2027-04-30", "2027-05-01"),
            ("not_authenticated", "not_authorized_now"),
            ("{\"a\":1}", "{\"a\":1,\"b\":2}"),
            ("{\"a\":1,\"b\":2}", "{\"a\":1}"),
            ("\"\"", "null"),
            (ID, "null"),
            (TOKEN, &OTHER_TOKEN[1..]),
            ("a sentence of the service that is long", "a sentence of the service that is wrong"),
        ] {
            words().compare(recorded, live).expect_err(live);
        }
    }

    #[test]
    fn times_are_as_far_from_what_was_done() {
        let mut words = words();
        words.compare("2027-01-15T08:00:00.004Z", "2027-01-16T09:00:00.010Z").unwrap();
        // Thirty days later, a time that a moment derives from.
        words.compare("2027-02-14T08:00:00.004Z", "2027-02-15T09:00:00.010Z").unwrap();
        words.compare("2027-02-14T08:00:00.004Z", "2027-02-15T09:00:00.011Z").unwrap_err();
        words.compare("2027-01-15T08:00:00.005Z", "2027-01-16T09:00:01.010Z").unwrap_err();
        words.compare("1800000060", "1800090060").unwrap();
        words.compare("1800000060", "1800090090").unwrap_err();
    }
}
