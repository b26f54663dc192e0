//! Binary formats that are recognised by structure: each with its necessary bytes, and with one byte changed.

use super::plain;
use mojika_spec::escapes::unescaped;

fn format(bytes: &[u8]) -> Option<&'static str> {
    plain(bytes).format()
}

/// Returns bytes, the name of their format, and the place and the value of a byte with which they have none.
fn structures() -> impl Iterator<Item = (Vec<u8>, &'static str, usize, u8)> {
    include_str!("structures.txt").lines().map(|row| {
        let mut fields = row.splitn(3, " | ");
        let [name, change, text] = [(); 3].map(|()| fields.next().unwrap());
        let (at, other) = change.split_once(' ').expect(row);
        let other = u8::from_str_radix(other, 16).expect(row);
        let bytes = unescaped(text, |part| part.into());
        (bytes, name, at.parse().unwrap(), other)
    })
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
    let rows: [(&[u8], &str, usize, u8); 6] = [
        (&cpio, "cpio", 5, b'3'),
        (&cpio, "cpio", 6, b'G'),
        (&cpio, "cpio", 109, b' '),
        (&emf, "EMF", 40, b'_'),
        (&emf, "EMF", 46, 2),
        (ar, "ar", 66, b'x'),
    ];
    let rows = rows.map(|(bytes, name, at, other)| (bytes.to_vec(), name, at, other));
    for (bytes, name, at, other) in rows.into_iter().chain(structures()) {
        assert_eq!(format(&bytes), Some(name), "{}", bytes.escape_ascii());
        let mut changed = bytes.clone();
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
