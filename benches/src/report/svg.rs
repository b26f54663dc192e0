//! The chart: a panel per operation, a row per cell, and a horizontal bar per peer with mojika's ratio to it.
//!
//! The scale is logarithmic, because twice as fast and half as fast are then equally far from the line at 1. It covers the
//! longest bar. GitHub shows images 1,000 pixels wide, on a light or a dark page.

use super::Report;
use crate::cells::Cell;
use crate::contestants::{ICONV, ICU, MEMCPY, SIMDUTF, SIMDUTF_TWO_PASSES};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;

/// Peers and the colours of their bars.
const PEERS: [(&str, RGBColor); 6] = [
    ("encoding_rs", RGBColor(31, 119, 180)),
    (SIMDUTF, RGBColor(255, 127, 14)),
    (SIMDUTF_TWO_PASSES, RGBColor(255, 187, 120)),
    (ICONV, RGBColor(148, 148, 148)),
    (ICU, RGBColor(148, 103, 189)),
    (MEMCPY, RGBColor(44, 160, 44)),
];

const GRID: RGBColor = RGBColor(220, 220, 220);
/// A style that replaces the colours if the reader's system is in dark mode.
const DARK: &str = "<style>@media (prefers-color-scheme: dark) { \
    [fill='#FFFFFF'] { fill: #0D1117 } [fill='#000000'] { fill: #E6EDF3 } [fill='#FF0000'] { fill: #FF7B72 } \
    [stroke='#000000'] { stroke: #E6EDF3 } [stroke='#DCDCDC'] { stroke: #30363D } }</style>";

const PANEL_WIDTH: i32 = 500;
const NAME_WIDTH: i32 = 200;
const LEGEND_WIDTH: i32 = 160;
const BAR: i32 = 5;
const LEAST_ROW: i32 = 18;
const HEAD: i32 = 44;
const COLUMNS: usize = 2;
/// The size of text: 14 pixels, as plotters divides it by 1.24.
const TEXT: f64 = 14.0 * 1.24;
/// Height of a line of text.
const LINE: i32 = 22;
/// The number of characters of text that fit into the picture's width.
const MOST_CHARACTERS: usize = 120;
/// The limits of the scale; longer bars are cut.
const SCALE: (f64, f64) = (0.1, 100.0);
const TICKS: [f64; 7] = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Renders the report as SVG.
pub fn render(report: &Report) -> Result<String, Box<dyn Error + Send + Sync>> {
    let picture = Picture {
        report,
        scale: Scale::of(report),
        legend: PEERS
            .into_iter()
            .filter(|(name, _)| report.cells.iter().any(|cell| cell.peer(name).is_some()))
            .collect(),
    };
    let mut svg = String::new();
    {
        let size = (PANEL_WIDTH as u32 * COLUMNS as u32, picture.height() as u32);
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        picture.draw(&root).map_err(|error| error.to_string())?;
        root.present().map_err(|error| error.to_string())?;
    }
    if let Some(end) = svg.find('>') {
        svg.insert_str(end + 1, DARK);
    }
    Ok(svg)
}

/// Breaks text at `" | "` into lines of at most `most` characters, but with at least one part each.
fn fold(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in text.split(" | ") {
        match lines.last_mut() {
            Some(line) if line.len() + 3 + part.len() <= most => {
                line.push_str(" | ");
                line.push_str(part);
            }
            _ => lines.push(part.to_owned()),
        }
    }
    lines
}

/// The lowest and the highest ratio on a logarithmic axis.
#[derive(Clone, Copy)]
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// Returns the ticks next to the smallest and the largest ratio.
    fn of(report: &Report) -> Self {
        let ratios = || {
            let peers = report.cells.iter().flat_map(|cell| &cell.peers);
            peers.map(|peer| peer.ratio.median.clamp(SCALE.0, SCALE.1))
        };
        let (least, most) = (ratios().fold(1.0, f64::min), ratios().fold(1.0, f64::max));
        let low = TICKS.into_iter().rfind(|&tick| tick <= least);
        Self {
            low: low.unwrap_or(SCALE.0),
            high: (1.1 * most).max(3.0),
        }
    }

    /// Returns the distance of a ratio from the left end of its panel.
    fn place(self, ratio: f64) -> i32 {
        let share =
            (ratio.clamp(self.low, self.high) / self.low).ln() / (self.high / self.low).ln();
        NAME_WIDTH + (share * f64::from(PANEL_WIDTH - NAME_WIDTH - 24)) as i32
    }
}

struct Picture<'a> {
    report: &'a Report,
    scale: Scale,
    /// The peers that are drawn.
    legend: Vec<(&'static str, RGBColor)>,
}

impl Picture<'_> {
    /// Returns the rows of panels.
    fn bands(&self) -> Vec<Vec<&[Cell]>> {
        let groups: Vec<&[Cell]> = self.report.groups().collect();
        groups.chunks(COLUMNS).map(<[_]>::to_vec).collect()
    }

    /// Returns the description of the machine and the peers, in lines that fit the picture's width.
    fn machine(&self) -> Vec<String> {
        fold(&self.report.machine.line(), MOST_CHARACTERS)
    }

    /// Returns the height of the lines above the panels.
    fn title(&self) -> i32 {
        54 + LINE * self.machine().len() as i32
    }

    fn height(&self) -> i32 {
        let bands = self.bands();
        self.title() + bands.iter().map(|band| band_height(band)).sum::<i32>()
    }

    fn draw(&self, root: &Area<'_>) -> Result<(), Box<dyn Error>> {
        root.fill(&WHITE)?;
        let mut top = 14;
        for line in self.machine() {
            text(root, (8, top), &line, HPos::Left, &BLACK)?;
            top += LINE;
        }
        let what = "Bars: how many times as fast as each peer mojika is (logarithmic). Red names: slower than a peer.";
        text(root, (8, top), what, HPos::Left, &BLACK)?;
        for (place, (name, colour)) in self.legend.iter().enumerate() {
            let x = 8 + LEGEND_WIDTH * place as i32;
            root.draw(&Rectangle::new(
                [(x, top + 17), (x + 12, top + 17 + BAR)],
                colour.filled(),
            ))?;
            text(root, (x + 18, top + 20), name, HPos::Left, &BLACK)?;
        }
        let mut top = self.title();
        for band in self.bands() {
            for (column, group) in band.iter().enumerate() {
                self.panel(root, (PANEL_WIDTH * column as i32, top), group)?;
            }
            top += band_height(&band);
        }
        Ok(())
    }

    fn panel(
        &self,
        root: &Area<'_>,
        (left, top): (i32, i32),
        group: &[Cell],
    ) -> Result<(), Box<dyn Error>> {
        let bottom = top + HEAD + group.iter().map(row_height).sum::<i32>();
        let title = (left + NAME_WIDTH, top + 10);
        text(root, title, group[0].operation.name(), HPos::Left, &BLACK)?;
        let shown = |tick: &f64| (self.scale.low..=self.scale.high).contains(tick);
        for tick in TICKS.into_iter().filter(shown) {
            let x = left + self.scale.place(tick);
            let colour = if tick == 1.0 { BLACK } else { GRID };
            let line = vec![(x, top + HEAD - 6), (x, bottom)];
            root.draw(&PathElement::new(line, colour))?;
            let place = (x, top + HEAD - 14);
            text(root, place, &format!("{tick}×"), HPos::Center, &BLACK)?;
        }
        let mut y = top + HEAD;
        for cell in group {
            let height = row_height(cell);
            let colour = if cell.least_ratio() < 1.0 { RED } else { BLACK };
            let place = (left + NAME_WIDTH - 6, y + height / 2);
            text(root, place, &row_name(cell), HPos::Right, &colour)?;
            let mut bar_top = y + (height - BAR * cell.peers.len() as i32) / 2;
            for peer in &cell.peers {
                let colour = PEERS.iter().find(|(name, _)| *name == peer.name);
                let one = left + self.scale.place(1.0);
                let end = left + self.scale.place(peer.ratio.median);
                let bar = [
                    (one.min(end), bar_top),
                    (one.max(end).max(one + 1), bar_top + BAR - 1),
                ];
                let colour = colour.map_or(BLACK, |(_, colour)| *colour);
                root.draw(&Rectangle::new(bar, colour.filled()))?;
                bar_top += BAR;
            }
            y += height;
        }
        Ok(())
    }
}

fn band_height(band: &[&[Cell]]) -> i32 {
    let heights = band
        .iter()
        .map(|group| HEAD + 16 + group.iter().map(row_height).sum::<i32>());
    heights.max().unwrap_or(0)
}

/// Returns the height of a row. Bars have one thickness, so rows with more peers are higher.
fn row_height(cell: &Cell) -> i32 {
    LEAST_ROW.max(BAR * cell.peers.len() as i32 + 4)
}

/// Returns encoding, language and kind of text, by the names of the README's table.
fn row_name(cell: &Cell) -> String {
    let kind = cell.kind.strip_prefix("shuffled-").unwrap_or(&cell.kind);
    let encoding = cell.encoding.to_ascii_lowercase();
    format!("{encoding} {} {kind}", cell.language)
}

fn text(
    root: &Area<'_>,
    place: (i32, i32),
    text: &str,
    side: HPos,
    colour: &RGBColor,
) -> Result<(), Box<dyn Error>> {
    let style = ("sans-serif", TEXT)
        .into_font()
        .color(colour)
        .pos(Pos::new(side, VPos::Center));
    root.draw(&Text::new(text.to_string(), place, style))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_folded_between_parts() {
        assert_eq!(fold("ab | cd | efghi | j", 7), ["ab | cd", "efghi", "j"]);
        assert_eq!(fold("efghi | j", 9), ["efghi | j"]);
        assert_eq!(fold("much longer", 3), ["much longer"]);
    }

    #[test]
    fn the_scale_is_symmetric_about_1() {
        let scale = Scale {
            low: SCALE.0,
            high: SCALE.1,
        };
        let one = scale.place(1.0);
        assert!((scale.place(2.0) - one - (one - scale.place(0.5))).abs() <= 1);
        assert_eq!(scale.place(1e9), scale.place(100.0));
    }
}
