//! The dictionary of a stream that may be deflated or an object stream.
//!
//! Programs write these dictionaries in the same plain way: names, numbers, references, lists. Anything else could make
//! readers see another dictionary than this module does, so it is not understood on purpose.

use super::names::{hex, is_space};
use alloc::vec::Vec;

/// Filters that unpack, besides the one of deflated data.
const PACKING: [&[u8]; 4] = [b"LZWDecode", b"LZW", b"RunLengthDecode", b"RL"];

/// What a stream is, by its dictionary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// No object stream, or one that is not compressed, and nothing that is deflated.
    Other,
    /// An object stream that is deflated and not changed in any other way.
    Objects,
    /// Any other deflated stream, but no picture: its pixels are not unpacked by the virus scanner either.
    Deflated,
    /// A stream that is packed twice, so that it can unpack to a million times its size.
    PackedTwice,
    /// An object stream with other filters, or a dictionary that is not understood.
    Unclear,
}

/// The kind of the stream whose data starts behind these bytes.
pub(super) fn kind(before: &[u8]) -> Kind {
    let Some(dictionary) = find(before) else {
        return Kind::Unclear;
    };
    let Some(tokens) = tokens(dictionary) else {
        // Most likely the next image after an outline. It is refused only if names of an object stream are near.
        let unclear = names(dictionary).any(|name| name == b"First") || names(before).any(|name| name == b"ObjStm");
        return if unclear { Kind::Unclear } else { Kind::Other };
    };
    let has = |name: &[u8]| tokens.iter().any(|token| token.is_name(name));
    let objects = has(b"ObjStm") || has(b"First") && has(b"N");
    let filters = values(&tokens, &[b"Filter"]);
    if !objects {
        return match filters.as_slice() {
            [filter] if packs(filter) > 1 => Kind::PackedTwice,
            [filter] if is_deflate_first(filter) && !has(b"Image") => Kind::Deflated,
            _ => Kind::Other,
        };
    }
    let parameters = values(&tokens, &[b"DecodeParms", b"DP"]);
    let changed = has(b"F") || has(b"Predictor") || !parameters.iter().all(|value| is_direct(value));
    match filters.as_slice() {
        [] if !changed => Kind::Other,
        [filter] if !changed && is_deflate(filter) => Kind::Objects,
        _ => Kind::Unclear,
    }
}

/// What follows each of these keys.
fn values<'a, 'b>(tokens: &'a [Token<'b>], keys: &[&[u8]]) -> Vec<&'a [Token<'b>]> {
    let is_key = |token: &Token<'_>| keys.iter().any(|key| token.is_name(key));
    let keys = tokens.iter().enumerate().filter(|(_, token)| is_key(token));
    keys.filter_map(|(at, _)| tokens.get(at.saturating_add(1)..)).collect()
}

/// True for the filter of deflated data, alone or as the only one of a list.
fn is_deflate(value: &[Token<'_>]) -> bool {
    match value {
        [Token::Other(b"["), one, Token::Other(b"]"), ..] => one.is_deflate(),
        [one, ..] => one.is_deflate(),
        [] => false,
    }
}

/// True if the data as it is in the file is deflated, whatever filters follow.
fn is_deflate_first(value: &[Token<'_>]) -> bool {
    match value {
        [Token::Other(b"["), one, ..] | [one, ..] => one.is_deflate(),
        [] => false,
    }
}

/// How many filters of a list unpack.
fn packs(value: &[Token<'_>]) -> usize {
    let [Token::Other(b"["), list @ ..] = value else {
        return 1;
    };
    let filters = list.iter().take_while(|one| !matches!(one, Token::Other(b"]")));
    let packs = |one: &&Token<'_>| one.is_deflate() || PACKING.iter().any(|name| one.is_name(name));
    filters.filter(packs).count()
}

/// True for parameters of filters that are not in another object.
fn is_direct(value: &[Token<'_>]) -> bool {
    match value {
        [Token::Other(b"["), one, ..] | [one, ..] => {
            matches!(one, Token::Other(b"<<" | b"null"))
        }
        [] => false,
    }
}

#[derive(Debug)]
enum Token<'a> {
    /// A name, without escapes.
    Name(Vec<u8>),
    Other(&'a [u8]),
}

impl Token<'_> {
    fn is_name(&self, text: &[u8]) -> bool {
        matches!(self, Self::Name(name) if name == text)
    }

    fn is_deflate(&self) -> bool {
        self.is_name(b"FlateDecode") || self.is_name(b"Fl")
    }
}

/// The bytes between the last start of an object, such as `12 0 obj`, and the last `stream`. None if there is none or it is
/// in a comment.
fn find(before: &[u8]) -> Option<&[u8]> {
    let stream = memchr::memmem::rfind(before, b"stream")?;
    let before = before.get(..stream)?;
    let (line, dictionary) = memchr::memmem::rfind_iter(before, b"obj").find_map(|at| {
        let (line, after) = before.split_at_checked(at)?;
        let after = after.get(3..)?;
        let number = line.strip_suffix(b" ").and_then(<[u8]>::last);
        let begins = after.first().is_some_and(|b| is_space(*b) || *b == b'<');
        (begins && number?.is_ascii_digit()).then_some((line, after))
    })?;
    let start = memchr::memrchr2(b'\r', b'\n', line).map_or(0, |at| at.saturating_add(1));
    (!line.get(start..)?.contains(&b'%')).then_some(dictionary)
}

/// The tokens of a plain dictionary. None if it has anything that a plain one has not.
fn tokens(dictionary: &[u8]) -> Option<Vec<Token<'_>>> {
    let inner = dictionary.trim_ascii();
    let mut rest = inner.strip_prefix(b"<<")?.strip_suffix(b">>")?;
    let mut tokens = Vec::new();
    while let [first, after @ ..] = rest {
        let length = match first {
            b if is_space(*b) => {
                rest = after;
                continue;
            }
            b'[' | b']' => 1,
            b'<' | b'>' if after.first() == Some(first) => 2,
            b'/' => word(after).saturating_add(1),
            b'0'..=b'9' | b'+' | b'-' | b'.' | b'R' | b'a'..=b'z' => word(rest),
            _ => return None,
        };
        let (token, after) = rest.split_at_checked(length)?;
        tokens.push(match token {
            [b'/', name @ ..] => Token::Name(unescape(name)),
            other => Token::Other(other),
        });
        rest = after;
    }
    Some(tokens)
}

/// The names between any other bytes.
fn names(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    memchr::memchr_iter(b'/', bytes).map(|at| {
        let after = bytes.get(at.saturating_add(1)..).unwrap_or_default();
        unescape(after.get(..word(after)).unwrap_or_default())
    })
}

/// The length of the word at the start.
fn word(bytes: &[u8]) -> usize {
    let inside = |b: &&u8| !is_space(**b) && !b"()<>[]{}/%".contains(b);
    bytes.iter().take_while(inside).count()
}

/// A name without its escapes.
fn unescape(name: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(name.len());
    let mut rest = name;
    while let [first, after @ ..] = rest {
        let escaped = match rest {
            [b'#', high, low, ..] => hex(*high).zip(hex(*low)),
            _ => None,
        };
        if let Some((high, low)) = escaped {
            plain.push(high.wrapping_mul(16).wrapping_add(low));
            rest = rest.get(3..).unwrap_or_default();
        } else {
            plain.push(*first);
            rest = after;
        }
    }
    plain
}
