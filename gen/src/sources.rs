//! Converters that are installed outside this project, and their single-byte tables.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

/// The table of one source: a code point for each byte, `None` for an unmapped byte.
pub type Bytes = [Option<u16>; 256];

/// The bytes that shift between single and double bytes. In single-byte tables they are the control characters U+000E and
/// U+000F.
pub const SHIFTS: [usize; 2] = [0x0E, 0x0F];

/// An installed converter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Converter {
    Icu,
    Glibc,
    Python,
    Perl,
    /// GNU libiconv's program, whose path is in the environment variable `LIBICONV`.
    Libiconv,
    /// Tables of ICU's archive (the repository icu-data) that the library leaves out. `uconv` finds them in the folder in
    /// the environment variable `ICU_DATA`. For ICU 72, `makeconv` must have written them to its subfolder `icudt72l`.
    Archive,
}

impl Converter {
    /// Returns the command of the converter.
    pub fn command(self) -> Command {
        match self {
            Converter::Icu | Converter::Archive => Command::new("uconv"),
            Converter::Glibc => Command::new("iconv"),
            Converter::Python => Command::new("python3"),
            Converter::Perl => Command::new("perl"),
            Converter::Libiconv => {
                Command::new(std::env::var_os("LIBICONV").unwrap_or_else(|| "libiconv".into()))
            }
        }
    }

    /// Returns the table of a page; `None` if the source lacks it.
    pub fn decode(self, name: &str, is_mixed: bool) -> Option<Bytes> {
        match self {
            Converter::Icu => icu(name, is_mixed),
            Converter::Glibc => glibc(name, is_mixed),
            Converter::Python => python(name),
            Converter::Perl => perl(name),
            Converter::Libiconv => iconv(self, name, is_mixed),
            Converter::Archive => archive(name),
        }
    }

    /// Returns the bytes of code points; `None` if the source lacks the page or a code point.
    pub fn encode(self, name: &str, code_points: &[u16]) -> Option<Vec<u8>> {
        const PROGRAM: &str = "import sys; sys.stdout.buffer.write(\
            sys.stdin.buffer.read().decode('utf-16-be').encode(sys.argv[1]))";
        const PERL: &str = "binmode STDIN; binmode STDOUT; local $/; \
            print encode($ARGV[0], decode('UTF-16BE', <STDIN>), Encode::FB_CROAK)";
        let mut command = self.command();
        match self {
            Converter::Python => command.args(["-c", PROGRAM, name]),
            Converter::Perl => command.args(["-MEncode", "-e", PERL, name]),
            // libiconv serves only for comparison.
            Converter::Libiconv => return None,
            _ => command.args(["-f", "UTF-16BE", "-t", name]),
        };
        let units: Vec<u8> = code_points
            .iter()
            .flat_map(|unit| unit.to_be_bytes())
            .collect();
        output(&mut command, &units)
    }
}

/// Returns the output of a command that reads `input`; `None` if it fails or is not installed.
fn output(command: &mut Command, input: &[u8]) -> Option<Vec<u8>> {
    let output = run(command, input)?;
    output.status.success().then_some(output.stdout)
}

/// Runs a command that reads `input`; `None` if it is not installed.
pub fn run(command: &mut Command, input: &[u8]) -> Option<Output> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take()?;
    std::thread::scope(|scope| {
        // The exit status reports a command that stops reading.
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().ok()
    })
}

/// Returns all 256 bytes in order. In a mixed encoding, 0x40 replaces the shift bytes.
fn all_bytes(is_mixed: bool) -> Vec<u8> {
    let mut bytes: Vec<u8> = (0..=255).collect();
    if is_mixed {
        for shift in SHIFTS {
            bytes[shift] = 0x40;
        }
    }
    bytes
}

/// Returns ICU's table. For an unmapped byte ICU writes U+FFFD, or in a mixed encoding U+001A, to which only 0x3F decodes.
pub fn icu(name: &str, is_mixed: bool) -> Option<Bytes> {
    let mut command = Converter::Icu.command();
    command.args([
        "-f",
        name,
        "-t",
        "UTF-16BE",
        "--from-callback",
        "substitute",
    ]);
    let units = units(&output(&mut command, &all_bytes(is_mixed))?);
    let mut bytes = [None; 256];
    for (byte, unit) in units.get(..256)?.iter().enumerate() {
        let is_substitute = is_mixed && *unit == 0x1A && byte != 0x3F;
        bytes[byte] = (*unit != 0xFFFD && !is_substitute).then_some(*unit);
    }
    Some(bytes)
}

/// Returns glibc's table.
pub fn glibc(name: &str, is_mixed: bool) -> Option<Bytes> {
    iconv(Converter::Glibc, name, is_mixed)
}

/// Returns the table of an `iconv` program. After it has stopped at an unmapped byte, bytes are converted one by one.
fn iconv(source: Converter, name: &str, is_mixed: bool) -> Option<Bytes> {
    let convert = |input: &[u8]| {
        let mut command = source.command();
        command.args(["-f", name, "-t", "UTF-16BE"]);
        output(&mut command, input).map(|output| units(&output))
    };
    convert(&[])?;
    let mut bytes = [None; 256];
    if let Some(all) = convert(&all_bytes(is_mixed)) {
        for (to, unit) in bytes.iter_mut().zip(all) {
            *to = Some(unit);
        }
    } else {
        for (byte, to) in bytes.iter_mut().enumerate() {
            *to = convert(&[byte as u8]).and_then(|units| units.first().copied());
        }
    }
    Some(bytes)
}

/// Returns Python's table. Its error handler writes U+FFFD for an unmapped byte.
pub fn python(name: &str) -> Option<Bytes> {
    const PROGRAM: &str = "import sys; sys.stdout.buffer.write(\
        bytes(range(256)).decode(sys.argv[1], 'replace').encode('utf-16-be'))";
    let mut command = Converter::Python.command();
    command.args(["-c", PROGRAM, name]);
    let units = units(&output(&mut command, &[])?);
    let mut bytes = [None; 256];
    for (to, unit) in bytes.iter_mut().zip(units.get(..256)?) {
        *to = (*unit != 0xFFFD).then_some(*unit);
    }
    Some(bytes)
}

/// Returns the table of ICU's archive. Some bytes have several code points, so bytes are converted one by one.
fn archive(name: &str) -> Option<Bytes> {
    let convert = |byte: u8| {
        let mut command = Converter::Archive.command();
        command.args(["-f", name, "-t", "UTF-16BE"]);
        command.args(["--from-callback", "substitute"]);
        output(&mut command, &[byte]).map(|output| character(&units(&output)))
    };
    let mut bytes = [None; 256];
    for (byte, to) in (0..=u8::MAX).zip(&mut bytes) {
        *to = convert(byte)?;
    }
    Some(bytes)
}

/// Returns the single character among the code points of a byte. Apple's tables append private-use code points to some
/// characters to select a glyph.
fn character(units: &[u16]) -> Option<u16> {
    match *units {
        [unit] => (unit != 0xFFFD).then_some(unit),
        _ => {
            let mut characters = units.iter().filter(|unit| !is_private(**unit));
            let first = characters.next().copied();
            first.filter(|_| characters.next().is_none())
        }
    }
}

/// True if a code point is for private use.
pub fn is_private(code_point: u16) -> bool {
    matches!(code_point, 0xE000..=0xF8FF)
}

/// Returns the table of Perl's Encode, which gives U+FFFD for an unmapped byte.
pub fn perl(name: &str) -> Option<Bytes> {
    // The output for each byte ends with U+FFFF.
    const PROGRAM: &str = "binmode STDOUT; for (0..255) { \
        print encode('UTF-16BE', decode($ARGV[0], chr($_), Encode::FB_DEFAULT)), pack('n', 0xFFFF) }";
    let mut command = Converter::Perl.command();
    command.args(["-MEncode", "-e", PROGRAM, name]);
    let units = units(&output(&mut command, &[])?);
    let mut bytes = [None; 256];
    for (to, units) in bytes.iter_mut().zip(units.split(|unit| *unit == 0xFFFF)) {
        *to = character(units);
    }
    Some(bytes)
}

fn units(bytes: &[u8]) -> Vec<u16> {
    let pairs = bytes.as_chunks::<2>().0.iter();
    pairs.map(|&pair| u16::from_be_bytes(pair)).collect()
}
