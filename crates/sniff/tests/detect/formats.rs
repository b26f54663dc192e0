//! Binary formats that are recognised by structure: each with its necessary bytes, and with one byte changed.

use super::plain;

fn format(bytes: &[u8]) -> Option<&'static str> {
    plain(bytes).format()
}

/// The bytes that each format requires, and a change of one byte after which the format is not recognised.
#[test]
fn each_structure_is_a_format_and_none_with_another_byte() {
    let hex = b"0123456789ABCDEFabcdef".repeat(5);
    let cpio = [b"070701", &hex[..104]].concat();
    let mut emf = vec![1, 0, 0, 0, 0x6C];
    emf.resize(40, 0);
    emf.extend_from_slice(b" EMF\0\0\x01\0");
    let mut pe = b"MZ\x90\0\x03\0\0\0\x04\0".to_vec();
    pe.resize(60, 0xFF);
    pe.extend_from_slice(b"\x40\0\0\0PE\0\0\x64\x86");
    let ar = b"!<thin>\n/               0           0     0     0       4         `\n\0\0\0\0";
    let rows: &[(&[u8], &str, usize, u8)] = &[
        (&cpio, "cpio", 5, b'3'),
        (&cpio, "cpio", 6, b'G'),
        (&cpio, "cpio", 109, b' '),
        (&emf, "EMF", 40, b'_'),
        (&emf, "EMF", 46, 2),
        (ar, "ar", 66, b'x'),
        (b"# v2 git bundle\n\0", "Git bundle", 15, b' '),
        (
            b"BM\x46\0\0\0\0\0\0\0\x1A\0\0\0\x0C\0\0\0\x01\0",
            "BMP",
            6,
            1,
        ),
        (
            b"BM\x46\0\0\0\0\0\0\0\x1A\0\0\0\x0C\0\0\0\x01\0",
            "BMP",
            14,
            13,
        ),
        (b"BZh1\x17\x72\x45\x38\x50\x90", "bzip2", 9, 0x91),
        (b"BZh11AY&SY\x94", "bzip2", 3, b'0'),
        (b"GIF87a\x01\x08\x01\x08\x80\0", "GIF", 7, 9),
        (b"GIF87a\x01\x08\x01\x08\x80\0", "GIF", 9, 9),
        (b"GIF87a\x01\x08\x01\x08\x80\0", "GIF", 4, b'8'),
        (b"ID3\x02\0\0\0\0\x0F\x76TIT2", "MP3", 3, 1),
        (b"ID3\x04\0\0\0\0\x0F\x76TIT2", "MP3", 3, 5),
        (b"ID3\x04\0\0\0\0\x0F\x76TIT2", "MP3", 9, 0x80),
        (b"MZ\x90\0\x03\0\0\0\x02\0\0\0\xFF\xFF", "MZ", 8, 1),
        (b"MZ\x90\0\x03\0\0\0\x40\0\0\0\xFF\xFF", "MZ", 8, 0x41),
        (b"P4\n8 1\n\x80", "PNM", 7, b'x'),
        (b"P5 1 1 255\n\x80", "PNM", 1, b'7'),
        (b"P5 1 1 255\n\x80", "PNM", 6, b'x'),
        (b"P6 123456 1 255\n\x80", "PNM", 9, b'7'),
        (b"P6\n#a\n#b\n1 1 255\n\x80", "PNM", 6, b'_'),
        (b"dex\n035\0\x01", "DEX", 7, 1),
        (b"\x5D\0\0\x80\0\x01\0\0\0\0\0\0\0\0", "LZMA", 11, 1),
        (b"\x1F\x9D\x89\x41", "compress", 2, 0x88),
        (b"\x1F\x9D\x90\x41", "compress", 2, 0x91),
        (b"\x80\x01\xA0\x10\0\0%!PS", "Type 1 font", 5, 1),
        (
            b"\xC5\xD0\xD3\xC6\x1E\0\0\0\x40",
            "EPS with a preview",
            6,
            1,
        ),
        (b"\xFE\xED\xFA\xCE\0\0\0\x12", "Mach-O", 3, 0xCD),
        (b"\xFE\xED\xFA\xCF\x01\0\0\x12", "Mach-O", 4, 2),
        (b"\xCE\xFA\xED\xFE\x07\0\0\0", "Mach-O", 6, 1),
        (b"\xFF\xD8\xFF\xC0\x1F", "JPEG", 4, 0x20),
        (b"\xFF\xD8\xFF\xC0\x1F", "JPEG", 3, 0xBF),
        (b"\xFF\xD8\xFF\xFE\0", "JPEG", 3, 0xFF),
        (b"\0\0\x02\0\x40\0\x20\x20\0\0\x01\0", "ICO", 4, 0x41),
        (b"\0\0\x02\0\x01\0\x20\x20\0\0\x01\0", "ICO", 4, 0),
        (b"\0\0\x02\0\x01\0\x20\x20\0\0\x01\0", "ICO", 9, 1),
        (b"\0\0\x01\xBA\x44\0", "MPEG", 3, 0xBB),
        (b"\0\0\x01\xB3\x14\0", "MPEG", 4, 0),
        (b"\0\0\0\x20ftypisom", "MP4", 7, b'q'),
        (
            b"\x1E\x02\x08\0\x02\0\x03\0\x04\0\x10\0dumb|80\0",
            "terminfo",
            1,
            1,
        ),
        (
            b"\x1A\x01\x08\0\x02\0\x03\0\x04\0\x10\0dumb|80\0",
            "terminfo",
            19,
            1,
        ),
        (
            b"\x1A\x01\x08\0\x02\0\x03\0\x04\0\x10\0dumb|80\0",
            "terminfo",
            12,
            0x1F,
        ),
        (
            b"\x1A\x01\x08\0\x02\0\x03\0\x04\0\x10\0dumb|80\0",
            "terminfo",
            12,
            0x7F,
        ),
        (b"\xF2\x0D\r\n\0\0\0\0\x63\0\0\0", "pyc", 8, 0x64),
        (b"\xF2\x0D\r\n\0\0\0\0\x10\0\0\0\xE3", "pyc", 12, 0),
        (b"RIFX\0\0\0\x24WAVE", "WAV", 3, b'Y'),
        (b"RF64\xFF\xFF\xFF\xFFWAVE", "WAV", 8, b'w'),
    ];
    for &(bytes, name, at, other) in rows {
        assert_eq!(format(bytes), Some(name), "{}", bytes.escape_ascii());
        let mut changed = bytes.to_vec();
        changed[at] = other;
        assert_eq!(format(&changed), None, "{}", changed.escape_ascii());
    }
    assert_eq!(format(&cpio[..109]), None);
    assert_eq!(
        format(
            &cpio
                .iter()
                .map(|&byte| if byte == b'1' { b'2' } else { byte })
                .collect::<Vec<_>>()
        ),
        Some("cpio")
    );
    // The second header of a program.
    assert_eq!(format(&pe), Some("PE"));
    pe[64] = b'N';
    assert_eq!(format(&pe), Some("MZ"));
    // The version distinguishes the two formats.
    for (version, name) in [
        (0, "Mach-O"),
        (44, "Mach-O"),
        (45, "Java class"),
        (65, "Java class"),
    ] {
        assert_eq!(
            format(&[0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, version]),
            Some(name),
            "{version}"
        );
    }
    // Each length of the second header of a bitmap.
    for length in 0..=130 {
        let bytes = [
            &b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0"[..],
            &[length, 0, 0, 0, 1, 0],
        ]
        .concat();
        let is_one = [12, 40, 52, 56, 64, 108, 124].contains(&length);
        assert_eq!(format(&bytes), is_one.then_some("BMP"), "{length}");
    }
}

/// The type of a chunked file is in its second word.
#[test]
fn chunked_files_are_named_by_their_type() {
    for (mark, kinds, name) in [
        (b"RIFF", &[b"WAVE"][..], "WAV"),
        (b"RIFX", &[b"WAVE"], "WAV"),
        (b"RF64", &[b"WAVE"], "WAV"),
        (b"RIFF", &[b"AVI "], "AVI"),
        (b"RIFF", &[b"WEBP"], "WebP"),
        (b"RIFF", &[b"RMID"], "MIDI"),
        (b"RIFF", &[b"ACON", b"sfbk", b"CDXA", b"PAL "], "RIFF"),
        (b"FORM", &[b"AIFF", b"AIFC"], "AIFF"),
        (b"FORM", &[b"ILBM", b"8SVX", b"PBM "], "IFF"),
    ] {
        for kind in kinds {
            let bytes = [&mark[..], b"\0\0\x08\x24", &kind[..]].concat();
            assert_eq!(format(&bytes), Some(name), "{}", bytes.escape_ascii());
            assert_eq!(format(&bytes[..11]), None);
        }
    }
    for (mark, kind) in [
        (b"RIFF", b"AIFF"),
        (b"FORM", b"WAVE"),
        (b"RIFX", b"AVI "),
        (b"RIFF", b"xxxx"),
    ] {
        let bytes = [&mark[..], b"\0\0\x08\x24", kind].concat();
        assert_eq!(format(&bytes), None, "{}", bytes.escape_ascii());
    }
    for kind in ["ftyp", "moov", "mdat", "wide", "free", "skip"] {
        let bytes = [b"\0\0\0\x18", kind.as_bytes(), b"isom"].concat();
        assert_eq!(format(&bytes), Some("MP4"), "{kind}");
    }
}
