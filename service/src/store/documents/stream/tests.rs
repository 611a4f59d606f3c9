use super::*;
use aead_stream::{DecryptorBE32, EncryptorBE32};
use aes_gcm::aead::{Aead, Payload};
use aes_gcm::{Aes256Gcm, KeyInit};

const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(1));
const DOCUMENT: Uuid = Uuid::from_u128(2);
const SECRET: [u8; KEY] = [7; KEY];

fn plain(length: usize) -> Vec<u8> {
    (0..length).map(|n| (n % 251) as u8).collect()
}

/// Seals as the Worker does: chunk by chunk, with the nonces of this module.
fn seal(document: Uuid, plain: &[u8]) -> Vec<Vec<u8>> {
    let cipher = Aes256Gcm::new(&SECRET.into());
    let aad = aad(PRACTICE, document);
    let last = chunks(plain.len() as u64) - 1;
    (0..=last)
        .map(|n| {
            let from = n as usize * CHUNK;
            let msg = &plain[from..plain.len().min(from + CHUNK)];
            let nonce = nonce(n as u32, n == last).into();
            cipher.encrypt(&nonce, Payload { msg, aad: &aad }).unwrap()
        })
        .collect()
}

/// Opens with the crate that defines the construction. `None` if it refuses a chunk.
fn open(document: Uuid, sealed: &[Vec<u8>]) -> Option<Vec<u8>> {
    let mut stream = DecryptorBE32::<Aes256Gcm>::new(&SECRET.into(), &[0; 7].into());
    let aad = aad(PRACTICE, document);
    let payload = |msg| Payload { msg, aad: &aad };
    let (last, others) = sealed.split_last()?;
    let mut plain = Vec::new();
    for chunk in others {
        plain.extend(stream.decrypt_next(payload(chunk.as_slice())).ok()?);
    }
    plain.extend(stream.decrypt_last(payload(last.as_slice())).ok()?);
    Some(plain)
}

const LENGTHS: [usize; 7] = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 5];

#[test]
fn the_form_is_the_stream_construction() {
    for length in LENGTHS {
        let plain = plain(length);
        let mut stream = EncryptorBE32::<Aes256Gcm>::new(&SECRET.into(), &[0; 7].into());
        let aad = aad(PRACTICE, DOCUMENT);
        let payload = |msg| Payload { msg, aad: &aad };
        let mut parts: Vec<&[u8]> = plain.chunks(CHUNK).collect();
        let last = parts.pop().unwrap_or(&[]);
        let mut expected = Vec::new();
        for part in parts {
            expected.push(stream.encrypt_next(payload(part)).unwrap());
        }
        expected.push(stream.encrypt_last(payload(last)).unwrap());

        let sealed = seal(DOCUMENT, &plain);
        assert_eq!(sealed, expected, "{length} bytes");
        let bytes: usize = sealed.iter().map(Vec::len).sum();
        assert_eq!(bytes as u64, sealed_length(length as u64));
        assert_eq!(open(DOCUMENT, &sealed), Some(plain));
    }
}

#[test]
fn a_changed_object_does_not_open() {
    let whole = plain(3 * CHUNK);
    let sealed = seal(DOCUMENT, &whole);
    assert_eq!(open(DOCUMENT, &sealed), Some(whole.clone()));
    let fails = |change: &str, edit: &dyn Fn(&mut Vec<Vec<u8>>)| {
        let mut edited = sealed.clone();
        edit(&mut edited);
        assert_eq!(open(DOCUMENT, &edited), None, "{change}");
    };
    fails("truncated between chunks", &|chunks| {
        chunks.pop();
    });
    fails("truncated in a chunk", &|chunks| {
        chunks[2].truncate(1000);
    });
    fails("the first chunk removed", &|chunks| {
        chunks.remove(0);
    });
    fails("reordered", &|chunks| chunks.swap(0, 1));
    fails("a chunk twice", &|chunks| chunks.insert(1, chunks[1].clone()));
    fails("extended by its last chunk", &|chunks| {
        chunks.push(chunks[2].clone());
    });
    fails("extended by zero bytes", &|chunks| {
        chunks.push(vec![0; SEALED_CHUNK]);
    });
    fails("extended in the last chunk", &|chunks| chunks[2].push(0));
    fails("one bit changed", &|chunks| chunks[1][77] ^= 1);
    let other = seal(Uuid::from_u128(3), &whole);
    fails("a chunk of another document", &|chunks| {
        chunks[1].clone_from(&other[1]);
    });
    assert_eq!(open(Uuid::from_u128(3), &sealed), None);
}

#[test]
fn a_span_has_the_chunks_of_its_range_and_no_more() {
    let size = CHUNK as u64;
    let total = 3 * size + 5;
    let whole = plain(total as usize);
    let object = seal(DOCUMENT, &whole).concat();
    let cipher = Aes256Gcm::new(&SECRET.into());
    let aad = aad(PRACTICE, DOCUMENT);
    let edges = [0, 1, size - 1, size, size + 1, 2 * size, 3 * size, total - 1, total];
    for start in edges {
        for end in edges.into_iter().filter(|end| *end > start) {
            let span = Span::new(total, start, end - start).unwrap();
            let bytes = &object[span.offset as usize..(span.offset + span.sealed) as usize];
            let mut opened = Vec::new();
            for (n, msg) in (span.first..=span.last).zip(bytes.chunks(SEALED_CHUNK)) {
                let nonce = nonce(n, span.ends && n == span.last).into();
                opened.extend(cipher.decrypt(&nonce, Payload { msg, aad: &aad }).unwrap());
            }
            let range = &opened[span.skip..span.skip + span.length as usize];
            assert_eq!(range, &whole[start as usize..end as usize]);
            let wanted = end.div_ceil(size) - start / size;
            assert_eq!(bytes.chunks(SEALED_CHUNK).count() as u64, wanted);
        }
    }
}

#[test]
fn a_span_outside_the_document_is_none() {
    assert_eq!(Span::new(10, 10, 1), None);
    assert_eq!(Span::new(10, 0, 11), None);
    assert_eq!(Span::new(10, 5, 0), None);
    assert_eq!(Span::new(10, u64::MAX, 1), None);
    assert_eq!(Span::new(u64::MAX, u64::MAX - 1, 1), None);
    let empty = Span::new(0, 0, 0).unwrap();
    assert_eq!((empty.first, empty.last, empty.sealed), (0, 0, TAG as u64));
    assert!(empty.ends);
}
