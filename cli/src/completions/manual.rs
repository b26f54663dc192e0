//! Man pages: the help text in the sections of man-pages(7).

use crate::command::Cli;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use roff::{Roff, bold, roman};
use std::io;

/// The section of the manual for commands.
const SECTION: &str = "1";

/// The headings in the help text that follow the options, with their sections, in page order.
const SECTIONS: [(&str, &str); 2] = [("Exit status:", "EXIT STATUS"), ("Examples:", "EXAMPLES")];

/// A page: its name without the section, and its text.
pub struct Page {
    pub name: String,
    pub text: Vec<u8>,
}

/// Returns the page of the command, and those of its subcommands.
///
/// # Errors
///
/// Fails if a page cannot be written to memory.
pub fn pages() -> io::Result<Vec<Page>> {
    let mut command = Cli::command().disable_help_subcommand(true);
    // This gives subcommands their full names: `mojika convert`, and `mojika-convert` in titles.
    command.build();
    let commands = std::iter::once(&command).chain(command.get_subcommands());
    commands.map(|one| page(one, &command)).collect()
}

fn page(command: &Command, whole: &Command) -> io::Result<Page> {
    let name = name(command);
    let man = Man::new(command.clone())
        .title(name.to_uppercase())
        .source(concat!("mojika ", env!("CARGO_PKG_VERSION")))
        .manual("User Commands");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    synopsis(command).to_writer(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    let after = command
        .get_after_long_help()
        .or_else(|| command.get_after_help());
    let after = after.map(ToString::to_string).unwrap_or_default();
    for (heading, section) in SECTIONS {
        let of_section = |part: &&str| part.lines().next() == Some(heading);
        if let Some(part) = after.split("\n\n").find(of_section) {
            list(part, section).to_writer(&mut text)?;
        }
    }
    see_also(&name, whole).to_writer(&mut text)?;
    Ok(Page { name, text })
}

/// Returns the usage in one line; the options follow in another section.
fn synopsis(command: &Command) -> Roff {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let called = command.get_bin_name().unwrap_or_default();
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]);
    roff.text([
        bold(called),
        roman(usage.strip_prefix(called).unwrap_or(usage)),
    ]);
    roff
}

fn name(command: &Command) -> String {
    let name = command.get_display_name();
    name.unwrap_or_else(|| command.get_name()).to_owned()
}

/// Returns a part of the help, which starts with its heading, as a section with a list.
///
/// A line indented by two spaces begins an item. Its text follows after two more spaces, or in lines with deeper
/// indentation.
fn list(part: &str, section: &str) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", [section]);
    for line in part.lines().skip(1) {
        let Some(item) = line
            .strip_prefix("  ")
            .filter(|item| !item.starts_with(' '))
        else {
            roff.text([roman(line.trim())]);
            continue;
        };
        let (tag, text) = item.split_once("  ").unwrap_or((item, ""));
        roff.control("TP", []);
        roff.text([bold(tag)]);
        if !text.is_empty() {
            roff.text([roman(text.trim())]);
        }
    }
    roff
}

/// Returns the list of the other pages.
fn see_also(own: &str, whole: &Command) -> Roff {
    let pages = std::iter::once(whole).chain(whole.get_subcommands());
    let mut others: Vec<_> = pages.map(name).filter(|name| name != own).collect();
    others.push("iconv".to_owned());
    let last = others.len() - 1;
    let mut roff = Roff::new();
    roff.control("SH", ["SEE ALSO"]);
    for (at, other) in others.iter().enumerate() {
        let end = if at == last { "" } else { "," };
        roff.text([bold(other), roman(format!("({SECTION}){end}"))]);
    }
    roff
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page_of(name: &str) -> String {
        let page = pages().unwrap().into_iter().find(|page| page.name == name);
        String::from_utf8(page.expect(name).text).unwrap()
    }

    #[test]
    fn a_subcommand_is_written_as_it_is_called() {
        let page = page_of("mojika-convert");
        assert!(page.contains(".TH MOJIKA-CONVERT 1"), "{page}");
        assert!(page.contains("mojika\\-convert \\- Convert"), "{page}");
        assert!(
            page.contains("\\fBmojika convert\\fR [OPTIONS] [FILE]..."),
            "{page}"
        );
    }

    #[test]
    fn a_page_names_all_other_pages() {
        let pages = pages().unwrap();
        let names: Vec<_> = pages.iter().map(|page| page.name.clone()).collect();
        assert!(names.contains(&"mojika-detect".to_owned()), "{names:?}");
        for page in pages {
            let text = String::from_utf8(page.text).unwrap();
            let others = names.iter().filter(|name| **name != page.name);
            let others = others.map(|name| format!("\\fB{}\\fR(1),", name.replace('-', "\\-")));
            let expected: Vec<_> = others.chain(["\\fBiconv\\fR(1)".to_owned()]).collect();
            let (_, seen) = text.split_once(".SH \"SEE ALSO\"\n").unwrap();
            let seen: Vec<_> = seen.lines().filter(|line| !line.is_empty()).collect();
            assert_eq!(seen, expected, "{}", page.name);
        }
    }

    #[test]
    fn pages_have_the_sections_that_readers_look_for() {
        for page in pages().unwrap() {
            let text = String::from_utf8(page.text).unwrap();
            let sections: Vec<_> = text
                .lines()
                .filter(|line| line.starts_with(".SH"))
                .collect();
            assert_eq!(
                sections[..3],
                [".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION"]
            );
            assert_eq!(sections.last(), Some(&".SH \"SEE ALSO\""));
            assert!(!text.contains("Exit status:"), "{text}");
        }
        let page = page_of("mojika-convert");
        let after = |heading: &str| page.find(heading).expect(heading);
        assert!(after(".SH OPTIONS") < after(".SH \"EXIT STATUS\""));
        assert!(after(".SH \"EXIT STATUS\"") < after(".SH EXAMPLES"));
        assert!(page.contains(".TP\n\\fB0\\fR\ndone\n"), "{page}");
        let example = ".TP\n\\fBmojika convert \\-\\-mixed app.log \\-o app.utf\\-8.log\\fR\n";
        assert!(page.contains(example), "{page}");
    }
}
