//! The picture: a panel per operation, a row per cell, a horizontal bar per peer with mojika's ratio to it.
//!
//! The scale is logarithmic, since twice as fast and half as fast are equally far from the line at 1.

use super::Report;
use crate::cells::Cell;
use crate::contestants::{ICONV, ICU, MEMCPY};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;

/// Peers and the colours of their bars.
const PEERS: [(&str, RGBColor); 5] = [
    ("encoding_rs", RGBColor(31, 119, 180)),
    ("simdutf", RGBColor(255, 127, 14)),
    (ICONV, RGBColor(148, 148, 148)),
    (ICU, RGBColor(148, 103, 189)),
    (MEMCPY, RGBColor(44, 160, 44)),
];

const PANEL_WIDTH: i32 = 760;
const NAME_WIDTH: i32 = 230;
const ROW: i32 = 16;
const HEAD: i32 = 44;
const TITLE: i32 = 56;
const COLUMNS: usize = 2;
/// Ends of the scale; longer bars are cut.
const SCALE: (f64, f64) = (0.1, 100.0);
const TICKS: [f64; 7] = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The report as SVG.
pub fn render(report: &Report) -> Result<String, Box<dyn Error + Send + Sync>> {
    let groups: Vec<&[Cell]> = report.groups().collect();
    let panel_height = |group: &[Cell]| HEAD + ROW * group.len() as i32 + 16;
    let bands: Vec<&[&[Cell]]> = groups.chunks(COLUMNS).collect();
    let band_height = |band: &[&[Cell]]| {
        band.iter()
            .map(|group| panel_height(group))
            .max()
            .unwrap_or(0)
    };
    let height = TITLE + bands.iter().map(|band| band_height(band)).sum::<i32>();
    let width = PANEL_WIDTH * COLUMNS as i32;

    let mut picture = String::new();
    {
        let root = SVGBackend::with_string(&mut picture, (width as u32, height as u32))
            .into_drawing_area();
        draw(&root, report, &bands, band_height).map_err(|error| error.to_string())?;
        root.present().map_err(|error| error.to_string())?;
    }
    Ok(picture)
}

fn draw(
    root: &Area<'_>,
    report: &Report,
    bands: &[&[&[Cell]]],
    band_height: impl Fn(&[&[Cell]]) -> i32,
) -> Result<(), Box<dyn Error>> {
    root.fill(&WHITE)?;
    text(root, (8, 16), &report.machine.line(), HPos::Left, &BLACK)?;
    let mut x = 8;
    for (name, colour) in PEERS {
        root.draw(&Rectangle::new([(x, 30), (x + 10, 40)], colour.filled()))?;
        let label = format!("times as fast as {name}");
        text(root, (x + 14, 35), &label, HPos::Left, &BLACK)?;
        x += 190;
    }
    let mut top = TITLE;
    for band in bands {
        for (column, group) in band.iter().enumerate() {
            panel(root, (PANEL_WIDTH * column as i32, top), group)?;
        }
        top += band_height(band);
    }
    Ok(())
}

fn panel(root: &Area<'_>, (left, top): (i32, i32), group: &[Cell]) -> Result<(), Box<dyn Error>> {
    let bottom = top + HEAD + ROW * group.len() as i32;
    let title = (left + NAME_WIDTH, top + 10);
    text(root, title, group[0].operation.name(), HPos::Left, &BLACK)?;
    for tick in TICKS {
        let x = left + place_on_scale(tick);
        let colour = if tick == 1.0 {
            BLACK
        } else {
            RGBColor(220, 220, 220)
        };
        root.draw(&PathElement::new(
            vec![(x, top + HEAD - 6), (x, bottom)],
            colour,
        ))?;
        text(
            root,
            (x, top + HEAD - 14),
            &format!("{tick}x"),
            HPos::Center,
            &BLACK,
        )?;
    }
    for (row, cell) in group.iter().enumerate() {
        let y = top + HEAD + ROW * row as i32;
        let name = cell.name.split_once('/').map_or("", |(_, place)| place);
        let name_colour = if cell.least_ratio() < 1.0 { RED } else { BLACK };
        let name_place = (left + NAME_WIDTH - 6, y + ROW / 2);
        text(root, name_place, name, HPos::Right, &name_colour)?;
        let thickness = (ROW - 3) / cell.peers.len().max(1) as i32;
        for (place, peer) in cell.peers.iter().enumerate() {
            let colour = PEERS
                .iter()
                .find(|(name, _)| *name == peer.name)
                .map_or(BLACK, |(_, colour)| *colour);
            let bar_top = y + 1 + thickness * place as i32;
            let ends = [
                left + place_on_scale(1.0),
                left + place_on_scale(peer.ratio.median),
            ];
            let bar = [
                (ends[0].min(ends[1]), bar_top),
                (
                    ends[0].max(ends[1]).max(ends[0] + 1),
                    bar_top + thickness - 1,
                ),
            ];
            root.draw(&Rectangle::new(bar, colour.filled()))?;
        }
    }
    Ok(())
}

/// Distance of a ratio from the left end of its panel.
fn place_on_scale(ratio: f64) -> i32 {
    let (low, high) = SCALE;
    let share = (ratio.clamp(low, high) / low).ln() / (high / low).ln();
    NAME_WIDTH + (share * f64::from(PANEL_WIDTH - NAME_WIDTH - 40)) as i32
}

fn text(
    root: &Area<'_>,
    place: (i32, i32),
    text: &str,
    side: HPos,
    colour: &RGBColor,
) -> Result<(), Box<dyn Error>> {
    let style = ("sans-serif", 14)
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
    fn the_scale_is_symmetric_about_1() {
        let one = place_on_scale(1.0);
        assert!((place_on_scale(2.0) - one - (one - place_on_scale(0.5))).abs() <= 1);
        assert_eq!(place_on_scale(1e9), place_on_scale(100.0));
    }
}
