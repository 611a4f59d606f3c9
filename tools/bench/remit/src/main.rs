//! Measures how fast remittances become claims, beside other parsers, in one run. `cargo xtask bench remit` runs it with the
//! peers installed.
//!
//! Each measurement is a process of its own, so that the peak of its memory is its own. It counts the time on the processor
//! and not the time on the clock, because the machine may have other work. Rounds take turns, and the best one counts.

use overturn_core::base::instant::Instant;
use overturn_payer::{Mix, generate_as};
use overturn_remit::{Options, Remit};
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Claim payments of the large run: about 100 MB of 835, and as much of 837.
const CLAIMS: u32 = 215_000;
/// Claim payments for the parser in Python, which would take minutes for more.
const FEW: u32 = 4_000;
const ROUNDS: usize = 5;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match &*args {
        [command, files @ ..] if command == "ours" => ours(files),
        [command, file] if command == "edi" => edi(file),
        [node, package, python, folder] => compare([node, package, python], Path::new(folder)),
        _ => Err("NODE PACKAGE PYTHON FOLDER".into()),
    }
}

/// The time that this process was on a processor, in seconds. It has one thread.
fn on_processor() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds: u64 = stat.split(' ').next().unwrap_or_default().parse()?;
    Ok(nanoseconds as f64 / 1e9)
}

/// From bytes to NDJSON, with the join. Prints seconds, claims and the peak of the memory in bytes.
fn ours(files: &[String]) -> Result<()> {
    let began = on_processor()?;
    // 2026-03-01.
    let mut remit = Remit::new(Options::new(Instant(1_772_323_200_000)));
    let mut buffer = vec![0; 64 * 1024];
    for name in files {
        let mut file = File::open(name)?;
        remit.open(name);
        loop {
            let length = file.read(&mut buffer)?;
            if length == 0 {
                break;
            }
            remit.push(&buffer[..length])?;
        }
    }
    let mut out = BufWriter::new(File::create("/dev/null")?);
    let mut claims = 0;
    let mut failed = Ok(());
    let outcome = remit.finish_into(|claim| {
        claims += 1;
        failed = writeln!(out, "{}", claim.json);
    });
    failed?;
    out.flush()?;
    let seconds = on_processor()? - began;
    let status = fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|text| text.split_whitespace().next());
    let peak: u64 = peak.unwrap_or_default().parse()?;
    println!("{seconds} {} {}", claims + outcome.held.len(), peak * 1024);
    Ok(())
}

/// The bare parse of the `edi` crate. Prints seconds and claim payments.
fn edi(file: &str) -> Result<()> {
    let text = fs::read_to_string(file)?;
    let began = on_processor()?;
    let document = edi::parse(&text).map_err(|_| "edi cannot read it")?;
    let seconds = on_processor()? - began;
    let groups = document.interchanges.iter().flat_map(|one| &one.functional_groups);
    let transactions = groups.flat_map(|group| &group.transactions);
    let claims = transactions.flat_map(|one| &one.segments);
    let claims = claims.filter(|one| one.segment_abbreviation == "CLP").count();
    println!("{seconds} {claims}");
    Ok(())
}

struct Files {
    remittances: Vec<PathBuf>,
    submissions: Vec<PathBuf>,
    denials: usize,
}

fn write(folder: &Path, claims: u32) -> Result<Files> {
    fs::create_dir_all(folder)?;
    let generated = generate_as(1, claims, Mix::Usual);
    let write = |files: &[Vec<u8>], ending: &str| -> Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for (at, file) in files.iter().enumerate() {
            let path = folder.join(format!("{at}.{ending}"));
            fs::write(&path, file)?;
            paths.push(path);
        }
        Ok(paths)
    };
    Ok(Files {
        remittances: write(&generated.remittances, "835")?,
        submissions: write(&generated.submissions, "837")?,
        denials: generated.expected.len(),
    })
}

fn size(files: &[PathBuf]) -> Result<f64> {
    let mut bytes = 0;
    for file in files {
        bytes += fs::metadata(file)?.len();
    }
    Ok(bytes as f64)
}

/// What a process printed: seconds, a count, and bytes of memory if it measures them.
#[derive(Clone, Copy)]
struct Measured {
    seconds: f64,
    count: usize,
    peak: f64,
}

fn measure(mut command: Command) -> Result<Measured> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let mut words = text.split_whitespace();
    Ok(Measured {
        seconds: words.next().unwrap_or_default().parse()?,
        count: words.next().unwrap_or_default().parse()?,
        peak: words.next().unwrap_or("0").parse()?,
    })
}

/// One line of the table, with its best round.
struct Line {
    name: &'static str,
    program: Vec<String>,
    files: Vec<PathBuf>,
    expected: usize,
    best: Option<Measured>,
}

fn compare([node, package, python]: [&str; 3], folder: &Path) -> Result<()> {
    let own = std::env::current_exe()?.to_string_lossy().into_owned();
    let here = Path::new("tools/bench/remit");
    let script = |name: &str| here.join(name).to_string_lossy().into_owned();
    let large = write(&folder.join("large"), CLAIMS)?;
    let tenth = write(&folder.join("tenth"), CLAIMS / 10)?;
    let few = write(&folder.join("few"), FEW)?;
    let of_payer = |claims: u32| claims.div_ceil(4) as usize;
    let line = |name, program: &[&str], files: Vec<PathBuf>, expected| Line {
        name,
        program: program.iter().map(|word| (*word).into()).collect(),
        files,
        expected,
        best: None,
    };
    let joined = |files: &Files| [&*files.remittances, &*files.submissions].concat();
    let mut lines = [
        line("Overturn, 835 joined with 837, to NDJSON", &[&own, "ours"], joined(&large), large.denials),
        line("Overturn, a tenth of it", &[&own, "ours"], joined(&tenth), tenth.denials),
        line("Overturn, 835 alone", &[&own, "ours"], large.remittances.clone(), large.denials),
        line(
            "Overturn in Node, 835 joined with 837, to NDJSON",
            &[node, &script("ours.mjs"), package],
            joined(&large),
            large.denials,
        ),
        line(
            "`edi` 0.4.0, bare parse of one 835",
            &[&own, "edi"],
            vec![large.remittances[1].clone()],
            of_payer(CLAIMS),
        ),
        line(
            "`x12-parser` 1.3.0 in Node, segments of one 835",
            &[node, &script("peer.mjs")],
            vec![large.remittances[1].clone()],
            of_payer(CLAIMS),
        ),
        line(
            "`edi-835-parser` 1.8.0 in Python, one 835",
            &[python, &script("peer.py")],
            vec![few.remittances[0].clone()],
            of_payer(FEW),
        ),
    ];
    for _ in 0..ROUNDS {
        for line in &mut lines {
            let mut command = Command::new(&line.program[0]);
            command.args(&line.program[1..]).args(&line.files);
            let one = measure(command).map_err(|error| format!("{}: {error}", line.name))?;
            // Each program must have read everything.
            if one.count != line.expected {
                return Err(format!("{}: {} instead of {}", line.name, one.count, line.expected).into());
            }
            if line.best.is_none_or(|best| one.seconds < best.seconds) {
                line.best = Some(one);
            }
        }
    }
    print(&lines)
}

fn print(lines: &[Line; 7]) -> Result<()> {
    println!("| program | MB | s on the processor | MB/s | Overturn is faster by | peak MiB |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let rate = |line: &Line| -> Result<f64> {
        let best = line.best.ok_or("not measured")?;
        Ok(size(&line.files)? / 1e6 / best.seconds)
    };
    let [ours, in_node] = [rate(&lines[0])?, rate(&lines[3])?];
    for line in lines {
        let best = line.best.ok_or("not measured")?;
        let peak = match best.peak {
            0.0 => String::new(),
            peak => format!("{:.0}", peak / f64::from(1 << 20)),
        };
        let times = match line.name.starts_with('`') {
            // A parser in Node is compared with the package in Node.
            true if line.name.contains("Node") => format!("{:.1}", in_node / rate(line)?),
            true => format!("{:.1}", ours / rate(line)?),
            false => String::new(),
        };
        println!(
            "| {} | {:.1} | {:.2} | {:.2} | {times} | {peak} |",
            line.name,
            size(&line.files)? / 1e6,
            best.seconds,
            rate(line)?,
        );
    }
    let seconds = |at: usize| lines[at].best.map_or(0.0, |best| best.seconds);
    println!("\nTen times the files take {:.1} times the time.", seconds(0) / seconds(1));
    Ok(())
}
