//! The report in three forms: JSON for tools, a picture, and a table for the terminal, with a row per cell, a column per
//! library, and ratios beside speeds.

mod svg;

use crate::cells::Cell;
use crate::contestants::{ICONV, ICU, MEMCPY, SIMDUTF, SIMDUTF_TWO_PASSES};
use crate::machine::Machine;
use crate::timing::Plan;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

/// Peers in the order of their columns.
const PEERS: [&str; 6] = [
    "encoding_rs",
    SIMDUTF,
    SIMDUTF_TWO_PASSES,
    ICONV,
    ICU,
    MEMCPY,
];

/// The results of a run, with the machine that they were measured on.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Machine, versions and date.
    pub machine: Machine,
    /// Rounds and slices.
    pub plan: Plan,
    /// The cells, by operation.
    pub cells: Vec<Cell>,
}

impl Report {
    /// Creates a report of these cells.
    pub fn new(machine: Machine, plan: Plan, mut cells: Vec<Cell>) -> Self {
        // The sort is stable: the cells of an operation stay in the order in which they were measured.
        cells.sort_by_key(|cell| cell.operation as usize);
        Self {
            machine,
            plan,
            cells,
        }
    }

    /// Returns the cells by operation.
    fn groups(&self) -> impl Iterator<Item = &[Cell]> {
        self.cells.chunk_by(|a, b| a.operation == b.operation)
    }

    /// Returns the report as a table of text.
    pub fn table(&self) -> String {
        let mut table = format!(
            "{}\n{} rounds of slices of {} ms; GB/s of input, and how many times as fast as the peer mojika is;\n\
             \"differs\": the peer's output is not the Standard's; \"-\": the peer has no such function, or only with errors\n",
            self.machine.line(),
            self.plan.rounds,
            self.plan.slice_nanos as f64 / 1e6,
        );
        let width = self
            .cells
            .iter()
            .map(|cell| place(cell).len())
            .max()
            .unwrap_or(0)
            .max(16);
        for group in self.groups() {
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
                        None if cell.differing.contains(name) => {
                            write!(table, "  {:>17}", "differs")
                        }
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

    /// Writes `report.json` and `report.svg`.
    ///
    /// # Errors
    ///
    /// Errors of the file system.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let json = serde_json::to_string_pretty(self).map_err(io::Error::other)?;
        fs::write(folder.join("report.json"), json + "\n")?;
        let picture = svg::render(self).map_err(io::Error::other)?;
        fs::write(folder.join("report.svg"), picture)
    }

    /// Returns the cells in which mojika is less than `least` times as fast as a peer.
    pub fn below(&self, least: f64) -> impl Iterator<Item = &Cell> {
        self.cells
            .iter()
            .filter(move |cell| cell.least_ratio() < least)
    }
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

/// Returns the geometric mean of ratios.
fn geometric_mean(ratios: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = ratios.fold((0.0, 0), |(sum, n), ratio| (sum + ratio.ln(), n + 1));
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::Peer;
    use crate::contestants::Operation;
    use crate::timing::Ratio;

    fn cell(operation: Operation, peers: &[(&'static str, f64)]) -> Cell {
        let peer = |&(name, ratio)| Peer {
            name,
            gb_per_s: 1.0,
            ratio: Ratio {
                median: ratio,
                low: ratio,
                high: ratio,
            },
        };
        Cell {
            name: format!("{}/gbk/zh_cn/dense", operation.name()),
            operation,
            encoding: "GBK",
            language: "zh_cn",
            kind: "dense".into(),
            input_length: 100,
            gb_per_s: 2.0,
            differing: Vec::new(),
            peers: peers.iter().map(peer).collect(),
        }
    }

    fn report() -> Report {
        let plan = Plan {
            rounds: 1,
            slice_nanos: 1,
        };
        let cells = vec![
            cell(Operation::EncodeFromUtf8, &[("encoding_rs", 0.5)]),
            cell(
                Operation::DecodeToUtf8,
                &[("encoding_rs", 2.0), (MEMCPY, 0.1)],
            ),
            cell(
                Operation::DecodeToUtf8,
                &[("encoding_rs", 8.0), ("iconv", 30.0)],
            ),
        ];
        Report::new(Machine::new(), plan, cells)
    }

    #[test]
    fn cells_come_by_operation_and_the_limit_is_no_peer() {
        let report = report();
        assert_eq!(
            report.groups().map(<[Cell]>::len).collect::<Vec<_>>(),
            [2, 1]
        );
        let below: Vec<_> = report.below(1.0).map(|cell| &*cell.name).collect();
        assert_eq!(below, ["encode-from-utf8/gbk/zh_cn/dense"]);
        assert_eq!(report.below(0.5).count(), 0);
    }

    #[test]
    fn table_has_every_cell_and_the_mean_per_operation() {
        let table = report().table();
        assert_eq!(table.matches("gbk/zh_cn/dense").count(), 3, "{table}");
        let mean = table
            .lines()
            .find(|line| line.contains("geometric mean"))
            .unwrap();
        assert!(mean.contains("4.00x"), "{table}");
    }

    #[test]
    fn json_and_picture_are_written() {
        let folder = std::env::temp_dir().join(format!("mojika-report-{}", std::process::id()));
        report().write(&folder).unwrap();
        let json = fs::read_to_string(folder.join("report.json")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["cells"][0]["peers"][0]["ratio"]["median"], 2.0);
        let picture = fs::read_to_string(folder.join("report.svg")).unwrap();
        assert!(picture.starts_with("<svg") && picture.contains("decode-to-utf8"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn geometric_mean_of_nothing_is_none() {
        assert_eq!(geometric_mean([].into_iter()), None);
        let mean = geometric_mean([2.0, 8.0].into_iter()).unwrap();
        assert!((mean - 4.0).abs() < 1e-12);
    }
}
