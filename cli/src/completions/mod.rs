//! Shell completions and man pages, generated from the options.

mod manual;

use crate::args::CompletionsArgs;
use crate::command::Cli;
use clap::builder::PossibleValuesParser;
use clap::{CommandFactory, ValueEnum};
use clap_complete::Shell;
use mojika::{Encoding, extended};
use mojika_convert::output::print;
use mojika_convert::report::Failure;
use std::fs;
use std::io;
use std::path::Path;

/// Runs `mojika completions`.
pub fn run(args: &CompletionsArgs) -> Result<(), Failure> {
    let Some(kind) = &args.kind else {
        return install(args.prefix.as_deref());
    };
    match Shell::from_str(kind, false) {
        Ok(shell) => print(&completions(shell)),
        // The only other kind is "man".
        Err(_) => print(&manual::pages().map_err(no_page)?[0].text),
    }
}

fn completions(shell: Shell) -> Vec<u8> {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut with_names(Cli::command()), "mojika", &mut bytes);
    bytes
}

/// Returns the command with the names of the encodings as values of options that take a label.
///
/// The values serve only for completion, because these options accept every label. Options without a subcommand are
/// those of `convert`; only iconv's are completed.
fn with_names(command: clap::Command) -> clap::Command {
    let names = names();
    let named = command.mut_subcommands(|subcommand| {
        subcommand.mut_args(|arg| match arg.get_id().as_str() {
            "from" => {
                let auto = std::iter::once("auto".to_owned());
                let values = auto.chain(names.iter().cloned());
                arg.value_parser(PossibleValuesParser::new(values))
            }
            "to" | "label" | "allow" => arg.value_parser(PossibleValuesParser::new(names.clone())),
            _ => arg,
        })
    });
    let convert = named.find_subcommand("convert");
    let args = convert.into_iter().flat_map(clap::Command::get_arguments);
    let of_iconv = args.filter(|arg| ["from", "to"].contains(&arg.get_id().as_str()));
    let of_iconv: Vec<_> = of_iconv.cloned().collect();
    named.args(of_iconv)
}

/// Returns the lower-case names of all encodings, except names that mean another encoding as a label.
fn names() -> Vec<String> {
    let standard = Encoding::all().iter().copied();
    let all = standard.chain(extended::all());
    let means_itself = |encoding: &&'static Encoding| {
        extended::find(encoding.name()).is_some_and(|found| found == *encoding)
    };
    let names = all.filter(means_itself);
    names
        .map(|encoding| encoding.name().to_ascii_lowercase())
        .collect()
}

fn no_page(error: io::Error) -> Failure {
    Failure::io("make", "the man page", error)
}

fn install(prefix: Option<&Path>) -> Result<(), Failure> {
    let home = || std::env::home_dir().map(|home| home.join(".local"));
    let Some(prefix) = prefix.map(Path::to_owned).or_else(home) else {
        return Err(Failure::usage(
            "there is no home folder: say where with --prefix DIR",
        ));
    };
    let share = prefix.join("share");
    let mut files = vec![
        (
            "bash-completion/completions/mojika".to_owned(),
            completions(Shell::Bash),
        ),
        (
            "zsh/site-functions/_mojika".to_owned(),
            completions(Shell::Zsh),
        ),
        (
            "fish/vendor_completions.d/mojika.fish".to_owned(),
            completions(Shell::Fish),
        ),
    ];
    for page in manual::pages().map_err(no_page)? {
        files.push((format!("man/man1/{}.1", page.name), page.text));
    }
    let mut list = String::new();
    for (path, bytes) in files {
        let path = share.join(path);
        let folder = path.parent().unwrap_or(&share);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, bytes))
            .map_err(|error| Failure::io("write", path.display().to_string(), error))?;
        list += &format!("{}\n", path.display());
    }
    print(list.as_bytes())
}
