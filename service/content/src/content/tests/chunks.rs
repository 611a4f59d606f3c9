//! The verdict does not depend on how a file is cut.

use super::samples::files;
use super::{Inspector, Verdict, verdict, verdict_in};
use crate::content::ContentRefusal;
use alloc::vec::Vec;
use proptest::prelude::*;

/// The verdict on a file that is cut at these places.
fn verdict_at(file: &[u8], cuts: &[usize]) -> Verdict {
    let mut inspector = Inspector::default();
    let mut from = 0;
    for to in cuts.iter().copied().chain([file.len()]) {
        inspector.feed(&file[from..to])?;
        from = to;
    }
    inspector.finish()
}

#[test]
fn each_sample_has_its_verdict() {
    for (at, (file, expected)) in files().into_iter().enumerate() {
        assert_eq!(verdict(&file), expected, "sample {at}");
    }
}

#[test]
fn one_cut_at_each_byte_changes_nothing() {
    for (file, expected) in files() {
        let step = if cfg!(target_arch = "wasm32") { 37 } else { 1 };
        for cut in (0..=file.len()).step_by(step) {
            assert_eq!(verdict_at(&file, &[cut]), expected, "cut at {cut}");
        }
    }
}

#[test]
fn a_refusal_stays() {
    let mut inspector = Inspector::default();
    let file = [&[b'a'; 2000][..], b"\0"].concat();
    assert_eq!(inspector.feed(&file), Err(ContentRefusal::Unknown));
    assert_eq!(inspector.feed(b"a"), Err(ContentRefusal::Unknown));
    assert_eq!(inspector.feed(b""), Err(ContentRefusal::Unknown));
    assert_eq!(inspector.finish(), Err(ContentRefusal::Unknown));
}

/// A sample with a few bytes changed, left out or repeated, so that files are broken in every place.
fn broken() -> impl Strategy<Value = Vec<u8>> {
    let sample = prop::sample::select(files()).prop_map(|(file, _)| file);
    let change = (any::<prop::sample::Index>(), any::<u8>(), 0..3_u8);
    (sample, prop::collection::vec(change, 0..4)).prop_map(|(mut file, changes)| {
        for (place, byte, how) in changes {
            let at = place.index(file.len());
            match how {
                0 => file[at] = byte,
                1 => file.insert(at, byte),
                _ => file.truncate(at.max(1)),
            }
        }
        file
    })
}

proptest! {
    #![proptest_config(overturn_core::testing::config())]
    #[test]
    fn random_cuts_change_nothing(file in broken(), mut cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12)) {
        let whole = verdict_in(&file, usize::MAX);
        cuts.sort_by_key(|cut| cut.index(file.len() + 1));
        let cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(file.len() + 1)).collect();
        prop_assert_eq!(verdict_at(&file, &cuts), whole);
    }

    #[test]
    fn random_bytes_behind_a_known_head_end_in_a_verdict(
        file in prop::sample::select(files()),
        bytes in prop::collection::vec(any::<u8>(), 0..3000),
        keep in any::<prop::sample::Index>(),
    ) {
        let mut file = file.0;
        file.truncate(keep.index(file.len()));
        file.extend(bytes);
        prop_assert_eq!(verdict_in(&file, 11), verdict_in(&file, usize::MAX));
    }
}
