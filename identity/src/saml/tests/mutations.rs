//! Random changes of a response that is accepted: none may panic, and none may change what the service learns.

use super::kit::{How, claims, question, response, signed};
use crate::saml::check;
use crate::saml::guard::{Remarks, read};
use crate::saml::tree::{Content, Element};
use data_encoding::BASE64;
use overturn_core::identity::Verdict;
use proptest::prelude::*;
use std::sync::OnceLock;

/// A response with two signatures.
fn valid() -> &'static str {
    static VALID: OnceLock<String> = OnceLock::new();
    VALID.get_or_init(|| How::usual("_r1").sign(&response(&signed())))
}

/// A response whose assertion alone is signed.
fn half() -> &'static str {
    static HALF: OnceLock<String> = OnceLock::new();
    HALF.get_or_init(|| response(&signed()))
}

/// The changed document is refused, or it says exactly what the valid one says.
fn check_bytes(document: &[u8]) {
    let mut asked = question("");
    asked.response = BASE64.encode(document);
    if let Verdict::Accepted(found) = check(&asked) {
        assert_eq!(found, claims(&question(valid())), "{}", String::from_utf8_lossy(document));
    }
}

fn check_tree(root: &Element) {
    check_bytes(root.write().as_bytes());
}

/// The element at this place in document order.
fn at(root: &mut Element, place: usize) -> Option<&mut Element> {
    let mut left = place;
    find(root, &mut left)
}

fn find<'a>(element: &'a mut Element, left: &mut usize) -> Option<&'a mut Element> {
    if *left == 0 {
        return Some(element);
    }
    *left = left.saturating_sub(1);
    element.content.iter_mut().find_map(|part| match part {
        Content::Element(child) => find(child, left),
        Content::Text(_) => None,
    })
}

fn tree(document: &str) -> Element {
    read(document, Remarks::Refuse).unwrap()
}

fn count(root: &Element) -> usize {
    let mut elements = 0_usize;
    root.walk(&mut |_| {
        elements = elements.saturating_add(1);
        Ok(())
    })
    .unwrap();
    elements
}

fn document() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just(valid()), Just(half())]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn flipped_bits(document in document(), place: prop::sample::Index, bit in 0_u8..8) {
        let mut bytes = document.as_bytes().to_vec();
        let place = place.index(bytes.len());
        bytes[place] ^= 1 << bit;
        check_bytes(&bytes);
    }

    #[test]
    fn replaced_bytes(document in document(), place: prop::sample::Index, with in "[ -~]{1,4}") {
        let mut bytes = document.as_bytes().to_vec();
        let place = place.index(bytes.len());
        bytes.splice(place..=place, with.bytes());
        check_bytes(&bytes);
    }

    #[test]
    fn cut_and_repeated_ranges(
        document in document(),
        a: prop::sample::Index,
        b: prop::sample::Index,
        to: prop::sample::Index,
        keep: bool,
    ) {
        let mut bytes = document.as_bytes().to_vec();
        let (a, b) = (a.index(bytes.len()), b.index(bytes.len()));
        let (from, end) = (a.min(b), a.max(b));
        let part = bytes[from..end].to_vec();
        if !keep {
            bytes.drain(from..end);
        }
        let to = to.index(bytes.len().saturating_add(1));
        bytes.splice(to..to, part);
        check_bytes(&bytes);
    }

    #[test]
    fn removed_and_moved_elements(
        document in document(),
        place: prop::sample::Index,
        into: prop::sample::Index,
        position: prop::sample::Index,
        what in 0_u8..3,
    ) {
        let mut root = tree(document);
        let place = place.index(count(&root));
        let element = at(&mut root, place).unwrap().clone();
        if what != 0 && place > 0 {
            // Removed, or moved.
            let mut parents: Vec<&mut Element> = vec![&mut root];
            while let Some(parent) = parents.pop() {
                parent.content.retain(|part| *part != Content::Element(element.clone()));
                parents.extend(parent.content.iter_mut().filter_map(|part| match part {
                    Content::Element(child) => Some(child),
                    Content::Text(_) => None,
                }));
            }
        }
        if what != 1 {
            // Repeated, or moved.
            let into = into.index(count(&root));
            let parent = at(&mut root, into).unwrap();
            let position = position.index(parent.content.len().saturating_add(1));
            parent.content.insert(position, Content::Element(element));
        }
        check_tree(&root);
    }

    #[test]
    fn reversed_children(document in document(), place: prop::sample::Index) {
        let mut root = tree(document);
        let place = place.index(count(&root));
        at(&mut root, place).unwrap().content.reverse();
        check_tree(&root);
    }

    #[test]
    fn changed_names_attributes_and_texts(
        document in document(),
        place: prop::sample::Index,
        which: prop::sample::Index,
        what in 0_u8..4,
        with in "[a-zA-Z_][a-zA-Z0-9_]{0,8}",
    ) {
        let mut root = tree(document);
        let place = place.index(count(&root));
        let element = at(&mut root, place).unwrap();
        match what {
            0 => element.name = with,
            1 => element.content.insert(0, Content::Text(with)),
            _ if element.attributes.is_empty() => element.declarations.clear(),
            2 => {
                let which = which.index(element.attributes.len());
                element.attributes.remove(which);
            }
            _ => {
                let which = which.index(element.attributes.len());
                element.attributes[which].value = with;
            }
        }
        check_tree(&root);
    }

    #[test]
    fn any_text(text in "\\PC{0,200}") {
        check_bytes(text.as_bytes());
    }

    #[test]
    fn any_markup(parts in prop::collection::vec(prop::sample::select(vec![
        "<a>", "</a>", "<a/>", "<a b='c'>", "&amp;", "&#65;", "&x;", "<!--", "-->", "<![CDATA[", "]]>",
        "<?a", "?>", "<!DOCTYPE a>", "xmlns='urn:a'", "'", "\"", "<", ">", "&", " ", "t", "<samlp:Response>",
    ]), 0..30)) {
        check_bytes(parts.concat().as_bytes());
    }

    #[test]
    fn what_is_written_reads_as_the_same(text in "[ -~\n\t\u{e9}]{1,30}", value in "[ -~\n\t\u{e9}]{0,30}") {
        let mut root = tree("<a b='c'>d</a>");
        root.attributes[0].value = value;
        root.content = vec![Content::Text(text)];
        prop_assert_eq!(tree(&root.write()), root);
    }
}

#[test]
fn the_two_documents_say_the_same() {
    assert_eq!(claims(&question(valid())), claims(&question(half())));
}
