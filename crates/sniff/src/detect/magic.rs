//! Formats of binary files, by their first bytes.
//!
//! A format is listed only if text cannot start like it. Its magic number has zero bytes, control characters or a
//! sequence that is malformed in every encoding. Otherwise, more of the file's structure is checked. The bytes come
//! from each format's specification.

/// Magic numbers with which no text starts, and the names of their formats.
#[rustfmt::skip]
const NUMBERS: &[(&[u8], &str)] = &[
    // Images.
    (b"\x89PNG\r\n\x1A\n", "PNG"),
    (b"\x8BJNG\r\n\x1A\n", "JNG"),
    (b"\x8AMNG\r\n\x1A\n", "MNG"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
    (b"II+\0\x08\0", "TIFF"),
    (b"MM\0+\0\x08", "TIFF"),
    (b"8BPS\0\x01", "PSD"),
    (b"\0\0\0\x0CjP  \r\n\x87\n", "JPEG 2000"),
    (b"\xFF\x4F\xFF\x51\0", "JPEG 2000"),
    (b"\0\0\0\x0CJXL \r\n\x87\n", "JPEG XL"),
    (b"\xD7\xCD\xC6\x9A\0\0", "WMF"),
    (b"Xcur\x10\0\0\0", "Xcursor"),
    (b"gimp xcf file\0", "XCF"),
    (b"gimp xcf v0", "XCF"),
    // Compressed data and archives.
    (b"\x1F\x8B\x08", "gzip"),
    (b"\xFD7zXZ\0", "xz"),
    (b"\x28\xB5\x2F\xFD", "Zstandard"),
    (b"\x04\x22\x4D\x18", "LZ4"),
    (b"LZIP\x01", "lzip"),
    (b"\x89LZO\0\r\n\x1A\n", "lzop"),
    (b"\xFF\x06\0\0sNaPpY", "Snappy"),
    (b"PK\x03\x04", "ZIP"),
    (b"PK\x05\x06", "ZIP"),
    (b"PK\x07\x08", "ZIP"),
    (b"7z\xBC\xAF\x27\x1C", "7z"),
    (b"Rar!\x1A\x07", "RAR"),
    (b"MSCF\0\0\0\0", "CAB"),
    (b"\xED\xAB\xEE\xDB\x03\0", "RPM"),
    (b"xar!\0\x1C", "xar"),
    // Programs and their parts.
    (b"\x7FELF", "ELF"),
    (b"\0asm", "WebAssembly"),
    (b"JM\x01\0", "JMOD"),
    (b"GOBJ\nMETADATA\r\n\x1A", "GObject typelib"),
    (b"BC\xC0\xDE\x35\x14\0\0", "LLVM bitcode"),
    (b"rust\0\0\0", "Rust metadata"),
    // Audio and video.
    (b"OggS\0", "Ogg"),
    (b"fLaC\0\0\0\x22", "FLAC"),
    (b"fLaC\x80\0\0\x22", "FLAC"),
    (b"MThd\0\0\0\x06\0", "MIDI"),
    (b".snd\0", "AU"),
    (b"\x1A\x45\xDF\xA3", "Matroska"),
    (b"\x30\x26\xB2\x75\x8E\x66\xCF\x11", "ASF"),
    (b"FLV\x01", "FLV"),
    // Documents and data.
    (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "OLE2"),
    (b"SQLite format 3\0", "SQLite"),
    (b"ITSF\x03\0", "CHM"),
    (b"\x89HDF\r\n\x1A\n", "HDF5"),
    (b"\x93NUMPY", "NumPy"),
    (b"ARROW1\0\0", "Arrow"),
    (b"PAR1\x15", "Parquet"),
    (b"Obj\x01", "Avro"),
    (b"TZif\0\0", "TZif"),
    (b"TZif2\0", "TZif"),
    (b"TZif3\0", "TZif"),
    (b"TZif4\0", "TZif"),
    (b"\xDE\x12\x04\x95\0", "gettext catalog"),
    (b"\x95\x04\x12\xDE\0", "gettext catalog"),
    (b"\xD4\xC3\xB2\xA1\x02\0", "pcap"),
    (b"\xA1\xB2\xC3\xD4\0", "pcap"),
    (b"\x0A\x0D\x0D\x0A\0", "pcapng"),
    (b"PACK\0\0\0", "Git pack"),
    (b"# v2 git bundle\n", "Git bundle"),
    (b"\xFFtOc\0\0\0", "Git pack index"),
    (b"DIRC\0\0\0", "Git index"),
    (b"MIDX\x01", "Git multi-pack index"),
    (b"CGPH\x01", "Git commit graph"),
    (b"RIDX\0\0\0", "Git reverse index"),
    (b"BITM\0", "Git bitmap"),
    // Fonts.
    (b"\0\x01\0\0\0", "TrueType"),
    (b"true\0", "TrueType"),
    (b"ttcf\0", "TrueType collection"),
    (b"OTTO\0", "OpenType"),
    (b"wOFF\0\x01\0\0", "WOFF"),
    (b"wOFFOTTO\0", "WOFF"),
    (b"wOF2\0\x01\0\0", "WOFF2"),
    (b"wOF2OTTO\0", "WOFF2"),
    (b"\x01fcp", "PCF font"),
];

/// True for bytes with which a magic number starts. Most text starts with other bytes.
static BEGIN_NUMBERS: [bool; 256] = {
    let mut begin = [false; 256];
    let mut at = 0;
    while at < NUMBERS.len() {
        begin[NUMBERS[at].0[0] as usize] = true;
        at += 1;
    }
    begin
};

/// The minimum length of a head that can hold a magic number.
const SHORTEST: usize = 4;

/// Returns the name of the format of a file with this head.
pub fn format(head: &[u8]) -> Option<&'static str> {
    if head.len() < SHORTEST {
        return None;
    }
    if BEGIN_NUMBERS[usize::from(head[0])] {
        let number = NUMBERS.iter().find(|(number, _)| head.starts_with(number));
        if let Some(&(_, name)) = number {
            return Some(name);
        }
    }
    Some(match head {
        _ if head.get(40..48) == Some(b" EMF\0\0\x01\0") => "EMF",
        _ if is_pdf(head) => "PDF",
        [b'!', ..] if is_ar(head) => "ar",
        [b'0', ..] if is_cpio(head) => "cpio",
        [b'B', b'M', ..] if is_bmp(head) => "BMP",
        [b'B', b'Z', b'h', rest @ ..] if is_bzip2(rest) => "bzip2",
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', rest @ ..] if is_gif(rest) => "GIF",
        [b'I', b'D', b'3', 2..=4, 0, _, rest @ ..] if is_id3(rest) => "MP3",
        // The header has 2 to 64 paragraphs.
        [b'M', b'Z', _, _, _, _, _, _, 2..=64, 0, ..] => executable(head),
        [b'P', ..] if is_pnm(head) => "PNM",
        [b'd', b'e', b'x', b'\n', b'0', _, _, 0, ..] => "DEX",
        [0x5D, 0, 0, ..] if is_lzma(head) => "LZMA",
        [0x1F, 0x9D, 0x89..=0x90, ..] => "compress",
        [0x80, 1, _, _, _, 0, b'%', b'!', ..] => "Type 1 font",
        [0xC5, 0xD0, 0xD3, 0xC6, _, _, 0, 0, ..] => "EPS with a preview",
        // No Java class has a version below 45.
        [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 0..=44, ..] => "Mach-O",
        [0xCA, 0xFE, 0xBA, 0xBE, 0, ..] => "Java class",
        // The processor's number has two zero bytes.
        [0xFE, 0xED, 0xFA, 0xCE | 0xCF, 0 | 1, 0, 0, ..] => "Mach-O",
        [0xCE | 0xCF, 0xFA, 0xED, 0xFE, _, 0, 0, ..] => "Mach-O",
        // The marker of the first segment, and its length.
        [0xFF, 0xD8, 0xFF, 0xC0..=0xFE, 0..=0x1F, ..] => "JPEG",
        // The count of icons or cursors, and a zero in the first entry.
        [0, 0, 1 | 2, 0, 1..=64, 0, _, _, _, 0, ..] => "ICO",
        [0, 0, 1, 0xBA | 0xB3, 1..=0xFF, ..] => "MPEG",
        [0, _, _, _, kind @ ..] if is_iso_media(kind) => "MP4",
        [0x1A | 0x1E, ..] if is_terminfo(head) => "terminfo",
        _ if is_pyc(head) => "pyc",
        _ if is_tar(head) => "tar",
        _ => return chunked(head),
    })
}

fn u16_le(head: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*head.get(at..)?.first_chunk()?))
}

fn u32_le(head: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*head.get(at..)?.first_chunk()?))
}

/// True for `%PDF-1.7` at the start, or at the start of a line within 1024 bytes. A non-ASCII comment or an object must
/// follow, because a text may mention PDF.
fn is_pdf(head: &[u8]) -> bool {
    const MARK: &[u8] = b"%PDF-";
    let is_version = |from: &[u8]| matches!(from, [b'0'..=b'9', b'.', b'0'..=b'9', ..]);
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'%', &head[at..]) {
        at += next;
        if let Some(after) = head[at..].strip_prefix(MARK)
            && is_version(after)
            && (at == 0 || has_object(&after[3..]) && head[at - 1] != b'"')
        {
            return true;
        }
        at += 1;
    }
    false
}

/// True if the first lines after the version are a non-ASCII comment, or begin an object.
fn has_object(after: &[u8]) -> bool {
    let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
    if !after.first().is_some_and(is_end) {
        return false;
    }
    after
        .split(is_end)
        .filter(|line| !line.is_empty())
        .take(2)
        .any(|line| match line {
            [b'%', second, ..] => *second >= 0x80,
            [b'0'..=b'9', ..] => line.ends_with(b" obj"),
            _ => false,
        })
}

/// True if the width and the height are below 2304, because text has no such bytes there.
fn is_gif(after: &[u8]) -> bool {
    matches!(after, [_, 0..=8, _, 0..=8, ..])
}

/// Checks the level, and the marker of the first block or of an empty file's end.
fn is_bzip2(after: &[u8]) -> bool {
    let Some((b'1'..=b'9', marker)) = after.split_first() else {
        return false;
    };
    marker.starts_with(b"1AY&SY") || marker.starts_with(b"\x17\x72\x45\x38\x50\x90")
}

/// Checks the type of the first box.
fn is_iso_media(kind: &[u8]) -> bool {
    let kinds = [b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip"];
    kinds.iter().any(|one| kind.starts_with(*one))
}

/// Checks the length, whose bytes have seven bits.
fn is_id3(rest: &[u8]) -> bool {
    matches!(rest, [0..=0x7F, 0..=0x7F, 0..=0x7F, 0..=0x7F, ..])
}

/// Checks that reserved bytes are zero and that the second header has a known length.
fn is_bmp(head: &[u8]) -> bool {
    u32_le(head, 6) == Some(0)
        && matches!(u32_le(head, 14), Some(12 | 40 | 52 | 56 | 64 | 108 | 124))
}

/// Returns the format by the second header, which Windows programs have.
fn executable(head: &[u8]) -> &'static str {
    let second = u32_le(head, 60).and_then(|at| head.get(at as usize..));
    match second {
        Some([b'P', b'E', 0, 0, ..]) => "PE",
        _ => "MZ",
    }
}

/// True if the dictionary size is a multiple of 65536, and the length is unknown or below 2^40.
fn is_lzma(head: &[u8]) -> bool {
    matches!(head.get(10..13), Some([0, 0, 0] | [0xFF, 0xFF, 0xFF]))
}

/// Checks the names of the terminal, which end with a zero byte.
fn is_terminfo(head: &[u8]) -> bool {
    let (0x011A | 0x021E) = u16::from_le_bytes([head[0], head[1]]) else {
        return false;
    };
    let names = u16_le(head, 2).and_then(|len| head.get(12..12 + usize::from(len)));
    names
        .and_then(<[u8]>::split_last)
        .is_some_and(|(end, names)| {
            *end == 0 && !names.is_empty() && names.iter().all(|byte| (0x20..0x7F).contains(byte))
        })
}

/// Returns the format of a RIFF or FORM file by the type of its content.
fn chunked(head: &[u8]) -> Option<&'static str> {
    let kind = head.get(8..12)?;
    match (&head[..4], kind) {
        (b"RIFF" | b"RIFX" | b"RF64", b"WAVE") => Some("WAV"),
        (b"RIFF", b"AVI ") => Some("AVI"),
        (b"RIFF", b"WEBP") => Some("WebP"),
        (b"RIFF", b"RMID") => Some("MIDI"),
        (b"RIFF", b"ACON" | b"sfbk" | b"CDXA" | b"PAL ") => Some("RIFF"),
        (b"FORM", b"AIFF" | b"AIFC") => Some("AIFF"),
        (b"FORM", b"ILBM" | b"8SVX" | b"PBM ") => Some("IFF"),
        _ => None,
    }
}

/// Checks the archive's first line, then the end of a member's header, or the end of the file.
fn is_ar(head: &[u8]) -> bool {
    let after = head.strip_prefix(b"!<arch>\n");
    after
        .or(head.strip_prefix(b"!<thin>\n"))
        .is_some_and(|after| after.is_empty() || after.get(58..60) == Some(b"`\n"))
}

/// Checks the header of a member, which is in digits.
fn is_cpio(head: &[u8]) -> bool {
    (head.starts_with(b"070701") || head.starts_with(b"070702"))
        && head
            .get(6..110)
            .is_some_and(|header| header.iter().all(u8::is_ascii_hexdigit))
}

/// Checks a bitmap: the sizes, one white-space character, and a byte that text does not contain.
fn is_pnm(head: &[u8]) -> bool {
    let (b'4'..=b'6', b'\n' | b' ') = (head[1], head[2]) else {
        return false;
    };
    let numbers = if head[1] == b'4' { 2 } else { 3 };
    let mut rest = &head[2..];
    for _ in 0..numbers {
        loop {
            rest = rest.trim_ascii_start();
            if !rest.starts_with(b"#") {
                break;
            }
            let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
                return false;
            };
            rest = &rest[end..];
        }
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if !(1..=6).contains(&digits) {
            return false;
        }
        rest = &rest[digits..];
    }
    rest.first().is_some_and(u8::is_ascii_whitespace)
        && rest.iter().any(|byte| matches!(byte, 0..9 | 0x80..))
}

/// Checks the version number, CR LF, and a code object after flags, times or lengths, which may have zero bytes.
fn is_pyc(head: &[u8]) -> bool {
    let is_code = |at| matches!(head.get(at), Some(0x63 | 0xE3));
    head[2..4] == *b"\r\n"
        && head[..head.len().min(16)].contains(&0)
        && (is_code(16) || is_code(12) || is_code(8))
}

/// Checks the checksum of the first member's header. The checksum's own bytes count as spaces.
fn is_tar(head: &[u8]) -> bool {
    let Some(header) = head.first_chunk::<512>() else {
        return false;
    };
    let field = &header[148..156];
    let written = field
        .iter()
        .skip_while(|&&byte| byte == b' ')
        .take_while(|byte| matches!(byte, b'0'..=b'7'))
        .fold(0, |sum, &digit| sum << 3 | u32::from(digit - b'0'));
    if written == 0 {
        return false;
    }
    let sum = |bytes: &[u8]| bytes.iter().map(|&byte| u32::from(byte)).sum::<u32>();
    sum(header) - sum(field) + 8 * u32::from(b' ') == written
}
