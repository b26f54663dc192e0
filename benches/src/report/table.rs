//! The table: a row per cell, a column per library, ratios beside speeds.

use super::{Report, geometric_mean};
use crate::cells::Cell;
use crate::contestants::{ICONV, ICU, MEMCPY, SIMDUTF, SIMDUTF_TWO_PASSES};
use std::fmt::Write;

/// Peers in the order of their columns.
const PEERS: [&str; 6] = [
    "encoding_rs",
    SIMDUTF,
    SIMDUTF_TWO_PASSES,
    ICONV,
    ICU,
    MEMCPY,
];

/// Renders the report as text.
pub fn render(report: &Report) -> String {
    let mut table = format!(
        "{}\n{} rounds of slices of {} ms; GB/s of input, and how many times as fast as the peer mojika is;\n\
         \"differs\": the peer's output is not the Standard's; \"-\": the peer has no such function, or only with errors\n",
        report.machine.line(),
        report.plan.rounds,
        report.plan.slice_nanos as f64 / 1e6,
    );
    let width = report
        .cells
        .iter()
        .map(|cell| place(cell).len())
        .max()
        .unwrap_or(0)
        .max(16);
    for group in report.groups() {
        let _ = write!(
            table,
            "\n{:width$}  {:>8}",
            group[0].operation.name(),
            "mojika"
        );
        let columns = PEERS.map(|name| group.iter().any(|cell| cell.peer(name).is_some()));
        for (name, _) in PEERS.iter().zip(columns).filter(|(_, shown)| *shown) {
            let _ = write!(table, "  {name:>17}");
        }
        table.push('\n');
        for cell in group {
            let _ = write!(table, "{:width$}  {:>8.3}", place(cell), cell.gb_per_s);
            for (name, _) in PEERS.iter().zip(columns).filter(|(_, shown)| *shown) {
                let _ = match cell.peer(name) {
                    Some(peer) => {
                        write!(
                            table,
                            "  {:>8.3} {:>7.2}x",
                            peer.gb_per_s, peer.ratio.median
                        )
                    }
                    None if cell.differing.contains(name) => write!(table, "  {:>17}", "differs"),
                    None => write!(table, "  {:>17}", "-"),
                };
            }
            // Marks a cell in which mojika is slower.
            table.push_str(if cell.least_ratio() < 1.0 {
                "  <\n"
            } else {
                "\n"
            });
        }
        summary(
            &mut table,
            "geometric mean",
            width,
            group,
            columns,
            |ratios| geometric_mean(ratios.iter().copied()),
        );
        summary(&mut table, "least", width, group, columns, |ratios| {
            ratios.iter().copied().reduce(f64::min)
        });
    }
    table
}

/// Appends a line with one statistic for every column of ratios.
fn summary(
    table: &mut String,
    title: &str,
    width: usize,
    group: &[Cell],
    columns: [bool; PEERS.len()],
    of: impl Fn(&[f64]) -> Option<f64>,
) {
    let _ = write!(table, "{title:>width$}  {:>8}", "");
    for (name, _) in PEERS.iter().zip(columns).filter(|(_, shown)| *shown) {
        let ratios: Vec<f64> = group
            .iter()
            .filter_map(|cell| Some(cell.peer(name)?.ratio.median))
            .collect();
        let _ = write!(table, "  {:>16.2}x", of(&ratios).unwrap_or(f64::NAN));
    }
    table.push('\n');
}

/// Returns the name without the operation, which is in the heading.
fn place(cell: &Cell) -> &str {
    cell.name
        .split_once('/')
        .map_or(&*cell.name, |(_, place)| place)
}
