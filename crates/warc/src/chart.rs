//! Charts of the summary as SVG, drawn by plotters.
//!
//! Colours suit a light page; the style of the [page](super::page) replaces them on a dark one.

use plotters::coord::ranged1d::{SegmentValue, SegmentedCoord};
use plotters::coord::types::RangedCoordusize;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;

/// The colour of text and lines.
pub const INK: RGBColor = RGBColor(31, 35, 40);
/// The colour of grid lines.
pub const GRID: RGBColor = RGBColor(209, 217, 224);
/// Colours of a matrix: no document in disagreement, some, most.
pub const CALM: RGBColor = RGBColor(190, 215, 240);
pub const MIXED: RGBColor = RGBColor(255, 221, 160);
pub const LOUD: RGBColor = RGBColor(250, 179, 140);

const WIDTH: u32 = 960;
const LABEL: u32 = 170;
const TEXT: f64 = 13.0 * 1.24;
const BAR: u32 = 22;
const CELL: u32 = 92;
const ROW: u32 = 26;

/// A bar with its name, its length and its colour.
pub struct Bar {
    pub name: String,
    pub value: u64,
    pub colour: RGBColor,
}

/// Draws horizontal bars on a logarithmic scale, the first one on top; `what` names the unit. There must be at least one
/// bar.
pub fn bars(bars: &[Bar], what: &str) -> Result<String, Box<dyn Error>> {
    // With this start, a bar of 1 is visible.
    const START: f64 = 0.5;
    let most = bars.iter().map(|bar| bar.value).max().unwrap_or(1);
    let count = bars.len();
    let mut svg = String::new();
    {
        let size = (WIDTH, BAR * count as u32 + 70);
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let mut chart = ChartBuilder::on(&root)
            .margin_right(90)
            .y_label_area_size(LABEL)
            .x_label_area_size(50)
            .build_cartesian_2d((START..most as f64 * 1.2).log_scale(), segments(count))?;
        let name = |place: &SegmentValue<usize>| match place {
            SegmentValue::CenterOf(row) if *row < count => bars[count - 1 - row].name.clone(),
            _ => String::new(),
        };
        chart
            .configure_mesh()
            .disable_y_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style(("sans-serif", TEXT).into_font().color(&INK))
            .y_labels(count)
            .y_label_formatter(&name)
            .x_label_formatter(&|value| format!("{value}"))
            .x_desc(what)
            .draw()?;
        let place = |row: usize| count - 1 - row;
        chart.draw_series(bars.iter().enumerate().map(|(row, bar)| {
            let (low, high) = (place(row), place(row) + 1);
            let corners = [
                (START, edge(low, count)),
                (bar.value as f64, edge(high, count)),
            ];
            let mut rectangle = Rectangle::new(corners, bar.colour.filled());
            rectangle.set_margin(3, 3, 0, 0);
            rectangle
        }))?;
        let style = label(HPos::Left);
        chart.draw_series(bars.iter().enumerate().map(|(row, bar)| {
            let end = (bar.value as f64, SegmentValue::CenterOf(place(row)));
            EmptyElement::at(end) + Text::new(bar.value.to_string(), (5, 0), style.clone())
        }))?;
        root.present()?;
    }
    Ok(svg)
}

/// A cell of a matrix.
#[derive(Clone, Copy, Default)]
pub struct Cell {
    pub documents: u64,
    /// The number of documents in disagreement.
    pub disagreeing: u64,
}

impl Cell {
    fn colour(self) -> RGBColor {
        match self.disagreeing {
            0 => CALM,
            some if 2 * some < self.documents => MIXED,
            _ => LOUD,
        }
    }
}

/// The number of documents for each pair of encodings from two sources, with at least one row and one column.
pub struct Matrix {
    pub rows: Vec<&'static str>,
    pub columns: Vec<&'static str>,
    pub cells: Vec<Vec<Cell>>,
}

/// Draws a matrix with a number in each cell; `down` and `across` name the sources.
pub fn matrix(matrix: &Matrix, down: &str, across: &str) -> Result<String, Box<dyn Error>> {
    let (rows, columns) = (matrix.rows.len(), matrix.columns.len());
    let mut svg = String::new();
    {
        let size = (LABEL + CELL * columns as u32 + 20, ROW * rows as u32 + 80);
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let mut chart = ChartBuilder::on(&root)
            .margin(10)
            .y_label_area_size(LABEL)
            .x_label_area_size(60)
            .build_cartesian_2d(segments(columns), segments(rows))?;
        let name = |names: &[&'static str], place: &SegmentValue<usize>| match place {
            SegmentValue::CenterOf(at) => names.get(*at).copied().unwrap_or_default().to_owned(),
            _ => String::new(),
        };
        let from_top: Vec<_> = matrix.rows.iter().rev().copied().collect();
        let font = ("sans-serif", TEXT).into_font();
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(TRANSPARENT)
            .axis_style(INK)
            .label_style(font.color(&INK))
            .x_labels(columns)
            .y_labels(rows)
            .x_label_formatter(&|place| name(&matrix.columns, place))
            .y_label_formatter(&|place| name(&from_top, place))
            .x_desc(across)
            .y_desc(down)
            .draw()?;
        let cells = || {
            let rows_with_cells = matrix.cells.iter().enumerate();
            rows_with_cells.flat_map(|(row, cells)| {
                let filled = cells.iter().enumerate().filter(|cell| cell.1.documents > 0);
                filled.map(move |(column, cell)| (rows - 1 - row, column, *cell))
            })
        };
        chart.draw_series(cells().map(|(row, column, cell)| {
            let corners = [
                (edge(column, columns), edge(row, rows)),
                (edge(column + 1, columns), edge(row + 1, rows)),
            ];
            let mut rectangle = Rectangle::new(corners, cell.colour().filled());
            rectangle.set_margin(1, 1, 1, 1);
            rectangle
        }))?;
        let style = label(HPos::Center);
        chart.draw_series(cells().map(|(row, column, cell)| {
            let center = (SegmentValue::CenterOf(column), SegmentValue::CenterOf(row));
            Text::new(short(cell.documents), center, style.clone())
        }))?;
        root.present()?;
    }
    Ok(svg)
}

/// Returns an axis of `count` segments, but at least two, as plotters cannot draw an axis of one.
fn segments(count: usize) -> SegmentedCoord<RangedCoordusize> {
    (0..count.max(2) - 1).into_segmented()
}

/// Returns the line before a segment, or after the last of `count`.
fn edge(segment: usize, count: usize) -> SegmentValue<usize> {
    if segment == count.max(2) {
        SegmentValue::Last
    } else {
        SegmentValue::Exact(segment)
    }
}

fn label(horizontal: HPos) -> TextStyle<'static> {
    let style = ("sans-serif", TEXT).into_font().color(&INK);
    style.pos(Pos::new(horizontal, VPos::Center))
}

/// Shortens a count so that it fits into a cell.
fn short(count: u64) -> String {
    match count {
        0..100_000 => count.to_string(),
        100_000..10_000_000 => format!("{}k", count / 1000),
        _ => format!("{}M", count / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_loud_where_half_of_its_documents_disagree() {
        for (documents, disagreeing, expected) in [
            (10, 0, CALM),
            (10, 1, MIXED),
            (10, 4, MIXED),
            (10, 5, LOUD),
            (1, 1, LOUD),
            (3, 1, MIXED),
            (0, 0, CALM),
        ] {
            let cell = Cell {
                documents,
                disagreeing,
            };
            assert_eq!(cell.colour(), expected, "{disagreeing} of {documents}");
        }
    }

    #[test]
    fn a_count_has_at_most_five_characters() {
        for (count, shown) in [
            (0, "0"),
            (99_999, "99999"),
            (100_000, "100k"),
            (9_999_999, "9999k"),
            (10_000_000, "10M"),
            (9_999_000_000, "9999M"),
        ] {
            assert_eq!(short(count), shown);
        }
    }
}
