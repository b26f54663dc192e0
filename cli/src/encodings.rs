//! `mojika encodings`: lists the encodings of the Standard, then those of `extended`.

use crate::args::EncodingsArgs;
use mojika::{Encoding, extended};
use mojika_convert::labels;
use mojika_convert::output::print;
use mojika_convert::report::Failure;

/// Runs the subcommand.
pub fn run(args: &EncodingsArgs) -> Result<(), Failure> {
    let list = if let Some(label) = &args.label {
        format!("{}\n", labels::find(label)?)
    } else if args.json {
        json()
    } else {
        lines(args.names)
    };
    print(list.as_bytes())
}

/// Returns the names of an encoding: the Standard's labels, or the names of `extended`, in lower case.
fn names(encoding: &'static Encoding) -> Vec<String> {
    let labels = encoding.labels().map(str::to_owned);
    labels
        .chain(extended::names(encoding).map(str::to_lowercase))
        .collect()
}

/// Returns a line for each encoding: its name and, unless `only_names` is set, its labels. Encodings of `extended` also
/// have the Windows code page.
fn lines(only_names: bool) -> String {
    let mut list = String::new();
    for &encoding in Encoding::all() {
        list += encoding.name();
        if !only_names {
            list += &format!(": {}", names(encoding).join(", "));
        }
        list.push('\n');
    }
    if !only_names {
        list += "\nnot in the Standard (where a label above is the same, write extended:NAME):\n";
    }
    for encoding in extended::all() {
        list += encoding.name();
        if !only_names {
            list += &format!(": {}", names(encoding).join(", "));
            if let Some(number) = encoding.windows_code_page() {
                list += &format!(" (Windows code page {number})");
            }
        }
        list.push('\n');
    }
    list
}

/// Returns a JSON array of objects. No name needs an escape.
fn json() -> String {
    let standard = Encoding::all()
        .iter()
        .map(|&encoding| (encoding, "standard"));
    let others = extended::all().map(|encoding| (encoding, "extended"));
    let objects: Vec<String> = standard
        .chain(others)
        .map(|(encoding, room)| {
            let number = encoding.windows_code_page();
            let number = number.map_or("null".to_owned(), |number| number.to_string());
            format!(
                "  {{\"name\": \"{encoding}\", \"room\": \"{room}\", \"labels\": [\"{}\"], \"windows_code_page\": {number}}}",
                names(encoding).join("\", \"")
            )
        })
        .collect();
    format!("[\n{}\n]\n", objects.join(",\n"))
}
