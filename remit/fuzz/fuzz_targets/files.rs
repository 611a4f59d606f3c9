//! Arbitrary bytes: one file, or two that a byte 0xff parts. The first byte is the size of the chunks.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((size, rest)) = bytes.split_first() else {
        return;
    };
    let files: Vec<&[u8]> = rest.splitn(2, |byte| *byte == 0xff).collect();
    overturn_remit_fuzz::check(&files, usize::from(*size));
});
