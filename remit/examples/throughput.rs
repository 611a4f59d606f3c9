//! Measures how fast one core turns remittances into claims, and the memory that it takes:
//!
//! ```sh
//! cargo run --release -p overturn-remit --example throughput -- write 200000 /tmp/eras
//! cargo run --release -p overturn-remit --example throughput -- read /tmp/eras/*
//! ```
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement prints and reads the clock"
)]

use overturn_core::base::instant;
use overturn_payer::{Mix, generate_as};
use overturn_remit::{Options, Remit};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::time::Instant;

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match &*args {
        [command, count, folder] if command == "write" => write(count.parse().unwrap_or(0), Path::new(folder)),
        [command, files @ ..] if command == "read" => read(files),
        _ => {
            println!("write COUNT FOLDER, or read FILE…");
            Ok(())
        }
    }
}

fn write(count: u32, folder: &Path) -> io::Result<()> {
    let generated = generate_as(1, count, Mix::Usual);
    fs::create_dir_all(folder)?;
    for (ending, files) in [("835", &generated.remittances), ("837", &generated.submissions)] {
        for (at, file) in files.iter().enumerate() {
            fs::write(folder.join(format!("{at}.{ending}")), file)?;
        }
    }
    println!("{} denials", generated.expected.len());
    Ok(())
}

fn read(files: &[String]) -> io::Result<()> {
    let began = Instant::now();
    let mut remit = Remit::new(Options::new(instant::Instant(1_772_323_200_000)));
    let mut buffer = vec![0; 65_536];
    let mut bytes = 0;
    for name in files {
        let mut file = File::open(name)?;
        remit.open(name);
        loop {
            let length = file.read(&mut buffer)?;
            let chunk = buffer.get(..length).unwrap_or_default();
            if chunk.is_empty() || remit.push(chunk).is_err() {
                break;
            }
            bytes += length;
        }
    }
    let read = began.elapsed().as_secs_f64();
    let mut written = 0_u64;
    let mut claims = 0_u64;
    let outcome = remit.finish_into(|claim| {
        claims += 1;
        written += claim.json.len() as u64;
    });
    let all = began.elapsed().as_secs_f64();
    let megabytes = bytes as f64 / 1e6;
    println!(
        "{megabytes:.1} MB, read in {read:.2} s, in all {all:.2} s: {:.0} MB/s; {} claims in {written} bytes, {} held",
        megabytes / all,
        claims,
        outcome.held.len()
    );
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().filter(|line| line.starts_with("VmHWM")).for_each(|line| println!("{line}"));
    Ok(())
}
