//! Arguments of other programs, and the equivalent commands.

/// Returns the equivalent mojika command for another program's arguments. `given` lacks the program's name.
pub fn hint(given: &[&str], unknown: &str) -> Option<String> {
    if let Some((from, to, newline)) = range(unknown) {
        let files = given
            .iter()
            .filter(|one| **one != unknown && **one != "convert");
        let files: Vec<_> = files.copied().collect();
        return Some(match files.is_empty() {
            true => {
                format!("recode's {unknown} is: mojika convert --from {from} --to {to}{newline}")
            }
            false => format!(
                "recode's {unknown} FILE is: mojika convert --from {from} --to {to}{newline} --in-place {}",
                files.join(" ")
            ),
        });
    }
    let name = unknown.split('=').next().unwrap_or(unknown);
    let row = HINTS.iter().find(|(names, _)| names.contains(&name));
    row.map(|(_, hint)| (*hint).to_owned())
}

/// Returns the labels in recode's "latin1..utf8", and the option for line ends if a label is followed by "/CR-LF".
/// Other surfaces of recode are not supported.
fn range(argument: &str) -> Option<(&str, &str, &'static str)> {
    let (from, to) = argument.split_once("..")?;
    let ((from, was_crlf), (to, is_crlf)) = (label(from)?, label(to)?);
    let newline = match (was_crlf, is_crlf) {
        (_, true) => " --newline crlf",
        (true, false) => " --newline lf",
        (false, false) => "",
    };
    Some((from, to, newline))
}

/// Returns a label, and true if "/CR-LF" follows it.
fn label(text: &str) -> Option<(&str, bool)> {
    let (label, surface) = text.split_once('/').unwrap_or((text, ""));
    let is_crlf = surface.eq_ignore_ascii_case("CR-LF");
    let is_known = mojika::extended::find(label).is_some() && (is_crlf || surface.is_empty());
    is_known.then_some((label, is_crlf))
}

/// The equivalent command for each argument.
const HINTS: &[(&[&str], &str)] = &[
    (
        &["-x"],
        "enca's -x LABEL is --to LABEL; of uconv's transliterations, any-nfc is --normalize nfc, and any-ascii is --to LABEL//TRANSLIT",
    ),
    (
        &[
            "--callback",
            "--from-callback",
            "--to-callback",
            "--substitute",
        ],
        "uconv's callbacks are --errors: fatal, replacement, html or skip",
    ),
    (
        &["--byte-subst", "--widechar-subst", "--unicode-subst"],
        "libiconv's substitutes are --errors replacement or --errors html",
    ),
    (
        &["--add-signature", "--remove-signature"],
        "uconv's signatures are --bom add and --bom strip",
    ),
    (
        &["-w", "-w8", "-w16"],
        "nkf's -w is --to utf-8, with --from auto",
    ),
    (
        &["-S", "-E", "-J", "-W"],
        "nkf's -S, -E, -J and -W are --from shift_jis, euc-jp, iso-2022-jp and utf-8",
    ),
    (&["--ic"], "nkf's --ic=LABEL is --from LABEL"),
    (&["--oc"], "nkf's --oc=LABEL is --to LABEL"),
    (
        &["-g", "--guess"],
        "to find out which encoding files are in: mojika detect FILE",
    ),
    (
        &["-L", "-Lu", "-Lw"],
        "enca's -L LANGUAGE is --locale LANGUAGE; nkf's -Lu and -Lw are --newline lf and --newline crlf",
    ),
    (&["-d"], "line ends are --newline lf or --newline crlf"),
    (
        &["--overwrite", "--in-place"],
        "to replace files: mojika convert --in-place FILE",
    ),
    (
        &["-R", "--recursive"],
        "folders are read with all that is below them: mojika convert DIR -o OUT/",
    ),
    (
        &[
            "--encoding",
            "--charset",
            "--input-encoding",
            "--output-encoding",
        ],
        "the encoding of the input is --from LABEL, that of the output --to LABEL",
    ),
    (
        &["-r", "--notest", "--nfc", "--nfd"],
        "folders are read with all that is below them; to change names of files as convmv does: mojika names --from LABEL DIR, with --rename, and --normalize nfc",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_recode_is_answered_with_the_command() {
        assert_eq!(
            hint(&["latin1..utf8", "a.txt"], "latin1..utf8").unwrap(),
            "recode's latin1..utf8 FILE is: mojika convert --from latin1 --to utf8 --in-place a.txt"
        );
        assert_eq!(
            hint(&["convert", "latin1..utf8"], "latin1..utf8").unwrap(),
            "recode's latin1..utf8 is: mojika convert --from latin1 --to utf8"
        );
        for (surfaces, newline) in [
            (["/CR-LF", ""], " --newline lf"),
            (["", "/cr-lf"], " --newline crlf"),
            (["/CR-LF", "/CR-LF"], " --newline crlf"),
            (["/", ""], ""),
        ] {
            let unknown = format!("latin1{}..utf8{}", surfaces[0], surfaces[1]);
            let expected =
                format!("recode's {unknown} is: mojika convert --from latin1 --to utf8{newline}");
            assert_eq!(hint(&[&unknown], &unknown).unwrap(), expected);
        }
        for unknown in ["a..b", "latin1..b", "a..utf8", "latin1/QP..utf8"] {
            assert_eq!(hint(&[unknown], unknown), None);
        }
        assert_eq!(hint(&["../x"], "../x"), None);
        assert!(
            hint(&["-x", "any-nfc"], "-x")
                .unwrap()
                .contains("//TRANSLIT")
        );
        assert_eq!(hint(&["--unheard-of"], "--unheard-of"), None);
    }
}
