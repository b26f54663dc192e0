//! The edition of the Standard's indexes in this repository, as stated by the Standard's own files.
//!
//! "If an identifier changes, so has the index" (section 5 of the Standard). `gen import` writes the identifiers into the
//! headers of `gen/indexes`, and `gen verify` compares them with the Standard's files. An upstream change is therefore
//! reported before the entries are compared.

/// An index, its identifier and its date.
pub struct Edition {
    pub name: &'static str,
    pub identifier: &'static str,
    pub date: &'static str,
}

/// Returns the edition of an index.
pub fn of(name: &str) -> Option<&'static Edition> {
    EDITIONS.iter().find(|edition| edition.name == name)
}

/// Returns the fields "Identifier" and "Date" in the header of a file.
pub fn stated(text: &str) -> [Option<&str>; 2] {
    ["# Identifier: ", "# Date: "].map(|field| {
        let mut header = text.lines().take_while(|line| line.starts_with('#'));
        header.find_map(|line| line.strip_prefix(field))
    })
}

const fn row(name: &'static str, identifier: &'static str, date: &'static str) -> Edition {
    Edition {
        name,
        identifier,
        date,
    }
}

#[rustfmt::skip]
const EDITIONS: [Edition; 34] = [
    row("big5", "8dfc771062e7be0810919082c2c06baa2236147909e0ecc235b1cb9ad782ac82", "2024-09-18"),
    row("euc-kr", "1d97134cbf187263585bc8f593ca4196654ed4c7a673f5672eaad4f5d9fdc4ba", "2024-09-18"),
    row("gb18030-ranges", "f963aaa1653f630c523e7b04729fb4e4458f35806c45eb5c179445623138f0c0", "2024-09-18"),
    row("gb18030", "ff1c9a923b5d24f9761b3a2de2c0f07b395f9f6f36519508944de4f0415be81c", "2024-09-18"),
    row("ibm866", "db6fe14a559d1601a7667338d83704773d5708dbc641e1ad3c5e21405770f05e", "2024-09-18"),
    row("iso-2022-jp-katakana", "6ffc12c11f6eab1ccb3dada740d9b0db096ef0b0783c3bd5ec951dcb4a44b95e", "2024-09-18"),
    row("iso-8859-10", "02c2b5590d8ccda9931008c471f6ee2c590b2c8fe5e6ccb3b08638115d778507", "2024-09-18"),
    row("iso-8859-13", "40736338e964ab520407cebcb01329f8d450abf6ce12bf88b74b655b60e43300", "2024-09-18"),
    row("iso-8859-14", "2c8651cfc08b1f35b17919ee5379f2fa006af3ec809f11b3b7f470785580542b", "2024-09-18"),
    row("iso-8859-15", "a560aba47bccd7510a6ac77f671fe75dca3800f05cf6d676910c311a8f8ff079", "2024-09-18"),
    row("iso-8859-16", "55676320d2d1b6e6909f5b3d741a7cf0cefc84e920aa4474afc091459111c2e3", "2024-09-18"),
    row("iso-8859-2", "9569c67f22d0b57790e1c407c6eecf227e4562322dc296de43cdab7a0152ec73", "2024-09-18"),
    row("iso-8859-3", "af8f1e12df79b768322b5e83613698cdc619438270a2fc359554331c805054a3", "2024-09-18"),
    row("iso-8859-4", "72f29c92344d351fe9e74a946e7e0468d76d542c6894ff82982cb652ebe0feb7", "2024-09-18"),
    row("iso-8859-5", "fa9b1f3f5242df43e2e7bca80e9b6997c67944f20a4af91ee06bacc4e132d9c9", "2024-09-18"),
    row("iso-8859-6", "85bb7b5c2dc75975afebe5743935ba4ed5a09c1e9e34e9bfb2ff80293f5d8bbc", "2024-09-18"),
    row("iso-8859-7", "f53d8aeba36314ef950eef02ffcf11dff540638ce27dfe7a86b6ccc6875afb24", "2024-09-18"),
    row("iso-8859-8", "7657a9ca3fa875990da960d3f812eea28dcd0ae6ed55a18d5394303c86f5484b", "2024-09-18"),
    row("jis0208", "cbaa91f3deb7d0841faf5c33041fc15a285da0e87e64ab802c4bf04b7c4da861", "2024-09-18"),
    row("jis0212", "83bf90dd1c591a4355730d8c4567efc499d74da7490531019ef22a879991cfb7", "2024-09-18"),
    row("koi8-r", "c5497cd9071cb352c0e56b219154e539badf63de40b71578f09e2e11fe7d50ae", "2024-09-18"),
    row("koi8-u", "19a4da2c3f245118bbc8019326f45a07832949938ff903f03d62ac4da1f61f40", "2024-09-18"),
    row("macintosh", "f2c6a4f6406b3e86a50a5dba4d2b7dd48e2e33c0d82aefe764535c934ec11764", "2024-09-18"),
    row("windows-1250", "0669455a7a1c70ba6003ea737991e8ee9adc455125c13cfe6705a361358de5fa", "2024-09-18"),
    row("windows-1251", "7592ef921679ba168b00a9e9afa3b4eebd67bf13dc7e84c4b6e120de856826e0", "2024-09-18"),
    row("windows-1252", "e56d49d9176e9a412283cf29ac9bd613f5620462f2a080a84eceaf974cfa18b7", "2024-09-18"),
    row("windows-1253", "49fdc881a3488904dd1e8dfba9aef3258454249958b611bcded1d4c981ab5561", "2024-09-18"),
    row("windows-1254", "e80a27adf377438be8ba5bd223875ea56d6a4d47f958cce1c957a2c446825caa", "2024-09-18"),
    row("windows-1255", "cd7fb43c97eefa1651084d92d02af53ad668bd848528c18c3b1af5c06b499651", "2024-09-18"),
    row("windows-1256", "161bdb381f16408e8bebcc8f5310c4190af0e359de8d9bbaa3628ce2f0875509", "2024-09-18"),
    row("windows-1257", "cc7256bdd10a5b8dc7fb6f994659f307dfcae60def9aa6c29d811f85e2842c47", "2024-09-18"),
    row("windows-1258", "198bacedfcf24390e219240a7b776b6cec34cff070330b08a601a69c67f7eb24", "2024-09-18"),
    row("windows-874", "b416583ce125e38474381b31b401a98b19ecf2e57e0998e78a1e18b14894905d", "2024-09-18"),
    row("x-mac-cyrillic", "73e8e7642c6fa9de29d42819b47fba55b58666fb1e339faeb4a89a0bd7c24d43", "2024-09-18"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::file_name;
    use crate::paths;

    #[test]
    fn indexes_record_the_identifier_and_the_date_of_upstream() {
        for edition in &EDITIONS {
            let path = paths::indexes().join(file_name(edition.name));
            let text = std::fs::read_to_string(path).unwrap();
            let expected = [Some(edition.identifier), Some(edition.date)];
            assert_eq!(stated(&text), expected, "{}", edition.name);
            assert_eq!(edition.identifier.len(), 64, "{}", edition.name);
        }
    }

    #[test]
    fn fields_stand_in_the_header_alone() {
        assert_eq!(
            stated("# Identifier: 1\n# Date: 2\n0\t1\n"),
            [Some("1"), Some("2")]
        );
        assert_eq!(stated("# a\n\n# Identifier: 1\n"), [None, None]);
    }
}
