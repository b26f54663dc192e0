//! Compares mojika with its peers in one process, and writes a table and `report.json`.

use clap::Parser;
use mojika_benches::cells;
use mojika_benches::machine::Machine;
use mojika_benches::options::Options;
use mojika_benches::report::Report;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    // `cargo bench` passes `--bench`; `cargo test --all-targets` runs a bench without arguments, only to see that it
    // starts.
    if std::env::args().len() == 1 {
        println!(
            "versus: nothing to test; measure with `cargo bench -p mojika-benches --bench versus`"
        );
        return ExitCode::SUCCESS;
    }
    let options = Options::parse();
    if let Some(level) = options.level {
        mojika::simd::cap(Some(level));
    }
    run(&options)
}

fn run(options: &Options) -> ExitCode {
    let machine = Machine::new();
    let start = Instant::now();
    let mut cells = Vec::new();
    let outcome = cells::measure(options, |cell| {
        let ratio = cell.least_ratio();
        eprintln!(
            "{:6.1} s  {:64}  {:8.3} GB/s  least ratio {ratio:6.2}",
            start.elapsed().as_secs_f64(),
            cell.name,
            cell.gb_per_s,
        );
        cells.push(cell);
    });
    if let Err(mismatch) = outcome {
        eprintln!("error: {mismatch}");
        return ExitCode::from(2);
    }
    if cells.is_empty() {
        eprintln!("error: --only matches no cell");
        return ExitCode::from(2);
    }
    let report = Report::new(machine, options.plan(), cells);
    print!("{}", report.table());

    let folder = options.out_folder();
    match report.write(&folder) {
        Ok(()) => println!(
            "\n{} cells in {:.0} s; report.json in {}",
            report.cells.len(),
            start.elapsed().as_secs_f64(),
            folder.display(),
        ),
        Err(error) => {
            eprintln!("error: cannot write to {}: {error}", folder.display());
            return ExitCode::from(2);
        }
    }
    let Some(least) = options.assert_min else {
        return ExitCode::SUCCESS;
    };
    let mut failed = false;
    for cell in report.below(least) {
        println!("below {least}: {} ({:.2})", cell.name, cell.least_ratio());
        failed = true;
    }
    ExitCode::from(u8::from(failed))
}
