//! Changes generated files in every way that is known to hurt, without a nightly compiler:
//!
//! ```sh
//! cargo run --release --bin seeded -- SECONDS [SEED]
//! cargo run --release --bin seeded -- corpus FOLDER
//! ```
//!
//! The same seed makes the same files. A failure prints its seed. `corpus` writes files for cargo-fuzz to begin with.

use overturn_payer::{Mix, generate_as};
use overturn_remit_fuzz::check;
use std::panic::catch_unwind;
use std::path::Path;
use std::time::{Duration, Instant};

/// Pieces of real files, whole or broken.
const PIECES: [&[u8]; 26] = [
    b"ISA*00**00**ZZ*P*ZZ*R*260210*1200*^*00501*1*0*P*:~",
    b"ISA|00||00||ZZ|P|ZZ|R|260210|1200|^|00501|1|0|P|>\n",
    b"GS*HP*P*R*20260201*1200*1*X*005010~",
    b"ST*835*0001~",
    b"ST*837*0001~",
    b"SE*1*0001~",
    b"GE*1*1~",
    b"IEA*1*1~",
    b"CLP*0P0000000*22*-1*-1**12*ICN0P0000000~",
    b"CLP*0*4*100*0**MC*I~",
    b"CLP*A*1*1~",
    b"CLP**1*9999999999*0~",
    b"CAS*CO*50*-1*1*96*1*1*16*1~",
    b"CAS*CO*16*5~",
    b"MOA***MA130~",
    b"MIA*****MA130~",
    b"LQ*HE*N130~",
    b"SVC*HC:99213*1*0~",
    b"SVC*ZZ*1*0~",
    b"DTM*232*20260230~",
    b"DTM*405*99991231~",
    b"HL*2*1*23*0~",
    b"CLM*0P0000000*1~",
    b"DMG*D8*19840602~",
    b"PLB*1*1*WO:1*-99999999999999999999~",
    b"NM1*QC*1*\xff\xfe*\xc3~",
];

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 1) as usize % bound.max(1)
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [command, folder] = &*args
        && command == "corpus"
    {
        return corpus(Path::new(folder));
    }
    let number = |at: usize| args.get(at).and_then(|text| text.parse().ok());
    let seconds = number(0).unwrap_or(60);
    let first = number(1).unwrap_or(1);
    let began = Instant::now();
    let (mut seed, mut factor) = (first, 0);
    while began.elapsed() < Duration::from_secs(seconds) {
        let files = files(seed);
        let all: Vec<&[u8]> = files.iter().map(|file| &**file).collect();
        let size = 1 + Numbers(seed).below(200);
        match catch_unwind(|| check(&all, size)) {
            Ok(one) => factor = factor.max(one),
            Err(_) => {
                eprintln!("seed {seed} fails");
                std::process::exit(1);
            }
        }
        seed += 1;
    }
    println!("{} rounds, and at most {factor} bytes of memory for a byte", seed - first);
}

fn files(seed: u64) -> Vec<Vec<u8>> {
    let mut numbers = Numbers(seed);
    let mix = [Mix::Dense, Mix::Usual][numbers.below(2)];
    let generated = generate_as(seed, numbers.below(12) as u32, mix);
    let mut files = [generated.remittances, generated.submissions].concat();
    for _ in 0..=numbers.below(12) {
        let other = files[numbers.below(files.len())].clone();
        let at = numbers.below(files.len());
        change(&mut files[at], &other, &mut numbers);
    }
    files.truncate(1 + numbers.below(8));
    files
}

fn change(bytes: &mut Vec<u8>, other: &[u8], numbers: &mut Numbers) {
    let at = numbers.below(bytes.len() + 1);
    let end = (at + numbers.below(300)).min(bytes.len());
    match numbers.below(8) {
        0 if at < bytes.len() => bytes[at] = numbers.below(256) as u8,
        1 => drop(bytes.drain(at..end)),
        2 => {
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
        3 => bytes.truncate(at),
        4 => {
            let from = numbers.below(other.len() + 1);
            let to = (from + numbers.below(600)).min(other.len());
            bytes.splice(at..at, other[from..to].iter().copied());
        }
        5 => {
            // At the end of a segment, so that the piece is one.
            let end = bytes[at..].iter().position(|byte| *byte == b'~');
            let at = end.map_or(at, |end| at + end + 1);
            bytes.splice(at..at, PIECES[numbers.below(PIECES.len())].iter().copied());
        }
        6 => {
            let times = [300, 300, 300, 20_000][numbers.below(4)];
            let times = 1 + numbers.below(times);
            let piece = PIECES[numbers.below(PIECES.len())].repeat(times);
            bytes.splice(at..at, piece);
        }
        _ => {
            let mark = b"*~:^|\n\r\0 -.0"[numbers.below(12)];
            bytes.splice(at..at, std::iter::repeat_n(mark, 1 + numbers.below(40)));
        }
    }
}

fn corpus(folder: &Path) {
    std::fs::create_dir_all(folder).expect("a folder");
    for seed in 0..40 {
        let generated = generate_as(seed, 6, Mix::Dense);
        for (at, (one, two)) in generated.remittances.iter().zip(&generated.submissions).enumerate() {
            let file = [&[64][..], one, &[0xff], two].concat();
            std::fs::write(folder.join(format!("{seed}-{at}")), file).expect("a file");
        }
    }
}
